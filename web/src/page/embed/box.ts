/**
 * What `<open-book>` shows on a page of somebody else: box, answer, passages, and the working when it is asked for.
 *
 * The page round it is left as it was: no style, no address, no title, no key of it is touched. And it is not let in:
 * `all: initial` keeps out what would be inherited, the shadow root the rest, but for `--open-book-…` and `color-scheme`.
 */

import { tokens } from "virtual:tokens";
import { css, html, nothing, type PropertyValues, unsafeCSS } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { CatalogueFile } from "../../index/schema";
import { NO_FILTER } from "../../retrieval/filter";
import "../answer";
import "../ask-box";
import { Asking } from "../asking";
import { headingsOf } from "../guide";
import { listOf } from "../items";
import { courseIsIn, speakToReader } from "../language";
import "../passages";
import { addressOf, type Depth } from "../permalink";
import "../problems";
import "../readiness";
import { Session } from "../session";
import type { OpenIndex } from "../state";
import { statusOf } from "../status";
import { S } from "../strings";
import { base } from "../styles";
import { FormulasOnDemand } from "../tex";
import { sharedWorker } from "./worker";

/** How many questions it offers to begin with. */
const EXAMPLES = 3;

@customElement("ob-embedded-box")
export class EmbeddedBox extends Asking {
  static override styles = [
    base,
    unsafeCSS(tokens),
    css`
      :host {
        all: initial;
        display: block;
        box-sizing: border-box;
        color-scheme: inherit;
        padding: var(--open-book-padding, var(--ob-space-4));
        border: var(--open-book-border, 1px solid var(--ob-rule));
        border-radius: var(--ob-radius-l);
        background: var(--ob-paper);
        color: var(--ob-ink);
        font-family: var(--ob-sans);
        font-size: var(--ob-text-m);
        line-height: var(--ob-leading);
        text-align: start;
        overflow-wrap: anywhere;
      }
      .box {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--ob-space-4);
      }
      ob-answer:focus {
        outline: 0;
      }
      .title {
        font-family: var(--ob-serif);
        font-size: var(--ob-text-l);
      }
      .examples {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: var(--ob-space-2);
      }
      .examples .button {
        font-family: var(--ob-serif);
        text-align: start;
      }
      .print {
        display: none;
      }
      @media print {
        .print {
          display: block;
        }
        .idle > :not(.print, .title),
        ob-ask-box,
        ob-readiness,
        .open {
          display: none;
        }
      }
    `,
  ];

  /** Absolute address of the folder of the site that is asked. */
  @property({ attribute: false }) root!: URL;
  /** Asked at once. */
  @property() question = "";
  /** Id of the one lecture that is searched. */
  @property() lecture = "";
  /** Answer and passages only. */
  @property({ type: Boolean }) compact = false;
  /** With the blocks of the pipeline below. */
  @property({ type: Boolean }) working = false;

  constructor() {
    super();
    this.depth = "";
  }

  override willUpdate(changed: PropertyValues<this>): void {
    const moved = changed.get("root")?.href !== this.root.href && changed.has("root");
    if (moved) this.#open();
    if (moved || changed.has("lecture")) {
      this.session?.filterBy(this.lecture === "" ? null : { ...NO_FILTER, lecture: this.lecture });
    }
    if ((moved || changed.has("question")) && this.question !== "") this.#ask(this.question);
    if (this.working) void import("../working");
  }

