/** `<ob-searched-for>`: what a follow-up was searched for as; it can be edited, and undone. */

import { css, html, LitElement, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { QUERIES } from "../../retrieval/follow_up";
import { cross } from "../icons";
import { S } from "../strings";
import { base } from "../styles";

@customElement("ob-searched-for")
export class SearchedFor extends LitElement {
  static override styles = [
    base,
    css`
      section {
        padding: var(--ob-space-3) var(--ob-space-4);
        border-inline-start: 3px solid var(--ob-accent);
        border-radius: var(--ob-radius-s);
        background: var(--ob-accent-wash);
      }
      li {
        font-family: var(--ob-serif);
        line-height: var(--ob-leading);
      }
      .row {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--ob-space-1) var(--ob-space-4);
      }
      .row svg {
        display: inline;
        vertical-align: -0.2em;
      }
      textarea {
        display: block;
        inline-size: 100%;
        margin-block: var(--ob-space-2);
        padding: var(--ob-space-2) var(--ob-space-3);
        border: 1px solid var(--ob-rule-strong);
        border-radius: var(--ob-radius);
        background: var(--ob-raised);
        color: var(--ob-ink);
        font-family: var(--ob-serif);
        font-size: var(--ob-text-m);
        line-height: var(--ob-leading);
        resize: vertical;
        field-sizing: content;
      }
    `,
  ];

  @property({ attribute: false }) queries: readonly string[] = [];
  @state() private editing = false;
  @query("textarea") private readonly box!: HTMLTextAreaElement | null;

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("queries")) this.editing = false;
  }

  override render() {
    return html`<section aria-labelledby="label">
      <h2 class="label" id="label">${S.conversation.searchedFor}</h2>
      ${this.editing ? this.#edited() : this.#shown()}
    </section>`;
  }

  #shown() {
    return html`
      <ul>
        ${this.queries.map((text) => html`<li>${text}</li>`)}
      </ul>
      <p class="quiet">${S.conversation.why}</p>
      <p class="row">
        <button class="plain" type="button" @click=${this.#edit}>${S.conversation.edit}</button>
        <button class="plain" type="button" @click=${() => this.#send([])}>${cross} ${S.conversation.literal}</button>
      </p>
    `;
  }

  #edited() {
    return html`<form @submit=${this.#submit} @keydown=${this.#key}>
      <textarea
        rows=${Math.max(2, this.queries.length)}
        maxlength="1200"
        aria-label=${S.conversation.editLabel}
        .value=${this.queries.join("\n")}
      ></textarea>
      <p class="quiet">${S.conversation.editLabel}</p>
      <p class="row">
        <button class="button" type="submit">${S.conversation.search}</button>
        <button class="plain" type="button" @click=${this.#leave}>${S.conversation.cancel}</button>
      </p>
    </form>`;
  }

  async #edit(): Promise<void> {
    this.editing = true;
    await this.updateComplete;
    this.box?.focus();
  }

  #leave(): void {
    this.editing = false;
  }

  #key(event: KeyboardEvent): void {
    if (event.key === "Escape") this.#leave();
    else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) this.#submit(event);
    else return;
    event.stopPropagation();
  }

  #submit(event: Event): void {
    event.preventDefault();
    const lines = (this.box?.value ?? "").split("\n").map((line) => line.trim());
    this.#send([...new Set(lines.filter(Boolean))].slice(0, QUERIES));
  }

  #send(queries: readonly string[]): void {
    this.editing = false;
    this.dispatchEvent(new CustomEvent<readonly string[]>("ob-queries", { detail: queries }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "ob-searched-for": SearchedFor;
  }
}
