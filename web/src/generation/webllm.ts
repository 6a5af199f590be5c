/**
 * WebLLM: a language model on the reader's GPU, in a worker of its own.
 *
 * Unloading ends the worker, which gives back all that it held, and so does losing the device; loading starts another.
 */

import { type ClientError, EngineLostError, EngineUnavailableError, RemoteError, WorkerStartError } from "../errors";
import { trustedScript } from "../page/trust";
import type { Availability, Engine, LoadProgress, Message, ModelChoice, StreamOptions, Usage } from "./engine";
import type { WebLlmOffer } from "./offer";
import { advise, type DeviceFacts, deviceFacts, obstacle } from "./webllm_advice";
import type { FromWebLlm, ToWebLlm } from "./webllm_protocol";
import workerAddress from "./webllm_worker.ts?worker&url";

/** How long a worker has to stop by itself. */
const STOPPING_MS = 3000;

/** Whoever waits for an answer of the worker. */
interface Waiting {
  heard(message: FromWebLlm): void;
  failed(error: unknown): void;
}

export class WebLlmEngine implements Engine {
  readonly name = "webllm";
  readonly supports = { grammar: true, seed: true };
  readonly #offer: WebLlmOffer;
  readonly #root: URL;
  readonly #facts: () => Promise<DeviceFacts>;
  #device: Promise<DeviceFacts> | undefined;
  #worker: Worker | undefined;
  #model = "WebLLM";
  #calls = 0;
  readonly #waiting = new Map<number, Waiting>();
  #usage: Usage | null = null;

  /** @param root address of the site's root folder. */
  constructor(offer: WebLlmOffer, root: URL, facts: () => Promise<DeviceFacts> = deviceFacts) {
    this.#offer = offer;
    this.#root = root;
    this.#facts = facts;
  }

