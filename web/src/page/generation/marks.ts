/** The sign behind a sentence that was checked, and how the sentence is underlined. */

import { css, html, nothing, type TemplateResult } from "lit";
import type { Verdict } from "../../retrieval/trace";

/** A sign for each verdict, so that it can be told without colour. */
export const GLYPHS: Record<Verdict, string> = {
  supported: "✓",
  weak: "≈",
  unsupported: "✗",
  uncited: "?",
  "unknown-citation": "!",
  "no-claim": "",
};

export const MARKED: readonly Verdict[] = ["supported", "weak", "unsupported", "uncited", "unknown-citation"];

/** @param words what the sign says; nothing is drawn behind what claims nothing */
export function mark(verdict: Verdict, words: string): TemplateResult | typeof nothing {
  if (verdict === "no-claim") return nothing;
  return html`<span class="mark" role="img" aria-label=${words} title=${words}>${GLYPHS[verdict]}</span>`;
}

/** Of `.mark` and `.sentence`, each with the class of its verdict or in an element that has it. */
export const verdictMark = css`
  .mark {
    display: inline-grid;
    place-items: center;
    inline-size: 1.25rem;
    block-size: 1.25rem;
    margin-inline: 0.25em 0.1em;
    border-radius: 50%;
    background: var(--ob-good-wash);
    color: var(--ob-good);
    font-family: var(--ob-sans);
    font-size: var(--ob-text-xs);
    font-weight: 700;
    line-height: 1;
    vertical-align: 0.1em;
    cursor: help;
  }
  .weak .mark,
  .uncited .mark {
    background: var(--ob-warn-wash);
    color: var(--ob-warn);
  }
  .unsupported .mark,
  .unknown-citation .mark {
    background: var(--ob-bad-wash);
    color: var(--ob-bad);
  }
  .unsupported.sentence,
  .unknown-citation.sentence {
    text-decoration: underline wavy var(--ob-bad) 1px;
    text-underline-offset: 0.25em;
  }
  .weak.sentence,
  .uncited.sentence {
    text-decoration: underline dotted var(--ob-warn) 1px;
    text-underline-offset: 0.25em;
  }
`;
