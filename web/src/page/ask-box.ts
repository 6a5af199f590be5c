/** The question box: `/` and Ctrl-K go to it, Enter asks, Escape clears. */

import { css, html, LitElement, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { S } from "./strings";
import { base } from "./styles";

@customElement("ob-ask-box")
export class AskBox extends LitElement {
  static override styles = [
    base,
    css`
      form {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--ob-space-2);
      }
      .field {
        display: flex;
        flex-wrap: wrap;
        align-items: flex-end;
        justify-content: flex-end;
        gap: var(--ob-space-1);
        padding: var(--ob-space-2);
        border: 1px solid var(--ob-rule-strong);
        border-radius: var(--ob-radius-l);
        background: var(--ob-raised);
        box-shadow: var(--ob-shadow);
        transition: border-color var(--ob-fast) var(--ob-ease);
      }
      .field:focus-within {
        border-color: var(--ob-focus);
        outline: 2px solid var(--ob-focus);
        outline-offset: -1px;
      }
      textarea {
        /* Below it the buttons, where letters are large and the screen is small. */
        flex: 1 1 8rem;
        min-inline-size: min(8rem, 100%);
        min-block-size: var(--ob-control);
        max-block-size: 9rem;
        padding: 0.4375rem var(--ob-space-3);
        border: 0;
        outline: 0;
        background: none;
        color: var(--ob-ink);
        font-family: var(--ob-serif);
        font-size: var(--ob-text-l);
        line-height: 1.5;
        resize: none;
        field-sizing: content;
      }
      textarea:focus-visible {
        outline: 0;
      }
      textarea::placeholder {
        color: var(--ob-ink-faint);
        opacity: 1;
      }
      .send,
      .clear {
        flex: none;
        display: inline-grid;
        place-items: center;
        min-inline-size: var(--ob-control);
        block-size: var(--ob-control);
        /* Seen where the browser chooses the colours. */
        border: 1px solid transparent;
        border-radius: calc(var(--ob-radius-l) - var(--ob-space-2) + 2px);
      }
      .send {
        padding-inline: var(--ob-space-5);
        background: var(--ob-accent);
        color: var(--ob-on-accent);
        font-weight: 600;
      }
      .send:hover {
        background: var(--ob-accent-strong);
      }
      .clear {
        background: none;
        color: var(--ob-ink-soft);
      }
      .clear:hover {
        background: var(--ob-sunk);
        color: var(--ob-ink);
      }
      .keys {
        display: none;
        flex-wrap: wrap;
        gap: 0 var(--ob-space-4);
        color: var(--ob-ink-faint);
        font-size: var(--ob-text-xs);
      }
      kbd {
        display: inline-block;
        min-inline-size: 1.5em;
        padding: 0 0.35em;
        border: 1px solid var(--ob-rule);
        border-block-end-width: 2px;
        border-radius: var(--ob-radius-s);
        background: var(--ob-raised);
        font-family: var(--ob-sans);
        text-align: center;
      }
      .row {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        justify-content: space-between;
        gap: var(--ob-space-1) var(--ob-space-4);
      }
      /* Which key leads here, until one is here; then, what the keys do. */
      form:focus-within .away,
      form:not(:focus-within) .here {
        display: none;
      }
      @media (max-width: 30rem) {
        .field {
          padding: var(--ob-space-1);
        }
        textarea {
          padding-inline: var(--ob-space-2) 0;
          font-size: var(--ob-text-read);
        }
        .send {
          padding-inline: var(--ob-space-3);
        }
      }
      @media print {
        .keys,
        .send,
        .clear {
          display: none !important;
        }
        .field {
          box-shadow: none;
        }
      }
      /* Where there is a keyboard. */
      @media (hover: hover) and (pointer: fine) {
        .keys {
          display: flex;
        }
      }
    `,
  ];

  @property() value = "";
  /** On a page of somebody else these keys are not ours to take. */
  @property({ type: Boolean }) guest = false;
  @query("textarea") private field!: HTMLTextAreaElement;

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("keydown", this.#onShortcut);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("keydown", this.#onShortcut);
  }

  override render() {
    return html`
      <form @submit=${this.#submit}>
        <div class="row">
          <label class="label" for="question">${S.ask.label}</label>
          <p class="keys" aria-hidden="true">
            ${this.guest ? nothing : html`<span class="away"><kbd>/</kbd> ${S.ask.keys.focus}</span>`}
            <span class="here"><kbd>Enter</kbd> ${S.ask.keys.enter}</span>
            ${this.guest ? nothing : html`<span class="here"><kbd>↓</kbd> ${S.ask.keys.results}</span>`}
            <span class="here"><kbd>Esc</kbd> ${S.ask.keys.escape}</span>
          </p>
        </div>
        <div class="field">
          <textarea
            id="question"
            dir="auto"
            rows="1"
            enterkeyhint="search"
            autocomplete="off"
            autocapitalize="sentences"
            aria-keyshortcuts=${this.guest ? nothing : "/ Control+K Meta+K"}
            placeholder=${S.ask.placeholder}
            .value=${this.value}
            @keydown=${this.#onKey}
            @input=${this.#input}
            @focus=${() => this.#tell("use")}
          ></textarea>
          ${
            this.value === ""
              ? nothing
              : html`<button class="clear" type="button" aria-label=${S.ask.clear} @click=${this.#clear}>
                  <svg width="18" height="18" viewBox="0 0 18 18" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" aria-hidden="true">
                    <path d="M4.5 4.5l9 9M13.5 4.5l-9 9"></path>
                  </svg>
                </button>`
          }
          <button class="send" type="submit">${S.ask.button}</button>
        </div>
      </form>
    `;
  }

  override focus(): void {
    this.field.focus();
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (isCommand(event)) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.#submit(event);
    } else if (event.key === "Escape" && this.value !== "") {
      event.preventDefault();
      this.#clear();
    }
  };

  readonly #onShortcut = (event: KeyboardEvent): void => {
    const slash = event.key === "/" && !isCommand(event) && !isWriting(event);
    const search =
      event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (this.guest || !(slash || search)) return;
    event.preventDefault();
    this.field.focus();
    this.field.select();
  };

  #input(): void {
    this.value = this.field.value;
    this.#tell("input", this.value);
  }

  #submit(event: Event): void {
    event.preventDefault();
    const question = this.field.value.trim();
    if (question === "") {
      this.field.focus();
      return;
    }
    // The keyboard of a phone would cover what was asked for.
    if (matchMedia("(pointer: coarse)").matches) this.field.blur();
    this.#tell("ask", question);
  }

  #clear(): void {
    this.value = "";
    this.#tell("clear");
    this.field.focus();
  }

  #tell(name: "use" | "input" | "ask" | "clear", detail = ""): void {
    this.dispatchEvent(new CustomEvent<string>(`ob-${name}`, { detail }));
  }
}

function isCommand(event: KeyboardEvent): boolean {
  return event.isComposing || event.altKey || event.ctrlKey || event.metaKey;
}

/** Whether the key goes to a field of its own. */
function isWriting(event: Event): boolean {
  const target = event.composedPath()[0];
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
