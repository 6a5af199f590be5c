/**
 * The page's side of the language models: what is on offer, what is chosen, what is loaded, and what it has written.
 * The components draw its `view`; nothing here knows a document.
 */

import type { Exchange } from "../../conversation/exchange";
import type { DigOptions, Dug } from "../../conversation/hops";
import type { Talk } from "../../conversation/talk";
import { Downloader } from "../../download/download";
import { type Rate, RateMeter } from "../../download/rate";
import { EngineUnavailableError, type ErrorRecord, isAbort, recordOf } from "../../errors";
import type { Address } from "../../generation/address";
import type { Availability, Engine, EngineName, LoadProgress, ModelChoice } from "../../generation/engine";
import { makeEngine } from "../../generation/engines";
import type { Offer } from "../../generation/offer";
import type { Answered } from "../../generation/session";
import { listed, parseFile } from "../../index/load";
import type { Manifest } from "../../index/schema";
import type { PassageTexts } from "../../retrieval/passages";
import type { GenerateStage, Trace } from "../../retrieval/trace";
import { S } from "../strings";
import { Memory } from "./remember";

/** An engine as the choice lists it. */
export interface Entry {
  readonly name: EngineName;
  readonly availability: Availability;
  readonly models: readonly ModelChoice[];
  /** Why its models could not be listed. */
  readonly error: ErrorRecord | null;
}

/** An answer that is being written, or was. */
export interface Written {
  /** The trace that it answers; of another question it is not shown. */
  readonly question: string;
  readonly text: string;
  /** Null while it is written. */
  readonly stage: GenerateStage | null;
}

export interface View {
  /** Null until the reader has looked. */
  readonly entries: readonly Entry[] | null;
  readonly looking: boolean;
  readonly loading: { readonly choice: ModelChoice; readonly progress: LoadProgress; readonly rate: Rate } | null;
  readonly loaded: ModelChoice | null;
  /** Chosen on an earlier visit, or before it was unloaded. */
  readonly remembered: ModelChoice | null;
  readonly auto: boolean;
  readonly address: Address | null;
  readonly written: Written | null;
  readonly error: { readonly record: ErrorRecord; readonly during: "looking" | "loading" | "writing" } | null;
}

type Search = DigOptions["search"];

/** Milliseconds after which a summary is given up. */
const SUMMARY_MS = 60_000;

/** What every way to answer is given. */
interface AnswerOptions {
  readonly clock: () => number;
  readonly signal: AbortSignal;
  readonly onText: (text: string) => void;
}

export class Generator extends EventTarget {
  view: View;
  readonly #manifest: Manifest;
  readonly #downloader: Downloader;
  readonly #memory: Memory;
  readonly #clock: () => number;
  readonly #engines = new Map<EngineName, Engine>();
  #offer: Promise<Offer> | undefined;
  #engine: Engine | null = null;
  /** Engines whose loaded model takes too long to write a follow-up out. */
  readonly #slow = new WeakSet<Engine>();
  #loading = new AbortController();
  #writing = new AbortController();
  /** What the model does besides answers: rewrites and summaries. */
  #thinking = new AbortController();

  constructor(root: URL, manifest: Manifest, clock: () => number) {
    super();
    this.#manifest = manifest;
    this.#downloader = new Downloader(root);
    this.#memory = new Memory(root);
    this.#clock = clock;
    const { choice, auto, address } = this.#memory.read();
    this.view = {
      entries: null,
      looking: false,
      loading: null,
      loaded: null,
      remembered: choice,
      auto,
      address,
      written: null,
      error: null,
    };
  }

  /** Find out what could run here; downloads nothing but the list of what is on offer. */
  async look(): Promise<void> {
    this.#set({ looking: true, error: null });
    try {
      const { engines } = await this.#offered();
      this.#set({ entries: await Promise.all(engines.map((name) => this.#entry(name))) });
    } catch (error) {
      this.#fail("looking", error);
    } finally {
      this.#set({ looking: false });
    }
  }

