/** Something that is started once, however many wait for it; after a failure the next call tries again. */

import { ClientError, isAbort } from "../errors";

export class Once {
  #starting: Promise<void> | undefined;

  /**
   * @param start given a signal that fires when it has failed: what else it began is of no use then, and must not go on
   *   telling of itself
   * @param failed the error to throw for a cause that is none of ours
   */
  run(start: (signal: AbortSignal) => Promise<void>, failed: (cause: unknown) => ClientError): Promise<void> {
    if (this.#starting) return this.#starting;
    const stop = new AbortController();
    this.#starting = start(stop.signal).catch((error: unknown) => {
      this.#starting = undefined;
      stop.abort();
      throw error instanceof ClientError || isAbort(error) ? error : failed(error);
    });
    return this.#starting;
  }
}
