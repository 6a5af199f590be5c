/** What wllama runs on, downloaded, checked and kept: its runtime and the model's file. */

import type { Downloader, ListedFile } from "../download/download";
import { HttpStatusError, OfflineError } from "../errors";
import { listedPath, sitePath } from "../index/load";
import type { Manifest } from "../index/schema";
import type { WllamaFiles } from "./wllama";

export function wllamaFiles(downloader: Downloader, manifest: Manifest): WllamaFiles {
  return {
    wasm(address, signal) {
      const file = listedPath(manifest, sitePath(address, downloader.root));
      return downloader.bytes(file, { keep: true, signal });
    },
    async model(model, onBytes, signal) {
      const files = model.rounded ? await Promise.all(model.files.map((file) => exact(file, signal))) : model.files;
      const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
      const parts: Blob[] = [];
      let before = 0;
      // One after the other: a cut download then loses at most the part that was on its way, and memory holds one.
      for (const file of files) {
        const onProgress = (loaded: number): void => onBytes(before + loaded, total);
        parts.push(await downloader.blob(file, { signal, onProgress }));
        before += file.bytes;
      }
      return new Blob(parts);
    },
  };
}

/** With the size that the host states; what it sends is checked by its hash all the same. */
async function exact(file: ListedFile, signal: AbortSignal): Promise<ListedFile> {
  const address = new URL(file.path, file.from);
  let response: Response;
  try {
    response = await fetch(address, { method: "HEAD", signal, credentials: "omit", referrerPolicy: "no-referrer" });
  } catch (error) {
    signal.throwIfAborted();
    throw new OfflineError(file.path, error);
  }
  if (!response.ok) throw new HttpStatusError(file.path, response.status);
  const bytes = Number(response.headers.get("content-length"));
  return bytes > 0 ? { ...file, bytes } : file;
}
