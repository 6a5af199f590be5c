/**
 * The page's side of the worker: keeps the state, sends what the reader does, tells when something changed.
 */

import type { Memory } from "../conversation/memory";
import { recordOf, WorkerStartError } from "../errors";
import type { FromWorker, ToWorker } from "../protocol";
import { effective, type Filter } from "../retrieval/filter";
import type { Before } from "../retrieval/follow_up";
import type { PassageTexts } from "../retrieval/passages";
import type { RerankMode, Stage, Trace } from "../retrieval/trace";
import { watch } from "../traffic";
import {
  asking,
  cleared,
  comparing,
  dug,
  generating,
  INITIAL,
  reduce,
  rerankOf,
  type State,
  surveying,
  typing,
  withStage,
} from "./state";

type OpenedMessage = Extract<FromWorker, { type: "opened" }>;

/** The way to a worker, or to an engine in one. */
export interface Line {
  postMessage(message: ToWorker): void;
  addEventListener(type: "message", listener: (event: MessageEvent<FromWorker>) => void): void;
}

/** Connects; `failed` is called when nothing will ever answer. @throws where a worker may not be started */
export type Connect = (failed: (cause: unknown) => void) => Line;

/** What a question leans on. */
export interface Lean {
  readonly queries: readonly string[] | null | Promise<readonly string[] | null>;
  readonly before: Before | null;
  /** What the prompt tells of the conversation. */
  readonly memory: Memory | null;
}

const AS_TYPED: Lean = { queries: [], before: null, memory: null };

export class Session extends EventTarget {
  state: State = INITIAL;
  readonly #line: Line | null;
  #turn = 0;
  #requests = 0;
  readonly #opened: (message: OpenedMessage) => OpenedMessage;
  readonly #searching = new Map<number, (trace: Trace | null) => void>();
  #memory: Memory | null = null;
  readonly #waiting = new Map<number, (texts: readonly PassageTexts[] | null) => void>();
  readonly #wantsFetched: ((addresses: readonly string[]) => void)[] = [];

