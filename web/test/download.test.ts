import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Downloader, type ListedFile } from "../src/download/download";
import { HtmlInsteadError, HttpStatusError, OfflineError, WrongHashError, WrongSizeError } from "../src/errors";

const body = new TextEncoder().encode("what the build wrote, and nothing else");
const sha256 = createHash("sha256").update(body).digest("hex");
const file = (path: string, change: Partial<ListedFile> = {}): ListedFile => ({
  path,
  bytes: body.length,
  sha256,
  ...change,
});

let server: Server;
let root: URL;
let requests: string[];

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = request.url ?? "";
    requests.push(url);
    const send = (type: string, bytes: Uint8Array, status = 200): void => {
      response.writeHead(status, { "content-type": type, "content-length": bytes.length });
      response.end(bytes);
    };
    const html = new TextEncoder().encode("<!doctype html><title>Start</title>");
    if (url === "/site/good.bin") send("application/octet-stream", body);
    else if (url === "/site/a%20b%23c/good.bin") send("application/octet-stream", body);
    else if (url === "/site/cut.bin") {
      response.writeHead(200, { "content-type": "application/octet-stream", "content-length": body.length });
      response.write(body.subarray(0, 5), () => response.destroy());
    } else if (url === "/site/short.bin") send("application/octet-stream", body.subarray(0, 9));
    else if (url === "/site/long.bin") send("application/octet-stream", new Uint8Array([...body, 1]));
    else if (url === "/site/other.bin") send("application/octet-stream", body.toReversed());
    else if (url === "/site/page.bin") send("text/html; charset=utf-8", html);
    // Wrong at first, as a stale cache on the way would have it.
    else if (url === "/site/stale.bin")
      send("application/octet-stream", requests.filter((seen) => seen === url).length > 1 ? body : body.toReversed());
    else send("text/html", html, 404);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  root = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/site/`);
});
afterAll(() => server.close());
beforeEach(() => {
  requests = [];
});

describe("a download", () => {
  it("gives the bytes of a file that is what the manifest says", async () => {
    const told: number[] = [];
    const bytes = await new Downloader(root).bytes(file("good.bin"), { onProgress: (loaded) => told.push(loaded) });
    expect(bytes).toEqual(body);
    expect(told.at(-1)).toBe(body.length);
  });

  it("encodes what a path may hold", async () => {
    expect(await new Downloader(root).bytes(file("a b#c/good.bin"))).toEqual(body);
  });

  it.each([
    ["cut.bin", WrongSizeError],
    ["short.bin", WrongSizeError],
    ["long.bin", WrongSizeError],
    ["other.bin", WrongHashError],
    ["page.bin", HtmlInsteadError],
    ["absent.bin", HttpStatusError],
  ])("of %s is refused, naming the file", async (path, error) => {
    const download = new Downloader(root).bytes(file(path));
    await expect(download).rejects.toBeInstanceOf(error);
    await expect(download).rejects.toMatchObject({ file: path });
  });

  it("asks a second time, past the browser's cache, when the first answer was wrong", async () => {
    expect(await new Downloader(root).bytes(file("stale.bin"))).toEqual(body);
    expect(requests).toEqual(["/site/stale.bin", "/site/stale.bin"]);
  });

  it("says that the host cannot be reached when it cannot", async () => {
    const gone = new Downloader(new URL("http://127.0.0.1:1/"));
    await expect(gone.bytes(file("good.bin"))).rejects.toBeInstanceOf(OfflineError);
  });

  it("can be stopped", async () => {
    const stop = new AbortController();
    stop.abort();
    const download = new Downloader(root).bytes(file("good.bin"), { signal: stop.signal });
    await expect(download).rejects.toMatchObject({ name: "AbortError" });
  });
});
