/** One passage: where it stands, the stretch of it that matched best, all of it on demand. */

import { css, html, LitElement, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { type Block, excerptOf, type Mark } from "../highlight";
import type { Formulas } from "./formulas";
import { chevron } from "./icons";
import { ofCourse } from "./language";
import { passageTextStyles, stretch } from "./passage-text";
import { breadcrumb, type Place } from "./place";
import { S } from "./strings";
import { base } from "./styles";

/** Characters of an excerpt: about four lines on a wide screen. */
const EXCERPT = 300;

/** By what they say: a list is made anew with each step of a download, and a passage that stays is not to be drawn anew. */
function differ(one: unknown, other: unknown): boolean {
  return one !== other && JSON.stringify(one) !== JSON.stringify(other);
}

@customElement("ob-passage")
export class PassageItem extends LitElement {
  static override styles = [
    base,
    passageTextStyles,
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
        color: var(--ob-ink-soft);
        font-size: var(--ob-text-xs);
      }
      .kind,
      .part {
        white-space: nowrap;
      }
      .kind svg {
        display: inline-block;
        inline-size: 0.9rem;
        block-size: 0.9rem;
        margin-inline-end: 0.3em;
        vertical-align: -0.15em;
      }
      /* A line ends with a sign, rather than begin with one. */
      .crumbs > :not(:last-child)::after {
        color: var(--ob-ink-faint);
        content: "\\a0› " / "";
      }
      .crumbs > .kind:not(:last-child)::after,
      .crumbs > :has(+ .part)::after {
        content: "\\a0· " / "";
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
      /* On paper a link leads nowhere. */
      .address {
        display: none;
        color: var(--ob-ink-soft);
        font-size: var(--ob-text-xs);
      }
      @media print {
        .address {
          display: block;
        }
        article {
          break-inside: avoid;
        }
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

  @property({ attribute: false, hasChanged: differ }) place!: Place;
  /** Null while the text has not come, or cannot. */
  @property({ attribute: false }) text: string | null = null;
  @property({ attribute: false, hasChanged: differ }) marks: readonly Mark[] = [];
  /** Stretches whose line ends matter. */
  @property({ attribute: false, hasChanged: differ }) verbatim: readonly Block[] = [];
  /** Of the course, when they have come. */
  @property({ attribute: false }) formulas: Formulas | null = null;
  /** As the answer cites it. */
  @property({ type: Number }) number: number | null = null;
  @property({ type: Boolean }) cited = false;
  /** Stretches that the answer quotes. */
  @property({ attribute: false, hasChanged: differ }) quoted: readonly Mark[] = [];
  /** Which searches found it, in words. */
  @property() found = "";
  /** The text is on its way. */
  @property({ type: Boolean }) awaited = false;
  @state() private whole = false;

  override render() {
    const { place } = this;
    const { lang, dir } = ofCourse();
    return html`
      <article class=${this.number === null ? "" : "numbered"}>
        ${this.number === null ? nothing : html`<span class="badge ${this.cited ? "cited" : ""}">${this.number}</span>`}
        ${breadcrumb(place)}
        <h3 lang=${lang} dir=${dir}><a href=${place.href}>${place.title}</a></h3>
        <p class="address">${new URL(place.href, document.baseURI).href}</p>
        ${this.text !== null ? this.#text(this.text) : this.awaited ? html`<div class="pending"></div>` : nothing}
      </article>
    `;
  }

  #text(text: string) {
    const { marks, quoted, verbatim: blocks, formulas, whole } = this;
    const [start, end] = excerptOf(text, quoted.length > 0 ? quoted : marks, EXCERPT);
    const cut = start > 0 || end < text.length;
    const reading = { text, marks, quoted, blocks, formulas };
    return html`
      ${whole ? stretch(reading, 0, text.length, true) : stretch(reading, start, end, false)}
      <p class="foot">
        ${
          cut || whole
            ? html`<button class="plain" aria-expanded=${whole} @click=${this.#toggle}>
                ${chevron}${whole ? S.results.less : S.results.more}
              </button>`
            : nothing
        }
        ${this.found ? html`<span class="number">${this.found}</span>` : nothing}
        ${this.place.updated ? html`<span class="number">${this.place.updated}</span>` : nothing}
      </p>
    `;
  }

  #toggle(): void {
    this.whole = !this.whole;
  }
}
