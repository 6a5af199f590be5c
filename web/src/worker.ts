/** The worker: everything heavy runs here, so that nothing on the page ever waits for it. */

import { Engine } from "./engine";
import type { ToWorker } from "./protocol";
import { watch } from "./traffic";

const engine = new Engine(
  (message) => self.postMessage(message),
  () => performance.now(),
);

watch((traffic) => self.postMessage({ type: "traffic", traffic }));

self.addEventListener("message", (event: MessageEvent<ToWorker>) => {
  void engine.handle(event.data);
});
