/** A host whose site changes and goes away, and the part of a browser's Cache API that the offline code uses. */

import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Manifest } from "../src/index/schema";
import { MANIFEST } from "../src/offline/site_files";
import { manifest as small } from "./manifest";

/** Real requests to a real server on this machine; `files` by path, which a test changes as a deploy would. */
export class Host {
  readonly files = new Map<string, { type: string; body: string }>();
  readonly requests: string[] = [];
  /** Paths that answer with the start page and status 200, as hosts of single-page apps do. */
  readonly html = new Set<string>();
  /** Whether it answers everything with status 503. */
  trouble = false;
  readonly #server: Server;
  #port = 0;

  constructor() {
    this.#server = createServer((request, response) => {
      const path = decodeURIComponent((request.url ?? "").split("?")[0] ?? "");
      this.requests.push(path);
      const file = this.files.get(path.endsWith("/") ? `${path}index.html` : path);
      const found = this.html.has(path) ? { type: "text/html", body: "<!doctype html>start" } : file;
      const body = Buffer.from(found?.body ?? "not here");
      const headers = { "content-type": found?.type ?? "text/html", "content-length": body.length };
      response.writeHead(this.trouble ? 503 : found ? 200 : 404, headers);
      response.end(body);
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.listen(this.#port, "127.0.0.1", resolve);
    });
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  root(folder: string): URL {
    return new URL(`http://127.0.0.1:${this.#port}/${folder}/`);
  }

  /** Put a version of a site there; its files carry `version` in their names, as hashes do. */
  deploy(folder: string, version: string): Manifest {
    const put = (path: string, body: string): { path: string; bytes: number; sha256: string } => {
      this.files.set(`/${folder}/${path}`, { type: typeOf(path), body });
      return { path, bytes: Buffer.byteLength(body), sha256: createHash("sha256").update(body).digest("hex") };
    };
    const page = put(`assets/page-${version}.js`, `// page ${version}`);
    const engine = put(`assets/webllm_worker-${version}.js`, "// megabytes");
    // Vitest gives the wasm file its own name, where Vite would add a hash.
    const wasm = put("assets/ort-wasm-simd-threaded.wasm", "wasm");
    const catalogue = put(`index/catalogue-${version}.json`, `"catalogue ${version}"`);
    const notes = put("lectures/notes.html", `<p>notes ${version}</p>`);
    const start = put("index.html", `<script src="${page.path}"></script> ${version}`);
    const list = put(`index/site-${version}.json`, JSON.stringify({ files: [notes, start].map(shortened) }));
    const model = Object.fromEntries(
      ["config.json", "tokenizer.json", "tokenizer_config.json", "model.onnx"].map((name) => [
        `model/${name}`,
        { ...put(`models/${small.model.folder}/${name}`, name) },
      ]),
    );
    const files = { page, engine, wasm, catalogue, site: list, ...model };
    const manifest = { ...small, catalogue: "catalogue", offline: "site", files } as unknown as Manifest;
    put(MANIFEST, JSON.stringify(manifest));
    return manifest;
  }
}

function shortened<T extends { sha256: string }>(file: T): T {
  return { ...file, sha256: file.sha256.slice(0, 32) };
}

function typeOf(path: string): string {
  if (path.endsWith(".html")) return "text/html; charset=utf-8";
  return path.endsWith(".js") ? "text/javascript" : "application/json";
}

/** `caches`, in memory: whole responses by address. `room` is how many bytes there still are. */
export class MemoryCaches {
  readonly all = new Map<string, MemoryCache>();
  room = Number.POSITIVE_INFINITY;

  async open(name: string): Promise<MemoryCache> {
    let cache = this.all.get(name);
    if (!cache) {
      cache = new MemoryCache(this);
      this.all.set(name, cache);
    }
    return cache;
  }

  async delete(name: string): Promise<boolean> {
    return this.all.delete(name);
  }

  /** Text by path below a site's root, of everything that is kept for it. */
  async kept(root: URL): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const [address, { body }] of this.all.get(`openbook site ${root.pathname}`)?.entries ?? []) {
      found[address.slice(root.href.length)] = new TextDecoder().decode(body);
    }
    return found;
  }
}

class MemoryCache {
  readonly entries = new Map<string, { body: Uint8Array<ArrayBuffer>; headers: Headers; status: number }>();
  readonly #owner: MemoryCaches;

  constructor(owner: MemoryCaches) {
    this.#owner = owner;
  }

  async match(address: string): Promise<Response | undefined> {
    const found = this.entries.get(new URL(address).href);
    return found && new Response(found.body.slice(), { headers: found.headers, status: found.status });
  }

  async put(address: string, response: Response): Promise<void> {
    const body = new Uint8Array(await response.arrayBuffer());
    if (body.length > this.#owner.room) throw new DOMException("no room", "QuotaExceededError");
    this.#owner.room -= body.length;
    const headers = new Headers(response.headers);
    this.entries.set(new URL(address).href, { body, headers, status: response.status });
  }

  async keys(): Promise<{ url: string }[]> {
    return [...this.entries.keys()].map((url) => ({ url }));
  }

  async delete(address: string): Promise<boolean> {
    return this.entries.delete(new URL(address).href);
  }
}
