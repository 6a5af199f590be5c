/**
 * One class for each failure that a reader of the page can meet.
 *
 * An error crosses from the worker to the page as a plain record (`ErrorRecord`), since `postMessage` keeps neither
 * class nor fields. What the page says about each kind, and what to do next, stands in `page/strings/`.
 */

/** What is left of an error on the page's side of the worker. */
export interface ErrorRecord {
  readonly kind: ErrorKind;
  /** For the console and the exported trace; the page shows its own words. */
  readonly message: string;
  /** The file meant, relative to the site's root. */
  readonly file?: string;
  /** Further facts, as text: what was expected, what was found. */
  readonly expected?: string;
  readonly found?: string;
}

export type ErrorKind =
  | "offline"
  | "http-status"
  | "html-instead"
  | "wrong-size"
  | "wrong-hash"
  | "not-listed"
  | "stalled"
  | "storage-full"
  | "manifest-format"
  | "file-format"
  | "page-outdated"
  | "schema-version"
  | "tokenizer-mismatch"
  | "model-unsupported"
  | "gate-stale"
  | "encoder-start"
  | "probe-mismatch"
  | "cross-encoder-start"
  | "probe-score"
  | "worker-start"
  | "engine-unavailable"
  | "engine-start"
  | "engine-context"
  | "engine-lost"
  | "address-invalid"
  | "address-unreachable"
  | "address-refused"
  | "address-missing"
  | "address-status"
  | "address-protocol"
  | "unexpected";

/** Base of the errors below. */
export abstract class ClientError extends Error {
  abstract readonly kind: ErrorKind;
  readonly file: string | undefined;
  readonly expected: string | undefined;
  readonly found: string | undefined;

  constructor(message: string, facts: { file?: string; expected?: string; found?: string; cause?: unknown } = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = new.target.name;
    this.file = facts.file;
    this.expected = facts.expected;
    this.found = facts.found;
  }

  toRecord(): ErrorRecord {
    return {
      kind: this.kind,
      message: this.message,
      ...(this.file === undefined ? {} : { file: this.file }),
      ...(this.expected === undefined ? {} : { expected: this.expected }),
      ...(this.found === undefined ? {} : { found: this.found }),
    };
  }
}

/** The request got no answer at all: no network, or the host is gone. */
export class OfflineError extends ClientError {
  readonly kind = "offline";
  constructor(file: string, cause: unknown) {
    super(`${file} could not be fetched: ${describe(cause)}`, { file, cause });
  }
}

/** The host answered with an error, 404 above all. */
export class HttpStatusError extends ClientError {
  readonly kind = "http-status";
  constructor(file: string, status: number) {
    super(`${file}: the host answered ${status}`, { file, found: String(status) });
  }
}

/** The host answered 200 with a web page where a data file should be, as many do for a missing file. */
export class HtmlInsteadError extends ClientError {
  readonly kind = "html-instead";
  constructor(file: string) {
    super(`${file}: the host answered with a web page instead of the file`, { file });
  }
}

/** The file has another length than the manifest says; usually a transfer that was cut. */
export class WrongSizeError extends ClientError {
  readonly kind = "wrong-size";
  constructor(file: string, expected: number, found: number) {
    super(`${file}: ${found} bytes instead of ${expected}`, {
      file,
      expected: String(expected),
      found: String(found),
    });
  }
}

/** The file has the right length and other bytes than the manifest says. */
export class WrongHashError extends ClientError {
  readonly kind = "wrong-hash";
  constructor(file: string, expected: string, found: string) {
    super(`${file}: SHA-256 is ${found}, the manifest says ${expected}`, { file, expected, found });
  }
}

/** The host stopped sending, without ending. */
export class StalledError extends ClientError {
  readonly kind = "stalled";
  constructor(file: string, ms: number) {
    super(`${file}: nothing came for ${Math.round(ms / 1000)} s`, { file });
  }
}

