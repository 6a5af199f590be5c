import { defineConfig } from "vite";
import own from "../vite.config.ts";

/** The harness, built as the page is, into the folder that `--outDir` says. */
export default defineConfig({
  ...own,
  root: import.meta.dirname,
  build: {
    ...own.build,
    manifest: false,
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { harness: `${import.meta.dirname}/harness.ts` },
      output: { entryFileNames: "harness/[name].js" },
    },
  },
});
