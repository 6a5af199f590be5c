/**
 * Files that are what the manifest says they are, or an error that says which one is not.
 *
 * Nothing reaches the index, the encoder or an engine before its length and SHA-256 have been checked. Large files are
 * kept under their hash (`store.ts`), so that an answer once poisoned (a host that serves its start page with status
 * 200 for a missing file) can be neither stored nor read back, and a new version never meets an old name. What was cut
 * goes on where it stopped, in this visit or in the next.
 */

import {
  HtmlInsteadError,
  HttpStatusError,
  isAbort,
  OfflineError,
  StalledError,
  StorageFullError,
  WrongHashError,
  WrongSizeError,
} from "../errors";
import type { BlockHash } from "./block_hash";
import { type AnyFile, keyOf, type ListedFile, type Progress } from "./file";
import { Md5 } from "./md5";
import { hex, Sha256, sha256 } from "./sha256";
import { DamagedError, HashStore, type Kept } from "./store";
import { CutError, request, type TransferOptions, transfer } from "./transfer";

export type { AnyFile, HubFile, ListedFile, Progress } from "./file";

export interface DownloadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: Progress | undefined;
  /**
   * Look among the kept files first, and keep the file there: true when there is room, "must" when the file is of no
   * use otherwise, as with the gigabytes of a language model.
   */
  readonly keep?: boolean | "must" | undefined;
}

/** How patient a downloader is; tests are less so. */
export interface Patience {
  /** Milliseconds without a byte after which the host counts as gone. */
  readonly stallMs: number;
  /** How often a transfer that broke off goes on by itself, and how long it waits before, doubling. */
  readonly tries: number;
  readonly waitMs: number;
  /** Bytes that are kept at a time. */
  readonly part: number;
}

const PATIENCE: Patience = { stallMs: 30_000, tries: 3, waitMs: 1000, part: 16 * 1024 * 1024 };

/** How many files are fetched side by side. */
const SIDE_BY_SIDE = 3;

/** Room for what is still to come. */
export interface Room {
  /** Bytes that are not kept yet. */
  readonly needed: number;
  /** Bytes that the browser would let the site have; null when it does not say. */
  readonly free: number | null;
}

/** Fetches and keeps the files of one site, and those of other hosts that it lists. */
export class Downloader {
  readonly root: URL;
  readonly #store: HashStore;
  readonly #patience: Patience;
  /** Downloads under way, so that two who want one file fetch it once. */
  readonly #running = new Map<string, Promise<void>>();

  /** @param root address of the site's root folder; ends with a slash. */
  constructor(root: URL, patience: Partial<Patience> = {}) {
    this.root = root;
    this.#store = new HashStore(root);
    this.#patience = { ...PATIENCE, ...patience };
  }

  /** Address of a file of the site, or of a listed file elsewhere. */
  address(file: string | AnyFile): URL {
    const { path, from } = typeof file === "string" ? { path: file, from: undefined } : file;
    const base = from === undefined ? this.root : new URL(from);
    const url = new URL(path.split("/").map(encodeURIComponent).join("/"), base);
    if (url.origin !== base.origin) throw new HttpStatusError(path, 0);
    return url;
  }

  /**
   * The manifest itself: the one file that has no hash to check, asked for anew each time.
   *
   * @throws OfflineError, HttpStatusError, HtmlInsteadError, StalledError
   */
  async text(path: string, signal?: AbortSignal): Promise<string> {
    const { stallMs } = this.#patience;
    const response = await request(this.address(path), path, true, { mode: "no-cache", signal, stallMs });
    return response.text();
  }

