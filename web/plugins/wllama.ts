/**
 * wllama without `blob:` scripts.
 *
 * As published, wllama puts its worker's code together from strings when a model is loaded, and starts it from a
 * `blob:` address; the page's policy allows scripts of the site alone. Here the same code becomes two files of the
 * site, and the library is given their addresses. What differs from one start to the next (wllama's RUN_OPTIONS) goes
 * in the worker's name, and the wasm comes in its first message, as bytes that were checked, instead of being fetched.
 *
 * Each change is an exact replacement in a pinned version: one that no longer fits ends the build.
 */

import type { Plugin } from "vite";

const LIBRARY = "/@wllama/wllama/esm/index.js";
const VIRTUAL = "virtual:wllama-worker";

export function wllama(): Plugin {
  return {
    name: "openbook:wllama",
    resolveId: (id) => (id === VIRTUAL ? `\0${VIRTUAL}` : null),
    async load(id) {
      if (id !== `\0${VIRTUAL}`) return null;
      const library = await this.resolve("@wllama/wllama");
      if (!library) throw new Error("@wllama/wllama is not installed");
      const { readFile } = await import("node:fs/promises");
      const { worker, thread } = scripts(await readFile(library.id, "utf-8"));
      const file = (name: string, source: string): string =>
        `import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: "asset", name, source })}`;
      return [
        `export const workerAddress = ${file("wllama-worker.js", worker)};`,
        `export const threadAddress = ${file("wllama-thread.js", thread)};`,
      ].join("\n");
    },
    transform(code, id) {
      if (!id.endsWith(LIBRARY)) return null;
      let changed = code;
      for (const name of ["LLAMA_CPP_WORKER_CODE", "WLLAMA_EMSCRIPTEN_CODE"]) {
        changed = replace(changed, `var ${name} = ${literal(code, name)};`, `var ${name} = "";`);
      }
      changed = replace(
        changed,
        "this.worker = createWorker(completeCode);",
        "this.worker = this.resources.startWorker({ ...runOptions, noWebGPU: Boolean(this.resources.noWebGPU) });",
      );
      changed = replace(
        changed,
        'new Blob([moduleCode], { type: "text/javascript" }),',
        "this.resources.threadAddress,",
      );
      return { code: changed, map: null };
    },
  };
}

/** The code of the worker and of its threads, as `ProxyToWorker.moduleInit` would put it together. */
function scripts(library: string): { worker: string; thread: string } {
  const stub = templateLiteral(library, "JSPI_STUB");
  const emscripten = evaluate(literal(library, "WLLAMA_EMSCRIPTEN_CODE"));
  const glue = replace(
    evaluate(literal(library, "LLAMA_CPP_WORKER_CODE")),
    "noInitialRun: true,",
    "noInitialRun: true, wasmBinary: WASM,",
  );
  const noGpu =
    "if (RUN_OPTIONS.noWebGPU) try { Object.defineProperty(WorkerNavigator.prototype, 'gpu', " +
    "{ get: () => ({ requestAdapter: async () => null }) }); } catch {}";
  const worker = [
    "const RUN_OPTIONS = JSON.parse(self.name);",
    "let WASM;",
    noGpu,
    `function wModuleInit() { ${replace(stub + emscripten, "var Module", "var ___Module")}; return Module; }`,
    glue,
    "const handle = onmessage;",
    "onmessage = (event) => { if (event.data?.wasm) WASM = event.data.wasm; else return handle(event); };",
  ].join(";\n\n");
  return { worker, thread: stub + emscripten };
}

/** The string literal that a variable of the library is set to, on its line. */
function literal(code: string, name: string): string {
  const found = new RegExp(`^var ${name} = (".*"|'.*');$`, "m").exec(code)?.[1];
  if (found === undefined) throw new Error(`${LIBRARY} has no ${name} on a line of its own: see plugins/wllama.ts`);
  return found;
}

function templateLiteral(code: string, name: string): string {
  const found = new RegExp(`^var ${name} = (\`[^\`]*\`);$`, "m").exec(code)?.[1];
  if (found === undefined) throw new Error(`${LIBRARY} has no ${name}: see plugins/wllama.ts`);
  return evaluate(found);
}

function evaluate(source: string): string {
  return new Function(`return ${source}`)() as string;
}

function replace(code: string, from: string, to: string): string {
  const at = code.indexOf(from);
  if (at < 0) throw new Error(`${LIBRARY} does not hold "${from.slice(0, 60)}": see plugins/wllama.ts`);
  return code.slice(0, at) + to + code.slice(at + from.length);
}
