/**
 * Styles that keep their measure on a page of somebody else.
 *
 * A `rem` is the host page's (10 px on some, 20 px on others), and a custom property of `:root` is everybody's. So in
 * the components' styles each `rem` becomes a multiple of `--ob-rem`, and the design's values become a module,
 * `virtual:tokens`, for the one component that stands on other pages (`page/embed/`). There each value that
 * `THEME` names can be set from outside, as `--open-book-…`.
 */

import type { Plugin } from "vite";

const VIRTUAL = "virtual:tokens";
const TOKENS = new URL("../../site/styles/tokens.css", import.meta.url);

/** Value → the properties that set it, first come first. The documented ones are the last of each list. */
export const THEME: Readonly<Record<string, readonly string[]>> = {
  accent: ["accent"],
  "accent-strong": ["accent-strong", "accent"],
  "on-accent": ["on-accent"],
  focus: ["accent"],
  paper: ["surface"],
  raised: ["field", "surface"],
  ink: ["ink"],
  "ink-soft": ["ink-soft", "ink"],
  "ink-faint": ["ink-soft", "ink"],
  rule: ["rule"],
  "rule-strong": ["rule-strong"],
  mark: ["mark"],
  serif: ["font"],
  sans: ["font-controls", "font"],
  mono: ["font-mono"],
  "radius-s": ["radius"],
  radius: ["radius"],
  "radius-l": ["radius"],
};

export function lengths(): Plugin {
  return {
    name: "openbook:lengths",
    resolveId: (id) => (id === VIRTUAL ? `\0${VIRTUAL}` : null),
    async load(id) {
      if (id !== `\0${VIRTUAL}`) return null;
      const { readFile } = await import("node:fs/promises");
      return `export const tokens = ${JSON.stringify(themed(await readFile(TOKENS, "utf-8")))};`;
    },
    transform(code, id) {
      if (!/\/src\/page\/.*\.ts$/.test(id) || !code.includes("css`")) return null;
      return { code: code.replace(/css`[^`]*`/g, (css) => counted(squeezed(css))), map: null };
    },
  };
}

/** Without comments and indentation, which every page would fetch. */
export function squeezed(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{;]) ?/g, "$1")
    .replace(/(?<=;)\} /g, "}");
}

/**
 * Lengths in `rem` as multiples of `--ob-rem`; those of media queries are the browser's own, not the page's.
 *
 * @throws Error when a container is asked for its size in `rem`: no variable may stand there, and the browser would
 *   leave out the whole rule in silence. An `em` there is the container's own.
 */
export function counted(css: string): string {
  const lost = /@container[^{]*\drem\b[^{]*/.exec(css);
  if (lost) throw new Error(`${lost[0].trim()}: count it in em`);
  return css.replace(/@media[^{]*\{|(-?\d*\.?\d+)rem\b/g, (all, number?: string) =>
    number === undefined ? all : `calc(${number} * var(--ob-rem))`,
  );
}

/** `site/styles/tokens.css` for a shadow root. @throws Error when the file is not as it was */
export function themed(css: string): string {
  const plain = css.replace(/\/\*[\s\S]*?\*\//g, "");
  const values = /:root\s*\{([^}]*)\}/.exec(plain)?.[1];
  if (!values) throw new Error("tokens.css has no :root");
  const known = new Set<string>();
  const lines = values.split(";").flatMap((line) => {
    const [, name, value] = /^\s*--ob-([\w-]+):\s*([\s\S]*\S)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined || name === "rem") return [];
    known.add(name);
    const outside = THEME[name] ?? [];
    const set = outside.reduceRight((inner, one) => `var(--open-book-${one}, ${inner})`, counted(value));
    return [`--ob-${name}: ${set.replace(/\s+/g, " ")};`];
  });
  const missing = Object.keys(THEME).filter((name) => !known.has(name));
  if (missing.length > 0) throw new Error(`tokens.css has no --ob-${missing.join(", --ob-")}`);
  return `:host { ${lines.join(" ")} }\n@media (prefers-reduced-motion: reduce) { :host { --ob-fast: 0s; --ob-slow: 0s; } }`;
}
