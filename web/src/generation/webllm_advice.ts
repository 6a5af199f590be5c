/** Which models a graphics adapter can run, found out from what it says of itself. Pure. */

import type { WebLlmModel, WebLlmVariant } from "./offer";

/** Of a `GPUAdapter`, what matters here; sizes in bytes. */
export interface AdapterFacts {
  readonly features: readonly string[];
  readonly maxBufferSize: number;
  readonly maxStorageBufferBindingSize: number;
  readonly maxStorageBuffersPerShaderStage: number;
  readonly maxComputeWorkgroupStorageSize: number;
  /** The processor playing a GPU: it works, slowly. */
  readonly fallback: boolean;
}

export interface DeviceFacts {
  /** Whether the browser has WebGPU at all. */
  readonly webgpu: boolean;
  /** Null when it gives none. */
  readonly adapter: AdapterFacts | null;
  /** `navigator.deviceMemory`: GiB of RAM, rounded, at most 8 (or 32 in newer browsers); null where it is not told. */
  readonly memory: number | null;
}

const MiB = 1024 ** 2;
const GiB = 1024 ** 3;

/** What WebLLM 0.2.86 asks of any adapter (`detectGPUDevice` in its runtime). */
const LEAST: Omit<AdapterFacts, "features" | "fallback"> = {
  maxBufferSize: 256 * MiB,
  maxStorageBufferBindingSize: 128 * MiB,
  maxStorageBuffersPerShaderStage: 10,
  maxComputeWorkgroupStorageSize: 32 * 1024,
};

/** Why no model can run, as a key of the page's strings; null when one can. */
export function obstacle({ webgpu, adapter }: DeviceFacts): "no-webgpu" | "no-adapter" | "small-adapter" | null {
  if (!webgpu) return "no-webgpu";
  if (!adapter) return "no-adapter";
  const small = Object.entries(LEAST).some(([limit, least]) => adapter[limit as keyof typeof LEAST] < least);
  return small ? "small-adapter" : null;
}

/**
 * Bytes that a model may take of the GPU.
 *
 * A browser does not tell how much there is. What it tells: an adapter whose buffers are small is a phone's or an old
 * one; and a computer's GPU that shares the RAM should not be given more than half of it.
 */
export function room({ adapter, memory }: DeviceFacts): number {
  if (!adapter) return 0;
  const byBuffers = adapter.maxBufferSize >= GiB ? 8 * GiB : adapter.maxBufferSize >= 512 * MiB ? 2 * GiB : GiB;
  const byMemory = memory === null ? 4 * GiB : (memory / 2) * GiB;
  // The processor reads what the GPU would keep: each gigabyte is seconds a word.
  return Math.min(byBuffers, byMemory, adapter.fallback ? GiB / 2 : Number.POSITIVE_INFINITY);
}

export interface Advice {
  readonly model: WebLlmModel;
  readonly variant: WebLlmVariant;
  /** Whether there should be room for it. */
  readonly fits: boolean;
}

/**
 * The models with the variant that the adapter can run: those that should have room first, in their order; then the
 * others from the smallest on, for the estimate may be wrong.
 */
export function advise(models: readonly WebLlmModel[], device: DeviceFacts): Advice[] {
  const { adapter } = device;
  if (!adapter || obstacle(device)) return [];
  const free = room(device);
  const runnable = models.flatMap((model) => {
    const variant = model.variants.find(({ features }) => features.every((one) => adapter.features.includes(one)));
    return variant ? [{ model, variant, fits: variant.memory <= free }] : [];
  });
  const tooLarge = runnable.filter(({ fits }) => !fits).sort((a, b) => a.variant.memory - b.variant.memory);
  return [...runnable.filter(({ fits }) => fits), ...tooLarge];
}

/** What this browser and its adapter say of themselves. */
export async function deviceFacts(): Promise<DeviceFacts> {
  const navigator = globalThis.navigator as unknown as { readonly gpu?: Gpu; readonly deviceMemory?: number };
  const memory = navigator.deviceMemory ?? null;
  if (!navigator.gpu) return { webgpu: false, adapter: null, memory };
  // A browser may have WebGPU and no adapter for it; and it may throw where it is switched off.
  const adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" }).catch(() => null);
  if (!adapter) return { webgpu: true, adapter: null, memory };
  const { limits, info } = adapter;
  return {
    webgpu: true,
    memory,
    adapter: {
      features: [...adapter.features],
      maxBufferSize: limits.maxBufferSize,
      maxStorageBufferBindingSize: limits.maxStorageBufferBindingSize,
      maxStorageBuffersPerShaderStage: limits.maxStorageBuffersPerShaderStage,
      maxComputeWorkgroupStorageSize: limits.maxComputeWorkgroupStorageSize,
      fallback: info?.isFallbackAdapter ?? adapter.isFallbackAdapter ?? false,
    },
  };
}

/** Of WebGPU's types, what is used here. */
interface Gpu {
  requestAdapter(options: { readonly powerPreference: "high-performance" }): Promise<Adapter | null>;
}

interface Adapter {
  readonly features: ReadonlySet<string>;
  readonly limits: Readonly<Record<keyof typeof LEAST, number>>;
  readonly info?: { readonly isFallbackAdapter?: boolean };
  /** Where older browsers say it. */
  readonly isFallbackAdapter?: boolean;
}
