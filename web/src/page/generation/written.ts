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
import { type Block, blocksOf, type Piece, piecesOf, type Run, runsOf } from "./cited";
import { GLYPHS, MARKED, mark, verdictMark } from "./marks";

@customElement("ob-written")
export class WrittenText extends LitElement {
  static override styles = [
    base,
    quotedBlock,
    citationMark,
    verdictMark,
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
    if (stage && text.trim() === "") {
      // Why a search ended without an answer is said below.
      return stage.reason === "" ? html`<p class="quiet">${S.generation.empty}</p>` : nothing;
    }
    const blocks = blocksOf(text);
    const runs = runsOf(blocks, this.state.checked);
    const caret = stage ? nothing : html`<span class="caret" aria-hidden="true"></span>`;
    return html`
      <div class="text" aria-live="off">
        ${blocks.map((block, place) =>
          block.kind === "pre"
            ? this.#code(block, runs[place] ?? [])
            : html`<p>${(runs[place] ?? []).map((run) => this.#run(run))}${place === blocks.length - 1 ? caret : nothing}</p>`,
        )}
        ${blocks.length === 0 ? html`<p>${caret}</p>` : nothing}
      </div>
      ${stage && saysNot(text) ? html`<p class="says quiet">${S.generation.notInNotes}</p>` : nothing}
      ${stage ? this.#summary() : nothing}
    `;
  }

  /** A part of a paragraph: of what has been checked with its mark, or what stands between and behind. */
  #run({ text, sentence, ends }: Run): TemplateResult | (TemplateResult | string)[] {
    if (!sentence) return this.#pieces(text);
    return html`<span class="sentence ${sentence.verdict}">${this.#pieces(text)}${ends ? markOf(sentence) : nothing}</span>`;
  }

  /** Code, and below it the marks of what it says: a claim is none the less one for standing in a fence. */
  #code({ text }: Block, runs: readonly Run[]): TemplateResult {
    const marks = runs.flatMap(({ sentence, ends }) => (sentence && ends ? markOf(sentence) : []));
    return html`<pre tabindex="0">${text}</pre>${marks.length > 0 ? html`<p>${marks}</p>` : nothing}`;
  }

  #pieces(text: string): (TemplateResult | string)[] {
    const given = this.state.passages?.map(({ number }) => number) ?? [];
    return piecesOf(text, given).map((piece) => this.#piece(piece));
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

function markOf({ verdict, objections, evidence }: CheckedSentence): TemplateResult | typeof nothing {
  const words = [
    P.checkPanel.verdict[verdict],
    ...objections.map(({ kind, what }) => P.checkPanel.objection[kind](what)),
    evidence ? P.checkPanel.evidence(evidence.number, evidence.text) : "",
  ];
  return mark(verdict, words.filter(Boolean).join(" "));
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
