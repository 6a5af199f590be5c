/** Keeps the site while it is read, and finds out when there is a newer one; loaded when the page has nothing to do. */

import { Downloader } from "../download/download";
import type { Manifest } from "../index/schema";
import { type Freshness, Keeper } from "../offline/keeper";
import { fetched } from "../traffic";

/** Between two questions to the host whether there is something newer. */
const ASK_MS = 60_000;

export class Offline {
  readonly keeper: Keeper;
  readonly #session: { fetched(): Promise<readonly string[]> };
  readonly #onOutdated: () => void;
  #asked = 0;
  #started = false;

  /** @param onOutdated called when the host has a newer version than the one that is open */
  constructor(
    root: URL,
    manifest: Manifest,
    session: { fetched(): Promise<readonly string[]> },
    onOutdated: () => void,
  ) {
    this.keeper = new Keeper(new Downloader(root), manifest);
    this.#session = session;
    this.#onOutdated = onOutdated;
    document.addEventListener("visibilitychange", () => {
      const now = performance.now();
      if (document.visibilityState === "visible" && now - this.#asked > ASK_MS) void this.#ask();
    });
    addEventListener("online", () => void this.#ask());
  }

  /** Keep what was fetched so far; the first time, register the service worker. */
  async keep(): Promise<void> {
    if (!Keeper.possible()) return;
    try {
      if (!this.#started) {
        this.#started = true;
        await this.keeper.register();
        this.#tell(await this.keeper.adopt());
      }
      await this.keeper.remember([...fetched(), ...(await this.#session.fetched())]);
    } catch {
      // Without a network, or where the browser keeps nothing, the page works as it does without.
    }
  }

  async #ask(): Promise<void> {
    this.#asked = performance.now();
    this.#tell(await this.keeper.freshness());
  }

  #tell(freshness: Freshness): void {
    if (freshness === "outdated") this.#onOutdated();
  }
}

/** A site that is no longer to be kept: what an earlier version of it left on this device goes. */
export async function retire(root: URL): Promise<void> {
  await Keeper.forgetAll(root);
}