  /**
   * @param root absolute address of the site's root folder.
   * @param opened changes what the page is told of the index, before anything is drawn of it.
   */
  constructor(root: URL, connect: Connect, opened: (message: OpenedMessage) => OpenedMessage = (message) => message) {
    super();
    this.#opened = opened;
    this.#line = this.#start(connect);
    this.#send({ type: "open", root: root.href });
    watch((page) => this.#set({ ...this.state, traffic: { ...this.state.traffic, page } }));
  }

  type(text: string): void {
    this.#turn++;
    this.#set(typing(this.state, this.#turn, text));
    this.#send({ type: "type", turn: this.#turn, text, filter: this.state.filter });
  }

  /**
   * @param lean what is searched for instead of the question, or, with null, the turn before it, which says so. Whoever
   *   promises queries is waited for.
   */
  async ask(question: string, useEncoder: boolean, lean: Lean = AS_TYPED): Promise<void> {
    this.#turn++;
    const turn = this.#turn;
    this.#set(asking(this.state, turn, question));
    const { before, memory } = lean;
    this.#memory = memory;
    const queries = lean.queries instanceof Promise ? await lean.queries : lean.queries;
    if (turn !== this.#turn) return;
    // Before the index is open nothing is known of the site's way; the worker then goes by it.
    const rerank = this.state.index || this.state.rerank ? rerankOf(this.state) : null;
    const { filter } = this.state;
    this.#send({ type: "ask", turn, question, useEncoder, rerank, filter, queries, before, memory });
  }

  /** The same question once more, because something that it is answered with has changed. */
  again(useEncoder: boolean): void {
    const { question, queries } = this.state;
    void this.ask(question, useEncoder, { queries, before: null, memory: this.#memory });
  }

  /** Choose how further questions are reranked. */
  rerankBy(mode: RerankMode): void {
    this.#set({ ...this.state, rerank: mode });
  }

  /** Choose what part of the course further questions search; null for all of it. */
  filterBy(filter: Filter | null): void {
    this.#set({ ...this.state, filter: effective(filter) });
  }

  /** How the question and a chunk met, piece by piece. */
  compare(ordinal: number): void {
    this.#set(comparing(this.state));
    this.#send({ type: "compare", turn: this.#turn, question: this.state.question, ordinal });
  }

  /** The texts of a trace's passages, part by part. @throws when a file of the index cannot be used */
  passageTexts(trace: Trace): Promise<readonly PassageTexts[]> {
    const request = ++this.#requests;
    this.#send({ type: "passage-texts", request, trace });
    return new Promise((resolve, reject) => {
      this.#waiting.set(request, (texts) => {
        if (texts) resolve(texts);
        else reject(new Error("the passages could not be loaded"));
      });
    });
  }

  /** Search for what a model asks for, as the question was; null when that failed, which a problem tells. */
  search(query: string): Promise<Trace | null> {
    const request = ++this.#requests;
    const { filter } = this.state;
    this.#send({ type: "search", request, query, rerank: rerankOf(this.state), filter });
    return new Promise((resolve) => this.#searching.set(request, resolve));
  }

  /** What a model has dug up joins the question's passages. */
  dug(trace: Trace): void {
    this.#set(dug(this.state, trace));
  }

  /** A language model began to write, or, with null, it came to nothing. */
  generating(block: "running" | "failed" | null): void {
    this.#set(generating(this.state, block));
  }

  /** Check a model's answer as far as it goes; `trace` begins another one. */
  check(text: string, done: boolean, shown: readonly number[], trace: Trace | null): void {
    this.#send({ type: "check", turn: this.#turn, trace, shown, text, done });
  }

  /** A stage that follows the answer has ended. */
  record(stage: Stage): void {
    this.#set(withStage(this.state, stage));
  }

  /** Where all chunks stand, and the question when it has been embedded. */
  survey(): void {
    const { state } = this;
    if (state.surveying === "running") return;
    const embedded = state.blocks.embed.state === "done" && state.mode === "asked";
    this.#set(surveying(state));
    this.#send({ type: "survey", turn: this.#turn, question: embedded ? state.question : null });
  }

  /** What the gate saw of the course's own questions. */
  gold(): void {
    this.#send({ type: "gold" });
  }

  /** A part of the page could not do its work; the rest goes on. */
  problem(error: unknown): void {
    this.#set(reduce(this.state, { type: "problem", error: recordOf(error) }));
  }

  clear(): void {
    this.#turn++;
    this.#set(cleared(this.state, this.#turn));
    this.#send({ type: "drop", turn: this.#turn });
  }

  /** Addresses of the files that the worker has fetched. */
  fetched(): Promise<readonly string[]> {
    this.#send({ type: "fetched" });
    return new Promise((resolve) => this.#wantsFetched.push(resolve));
  }

  /** The host has something newer than what is open here. */
  outdated(): void {
    this.#set({ ...this.state, outdated: true });
  }

  loadEncoder(): void {
    this.#send({ type: "load-encoder" });
  }

  #start(connect: Connect): Line | null {
    try {
      const line = connect((cause) => this.#failed(cause));
      line.addEventListener("message", ({ data }) => {
        const message = data.type === "opened" ? this.#opened(data) : data;
        if (message.type === "passage-texts") {
          this.#waiting.get(message.request)?.(message.texts);
          this.#waiting.delete(message.request);
        } else if (message.type === "found") {
          this.#searching.get(message.request)?.(message.trace);
          this.#searching.delete(message.request);
        } else if (message.type === "fetched") {
          for (const resolve of this.#wantsFetched.splice(0)) resolve(message.addresses);
        } else this.#set(reduce(this.state, message));
      });
      return line;
    } catch (error) {
      queueMicrotask(() => this.#failed(error));
      return null;
    }
  }

  #failed(cause: unknown): void {
    if (this.state.index) return;
    this.#set({ ...this.state, openError: recordOf(new WorkerStartError(cause)) });
  }

  #send(message: ToWorker): void {
    this.#line?.postMessage(message);
  }

  #set(state: State): void {
    if (state === this.state) return;
    this.state = state;
    this.dispatchEvent(new Event("change"));
  }
}
