/** The engines, each imported when it is looked at. */

import type { Downloader } from "../download/download";
import type { Manifest } from "../index/schema";
import type { Address } from "./address";
import type { PromptApi } from "./built-in";
import type { Engine, EngineName } from "./engine";
import type { Offer } from "./offer";

export interface EngineContext {
  readonly downloader: Downloader;
  readonly manifest: Manifest;
  readonly offer: Offer;
  /** Milliseconds, monotonic. */
  readonly clock: () => number;
  /** What the reader typed; null for nothing. */
  readonly address: () => Address | null;
  /** Of the browser's own model, for people. */
  readonly builtInLabel: string;
}

export async function makeEngine(name: EngineName, context: EngineContext): Promise<Engine> {
  const { downloader, manifest, offer, clock } = context;
  switch (name) {
    case "wllama": {
      const [{ WllamaEngine }, { wllamaFiles }] = await Promise.all([import("./wllama"), import("./files")]);
      return new WllamaEngine(offer.wllama, wllamaFiles(downloader, manifest), clock);
    }
    case "built-in": {
      const { BuiltInEngine } = await import("./built-in");
      const { LanguageModel } = globalThis as { LanguageModel?: PromptApi };
      return new BuiltInEngine(LanguageModel, context.builtInLabel, manifest.course.language, clock);
    }
    case "address": {
      const { AddressEngine, allowedBy } = await import("./address");
      return new AddressEngine(context.address, allowedBy(offer.address.allow), clock);
    }
    case "webllm": {
      const { WebLlmEngine } = await import("./webllm");
      return new WebLlmEngine(offer.webllm, downloader.root);
    }
  }
}
