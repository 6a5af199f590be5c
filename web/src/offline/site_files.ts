/**
 * What of a site is kept for offline use, and where: the rules that the service worker and the page share.
 *
 * Files below `assets/` and `index/` carry a hash of their content in their name, so one that is kept is right for good.
 * Pages and what stands in them (`document`) change under their name. The `start` pair, `index.html` and the manifest,
 * is kept only as two that fit together (`keeper.ts`). Models and runtimes (`model`) have a store of their own, in which
 * each is checked by its SHA-256 (`download/store.ts`); they are not kept twice.
 */

import type { ListedFile } from "../download/file";
import type { Manifest } from "../index/schema";

export type FileKind = "hashed" | "document" | "start" | "model";

export const START_PAGE = "index.html";
export const MANIFEST = "index/manifest.json";
/** How long the build took: it differs from build to build, so it has no hash and is on no list. */
export const REPORT = "index/build.json";
/** The service worker itself, beside `index.html`. */
export const SERVICE_WORKER = "service-worker.js";

/** `index/site-<hash>.json`: what is to be kept for offline use beside the files of the manifest. */
export interface SiteList {
  /** Of their SHA-256 only the first digits. */
  readonly files: readonly ListedFile[];
}

/** Path of a manifest's list of the site; null when the site is not to be kept, or the text is no manifest. */
export function listOf(manifest: string): string | null {
  try {
    const { offline, files } = JSON.parse(manifest) as Partial<Manifest>;
    return (offline && files?.[offline]?.path) ?? null;
  } catch {
    return null;
  }
}

/** Of the cache: it carries the site's path, so that two courses on one origin never meet. */
export function cacheName(root: URL): string {
  return `openbook site ${root.pathname}`;
}

/** Path of an address below the site's root, without query and fragment; null for one of elsewhere. */
export function pathIn(address: string | URL, root: URL): string | null {
  const url = new URL(address);
  if (url.origin !== root.origin || !url.pathname.startsWith(root.pathname)) return null;
  const path = decodeURIComponent(url.pathname.slice(root.pathname.length));
  return path === "" || path.endsWith("/") ? `${path}index.html` : path;
}

/** The one address that a path is kept under. */
export function addressOf(path: string, root: URL): string {
  return new URL(path.split("/").map(encodeURIComponent).join("/"), root).href;
}

export function kindOf(path: string): FileKind {
  if (path === START_PAGE || path === MANIFEST) return "start";
  if (/^(?:models|generation)\//.test(path) || path.endsWith(".wasm") || path === SERVICE_WORKER) return "model";
  if (path.startsWith("assets/") || (path.startsWith("index/") && path !== REPORT)) return "hashed";
  return "document";
}

/** Whether this answer may be kept as the file at that path: whole, and no web page in place of data. */
export function isFile(response: Response, path: string): boolean {
  const html = (response.headers.get("content-type") ?? "").startsWith("text/html");
  return response.status === 200 && !response.redirected && (!html || path.endsWith(".html"));
}