/** The browser has no room for what was to be kept; bytes. */
export class StorageFullError extends ClientError {
  readonly kind = "storage-full";
  constructor(file: string, needed: number, free: number | null) {
    super(`${file}: ${needed} bytes are needed, the browser has ${free ?? "too few"}`, {
      file,
      expected: String(needed),
      ...(free === null ? {} : { found: String(free) }),
    });
  }
}

/** Something asked for a file that the manifest does not list, so there is nothing to check it against. */
export class NotListedError extends ClientError {
  readonly kind = "not-listed";
  constructor(file: string) {
    super(`${file} is not listed in the manifest`, { file });
  }
}

/** `index/manifest.json` is not JSON, or lacks what every manifest has. */
export class ManifestFormatError extends ClientError {
  readonly kind = "manifest-format";
  constructor(reason: string) {
    super(`index/manifest.json: ${reason}`, { file: "index/manifest.json" });
  }
}

/** A file has the right hash and cannot be read: the build and the page do not fit together. */
export class FileFormatError extends ClientError {
  readonly kind = "file-format";
  constructor(file: string, reason: string) {
    super(`${file}: ${reason}`, { file });
  }
}

/** The index does not list this page's own scripts: they are of an older or a newer version than it. */
export class PageOutdatedError extends ClientError {
  readonly kind = "page-outdated";
  constructor(script: string) {
    super(`index/manifest.json does not list ${script}, which this page runs`, { file: "index/manifest.json" });
  }
}

/** The index was written in a schema that this page does not read. */
export class SchemaVersionError extends ClientError {
  readonly kind = "schema-version";
  constructor(expected: number, found: unknown) {
    super(`index/manifest.json: schema ${String(found)}, this page reads ${expected}`, {
      file: "index/manifest.json",
      expected: String(expected),
      found: String(found),
    });
  }
}

/** The index was tokenized in another way than this page tokenizes questions. */
export class TokenizerMismatchError extends ClientError {
  readonly kind = "tokenizer-mismatch";
  constructor(expected: string, found: string) {
    super(`the index was made with tokenizer ${found}, this page has ${expected}`, {
      file: "index/manifest.json",
      expected,
      found,
    });
  }
}

/** The index names an encoder whose pooling, precision or size this page does not know. */
export class ModelUnsupportedError extends ClientError {
  readonly kind = "model-unsupported";
  constructor(reason: string) {
    super(`the encoder of this index cannot be used: ${reason}`);
  }
}

/** The gate's threshold was found on another corpus, model or tokenizer than the index has. */
export class GateStaleError extends ClientError {
  readonly kind = "gate-stale";
  constructor(cause: unknown) {
    super(describe(cause), { file: "index/manifest.json", cause });
  }
}

/** WebAssembly or the model would not start. */
export class EncoderStartError extends ClientError {
  readonly kind = "encoder-start";
  constructor(cause: unknown) {
    super(`the encoder did not start: ${describe(cause)}`, { cause });
  }
}

/** The encoder runs and gives other vectors than it gave at build time. */
export class ProbeMismatchError extends ClientError {
  readonly kind = "probe-mismatch";
  constructor(text: string, cosine: number, least: number) {
    super(`the encoder gives another vector for "${text}" than at build time: cosine ${cosine.toFixed(6)}`, {
      expected: `≥ ${least}`,
      found: cosine.toFixed(6),
    });
  }
}

/** WebAssembly or the cross-encoder would not start. */
export class CrossEncoderStartError extends ClientError {
  readonly kind = "cross-encoder-start";
  constructor(cause: unknown) {
    super(`the cross-encoder did not start: ${describe(cause)}`, { cause });
  }
}

/** The cross-encoder runs and gives another score than it gave at build time. */
export class ProbeScoreError extends ClientError {
  readonly kind = "probe-score";
  constructor(found: number, expected: number) {
    super(`the cross-encoder scores its check pair ${found.toFixed(5)}, and ${expected.toFixed(5)} at build time`, {
      expected: expected.toFixed(5),
      found: found.toFixed(5),
    });
  }
}