  /**
   * The bytes of a listed file, checked.
   *
   * @throws OfflineError, HttpStatusError, HtmlInsteadError, StalledError, WrongSizeError, WrongHashError,
   *   StorageFullError; an AbortError when the signal fired
   */
  async bytes(file: AnyFile, options: DownloadOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    if (!options.keep && "sha256" in file) return this.#direct(file, options);
    return this.#kept(file, options, async (parts) => {
      const bytes = new Uint8Array(file.bytes);
      let at = 0;
      for await (const part of parts) {
        bytes.set(part, at);
        at += part.length;
      }
      return bytes;
    });
  }

  /** The same as a Blob, for a file that is better not in memory whole; it is always kept. @throws as `bytes` */
  async blob(file: AnyFile, options: DownloadOptions = {}): Promise<Blob> {
    return this.#kept(file, { keep: "must", ...options }, async (parts) => {
      const blobs: Blob[] = [];
      for await (const part of parts) blobs.push(new Blob([part]));
      return new Blob(blobs);
    });
  }

  /**
   * Fetch what is missing of several files and keep it; one progress for all.
   *
   * @throws as `bytes`, of the first that fails, the others then being stopped.
   */
  async all(files: readonly AnyFile[], options: DownloadOptions = {}): Promise<void> {
    const total = files.reduce((sum, file) => sum + file.bytes, 0);
    const arrived = new Map<AnyFile, number>();
    const stop = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
    if (options.keep === "must") await this.#needRoom(files);
    const waiting = [...files];
    const work = async (): Promise<void> => {
      for (let file = waiting.shift(); file; file = waiting.shift()) {
        const own = file;
        await this.#hold(own, {
          keep: options.keep ?? true,
          signal,
          onProgress: (loaded) => {
            arrived.set(own, loaded);
            options.onProgress?.(
              [...arrived.values()].reduce((a, b) => a + b, 0),
              total,
            );
          },
        });
      }
    };
    let failure: { readonly error: unknown } | undefined;
    const begun = Array.from({ length: SIDE_BY_SIDE }, async () => {
      try {
        await work();
      } catch (error) {
        failure ??= { error };
        stop.abort();
      }
    });
    // Those that are stopped first write down what they have.
    await Promise.all(begun);
    if (failure) throw failure.error;
  }

  /**
   * A file of another host of which no hash is known: what it sends at the first visit is what it will have to send.
   *
   * @returns the file as it is from now on listed, its bytes being kept. @throws as `bytes`
   */
  async learn(path: string, from: string, options: DownloadOptions = {}): Promise<ListedFile> {
    const response = await request(
      this.address({ path, from, bytes: 0, md5: "" }),
      path,
      false,
      this.#request(options, "no-store"),
    );
    const bytes = new Uint8Array(await response.arrayBuffer());
    const file = { path, from, bytes: bytes.length, sha256: await sha256(bytes) };
    if (!(await this.has(file))) {
      await this.#store.drop(file.sha256);
      await this.#add(file, 0, bytes, options.keep === "must");
      await this.#store.finish(file.sha256);
    }
    return file;
  }

  /** Keep a value beside the files; and read it again, undefined when there is none. */
  note(name: string, value: unknown): Promise<void> {
    return this.#store.note(name, value);
  }

  recall<T>(name: string): Promise<T | undefined> {
    return this.#store.recall<T>(name);
  }

  /** Whether the file is kept whole; its content is checked when it is read. */
  has(file: AnyFile): Promise<boolean> {
    return this.#store.has(keyOf(file));
  }

  /** What fetching these files would still need, and what there is. */
  async room(files: readonly AnyFile[]): Promise<Room> {
    const there = await Promise.all(files.map((file) => this.#store.size(keyOf(file))));
    const needed = files.reduce((sum, file, i) => sum + Math.max(0, file.bytes - (there[i] ?? 0)), 0);
    const { quota, usage } = (await globalThis.navigator?.storage?.estimate?.().catch(() => undefined)) ?? {};
    return { needed, free: quota === undefined ? null : Math.max(0, quota - (usage ?? 0)) };
  }

  /** Everything that is kept for the site, by SHA-256, unfinished downloads too. */
  stored(): Promise<Kept[]> {
    return this.#store.all();
  }

  async remove(hashes: readonly string[]): Promise<void> {
    await Promise.all(hashes.map((hash) => this.#store.drop(hash)));
  }

  /** Without the store: for the small files of an index, which the browser's HTTP cache keeps well enough. */
  async #direct(file: ListedFile, options: DownloadOptions): Promise<Uint8Array<ArrayBuffer>> {
    const once = async (mode: RequestCache): Promise<Uint8Array<ArrayBuffer>> => {
      const { pieces } = await transfer(
        this.address(file),
        file,
        file.from === undefined,
        this.#request(options, mode),
      );
      const bytes = new Uint8Array(file.bytes);
      let loaded = 0;
      for await (const piece of pieces) {
        if (loaded + piece.length > file.bytes) throw new WrongSizeError(file.path, file.bytes, loaded + piece.length);
        bytes.set(piece, loaded);
        loaded += piece.length;
        options.onProgress?.(loaded, file.bytes);
      }
      if (loaded !== file.bytes) throw new WrongSizeError(file.path, file.bytes, loaded);
      const found = await sha256(bytes);
      if (!found.startsWith(file.sha256)) throw new WrongHashError(file.path, file.sha256, found);
      return bytes;
    };
    try {
      return await once("default");
    } catch (error) {
      if (!isWrong(error)) throw error;
      // The browser's HTTP cache may hold a wrong answer for good; ask the host once more, past it.
      return once("reload");
    }
  }

  async #kept<T>(
    file: AnyFile,
    options: DownloadOptions,
    use: (parts: AsyncIterable<Uint8Array<ArrayBuffer>>) => Promise<T>,
  ): Promise<T> {
    try {
      await this.#hold(file, options);
      return await use(this.#store.checked(keyOf(file)));
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error;
      await this.#hold(file, options);
      return use(this.#store.checked(keyOf(file)));
    }
  }

  /** See to it that the file is in the store. */
  async #hold(file: AnyFile, options: DownloadOptions): Promise<void> {
    const key = keyOf(file);
    while (!(await this.#store.has(key))) {
      const others = this.#running.get(key);
      const running = others ?? this.#alone(file, options).finally(() => this.#running.delete(key));
      this.#running.set(key, running);
      try {
        await running;
        break;
      } catch (error) {
        // Whoever began it gave up; that is no reason for this one to.
        if (!others || !isAbort(error) || options.signal?.aborted) throw error;
      }
    }
    options.onProgress?.(file.bytes, file.bytes);
  }

  /** One tab at a time, where the browser can say so: two would write each other's parts. */
  async #alone(file: AnyFile, options: DownloadOptions): Promise<void> {
    const locks = globalThis.navigator?.locks;
    if (!locks) return this.#fetch(file, options);
    const name = `openbook ${this.root.pathname} ${keyOf(file)}`;
    await locks.request(name, { ...(options.signal ? { signal: options.signal } : {}) }, async () => {
      if (!(await this.#store.has(keyOf(file)))) await this.#fetch(file, options);
    });
  }

  /** Fetch, going on by itself after what may pass: a cut, a stall, a network that was gone for a moment. */
  async #fetch(file: AnyFile, options: DownloadOptions): Promise<void> {
    if (options.keep === "must") await this.#needRoom([file]);
    const { tries, waitMs } = this.#patience;
    for (let broken = 0, wrong = 0; ; ) {
      const before = await this.#store.size(keyOf(file));
      try {
        // What is kept here is not to lie in the browser's HTTP cache as well.
        return await this.#attempt(file, options, wrong > 0 ? "reload" : "no-store");
      } catch (error) {
        options.signal?.throwIfAborted();
        if (isPassing(error)) {
          // As long as something arrives each time, it is worth going on.
          if ((await this.#store.size(keyOf(file))) > before) broken = 0;
          if (++broken > tries) throw error;
          await delay(waitMs * 2 ** (broken - 1), options.signal);
        } else if (isWrong(error) && wrong === 0) wrong++;
        else throw error;
      }
    }
  }

  /** One transfer, from where the last one stopped. */
  async #attempt(file: AnyFile, options: DownloadOptions, mode: RequestCache): Promise<void> {
    const key = keyOf(file);
    const begin = (): BlockHash => ("sha256" in file ? new Sha256() : new Md5());
    let hash = begin();
    let number = 0;
    let loaded = 0;
    for await (const part of this.#store.parts(key)) {
      hash.update(part);
      loaded += part.length;
      number++;
    }
    if (loaded > file.bytes) {
      await this.#store.drop(key);
      [hash, number, loaded] = [begin(), 0, 0];
    }
    const buffer = new Uint8Array(Math.max(1, Math.min(this.#patience.part, file.bytes)));
    let held = 0;
    const write = async (): Promise<void> => {
      if (held > 0) await this.#add(file, number++, buffer.slice(0, held), options.keep === "must");
      held = 0;
    };
    if (loaded < file.bytes) {
      const own = file.from === undefined;
      const found = await transfer(this.address(file), file, own, { ...this.#request(options, mode), from: loaded });
      if (found.start !== loaded) {
        // The host gives files only whole.
        await this.#store.drop(key);
        [hash, number, loaded] = [begin(), 0, 0];
      }
      try {
        for await (const piece of found.pieces) {
          if (loaded + piece.length > file.bytes) {
            held = 0;
            await this.#store.drop(key);
            throw new WrongSizeError(file.path, file.bytes, loaded + piece.length);
          }
          hash.update(piece);
          loaded += piece.length;
          for (let at = 0; at < piece.length; ) {
            const some = piece.subarray(at, at + buffer.length - held);
            buffer.set(some, held);
            held += some.length;
            at += some.length;
            if (held === buffer.length) await write();
          }
          options.onProgress?.(loaded, file.bytes);
        }
      } finally {
        await write();
      }
      if (loaded !== file.bytes) throw new CutError(file.path, file.bytes, loaded);
    }
    const [expected, sum] = ["sha256" in file ? file.sha256 : file.md5, hex(hash.digest())];
    if (sum !== expected) {
      await this.#store.drop(key);
      throw new WrongHashError(file.path, expected, sum);
    }
    await this.#store.finish(key);
  }

  async #add(file: AnyFile, number: number, bytes: Uint8Array<ArrayBuffer>, must: boolean): Promise<void> {
    try {
      await this.#store.add(keyOf(file), number, bytes, must);
    } catch (error) {
      if (!(error instanceof DOMException && error.name === "QuotaExceededError")) throw error;
      const { needed, free } = await this.room([file]);
      throw new StorageFullError(file.path, needed, free);
    }
  }

  async #needRoom(files: readonly AnyFile[]): Promise<void> {
    const { needed, free } = await this.room(files);
    if (free !== null && free < needed) throw new StorageFullError(files[0]?.path ?? "", needed, free);
  }

  #request(options: DownloadOptions, mode: RequestCache): TransferOptions {
    return { signal: options.signal, mode, stallMs: this.#patience.stallMs };
  }
}

/** Whether the answer was another file than the listed one. */
function isWrong(error: unknown): boolean {
  return error instanceof WrongHashError || error instanceof WrongSizeError || error instanceof HtmlInsteadError;
}

/** Whether it is worth going on from where it stopped. */
function isPassing(error: unknown): boolean {
  if (error instanceof HttpStatusError) return Number(error.found) >= 500 || error.found === "429";
  return error instanceof OfflineError || error instanceof StalledError || error instanceof CutError;
}

function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
