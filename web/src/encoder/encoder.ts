/**
 * The encoder of the build, in the tab: transformers.js on plain wasm, fed with checked bytes only.
 *
 * transformers.js never reaches the network: it asks for each file through `env.fetch`, and what answers is a map of
 * bytes whose SHA-256 was the manifest's. A file that is not in it does not exist.
 */

import wasmAddress from "onnxruntime-web/ort-wasm-simd-threaded.wasm?url";
import type { Downloader, ListedFile } from "../download/download";
import { ClientError, EncoderStartError, isAbort, ProbeMismatchError } from "../errors";
import { listedPath, sitePath } from "../index/load";
import type { Manifest } from "../index/schema";
import type { Encoder } from "../retrieval/collection";
import { type QuestionPieces, unitRows } from "../retrieval/late_interaction";
import { cut } from "./cut";
import type { Pass } from "./transformers";
import { cosine, floatsFromBase64 } from "./vector";

/** The least cosine between a probe's vector here and at build time. */
export const PROBE_COSINE = 0.999;

export type EncoderPhase = "idle" | "downloading" | "starting" | "checking" | "ready";

export interface EncoderProgress {
  readonly phase: EncoderPhase;
  /** Bytes, of the files as they are on disk. */
  readonly loaded: number;
  readonly total: number;
  /** When ready: milliseconds from the first byte asked for, and the worst probe's cosine. */
  readonly ms: number | null;
  readonly probeCosine: number | null;
}

/** The model in memory. */
interface Running {
  ids(text: string, special: boolean): number[];
  piece(id: number): string;
  run(ids: readonly number[]): Promise<Pass>;
}

/** A text as the model read it. */
interface Reading {
  readonly text: string;
  readonly ids: readonly number[];
  readonly pass: Promise<Pass>;
}

export class TabEncoder implements Encoder {
  readonly #downloader: Downloader;
  readonly #manifest: Manifest;
  readonly #onProgress: (progress: EncoderProgress) => void;
  readonly #clock: () => number;
  #starting: Promise<void> | undefined;
  #running: Running | undefined;
  #last: Reading | undefined;

  constructor(
    downloader: Downloader,
    manifest: Manifest,
    clock: () => number,
    onProgress: (progress: EncoderProgress) => void,
  ) {
    this.#downloader = downloader;
    this.#manifest = manifest;
    this.#clock = clock;
    this.#onProgress = onProgress;
  }

  /** The files to download, and with them their size. @throws NotListedError */
  get files(): { readonly wasm: ListedFile; readonly model: readonly ListedFile[]; readonly bytes: number } {
    const wasm = listedPath(this.#manifest, sitePath(wasmAddress, this.#downloader.root));
    const folder = `models/${this.#manifest.model.folder}/`;
    const model = Object.values(this.#manifest.files).filter(({ path }) => path.startsWith(folder));
    return { wasm, model, bytes: model.reduce((sum, file) => sum + file.bytes, wasm.bytes) };
  }

  /** Whether all of them are kept from an earlier visit. */
  async kept(): Promise<boolean> {
    const { wasm, model } = this.files;
    const found = await Promise.all([wasm, ...model].map((file) => this.#downloader.has(file)));
    return found.every(Boolean);
  }

  /**
   * Download, start, check; once. After a failure the next call tries again.
   *
   * @throws what downloading throws; EncoderStartError; ProbeMismatchError
   */
  ready(): Promise<void> {
    if (this.#starting) return this.#starting;
    const stop = new AbortController();
    this.#starting = this.#start(stop.signal).catch((error: unknown) => {
      this.#starting = undefined;
      // The other downloads are of no use now, and must not go on telling of themselves.
      stop.abort();
      throw error instanceof ClientError || isAbort(error) ? error : new EncoderStartError(error);
    });
    return this.#starting;
  }

  async embed(question: string): Promise<Float32Array> {
    return (await this.#read(question).pass).vector;
  }

  async pieces(question: string): Promise<QuestionPieces> {
    const running = this.#need();
    const { ids, pass } = this.#read(question);
    const { states } = await pass;
    const { dims } = this.#manifest.model;
    // The encoder adds one special token before the text and one behind it.
    const own = ids.slice(1, -1);
    return {
      ids: own,
      pieces: own.map((id) => running.piece(id)),
      vectors: unitRows(states.subarray(dims, states.length - dims), dims),
      dims,
    };
  }

  /** Word pieces of a passage as the index numbers its rows: cut as the build cuts, special tokens left out. */
  passagePieces(text: string): string[] {
    const running = this.#need();
    const ids = cut(running.ids(text, true), this.#manifest.model.max_tokens);
    return ids.slice(1, -1).map((id) => running.piece(id));
  }

  /** One pass for a text that is asked for twice in a row, as vector and as pieces. */
  #read(text: string): Reading {
    if (this.#last?.text !== text) {
      const running = this.#need();
      const ids = cut(running.ids(text, true), this.#manifest.model.max_tokens);
      const pass = running.run(ids);
      this.#last = { text, ids, pass };
      pass.catch(() => {
        this.#last = undefined;
      });
    }
    return this.#last;
  }

  countTokens(text: string): number {
    return this.#need().ids(text, false).length;
  }

  #need(): Running {
    if (!this.#running) throw new EncoderStartError("it was asked before it had loaded");
    return this.#running;
  }

  async #start(signal: AbortSignal): Promise<void> {
    const began = this.#clock();
    const { wasm, model, bytes: total } = this.files;
    const tell = (phase: EncoderPhase, loaded: number, probeCosine: number | null = null): void => {
      if (signal.aborted) return;
      this.#onProgress({ phase, loaded, total, ms: phase === "ready" ? this.#clock() - began : null, probeCosine });
    };

    const arrived = new Map<string, number>();
    let told = -1;
    const download = (file: ListedFile): Promise<Uint8Array<ArrayBuffer>> =>
      this.#downloader.bytes(file, {
        keep: true,
        signal,
        onProgress: (loaded) => {
          arrived.set(file.path, loaded);
          const sum = [...arrived.values()].reduce((a, b) => a + b, 0);
          // A message for each half per cent: more would be work for nothing.
          if (sum - told < total / 200 && sum < total) return;
          told = sum;
          tell("downloading", sum);
        },
      });
    tell("downloading", 0);
    const [library, wasmBytes, ...modelBytes] = await Promise.all([
      import("./transformers"),
      download(wasm),
      ...model.map(download),
    ]);

    tell("starting", total);
    const { folder, pooling } = this.#manifest.model;
    const name = (file: ListedFile): string => file.path.slice(`models/${folder}/`.length);
    const files = new Map(model.map((file, index) => [name(file), modelBytes[index]]));
    this.#running = await library.start({
      wasm: wasmBytes,
      file: (path) => files.get(path),
      folder,
      pooling,
    });

    tell("checking", total);
    tell("ready", total, await this.#probe());
  }

  /** The worst cosine among the probes. @throws ProbeMismatchError */
  async #probe(): Promise<number> {
    let worst = 1;
    for (const { text, vector } of this.#manifest.probes) {
      const found = cosine(await this.embed(text), floatsFromBase64(vector));
      if (!(found >= PROBE_COSINE)) {
        this.#running = undefined;
        throw new ProbeMismatchError(text, found, PROBE_COSINE);
      }
      worst = Math.min(worst, found);
    }
    return worst;
  }
}