/** The browser would not start the worker. */
export class WorkerStartError extends ClientError {
  readonly kind = "worker-start";
  constructor(cause: unknown) {
    super(`the worker did not start: ${describe(cause)}`, { cause });
  }
}

/** A language model cannot run here; `reason` is a key of the page's strings. */
export class EngineUnavailableError extends ClientError {
  readonly kind = "engine-unavailable";
  constructor(engine: string, reason: string) {
    super(`${engine} cannot run here: ${reason}`, { found: reason });
  }
}

/** A language model was to be started and did not: no memory, a file that it cannot read, an engine that broke. */
export class EngineStartError extends ClientError {
  readonly kind = "engine-start";
  constructor(model: string, cause: unknown) {
    super(`${model} did not start: ${describe(cause)}`, { file: model, cause });
  }
}

/** The prompt and its answer are longer than what the model reads. */
export class EngineContextError extends ClientError {
  readonly kind = "engine-context";
  constructor(context: number, needed: number | null, cause?: unknown) {
    super(`the model reads ${context} tokens, the prompt has ${needed ?? "more"}`, {
      expected: String(context),
      ...(needed === null ? {} : { found: String(needed) }),
      cause,
    });
  }
}

/** The model ran and is gone: the graphics device was lost, its worker crashed, the browser took its memory. */
export class EngineLostError extends ClientError {
  readonly kind = "engine-lost";
  constructor(model: string, cause: unknown) {
    super(`${model} stopped: ${describe(cause)}`, { file: model, cause });
  }
}

/** What the reader typed is no address of http or https, or one that this site's policy does not let the tab reach. */
export class AddressInvalidError extends ClientError {
  readonly kind = "address-invalid";
  constructor(address: string, reason: "format" | "policy") {
    super(`${address}: ${reason === "format" ? "not an address" : "not allowed by this site"}`, {
      file: address,
      found: reason,
    });
  }
}

/**
 * Nothing answers at the address, or it does not let this page read its answers (CORS): a browser does not say which.
 */
export class AddressUnreachableError extends ClientError {
  readonly kind = "address-unreachable";
  constructor(address: string, cause: unknown) {
    super(`${address} could not be reached: ${describe(cause)}`, { file: address, cause });
  }
}

/** The address wants a key, or another one (401, 403). */
export class AddressRefusedError extends ClientError {
  readonly kind = "address-refused";
  constructor(address: string, status: number) {
    super(`${address} answered ${status}`, { file: address, found: String(status) });
  }
}

/** There is no such thing at the address (404): a wrong path, or a model that it does not have. */
export class AddressMissingError extends ClientError {
  readonly kind = "address-missing";
  constructor(address: string, message: string) {
    super(`${address} answered 404: ${message}`, { file: address, found: message });
  }
}

/** The address answered with another error. */
export class AddressStatusError extends ClientError {
  readonly kind = "address-status";
  constructor(address: string, status: number, message: string) {
    super(`${address} answered ${status}: ${message}`, { file: address, found: `${status} ${message}`.trim() });
  }
}

/** What came from the address is not what the protocol says, or was cut; or it is an error told inside the stream. */
export class AddressProtocolError extends ClientError {
  readonly kind = "address-protocol";
  constructor(address: string, reason: string) {
    super(`${address}: ${reason}`, { file: address, found: reason });
  }
}

/** An error that a worker met, as its record carried it over. */
export class RemoteError extends ClientError {
  readonly kind: ErrorKind;
  constructor(record: ErrorRecord) {
    super(record.message, record);
    this.kind = record.kind;
  }
}

/** The record of any thrown value; of one that is not ours, with its own message. */
export function recordOf(error: unknown): ErrorRecord {
  if (error instanceof ClientError) return error.toRecord();
  return { kind: "unexpected", message: describe(error) };
}

/** A thrown value in words. */
export function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether this is what an aborted fetch throws. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
