/** When the course's formulas are fetched: with the first passage on the page that has one. */

import type { ReactiveControllerHost } from "lit";
import type { Formulas } from "./formulas";
import type { Session } from "./session";
import type { State } from "./state";

/** What words hardly have, and nearly every formula. */
const TEX = /[\\^_]/;

/** The first results of somebody who types are there before this, and cost no formulas. */
const READING_MS = 700;

export class FormulasOnDemand {
  /** Null until they are here; TeX is shown till then. */
  value: Formulas | null = null;
  #asked = false;
  readonly #host: ReactiveControllerHost;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
  }

  /** @param root address of the site's root folder */
  async follow(session: Session, root: URL): Promise<void> {
    const manifest = session.state.index?.manifest;
    if (this.#asked || !manifest?.formulas || !showsTex(session.state)) return;
    this.#asked = true;
    try {
      if (session.state.mode === "typing") await new Promise((resolve) => setTimeout(resolve, READING_MS));
      const { loadFormulas } = await import("./formulas");
      this.value = await loadFormulas(root, manifest);
      this.#host.requestUpdate();
    } catch (error) {
      session.problem(error);
    }
  }
}

function showsTex({ typed, keywordTexts, passages }: State): boolean {
  const texts = [...(typed?.texts ?? []), ...keywordTexts, ...(passages ?? [])];
  return texts.some((one) => one !== null && TEX.test(one.text));
}
