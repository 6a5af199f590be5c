/**
 * The page's line to its engine, which holds when the worker does not.
 *
 * Browsers end the workers of tabs that sleep, and say nothing. So each question is sent with a call that a worker
 * answers at once; from one that does not, nothing will come any more, and another is started, opened with the same
 * manifest, and given the question again. Where no worker may be started, its code runs in the page: keyword search is
 * quick enough for that, and search by meaning is not, so it stays off.
 */

import { describe, recordOf, WorkerStartError } from "../errors";
import type { Manifest } from "../index/schema";
import type { FromWorker, ToWorker } from "../protocol";
import type { Line } from "./session";

/** Milliseconds without a word after which a worker counts as gone: idle, and with something long to compute. */
const PATIENCE = { idle: 5000, busy: 60_000 };

type Listener = (event: MessageEvent<FromWorker>) => void;

/** What a worker is, and a port to an engine in the page. */
interface Far extends Line {
  terminate?(): void;
}

export class Lifeline implements Line {
  readonly #spawn: (failed: (cause: unknown) => void) => Far;
  readonly #inPage: () => Promise<Far>;
  readonly #failed: (cause: unknown) => void;
  readonly #listeners: Listener[] = [];
  #far: Far | null = null;
  /** What is sent before an engine in the page is there. */
  #unsent: ToWorker[] | null = null;
  /** Nothing was heard of any worker yet: then it is not asleep but cannot be had. */
  #heard = false;
  #alone = false;
  #open: Extract<ToWorker, { type: "open" }> | null = null;
  #manifest: Manifest | undefined;
  #question: ToWorker | null = null;
  #loading = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param spawn starts a worker; `failed` is called when its script cannot run
   * @param inPage runs the worker's code in this thread
   * @param failed called when neither can be had
   */
  constructor(
    spawn: (failed: (cause: unknown) => void) => Far,
    inPage: () => Promise<Far>,
    failed: (cause: unknown) => void,
  ) {
    this.#spawn = spawn;
    this.#inPage = inPage;
    this.#failed = failed;
    this.#start();
  }

  addEventListener(_: "message", listener: Listener): void {
    this.#listeners.push(listener);
  }

  postMessage(message: ToWorker): void {
    if (message.type === "open") this.#open = message;
    if (message.type === "load-encoder" && this.#alone) return;
    if (message.type === "ask" || message.type === "type") this.#question = message;
    if (message.type === "drop") this.#question = null;
    this.#send(message);
    if (this.#question && this.#heard && !this.#alone) this.#call();
  }

  #send(message: ToWorker): void {
    const sent = message.type === "ask" && this.#alone ? { ...message, useEncoder: false } : message;
    if (this.#unsent) this.#unsent.push(sent);
    else this.#far?.postMessage(sent);
  }

  #start(): void {
    try {
      this.#hold(this.#spawn((cause) => this.#broken(cause)));
    } catch (error) {
      void this.#fallBack(error);
    }
  }

  #hold(far: Far): void {
    this.#far = far;
    far.addEventListener("message", (event) => {
      if (far === this.#far) this.#hear(event);
    });
  }

  #hear(event: MessageEvent<FromWorker>): void {
    const { data } = event;
    this.#heard = true;
    clearTimeout(this.#timer);
    if (data.type === "opened") this.#manifest = data.manifest;
    if (data.type === "encoder") this.#loading = !["idle", "ready", "failed"].includes(data.state.phase);
    if (data.type === "answered" || data.type === "ask-failed") this.#question = null;
    if (data.type === "pong") return;
    for (const listener of this.#listeners) listener(event);
  }

  #call(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#restart(), this.#loading ? PATIENCE.busy : PATIENCE.idle);
    this.#send({ type: "ping" });
  }

  #restart(): void {
    this.#far?.terminate?.();
    this.#loading = false;
    this.#start();
    // The manifest of this page, and no newer one: what is on the page belongs to it.
    if (this.#open) this.#send(this.#manifest ? { ...this.#open, manifest: this.#manifest } : this.#open);
    if (this.#question) this.#send(this.#question);
  }

  /** A worker's script could not be loaded, or threw. Of one that has spoken, the next question finds out. */
  #broken(cause: unknown): void {
    if (!this.#heard && !this.#alone) void this.#fallBack(cause);
  }

  async #fallBack(cause: unknown): Promise<void> {
    this.#alone = true;
    this.#unsent = this.#open ? [this.#open] : [];
    if (this.#question) this.#send(this.#question);
    try {
      this.#hold(await this.#inPage());
    } catch (error) {
      return this.#failed(`${describe(cause)}; ${describe(error)}`);
    }
    const unsent = this.#unsent;
    this.#unsent = null;
    for (const message of unsent) this.#far?.postMessage(message);
    const state = { phase: "failed", error: recordOf(new WorkerStartError(cause)) } as const;
    for (const listener of this.#listeners)
      listener(new MessageEvent<FromWorker>("message", { data: { type: "encoder", state } }));
  }
}
