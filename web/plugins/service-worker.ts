/**
 * The service worker: one file of its own with a name that stays, at the site's root, since its place is its scope.
 *
 * Built apart from the page, so that it shares no chunk with it: a service worker whose imports went away with an older
 * version could not start.
 */

import { build, type Plugin } from "vite";

const SOURCE = "src/offline/service-worker.ts";
const NAME = "service-worker.js";

export function serviceWorker(): Plugin {
  return {
    name: "openbook:service-worker",
    apply: "build",
    async buildStart() {
      const built = await build({
        configFile: false,
        root: import.meta.dirname,
        logLevel: "warn",
        publicDir: false,
        build: {
          write: false,
          target: "es2022",
          rolldownOptions: { input: `${import.meta.dirname}/../${SOURCE}`, output: { format: "iife" } },
        },
      });
      const [output] = Array.isArray(built) ? built : [built];
      if (!output || !("output" in output) || output.output.length !== 1)
        throw new Error(`${SOURCE} did not become one file`);
      this.emitFile({ type: "asset", fileName: NAME, source: output.output[0].code });
    },
  };
}
