/** A page keeps its engine though browsers end workers that sleep, and say nothing. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Lifeline } from "../src/page/lifeline";
import type { FromWorker, ToWorker } from "../src/protocol";

/** The other end: what it was sent, and its voice. */
class Far {
  readonly sent: ToWorker[] = [];
  ended = false;
  #say: (event: MessageEvent<FromWorker>) => void = () => {};

  postMessage(message: ToWorker): void {
    this.sent.push(message);
  }
  addEventListener(_: "message", listener: (event: MessageEvent<FromWorker>) => void): void {
    this.#say = listener;
  }
  terminate(): void {
    this.ended = true;
  }
  say(data: object): void {
    this.#say(new MessageEvent<FromWorker>("message", { data: data as FromWorker }));
  }
  get types(): string[] {
    return this.sent.map(({ type }) => type);
  }
}

const OPEN: ToWorker = { type: "open", root: "https://example.org/course/" };
const MANIFEST = { schema: 1 };
const question = (text: string): ToWorker => ({ type: "ask", question: text, useEncoder: true }) as unknown as ToWorker;

let workers: Far[];
let inPage: Far;
let fail: ((cause: unknown) => void) | undefined;
let failed: unknown[];
let heard: string[];

function line(spawn: () => Far, page: () => Promise<Far> = async () => inPage): Lifeline {
  const made = new Lifeline(
    (broken) => {
      fail = broken;
      return spawn();
    },
    page,
    (cause) => failed.push(cause),
  );
  made.addEventListener("message", ({ data }) => heard.push(data.type));
  return made;
}
const worker = (): Far => {
  const far = new Far();
  workers.push(far);
  return far;
};
const settled = (): Promise<void> => vi.advanceTimersByTimeAsync(0).then(() => {});

beforeEach(() => {
  vi.useFakeTimers();
  workers = [];
  inPage = new Far();
  failed = [];
  heard = [];
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a worker that answers", () => {
  it("is kept, and its calls are not the page's business", async () => {
    const to = line(worker);
    to.postMessage(OPEN);
    workers[0]?.say({ type: "opened", manifest: MANIFEST });
    to.postMessage(question("why?"));
    expect(workers[0]?.types).toEqual(["open", "ask", "ping"]);
    workers[0]?.say({ type: "pong" });
    workers[0]?.say({ type: "answered" });
    await vi.advanceTimersByTimeAsync(120_000);
    expect(workers).toHaveLength(1);
    expect(heard).toEqual(["opened", "answered"]);
  });

  it("is not called before it has spoken: it may still be loading", async () => {
    const to = line(worker);
    to.postMessage(OPEN);
    to.postMessage(question("why?"));
    await vi.advanceTimersByTimeAsync(120_000);
    expect(workers).toHaveLength(1);
    expect(workers[0]?.types).toEqual(["open", "ask"]);
  });

  it("has longer while it loads the encoder", async () => {
    const to = line(worker);
    to.postMessage(OPEN);
    workers[0]?.say({ type: "opened", manifest: MANIFEST });
    workers[0]?.say({ type: "encoder", state: { phase: "loading" } });
    to.postMessage(question("why?"));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(workers).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(workers).toHaveLength(2);
  });
});

describe("a worker that is silent", () => {
  it("is ended; another opens the same index and is given the question again", async () => {
    const to = line(worker);
    to.postMessage(OPEN);
    workers[0]?.say({ type: "opened", manifest: MANIFEST });
    to.postMessage(question("why?"));
    await vi.advanceTimersByTimeAsync(6000);
    expect(workers[0]?.ended).toBe(true);
    expect(workers[1]?.sent).toEqual([{ ...OPEN, manifest: MANIFEST }, question("why?")]);
    workers[1]?.say({ type: "answered" });
    workers[0]?.say({ type: "ask-failed" });
    expect(heard).toEqual(["opened", "answered"]);
  });

  it("is given no question that was dropped", async () => {
    const to = line(worker);
    to.postMessage(OPEN);
    workers[0]?.say({ type: "opened", manifest: MANIFEST });
    to.postMessage(question("why?"));
    to.postMessage({ type: "drop" } as unknown as ToWorker);
    await vi.advanceTimersByTimeAsync(6000);
    expect(workers[1]?.types ?? []).not.toContain("ask");
  });
});

describe("where no worker may be started", () => {
  it("the page searches by itself, by keyword, and says why not by meaning", async () => {
    const to = line(() => {
      throw new DOMException("no", "SecurityError");
    });
    to.postMessage(OPEN);
    to.postMessage(question("why?"));
    await settled();
    expect(inPage.sent).toEqual([OPEN, { ...question("why?"), useEncoder: false }]);
    expect(heard).toEqual(["encoder"]);
    to.postMessage({ type: "load-encoder" } as unknown as ToWorker);
    expect(inPage.types).not.toContain("load-encoder");
    expect(failed).toEqual([]);
  });

  it("what was sent before the script turned out not to load is not lost", async () => {
    const to = line(worker);
    to.postMessage(OPEN);
    to.postMessage(question("why?"));
    fail?.(new Error("404"));
    await settled();
    expect(inPage.types).toEqual(["open", "ask"]);
  });

  it("says so when the page cannot either", async () => {
    const to = line(worker, () => Promise.reject(new Error("nor here")));
    to.postMessage(OPEN);
    fail?.(new Error("404"));
    await settled();
    expect(failed).toHaveLength(1);
    expect(String(failed[0])).toMatch(/404.*nor here/);
  });
});
