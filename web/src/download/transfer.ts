/** One request for a file, from some byte on, and its body piece by piece: everything that the network can do wrong. */

import { HtmlInsteadError, HttpStatusError, isAbort, OfflineError, StalledError, WrongSizeError } from "../errors";
import type { AnyFile } from "./file";

/** The body ended before its time: what came of it is good. */
export class CutError extends WrongSizeError {}

export interface TransferOptions {
  readonly signal?: AbortSignal | undefined;
  readonly mode?: RequestCache | undefined;
  /** Bytes that are there already. */
  readonly from?: number | undefined;
  /** Milliseconds without a byte after which the host counts as gone. */
  readonly stallMs: number;
}

/** Whether an address is of another origin than the page. */
function isElsewhere(address: URL): boolean {
  const { location } = globalThis as { location?: Location };
  return location !== undefined && location.origin !== address.origin;
}

export interface Transfer {
  /** First byte of what comes: `from`, or 0 when the host gives files only whole. */
  readonly start: number;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/**
 * Ask for a file of the site, or of another host.
 *
 * A foreign host is told nothing of the reader: no cookies, no address of the page. The site's own is one too when it
 * is asked from a page of somebody else.
 *
 * @throws OfflineError, HttpStatusError, HtmlInsteadError, StalledError
 */
export async function request(
  address: URL,
  path: string,
  own: boolean,
  { signal, mode = "default", from = 0, stallMs }: TransferOptions,
): Promise<Response> {
  const stop = new AbortController();
  const follow = (): void => stop.abort(signal?.reason);
  signal?.addEventListener("abort", follow);
  if (signal?.aborted) follow();
  const timer = setTimeout(() => stop.abort(new StalledError(path, stallMs)), stallMs);
  let response: Response;
  try {
    response = await fetch(address, {
      cache: mode,
      signal: stop.signal,
      ...(own && !isElsewhere(address)
        ? { credentials: "same-origin", mode: "same-origin" }
        : { credentials: "omit", mode: "cors", referrerPolicy: "no-referrer" }),
      ...(from > 0 ? { headers: { range: `bytes=${from}-` } } : {}),
    });
  } catch (error) {
    throw isAbort(error) || error instanceof StalledError ? error : new OfflineError(path, error);
  } finally {
    clearTimeout(timer);
    // From here on the reader of the body listens itself.
    if (!signal?.aborted) signal?.removeEventListener("abort", follow);
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new HttpStatusError(path, response.status);
  }
  if (isHtml(response) && !/\.html?$/.test(path)) {
    await response.body?.cancel();
    throw new HtmlInsteadError(path);
  }
  return response;
}

/** @throws as `request`; the pieces throw a CutError when the body ends early, StalledError, an AbortError. */
export async function transfer(address: URL, file: AnyFile, own: boolean, options: TransferOptions): Promise<Transfer> {
  const { from = 0 } = options;
  let response: Response;
  try {
    response = await request(address, file.path, own, options);
  } catch (error) {
    // The host says that there is nothing behind what we have: then what we have is not of this file.
    if (from > 0 && error instanceof HttpStatusError && error.found === "416")
      return transfer(address, file, own, { ...options, from: 0, mode: "reload" });
    throw error;
  }
  const start = response.status === 206 ? from : 0;
  const range = /^bytes (\d+)-/.exec(response.headers.get("content-range") ?? "");
  // Another part than was asked for is of no use. (A foreign host may keep this header from us; the hash decides then.)
  if (range && Number(range[1]) !== start) {
    await response.body?.cancel();
    return transfer(address, file, own, { ...options, from: 0, mode: "reload" });
  }
  return { start, pieces: pieces(response, file, start, options) };
}

async function* pieces(
  response: Response,
  file: AnyFile,
  start: number,
  { signal, stallMs }: TransferOptions,
): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const cancel = (): void => void reader.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener("abort", cancel);
  let loaded = start;
  try {
    while (true) {
      signal?.throwIfAborted();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const stalled = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new StalledError(file.path, stallMs)), stallMs);
      });
      let part: ReadableStreamReadResult<Uint8Array>;
      try {
        part = await Promise.race([reader.read(), stalled]);
      } catch (error) {
        if (isAbort(error) || error instanceof StalledError) throw error;
        signal?.throwIfAborted();
        throw new CutError(file.path, file.bytes, loaded);
      } finally {
        clearTimeout(timer);
      }
      signal?.throwIfAborted();
      if (part.done) return;
      loaded += part.value.length;
      yield part.value;
    }
  } finally {
    signal?.removeEventListener("abort", cancel);
    await reader.cancel().catch(() => {});
  }
}

function isHtml(response: Response): boolean {
  return (response.headers.get("content-type") ?? "").startsWith("text/html");
}
