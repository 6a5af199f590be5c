/** The worker: everything heavy runs here, so that nothing on the page ever waits for it. */

import { Engine } from "./engine";
import { Openings } from "./opening";
import type { FromWorker, ToWorker } from "./protocol";
import { NO_TRAFFIC, watch } from "./traffic";

/** The page, or one of several `<open-book>` on a page, which then has a port of its own. */
interface Asker {
  postMessage(message: FromWorker): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ToWorker>) => void): void;
}

const clock = (): number => performance.now();
const openings = new Openings(clock);
const askers: Asker[] = [];
let traffic = NO_TRAFFIC;

function serve(asker: Asker): void {
  const engine = new Engine((message) => asker.postMessage(message), clock, openings);
  askers.push(asker);
  asker.addEventListener("message", (event) => {
    const [port] = event.ports;
    if (event.data.type === "join" && port) join(port);
    else void engine.handle(event.data);
  });
}

function join(port: MessagePort): void {
  serve(port);
  port.start();
  port.postMessage({ type: "traffic", traffic } satisfies FromWorker);
}

if ("document" in globalThis) {
  // In the page itself, where no worker may be started; what is fetched here the page counts.
  addEventListener("openbook:join", (event) => join((event as CustomEvent<MessagePort>).detail));
} else {
  serve(self as unknown as Asker);
  watch((all) => {
    traffic = all;
    for (const asker of askers) asker.postMessage({ type: "traffic", traffic });
  });
}
