/**
 * What every language model in the tab looks like, whoever runs it: WebLLM on the GPU, wllama on the processor, the
 * browser's own, an address that the reader typed. One file an engine, imported only when it is chosen.
 *
 * An engine is given messages and gives text. It knows nothing of passages, citations or the page.
 */

export type EngineName = "webllm" | "wllama" | "built-in" | "address";

/** Whether the engine could run here, found out without downloading anything. */
export type Availability =
  | { readonly state: "available" }
  /** It could, after something that the browser itself would fetch or the reader has to type. */
  | { readonly state: "needs"; readonly what: "download" | "address" }
  /** `reason` is a key of the page's strings. */
  | { readonly state: "unavailable"; readonly reason: string };

/** What is to be loaded: one entry of an engine's list, or what the reader typed. */
export interface ModelChoice {
  readonly engine: EngineName;
  /** As the engine knows it. */
  readonly id: string;
  /** For people. */
  readonly label: string;
  /** Bytes to download before the first use; null when the engine cannot say, 0 when there are none. */
  readonly bytes: number | null;
  /** Bytes of memory while it runs (the GPU's, for WebLLM); null when unknown. */
  readonly memory: number | null;
  /** Where the bytes come from, as the reader is told: an origin, "this site", or "" when nothing is fetched. */
  readonly origin: string;
  /** Tokens of prompt and answer together. */
  readonly context: number;
}

export interface LoadProgress {
  readonly phase: "downloading" | "preparing" | "trying";
  /** Bytes, when known; else 0 of 0. */
  readonly loaded: number;
  readonly total: number;
}

export interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export interface StreamOptions {
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly seed?: number;
  /** A GBNF grammar that the answer must follow, where the engine can (see `supports`). */
  readonly grammar?: string;
}

/** Of one answer. Times are milliseconds; null where the engine does not say. */
export interface Usage {
  readonly promptTokens: number | null;
  readonly answerTokens: number | null;
  readonly firstTokenMs: number | null;
  readonly totalMs: number;
  /** Tokens a second, prompt and answer apart. */
  readonly promptRate: number | null;
  readonly answerRate: number | null;
  readonly finish: "stop" | "length" | "aborted";
}

export interface Engine {
  readonly name: EngineName;
  /** Which of the options it heeds beside `maxTokens`. */
  readonly supports: { readonly grammar: boolean; readonly seed: boolean };
  availability(): Promise<Availability>;
  /** Models that can be chosen on this device, the advised one first; empty for one that has no list. */
  models(): Promise<readonly ModelChoice[]>;
  /**
   * Download (checked, see `download/`), start, and try one token.
   *
   * @throws an error of `errors.ts`; an AbortError when the signal fired.
   */
  load(choice: ModelChoice, onProgress: (progress: LoadProgress) => void, signal: AbortSignal): Promise<void>;
  /** Tokens of a text by the model's own tokenizer; only once loaded. */
  countTokens(text: string): Promise<number>;
  /**
   * The answer, piece by piece. Aborting ends it quietly: what came so far stands, `usage().finish` says "aborted".
   *
   * @throws an error of `errors.ts`: device lost, context exceeded, the address does not answer.
   */
  stream(messages: readonly Message[], options: StreamOptions, signal: AbortSignal): AsyncIterable<string>;
  /** Of the last answer. */
  usage(): Usage | null;
  unload(): Promise<void>;
}
