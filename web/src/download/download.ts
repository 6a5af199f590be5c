/**
 * Files that are what the manifest says they are, or an error that says which one is not.
 *
 * Nothing reaches the index, the encoder or a cache before its length and SHA-256 have been checked. Large files are
 * kept in the Cache API under their hash, so that an answer once poisoned (a host that serves its start page with
 * status 200 for a missing file) can be neither stored nor read back, and a new version never meets an old name.
 */

import { HtmlInsteadError, HttpStatusError, isAbort, OfflineError, WrongHashError, WrongSizeError } from "../errors";
import { sha256 } from "./sha256";

/** A file as the manifest lists it. */
export interface ListedFile {
  /** Relative to the site's root, with forward slashes, not percent-encoded. */
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** Called while bytes arrive; `loaded` and `total` are bytes of the file as it is, not as it is compressed. */
export type Progress = (loaded: number, total: number) => void;

export interface DownloadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: Progress | undefined;
  /** Look in the Cache API first, and keep the file there. */
  readonly keep?: boolean | undefined;
}

/** Fetches the files of one site. */
export class Downloader {
  readonly root: URL;
  readonly #cacheName: string;

  /** @param root address of the site's root folder; ends with a slash. */
  constructor(root: URL) {
    this.root = root;
    // One cache a site, so that two courses on one origin do not touch each other's files.
    this.#cacheName = `openbook ${root.pathname}`;
  }

  /** Address of a file of the site. */
  address(path: string): URL {
    const url = new URL(path.split("/").map(encodeURIComponent).join("/"), this.root);
    if (url.origin !== this.root.origin) throw new HttpStatusError(path, 0);
    return url;
  }

  /**
   * The manifest itself: the one file that has no hash to check, asked for anew each time.
   *
   * @throws OfflineError, HttpStatusError, HtmlInsteadError
   */
  async text(path: string, signal?: AbortSignal): Promise<string> {
    const response = await this.#request(path, { cache: "no-cache", signal: signal ?? null });
    return response.text();
  }

  /**
   * The bytes of a listed file, checked.
   *
   * @throws OfflineError, HttpStatusError, HtmlInsteadError, WrongSizeError, WrongHashError
   */
  async bytes(file: ListedFile, options: DownloadOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    if (options.keep) {
      const kept = await this.#kept(file);
      if (kept) {
        options.onProgress?.(file.bytes, file.bytes);
        return kept;
      }
    }
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      bytes = await this.#fetch(file, "default", options);
    } catch (error) {
      if (!(error instanceof WrongHashError || error instanceof WrongSizeError || error instanceof HtmlInsteadError))
        throw error;
      // The browser's HTTP cache may hold a wrong answer for good; ask the host once more, past it.
      bytes = await this.#fetch(file, "reload", options);
    }
    if (options.keep) await this.#keep(file, bytes);
    return bytes;
  }

  /** Whether the Cache API holds the file; its content is checked only when it is read. */
  async has(file: ListedFile): Promise<boolean> {
    const cache = await this.#cache();
    return (await cache?.match(this.#key(file))) !== undefined;
  }

  async #fetch(file: ListedFile, mode: RequestCache, options: DownloadOptions): Promise<Uint8Array<ArrayBuffer>> {
    const response = await this.#request(file.path, { cache: mode, signal: options.signal ?? null });
    if (isHtml(response) && !/\.html?$/.test(file.path)) throw new HtmlInsteadError(file.path);
    const bytes = await read(response, file, options.onProgress);
    await check(file, bytes);
    return bytes;
  }

  async #request(path: string, init: RequestInit): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(this.address(path), { ...init, credentials: "same-origin", mode: "same-origin" });
    } catch (error) {
      throw isAbort(error) ? error : new OfflineError(path, error);
    }
    if (!response.ok) throw new HttpStatusError(path, response.status);
    return response;
  }

  #key(file: ListedFile): string {
    return new URL(`sha256/${file.sha256}`, this.root).href;
  }

  /** The site's cache, or undefined where the browser has none for it (plain http, private windows, quota). */
  async #cache(): Promise<Cache | undefined> {
    try {
      return await globalThis.caches?.open(this.#cacheName);
    } catch {
      return undefined;
    }
  }

  async #kept(file: ListedFile): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const cache = await this.#cache();
    const response = await cache?.match(this.#key(file));
    if (!cache || !response) return undefined;
    const bytes = new Uint8Array(await response.arrayBuffer());
    try {
      await check(file, bytes);
      return bytes;
    } catch {
      await cache.delete(this.#key(file));
      return undefined;
    }
  }

  async #keep(file: ListedFile, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    try {
      const cache = await this.#cache();
      await cache?.put(this.#key(file), new Response(bytes, { headers: { "content-length": String(bytes.length) } }));
    } catch {
      // A full quota costs the next visit a download and this one nothing.
    }
  }
}

async function check(file: ListedFile, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  if (bytes.length !== file.bytes) throw new WrongSizeError(file.path, file.bytes, bytes.length);
  const found = await sha256(bytes);
  if (found !== file.sha256) throw new WrongHashError(file.path, file.sha256, found);
}

function isHtml(response: Response): boolean {
  return (response.headers.get("content-type") ?? "").startsWith("text/html");
}

/** The body as one array of exactly the listed size, told of as it grows; longer or shorter is an error. */
async function read(response: Response, file: ListedFile, onProgress?: Progress): Promise<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader();
  if (!reader) return new Uint8Array(await response.arrayBuffer());
  const bytes = new Uint8Array(file.bytes);
  let loaded = 0;
  while (true) {
    let part: ReadableStreamReadResult<Uint8Array>;
    try {
      part = await reader.read();
    } catch (error) {
      if (isAbort(error)) throw error;
      throw new WrongSizeError(file.path, file.bytes, loaded);
    }
    if (part.done) break;
    if (loaded + part.value.length > bytes.length) {
      await reader.cancel();
      throw new WrongSizeError(file.path, file.bytes, loaded + part.value.length);
    }
    bytes.set(part.value, loaded);
    loaded += part.value.length;
    onProgress?.(loaded, bytes.length);
  }
  if (loaded !== bytes.length) throw new WrongSizeError(file.path, file.bytes, loaded);
  return bytes;
}
