/** Keeps what was fetched for use without a network, when nothing more is being fetched: it is in nobody's way then. */

import type { Offline } from "./offline";
import type { Session } from "./session";

/** How long nothing may have been fetched before what was is kept. */
const QUIET_MS = 2500;

export class Keeping {
  readonly #root: URL;
  readonly #session: Session;
  readonly #wanted: () => boolean;
  #offline: Offline | null = null;
  #quiet: ReturnType<typeof setTimeout> | undefined;

  /** @param wanted whether this browser may keep the site; if not, what an earlier version left is taken away */
  constructor(root: URL, session: Session, wanted: () => boolean) {
    this.#root = root;
    this.#session = session;
    this.#wanted = wanted;
  }

  soon(): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => void this.#keep(), QUIET_MS);
  }

  async #keep(): Promise<void> {
    const session = this.#session;
    const manifest = session.state.index?.manifest;
    if (!manifest) return;
    const { Offline, retire } = await import("./offline");
    if (!this.#wanted()) return retire(this.#root);
    this.#offline ??= new Offline(this.#root, manifest, session, () => session.outdated());
    await this.#offline.keep();
  }
}
