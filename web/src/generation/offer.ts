/**
 * `index/generation-<hash>.json`: the engines and models that the page offers; the mirror of
 * `build/openbook/generation/offer.py`. Read when a reader looks for a model, and not before.
 */

import type { ListedFile } from "../download/download";
import type { EngineName } from "./engine";

/** A GGUF file for wllama, whole or in parts that are put behind each other. */
export interface WllamaModel {
  readonly id: string;
  readonly label: string;
  /** Of the whole. */
  readonly bytes: number;
  /** Whether `bytes` is rounded, as what the hub shows is: the exact size is asked for before the download. */
  readonly rounded: boolean;
  /** Tokens of prompt and answer together. */
  readonly context: number;
  readonly files: readonly ListedFile[];
}

export interface WllamaOffer {
  /** The advised one first. */
  readonly models: readonly WllamaModel[];
  /** Whether its own WebGPU back end is used where the browser has WebGPU. */
  readonly gpu: boolean;
}

/** A model for WebLLM in one precision. */
export interface WebLlmVariant {
  /** As in WebLLM's own list, where it is from there. */
  readonly id: string;
  /** Features that the graphics adapter must have, such as "shader-f16". */
  readonly features: readonly string[];
  /** To download; of a model from the hub computed from its parameters, exact otherwise. */
  readonly bytes: number;
  /** Of the GPU, while it runs. */
  readonly memory: number;
  /** Tokens of prompt and answer together. */
  readonly context: number;
  /** Every file, the library (.wasm) among them; null when the hub alone knows them. */
  readonly files: readonly ListedFile[] | null;
  /** Addresses at the hub: the folder of the model, with a slash at its end, and its library. Null with `files`. */
  readonly hub: { readonly folder: string; readonly library: string } | null;
}

export interface WebLlmModel {
  readonly name: string;
  /** For people. */
  readonly label: string;
  /** The preferred one first. */
  readonly variants: readonly WebLlmVariant[];
}

export interface WebLlmOffer {
  readonly models: readonly WebLlmModel[];
}

export interface AddressOffer {
  /** Origins beside this computer that the page's policy lets the tab reach. */
  readonly allow: readonly string[];
}

export interface Offer {
  /** In the order in which they are shown. */
  readonly engines: readonly EngineName[];
  readonly webllm: WebLlmOffer;
  /** At most, in an answer. */
  readonly answer_tokens: number;
  readonly wllama: WllamaOffer;
  readonly address: AddressOffer;
}
