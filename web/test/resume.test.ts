/** Large files: what a host can do wrong in the middle of one, and going on from there. */

import { createHash } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Downloader, type ListedFile } from "../src/download/download";
import { RateMeter } from "../src/download/rate";
import {
  HtmlInsteadError,
  HttpStatusError,
  StalledError,
  StorageFullError,
  WrongHashError,
  WrongSizeError,
} from "../src/errors";

const BYTES = 300_000;
const body = Uint8Array.from({ length: BYTES }, (_, i) => (i * 2654435761) >>> 24);
const sum = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const sha256 = sum(body);
const md5 = createHash("md5").update(body).digest("hex");
const file = (path: string, change: Partial<ListedFile> = {}): ListedFile => ({
  path,
  bytes: BYTES,
  sha256,
  ...change,
});

const QUICK = { stallMs: 150, tries: 2, waitMs: 1, part: 64_000 };

interface Asked {
  readonly path: string;
  readonly range: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
}

let server: Server;
let root: URL;
let asked: Asked[];

/** What each path does, given where it is to start and how often it has been asked before. */
const paths: Record<string, (response: ServerResponse, start: number, times: number) => void> = {
  "good.bin": (response, start) => send(response, start, BYTES),
  /** Breaks off at 100,000 bytes, the first time it is asked. */
  "cut-once.bin": (response, start, times) => send(response, start, times === 0 ? 100_000 : BYTES, times === 0),
  "cut-always.bin": (response) => send(response, 0, 10_000, true),
  "stalls-once.bin": (response, start, times) => {
    if (times > 0) return send(response, start, BYTES);
    response.writeHead(200, { "content-length": BYTES });
    response.write(body.subarray(0, 90_000));
  },
  "stalls.bin": (response, start) => {
    response.writeHead(start > 0 ? 206 : 200, { "content-length": BYTES - start });
    response.flushHeaders();
  },
  /** Knows nothing of ranges. */
  "whole-only.bin": (response, _, times) => {
    response.writeHead(200, { "content-length": BYTES });
    if (times === 0) response.write(body.subarray(0, 100_000), () => response.destroy());
    else response.end(body);
  },
  /** Answers a range with another one. */
  "other-range.bin": (response, start, times) => {
    if (times === 0) return send(response, 0, 100_000, true);
    if (start === 0) return send(response, 0, BYTES);
    response.writeHead(206, { "content-range": `bytes 5-${BYTES - 1}/${BYTES}` });
    response.end(body.subarray(5));
  },
  /** Sends another file behind the cut: what was there fits to nothing any more. */
  "changed.bin": (response, start, times) => {
    if (times === 0) return send(response, 0, 100_000, true);
    if (start === 0) return send(response, 0, BYTES);
    response.writeHead(206, { "content-range": `bytes ${start}-${BYTES - 1}/${BYTES}` });
    response.end(body.slice(start).reverse());
  },
  "no-such-range.bin": (response, start, times) => {
    if (times === 0) return send(response, 0, 100_000, true);
    if (start === 0) return send(response, 0, BYTES);
    response.writeHead(416, { "content-range": `bytes */${BYTES}` });
    response.end();
  },
  "one-byte.bin": (response) => {
    const wrong = body.slice();
    wrong[123_456] = (wrong[123_456] as number) ^ 1;
    response.end(wrong);
  },
  /** Says one length and sends another. */
  "longer.bin": (response) => response.end(Buffer.concat([body, body])),
  "page.bin": (response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<!doctype html><title>Log in</title>");
  },
  "busy-once.bin": (response, start, times) => {
    if (times > 0) return send(response, start, BYTES);
    response.writeHead(503);
    response.end();
  },
};

