/** What browser tests and benches of engines and downloads drive, without the page around it: `window.harness`. */

import { dig } from "../src/conversation/hops";
import { Downloader, type DownloadOptions, type ListedFile, type Patience } from "../src/download/download";
import { recordOf } from "../src/errors";
import type { Engine, LoadProgress, Message, ModelChoice, StreamOptions, Usage } from "../src/generation/engine";
import { AddressEngine, allowedBy } from "../src/generation/address";
import { wllamaFiles } from "../src/generation/files";
import type { Offer } from "../src/generation/offer";
import { WebLlmEngine } from "../src/generation/webllm";
import { WllamaEngine } from "../src/generation/wllama";
import { loadManifest, listed, parseFile } from "../src/index/load";
import { TOKENIZER_FINGERPRINT } from "../src/retrieval/tokens";
import type { Trace } from "../src/retrieval/trace";

const root = new URL("./", document.baseURI);
const downloader = new Downloader(root);
let engine: Engine | undefined;
let stopping = new AbortController();

/** What a call gave, or the record of its error. */
async function outcome<T>(run: () => Promise<T>): Promise<{ value: T } | { error: ReturnType<typeof recordOf> | "abort" }> {
  try {
    return { value: await run() };
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return { error: "abort" };
    return { error: recordOf(error) };
  }
}

interface Answer {
  readonly text: string;
  readonly pieces: number;
  readonly usage: Usage | null;
}

const harness = {
  /** The engine that the site's own offer describes. */
  async webllm(): Promise<readonly ModelChoice[]> {
    const manifest = await loadManifest(downloader, { fingerprint: TOKENIZER_FINGERPRINT });
    const file = listed(manifest, manifest.generation ?? "");
    engine = new WebLlmEngine(parseFile<Offer>(file, await downloader.bytes(file)).webllm, root);
    return engine.models();
  },
  /** The same for the processor. */
  async wllama(): Promise<readonly ModelChoice[]> {
    const manifest = await loadManifest(downloader, { fingerprint: TOKENIZER_FINGERPRINT });
    const file = listed(manifest, manifest.generation ?? "");
    const { wllama } = parseFile<Offer>(file, await downloader.bytes(file));
    engine = new WllamaEngine(wllama, wllamaFiles(downloader, manifest), () => performance.now());
    return engine.models();
  },
  /** A program that speaks OpenAI's protocol, at an address of this computer. */
  async address(url: string): Promise<readonly ModelChoice[]> {
    engine = new AddressEngine(() => ({ url, key: "" }), allowedBy([]), () => performance.now());
    return engine.models();
  },
  availability: () => engine?.availability(),
  load(number = 0, stopAt = Number.POSITIVE_INFINITY) {
    stopping = new AbortController();
    const told: LoadProgress[] = [];
    return outcome(async () => {
      const began = performance.now();
      const choice = (await engine?.models())?.[number] as ModelChoice;
      await engine?.load(
        choice,
        (progress) => {
          told.push(progress);
          if (progress.phase === "downloading" && progress.loaded >= stopAt) stopping.abort();
        },
        stopping.signal,
      );
      return { told, ms: performance.now() - began };
    });
  },
  count: (text: string) => outcome(async () => engine?.countTokens(text)),
  ask(messages: readonly Message[], options: StreamOptions, stopAfter = Number.POSITIVE_INFINITY) {
    stopping = new AbortController();
    return outcome(async (): Promise<Answer> => {
      let text = "";
      let pieces = 0;
      for await (const piece of (engine as Engine).stream(messages, options, stopping.signal)) {
        text += piece;
        if (++pieces >= stopAfter) stopping.abort();
      }
      return { text, pieces, usage: (engine as Engine).usage() };
    });
  },
  /**
   * "Dig deeper" with a model that is made to search whenever it may: what it searches for is its own. Every search finds
   * the same passage.
   */
  dig(question: string, texts: readonly string[], maxTokens: number, stopAfter = Number.POSITIVE_INFINITY) {
    stopping = new AbortController();
    const passages = (some: readonly string[]) =>
      some.map((text, place) => ({ number: place + 1, ordinals: [place], label: `Lecture ${place + 1}`, text }));
    const trace = { question, rewrite: null, hops: [], stages: [], passages: passages(texts) } as unknown as Trace;
    let hops = 0;
    return outcome(async () => {
      const model = engine as Engine;
      const [choice] = await model.models();
      const eager = {
        supports: model.supports,
        countTokens: (text: string) => model.countTokens(text),
        usage: () => model.usage(),
        stream: (messages: readonly Message[], options: StreamOptions, signal: AbortSignal) =>
          model.stream(messages, { ...options, grammar: options.grammar?.replace("search | answer", "search") ?? "" }, signal),
      } as unknown as Engine;
      const dug = await dig(eager, choice as ModelChoice, trace, {
        clock: () => performance.now(),
        signal: stopping.signal,
        search: async () => trace,
        onHop: () => {
          if (++hops >= stopAfter) stopping.abort();
        },
        onText: () => {},
        maxTokens,
      });
      return { queries: dug.trace.hops.map(({ query }) => query), ended: dug.ended, text: dug.stage.text, finish: dug.stage.finish };
    });
  },
  stop: () => stopping.abort(),
  unload: () => engine?.unload(),

  /** A file with its SHA-256 by `downloader`'s rules; the hash of what came. */
  download(file: ListedFile, options: DownloadOptions, patience: Partial<Patience>, stopAt = Number.POSITIVE_INFINITY) {
    const stop = new AbortController();
    return outcome(async () => {
      const own = new Downloader(root, patience);
      const bytes = await own.bytes(file, {
        ...options,
        signal: stop.signal,
        onProgress: (loaded) => {
          if (loaded >= stopAt) stop.abort();
        },
      });
      return bytes.length;
    });
  },
  has: (file: ListedFile) => downloader.has(file),
  stored: () => downloader.stored(),
  room: (files: readonly ListedFile[]) => downloader.room(files),
};

Object.assign(globalThis, { harness });
export type Harness = typeof harness;
