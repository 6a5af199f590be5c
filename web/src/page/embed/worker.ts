/** One worker for all `<open-book>` of a page, wherever its script comes from. */

import type { ToWorker } from "../../protocol";
import type { Connect } from "../session";
import { onFailure, WORKER, workerUrl } from "../start";
import { trustedRelay, trustedScript } from "../trust";

let shared: Worker | undefined;

export const sharedWorker: Connect = (failed) => {
  const worker = shared ?? start();
  onFailure(worker, failed);
  const { port1, port2 } = new MessageChannel();
  worker.postMessage({ type: "join" } satisfies ToWorker, [port2]);
  port1.start();
  return port1;
};

function start(): Worker {
  const script = workerUrl();
  const address = script.origin === location.origin ? trustedScript(script.href) : trustedRelay(script);
  const worker = new Worker(address, WORKER);
  shared = worker;
  // The next box tries anew.
  onFailure(worker, () => {
    if (shared === worker) shared = undefined;
  });
  return worker;
}
