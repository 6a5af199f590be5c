/**
 * A language model at an address that the reader typed: Ollama, LM Studio, llama.cpp, vLLM, or whatever else speaks
 * OpenAI's protocol (`GET /models`, `POST /chat/completions` with server-sent events).
 *
 * Nothing is sent before the reader has typed an address and pressed. The page's policy allows this computer alone,
 * unless the course's settings list more.
 */

import {
  AddressInvalidError,
  AddressMissingError,
  AddressProtocolError,
  AddressRefusedError,
  AddressStatusError,
  AddressUnreachableError,
  EngineContextError,
  isAbort,
} from "../errors";
import type { Availability, Engine, LoadProgress, Message, ModelChoice, StreamOptions, Usage } from "./engine";
import { events } from "./sse";
import { Meter } from "./usage";

/** What the reader typed; kept on this device alone. */
export interface Address {
  /** Of the API, such as `http://localhost:11434/v1`. */
  readonly url: string;
  /** "" for none. */
  readonly key: string;
}

/** Tokens that a model is taken to read when its server does not say. */
const CONTEXT = 4096;

/** Characters a token, when there is no tokenizer to ask: low, so that a prompt is rather too short than too long. */
const CHARACTERS_A_TOKEN = 3;

interface Chunk {
  readonly choices?: readonly {
    readonly delta?: { readonly content?: string | null };
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null;
  readonly error?: { readonly message?: string } | string;
}

export class AddressEngine implements Engine {
  readonly name = "address";
  readonly supports = { grammar: false, seed: true };
  readonly #address: () => Address | null;
  readonly #allows: (url: URL) => boolean;
  readonly #clock: () => number;
  #model: ModelChoice | null = null;
  #usage: Usage | null = null;

  /**
   * @param address what the reader typed, asked for anew each time; null when there is none.
   * @param allows whether the page's policy lets the tab reach it.
   */
  constructor(address: () => Address | null, allows: (url: URL) => boolean, clock: () => number) {
    this.#address = address;
    this.#allows = allows;
    this.#clock = clock;
  }

  async availability(): Promise<Availability> {
    return this.#address() ? { state: "available" } : { state: "needs", what: "address" };
  }