  override render() {
    const { view } = this;
    const list = listOf(view);
    const title = view.index?.manifest.course.title ?? "";
    const site = this.root.href;
    return html`<div class="box ${view.mode}" @ob-filter=${this.#searchAll}>
      ${this.compact || !title ? nothing : html`<p class="title"><a href=${site}>${S.guest.label(title)}</a></p>`}
      <p class="print">${S.guest.print(title)} <a href=${site}>${site}</a></p>
      <ob-ask-box
        guest
        .value=${this.text}
        @keydown=${keep}
        @keyup=${keep}
        @keypress=${keep}
        @ob-use=${this.use}
        @ob-input=${(event: CustomEvent<string>) => this.#type(event.detail)}
        @ob-ask=${(event: CustomEvent<string>) => this.#ask(event.detail)}
        @ob-clear=${this.#clear}
      ></ob-ask-box>
      <ob-readiness .state=${view} .asks=${!this.consents} @ob-load=${this.load}></ob-readiness>
      <p class="visually-hidden" role="status">${statusOf(view)}</p>
      <ob-problems .errors=${view.openError ? [view.openError] : view.problems}></ob-problems>
      ${view.mode === "idle" && view.index && !this.compact ? this.#examples(view.index) : nothing}
      ${
        view.mode === "asked"
          ? html`<ob-answer
            .state=${view}
            .address=${this.#address(null)}
            .formulas=${this.formulas.value}
            tabindex="-1"
            @ob-ask=${(event: CustomEvent<string>) => {
              this.#ask(event.detail);
              void this.#refocus();
            }}
          ></ob-answer>`
          : nothing
      }
      ${list ? html`<ob-passages .list=${list} .formulas=${this.formulas.value}></ob-passages>` : nothing}
      ${this.working ? this.#working() : nothing}
      ${
        view.mode === "asked" && title
          ? html`<p class="quiet open"><a href=${this.#address(null)}>${S.guest.open(title)}</a></p>`
          : nothing
      }
    </div>`;
  }

  override focus(): void {
    this.shadowRoot?.querySelector<HTMLElement>("ob-ask-box")?.focus();
  }

  #examples(index: OpenIndex) {
    const asked = index.manifest.examples.map(({ question }) => question);
    const offered = (asked.length > 0 ? asked : headingsOf(index)).slice(0, EXAMPLES);
    if (offered.length === 0) return nothing;
    return html`<p class="examples">
      <span class="label">${S.guest.examples}</span>
      ${offered.map((text) => html`<button class="button" @click=${() => this.#ask(text)}>${text}</button>`)}
    </p>`;
  }

  #working() {
    return this.blocks(this.root, this.#address(this.depth), (depth) => {
      this.depth = depth;
    });
  }

  /** The same question on the site's own page. */
  #address(depth: Depth): string {
    const { mode, question, filter } = this.view;
    const page = new URL("index.html", this.root).href;
    return addressOf({ question: mode === "asked" ? question : "", depth, filter, queries: [] }, page);
  }

  #open(): void {
    const { root } = this;
    const session = new Session(root, sharedWorker, (message) => ({
      ...message,
      catalogue: absolute(message.catalogue, root),
    }));
    this.session?.clear();
    this.session = session;
    this.formulas = new FormulasOnDemand(this);
    this.view = session.state;
    session.addEventListener("change", () => {
      if (session === this.session) this.#changed(session);
    });
  }

  #changed(session: Session): void {
    const before = this.follow(session, this.root);
    if (!before.index && this.view.index) courseIsIn(this.view.index.manifest.course.language);
    this.askAgain(session, before);
  }

  #type(text: string): void {
    this.text = text;
    if (text.trim() === "") this.session?.clear();
    else this.session?.type(text);
  }

  #ask(question: string): void {
    this.text = question;
    this.use();
    void this.session?.ask(question, this.consents);
  }

  /** The reader wants more than the lecture that the page's author chose. */
  #searchAll(event: Event): void {
    event.stopPropagation();
    this.session?.filterBy(null);
    if (this.view.mode === "asked") this.#ask(this.view.question);
    else this.#type(this.text);
    void this.#refocus();
  }

  /** What was pressed has gone: its place in the page round it is not lost. */
  async #refocus(): Promise<void> {
    await this.updateComplete;
    this.shadowRoot?.querySelector<HTMLElement>("ob-answer")?.focus({ preventScroll: true });
  }

  #clear(): void {
    this.text = "";
    this.session?.clear();
  }
}

/** What is written in the box is no shortcut of the page round it (a deck turns its slides with the space bar). */
function keep(event: Event): void {
  event.stopPropagation();
}

/** Addresses of pages as they are seen from elsewhere; not encoded, as `href` expects them. */
export function absolute(catalogue: CatalogueFile, root: URL): CatalogueFile {
  const base = decodeURI(root.href);
  const moved = (path: string | null): string | null => (path === null || /^https?:/.test(path) ? path : base + path);
  return {
    ...catalogue,
    lectures: catalogue.lectures.map((entry) => ({ ...entry, notes: moved(entry.notes), slides: moved(entry.slides) })),
  };
}

/** The reader's own text size, whatever the page round it calls a rem; `--open-book-size` is the author's word. */
function readersRem(shadow: ShadowRoot): string {
  const probe = document.createElement("span");
  probe.style.fontSize = "medium";
  shadow.append(probe);
  const size = getComputedStyle(probe).fontSize;
  probe.remove();
  return size;
}

/** In the language of the page round it, or the reader's own. One for all of a page. */
const spoken = speakToReader();

/** @param root absolute address of a site's folder */
export async function make(root: URL, shadow: ShadowRoot): Promise<EmbeddedBox> {
  const language = await spoken;
  const box = new EmbeddedBox();
  box.root = root;
  box.lang = language;
  box.dir = "ltr";
  box.style.setProperty("--ob-rem", `var(--open-book-size, ${readersRem(shadow)})`);
  return box;
}

declare global {
  interface HTMLElementTagNameMap {
    "ob-embedded-box": EmbeddedBox;
  }
}
