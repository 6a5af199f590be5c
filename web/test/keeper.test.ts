/** What a browser keeps of a site, and what it never takes for it. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Downloader } from "../src/download/download";
import { OfflineError, StorageFullError, WrongHashError } from "../src/errors";
import type { Manifest } from "../src/index/schema";
import { Keeper } from "../src/offline/keeper";
import { Host, MemoryCaches } from "./offline_support";

// Which origin is this page's own: in the browser that of the module, here that of the host.
vi.mock("../src/page/trust", () => ({ trustedScript: (address: string) => address }));

let host: Host;
let storage: MemoryCaches;
let workers: Map<string, { scope: string; active: { postMessage: ReturnType<typeof vi.fn> }; unregister(): void }>;

beforeEach(async () => {
  host = new Host();
  await host.start();
  storage = new MemoryCaches();
  workers = new Map();
  vi.stubGlobal("caches", storage);
  vi.stubGlobal("navigator", {
    serviceWorker: {
      register: async (_: string, { scope }: { scope: string }) => {
        const unregister = (): void => void workers.delete(scope);
        workers.set(scope, { scope, active: { postMessage: vi.fn() }, unregister });
      },
      // As browsers answer: with the registration whose scope is the longest above the address.
      getRegistration: async (address: string) =>
        [...workers.values()]
          .filter(({ scope }) => address.startsWith(scope))
          .sort((one, other) => other.scope.length - one.scope.length)[0],
    },
    storage: { estimate: async () => ({ quota: 1000, usage: 900 }) },
  });
});
afterEach(async () => {
  await host.stop();
  vi.unstubAllGlobals();
});

const keeper = (folder: string, manifest: Manifest): Keeper =>
  new Keeper(new Downloader(host.root(folder), { tries: 1, waitMs: 0 }), manifest);
const signal = (): AbortSignal => new AbortController().signal;
const nothing = (): void => {};

/** The encoder's files go into a store of their own, which is tested where it is; here there is no such store. */
async function keepAll(one: Keeper): Promise<unknown> {
  return one.keepAll(nothing, signal()).catch((error: unknown) => error);
}