  /** What the server lists; a request to it. Empty without an address. */
  async models(): Promise<readonly ModelChoice[]> {
    if (!this.#address()) return [];
    const response = await this.#request("models", { method: "GET" });
    const list = (await json(response, this.#place)) as { data?: unknown };
    if (!Array.isArray(list?.data)) throw new AddressProtocolError(this.#place, "the list of models has no data");
    return list.data.flatMap((entry: unknown) => {
      const model = entry as { id?: unknown; max_model_len?: unknown; meta?: { n_ctx_train?: unknown } };
      if (typeof model?.id !== "string") return [];
      // vLLM and llama.cpp say how much they read, each in its way.
      const context = [model.max_model_len, model.meta?.n_ctx_train].find((value) => typeof value === "number");
      return [this.#choice(model.id, typeof context === "number" ? context : CONTEXT)];
    });
  }

  /** Asks for one token, so that a wrong model or key is found out now and not at the first question. */
  async load(choice: ModelChoice, onProgress: (progress: LoadProgress) => void, signal: AbortSignal): Promise<void> {
    onProgress({ phase: "trying", loaded: 0, total: 0 });
    const before = this.#model;
    this.#model = choice;
    try {
      for await (const _ of this.stream([{ role: "user", content: "Say yes." }], { maxTokens: 1 }, signal));
      signal.throwIfAborted();
    } catch (error) {
      this.#model = before;
      throw error;
    }
  }

  async countTokens(text: string): Promise<number> {
    return Math.ceil(text.length / CHARACTERS_A_TOKEN);
  }

  async *stream(messages: readonly Message[], options: StreamOptions, signal: AbortSignal): AsyncGenerator<string> {
    const model = this.#model;
    if (!model) throw new Error("no model was chosen");
    const meter = new Meter(this.#clock);
    this.#usage = null;
    try {
      const body = {
        model: model.id,
        messages,
        stream: true,
        stream_options: { include_usage: true },
        max_tokens: options.maxTokens,
        temperature: options.temperature ?? 0,
        ...(options.seed === undefined ? {} : { seed: options.seed }),
      };
      const response = await this.#request("chat/completions", { method: "POST", body: JSON.stringify(body), signal });
      if (!(response.headers.get("content-type") ?? "").startsWith("text/event-stream") || !response.body) {
        throw new AddressProtocolError(this.#place, "the answer is no stream of events");
      }
      let ended = false;
      for await (const data of events(response.body)) {
        if (data === "[DONE]") {
          ended = true;
          break;
        }
        const chunk = parse(data, this.#place);
        if (chunk.error) throw this.#told(typeof chunk.error === "string" ? chunk.error : chunk.error.message);
        if (chunk.usage) meter.counted(chunk.usage.prompt_tokens ?? null, chunk.usage.completion_tokens ?? null);
        const choice = chunk.choices?.[0];
        if (choice?.finish_reason) {
          meter.finish = choice.finish_reason === "length" ? "length" : "stop";
          ended = true;
        }
        const text = choice?.delta?.content;
        if (text) {
          meter.token();
          yield text;
        }
      }
      if (!ended) throw new AddressProtocolError(this.#place, "the stream was cut before its end");
    } catch (error) {
      if (!(isAbort(error) || signal.aborted)) throw error;
      meter.finish = "aborted";
    } finally {
      this.#usage = meter.usage();
    }
  }

  usage(): Usage | null {
    return this.#usage;
  }

  async unload(): Promise<void> {
    this.#model = null;
  }

  get #place(): string {
    return this.#address()?.url ?? "";
  }

  #choice(id: string, context: number): ModelChoice {
    return { engine: "address", id, label: id, bytes: 0, memory: null, origin: originOf(this.#place), context };
  }

  async #request(path: string, init: RequestInit): Promise<Response> {
    const address = this.#address();
    const url = parseAddress(address?.url ?? "");
    if (!this.#allows(url)) throw new AddressInvalidError(url.href, "policy");
    const endpoint = new URL(path, url.href.endsWith("/") ? url.href : `${url.href}/`);
    const headers: Record<string, string> = init.body ? { "content-type": "application/json" } : {};
    if (address?.key) headers["authorization"] = `Bearer ${address.key}`;
    let response: Response;
    try {
      response = await fetch(endpoint, { ...init, headers, credentials: "omit", referrerPolicy: "no-referrer" });
    } catch (error) {
      throw isAbort(error) ? error : new AddressUnreachableError(url.href, error);
    }
    if (response.ok) return response;
    const message = await messageIn(response);
    if (response.status === 401 || response.status === 403) throw new AddressRefusedError(url.href, response.status);
    if (response.status === 404) throw new AddressMissingError(url.href, message);
    if (/context/i.test(message) && /exceed|length|long/i.test(message)) throw this.#told(message);
    throw new AddressStatusError(url.href, response.status, message);
  }

  /** An error that the server tells in words: of its context when it says so. */
  #told(message = "an error without words"): Error {
    if (/context/i.test(message) && /exceed|length|long/i.test(message)) {
      return new EngineContextError(this.#model?.context ?? CONTEXT, null, message);
    }
    return new AddressProtocolError(this.#place, message);
  }
}

/**
 * The address as one, of http or https, without a question mark and what follows.
 *
 * @throws AddressInvalidError
 */
export function parseAddress(text: string): URL {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new AddressInvalidError(text, "format");
  }
  url.search = "";
  url.hash = "";
  return url;
}

/**
 * Whether the page's policy (`connect-src`) lets the tab reach an address: one on this computer over http, or one of
 * the origins that the settings allow.
 */
export function allowedBy(allow: readonly string[]): (url: URL) => boolean {
  const origins = new Set(allow.map(originOf));
  return (url) =>
    (url.protocol === "http:" && (url.hostname === "localhost" || url.hostname === "127.0.0.1")) ||
    origins.has(url.origin);
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : "";
}

async function json(response: Response, place: string): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    throw new AddressProtocolError(place, "the answer is not JSON");
  }
}

function parse(data: string, place: string): Chunk {
  try {
    const chunk: unknown = JSON.parse(data);
    if (typeof chunk === "object" && chunk !== null) return chunk as Chunk;
  } catch {
    // told below
  }
  throw new AddressProtocolError(place, "an event is not JSON");
}

/** What an error's body says, in as few words as are fit to be shown. */
async function messageIn(response: Response): Promise<string> {
  const text = await response.text().catch(() => "");
  try {
    const { error } = JSON.parse(text) as Chunk;
    return (typeof error === "string" ? error : (error?.message ?? "")).slice(0, 300);
  } catch {
    return text.slice(0, 300);
  }
}
