/**
 * The encoder of the build, in the tab: transformers.js on plain wasm, fed with checked bytes only.
 *
 * transformers.js never reaches the network: it asks for each file through `env.fetch`, and what answers is a map of
 * bytes whose SHA-256 was the manifest's. A file that is not in it does not exist.
 */

import type { Downloader } from "../download/download";
import { EncoderStartError, ProbeMismatchError } from "../errors";
import type { Manifest } from "../index/schema";
import type { Encoder } from "../retrieval/collection";
import { type QuestionPieces, unitRows } from "../retrieval/late_interaction";
import { cut } from "./cut";
import { areKept, fetchModel, type LoadPhase, type LoadProgress, type ModelFiles, modelFiles } from "./files";
import { Once } from "./once";
import type { Pass } from "./transformers";
import { cosine, floatsFromBase64 } from "./vector";

/** The least cosine between a probe's vector here and at build time. */
export const PROBE_COSINE = 0.999;

export interface EncoderProgress extends LoadProgress {
  /** When ready, the worst probe's cosine. */
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
  readonly #once = new Once();
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
  get files(): ModelFiles {
    return modelFiles(this.#manifest, this.#manifest.model.folder, this.#downloader.root);
  }

  /** Whether all of them are kept from an earlier visit. */
  kept(): Promise<boolean> {
    return areKept(this.#downloader, this.files);
  }

  /**
   * Download, start, check; once. After a failure the next call tries again.
   *
   * @throws what downloading throws; EncoderStartError; ProbeMismatchError
   */
  ready(): Promise<void> {
    return this.#once.run(
      (signal) => this.#start(signal),
      (cause) => new EncoderStartError(cause),
    );
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
    const { files } = this;
    const total = files.bytes;
    const tell = (phase: LoadPhase, loaded: number, probeCosine: number | null = null): void => {
      if (signal.aborted) return;
      this.#onProgress({ phase, loaded, total, ms: phase === "ready" ? this.#clock() - began : null, probeCosine });
    };
    tell("downloading", 0);
    const [library, held] = await Promise.all([
      import("./transformers"),
      fetchModel(this.#downloader, files, signal, (loaded) => tell("downloading", loaded)),
    ]);
    tell("starting", total);
    const { folder, pooling } = this.#manifest.model;
    this.#running = await library.start({ wasm: held.wasm, file: (name) => held.files.get(name), folder, pooling });

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
