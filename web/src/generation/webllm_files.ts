/**
 * The files of a model for WebLLM, each checked before WebLLM sees it.
 *
 * WebLLM 0.2.86 can check its configuration, library and tokenizer against hashes, and not its weights. So it never
 * fetches anything here: it reads through the browser's Cache API, and what stands in that place in its worker
 * (`servedCaches`) gives the bytes of checked files and has no others. A model whose files are listed with SHA-256 is
 * held to that list. Of one that only the hub knows, the weights are held to the sizes and MD5 in the hub's own
 * `tensor-cache.json`; the rest is taken as it is at the first visit, and has to be the same from then on.
 */

import type { AnyFile, Downloader, ListedFile } from "../download/download";
import { FileFormatError } from "../errors";
import type { WebLlmVariant } from "./offer";

/** Where WebLLM is told that its model is: a host that cannot exist, so that nothing could come from it unseen. */
export const FOLDER = "https://model.invalid/resolve/main/";
export const LIBRARY = "https://model.invalid/library.wasm";

const CONFIG = "mlc-chat-config.json";
const WEIGHTS = "tensor-cache.json";

/** By the address that WebLLM asks for. */
export type ModelFiles = ReadonlyMap<string, AnyFile>;

export function byAddress(files: readonly AnyFile[]): ModelFiles {
  return new Map(files.map((file) => [addressOf(file), file]));
}

function addressOf({ path }: AnyFile): string {
  return path.endsWith(".wasm") ? LIBRARY : FOLDER + path.slice(path.lastIndexOf("/") + 1);
}

/** `tensor-cache.json`, what is read of it. */
interface Weights {
  readonly records: readonly { readonly dataPath: string; readonly nbytes: number; readonly md5sum?: string }[];
}

/**
 * The files of a variant: as they are listed, or as the hub lists them, remembered from the first visit on.
 *
 * @throws what downloading throws; FileFormatError
 */
export async function filesOf(
  downloader: Downloader,
  variant: WebLlmVariant,
  signal: AbortSignal,
): Promise<readonly AnyFile[]> {
  const { files, hub, id } = variant;
  if (files) return files;
  if (!hub) throw new FileFormatError(id, "has neither files nor a hub");
  const note = noteOf(variant);
  const known = await downloader.recall<readonly AnyFile[] | null>(note);
  if (known) return known;

  const learn = (path: string): Promise<ListedFile> => downloader.learn(path, hub.folder, { signal, keep: "must" });
  const [config, weights, library] = await Promise.all([
    learn(CONFIG),
    learn(WEIGHTS),
    downloader.learn(hub.library.slice(hub.library.lastIndexOf("/") + 1), new URL(".", hub.library).href, {
      signal,
      keep: "must",
    }),
  ]);
  const { tokenizer_files } = await json<{ tokenizer_files?: readonly string[] }>(downloader, config);
  const { records } = await json<Weights>(downloader, weights);
  const name = ["tokenizer.json", "tokenizer.model"].find((one) => tokenizer_files?.includes(one));
  if (!name) throw new FileFormatError(CONFIG, "names no tokenizer");
  const shards = records.map(({ dataPath, nbytes, md5sum }): AnyFile => {
    // A shard is a file of the folder, and nothing else.
    if (!/^[\w.-]+$/.test(dataPath) || !/^[0-9a-f]{32}$/.test(md5sum ?? ""))
      throw new FileFormatError(WEIGHTS, `does not say what ${dataPath} is`);
    return { path: dataPath, from: hub.folder, bytes: nbytes, md5: md5sum as string };
  });
  const found = [config, weights, await learn(name), library, ...shards];
  await downloader.note(note, found);
  return found;
}

/**
 * What was learnt of a model at the hub is not what the hub has now: it was not used, and the reader, told so, may try
 * again with what is there.
 */
export async function unlearn(downloader: Downloader, variant: WebLlmVariant): Promise<void> {
  if (variant.hub) await downloader.note(noteOf(variant), null);
}

export const noteOf = ({ id }: WebLlmVariant): string => `webllm ${id}`;

async function json<T>(downloader: Downloader, file: ListedFile): Promise<T> {
  try {
    return JSON.parse(new TextDecoder().decode(await downloader.bytes(file, { keep: true }))) as T;
  } catch (error) {
    if (error instanceof SyntaxError) throw new FileFormatError(file.path, error.message);
    throw error;
  }
}

/** What stands where the Cache API stood: every cache holds the model's files, and nothing can be added. */
export function servedCaches(files: ModelFiles, read: (file: AnyFile) => Promise<Uint8Array<ArrayBuffer>>): unknown {
  const address = (request: RequestInfo | URL): string => (request instanceof Request ? request.url : String(request));
  const cache = {
    async match(request: RequestInfo | URL): Promise<Response | undefined> {
      const file = files.get(address(request));
      return file && new Response(await read(file));
    },
    async add(request: RequestInfo | URL): Promise<void> {
      throw new FileFormatError(address(request), "is no file of the model");
    },
    async keys(): Promise<Request[]> {
      return [...files.keys()].map((url) => new Request(url));
    },
    async delete(): Promise<boolean> {
      return false;
    },
  };
  return { open: async () => cache };
}
