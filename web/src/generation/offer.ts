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

export interface AddressOffer {
  /** Origins beside this computer that the page's policy lets the tab reach. */
  readonly allow: readonly string[];
}

export interface Offer {
  /** In the order in which they are shown. */
  readonly engines: readonly EngineName[];
  readonly wllama: WllamaOffer;
  readonly address: AddressOffer;
}
