/**
 * From the bytes of a manifest to one that this page can work with, or an error that says why not.
 */

import type { Downloader, ListedFile } from "../download/download";
import {
  FileFormatError,
  GateStaleError,
  ManifestFormatError,
  ModelUnsupportedError,
  NotListedError,
  SchemaVersionError,
  TokenizerMismatchError,
} from "../errors";
import { checkThreshold } from "../retrieval/gate";
import { INDEX_SCHEMA, type Manifest } from "./schema";

export const MANIFEST_PATH = "index/manifest.json";

/** What this page has, and an index must have been made with. */
export interface Requirements {
  /** Of `retrieval/tokens.ts`. */
  readonly fingerprint: string;
}

/**
 * Fetch the manifest and check it.
 *
 * @throws whatever the download throws; ManifestFormatError, SchemaVersionError, TokenizerMismatchError,
 *   ModelUnsupportedError, GateStaleError
 */
export async function loadManifest(
  downloader: Downloader,
  requirements: Requirements,
  problem: (error: unknown) => void = () => {},
): Promise<Manifest> {
  return parseManifest(await downloader.text(MANIFEST_PATH), requirements, problem);
}

/**
 * @param problem told of what the settings say to go on from
 * @throws ManifestFormatError, SchemaVersionError, TokenizerMismatchError, ModelUnsupportedError, GateStaleError
 */
export function parseManifest(
  text: string,
  requirements: Requirements,
  problem: (error: unknown) => void = () => {},
): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ManifestFormatError(`is not JSON (${error instanceof Error ? error.message : String(error)})`);
  }
  if (!isObject(value)) throw new ManifestFormatError("is not a JSON object");
  // Before anything else: the keys below may be called something else in another schema.
  if (value["schema"] !== INDEX_SCHEMA) throw new SchemaVersionError(INDEX_SCHEMA, value["schema"]);

  need(value, "as_of", "string");
  need(value, "course.title", "string");
  need(value, "counts.chunks", "number");
  need(value, "tokenizer.fingerprint", "string");
  need(value, "model.folder", "string");
  need(value, "model.dims", "number");
  need(value, "model.max_tokens", "number");
  need(value, "retrieval.keyword", "object");
  need(value, "retrieval.fusion", "object");
  need(value, "retrieval.rerank", "object");
  need(value, "retrieval.prompt", "object");
  need(value, "keyword.base", "string");
  need(value, "keyword.shards", "array");
  need(value, "passages", "array");
  need(value, "catalogue", "string");
  need(value, "vectors", "string");
  need(value, "probes", "array");
  need(value, "files", "object");
  for (const [name, file] of Object.entries(value["files"] as Record<string, unknown>)) checkListed(name, file);

  const manifest = {
    examples: [],
    gate: null,
    gold: null,
    plane: null,
    token_vectors: null,
    cross_encoder: null,
    generation: null,
    offline: null,
    ...value,
  } as unknown as Manifest;
  if (manifest.tokenizer.fingerprint !== requirements.fingerprint) {
    throw new TokenizerMismatchError(requirements.fingerprint, manifest.tokenizer.fingerprint);
  }
  const { model } = manifest;
  if (manifest.gate) {
    try {
      checkThreshold(manifest.gate, {
        corpus: manifest.corpus,
        model: model.sha256,
        tokenizer: manifest.tokenizer.fingerprint,
      });
    } catch (error) {
      const stale = new GateStaleError(error);
      if (manifest.retrieval.gate.stale !== "warn") throw stale;
      problem(stale);
    }
  }
  if (!model.normalize) throw new ModelUnsupportedError("its vectors are not of unit length");
  if (model.pooling !== "mean" && model.pooling !== "cls")
    throw new ModelUnsupportedError(`unknown pooling ${JSON.stringify(model.pooling)}`);
  for (const name of [manifest.catalogue, manifest.keyword.base, manifest.vectors]) listed(manifest, name);
  return manifest;
}

/** The file of a logical name. @throws NotListedError */
export function listed(manifest: Manifest, name: string): ListedFile {
  const file = Object.hasOwn(manifest.files, name) ? manifest.files[name] : undefined;
  if (!file) throw new NotListedError(name);
  return file;
}

/**
 * Where an address that the bundler gave stands in the site. The script may be another site's (`<open-book src>`): then
 * the file is looked for at the same place in this one.
 */
export function sitePath(address: string, root: URL): string {
  const url = new URL(address, import.meta.url);
  if (!url.href.startsWith(root.href)) return `assets/${decodeURIComponent(url.pathname.split("/").at(-1) ?? "")}`;
  return decodeURIComponent(url.pathname.slice(root.pathname.length));
}

/** The file at a path relative to the site's root. @throws NotListedError */
export function listedPath(manifest: Manifest, path: string): ListedFile {
  const file = Object.values(manifest.files).find((entry) => entry.path === path);
  if (!file) throw new NotListedError(path);
  return file;
}

/** JSON of a checked file. @throws FileFormatError */
export function parseFile<T>(file: ListedFile, bytes: Uint8Array): T {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as T;
  } catch (error) {
    throw new FileFormatError(file.path, error instanceof Error ? error.message : String(error));
  }
}

type Wanted = "string" | "number" | "object" | "array";

function need(value: Record<string, unknown>, path: string, wanted: Wanted): void {
  let at: unknown = value;
  for (const key of path.split(".")) at = isObject(at) ? at[key] : undefined;
  const found = Array.isArray(at) ? "array" : at === null ? "null" : typeof at;
  if (found !== wanted) throw new ManifestFormatError(`${path} is ${found}, not ${wanted}`);
}

function checkListed(name: string, file: unknown): void {
  const right =
    isObject(file) &&
    typeof file["path"] === "string" &&
    Number.isInteger(file["bytes"]) &&
    /^[0-9a-f]{64}$/.test(String(file["sha256"]));
  if (!right) throw new ManifestFormatError(`files.${name} is not {path, bytes, sha256}`);
  const segments = (file["path"] as string).split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === ".."))
    throw new ManifestFormatError(`files.${name} has a path outside the site`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
