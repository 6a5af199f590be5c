/**
 * llama.cpp on the processor, by wllama: a GGUF file that the site brings or that the hub has.
 *
 * Slow beside a GPU, and it runs in any browser that has 64-bit WebAssembly memory. One thread, unless the host sends
 * the headers that make the page cross-origin isolated: without them a browser gives no shared memory.
 */

import type { ChatCompletionChunk, Wllama } from "@wllama/wllama";
import { describe, EngineContextError, EngineLostError, EngineStartError, EngineUnavailableError } from "../errors";
import type { Availability, Engine, LoadProgress, Message, ModelChoice, StreamOptions, Usage } from "./engine";
import type { WllamaModel, WllamaOffer } from "./offer";
import { Meter } from "./usage";

/** How the engine gets its files; downloads, checks and keeps them. */
export interface WllamaFiles {
  /** The runtime's wasm, at that address of the site. */
  wasm(address: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
  /** The model's GGUF file. */
  model(model: WllamaModel, onBytes: (loaded: number, total: number) => void, signal: AbortSignal): Promise<Blob>;
}

/**
 * Tokens that go through the model at once. A stop waits for one such batch, and so does a progress report: few enough
 * for half a second on a slow processor, and enough that reading a prompt costs no more than with the usual 2048.
 */
const BATCH = 32;

/** For what it names the memory: of the weights, and a third for the cache and the runtime. */
const MEMORY = 1.35;

export class WllamaEngine implements Engine {
  readonly name = "wllama";
  readonly supports = { grammar: true, seed: true };
  readonly #offer: WllamaOffer;
  readonly #files: WllamaFiles;
  readonly #clock: () => number;
  #wllama: Wllama | null = null;
  #choice: ModelChoice | null = null;
  #usage: Usage | null = null;
  /** Of a text that alone fills the context: see `countTokens`. */
  #filler: { readonly text: string; readonly tokens: number } | null = null;
  /** What a stopped answer still has to end before the next can begin. */
  #ending: Promise<void> = Promise.resolve();

  constructor(offer: WllamaOffer, files: WllamaFiles, clock: () => number) {
    this.#offer = offer;
    this.#files = files;
    this.#clock = clock;
  }

