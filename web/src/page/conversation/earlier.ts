/** `<ob-earlier>`: what was asked before, each exchange folded to a question, a sentence and its citations. */

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { type Cited, type Exchange, type Fact, firstSentence, partsOf, type Quote } from "../../conversation/exchange";
import { toJson, toMarkdown } from "../../conversation/export";
import type { Talk, View } from "../../conversation/talk";
import { saveFile } from "../export";
import { href } from "../format";
import { mark, verdictMark } from "../generation/marks";
import { chevron } from "../icons";
import { S } from "../strings";
import { base, quotedBlock } from "../styles";

@customElement("ob-earlier")
export class Earlier extends LitElement {
  static override styles = [
    base,
    quotedBlock,
    verdictMark,
    css`
      :host(:not([hidden])) {
        display: block;
      }
      .head,
      .row {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: var(--ob-space-1) var(--ob-space-4);
      }
      .head {
        justify-content: space-between;
        padding-block-start: var(--ob-space-4);
        border-block-start: 1px solid var(--ob-rule);
      }
      ol > li {
        padding-block: var(--ob-space-3);
        border-block-end: 1px solid var(--ob-rule);
      }
      ol h3 {
        font-size: var(--ob-text-m);
      }
      .facts {
        margin-block-end: var(--ob-space-3);
      }
      .question {
        display: flex;
        gap: var(--ob-space-2);
        inline-size: 100%;
        min-block-size: 1.75rem;
        padding: 0;
        border: 0;
        background: none;
        font-weight: 600;
        text-align: start;
      }
      .question svg {
        margin-block-start: 0.25em;
        color: var(--ob-accent);
        transition: rotate var(--ob-fast) var(--ob-ease);
      }
      .question[aria-expanded="true"] svg {
        rotate: 90deg;
      }
      .said {
        padding-inline-start: calc(16px + var(--ob-space-2));
      }
      .said > * {
        margin-block-start: var(--ob-space-1);
      }
      .said p {
        font-family: var(--ob-serif);
        line-height: var(--ob-leading);
      }
      .said .quiet,
      .cites {
        font-family: var(--ob-sans);
        font-size: var(--ob-text-s);
      }
      .written {
        white-space: pre-wrap;
      }
      .cites {
        display: flex;
        flex-wrap: wrap;
        gap: 0 var(--ob-space-4);
      }
    `,
  ];

  @property({ attribute: false }) talk: Talk | null = null;
  @property({ attribute: false }) view: View | null = null;
  /** All but the one that the page shows. */
  @property({ attribute: false }) exchanges: readonly Exchange[] = [];
  @state() private opened: ReadonlySet<Exchange> = new Set();

  override render() {
    const { view } = this;
    if (!view) return nothing;
    const { exchanges } = view.conversation;
    if (exchanges.length === 0) return nothing;
    return html`<section aria-labelledby="heading">
      <div class="head">
        <h2 class="label" id="heading">${
          this.exchanges.length > 0 ? `${S.conversation.heading} (${this.exchanges.length})` : S.conversation.only
        }</h2>
        <p class="row">
          <span class="quiet">${view.unkept ? S.conversation.unkept : S.conversation.kept}</span>
          <button class="plain" type="button" @click=${() => this.#save("md")}>
            ${S.conversation.markdown}
          </button>
          <button class="plain" type="button" @click=${() => this.#save("json")}>
            ${S.conversation.json}
          </button>
          <button class="button" type="button" @click=${this.#begin}>${S.conversation.new}</button>
        </p>
      </div>
      ${view.dropped > 0 ? html`<p class="quiet" role="note">${S.conversation.dropped(view.dropped)}</p>` : nothing}
      ${view.conversation.facts.length > 0 ? this.#facts(view.conversation.facts) : nothing}
      <ol>
        ${this.exchanges.map((exchange) => this.#exchange(exchange))}
      </ol>
    </section>`;
  }