describe("a site that is kept", () => {
  it("has the start page and the manifest of one version", async () => {
    const manifest = host.deploy("course", "v1");
    expect(await keeper("course", manifest).adopt()).toBe("current");
    const kept = await storage.kept(host.root("course"));
    expect(Object.keys(kept).sort()).toEqual([
      "assets/page-v1.js",
      "index.html",
      "index/manifest.json",
      "index/site-v1.json",
    ]);
  });

  it("is not joined with a page of another version in the midst of a deploy", async () => {
    const manifest = host.deploy("course", "v1");
    await keeper("course", manifest).adopt();
    const before = await storage.kept(host.root("course"));
    const old = host.files.get("/course/index/manifest.json");
    host.deploy("course", "v2");
    if (old) host.files.set("/course/index/manifest.json", old);
    expect(await keeper("course", manifest).adopt()).toBe("unknown");
    expect(await storage.kept(host.root("course"))).toEqual(before);
  });

  it("stays as it was when a newer one is there, and is said to be old", async () => {
    const manifest = host.deploy("course", "v1");
    const one = keeper("course", manifest);
    await one.adopt();
    const before = await storage.kept(host.root("course"));
    expect(await one.freshness()).toBe("current");
    host.deploy("course", "v2");
    expect(await one.freshness()).toBe("outdated");
    expect(await one.adopt()).toBe("outdated");
    expect(await storage.kept(host.root("course"))).toEqual(before);
  });

  it("is not said to be old when the host cannot be asked, or answers with a page", async () => {
    const manifest = host.deploy("course", "v1");
    const one = keeper("course", manifest);
    host.html.add("/course/index/manifest.json");
    expect(await one.freshness()).toBe("unknown");
    expect(await one.adopt()).toBe("unknown");
    await host.stop();
    expect(await one.freshness()).toBe("unknown");
  });

  it("has whole what the reader kept, but for what only a language model needs", async () => {
    const manifest = host.deploy("course", "v1");
    const one = keeper("course", manifest);
    await keepAll(one);
    const kept = await storage.kept(host.root("course"));
    expect(kept["lectures/notes.html"]).toBe("<p>notes v1</p>");
    expect(kept["index/catalogue-v1.json"]).toBe('"catalogue v1"');
    expect(Object.keys(kept).filter((path) => path.startsWith("models/") || path.includes("webllm"))).toEqual([]);
    const { bytes, kept: here, missing } = await one.extent();
    expect({ here, missing }).toEqual({ here: bytes, missing: [] });
    expect(workers.has(host.root("course").href)).toBe(true);
  });

  it("goes on where it was cut, and what was kept before stays usable", async () => {
    const manifest = host.deploy("course", "v1");
    const one = keeper("course", manifest);
    await one.adopt();
    const before = await storage.kept(host.root("course"));
    const catalogue = host.files.get("/course/index/catalogue-v1.json");
    host.files.delete("/course/index/catalogue-v1.json");
    expect(await keepAll(one)).toMatchObject({ name: "HttpStatusError" });
    expect(await storage.kept(host.root("course"))).toMatchObject(before);
    expect((await one.extent()).missing.map(({ path }) => path)).toContain("index/catalogue-v1.json");
    if (catalogue) host.files.set("/course/index/catalogue-v1.json", catalogue);
    await keepAll(one);
    expect((await one.extent()).missing).toEqual([]);
  });

  it("never has a page in the place of a file, nor a file that is another", async () => {
    const manifest = host.deploy("course", "v1");
    const one = keeper("course", manifest);
    await one.adopt();
    host.html.add("/course/index/catalogue-v1.json");
    const address = new URL("index/catalogue-v1.json", host.root("course")).href;
    await one.remember([address]);
    expect(await keepAll(one)).toMatchObject({ name: "HtmlInsteadError" });
    host.html.clear();
    host.files.set("/course/index/catalogue-v1.json", { type: "application/json", body: '"catalogue v2"' });
    expect(await keepAll(one)).toBeInstanceOf(WrongHashError);
    expect(await storage.kept(host.root("course"))).not.toHaveProperty(["index/catalogue-v1.json"]);
  });

  it("says that the device is full, and how much room there is", async () => {
    const manifest = host.deploy("course", "v1");
    const one = keeper("course", manifest);
    storage.room = 3;
    const full = await keepAll(one);
    expect(full).toBeInstanceOf(StorageFullError);
    expect(full).toMatchObject({ file: "assets/page-v1.js", expected: "10", found: "100" });
    storage.room = Number.POSITIVE_INFINITY;
    await keepAll(one);
    expect((await one.extent()).missing).toEqual([]);
  });

  it("is not begun without a network, and what is there stays", async () => {
    const manifest = host.deploy("course", "v1");
    const one = keeper("course", manifest);
    await one.adopt();
    const before = await storage.kept(host.root("course"));
    await host.stop();
    const failed = await keepAll(one);
    expect(failed instanceof OfflineError || failed instanceof TypeError).toBe(true);
    expect(await storage.kept(host.root("course"))).toEqual(before);
  });
});

describe("two courses of one host", () => {
  it("keep their files apart, and forgetting one leaves the other", async () => {
    const [one, other] = [host.deploy("a", "v1"), host.deploy("a/b", "v9")];
    await keepAll(keeper("a", one));
    await keepAll(keeper("a/b", other));
    const before = await storage.kept(host.root("a/b"));
    expect(Object.keys(await storage.kept(host.root("a"))).filter((path) => path.startsWith("b/"))).toEqual([]);
    await Keeper.forgetAll(host.root("a"));
    expect(await storage.kept(host.root("a"))).toEqual({});
    expect(await storage.kept(host.root("a/b"))).toEqual(before);
    expect([...workers.keys()]).toEqual([host.root("a/b").href]);
  });

  it("do not end each other's service worker where one has none", async () => {
    host.deploy("a", "v1");
    await keeper("a", host.deploy("a", "v1")).register();
    await Keeper.forgetAll(host.root("a/b"));
    expect([...workers.keys()]).toEqual([host.root("a").href]);
  });

  it("do not keep what lies outside of them", async () => {
    const one = host.deploy("a", "v1");
    host.deploy("b", "v1");
    const mine = keeper("a", one);
    await mine.adopt();
    const before = await storage.kept(host.root("a"));
    await mine.remember([host.root("b").href, new URL("lectures/notes.html", host.root("b")).href]);
    expect(await storage.kept(host.root("a"))).toEqual(before);
  });
});

describe("files of an earlier version", () => {
  it("are handed to the service worker to be forgotten, and no others are", async () => {
    const first = keeper("course", host.deploy("course", "v1"));
    await first.register();
    await keepAll(first);
    const second = keeper("course", host.deploy("course", "v2"));
    expect(await second.adopt()).toBe("current");
    const forgotten = workers.get(host.root("course").href)?.active.postMessage.mock.lastCall?.[0];
    expect(forgotten.type).toBe("forget");
    expect([...forgotten.paths].sort()).toEqual(["assets/page-v1.js", "index/catalogue-v1.json", "index/site-v1.json"]);
  });
});
