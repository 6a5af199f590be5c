/** What the page answers: sentences of the notes with their numbers, or that it is not in the notes. */

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { AnswerSentence } from "../retrieval/trace";
import "./copy-link";
import { askInstead, dropFilter } from "./events";
import { partInWords } from "./facets";
import { apart, href, list, size } from "./format";
import type { Formulas } from "./formulas";
import { textDirective } from "./fragment";
import { notice } from "./icons";
import { ofCourse } from "./language";
import { passageTextStyles, quotation } from "./passage-text";
import { placeOf } from "./place";
import { type State, stageIn, verdictOf } from "./state";
import { explain, S } from "./strings";
import { base, citationMark } from "./styles";

@customElement("ob-answer")
export class Answer extends LitElement {
  static override styles = [
    base,
    passageTextStyles,
    citationMark,
    css`
      header {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: var(--ob-space-3);
        min-block-size: 1.75rem;
      }
      .body {
        margin-block-start: var(--ob-space-2);
      }
      @media print {
        ob-copy-link {
          display: none;
        }
      }
      .quote {
        padding-inline-start: var(--ob-space-4);
        border-inline-start: 3px solid var(--ob-accent);
        font-family: var(--ob-serif);
        font-size: clamp(1.125rem, 1.05rem + 0.4vi, 1.3125rem);
        line-height: 1.55;
        hanging-punctuation: first;
      }
      .quote + .quote {
        margin-block-start: var(--ob-space-4);
      }
      .cite {
        margin-inline-start: 0.25em;
      }
      /* As large as a finger, without moving the lines apart. */
      @media (pointer: coarse) {
        .cite {
          position: relative;
        }
        .cite::after {
          position: absolute;
          inset: -0.75rem;
          content: "";
        }
      }
      .foot {
        margin-block-start: var(--ob-space-4);
      }
      .above {
        display: flex;
        flex-wrap: wrap;
        gap: var(--ob-space-1) var(--ob-space-4);
        margin-block-end: var(--ob-space-4);
      }
      .lacking {
        display: flex;
        gap: var(--ob-space-2);
        padding: var(--ob-space-1) var(--ob-space-3);
        border-inline-start: 3px solid var(--ob-warn);
        border-radius: var(--ob-radius-s);
        background: var(--ob-warn-wash);
      }
      .lacking svg {
        flex: none;
        margin-block-start: 0.25em;
        color: var(--ob-warn);
      }
      .meant {
        padding-block: var(--ob-space-1);
      }
      .meant .plain {
        font-size: inherit;
      }
      .verdict {
        font-family: var(--ob-serif);
        font-size: var(--ob-text-xl);
        line-height: var(--ob-leading-tight);
      }
      .lead {
        margin-block-start: var(--ob-space-2);
        font-family: var(--ob-serif);
        font-size: var(--ob-text-read);
        line-height: var(--ob-leading);
      }
      .failed .verdict {
        color: var(--ob-bad);
      }
      .running {
        display: flex;
        align-items: baseline;
        gap: var(--ob-space-3);
        color: var(--ob-ink-soft);
        font-family: var(--ob-serif);
        font-size: var(--ob-text-read);
        font-style: italic;
      }
      .dots {
        display: inline-flex;
        gap: 0.25rem;
      }
      .dots i {
        inline-size: 0.375rem;
        block-size: 0.375rem;
        border-radius: 50%;
        background: var(--ob-accent);
      }
      .meant .plain,
      .foot .plain {
        text-align: start;
      }
      @media (prefers-reduced-motion: no-preference) {
        .dots i {
          animation: breathe 1.2s ease-in-out infinite;
        }
        .dots i:nth-child(2) {
          animation-delay: 0.15s;
        }
        .dots i:nth-child(3) {
          animation-delay: 0.3s;
        }
        .arrives {
          animation: arrive var(--ob-slow) var(--ob-ease);
        }
      }
      @keyframes breathe {
        0%,
        80%,
        100% {
          opacity: 0.25;
        }
        40% {
          opacity: 1;
        }
      }
      @keyframes arrive {
        from {
          opacity: 0;
          translate: 0 0.25rem;
        }
      }
    `,
  ];

  @property({ attribute: false }) state!: State;
  @property({ attribute: false }) formulas: Formulas | null = null;
  /** What "Copy a link" copies, where it is not the page's own address. */
  @property() address = "";

  override render() {
    return html`
      <section aria-labelledby="heading">
        <header>
          <h2 class="label" id="heading">${S.answer.heading}</h2>
          ${this.state.trace ? html`<ob-copy-link look="plain" .address=${this.address}></ob-copy-link>` : nothing}
        </header>
        <div class="body" role="log" aria-labelledby="heading">${this.#above()}${this.#body()}</div>
      </section>
    `;
  }

