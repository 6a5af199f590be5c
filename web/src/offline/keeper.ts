/**
 * The page's side of keeping a site: registers the service worker, and decides what makes a version whole.
 *
 * The start page and the manifest are kept as a pair that opened here and fits: every script that the page names is
 * listed in that manifest. So what is there without a network is one version, never the page of one and the index of
 * another. Files of an older version go when no other tab has the site open.
 */

import type { Downloader, ListedFile } from "../download/download";
import { sha256 } from "../download/sha256";
import { request } from "../download/transfer";
import { modelFiles } from "../encoder/files";
import { StorageFullError, WrongHashError } from "../errors";
import { listed, parseFile } from "../index/load";
import type { Manifest } from "../index/schema";
import { trustedScript } from "../page/trust";
import {
  addressOf,
  cacheName,
  isFile,
  kindOf,
  listOf,
  MANIFEST,
  pathIn,
  REPORT,
  SERVICE_WORKER,
  type SiteList,
  START_PAGE,
} from "./site_files";

/** Whether the site has changed since this page was opened; `unknown` when the host could not be asked. */
export type Freshness = "current" | "outdated" | "unknown";

/** Of the files that the reader may keep: how much there is, and how much is here already. */
export interface Extent {
  readonly bytes: number;
  readonly kept: number;
  readonly missing: readonly ListedFile[];
  /** Of search by meaning, what is not here; it is kept apart. */
  readonly encoder: readonly ListedFile[];
}

/** Scripts that only a language model needs: megabytes, which are kept when one has run, and not before. */
const ENGINE = /^assets\/(?:lib|webllm|wllama)[-_]/;

const STALL_MS = 30_000;
const SIDE_BY_SIDE = 4;

/** Undefined where the browser has no service workers for this page: plain http, some private windows. */
function container(): ServiceWorkerContainer | undefined {
  return globalThis.navigator?.serviceWorker as ServiceWorkerContainer | undefined;
}

export class Keeper {
  readonly #root: URL;
  readonly #manifest: Manifest;
  readonly #downloader: Downloader;
  readonly #seen = new Set<string>();
  #list: Promise<readonly ListedFile[]> | undefined;

  constructor(downloader: Downloader, manifest: Manifest) {
    this.#root = downloader.root;
    this.#downloader = downloader;
    this.#manifest = manifest;
  }

  /** Whether this browser keeps sites at all. */
  static possible(): boolean {
    return container() !== undefined && "caches" in globalThis;
  }

