/**
 * The only module that imports wllama; a chunk of its own, loaded when a reader has asked for a model on the processor.
 */

import { threadAddress, workerAddress } from "virtual:wllama-worker";
import { Wllama } from "@wllama/wllama";
import wasmAddress from "@wllama/wllama/esm/wasm/wllama.wasm?url";
import { trustedScript } from "../page/trust";

export { wasmAddress };

const SILENT = { debug: () => {}, log: () => {}, warn: () => {}, error: () => {} };

/** A wllama whose worker, threads and wasm are files of this site: see `plugins/wllama.ts`. */
class OwnWllama extends Wllama {
  readonly #wasm: ArrayBuffer;

  constructor(wasm: ArrayBuffer) {
    super({ default: wasmAddress }, { logger: SILENT, suppressNativeLog: true });
    this.#wasm = wasm;
    // Without this a browser that lacks what is needed would be sent to a foreign host for another build.
    this.setCompat(null);
  }

  override getWorkerResources(): ReturnType<Wllama["getWorkerResources"]> {
    const resources = {
      wasmPath: wasmAddress,
      compat: false,
      threadAddress,
      startWorker: (options: unknown): Worker => {
        const worker = new Worker(trustedScript(workerAddress), { type: "module", name: JSON.stringify(options) });
        worker.postMessage({ wasm: this.#wasm });
        return worker;
      },
    };
    return resources;
  }
}

export function create(wasm: ArrayBuffer): Wllama {
  return new OwnWllama(wasm);
}
