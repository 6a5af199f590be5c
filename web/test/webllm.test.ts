import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { prebuiltAppConfig } from "@mlc-ai/web-llm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AnyFile, Downloader } from "../src/download/download";
import type { WebLlmModel, WebLlmVariant } from "../src/generation/offer";
import { type AdapterFacts, advise, type DeviceFacts, obstacle, room } from "../src/generation/webllm_advice";
import { byAddress, FOLDER, filesOf, LIBRARY, servedCaches, unlearn } from "../src/generation/webllm_files";

const MiB = 1024 ** 2;
const GiB = 1024 ** 3;

const desktop: AdapterFacts = {
  features: ["shader-f16", "subgroups"],
  maxBufferSize: 4 * GiB,
  maxStorageBufferBindingSize: 4 * GiB - 4,
  maxStorageBuffersPerShaderStage: 16,
  maxComputeWorkgroupStorageSize: 49_152,
  fallback: false,
};
const device = (adapter: Partial<AdapterFacts> | null, memory: number | null = 8): DeviceFacts => ({
  webgpu: true,
  adapter: adapter && { ...desktop, ...adapter },
  memory,
});

const model = (name: string, half: number, single: number): WebLlmModel => ({
  name,
  label: name,
  variants: [
    { id: `${name}-f16`, features: ["shader-f16"], memory: half * MiB },
    { id: `${name}-f32`, features: [], memory: single * MiB },
  ].map((one) => ({ ...one, bytes: 1, context: 4096, files: null, hub: null })),
});
const MODELS = [model("large", 1630, 1889), model("middle", 879, 1129), model("small", 376, 580)];
const ids = (facts: DeviceFacts): string[] => advise(MODELS, facts).map(({ variant }) => variant.id);

describe("what a graphics adapter is advised", () => {
  it("is the course's own order, in half precision, where there is room", () => {
    expect(ids(device({}))).toEqual(["large-f16", "middle-f16", "small-f16"]);
    expect(advise(MODELS, device({})).every(({ fits }) => fits)).toBe(true);
  });

  it("is single precision where the adapter lacks shader-f16", () => {
    expect(ids(device({ features: [] }))).toEqual(["large-f32", "middle-f32", "small-f32"]);
  });

  it.each([
    ["a computer with 2 GiB of memory", device({}, 2), ["middle-f16", "small-f16", "large-f16"]],
    [
      "a phone with small buffers",
      device({ maxBufferSize: 256 * MiB }, null),
      ["middle-f16", "small-f16", "large-f16"],
    ],
    ["a software adapter", device({ fallback: true, features: [] }), ["small-f32", "middle-f32", "large-f32"]],
    ["a phone with 1 GiB", device({}, 1), ["small-f16", "middle-f16", "large-f16"]],
  ])("begins with what has room, then goes from the smallest on: %s", (_, facts, expected) => {
    expect(ids(facts)).toEqual(expected);
  });

  it("never has more room with less memory or smaller buffers", () => {
    const rooms = [0.5, 1, 2, 4, 8].map((memory) => room(device({}, memory)));
    expect(rooms).toEqual(rooms.toSorted((a, b) => a - b));
    const sizes = [256, 512, 1024, 4096].map((size) => room(device({ maxBufferSize: size * MiB })));
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
  });

  it.each([
    ["no-webgpu", { webgpu: false, adapter: null, memory: 8 }],
    ["no-adapter", device(null)],
    ["small-adapter", device({ maxStorageBuffersPerShaderStage: 8 })],
    ["small-adapter", device({ maxBufferSize: 128 * MiB })],
    ["small-adapter", device({ maxComputeWorkgroupStorageSize: 16_384 })],
  ])("is nothing, and says %s", (reason, facts) => {
    expect(obstacle(facts)).toBe(reason);
    expect(ids(facts)).toEqual([]);
  });
});

describe("the models of the hub", () => {
  const known = JSON.parse(
    readFileSync(new URL("../../build/openbook/generation/webllm_models.json", import.meta.url), "utf8"),
  );

  it("are as WebLLM's own list has them", () => {
    for (const { variants } of known.models) {
      for (const { id, model, model_lib, vram_required_MB, context, quantization } of variants) {
        const own = prebuiltAppConfig.model_list.find(({ model_id }) => model_id === id);
        expect(own).toMatchObject({ model, model_lib, vram_required_MB, overrides: { context_window_size: context } });
        expect(id).toContain(quantization);
      }
    }
  });
});