  async register(): Promise<void> {
    const scope = this.#root.href;
    await container()?.register(trustedScript(new URL(SERVICE_WORKER, this.#root).href), { scope });
  }

  /** What was fetched before the service worker could see it, and what it would not know to be the site's. */
  async remember(addresses: readonly string[]): Promise<void> {
    const cache = await this.#cache();
    const fresh = addresses.filter((address) => !this.#seen.has(address));
    await Promise.all(
      fresh.map(async (address) => {
        this.#seen.add(address);
        const path = pathIn(address, this.#root);
        if (path === null || !["hashed", "document"].includes(kindOf(path))) return;
        if (!(await this.#isListed(path)) || (await cache.match(addressOf(path, this.#root)))) return;
        try {
          const response = await fetch(address, { cache: "force-cache" });
          if (isFile(response, path)) await this.#put(cache, path, response);
        } catch (error) {
          this.#seen.delete(address); // the next time, perhaps
          throw error;
        }
      }),
    );
  }

  /** Keep start page and manifest as the host has them now, if they are those of this page; forget older files. */
  async adopt(): Promise<Freshness> {
    const ask = (address: string): Promise<Response> => fetch(address, { cache: "no-cache" });
    const [page, manifest] = await Promise.all([ask(this.#root.href), ask(addressOf(MANIFEST, this.#root))]);
    if (!isFile(page, START_PAGE) || !isFile(manifest, MANIFEST)) return "unknown";
    const [html, text] = await Promise.all([page.clone().text(), manifest.clone().text()]);
    if (!this.#isSame(text)) return "outdated";
    const paths = new Set(Object.values(this.#manifest.files).map(({ path }) => path));
    const needed = [...html.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map((match) => match[1] ?? "");
    // In the midst of a deploy: the page of one version and the index of another.
    if (!needed.every((path) => paths.has(path))) return "unknown";
    await this.remember([...needed, listOf(text) ?? ""].map((path) => addressOf(path, this.#root)));
    const cache = await this.#cache();
    await this.#put(cache, START_PAGE, page);
    await this.#put(cache, MANIFEST, manifest);
    await this.#forget(cache);
    return "current";
  }

  /** Ask the host whether this page is still the newest. */
  async freshness(): Promise<Freshness> {
    try {
      const text = await this.#downloader.text(MANIFEST);
      return this.#isSame(text) ? "current" : "outdated";
    } catch {
      return "unknown";
    }
  }

  async extent(): Promise<Extent> {
    const files = await this.#files();
    const cache = await this.#cache();
    const kept = new Set((await cache.keys()).map(({ url }) => url));
    const missing = files.filter(({ path }) => !kept.has(addressOf(path, this.#root)));
    const bytes = sum(files);
    const { wasm, model } = modelFiles(this.#manifest, this.#manifest.model.folder, this.#root);
    const encoder = [wasm, ...model];
    const here = await Promise.all(encoder.map((file) => this.#downloader.has(file)));
    return { bytes, kept: bytes - sum(missing), missing, encoder: encoder.filter((_, place) => !here[place]) };
  }

  /**
   * Fetch and keep what is missing, each file checked.
   *
   * @throws OfflineError, HttpStatusError, HtmlInsteadError, StalledError, WrongHashError, StorageFullError; an
   *   AbortError when the signal fired
   */
  async keepAll(onProgress: (loaded: number, total: number) => void, signal: AbortSignal): Promise<void> {
    await this.register();
    await this.adopt();
    const { missing, encoder } = await this.extent();
    const cache = await this.#cache();
    const total = sum(missing) + sum(encoder);
    const waiting = [...missing];
    let loaded = 0;
    const stop = new AbortController();
    const stopped = AbortSignal.any([signal, stop.signal]);
    const work = async (): Promise<void> => {
      for (let file = waiting.shift(); file; file = waiting.shift()) {
        await this.#keep(cache, file, stopped);
        loaded += file.bytes;
        onProgress(loaded, total);
      }
    };
    try {
      await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
      const before = loaded;
      await this.#downloader.all(encoder, {
        keep: "must",
        signal: stopped,
        onProgress: (more) => onProgress(before + more, total),
      });
    } finally {
      stop.abort();
    }
  }

  /** Forget the whole site on this device, and what kept it. The models are kept apart and stay. */
  static async forgetAll(root: URL): Promise<void> {
    await globalThis.caches?.delete(cacheName(root));
    const registration = await container()?.getRegistration(root.href);
    // An address without a registration of its own answers with that of a folder above it.
    if (registration?.scope === root.href) await registration.unregister();
  }

  async #keep(cache: Cache, file: ListedFile, signal: AbortSignal): Promise<void> {
    const address = addressOf(file.path, this.#root);
    const options = { mode: "no-cache", signal, stallMs: STALL_MS } as const;
    const response = await request(new URL(address), file.path, true, options);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const found = await sha256(bytes);
    if (!found.startsWith(file.sha256)) throw new WrongHashError(file.path, file.sha256, found);
    const type = response.headers.get("content-type") ?? "application/octet-stream";
    const headers = { "content-type": type, "content-length": String(bytes.length) };
    await this.#put(cache, file.path, new Response(bytes, { headers }));
  }

  /** @throws StorageFullError */
  async #put(cache: Cache, path: string, response: Response): Promise<void> {
    const bytes = Number(response.headers.get("content-length") ?? 0);
    try {
      await cache.put(addressOf(path, this.#root), response);
    } catch (error) {
      if (!(error instanceof DOMException && error.name === "QuotaExceededError")) throw error;
      throw new StorageFullError(path, bytes, (await this.#downloader.room([])).free);
    }
  }

  /** Every file of the site can be told apart by the manifest's list, which has the hash of each. */
  #isSame(text: string): boolean {
    try {
      return JSON.stringify((JSON.parse(text) as Manifest).files) === JSON.stringify(this.#manifest.files);
    } catch {
      return true; // no manifest at all is not a newer one
    }
  }

  async #forget(cache: Cache): Promise<void> {
    const paths = (await cache.keys()).flatMap(({ url }) => pathIn(url, this.#root) ?? []);
    const old = [];
    for (const path of paths) if (!(await this.#isListed(path)) && kindOf(path) !== "start") old.push(path);
    const registration = await container()?.getRegistration(this.#root.href);
    if (old.length > 0) registration?.active?.postMessage({ type: "forget", paths: old });
  }

  async #isListed(path: string): Promise<boolean> {
    const listed = [...Object.values(this.#manifest.files), ...(await this.#files())];
    return path === REPORT || listed.some((file) => file.path === path);
  }

  /** Everything that is to be kept here. */
  #files(): Promise<readonly ListedFile[]> {
    this.#list ??= this.#load();
    return this.#list;
  }

  async #load(): Promise<readonly ListedFile[]> {
    const { offline, files } = this.#manifest;
    const own = Object.values(files).filter(({ path }) => kindOf(path) === "hashed" && !ENGINE.test(path));
    if (offline === null) return own;
    const file = listed(this.#manifest, offline);
    return [...own, ...parseFile<SiteList>(file, await this.#downloader.bytes(file)).files];
  }

  #cache(): Promise<Cache> {
    return caches.open(cacheName(this.#root));
  }
}

function sum(files: readonly ListedFile[]): number {
  return files.reduce((total, { bytes }) => total + bytes, 0);
}
