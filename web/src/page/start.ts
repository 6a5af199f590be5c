/** Starts the worker of the page's own site. */

import workerAddress from "../worker.ts?worker&url";
import type { Connect } from "./session";
import { trustedScript } from "./trust";

export const WORKER = { type: "module", name: "openbook" } as const;

/** Where the worker's script stands. */
export const workerUrl = (): URL => new URL(workerAddress, import.meta.url);

/** Tell when the worker's script cannot be loaded or throws; then nothing will ever answer. */
export function onFailure(worker: Worker, failed: (cause: unknown) => void): void {
  worker.addEventListener("error", (event) => failed(event.message || "its script could not be loaded"));
}

export const ownWorker: Connect = (failed) => {
  const worker = new Worker(trustedScript(workerAddress), WORKER);
  onFailure(worker, failed);
  return worker;
};