describe("the files of a model that only the hub knows", () => {
  const shard = new TextEncoder().encode("weights".repeat(1000));
  const md5sum = createHash("md5").update(shard).digest("hex");
  const list = (record: object): string => JSON.stringify({ records: [record] });
  const good = { dataPath: "params_shard_0.bin", nbytes: shard.length, md5sum };
  let served: Record<string, string | Uint8Array>;
  let asked: string[];
  let server: Server;
  let at: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const name = (request.url ?? "").split("/").at(-1) ?? "";
      asked.push(name);
      response.writeHead(name in served ? 200 : 404, { "content-type": "application/octet-stream" });
      response.end(served[name]);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    at = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    asked = [];
    served = {
      "mlc-chat-config.json": JSON.stringify({ tokenizer_files: ["tokenizer.json"] }),
      "tensor-cache.json": list(good),
      "tokenizer.json": "{}",
      "library.wasm": "wasm",
      "params_shard_0.bin": shard,
    };
  });

  const variant = (): WebLlmVariant => ({
    id: "m",
    features: [],
    bytes: 1,
    memory: 1,
    context: 4096,
    files: null,
    hub: { folder: `${at}m/resolve/main/`, library: `${at}libs/library.wasm` },
  });
  const downloader = (): Downloader => new Downloader(new URL("http://localhost:1/site/"), { tries: 0 });
  const files = (own: Downloader): Promise<readonly AnyFile[]> => filesOf(own, variant(), new AbortController().signal);

  it("are those that it lists, learnt at the first visit and known at the next", async () => {
    const own = downloader();
    const found = await files(own);
    expect(found.map(({ path }) => path).toSorted()).toEqual(Object.keys(served).toSorted());
    await own.all(found, { keep: "must" });
    expect(asked.toSorted()).toEqual(Object.keys(served).toSorted());
    served = {};
    expect(await files(own)).toEqual(found);
    await own.all(found, { keep: "must" });
    expect(asked).toHaveLength(5);
  });

  it("are refused when a shard is not what the hub lists", async () => {
    const own = downloader();
    const found = await files(own);
    served["params_shard_0.bin"] = shard.toReversed();
    await expect(own.all(found, { keep: "must" })).rejects.toMatchObject({ kind: "wrong-hash" });
  });

  it("are learnt anew when the reader tries again after the hub has changed them", async () => {
    const own = downloader();
    const before = await files(own);
    served["tokenizer.json"] = '{"version": 2}';
    expect(await files(own)).toEqual(before);
    await unlearn(own, variant());
    const after = await files(own);
    expect(after.find(({ path }) => path === "tokenizer.json")).toMatchObject({ bytes: 14 });
  });

  it.each([
    ["leads out of the folder", { ...good, dataPath: "../other.bin" }],
    ["has no hash", { dataPath: "params_shard_0.bin", nbytes: 1 }],
  ])("are refused when the list %s", async (_, record) => {
    served["tensor-cache.json"] = list(record);
    await expect(files(downloader())).rejects.toMatchObject({ kind: "file-format" });
  });
});

describe("what stands where the Cache API stood", () => {
  const files: AnyFile[] = [
    { path: "generation/webllm/m/tensor-cache.json", bytes: 2, sha256: "a" },
    { path: "m.wasm", from: "https://example.org/", bytes: 4, sha256: "b" },
  ];
  const caches = servedCaches(byAddress(files), async (file) => new TextEncoder().encode(file.path)) as CacheStorage;

  it("has the model's files at the addresses that WebLLM asks for, and no others", async () => {
    const cache = await caches.open("webllm/model");
    expect((await cache.keys()).map(({ url }) => url)).toEqual([`${FOLDER}tensor-cache.json`, LIBRARY]);
    expect(await (await cache.match(new Request(LIBRARY)))?.text()).toBe("m.wasm");
    expect(await cache.match(`${FOLDER}other.bin`)).toBeUndefined();
    await expect(cache.add(`${FOLDER}other.bin`)).rejects.toMatchObject({ kind: "file-format" });
  });
});