  /** Keep an address, and list its models: the first request to it. */
  async useAddress(address: Address): Promise<void> {
    this.#memory.write({ address });
    this.#set({ address });
    await this.#again("address");
  }

  forgetAddress(): void {
    const { remembered, loaded } = this.view;
    const choice = remembered?.engine === "address" ? null : remembered;
    this.#memory.write({ address: null, choice });
    this.#set({ address: null, remembered: choice });
    if (loaded?.engine === "address") void this.unload();
    void this.#again("address");
  }

  /** Download what is missing, start it and try it: only ever because the reader has pressed. */
  async load(choice: ModelChoice): Promise<boolean> {
    await this.unload();
    this.#loading.abort();
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    const meter = new RateMeter();
    const tell = (progress: LoadProgress): void => {
      if (signal.aborted) return;
      const rate = meter.update(this.#clock(), progress.loaded, progress.total);
      this.#set({ loading: { choice, progress, rate } });
    };
    tell({ phase: "preparing", loaded: 0, total: 0 });
    this.#set({ error: null });
    try {
      const engine = await this.#make(choice.engine);
      this.#slow.delete(engine);
      await engine.load(choice, tell, signal);
      signal.throwIfAborted();
      this.#engine = engine;
      this.#memory.write({ choice });
      this.#set({ loaded: choice, remembered: choice, loading: null });
      return true;
    } catch (error) {
      if (isAbort(error) || signal.aborted) {
        if (this.#loading.signal === signal) this.#set({ loading: null });
      } else this.#fail("loading", error);
      return false;
    }
  }

  cancelLoading(): void {
    this.#loading.abort();
    this.#set({ loading: null });
  }

  async unload(): Promise<void> {
    this.#writing.abort();
    const engine = this.#engine;
    this.#engine = null;
    this.#set({ loaded: null });
    await engine?.unload();
  }

  /** Let the loaded model answer; null when it was refused or failed, which the view tells. */
  write(trace: Trace, texts: () => Promise<readonly PassageTexts[]>): Promise<Answered | null> {
    return this.#answer(trace, async (engine, choice, options) => {
      const { write } = await import("../../generation/session");
      return write(engine, choice, trace, { ...options, texts, maxTokens: await this.#answerTokens() });
    });
  }

  async #failedWriting(signal: AbortSignal, error: unknown): Promise<void> {
    if (this.#writing.signal !== signal) return;
    this.#set({ written: null });
    this.#fail("writing", error);
    // What has crashed is of no more use; loading it again starts it afresh.
    if (recordOf(error).kind === "engine-lost") await this.unload();
  }

  /** Let the loaded model search again before it answers; null when it failed, which the view tells. */
  dig(trace: Trace, search: Search, onHop: (trace: Trace) => void): Promise<Dug | null> {
    return this.#answer(trace, async (engine, choice, options) => {
      const { dig } = await import("../../conversation/hops");
      return dig(engine, choice, trace, { ...options, search, onHop, maxTokens: await this.#answerTokens() });
    });
  }

  /** What every way to answer does: end the one before, show the text as it comes, and the stage at the end. */
  async #answer<T extends { readonly stage: GenerateStage }>(
    trace: Trace,
    work: (engine: Engine, choice: ModelChoice, options: AnswerOptions) => Promise<T>,
  ): Promise<T | null> {
    const engine = this.#engine;
    const choice = this.view.loaded;
    if (!engine || !choice) return null;
    const { signal } = this.#begin();
    const tell = (text: string, stage: GenerateStage | null = null): void => {
      if (this.#writing.signal === signal) this.#set({ written: { question: trace.question, text, stage } });
    };
    this.#set({ error: null });
    tell("");
    try {
      const answered = await work(engine, choice, { clock: this.#clock, signal, onText: (text) => tell(text) });
      tell(answered.stage.text, answered.stage);
      return answered;
    } catch (error) {
      await this.#failedWriting(signal, error);
      return null;
    }
  }

  async #answerTokens(): Promise<number> {
    return (await this.#offered()).answer_tokens;
  }

  /** A follow-up written out by the model; null without one, or when it does not do as it was asked in time. */
  async rewrite(question: string, before: readonly Exchange[]): Promise<readonly string[] | null> {
    const engine = this.#engine;
    if (!engine) return null;
    // What is being written belongs to the question before.
    this.#writing.abort();
    const { signal } = this.#think();
    if (this.#slow.has(engine)) return null;
    const { PATIENCE_MS, rewriteByModel } = await import("../../conversation/rewrite");
    const begun = this.#clock();
    const queries = await rewriteByModel(engine, question, before, signal);
    // No question waits a second time for a model that has let one wait for nothing.
    if (!queries && this.#clock() - begun >= PATIENCE_MS) this.#slow.add(engine);
    return queries;
  }

  /** Sum up what is too old to be told word for word; whatever else the model is asked ends it. */
  async summarise(talk: Talk): Promise<void> {
    const engine = this.#engine;
    const older = talk.unsummarised;
    if (!engine || older.length === 0) return;
    const { signal } = this.#think();
    const { summaryByModel } = await import("../../conversation/rewrite");
    const text = await summaryByModel(engine, older, signal, SUMMARY_MS);
    if (text !== null) talk.summarised(older, text);
  }

  #begin(): AbortController {
    this.#thinking.abort();
    this.#writing.abort();
    this.#writing = new AbortController();
    return this.#writing;
  }

  #think(): AbortController {
    this.#thinking.abort();
    this.#thinking = new AbortController();
    return this.#thinking;
  }

  /** What came so far stays. */
  stop(): void {
    this.#writing.abort();
  }

  setAuto(auto: boolean): void {
    this.#memory.write({ auto });
    this.#set({ auto });
  }

  /** Another question, or none: what was written belongs to the one before. */
  leave(): void {
    this.#writing.abort();
    this.#writing = new AbortController();
    const error = this.view.error?.during === "writing" ? null : this.view.error;
    if (this.view.written || error !== this.view.error) this.#set({ written: null, error });
  }

  #offered(): Promise<Offer> {
    this.#offer ??= (async () => {
      const file = listed(this.#manifest, this.#manifest.generation ?? "");
      return parseFile<Offer>(file, await this.#downloader.bytes(file));
    })().catch((error: unknown) => {
      this.#offer = undefined;
      throw error;
    });
    return this.#offer;
  }

  async #make(name: EngineName): Promise<Engine> {
    let engine = this.#engines.get(name);
    if (!engine) {
      engine = await makeEngine(name, {
        downloader: this.#downloader,
        manifest: this.#manifest,
        offer: await this.#offered(),
        clock: this.#clock,
        address: () => this.view.address,
        builtInLabel: S.generation.builtInModel,
      });
      this.#engines.set(name, engine);
    }
    return engine;
  }

  async #entry(name: EngineName): Promise<Entry> {
    let availability: Availability = { state: "unavailable", reason: "not-offered" };
    try {
      const engine = await this.#make(name);
      availability = await engine.availability();
      return { name, availability, models: await engine.models(), error: null };
    } catch (error) {
      if (error instanceof EngineUnavailableError) availability = { state: "unavailable", reason: error.found ?? "" };
      return {
        name,
        availability,
        models: [],
        error: error instanceof EngineUnavailableError ? null : recordOf(error),
      };
    }
  }

  async #again(name: EngineName): Promise<void> {
    this.#set({ looking: true });
    const entry = await this.#entry(name);
    const entries = this.view.entries?.map((old) => (old.name === name ? entry : old)) ?? null;
    this.#set({ entries, looking: false });
  }

  #fail(during: "looking" | "loading" | "writing", error: unknown): void {
    this.#set({ loading: null, error: { record: recordOf(error), during } });
  }

  #set(change: Partial<View>): void {
    this.view = { ...this.view, ...change };
    this.dispatchEvent(new Event("change"));
  }
}
