/** WebLLM's worker: the only module that imports the library, and only when a model is to be loaded. */

import { Downloader } from "../download/download";
import {
  ClientError,
  describe,
  EngineContextError,
  EngineStartError,
  recordOf,
  WrongHashError,
  WrongSizeError,
} from "../errors";
import type { LoadProgress, Message, StreamOptions, Usage } from "./engine";
import type { WebLlmVariant } from "./offer";
import { byAddress, FOLDER, filesOf, LIBRARY, servedCaches, unlearn } from "./webllm_files";
import type { FromWebLlm, ToWebLlm } from "./webllm_protocol";

type Library = typeof import("@mlc-ai/web-llm");
type WebLlm = InstanceType<Library["MLCEngine"]>;

/** Of an engine that is loaded: what its own interface does not give. */
interface Inside {
  readonly loadedModelIdToPipeline: ReadonlyMap<
    string,
    { readonly tokenizer: { encode(text: string): ArrayLike<number> } }
  >;
}

interface Running {
  readonly engine: WebLlm;
  readonly variant: WebLlmVariant;
  /** Tokens that the chat template puts around a message. */
  readonly around: number;
}

/** An answer of fewer tokens is none: better to say that the prompt is too long. */
const LEAST_ANSWER = 16;

let running: Running | undefined;
const stops = new Map<number, AbortController>();
/** One thing at a time: a stopped answer ends before the next begins. */
let last: Promise<unknown> = Promise.resolve();

const tell = (message: FromWebLlm): void => self.postMessage(message);

self.addEventListener("message", ({ data }: MessageEvent<ToWebLlm>) => {
  if (data.type === "stop") return stops.get(data.call)?.abort();
  const stop = new AbortController();
  stops.set(data.call, stop);
  last = last.then(async () => {
    try {
      await handle(data, stop.signal);
    } catch (error) {
      if (stop.signal.aborted) tell({ type: "aborted", call: data.call });
      else tell({ type: "failed", call: data.call, error: recordOf(error) });
    }
    stops.delete(data.call);
  });
});

async function handle(asked: Exclude<ToWebLlm, { type: "stop" }>, signal: AbortSignal): Promise<void> {
  const { call } = asked;
  signal.throwIfAborted();
  if (asked.type === "load") {
    await load(new URL(asked.root), asked.variant, (progress) => tell({ type: "progress", call, progress }), signal);
    tell({ type: "loaded", call });
  } else if (asked.type === "count") {
    tell({ type: "counted", call, tokens: count(need(), asked.text) });
  } else {
    const usage = await write(need(), asked.messages, asked.options, signal, (text) =>
      tell({ type: "piece", call, text }),
    );
    tell({ type: "written", call, usage });
  }
}

