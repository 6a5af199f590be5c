/**
 * The cross-encoder of the build, in the tab, on the same runtime as the encoder. Nothing of it is fetched before the
 * reader has switched it on.
 */

import type { Downloader } from "../download/download";
import { CrossEncoderStartError, ProbeScoreError } from "../errors";
import type { CrossEncoderInfo, Manifest } from "../index/schema";
import type { CrossEncoder } from "../retrieval/collection";
import { pair } from "../retrieval/cross_encoder";
import { areKept, fetchModel, type LoadPhase, type LoadProgress, type ModelFiles, modelFiles } from "./files";
import { Once } from "./once";
import type { PairModel } from "./transformers";

/** The most by which the probe's score may differ here and at build time. */
export const PROBE_APART = 1e-3;

export class TabCrossEncoder implements CrossEncoder {
  readonly #downloader: Downloader;
  readonly #manifest: Manifest;
  readonly #info: CrossEncoderInfo;
  readonly #onProgress: (progress: LoadProgress) => void;
  readonly #clock: () => number;
  readonly #once = new Once();
  #running: PairModel | undefined;

  constructor(
    downloader: Downloader,
    manifest: Manifest,
    info: CrossEncoderInfo,
    clock: () => number,
    onProgress: (progress: LoadProgress) => void,
  ) {
    this.#downloader = downloader;
    this.#manifest = manifest;
    this.#info = info;
    this.#clock = clock;
    this.#onProgress = onProgress;
  }

  /** The files to download, and with them their size. @throws NotListedError */
  get files(): ModelFiles {
    return modelFiles(this.#manifest, this.#info.folder, this.#downloader.root);
  }

  /** Bytes of the model alone: the runtime is here already, with the encoder. @throws NotListedError */
  get bytes(): number {
    const { wasm, bytes } = this.files;
    return bytes - wasm.bytes;
  }

  /** Whether all of them are kept from an earlier visit. */
  kept(): Promise<boolean> {
    return areKept(this.#downloader, this.files);
  }

  /**
   * Download, start, check; once. After a failure the next call tries again.
   *
   * @throws what downloading throws; CrossEncoderStartError; ProbeScoreError
   */
  ready(): Promise<void> {
    return this.#once.run(
      (signal) => this.#start(signal),
      (cause) => new CrossEncoderStartError(cause),
    );
  }

  async score(question: string, passages: readonly string[], signal?: AbortSignal): Promise<number[]> {
    const running = this.#running;
    if (!running) throw new CrossEncoderStartError("it was asked before it had loaded");
    const asked = running.ids(question);
    const scores: number[] = [];
    for (const passage of passages) {
      signal?.throwIfAborted();
      const { opening, closing } = running;
      const { ids, types } = pair(asked, running.ids(passage), opening, closing, this.#info.max_tokens);
      scores.push(await running.score(ids, types));
    }
    signal?.throwIfAborted();
    return scores;
  }

  async #start(signal: AbortSignal): Promise<void> {
    const began = this.#clock();
    const { files } = this;
    const total = files.bytes;
    const tell = (phase: LoadPhase, loaded: number): void => {
      if (signal.aborted) return;
      this.#onProgress({ phase, loaded, total, ms: phase === "ready" ? this.#clock() - began : null });
    };
    tell("downloading", 0);
    const [library, held] = await Promise.all([
      import("./transformers"),
      fetchModel(this.#downloader, files, signal, (loaded) => tell("downloading", loaded)),
    ]);
    tell("starting", total);
    const { folder, probe } = this.#info;
    this.#running = await library.startPairs({ wasm: held.wasm, file: (name) => held.files.get(name), folder });
    tell("checking", total);
    const [question, passage, expected] = probe;
    const [found] = await this.score(question, [passage]);
    if (!(Math.abs((found ?? Number.NaN) - expected) <= PROBE_APART)) {
      this.#running = undefined;
      throw new ProbeScoreError(found ?? Number.NaN, expected);
    }
    tell("ready", total);
  }
}