  async availability(): Promise<Availability> {
    if (this.#offer.models.length === 0) return { state: "unavailable", reason: "no-model" };
    return hasMemory64() ? { state: "available" } : { state: "unavailable", reason: "no-wasm64" };
  }

  async models(): Promise<readonly ModelChoice[]> {
    if (!hasMemory64()) return [];
    return this.#offer.models.map((model) => ({
      engine: "wllama",
      id: model.id,
      label: model.label,
      // An address that the settings name without a size.
      bytes: model.bytes || null,
      memory: model.bytes === 0 ? null : Math.round(model.bytes * MEMORY),
      origin: originOf(model),
      context: model.context,
    }));
  }

  async load(choice: ModelChoice, onProgress: (progress: LoadProgress) => void, signal: AbortSignal): Promise<void> {
    const model = this.#offer.models.find(({ id }) => id === choice.id);
    const found = await this.availability();
    if (found.state === "unavailable") throw new EngineUnavailableError(choice.label, found.reason);
    if (!model) throw new EngineUnavailableError(choice.label, "no-model");
    await this.unload();
    onProgress({ phase: "downloading", loaded: 0, total: model.bytes });
    const library = await import("./wllama-library");
    const [wasm, blob] = await Promise.all([
      this.#files.wasm(library.wasmAddress, signal),
      this.#files.model(model, (loaded, total) => onProgress({ phase: "downloading", loaded, total }), signal),
    ]);
    signal.throwIfAborted();
    onProgress({ phase: "preparing", loaded: 0, total: 0 });
    const wllama = library.create(wasm.buffer);
    // Nothing that wllama does while it loads can be stopped, but its worker can.
    const stop = (): void => void wllama.exit();
    signal.addEventListener("abort", stop, { once: true });
    try {
      await wllama.loadModel([blob], {
        n_ctx: choice.context,
        n_batch: BATCH,
        n_ubatch: BATCH,
        n_parallel: 1,
        // Its own WebGPU back end is younger than WebLLM's; a course may ask for it.
        n_gpu_layers: this.#offer.gpu ? 999 : 0,
        n_threads: globalThis.crossOriginIsolated ? Math.max(1, Math.floor(navigator.hardwareConcurrency / 2)) : 1,
        // The first real question warms it up as well, and is wanted.
        warmup: false,
      });
      signal.throwIfAborted();
      this.#wllama = wllama;
      this.#choice = choice;
      onProgress({ phase: "trying", loaded: 0, total: 0 });
      for await (const _ of this.stream([{ role: "user", content: "Hi" }], { maxTokens: 1 }, signal));
      signal.throwIfAborted();
    } catch (error) {
      this.#wllama = null;
      void wllama.exit();
      signal.throwIfAborted();
      throw error instanceof EngineLostError ? error : new EngineStartError(choice.label, error);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /**
   * wllama has no call for its tokenizer. It does say, before it computes anything, how many tokens a prompt has that
   * is too long for the context: so the text is made too long by a filler whose own count is known.
   */
  async countTokens(text: string): Promise<number> {
    const { wllama, choice } = this.#need();
    await this.#ending;
    this.#filler ??= await (async () => {
      const filler = `\n\n${" x".repeat(choice.context)}`;
      return { text: filler, tokens: await overflow(wllama, filler) };
    })();
    return (await overflow(wllama, text + this.#filler.text)) - this.#filler.tokens;
  }

  async *stream(messages: readonly Message[], options: StreamOptions, signal: AbortSignal): AsyncGenerator<string> {
    const { wllama, choice } = this.#need();
    await this.#ending;
    const meter = new Meter(this.#clock);
    this.#usage = null;
    // Fires as well when whoever reads the answer stops reading.
    const left = new AbortController();
    const pieces = new Pieces<ChatCompletionChunk>(signal);
    const running = wllama
      .createChatCompletion({
        messages: [...messages],
        stream: true,
        onData: (chunk: ChatCompletionChunk) => pieces.add(chunk),
        max_tokens: options.maxTokens,
        temperature: options.temperature ?? 0,
        ...(options.seed === undefined ? {} : { seed: options.seed }),
        ...(options.grammar === undefined ? {} : { grammar: options.grammar }),
        // Of the conversation before, what is the same is not read again.
        cache_prompt: true,
        abortSignal: AbortSignal.any([signal, left.signal]),
        stream_options: { include_usage: true },
      } as Parameters<Wllama["createChatCompletion"]>[0] & {
        stream: true;
        onData: (chunk: ChatCompletionChunk) => void;
      })
      .then(
        () => pieces.end(),
        (error: unknown) => pieces.end(error),
      );
    // A stop is heard at once; what runs in the worker ends behind it, and before the next answer.
    this.#ending = running;
    try {
      for await (const chunk of pieces) {
        if (chunk.usage) meter.counted(chunk.usage.prompt_tokens, chunk.usage.completion_tokens);
        if (chunk.timings) {
          // Tokens that were in the cache took no time and are no measure.
          const { prompt_n, prompt_per_second, predicted_n, predicted_per_second } = chunk.timings;
          meter.measured(prompt_n > 1 ? prompt_per_second : null, predicted_n > 1 ? predicted_per_second : null);
        }
        const piece = chunk.choices?.[0];
        if (piece?.finish_reason) meter.finish = piece.finish_reason === "length" ? "length" : "stop";
        const text = piece?.delta.content;
        if (text) {
          meter.token();
          yield text;
        }
      }
      if (signal.aborted) meter.finish = "aborted";
    } catch (error) {
      if (signal.aborted) meter.finish = "aborted";
      else throw this.#told(error, choice);
    } finally {
      left.abort();
      this.#usage = meter.usage();
    }
  }

  usage(): Usage | null {
    return this.#usage;
  }

  async unload(): Promise<void> {
    const wllama = this.#wllama;
    this.#wllama = null;
    this.#choice = null;
    this.#filler = null;
    this.#ending = Promise.resolve();
    await wllama?.exit();
  }

  #told(error: unknown, choice: ModelChoice): Error {
    const needed = tokensIn(describe(error));
    return needed === null
      ? new EngineLostError(choice.label, error)
      : new EngineContextError(choice.context, needed, error);
  }

  #need(): { wllama: Wllama; choice: ModelChoice } {
    if (!this.#wllama || !this.#choice) throw new EngineLostError("wllama", "it is not loaded");
    return { wllama: this.#wllama, choice: this.#choice };
  }
}

/** Tokens of a prompt that is longer than the context. */
async function overflow(wllama: Wllama, prompt: string): Promise<number> {
  try {
    await wllama.createCompletion({ prompt, max_tokens: 1 });
  } catch (error) {
    const tokens = tokensIn(describe(error));
    if (tokens !== null) return tokens;
    throw error;
  }
  throw new EngineStartError("wllama", "a text that should fill its context does not");
}

/** `request (2179 tokens) exceeds the available context size (2048 tokens), …` */
function tokensIn(message: string): number | null {
  const found = /^request \((\d+) tokens\) exceeds/.exec(message)?.[1];
  return found === undefined ? null : Number(found);
}

/** What a callback is given, in order, until it ends, fails, or the signal fires. */
class Pieces<T> implements AsyncIterable<T> {
  readonly #signal: AbortSignal;
  readonly #waiting: T[] = [];
  #ended = false;
  #error: unknown;
  #wake: () => void = () => {};

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#wake(), { once: true });
  }

  add(piece: T): void {
    this.#waiting.push(piece);
    this.#wake();
  }

  end(error?: unknown): void {
    this.#ended = true;
    this.#error = error;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    while (!this.#signal.aborted) {
      const piece = this.#waiting.shift();
      if (piece !== undefined) yield piece;
      else if (this.#error !== undefined) throw this.#error;
      else if (this.#ended) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}

function hasMemory64(): boolean {
  try {
    new WebAssembly.Memory({ address: "i64", initial: 1n } as unknown as WebAssembly.MemoryDescriptor);
    return true;
  } catch {
    return false;
  }
}

function originOf(model: WllamaModel): string {
  const from = model.files[0]?.from;
  return from === undefined ? "site" : new URL(from).origin;
}
