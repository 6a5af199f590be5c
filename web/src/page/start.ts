/** Starts the worker of the page's own site. */

import workerAddress from "../worker.ts?worker&url";
import { Lifeline } from "./lifeline";
import type { Connect, Line } from "./session";
import { trustedScript } from "./trust";

export const WORKER = { type: "module", name: "openbook" } as const;

/** Where the worker's script stands. */
export const workerUrl = (): URL => new URL(workerAddress, import.meta.url);

/** Tell when the worker's script cannot be loaded or throws; then nothing will ever answer. */
export function onFailure(worker: Worker, failed: (cause: unknown) => void): void {
  worker.addEventListener("error", (event) => failed(event.message || "its script could not be loaded"));
}

export const ownWorker: Connect = (failed) =>
  new Lifeline(
    (broken) => {
      const worker = new Worker(trustedScript(workerAddress), WORKER);
      onFailure(worker, broken);
      return worker;
    },
    inPage,
    failed,
  );

/** The worker's own file, run in this thread: it finds a document there, and waits for a port. */
async function inPage(): Promise<Line> {
  await import(/* @vite-ignore */ workerUrl().href);
  const { port1, port2 } = new MessageChannel();
  dispatchEvent(new CustomEvent("openbook:join", { detail: port2 }));
  port1.start();
  return port1;
}
