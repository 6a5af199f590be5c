/** What the reader chose, kept on this device alone: nothing of it is sent, and nothing is loaded because of it. */

import type { Address } from "../../generation/address";
import type { ModelChoice } from "../../generation/engine";

export interface Remembered {
  readonly choice: ModelChoice | null;
  /** Whether later questions are answered by the model without a press. */
  readonly auto: boolean;
  readonly address: Address | null;
}

const NOTHING: Remembered = { choice: null, auto: false, address: null };

export class Memory {
  readonly #key: string;

  /** @param root of the site: two courses on one origin choose apart. */
  constructor(root: URL) {
    this.#key = `openbook ${root.pathname} generation`;
  }

  /** Nothing where the browser keeps nothing, or keeps something that is not ours. */
  read(): Remembered {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(this.#key) ?? "null");
      return typeof kept === "object" && kept !== null ? { ...NOTHING, ...kept } : NOTHING;
    } catch {
      return NOTHING;
    }
  }

  write(change: Partial<Remembered>): void {
    try {
      localStorage.setItem(this.#key, JSON.stringify({ ...this.read(), ...change }));
    } catch {
      // A browser that keeps nothing asks again on the next visit.
    }
  }
}
