/**
 * A site's index and models, opened once in a worker, however many question boxes on a page ask it
 * (`<open-book>` twice on one page share one encoder).
 */

import { Downloader } from "./download/download";
import { TabCrossEncoder } from "./encoder/cross_encoder";
import { TabEncoder } from "./encoder/encoder";
import { isAbort, PageOutdatedError, recordOf } from "./errors";
import { HeldIndex } from "./index/hold";
import { sitePath } from "./index/load";
import type { Manifest } from "./index/schema";
import type { FromWorker } from "./protocol";
import type { CrossEncoder, Encoder } from "./retrieval/collection";
import { TOKENIZER_FINGERPRINT } from "./retrieval/tokens";

export type Post = (message: FromWorker) => void;

export interface Opened {
  readonly index: HeldIndex;
  readonly encoder: TabEncoder;
  /** Null when the site offers none. */
  readonly crossEncoder: TabCrossEncoder | null;
  /** The encoder together with what dense search needs besides. */
  readonly dense: Encoder;
  /** The cross-encoder as the pipeline takes it; what goes wrong with it is told to everybody. */
  readonly crossing: CrossEncoder | null;
}

/** One site, and everybody who asks it. */
export class Opening {
  readonly opened: Promise<Opened>;
  readonly #clock: () => number;
  readonly #listeners = new Set<Post>();
  /** How far each model is, and each problem, for those who come later. */
  readonly #last = new Map<string, FromWorker>();

  /** @param manifest of the page, where it has been read before */
  constructor(root: URL, clock: () => number, manifest?: Manifest) {
    this.#clock = clock;
    this.opened = this.#open(root, manifest);
    // Whoever waits for it meets what it throws; here it must only not count as unhandled.
    this.opened.catch(() => {});
  }

  /** Tell `post` what concerns everybody, from what is known by now on. */
  join(post: Post): void {
    this.#listeners.add(post);
    for (const message of this.#last.values()) post(message);
  }

  #tell(message: FromWorker): void {
    this.#last.set(message.type === "problem" ? message.error.message : message.type, message);
    for (const post of this.#listeners) post(message);
  }

  async #open(root: URL, known: Manifest | undefined): Promise<Opened> {
    const downloader = new Downloader(root);
    const problem = (error: unknown): void => this.#tell({ type: "problem", error: recordOf(error) });
    const index = await HeldIndex.open(downloader, { fingerprint: TOKENIZER_FINGERPRINT }, problem, known);
    needOwnScript(index.manifest, root);
    const encoder = new TabEncoder(downloader, index.manifest, this.#clock, (progress) =>
      this.#tell({ type: "encoder", state: { ...progress, error: null } }),
    );
    const vectors = async (): Promise<void> => {
      try {
        await index.vectors();
      } catch (error) {
        problem(error);
        throw error;
      }
    };
    const dense: Encoder = {
      // Dense search needs both; when the vectors fail, the encoder's stages are skipped and keyword results stand.
      ready: async () => {
        await Promise.all([this.#readyEncoder(encoder), vectors()]);
      },
      embed: (question) => encoder.embed(question),
      pieces: (question) => encoder.pieces(question),
      countTokens: (text) => encoder.countTokens(text),
    };
    const info = index.manifest.cross_encoder;
    const crossEncoder =
      info &&
      new TabCrossEncoder(downloader, index.manifest, info, this.#clock, (progress) =>
        this.#tell({ type: "cross-encoder", state: { ...progress, error: null } }),
      );
    return { index, encoder, crossEncoder, dense, crossing: this.#crossing(crossEncoder) };
  }

  async #readyEncoder(encoder: TabEncoder): Promise<void> {
    try {
      await encoder.ready();
    } catch (error) {
      this.#tell({ type: "encoder", state: { phase: "failed", error: recordOf(error) } });
      throw error;
    }
  }

  #crossing(crossEncoder: TabCrossEncoder | null): CrossEncoder | null {
    if (!crossEncoder) return null;
    const telling = async <T>(work: Promise<T>): Promise<T> => {
      try {
        return await work;
      } catch (error) {
        if (!isAbort(error)) this.#tell({ type: "cross-encoder", state: { phase: "failed", error: recordOf(error) } });
        throw error;
      }
    };
    return {
      ready: () => telling(crossEncoder.ready()),
      score: (question, passages, signal) => telling(crossEncoder.score(question, passages, signal)),
    };
  }
}

/**
 * A page of one version must not search the index of another: their files are listed together, this script among them.
 *
 * @throws PageOutdatedError
 */
function needOwnScript({ files }: Manifest, root: URL): void {
  const { href } = new URL(import.meta.url);
  if (!href.startsWith(`${root.href}assets/`)) return; // the page is not of this site, or not built
  const script = sitePath(href, root);
  if (!Object.values(files).some(({ path }) => path === script)) throw new PageOutdatedError(script);
}

/** The sites that a worker has open, by address. One that could not be opened is tried anew by the next who asks. */
export class Openings {
  readonly #clock: () => number;
  readonly #sites = new Map<string, Opening>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  of(root: URL, manifest?: Manifest): Opening {
    const known = this.#sites.get(root.href);
    if (known) return known;
    const opening = new Opening(root, this.#clock, manifest);
    this.#sites.set(root.href, opening);
    opening.opened.catch(() => this.#sites.delete(root.href));
    return opening;
  }
}
