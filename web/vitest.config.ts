import { defineConfig } from "vitest/config";

export default defineConfig({
  // The page's components are tested in a real browser (tests/browser); here is what needs none.
  test: { include: ["test/**/*.test.ts"], environment: "node" },
});