async function load(
  root: URL,
  variant: WebLlmVariant,
  onProgress: (progress: LoadProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const downloader = new Downloader(root);
  onProgress({ phase: "downloading", loaded: 0, total: variant.bytes });
  const files = await filesOf(downloader, variant, signal);
  let told = 0;
  try {
    await downloader.all(files, {
      signal,
      keep: "must",
      onProgress: (loaded, total) => {
        if (loaded < total && loaded - told < total / 200) return;
        told = loaded;
        onProgress({ phase: "downloading", loaded, total });
      },
    });
  } catch (error) {
    if (error instanceof WrongHashError || error instanceof WrongSizeError) await unlearn(downloader, variant);
    throw error;
  }

  onProgress({ phase: "preparing", loaded: 0, total: 0 });
  const own = servedCaches(byAddress(files), (file) => downloader.bytes(file, { keep: "must", signal }));
  Object.defineProperty(globalThis, "caches", { value: own, configurable: true });
  watchDevice();
  const library = await import("@mlc-ai/web-llm");
  signal.throwIfAborted();
  const engine = new library.MLCEngine({
    appConfig: {
      cacheBackend: "cache",
      model_list: [
        {
          model: FOLDER,
          model_lib: LIBRARY,
          model_id: variant.id,
          overrides: { context_window_size: variant.context },
        },
      ],
    },
    logLevel: "SILENT",
    initProgressCallback: ({ progress }) => {
      if (progress > 0 && progress < 1) onProgress({ phase: "preparing", loaded: progress, total: 1 });
    },
  });
  try {
    await engine.reload(variant.id);
    signal.throwIfAborted();
    onProgress({ phase: "trying", loaded: 0, total: 0 });
    // One token is asked for before anybody trusts it; and it shows what the template adds.
    const text = "Say yes.";
    const { prompt } = await complete(engine, [{ role: "user", content: text }], { maxTokens: 1 }, signal, () => {});
    running = { engine, variant, around: 0 };
    running = { engine, variant, around: Math.max(8, (prompt ?? 0) - count(running, text)) };
  } catch (error) {
    running = undefined;
    signal.throwIfAborted();
    throw error instanceof ClientError ? error : new EngineStartError(variant.id, error);
  }
}

function need(): Running {
  if (!running) throw new EngineStartError("WebLLM", "it is not loaded");
  return running;
}

function count({ engine, variant }: Running, text: string): number {
  const pipeline = (engine as unknown as Inside).loadedModelIdToPipeline.get(variant.id);
  if (!pipeline) throw new EngineStartError(variant.id, "it is not loaded");
  return pipeline.tokenizer.encode(text).length;
}

async function write(
  { engine, variant, around }: Running,
  messages: readonly Message[],
  options: StreamOptions,
  signal: AbortSignal,
  onPiece: (text: string) => void,
): Promise<Usage> {
  const current = { engine, variant, around };
  const asked = messages.reduce((sum, { content }) => sum + around + count(current, content), 0);
  const left = variant.context - asked;
  if (left < Math.min(LEAST_ANSWER, options.maxTokens)) throw new EngineContextError(variant.context, asked);
  const maxTokens = Math.min(options.maxTokens, left);
  const { usage } = await complete(engine, messages, { ...options, maxTokens }, signal, onPiece);
  return usage;
}

async function complete(
  engine: WebLlm,
  messages: readonly Message[],
  options: StreamOptions,
  signal: AbortSignal,
  onPiece: (text: string) => void,
): Promise<{ readonly usage: Usage; readonly prompt: number | null }> {
  const began = performance.now();
  let first: number | null = null;
  let finish: Usage["finish"] = "stop";
  let prompt: number | null = null;
  let answer: number | null = null;
  let promptRate: number | null = null;
  let answerRate: number | null = null;
  const stop = (): void => void engine.interruptGenerate();
  const chunks = await engine.chat.completions.create({
    messages: messages.map(({ role, content }) => ({ role, content: literal(content) })),
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: options.maxTokens,
    temperature: options.temperature ?? 0,
    top_p: 1,
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    ...(options.grammar === undefined ? {} : { response_format: { type: "grammar", grammar: options.grammar } }),
  });
  signal.addEventListener("abort", stop);
  try {
    for await (const chunk of chunks) {
      const [choice] = chunk.choices;
      if (choice?.delta.content && !signal.aborted) {
        first ??= performance.now() - began;
        onPiece(choice.delta.content);
      }
      if (choice?.finish_reason === "length") finish = "length";
      if (chunk.usage) {
        prompt = chunk.usage.prompt_tokens;
        answer = chunk.usage.completion_tokens;
        promptRate = chunk.usage.extra.prefill_tokens_per_s;
        answerRate = chunk.usage.extra.decode_tokens_per_s;
      }
      // What was asked to stop before the first chunk was there has forgotten it.
      if (signal.aborted) stop();
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
  const usage: Usage = {
    promptTokens: prompt,
    answerTokens: answer,
    firstTokenMs: first,
    totalMs: performance.now() - began,
    promptRate: finite(promptRate),
    answerRate: finite(answerRate),
    finish: signal.aborted ? "aborted" : finish,
  };
  return { usage, prompt };
}

/** WebLLM puts a message into its template with `String.replace`, to which `$&` and `$$` are more than themselves. */
function literal(text: string): string {
  return text.replaceAll("$", "$$$$");
}

function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) && value > 0 ? value : null;
}

interface Device {
  readonly lost: Promise<{ readonly message: string; readonly reason: string }>;
}

/** WebLLM notices that the device is lost and tells nobody: see each device that it asks for. */
function watchDevice(): void {
  const { gpu } = navigator as unknown as { gpu?: { requestAdapter(options?: unknown): Promise<Adapter | null> } };
  interface Adapter {
    requestDevice(options?: unknown): Promise<Device>;
  }
  if (!gpu) return;
  const requestAdapter = gpu.requestAdapter.bind(gpu);
  gpu.requestAdapter = async (options) => {
    const adapter = await requestAdapter(options);
    if (!adapter) return null;
    const requestDevice = adapter.requestDevice.bind(adapter);
    adapter.requestDevice = async (wanted) => {
      const device = await requestDevice(wanted);
      void device.lost.then(({ message, reason }) => {
        running = undefined;
        tell({ type: "lost", reason: message || reason || describe(reason) });
      });
      return device;
    };
    return adapter;
  };
}
