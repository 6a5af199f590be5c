/**
 * An opened index: holds what has been loaded, loads what is asked for, each file once.
 *
 * A shard of the keyword index that cannot be used costs the words in it and nothing else: the failure is reported to
 * `onProblem` and the search goes on with the rest. Every other file that fails ends the request that needed it.
 */

import type { Downloader, ListedFile } from "../download/download";
import { FileFormatError } from "../errors";
import type { ChunkRef, SearchIndex, TokenVectors } from "../retrieval/collection";
import type { Vectors } from "../retrieval/dense";
import { assembleKeywordIndex, type KeywordBase, type KeywordIndex, type TermEntry } from "../retrieval/keyword";
import type { GateThreshold, RetrievalSettings } from "../retrieval/trace";
import { Catalogue } from "./catalogue";
import { listed, loadManifest, parseFile, type Requirements } from "./load";
import { type Plane, readPlane } from "./plane";
import { unpackTerms } from "./postings";
import type {
  CatalogueFile,
  GoldScores,
  Manifest,
  PassageEntry,
  PassagesFile,
  PlaneFile,
  TermShard,
  TermsFile,
  TokenVectorsFile,
} from "./schema";
import { TokenVectorsDirectory } from "./token_vectors";

/** Told of a file that is skipped. */
export type OnProblem = (error: unknown) => void;

export class HeldIndex implements SearchIndex {
  readonly manifest: Manifest;
  readonly catalogue: Catalogue;
  readonly #downloader: Downloader;
  readonly #base: KeywordBase;
  readonly #onProblem: OnProblem;
  readonly #loading = new Map<string, Promise<unknown>>();
  readonly #terms = new Map<string, readonly TermEntry[]>();
  readonly #broken = new Set<string>();
  readonly #passages = new Map<string, PassagesFile>();
  #keyword: KeywordIndex | undefined;

  private constructor(
    downloader: Downloader,
    manifest: Manifest,
    catalogue: Catalogue,
    base: KeywordBase,
    onProblem: OnProblem,
  ) {
    this.#downloader = downloader;
    this.manifest = manifest;
    this.catalogue = catalogue;
    this.#base = base;
    this.#onProblem = onProblem;
  }

  /**
   * Load what the first keyword search needs but for its words: manifest, catalogue, keyword base.
   *
   * @param known the manifest, where it has been read before
   * @throws what loading the manifest throws; what downloading throws; FileFormatError
   */
  static async open(
    downloader: Downloader,
    requirements: Requirements,
    onProblem: OnProblem,
    known?: Manifest,
  ): Promise<HeldIndex> {
    const manifest = known ?? (await loadManifest(downloader, requirements, onProblem));
    const [catalogue, base] = await Promise.all([
      json<CatalogueFile>(downloader, listed(manifest, manifest.catalogue)),
      json<KeywordBase>(downloader, listed(manifest, manifest.keyword.base)),
    ]);
    return new HeldIndex(downloader, manifest, new Catalogue(catalogue), base, onProblem);
  }

  get size(): number {
    return this.catalogue.size;
  }

  get asOf(): string {
    return this.manifest.as_of;
  }

  get settings(): RetrievalSettings {
    return this.manifest.retrieval;
  }

  get gate(): GateThreshold | null {
    return this.manifest.gate;
  }

  chunk(ordinal: number): ChunkRef {
    return this.catalogue.chunk(ordinal);
  }

  async keyword(terms: readonly string[], prefix = ""): Promise<KeywordIndex> {
    return this.#keywordOf(shardsFor(this.manifest.keyword.shards, terms, prefix));
  }

  /** Load the shards that no question has needed yet, one after the other. */
  async prefetchKeyword(): Promise<void> {
    for (const shard of this.manifest.keyword.shards) await this.#shard(shard);
  }

  vectors(): Promise<Vectors> {
    const { counts, model } = this.manifest;
    const file = listed(this.manifest, this.manifest.vectors);
    return this.#once(file.path, async () =>
      readVectors(file, await this.#downloader.bytes(file), counts.chunks, model.dims),
    );
  }

