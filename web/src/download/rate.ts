/** How fast a download goes, and how long it will take. */

export interface Rate {
  /** Bytes a second over the last seconds; null before anything can be said. */
  readonly rate: number | null;
  /** Seconds until the end at that rate. */
  readonly left: number | null;
}

/** Of what is remembered, in milliseconds: long enough not to jump, short enough to notice a train's tunnel. */
const WINDOW = 8000;
/** Before this much has been seen nothing is said. */
const LEAST = 500;

/** Fed with how much has arrived; the clock is the caller's, in milliseconds. */
export class RateMeter {
  #seen: { readonly at: number; readonly loaded: number }[] = [];

  update(now: number, loaded: number, total: number): Rate {
    const last = this.#seen.at(-1);
    // What was there already when a download goes on is not speed.
    if (last && loaded < last.loaded) this.#seen = [];
    this.#seen.push({ at: now, loaded });
    while (this.#seen.length > 2 && now - (this.#seen[1]?.at ?? now) > WINDOW) this.#seen.shift();
    const first = this.#seen[0];
    if (!first || now - first.at < LEAST || loaded <= first.loaded) return { rate: null, left: null };
    const rate = ((loaded - first.loaded) / (now - first.at)) * 1000;
    return { rate, left: Math.max(0, total - loaded) / rate };
  }
}
