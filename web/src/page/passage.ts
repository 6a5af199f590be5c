/** One passage: where it stands, the stretch of it that matched best, all of it on demand. */

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { excerptOf, type Mark, runsOf } from "../highlight";
import { chevron } from "./icons";
import { breadcrumb, type Place } from "./place";
import { S } from "./strings";
import { base, quotedBlock } from "./styles";

/** Characters of an excerpt: about four lines on a wide screen. */
const EXCERPT = 300;
/** Most lines of a block of code or a table in one. */
const LINES = 6;

@customElement("ob-passage")
export class PassageItem extends LitElement {
  static override styles = [
    base,
    quotedBlock,
    css`
      article {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--ob-space-1);
        padding-block: var(--ob-space-4);
      }
      article.numbered {
        grid-template-columns: 1.75rem minmax(0, 1fr);
        column-gap: var(--ob-space-3);
      }
      article.numbered > :not(.badge) {
        grid-column: 2;
      }
      .badge {
        grid-row: 1 / span 2;
        display: grid;
        place-items: center;
        inline-size: 1.75rem;
        block-size: 1.75rem;
        margin-block-start: 0.05rem;
        border: 1px solid var(--ob-rule-strong);
        border-radius: 50%;
        color: var(--ob-ink-soft);
        font-size: var(--ob-text-s);
        font-variant-numeric: tabular-nums;
      }
      .badge.cited {
        border-color: var(--ob-accent);
        background: var(--ob-accent);
        color: var(--ob-on-accent);
      }
      .crumbs {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        color: var(--ob-ink-soft);
        font-size: var(--ob-text-xs);
      }
      .kind {
        display: inline-flex;
        align-items: center;
        gap: 0.3em;
      }
      .kind svg {
        inline-size: 0.9rem;
        block-size: 0.9rem;
        align-self: center;
      }
      .step::before {
        margin-inline: 0.5em;
        color: var(--ob-ink-faint);
        content: "›" / "";
      }
      .kind + .step::before {
        content: "·" / "";
      }
      .part::before {
        content: "·" / "";
      }
      h3 {
        font-family: var(--ob-serif);
        font-size: var(--ob-text-l);
      }
      h3 a {
        text-decoration-color: transparent;
      }
      h3 a:hover {
        text-decoration-color: currentcolor;
      }
      .text {
        margin-block-start: var(--ob-space-1);
        font-family: var(--ob-serif);
        font-size: var(--ob-text-m);
        line-height: 1.55;
      }
      .prose {
        white-space: pre-line;
      }
      .whole > * + * {
        margin-block-start: var(--ob-space-2);
      }
      pre {
        overflow-wrap: normal;
      }
      /* The room of an excerpt that has not come yet. */
      .pending {
        min-block-size: 8rem;
      }
      .quoted {
        border-radius: 0.15em;
        background: var(--ob-accent-wash);
        text-decoration: underline 1px var(--ob-accent);
        text-underline-offset: 0.25em;
        text-decoration-skip-ink: none;
        box-decoration-break: clone;
        -webkit-box-decoration-break: clone;
      }
      .foot {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0 var(--ob-space-4);
        color: var(--ob-ink-soft);
        font-size: var(--ob-text-xs);
      }
      .foot button {
        display: inline-flex;
        align-items: center;
        gap: 0.25em;
        font-size: var(--ob-text-xs);
        text-decoration: none;
      }
      .foot button:hover {
        text-decoration: underline;
      }
      .chevron {
        inline-size: 0.8rem;
        block-size: 0.8rem;
        transition: rotate var(--ob-fast) var(--ob-ease);
      }
      [aria-expanded="true"] .chevron {
        rotate: 90deg;
      }
    `,
  ];

  @property({ attribute: false }) place!: Place;
  /** Null while the text has not come, or cannot. */
  @property({ attribute: false }) text: string | null = null;
  @property({ attribute: false }) marks: readonly Mark[] = [];
  /** Stretches whose line ends matter. */
  @property({ attribute: false }) verbatim: readonly Mark[] = [];
  /** As the answer cites it. */
  @property({ type: Number }) number: number | null = null;
  @property({ type: Boolean }) cited = false;
  /** Stretches that the answer quotes. */
  @property({ attribute: false }) quoted: readonly Mark[] = [];
  /** Which searches found it, in words. */
  @property() found = "";
  /** The text is on its way. */
  @property({ type: Boolean }) awaited = false;
  @state() private whole = false;

