import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { counted, squeezed, THEME, themed } from "../plugins/lengths";

test("a rem is counted in the component's own, but for those of media queries", () => {
  expect(counted("@media (min-width: 62rem) { a { margin: 0.5rem -1rem } }")).toBe(
    "@media (min-width: 62rem) { a { margin: calc(0.5 * var(--ob-rem)) calc(-1 * var(--ob-rem)) } }",
  );
  expect(counted("font-size: clamp(1rem, 1rem + 0.25vi, .5rem)")).toContain("calc(.5 * var(--ob-rem))");
});

test("a container is never asked for its size in rem, which the browser would not understand", () => {
  expect(() => counted("@container (min-width: 40rem) { a { margin: 0 } }")).toThrow("count it in em");
  expect(counted("@container (min-width: 40em) { a { margin: 1rem } }")).toContain("(min-width: 40em)");
});

test("comments and indentation are left out, and nothing that means something", () => {
  const css = "/* x */\n  a > b {\n    margin: 0 calc(1px + 2px);\n  }\n  c :hover {\n  }";
  expect(squeezed(css).trim()).toBe("a > b{margin: 0 calc(1px + 2px);}c :hover{}");
});

test("the design's values stand in the shadow root, and those that may be are set from outside", () => {
  const css = themed(readFileSync(new URL("../../site/styles/tokens.css", import.meta.url), "utf-8"));
  expect(css).toMatch(/^:host \{ /);
  expect(css).toContain(
    "--ob-accent-strong: var(--open-book-accent-strong, var(--open-book-accent, light-dark(#07454b, #a6dfe0)));",
  );
  expect(css).not.toContain(":root");
  expect(css.replace(/calc\([^)]*\)\)/g, "")).not.toMatch(/[\d.]rem/);
  for (const name of Object.keys(THEME)) expect(css).toContain(`--ob-${name}: var(--open-book-`);
  expect(() => themed(":root { --ob-paper: white; }")).toThrow("--ob-accent");
});
