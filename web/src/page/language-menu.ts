/** `<ob-language>`: the page's language, for a reader who wants another one than the course's. */

import { css, html, LitElement, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { choose, languageFor } from "./language";
import { LANGUAGE, LANGUAGES, type Language, S } from "./strings";
import { base } from "./styles";

@customElement("ob-language")
export class LanguageMenu extends LitElement {
  static override styles = [
    base,
    css`
      :host {
        color: var(--ob-ink-soft);
        font-size: var(--ob-text-s);
      }
      label {
        display: inline-flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--ob-space-2);
      }
      select {
        min-block-size: 2rem;
        padding-inline: var(--ob-space-2);
        border: 1px solid var(--ob-rule-strong);
        border-radius: var(--ob-radius-s);
        background: var(--ob-paper);
        color: var(--ob-ink);
        font: inherit;
      }
      @media (pointer: coarse) {
        select {
          min-block-size: var(--ob-control);
        }
      }
      @media print {
        :host {
          display: none;
        }
      }
    `,
  ];

  @state() private unkept = false;

  override render() {
    return html`<label>
        ${S.language.label}
        <select @change=${this.#change}>
          ${Object.entries(LANGUAGES).map(
            ([language, name]) =>
              html`<option value=${language} lang=${language} ?selected=${language === LANGUAGE}>${name}</option>`,
          )}
        </select>
      </label>
      ${this.unkept ? html`<p role="status">${S.language.unkept}</p>` : nothing}`;
  }

  /** The page begins anew in the other language; its address holds the question. */
  #change(event: Event): void {
    const language = (event.target as HTMLSelectElement).value as Language;
    const kept = choose(language === languageFor(document.documentElement.lang) ? null : language);
    if (kept) location.reload();
    else this.unkept = true;
  }
}
