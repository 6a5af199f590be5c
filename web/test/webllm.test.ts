import { readFileSync } from "node:fs";
import { prebuiltAppConfig } from "@mlc-ai/web-llm";
import { describe, expect, it } from "vitest";
import type { AnyFile } from "../src/download/download";
import type { WebLlmModel } from "../src/generation/offer";
import { type AdapterFacts, advise, type DeviceFacts, obstacle, room } from "../src/generation/webllm_advice";
import { byAddress, FOLDER, LIBRARY, servedCaches } from "../src/generation/webllm_files";

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