  override render() {
    const { place } = this;
    return html`
      <article class=${this.number === null ? "" : "numbered"}>
        ${this.number === null ? nothing : html`<span class="badge ${this.cited ? "cited" : ""}">${this.number}</span>`}
        ${breadcrumb(place)}
        <h3><a href=${place.href}>${place.title}</a></h3>
        ${this.text !== null ? this.#text(this.text) : this.awaited ? html`<div class="pending"></div>` : nothing}
      </article>
    `;
  }

  #text(text: string) {
    const [start, end] = excerptOf(text, this.quoted.length > 0 ? this.quoted : this.marks, EXCERPT);
    const cut = start > 0 || end < text.length;
    return html`
      ${this.whole ? this.#stretch(text, 0, text.length, true) : this.#stretch(text, start, end, false)}
      <p class="foot">
        ${
          cut || this.whole
            ? html`<button class="plain" aria-expanded=${this.whole} @click=${this.#toggle}>
                ${chevron}${this.whole ? S.results.less : S.results.more}
              </button>`
            : nothing
        }
        ${this.found ? html`<span class="number">${this.found}</span>` : nothing}
        ${this.place.updated ? html`<span class="number">${this.place.updated}</span>` : nothing}
      </p>
    `;
  }

  /** A stretch with code, tables and formulas as they stand in the notes; an excerpt's prose flows. */
  #stretch(text: string, from: number, to: number, whole: boolean): TemplateResult {
    const parts: TemplateResult[] = [];
    const prose = (start: number, end: number): void => {
      const length = text.slice(start, end).trim().length;
      const first = start + leading(text, start);
      if (length === 0) return;
      const before = first > 0 && start === from && !whole ? "… " : nothing;
      const after = end < text.length && end === to && !whole ? " …" : nothing;
      parts.push(
        html`<p class="text ${whole ? "prose" : ""}">${before}${this.#runs(text, first, first + length)}${after}</p>`,
      );
    };
    let at = from;
    for (const [start, end] of this.verbatim) {
      if (end <= from || start >= to) continue;
      prose(at, Math.max(at, start));
      const [first, last] = whole ? [start, end] : linesOf(text, [start, end], [from, to]);
      const [above, below] = [first > start ? "…\n" : "", last < end ? "\n…" : ""];
      parts.push(html`<pre tabindex="0">${above}${this.#runs(text, first, last)}${below}</pre>`);
      at = Math.max(at, last < end ? to : end);
    }
    prose(at, to);
    return html`<div class="whole">${parts}</div>`;
  }

  #runs(text: string, start: number, end: number): unknown[] {
    const marked = (from: number, to: number): unknown[] =>
      runsOf(text, this.marks, from, to).map((run) => (run.marked ? html`<mark>${run.text}</mark>` : run.text));
    const parts: unknown[] = [];
    let at = start;
    for (const [from, to] of this.quoted) {
      if (to <= at || from >= end) continue;
      const [first, last] = [Math.max(from, at), Math.min(to, end)];
      parts.push(...marked(at, first), html`<span class="quoted">${marked(first, last)}</span>`);
      at = last;
    }
    return [...parts, ...marked(at, end)];
  }

  #toggle(): void {
    this.whole = !this.whole;
  }
}

/** How many spaces and line ends stand at a place. */
function leading(text: string, at: number): number {
  return (/^\s*/.exec(text.slice(at))?.[0] ?? "").length;
}

/** Whole lines of a block that an excerpt reaches into, a few of them. */
function linesOf(text: string, block: Mark, excerpt: Mark): Mark {
  const from = Math.max(block[0], excerpt[0]);
  const first = Math.max(block[0], text.lastIndexOf("\n", from - 1) + 1);
  let last = first;
  for (let lines = 0; lines < LINES && last < Math.min(block[1], excerpt[1]); lines++) {
    const next = text.indexOf("\n", last + 1);
    last = next < 0 ? block[1] : Math.min(next, block[1]);
  }
  return [first, last];
}
