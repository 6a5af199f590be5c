/**
 * The service worker: what is kept is there without a network.
 *
 * It decides nothing but where a file comes from. Files with a hash in their name come from the cache, and from the
 * network once. Pages come from the network as long as there is one, and are then as new as the host's. What makes a
 * version of the site complete, and when an old one may go, the page decides, which knows what it needs (`keeper.ts`).
 */

import { addressOf, cacheName, isFile, kindOf, listOf, MANIFEST, pathIn, REPORT, type SiteList } from "./site_files";

/** What TypeScript's library says of these only for a program that has no document. */
interface WorkerScope {
  readonly registration: { readonly scope: string };
  readonly clients: {
    matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<readonly { readonly url: string }[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install", listener: (event: Lasting) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetching) => void): void;
  addEventListener(type: "message", listener: (event: Lasting & MessageEvent) => void): void;
}
interface Lasting {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Lasting {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

const worker = self as unknown as WorkerScope;
const root = new URL(worker.registration.scope);

/** How long a page waits for a network that says neither yes nor no, when there is a kept one. */
const PATIENCE_MS = 4000;

// A newer one has the same cache and the same rules, so nothing is gained by waiting.
worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = pathIn(request.url, root);
  if (request.method !== "GET" || path === null || request.headers.has("range")) return;
  const kind = kindOf(path);
  if (kind === "model") return;
  event.respondWith(kind === "hashed" ? byHash(event, path) : fresh(event, path, kind === "document"));
});

/** `{type: "forget", paths}`: old files, which may go when nobody else has the site open and might still ask for them. */
worker.addEventListener("message", (event) => {
  const { type, paths } = event.data as { readonly type: string; readonly paths: readonly string[] };
  if (type === "forget") event.waitUntil(forget(paths));
});

async function byHash(event: Fetching, path: string): Promise<Response> {
  const { request } = event;
  const cache = await open();
  // "reload" is how the page asks again for what was not the listed file.
  const kept = request.cache === "reload" ? undefined : await cache?.match(addressOf(path, root));
  if (kept) return kept;
  const response = await fetch(request);
  if (cache && isFile(response, path)) event.waitUntil(keep(cache, path, response.clone()));
  return response;
}

async function fresh(event: Fetching, path: string, keeps: boolean): Promise<Response> {
  const cache = await open();
  const kept = await cache?.match(addressOf(path, root));
  // Past the HTTP cache, which may hold a page that is older than the index.
  const asked = fetch(event.request, { cache: "no-cache" }).then((response) => {
    if (cache && keeps && isFile(response, path)) event.waitUntil(keepOwn(cache, path, response.clone()));
    return response;
  });
  if (!kept) return asked;
  event.waitUntil(asked.catch(() => {}));
  const late = new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), PATIENCE_MS);
  });
  const response = await Promise.race([asked, late]).catch(() => null);
  // A host in trouble is no better than none; one that says "not here" is believed.
  return response && response.status < 500 ? response : kept;
}

async function keep(cache: Cache, path: string, response: Response): Promise<void> {
  // A browser without room keeps no more; everything works as it did without.
  await cache.put(addressOf(path, root), response).catch(() => {});
}

/** Another site may lie in a folder of this one, and it keeps its files itself: only what is listed is kept here. */
async function keepOwn(cache: Cache, path: string, response: Response): Promise<void> {
  const manifest = await (await cache.match(addressOf(MANIFEST, root)))?.text();
  const list = manifest && (await cache.match(addressOf(listOf(manifest) ?? "", root)));
  const { files } = list ? ((await list.json()) as SiteList) : { files: [] };
  if (path === REPORT || files.some((file) => file.path === path)) await keep(cache, path, response);
}

async function forget(paths: readonly string[]): Promise<void> {
  const open = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (open.filter(({ url }) => pathIn(url, root) !== null).length > 1) return;
  const cache = await caches.open(cacheName(root));
  await Promise.all(paths.map((path) => cache.delete(addressOf(path, root))));
}

async function open(): Promise<Cache | undefined> {
  try {
    return await caches.open(cacheName(root));
  } catch {
    return undefined;
  }
}