  async availability(): Promise<Availability> {
    const device = await this.#ask();
    const reason = obstacle(device) ?? (advise(this.#offer.models, device).length === 0 ? "no-model-for-gpu" : null);
    return reason ? { state: "unavailable", reason } : { state: "available" };
  }

  async models(): Promise<readonly ModelChoice[]> {
    return advise(this.#offer.models, await this.#ask()).map(({ model, variant }) => ({
      engine: "webllm",
      id: variant.id,
      label: model.label,
      bytes: variant.bytes,
      memory: variant.memory,
      origin: originOf(variant.files?.[0]?.from ?? variant.hub?.folder, this.#root),
      context: variant.context,
    }));
  }

  async load(choice: ModelChoice, onProgress: (progress: LoadProgress) => void, signal: AbortSignal): Promise<void> {
    const found = await this.availability();
    if (found.state === "unavailable") throw new EngineUnavailableError("WebLLM", found.reason);
    const variant = this.#offer.models.flatMap(({ variants }) => variants).find(({ id }) => id === choice.id);
    if (!variant) throw new EngineUnavailableError("WebLLM", "no-model-for-gpu");
    await this.unload();
    signal.throwIfAborted();
    this.#model = choice.label;
    this.#worker = this.#start();
    try {
      await new Promise<void>((resolve, reject) => {
        const call = this.#call(
          { type: "load", root: this.#root.href, variant },
          {
            heard: (message) => {
              if (message.type === "progress") onProgress(message.progress);
              else if (message.type === "loaded") resolve();
              else if (message.type === "aborted") reject(signal.reason);
            },
            failed: reject,
          },
        );
        signal.addEventListener("abort", () => {
          this.#send({ type: "stop", call });
          // It first writes down what has arrived; starting the model, it cannot be interrupted.
          setTimeout(() => reject(signal.reason), STOPPING_MS);
        });
      });
    } catch (error) {
      // A worker in the middle of something is no place to begin anew.
      await this.unload();
      throw error;
    }
  }

  countTokens(text: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#call(
        { type: "count", text },
        {
          heard: (message) => {
            if (message.type === "counted") resolve(message.tokens);
          },
          failed: reject,
        },
      );
    });
  }

  async *stream(messages: readonly Message[], options: StreamOptions, signal: AbortSignal): AsyncGenerator<string> {
    this.#usage = null;
    const pieces: string[] = [];
    let ended = false;
    let failure: unknown;
    let wake = (): void => {};
    const end = (error?: unknown): void => {
      ended = true;
      failure = error;
      wake();
    };
    const began = performance.now();
    const call = this.#call(
      { type: "stream", messages, options },
      {
        heard: (message) => {
          if (message.type === "piece") pieces.push(message.text);
          if (message.type === "written") this.#usage = message.usage;
          if (message.type === "written" || message.type === "aborted") end();
          wake();
        },
        failed: end,
      },
    );
    const stop = (): void => {
      this.#send({ type: "stop", call });
      // The worker may be in the middle of reading the prompt, which cannot be interrupted; nobody waits for that.
      end();
    };
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    try {
      while (true) {
        const piece = pieces.shift();
        if (piece !== undefined) yield piece;
        else if (ended) break;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
      if (failure !== undefined) throw failure;
    } finally {
      signal.removeEventListener("abort", stop);
      // Left early by whoever reads: then nobody wants the rest.
      if (!ended) this.#send({ type: "stop", call });
      if (signal.aborted || !ended) {
        const totalMs = performance.now() - began;
        this.#usage ??= { ...NOTHING, totalMs };
      }
    }
  }

  usage(): Usage | null {
    return this.#usage;
  }

  async unload(): Promise<void> {
    this.#gone(new EngineLostError(this.#model, "it was unloaded"));
  }

  #ask(): Promise<DeviceFacts> {
    this.#device ??= this.#facts();
    return this.#device;
  }

  #start(): Worker {
    let worker: Worker;
    try {
      worker = new Worker(trustedScript(workerAddress), { type: "module", name: "openbook webllm" });
    } catch (error) {
      throw new WorkerStartError(error);
    }
    worker.addEventListener("message", ({ data }: MessageEvent<FromWebLlm>) => {
      if (data.type === "lost") {
        // Another GPU may answer next time, or none.
        this.#device = undefined;
        return this.#gone(new EngineLostError(this.#model, data.reason));
      }
      const waiting = this.#waiting.get(data.call);
      if (data.type !== "progress" && data.type !== "piece") this.#waiting.delete(data.call);
      if (data.type === "failed") waiting?.failed(new RemoteError(data.error));
      else waiting?.heard(data);
    });
    worker.addEventListener("error", (event) => {
      this.#gone(new EngineLostError(this.#model, event.message || "its worker stopped"));
    });
    return worker;
  }

  /** The worker is no more; whoever waits is told why. */
  #gone(error: ClientError): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const one of waiting) one.failed(error);
  }

  #call(message: Asking, waiting: Waiting): number {
    const call = ++this.#calls;
    if (!this.#worker) {
      waiting.failed(new EngineLostError(this.#model, "it is not loaded"));
      return call;
    }
    this.#waiting.set(call, waiting);
    this.#send({ ...message, call } as ToWebLlm);
    return call;
  }

  #send(message: ToWebLlm): void {
    this.#worker?.postMessage(message);
  }
}

/** A message without the number that it will get. */
type Asking = ToWebLlm extends infer M ? (M extends { call: number } ? Omit<M, "call"> : never) : never;

/** Of an answer that was stopped before the worker said anything of it. */
const NOTHING: Usage = {
  promptTokens: null,
  answerTokens: null,
  firstTokenMs: null,
  totalMs: 0,
  promptRate: null,
  answerRate: null,
  finish: "aborted",
};

function originOf(folder: string | undefined, root: URL): string {
  if (folder === undefined) return "site";
  const { origin } = new URL(folder);
  return origin === root.origin ? "site" : origin;
}