  #body(): TemplateResult {
    switch (verdictOf(this.state)) {
      case "running":
        return this.#running();
      case "answered":
        return this.#answered();
      case "refused":
        return this.#refused();
      case "unjudged":
        return html`<div class="arrives">
          <p class="verdict">${S.answer.unjudged}</p>
          <p class="lead">${S.answer.unjudgedLead}</p>
          ${this.#part()}
        </div>`;
      case "failed":
        return this.#failed();
    }
  }

  #running(): TemplateResult {
    const { encoder } = this.state;
    const text =
      encoder.phase === "downloading"
        ? S.answer.waiting(size(encoder.loaded), size(encoder.total))
        : encoder.phase === "starting" || encoder.phase === "checking"
          ? S.readiness[encoder.phase]
          : S.answer.running;
    // Without announcing every step of a download.
    return html`<p class="running" aria-live="off">
      <span class="dots" aria-hidden="true"><i></i><i></i><i></i></span><span>${text}</span>
    </p>`;
  }

  #answered(): TemplateResult {
    const sentences = stageIn(this.state.blocks, "answer")?.sentences ?? [];
    if (sentences.length === 0) return html`<p class="lead arrives">${S.answer.empty}</p>`;
    const { lang, dir } = ofCourse();
    return html`<div class="arrives">
      ${sentences.map((sentence) =>
        sentence.kind === "sentence"
          ? html`<p class="quote" lang=${lang} dir=${dir}><span class="sentence">${this.#quoted(sentence)}</span>${this.#cite(sentence)}</p>`
          : html`<div class="quote" lang=${lang} dir=${dir}><div class="sentence">${this.#quoted(sentence)}</div>${this.#cite(sentence)}</div>`,
      )}
      <p class="quiet foot">${S.answer.quoted}</p>
    </div>`;
  }

  #quoted({ text, kind }: AnswerSentence): unknown {
    return quotation(text, kind, this.formulas);
  }

  #cite(sentence: AnswerSentence): TemplateResult {
    const passage = this.state.passages?.find(({ number }) => number === sentence.number);
    const catalogue = this.state.index?.catalogue;
    const target = catalogue?.chunk(sentence.ordinal).url ?? passage?.url ?? "";
    const label = passage && catalogue ? placeOf(catalogue, passage.ordinals).title : "";
    const name = S.answer.cited(sentence.number, label);
    const address = target === "" ? "" : href(target) + textDirective(sentence.text);
    return html`<a class="cite" href=${address} title=${name} aria-label=${name}>${sentence.number}</a>`;
  }

  #refused(): TemplateResult {
    const gate = stageIn(this.state.blocks, "gate");
    const score = gate?.[gate.decided_by];
    const words = this.state.filter ? S.filter : S.answer;
    return html`<div class="arrives">
      <p class="verdict">${words.refused}</p>
      <p class="lead">${words.refusedLead}</p>
      ${
        score == null || !gate?.parameters
          ? nothing
          : html`<p class="quiet foot">
              ${S.answer.refusedWhy[gate.decided_by](...apart(score, gate.parameters.threshold))}
              ${this.#nowhere()}
            </p>`
      }
      ${this.#part()}
    </div>`;
  }

  /** Words of the question that the notes do not have: what is quoted may be about something else. */
  #nowhere(): string | typeof nothing {
    const absent = stageIn(this.state.blocks, "gate")?.absent ?? [];
    return absent.length > 0 ? S.answer.nowhere(list(absent.map(S.answer.word))) : nothing;
  }

  /** What a reader should know before the answer; of a refusal, the absent words are part of its reason. */
  #above(): TemplateResult | typeof nothing {
    const verdict = verdictOf(this.state);
    if (verdict === "running" || verdict === "failed") return nothing;
    const absent = verdict === "answered" ? this.#nowhere() : nothing;
    if (absent === nothing && this.state.respelled === null) return nothing;
    return html`<div class="above">
      ${absent === nothing ? nothing : html`<p class="lacking">${notice}<span>${absent}</span></p>`}${this.#meant()}
    </div>`;
  }

  /** The question as it may have been meant, to be asked by a press. */
  #meant(): TemplateResult | typeof nothing {
    const { respelled } = this.state;
    if (respelled === null) return nothing;
    return html`<p class="meant">
      ${S.answer.meant} <button class="plain" @click=${() => askInstead(this, respelled)}>${respelled}</button>
    </p>`;
  }

  /** What part of the course was searched, with a way to search all of it. */
  #part(): TemplateResult | typeof nothing {
    const { filter, index } = this.state;
    if (!filter || !index) return nothing;
    return html`<p class="quiet foot">
      ${S.filter.only(partInWords(filter, index.catalogue.file))}
      <button class="plain" @click=${() => dropFilter(this)}>${S.filter.drop}</button>
    </p>`;
  }

  #failed(): TemplateResult {
    const { askError: error, problems } = this.state;
    // What has been said above is not said again.
    const told = problems.some(({ kind }) => kind === error?.kind);
    const words = error && !told ? explain(error) : null;
    return html`<div class="failed">
      <p class="verdict">${S.answer.failed}</p>
      ${words ? html`<p class="lead">${words.title} ${words.next}</p>` : nothing}
    </div>`;
  }
}