  /** Where the chunks are drawn; null for an index that does not say. */
  async plane(): Promise<Plane | null> {
    const name = this.manifest.plane;
    if (name === null) return null;
    const file = listed(this.manifest, name);
    return this.#once(file.path, async () =>
      readPlane(file.path, await json<PlaneFile>(this.#downloader, file), this.size),
    );
  }

  /** Null in a course without a gold set. */
  async gold(): Promise<GoldScores | null> {
    const name = this.manifest.gold;
    if (name === null) return null;
    const file = listed(this.manifest, name);
    return this.#once(file.path, () => json<GoldScores>(this.#downloader, file));
  }

  async tokenVectors(ordinals: readonly number[]): Promise<TokenVectors | null> {
    const directory = await this.#tokenVectorsDirectory();
    if (!directory) return null;
    const signs = await Promise.all(
      ordinals.map(async (ordinal) => {
        const { file, start, end } = directory.place(ordinal);
        if (file.bytes === 0) return new Uint8Array();
        return (await this.#once(file.path, () => this.#downloader.bytes(file))).subarray(start, end);
      }),
    );
    return { bits: directory.bits, signs, weights: directory.weights };
  }

  async #tokenVectorsDirectory(): Promise<TokenVectorsDirectory | null> {
    const info = this.manifest.token_vectors;
    if (!info) return null;
    const file = listed(this.manifest, info.file);
    return this.#once(file.path, async () => {
      const content = await json<TokenVectorsFile>(this.#downloader, file);
      return new TokenVectorsDirectory(file, content, this.size);
    });
  }

  passages(ordinals: readonly number[]): Promise<readonly PassageEntry[]> {
    return Promise.all(ordinals.map((ordinal) => this.#passage(ordinal)));
  }

  /** The chunk's passage when it has been loaded before, without loading it. */
  passageNow(ordinal: number): PassageEntry | null {
    const loaded = this.#passages.get(this.#passagesFile(ordinal).path);
    return loaded?.passages[ordinal - loaded.first] ?? null;
  }

  async #passage(ordinal: number): Promise<PassageEntry> {
    const file = this.#passagesFile(ordinal);
    const loaded = await this.#once(file.path, () => json<PassagesFile>(this.#downloader, file));
    this.#passages.set(file.path, loaded);
    const entry = loaded.passages[ordinal - loaded.first];
    if (!entry) throw new FileFormatError(file.path, `has no passage ${ordinal}`);
    return entry;
  }

  #passagesFile(ordinal: number): ListedFile {
    const shard = this.manifest.passages.findLast(({ first }) => first <= ordinal);
    if (!shard) throw new RangeError(`there is no chunk ${ordinal}`);
    return listed(this.manifest, shard.file);
  }

  async #keywordOf(shards: readonly TermShard[]): Promise<KeywordIndex> {
    const before = this.#terms.size;
    await Promise.all(shards.map((shard) => this.#shard(shard)));
    if (!this.#keyword || this.#terms.size !== before) {
      this.#keyword = assembleKeywordIndex(this.#base, [...this.#terms.values()].flat());
    }
    return this.#keyword;
  }

  async #shard(shard: TermShard): Promise<void> {
    if (this.#terms.has(shard.file) || this.#broken.has(shard.file)) return;
    try {
      const file = listed(this.manifest, shard.file);
      const terms = await this.#once(file.path, async () => unpackTerms(await json<TermsFile>(this.#downloader, file)));
      if (this.#terms.has(shard.file)) return;
      this.#terms.set(shard.file, terms);
      this.#keyword = undefined;
    } catch (error) {
      if (this.#broken.has(shard.file)) return;
      this.#broken.add(shard.file);
      this.#onProblem(error);
    }
  }

  /** One load a file however often it is asked for; one that failed is tried again at the next request. */
  #once<T>(key: string, load: () => Promise<T>): Promise<T> {
    const known = this.#loading.get(key) as Promise<T> | undefined;
    if (known) return known;
    const promise = load().catch((error: unknown) => {
      this.#loading.delete(key);
      throw error;
    });
    this.#loading.set(key, promise);
    return promise;
  }
}

/** The shards that hold these terms, and those that hold terms with this prefix, in order. */
export function shardsFor(shards: readonly TermShard[], terms: readonly string[], prefix: string): TermShard[] {
  return shards.filter(
    ({ first, last }) =>
      terms.some((term) => first <= term && term <= last) ||
      (prefix !== "" && last >= prefix && (first <= prefix || first.startsWith(prefix))),
  );
}

/**
 * `scales[n]` (float32), then `values[n × dims]` (int8), little-endian as every machine with a browser is.
 *
 * @throws FileFormatError when the length is another
 */
export function readVectors(file: ListedFile, bytes: Uint8Array<ArrayBuffer>, count: number, dims: number): Vectors {
  const expected = count * (4 + dims);
  if (bytes.length !== expected)
    throw new FileFormatError(file.path, `${count} vectors of ${dims} are ${expected} bytes, not ${bytes.length}`);
  return {
    dims,
    scales: new Float32Array(bytes.buffer, bytes.byteOffset, count),
    values: new Int8Array(bytes.buffer, bytes.byteOffset + count * 4, count * dims),
  };
}

async function json<T>(downloader: Downloader, file: ListedFile): Promise<T> {
  return parseFile<T>(file, await downloader.bytes(file));
}
