/** `<ob-written>`: a model's text, piece by piece as text nodes; its citations lead to their passages. */

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { NOT_IN_THE_NOTES } from "../../retrieval/prompt";
import type { CheckedSentence, GenerateStage, Verdict } from "../../retrieval/trace";
import { href } from "../format";
import { placeOf } from "../place";
import type { State } from "../state";
import { S } from "../strings";
import { P } from "../strings/panels";
import { base, citationMark, quotedBlock } from "../styles";
import { type Block, blocksOf, type Piece, piecesOf } from "./cited";

@customElement("ob-written")
export class WrittenText extends LitElement {
  static override styles = [
    base,
    quotedBlock,
    citationMark,
    css`
      p {
        font-family: var(--ob-serif);
        font-size: var(--ob-text-read);
        line-height: var(--ob-leading);
        white-space: pre-line;
      }
      p + p,
      p + pre,
      pre + p {
        margin-block-start: var(--ob-space-3);
      }
      code {
        padding: 0 0.25em;
        border-radius: var(--ob-radius-s);
        background: var(--ob-sunk);
        font-family: var(--ob-mono);
        font-size: 0.9em;
      }
      .cite,
      .nowhere {
        margin-inline-start: 0.15em;
      }
      .nowhere {
        border: 1px dashed var(--ob-bad);
        color: var(--ob-bad);
        text-decoration: line-through;
      }
      .caret {
        display: inline-block;
        inline-size: 0.5em;
        block-size: 1em;
        background: var(--ob-accent);
        vertical-align: -0.1em;
      }
      @media (prefers-reduced-motion: no-preference) {
        .caret {
          animation: blink 1s steps(2) infinite;
        }
      }
      @keyframes blink {
        50% {
          opacity: 0;
        }
      }
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
      .summary {
        display: flex;
        flex-wrap: wrap;
        gap: var(--ob-space-1) var(--ob-space-4);
        margin-block-start: var(--ob-space-3);
        color: var(--ob-ink-soft);
        font-size: var(--ob-text-s);
      }
      .says {
        margin-block-start: var(--ob-space-2);
        font-family: var(--ob-sans);
        font-size: var(--ob-text-s);
      }
    `,
  ];

  @property({ attribute: false }) state!: State;
  @property() text = "";
  /** Null while it is written. */
  @property({ attribute: false }) stage: GenerateStage | null = null;

  override render() {
    const { text, stage } = this;
    if (stage && text.trim() === "") return html`<p class="quiet">${S.generation.empty}</p>`;
    const blocks = blocksOf(text);
    const caret = stage ? nothing : html`<span class="caret" aria-hidden="true"></span>`;
    return html`
      <div class="text" aria-live="off">
        ${blocks.map((block, place) =>
          block.kind === "pre"
            ? html`<pre tabindex="0">${block.text}</pre>`
            : html`<p>${this.#sentences(block)}${place === blocks.length - 1 ? caret : nothing}</p>`,
        )}
        ${blocks.length === 0 ? html`<p>${caret}</p>` : nothing}
      </div>
      ${stage && saysNot(text) ? html`<p class="says quiet">${S.generation.notInNotes}</p>` : nothing}
      ${stage ? this.#summary() : nothing}
    `;
  }

  /** A paragraph: what has been checked, each sentence with its mark, and what stands between and behind. */
  #sentences({ start, text }: Block): (TemplateResult | string)[] {
    const parts: (TemplateResult | string)[] = [];
    let at = 0;
    for (const sentence of this.state.checked) {
      const from = sentence.start - start;
      const to = sentence.end - start;
      if (from < at || to > text.length) continue;
      parts.push(...this.#pieces(text.slice(at, from)));
      parts.push(
        html`<span class="sentence ${sentence.verdict}">${this.#pieces(text.slice(from, to))}${mark(sentence)}</span>`,
      );
      at = to;
    }
    parts.push(...this.#pieces(text.slice(at)));
    return parts;
  }

  #pieces(text: string): (TemplateResult | string)[] {
    return piecesOf(text).map((piece) => this.#piece(piece));
  }

  /** How many sentences got which mark; the block has the reasons. */
  #summary(): TemplateResult | typeof nothing {
    const counts = new Map<Verdict, number>();
    for (const { verdict } of this.state.checked) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    counts.delete("no-claim");
    if (counts.size === 0) return nothing;
    return html`<ul class="summary">
      ${MARKED.filter((verdict) => counts.has(verdict)).map(
        (verdict) => html`<li class=${verdict}>
          <span class="mark" aria-hidden="true">${GLYPHS[verdict]}</span>
          <span class="number">${counts.get(verdict)}</span> ${S.generation.verdicts[verdict]}
        </li>`,
      )}
    </ul>`;
  }

  #piece(piece: Piece): TemplateResult | string {
    if (piece.kind === "code") return html`<code>${piece.text}</code>`;
    if (piece.kind === "text") return piece.text;
    return html`${piece.numbers.map((number) => this.#cite(number))}`;
  }

  #cite(number: number): TemplateResult {
    const passage = this.state.passages?.find((one) => one.number === number);
    const catalogue = this.state.index?.catalogue;
    if (!passage || !catalogue) {
      return html`<span class="nowhere" title=${S.generation.noPassage(number)}>${number}<span class="visually-hidden">
        (${S.generation.noPassage(number)})</span></span>`;
    }
    const name = S.generation.cite(number, placeOf(catalogue, passage.ordinals).title);
    return html`<a class="cite" href=${href(passage.url)} title=${name} aria-label=${name}>${number}</a>`;
  }
}

/** A sign for each verdict, so that it can be told without colour. */
const GLYPHS: Record<Verdict, string> = {
  supported: "✓",
  weak: "≈",
  unsupported: "✗",
  uncited: "?",
  "unknown-citation": "!",
  "no-claim": "",
};

const MARKED: readonly Verdict[] = ["supported", "weak", "unsupported", "uncited", "unknown-citation"];

function mark({ verdict, objections, evidence }: CheckedSentence): TemplateResult | typeof nothing {
  if (verdict === "no-claim") return nothing;
  const words = [
    P.checkPanel.verdict[verdict],
    ...objections.map(({ kind, what }) => P.checkPanel.objection[kind](what)),
    evidence ? P.checkPanel.evidence(evidence.number, evidence.text) : "",
  ]
    .filter(Boolean)
    .join(" ");
  return html`<span class="mark" role="img" aria-label=${words} title=${words}>${GLYPHS[verdict]}</span>`;
}

/** Whether the model says what the prompt told it to say when the passages do not answer. */
function saysNot(text: string): boolean {
  const letters = (words: string): string =>
    words
      .toLowerCase()
      .replace(/[^a-z ]/g, "")
      .trim();
  return letters(text).startsWith(letters(NOT_IN_THE_NOTES));
}

declare global {
  interface HTMLElementTagNameMap {
    "ob-written": WrittenText;
  }
}
