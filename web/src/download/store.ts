/**
 * Files by their hash, in the Cache API: in parts, so that a download that was cut can go on where it stopped.
 *
 * A part is written as it arrives, unchecked, and is read by nobody until the whole has been found to have its SHA-256.
 * Then the list of the parts is written, with a hash of each: that list is what makes a file a kept one.
 */

import { sha256 } from "./sha256";

interface Part {
  readonly bytes: number;
  readonly sha256: string;
}

/** What is kept, complete or not. */
export interface Kept {
  readonly key: string;
  readonly bytes: number;
  readonly complete: boolean;
}

/** What was kept is not what it was. */
export class DamagedError extends Error {
  constructor(key: string) {
    super(`what was kept of ${key} has changed`);
    this.name = "DamagedError";
  }
}

export class HashStore {
  readonly #name: string;
  readonly #root: URL;
  /** Taken at the beginning: in WebLLM's worker something else takes its place later. */
  readonly #caches = globalThis.caches as CacheStorage | undefined;
  /** Parts that the browser would not take, or all of them where it has no cache: for this visit. */
  readonly #memory = new Map<string, Uint8Array<ArrayBuffer>>();

  /** One store a site, so that two courses on one origin do not touch each other's files. */
  constructor(root: URL) {
    this.#root = root;
    this.#name = `openbook ${root.pathname}`;
  }

  /** The parts of an unfinished or finished file, in order. */
  async *parts(key: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for (let number = 0; ; number++) {
      const part = await this.#read(this.#part(key, number));
      if (!part) return;
      yield part;
    }
  }

  /**
   * Keep one more part.
   *
   * @param must throw when the browser has no room; otherwise the part stays in memory, for this visit.
   * @throws DOMException QuotaExceededError
   */
  async add(key: string, number: number, bytes: Uint8Array<ArrayBuffer>, must: boolean): Promise<void> {
    await this.#put(this.#part(key, number), bytes, must);
  }

  /** The whole has the hash that it should have: from now on it is kept. */
  async finish(key: string): Promise<void> {
    const list: Part[] = [];
    for await (const part of this.parts(key)) list.push({ bytes: part.length, sha256: await sha256(part) });
    await this.#put(this.#list(key), new TextEncoder().encode(JSON.stringify(list)), false);
  }

  async has(key: string): Promise<boolean> {
    return (await this.#bytes(this.#list(key))) !== null;
  }

  /** Bytes that are there, of a finished file or an unfinished one. */
  async size(key: string): Promise<number> {
    let sum = 0;
    for (let number = 0; ; number++) {
      const bytes = await this.#bytes(this.#part(key, number));
      if (bytes === null) return sum;
      sum += bytes;
    }
  }

  /**
   * A kept file's parts, each checked against the list before it is given.
   *
   * @throws DamagedError, after which the file is no longer kept.
   */
  async *checked(key: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const list = JSON.parse(new TextDecoder().decode(await this.#read(this.#list(key)))) as Part[];
    for (const [number, expected] of list.entries()) {
      const part = await this.#read(this.#part(key, number));
      if (!part || part.length !== expected.bytes || (await sha256(part)) !== expected.sha256) {
        await this.drop(key);
        throw new DamagedError(key);
      }
      yield part;
    }
  }

  /** Forget a file and its parts. */
  async drop(key: string): Promise<void> {
    await this.#delete(this.#list(key));
    for (let number = 0; await this.#delete(this.#part(key, number)); number++);
  }

  /** Everything that is kept. */
  async all(): Promise<Kept[]> {
    const start = new URL("sha256/", this.#root).href;
    const cache = await this.#cache();
    const names = [...((await cache?.keys()) ?? []).map((request) => request.url), ...this.#memory.keys()];
    const keys = new Set(
      names.filter((name) => name.startsWith(start)).map((name) => name.slice(start.length).split("/")[0] ?? ""),
    );
    return Promise.all(
      [...keys].sort().map(async (key) => ({ key, bytes: await this.size(key), complete: await this.has(key) })),
    );
  }

  /** A value beside the files, such as what a hub listed once. */
  async note(name: string, value: unknown): Promise<void> {
    await this.#put(this.#note(name), new TextEncoder().encode(JSON.stringify(value)), false);
  }

  async recall<T>(name: string): Promise<T | undefined> {
    const bytes = await this.#read(this.#note(name));
    return bytes && (JSON.parse(new TextDecoder().decode(bytes)) as T);
  }

  async #put(name: string, bytes: Uint8Array<ArrayBuffer>, must: boolean): Promise<void> {
    try {
      const cache = await this.#cache();
      if (cache) {
        await cache.put(name, new Response(bytes, { headers: { "content-length": String(bytes.length) } }));
        return;
      }
    } catch (error) {
      if (must) throw error;
    }
    this.#memory.set(name, bytes);
  }

  async #read(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const held = this.#memory.get(name);
    if (held) return held;
    const response = await (await this.#cache())?.match(name);
    return response ? new Uint8Array(await response.arrayBuffer()) : undefined;
  }

  /** How long it is; null when it is not there. */
  async #bytes(name: string): Promise<number | null> {
    const held = this.#memory.get(name);
    if (held) return held.length;
    const response = await (await this.#cache())?.match(name);
    return response ? Number(response.headers.get("content-length")) : null;
  }

  async #delete(name: string): Promise<boolean> {
    const held = this.#memory.delete(name);
    return (await (await this.#cache())?.delete(name)) || held;
  }

  #note(name: string): string {
    return new URL(`notes/${encodeURIComponent(name)}`, this.#root).href;
  }

  #list(key: string): string {
    return new URL(`sha256/${key}`, this.#root).href;
  }

  #part(key: string, number: number): string {
    return new URL(`sha256/${key}/${number}`, this.#root).href;
  }

  /** Undefined where the browser has none for the site (plain http, some private windows). */
  async #cache(): Promise<Cache | undefined> {
    try {
      return await this.#caches?.open(this.#name);
    } catch {
      return undefined;
    }
  }
}
