/**
 * The browser's own language model: the Prompt API (`LanguageModel`), as Chrome and Edge have it. The browser chooses
 * the model and downloads it itself, once for all sites; the page learns neither its name nor its size.
 *
 * https://webmachinelearning.github.io/prompt-api/
 */

import { EngineContextError, EngineLostError, EngineStartError, EngineUnavailableError, isAbort } from "../errors";
import type { Availability, Engine, LoadProgress, Message, ModelChoice, StreamOptions, Usage } from "./engine";
import { Meter } from "./usage";

/** Of the Prompt API, what is used here. Older browsers say `inputQuota` and `measureInputUsage`. */
export interface PromptApi {
  availability(options?: PromptApiOptions): Promise<"unavailable" | "downloadable" | "downloading" | "available">;
  create(
    options?: PromptApiOptions & {
      signal?: AbortSignal;
      monitor?: (monitor: EventTarget) => void;
      initialPrompts?: readonly Message[];
    },
  ): Promise<PromptApiSession>;
}

interface PromptApiOptions {
  readonly expectedInputs?: readonly { readonly type: "text"; readonly languages: readonly string[] }[];
  readonly expectedOutputs?: readonly { readonly type: "text"; readonly languages: readonly string[] }[];
}

export interface PromptApiSession {
  readonly contextWindow?: number;
  readonly inputQuota?: number;
  measureContextUsage?(input: string): Promise<number>;
  measureInputUsage?(input: string): Promise<number>;
  promptStreaming(input: string, options?: { signal?: AbortSignal }): ReadableStream<string>;
  clone(options?: { signal?: AbortSignal }): Promise<PromptApiSession>;
  destroy(): void;
}

const MODEL = "built-in";

/** Taken until a session says how much it reads. */
const CONTEXT = 4096;

/** The languages that the API asks to be told; of another one the browser decides itself. */
const KNOWN = new Set(["en", "es", "ja"]);

export class BuiltInEngine implements Engine {
  readonly name = "built-in";
  readonly supports = { grammar: false, seed: false };
  readonly #api: PromptApi | undefined;
  readonly #label: string;
  readonly #language: string;
  readonly #clock: () => number;
  /** Never prompted itself: each answer is written by a clone, so that none sees the one before. */
  #session: PromptApiSession | null = null;
  #context = CONTEXT;
  #usage: Usage | null = null;

  /**
   * @param api the browser's `LanguageModel`, undefined where there is none.
   * @param label of the model, for people.
   * @param language of the notes, BCP 47.
   */
  constructor(api: PromptApi | undefined, label: string, language: string, clock: () => number) {
    this.#api = api;
    this.#label = label;
    this.#language = language.split("-")[0] ?? "";
    this.#clock = clock;
  }

  async availability(): Promise<Availability> {
    if (!this.#api) return { state: "unavailable", reason: "no-prompt-api" };
    const state = await this.#api.availability(this.#options).catch(() => "unavailable");
    switch (state) {
      case "available":
        return { state: "available" };
      case "downloadable":
      case "downloading":
        return { state: "needs", what: "download" };
      default:
        return { state: "unavailable", reason: "built-in-unavailable" };
    }
  }

  async models(): Promise<readonly ModelChoice[]> {
    const found = await this.availability();
    if (found.state === "unavailable") return [];
    const bytes = found.state === "available" ? 0 : null;
    const origin = found.state === "available" ? "" : "browser";
    return [{ engine: "built-in", id: MODEL, label: this.#label, bytes, memory: null, origin, context: this.#context }];
  }

  async load(choice: ModelChoice, onProgress: (progress: LoadProgress) => void, signal: AbortSignal): Promise<void> {
    const found = await this.availability();
    if (!this.#api || found.state === "unavailable") {
      throw new EngineUnavailableError(this.#label, found.state === "unavailable" ? found.reason : "no-prompt-api");
    }
    await this.unload();
    onProgress({ phase: found.state === "available" ? "preparing" : "downloading", loaded: 0, total: 0 });
    try {
      this.#session = await this.#api.create({
        ...this.#options,
        signal,
        monitor: (monitor) =>
          monitor.addEventListener("downloadprogress", (event) => {
            // `loaded` is a share of one, or, in the first browsers that had it, bytes of `total`.
            const { loaded, total } = event as ProgressEvent;
            onProgress({ phase: "downloading", loaded, total: total || 1 });
          }),
      });
    } catch (error) {
      if (isAbort(error) || signal.aborted) throw error;
      throw new EngineStartError(choice.label, error);
    }
    this.#context = this.#session.contextWindow ?? this.#session.inputQuota ?? CONTEXT;
    onProgress({ phase: "trying", loaded: 0, total: 0 });
    for await (const _ of this.stream([{ role: "user", content: "Say yes." }], { maxTokens: 1 }, signal));
    signal.throwIfAborted();
  }

  async countTokens(text: string): Promise<number> {
    const session = this.#need();
    const measure = session.measureContextUsage ?? session.measureInputUsage;
    if (!measure) throw new EngineStartError(this.#label, "it cannot measure a text");
    return measure.call(session, text);
  }

  async *stream(messages: readonly Message[], options: StreamOptions, signal: AbortSignal): AsyncGenerator<string> {
    const session = this.#need();
    const meter = new Meter(this.#clock);
    this.#usage = null;
    const ended = new AbortController();
    const either = AbortSignal.any([signal, ended.signal]);
    let answering: PromptApiSession | null = null;
    let pieces = 0;
    try {
      const prompt = messages.map(({ content }) => content).join("\n\n");
      const tokens = await this.countTokens(prompt);
      if (tokens > this.#context) throw new EngineContextError(this.#context, tokens);
      meter.counted(tokens, null);
      answering = await session.clone({ signal: either });
      const reader = answering.promptStreaming(prompt, { signal: either }).getReader();
      while (true) {
        const { done, value } = await reader.read();
        if (done) break;
        if (value === "") continue;
        meter.token();
        pieces += 1;
        yield value;
        // The API has no limit of its own. A piece is a token or more.
        if (pieces >= options.maxTokens) {
          meter.finish = "length";
          break;
        }
      }
    } catch (error) {
      if (isAbort(error) || signal.aborted) meter.finish = "aborted";
      else if ((error as Error)?.name === "QuotaExceededError")
        throw new EngineContextError(this.#context, null, error);
      else if (error instanceof EngineContextError) throw error;
      else throw new EngineLostError(this.#label, error);
    } finally {
      ended.abort();
      answering?.destroy();
      this.#usage = meter.usage();
    }
  }

  usage(): Usage | null {
    return this.#usage;
  }

  async unload(): Promise<void> {
    this.#session?.destroy();
    this.#session = null;
  }

  get #options(): PromptApiOptions {
    if (!KNOWN.has(this.#language)) return {};
    const expected = [{ type: "text", languages: [this.#language] }] as const;
    return { expectedInputs: expected, expectedOutputs: expected };
  }

  #need(): PromptApiSession {
    if (!this.#session) throw new EngineLostError(this.#label, "it is not loaded");
    return this.#session;
  }
}
