/** What this browser keeps of a site, part by part, with how to forget each. */

import { ConversationStore } from "../conversation/store";
import type { AnyFile, Downloader } from "../download/download";
import { keyOf } from "../download/file";
import { modelFiles } from "../encoder/files";
import type { Offer } from "../generation/offer";
import { noteOf } from "../generation/webllm_files";
import { listed, parseFile } from "../index/load";
import type { Manifest } from "../index/schema";
import { Keeper } from "./keeper";

/** `runtime`: what models run on. `other`: files that this version does not know, of an earlier one for instance. */
export type HoldingKind =
  | "encoder"
  | "cross-encoder"
  | "language-model"
  | "runtime"
  | "site"
  | "conversation"
  | "other";

export interface Holding {
  readonly kind: HoldingKind;
  /** Of a language model. */
  readonly name: string | null;
  readonly bytes: number;
  /** False for a download that was not finished; it goes on when it is asked for again. */
  readonly complete: boolean;
  forget(): Promise<void>;
}

/** Everything that is kept; parts of which nothing is are left out. */
export async function inventory(downloader: Downloader, manifest: Manifest, keeper: Keeper): Promise<Holding[]> {
  const kept = new Map((await downloader.stored()).map((file) => [file.key, file]));
  const holdings: Holding[] = [];
  const claim = (kind: HoldingKind, name: string | null, keys: readonly string[]): void => {
    const files = keys.flatMap((key) => kept.get(key) ?? []);
    if (files.length === 0) return;
    for (const { key } of files) kept.delete(key);
    holdings.push({
      kind,
      name,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      complete: files.length === keys.length && files.every(({ complete }) => complete),
      forget: () => downloader.remove(files.map(({ key }) => key)),
    });
  };
  const { model, cross_encoder: cross } = manifest;
  const { wasm, model: encoder } = modelFiles(manifest, model.folder, downloader.root);
  claim("encoder", null, [wasm, ...encoder].map(keyOf));
  if (cross) claim("cross-encoder", null, modelFiles(manifest, cross.folder, downloader.root).model.map(keyOf));
  for (const { name, files } of await languageModels(downloader, manifest))
    claim("language-model", name, files.map(keyOf));
  const runtimes = Object.values(manifest.files).filter(({ path }) => path.endsWith(".wasm"));
  for (const file of runtimes) claim("runtime", null, [keyOf(file)]);
  claim("other", null, [...kept.keys()]);

  const { kept: bytes, missing } = await keeper.extent();
  if (bytes > 0) {
    const forget = (): Promise<void> => Keeper.forgetAll(downloader.root);
    holdings.push({ kind: "site", name: null, bytes, complete: missing.length === 0, forget });
  }
  const talk = await conversation(downloader.root);
  if (talk) holdings.push(talk);
  return holdings;
}

/** The language models that the site offers, with their files as far as they are known here. */
async function languageModels(
  downloader: Downloader,
  manifest: Manifest,
): Promise<{ readonly name: string; readonly files: readonly AnyFile[] }[]> {
  if (manifest.generation === null) return [];
  let offer: Offer;
  try {
    const file = listed(manifest, manifest.generation);
    offer = parseFile<Offer>(file, await downloader.bytes(file));
  } catch {
    return []; // without the list their files are shown, without their names
  }
  const found = offer.wllama.models.map(({ label, files }) => ({ name: label, files }));
  for (const { label, variants } of offer.webllm.models) {
    for (const variant of variants) {
      const files = variant.files ?? (await downloader.recall<readonly AnyFile[] | null>(noteOf(variant)));
      if (files) found.push({ name: label, files: files as typeof variant.files & object });
    }
  }
  return found;
}

async function conversation(root: URL): Promise<Holding | null> {
  const store = new ConversationStore(root);
  try {
    const record = await store.read();
    if (record === undefined) return null;
    const bytes = new TextEncoder().encode(JSON.stringify(record)).length;
    return { kind: "conversation", name: null, bytes, complete: true, forget: () => store.clear() };
  } catch {
    return null; // this browser keeps none
  }
}