function send(response: ServerResponse, start: number, end: number, destroy = false): void {
  const range = start > 0 ? { "content-range": `bytes ${start}-${BYTES - 1}/${BYTES}` } : {};
  response.writeHead(start > 0 ? 206 : 200, { "content-length": BYTES - start, ...range });
  if (destroy) response.write(body.subarray(start, end), () => response.destroy());
  else response.end(body.subarray(start, end));
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = (request.url ?? "").split("/").at(-1) ?? "";
    const times = asked.filter((one) => one.path === path).length;
    asked.push({ path, range: request.headers.range, headers: request.headers });
    const answer = paths[path];
    if (answer) answer(response, Number(/\d+/.exec(request.headers.range ?? "0")?.[0]), times);
    else {
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  root = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/site/`);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
});

const ranges = (): (string | undefined)[] => asked.map(({ range }) => range);

describe("a kept file", () => {
  it("is fetched once and then read from where it is kept", async () => {
    const downloader = new Downloader(root, QUICK);
    expect(sum(await downloader.bytes(file("good.bin"), { keep: true }))).toBe(sha256);
    expect(await downloader.has(file("good.bin"))).toBe(true);
    expect(sum(await downloader.bytes(file("good.bin"), { keep: true }))).toBe(sha256);
    expect(sum(new Uint8Array(await (await downloader.blob(file("good.bin"))).arrayBuffer()))).toBe(sha256);
    expect(asked).toHaveLength(1);
  });

  it("is fetched once for two who want it at the same time", async () => {
    const downloader = new Downloader(root, QUICK);
    await Promise.all([1, 2].map(() => downloader.bytes(file("good.bin"), { keep: true })));
    expect(asked).toHaveLength(1);
  });

  it("is there for the second when the first gives up", async () => {
    const downloader = new Downloader(root, QUICK);
    const stop = new AbortController();
    const first = downloader.bytes(file("good.bin"), { keep: true, signal: stop.signal });
    const second = downloader.bytes(file("good.bin"), { keep: true });
    stop.abort();
    await expect(first).rejects.toMatchObject({ name: "AbortError" });
    expect(sum(await second)).toBe(sha256);
  });

  it("goes on behind a cut", async () => {
    const told: number[] = [];
    const bytes = await new Downloader(root, QUICK).bytes(file("cut-once.bin"), {
      keep: true,
      onProgress: (loaded) => told.push(loaded),
    });
    expect(sum(bytes)).toBe(sha256);
    expect(ranges()).toEqual([undefined, "bytes=100000-"]);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told.at(-1)).toBe(BYTES);
  });

  it("goes on behind a stall", async () => {
    expect(sum(await new Downloader(root, QUICK).bytes(file("stalls-once.bin"), { keep: true }))).toBe(sha256);
    expect(ranges()).toEqual([undefined, "bytes=90000-"]);
  });

  it("begins anew where the host knows no ranges", async () => {
    expect(sum(await new Downloader(root, QUICK).bytes(file("whole-only.bin"), { keep: true }))).toBe(sha256);
    expect(ranges()).toEqual([undefined, "bytes=100000-"]);
  });

  it.each(["other-range.bin", "no-such-range.bin", "changed.bin"])(
    "begins anew when the rest does not fit: %s",
    async (path) => {
      expect(sum(await new Downloader(root, QUICK).bytes(file(path), { keep: true }))).toBe(sha256);
      expect(ranges()).toEqual([undefined, "bytes=100000-", undefined]);
    },
  );

  it("waits for a host that is busy", async () => {
    expect(sum(await new Downloader(root, QUICK).bytes(file("busy-once.bin"), { keep: true }))).toBe(sha256);
    expect(asked).toHaveLength(2);
  });

  it("is stopped by the reader, and goes on later where it stopped", async () => {
    const downloader = new Downloader(root, QUICK);
    const stop = new AbortController();
    const stopped = downloader.bytes(file("stalls-once.bin"), {
      keep: true,
      signal: stop.signal,
      onProgress: (loaded) => {
        if (loaded >= 90_000) stop.abort();
      },
    });
    await expect(stopped).rejects.toMatchObject({ name: "AbortError" });
    expect(await downloader.room([file("stalls-once.bin")])).toMatchObject({ needed: BYTES - 90_000 });
    expect(await downloader.stored()).toEqual([{ key: sha256, bytes: 90_000, complete: false }]);
    expect(sum(await downloader.bytes(file("stalls-once.bin"), { keep: true }))).toBe(sha256);
    expect(ranges()).toEqual([undefined, "bytes=90000-"]);
  });

  it.each([
    ["cut-always.bin", WrongSizeError],
    ["stalls.bin", StalledError],
    ["one-byte.bin", WrongHashError],
    ["longer.bin", WrongSizeError],
    ["page.bin", HtmlInsteadError],
    ["absent.bin", HttpStatusError],
  ])("is not kept when the host sends something else: %s", async (path, error) => {
    const downloader = new Downloader(root, QUICK);
    const bytes = downloader.bytes(file(path), { keep: true });
    await expect(bytes).rejects.toBeInstanceOf(error);
    await expect(bytes).rejects.toMatchObject({ file: path });
    expect(await downloader.has(file(path))).toBe(false);
    expect(asked.length).toBeLessThanOrEqual(1 + QUICK.tries);
  });

  it("can be forgotten", async () => {
    const downloader = new Downloader(root, QUICK);
    await downloader.bytes(file("good.bin"), { keep: true });
    await downloader.remove([sha256]);
    expect(await downloader.stored()).toEqual([]);
    await downloader.bytes(file("good.bin"), { keep: true });
    expect(asked).toHaveLength(2);
  });

  it("of a hub that lists it by MD5 is held to that", async () => {
    const downloader = new Downloader(root, QUICK);
    const from = root.href;
    expect(sum(await downloader.bytes({ path: "cut-once.bin", from, bytes: BYTES, md5 }, { keep: true }))).toBe(sha256);
    const wrong = downloader.bytes(
      { path: "one-byte.bin", from, bytes: BYTES, md5: md5.replace(/./, "x") },
      { keep: true },
    );
    await expect(wrong).rejects.toBeInstanceOf(WrongHashError);
  });

  it("of another host is asked for without a word about the reader", async () => {
    const other = new Downloader(new URL("http://localhost:1/site/"), QUICK);
    expect(sum(await other.bytes(file("good.bin", { from: root.href })))).toBe(sha256);
    expect(asked[0]?.headers["cookie"]).toBeUndefined();
    expect(asked[0]?.headers["referer"]).toBeUndefined();
  });

  it("of another host of which no hash is known is learnt, and known from then on", async () => {
    const downloader = new Downloader(root, QUICK);
    const learnt = await downloader.learn("good.bin", root.href);
    expect(learnt).toEqual({ path: "good.bin", from: root.href, bytes: BYTES, sha256 });
    expect(sum(await downloader.bytes(learnt, { keep: true }))).toBe(sha256);
    expect(asked).toHaveLength(1);
  });
});

describe("several files", () => {
  it("are fetched with one progress, and all stop when one fails", async () => {
    const downloader = new Downloader(root, QUICK);
    const told: [number, number][] = [];
    const other = file("cut-once.bin", { sha256: sum(body) });
    await downloader.all([file("good.bin"), other], { onProgress: (loaded, total) => told.push([loaded, total]) });
    expect(told.at(-1)).toEqual([2 * BYTES, 2 * BYTES]);
    const failing = new Downloader(root, QUICK).all([file("absent.bin", { sha256: "0".repeat(64) }), file("good.bin")]);
    await expect(failing).rejects.toBeInstanceOf(HttpStatusError);
  });

  it("are not begun when the browser has no room for them, and it is said how much is missing", async () => {
    vi.stubGlobal("navigator", { storage: { estimate: async () => ({ quota: 500_000, usage: 400_000 }) } });
    try {
      const downloader = new Downloader(root, QUICK);
      expect(await downloader.room([file("good.bin")])).toEqual({ needed: BYTES, free: 100_000 });
      const full = downloader.all([file("good.bin")], { keep: "must" });
      await expect(full).rejects.toBeInstanceOf(StorageFullError);
      await expect(full).rejects.toMatchObject({ expected: String(BYTES), found: "100000" });
      expect(asked).toHaveLength(0);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe("the rate of a download", () => {
  it("is that of the last seconds, and says how long the rest will take", () => {
    const meter = new RateMeter();
    expect(meter.update(0, 1000, 21_000)).toEqual({ rate: null, left: null });
    expect(meter.update(1000, 3000, 21_000)).toEqual({ rate: 2000, left: 9 });
    for (let s = 2; s <= 20; s++) meter.update(s * 1000, 3000 + (s - 1) * 500, 21_000);
    expect(meter.update(21_000, 13_000, 21_000)).toEqual({ rate: 500, left: 16 });
  });

  it("does not count what was there before", () => {
    const meter = new RateMeter();
    meter.update(0, 90_000, 300_000);
    expect(meter.update(1000, 100_000, 300_000).rate).toBe(10_000);
  });
});
