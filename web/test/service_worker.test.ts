/** Where a file comes from once a site is kept: the cache, the host, or whichever is there. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { cacheName } from "../src/offline/site_files";
import { Host, MemoryCaches } from "./offline_support";

type Listener = (event: unknown) => void;

let host: Host;
let storage: MemoryCaches;
let listeners: Map<string, Listener>;
let windows: string[];

/** The worker's script, started for a scope, as a browser does. */
async function start(folder: string): Promise<URL> {
  const root = host.root(folder);
  listeners = new Map();
  vi.stubGlobal("self", {
    registration: { scope: root.href },
    clients: { matchAll: async () => windows.map((url) => ({ url })) },
    skipWaiting: async () => {},
    addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
  });
  vi.resetModules();
  await import("../src/offline/service-worker");
  return root;
}

/** What the page gets: the body, or null where the worker leaves the request to the browser. */
async function asked(address: URL | string, init: RequestInit = {}): Promise<string | null> {
  let answer: Promise<Response> | undefined;
  const lasting: Promise<unknown>[] = [];
  listeners.get("fetch")?.({
    request: new Request(address, init),
    respondWith: (given: Promise<Response>) => {
      answer = given;
    },
    waitUntil: (work: Promise<unknown>) => lasting.push(work),
  });
  if (answer === undefined) return null;
  const response = await answer;
  const text = await response.text();
  await Promise.all(lasting);
  return text;
}

beforeEach(async () => {
  host = new Host();
  await host.start();
  storage = new MemoryCaches();
  windows = [];
  vi.stubGlobal("caches", storage);
});
afterEach(async () => {
  await host.stop().catch(() => {});
  vi.unstubAllGlobals();
});

async function keep(root: URL, path: string): Promise<void> {
  const cache = await storage.open(cacheName(root));
  const address = new URL(path, root).href;
  await cache.put(address, await fetch(address));
}

describe("the service worker", () => {
  it("asks the host once for a file with a hash in its name", async () => {
    const root = await start("course");
    host.deploy("course", "v1");
    const address = new URL("assets/page-v1.js", root);
    expect(await asked(address)).toBe("// page v1");
    expect(await asked(address)).toBe("// page v1");
    expect(host.requests.filter((path) => path.endsWith("page-v1.js"))).toHaveLength(1);
    expect(await asked(address, { cache: "reload" })).toBe("// page v1");
    expect(host.requests.filter((path) => path.endsWith("page-v1.js"))).toHaveLength(2);
  });

  it("gives pages as the host has them, and as they were kept when there is no host", async () => {
    const root = await start("course");
    host.deploy("course", "v1");
    for (const path of ["index.html", "index/manifest.json", "index/site-v1.json"]) await keep(root, path);
    const notes = new URL("lectures/notes.html", root);
    expect(await asked(notes)).toBe("<p>notes v1</p>");
    host.deploy("course", "v2");
    expect(await asked(notes)).toBe("<p>notes v2</p>");
    await host.stop();
    expect(await asked(notes)).toBe("<p>notes v2</p>");
    expect(await asked(root)).toBe('<script src="assets/page-v1.js"></script> v1');
    expect(await asked(new URL("index.html?q=1#ask", root))).toBe('<script src="assets/page-v1.js"></script> v1');
  });

  it("does not replace the start page and the manifest by itself, so that they stay a pair", async () => {
    const root = await start("course");
    host.deploy("course", "v1");
    for (const path of ["index.html", "index/manifest.json", "index/site-v1.json"]) await keep(root, path);
    const before = await storage.kept(root);
    host.deploy("course", "v2");
    expect(await asked(root)).toContain("v2");
    expect(await asked(new URL("index/manifest.json", root))).toContain("catalogue-v2");
    expect(await storage.kept(root)).toEqual(before);
  });

  it("keeps no page in the place of a file, and nothing that the site does not list", async () => {
    const root = await start("course");
    host.deploy("course", "v1");
    for (const path of ["index.html", "index/manifest.json", "index/site-v1.json"]) await keep(root, path);
    const before = await storage.kept(root);
    host.html.add("/course/index/terms-0.json");
    await asked(new URL("index/terms-0.json", root));
    await asked(new URL("assets/absent.js", root));
    host.deploy("course/other", "v1");
    await asked(new URL("other/lectures/notes.html", root));
    expect(await storage.kept(root)).toEqual(before);
  });

  it("believes a host that says that a page is gone, and not one that is in trouble", async () => {
    const root = await start("course");
    host.deploy("course", "v1");
    for (const path of ["index.html", "index/manifest.json", "index/site-v1.json", "lectures/notes.html"])
      await keep(root, path);
    const notes = new URL("lectures/notes.html", root);
    host.files.delete("/course/lectures/notes.html");
    expect(await asked(notes)).toBe("not here");
    host.trouble = true;
    expect(await asked(notes)).toBe("<p>notes v1</p>");
  });

  it("leaves models, runtimes, parts of files and other places to the browser", async () => {
    const root = await start("course");
    for (const path of ["models/x/model.onnx", "assets/ort.wasm", "service-worker.js", "../elsewhere/index.html"])
      expect(await asked(new URL(path, root))).toBeNull();
    expect(await asked(new URL("index/a.bin", root), { headers: { range: "bytes=0-9" } })).toBeNull();
    expect(await asked(new URL("index.html", root), { method: "POST" })).toBeNull();
  });

  it("works without room, and without a cache at all", async () => {
    const root = await start("course");
    host.deploy("course", "v1");
    storage.room = 0;
    expect(await asked(new URL("assets/page-v1.js", root))).toBe("// page v1");
    vi.stubGlobal("caches", { open: () => Promise.reject(new DOMException("no", "SecurityError")) });
    expect(await asked(new URL("assets/page-v1.js", root))).toBe("// page v1");
    expect(await asked(root)).toContain("v1");
  });

  it("forgets old files when no other tab has the site open, and waits while one has", async () => {
    const root = await start("course");
    host.deploy("course", "v1");
    await keep(root, "assets/page-v1.js");
    const forget = async (): Promise<void> => {
      const lasting: Promise<unknown>[] = [];
      listeners.get("message")?.({
        data: { type: "forget", paths: ["assets/page-v1.js"] },
        waitUntil: (work: Promise<unknown>) => lasting.push(work),
      });
      await Promise.all(lasting);
    };
    windows = [root.href, new URL("lectures/notes.html", root).href];
    await forget();
    expect(await storage.kept(root)).toHaveProperty(["assets/page-v1.js"]);
    windows = [root.href, host.root("another").href];
    await forget();
    expect(await storage.kept(root)).toEqual({});
  });
});
