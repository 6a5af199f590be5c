/** A model's files: which, how many bytes, and fetching them with one count of what has arrived. */

import wasmAddress from "onnxruntime-web/ort-wasm-simd-threaded.wasm?url";
import type { Downloader, ListedFile } from "../download/download";
import { listedPath, sitePath } from "../index/load";
import type { Manifest } from "../index/schema";

export type LoadPhase = "idle" | "downloading" | "starting" | "checking" | "ready";

export interface LoadProgress {
  readonly phase: LoadPhase;
  /** Bytes, of the files as they are on disk. */
  readonly loaded: number;
  readonly total: number;
  /** When ready: milliseconds from the first byte asked for. */
  readonly ms: number | null;
}

export interface ModelFiles {
  readonly wasm: ListedFile;
  readonly model: readonly ListedFile[];
  /** Of all of them. */
  readonly bytes: number;
}

/** The runtime and the files of the model in `models/<folder>/`. @throws NotListedError */
export function modelFiles(manifest: Manifest, folder: string, root: URL): ModelFiles {
  const wasm = listedPath(manifest, sitePath(wasmAddress, root));
  const model = Object.values(manifest.files).filter(({ path }) => path.startsWith(`models/${folder}/`));
  return { wasm, model, bytes: model.reduce((sum, file) => sum + file.bytes, wasm.bytes) };
}

/** Whether all of them are kept from an earlier visit. */
export async function areKept(downloader: Downloader, { wasm, model }: ModelFiles): Promise<boolean> {
  const found = await Promise.all([wasm, ...model].map((file) => downloader.has(file)));
  return found.every(Boolean);
}

/**
 * Fetch all of them.
 *
 * @param onLoaded told how many bytes have arrived, for each half per cent: more would be work for nothing
 * @returns the runtime, and the model's files by their name in its folder
 * @throws what downloading throws
 */
export async function fetchModel(
  downloader: Downloader,
  { wasm, model, bytes: total }: ModelFiles,
  signal: AbortSignal,
  onLoaded: (loaded: number) => void,
): Promise<{ wasm: Uint8Array<ArrayBuffer>; files: Map<string, Uint8Array<ArrayBuffer>> }> {
  const arrived = new Map<string, number>();
  let told = -1;
  const download = (file: ListedFile): Promise<Uint8Array<ArrayBuffer>> =>
    downloader.bytes(file, {
      keep: true,
      signal,
      onProgress: (loaded) => {
        arrived.set(file.path, loaded);
        const sum = [...arrived.values()].reduce((a, b) => a + b, 0);
        if (sum - told < total / 200 && sum < total) return;
        told = sum;
        onLoaded(sum);
      },
    });
  const [wasmBytes, ...modelBytes] = await Promise.all([download(wasm), ...model.map(download)]);
  const name = (file: ListedFile): string => file.path.split("/").slice(2).join("/");
  return {
    wasm: wasmBytes as Uint8Array<ArrayBuffer>,
    files: new Map(model.map((file, place) => [name(file), modelBytes[place] as Uint8Array<ArrayBuffer>])),
  };
}