  #exchange(exchange: Exchange): TemplateResult {
    const open = this.opened.has(exchange);
    return html`<li>
      <h3>
        <button class="question" type="button" aria-expanded=${open} @click=${() => this.#toggle(exchange)}>
          ${chevron}<span>${exchange.question}</span>
        </button>
      </h3>
      <div class="said">
        ${open ? this.#whole(exchange) : html`<p>${this.#short(exchange)}</p>`}
        ${
          exchange.cited.length > 0
            ? html`<ul class="cites">
                ${exchange.cited.map((one) => html`<li class="cite">${this.#cite(one)}</li>`)}
              </ul>`
            : nothing
        }
      </div>
    </li>`;
  }

  #short(exchange: Exchange): string {
    if (exchange.verdict === "refused") return S.conversation.refused;
    return firstSentence(exchange) || (exchange.verdict === "unjudged" ? S.conversation.unjudged : "");
  }

  #whole(exchange: Exchange): TemplateResult {
    const { queries, quotes, written, verdict } = exchange;
    return html`
      ${queries.length > 0 ? html`<p class="quiet">${S.conversation.searched(queries)}</p>` : nothing}
      ${verdict === "answered" ? nothing : html`<p>${S.conversation[verdict]}</p>`}
      ${quotes.map((quote) => this.#quote(quote, exchange))}
      ${
        written
          ? html`<p class="quiet">${S.conversation.writtenBy(written.model)}</p>
              <p class="written">${partsOf(written).map(
                ({ text, verdict: found }) =>
                  html`<span class="sentence ${found ?? ""}">${text}${found ? mark(found, S.generation.verdicts[found]) : nothing}</span>`,
              )}</p>
              ${written.checked.length === 0 ? html`<p class="quiet">${S.conversation.unchecked}</p>` : nothing}`
          : nothing
      }
      <p><button class="plain" type="button" @click=${() => this.#again(exchange)}>${S.conversation.again}</button></p>
    `;
  }

  #quote({ text, number, verbatim }: Quote, { cited }: Exchange): TemplateResult {
    if (verbatim) return html`<pre tabindex="0">${text}</pre>`;
    const { label = "", url = "" } = cited.find((one) => one.number === number) ?? {};
    return html`<p>${text} [${number}] ${this.#pin({ text, label, url })}</p>`;
  }

  /** Remembered, a sentence is told to a model with every question. */
  #pin(fact: Fact): TemplateResult {
    const pinned = this.view?.conversation.facts.some(({ text }) => text === fact.text) ?? false;
    return html`<button class="plain" type="button" aria-pressed=${pinned} @click=${() => this.talk?.remember(fact)}>
      ${pinned ? S.conversation.forget : S.conversation.remember}
    </button>`;
  }

  #facts(facts: readonly Fact[]): TemplateResult {
    return html`<h3 class="label">${S.conversation.facts}</h3>
      <ul class="facts">
        ${facts.map((fact) => html`<li><a href=${href(fact.url)}>${fact.text}</a> ${this.#pin(fact)}</li>`)}
      </ul>`;
  }

  #cite({ number, label, url }: Cited): TemplateResult {
    return html`<a href=${href(url)}>[${number}] ${label}</a>`;
  }

  #toggle(exchange: Exchange): void {
    const opened = new Set(this.opened);
    if (!opened.delete(exchange)) opened.add(exchange);
    this.opened = opened;
  }

  #again(exchange: Exchange): void {
    this.dispatchEvent(new CustomEvent<Exchange>("ob-again", { detail: exchange }));
    scrollTo({ top: 0 });
  }

  #begin(): void {
    this.dispatchEvent(new CustomEvent("ob-new"));
  }

  #save(kind: "md" | "json"): void {
    const conversation = this.view?.conversation;
    if (!conversation) return;
    const name = `openbook-${S.conversation.file}.${kind}`;
    const address = (path: string): string => new URL(href(path), document.baseURI).href;
    if (kind === "json") saveFile(name, "application/json", toJson(conversation));
    else
      saveFile(
        name,
        "text/markdown",
        toMarkdown(conversation, address, { ...S.conversation, verdicts: S.generation.verdicts }),
      );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "ob-earlier": Earlier;
  }
}
