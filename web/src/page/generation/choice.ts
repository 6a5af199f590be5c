/**
 * `<ob-engine-choice>`: which model, and what that costs, before anything is fetched. Fires `ob-load` with the choice
 * and `ob-close`.
 */

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { EngineName, ModelChoice } from "../../generation/engine";
import { duration, size } from "../format";
import { S } from "../strings";
import { P } from "../strings/panels";
import { base } from "../styles";
import { failure } from "./failure";
import type { Entry, Generator, View } from "./generator";
import { generationStyles } from "./styles";

@customElement("ob-engine-choice")
export class EngineChoice extends LitElement {
  static override styles = [
    base,
    generationStyles,
    css`
      section:focus {
        outline: 0;
      }
      h3 {
        margin-block-end: var(--ob-space-1);
        font-family: var(--ob-serif);
        font-size: var(--ob-text-l);
      }
      .engines {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--ob-space-3);
        margin: 0;
        padding: 0;
        border: 0;
      }
      .engine {
        display: grid;
        gap: var(--ob-space-2);
        padding-block-start: var(--ob-space-3);
        border-block-start: 1px solid var(--ob-rule);
      }
      .engine h4 {
        font-size: var(--ob-text-m);
      }
      .off h4 {
        color: var(--ob-ink-soft);
      }
      .model {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        gap: 0 var(--ob-space-3);
        align-items: start;
        padding: var(--ob-space-2) var(--ob-space-3);
        border: 1px solid var(--ob-rule);
        border-radius: var(--ob-radius);
        cursor: pointer;
      }
      .model:hover {
        border-color: var(--ob-rule-strong);
      }
      .model:has(:checked) {
        border-color: var(--ob-accent);
        background: var(--ob-accent-wash);
      }
      .model input {
        margin-block-start: 0.2rem;
      }
      .model .quiet {
        grid-column: 2;
      }
      .advised {
        margin-inline-start: var(--ob-space-2);
        padding: 0 var(--ob-space-2);
        border: 1px solid var(--ob-accent);
        border-radius: 1rem;
        color: var(--ob-accent);
        font-size: var(--ob-text-xs);
      }
      form {
        display: grid;
        gap: var(--ob-space-3);
      }
      .field {
        display: grid;
        gap: var(--ob-space-1);
        font-size: var(--ob-text-s);
      }
      .field input {
        inline-size: 100%;
        min-block-size: var(--ob-control);
        padding: var(--ob-space-1) var(--ob-space-3);
        border: 1px solid var(--ob-rule-strong);
        border-radius: var(--ob-radius);
        background: var(--ob-paper);
        color: var(--ob-ink);
        font: inherit;
        font-family: var(--ob-mono);
      }
    `,
  ];

  @property({ attribute: false }) generator!: Generator;
  @property({ attribute: false }) view!: View;
  @state() private chosen: ModelChoice | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.generator.view.entries) void this.generator.look();
  }

  override render() {
    const { view } = this;
    if (view.loading) return this.#loading(view.loading);
    return html`<section class="card" tabindex="-1" aria-labelledby="heading" @keydown=${this.#key}>
      <div>
        <h3 id="heading">${P.choice.heading}</h3>
        <p class="quiet">${P.choice.lead}</p>
      </div>
      ${view.error && view.error.during !== "writing" ? failure(view.error.record) : nothing}
      ${
        view.entries
          ? html`<fieldset class="engines" aria-labelledby="heading">${view.entries.map((entry) => this.#entry(entry))}</fieldset>`
          : html`<p class="quiet" role="status">${P.choice.looking}</p>`
      }
      ${this.#consent()}
    </section>`;
  }

  #entry(entry: Entry): TemplateResult {
    const { title, note } = P.choice.kinds[entry.name];
    const { availability } = entry;
    const off = availability.state === "unavailable";
    return html`<div class="engine ${entry.name} ${off ? "off" : ""}">
      <h4>${title}</h4>
      <p class="quiet">
        ${off ? (S.unavailable[availability.reason as keyof typeof S.unavailable] ?? availability.reason) : note}
      </p>
      ${entry.name === "address" && !off ? this.#address() : nothing}
      ${entry.error ? failure(entry.error) : nothing}
      ${off ? nothing : entry.models.map((model, place) => this.#model(entry.name, model, place === 0 && entry.models.length > 1))}
      ${
        entry.name === "address" && this.view.address && !entry.error && entry.models.length === 0 && !this.view.looking
          ? html`<p class="quiet">${P.choice.noModels}</p>`
          : nothing
      }
    </div>`;
  }

  #model(name: EngineName, model: ModelChoice, advised: boolean): TemplateResult {
    const id = `${name} ${model.id}`;
    const facts = [cost(model), origin(model), model.memory ? P.choice.memory(size(model.memory)) : ""];
    return html`<label class="model">
      <input
        type="radio"
        name="model"
        value=${id}
        .checked=${this.chosen?.engine === name && this.chosen.id === model.id}
        @change=${() => {
          this.chosen = model;
        }}
      />
      <span>${model.label}${advised && name !== "address" ? html`<span class="advised">${P.choice.recommended}</span>` : nothing}</span>
      <span class="quiet number">${S.list(facts.filter(Boolean))}</span>
    </label>`;
  }

  #address(): TemplateResult {
    const { address } = this.view;
    return html`<form @submit=${this.#list}>
      <label class="field">
        ${P.choice.addressLabel}
        <input
          name="url"
          type="url"
          inputmode="url"
          required
          autocomplete="off"
          spellcheck="false"
          placeholder=${P.choice.addressPlaceholder}
          .value=${address?.url ?? ""}
        />
      </label>
      <label class="field">
        ${P.choice.keyLabel}
        <input name="key" type="password" autocomplete="off" .value=${address?.key ?? ""} />
      </label>
      <div class="row">
        <button class="button" ?disabled=${this.view.looking}>${P.choice.list}</button>
        ${
          address
            ? html`<button class="plain" type="button" @click=${this.#forget}>${P.choice.forget}</button>`
            : html`<span class="quiet">${P.choice.addressKept}</span>`
        }
      </div>
    </form>`;
  }

  /** The price again, and the press that agrees to it. */
  #consent(): TemplateResult {
    const { chosen } = this;
    const foreign = chosen?.engine !== "address" && chosen?.origin.startsWith("http") ? hostOf(chosen.origin) : null;
    return html`
      ${foreign ? html`<p class="quiet">${P.choice.contacts(foreign)}</p>` : nothing}
      <div class="row">
        ${
          chosen
            ? html`<button class="button primary" @click=${() => this.#tell("load", chosen)}>${press(chosen)}</button>`
            : nothing
        }
        <button class="plain" @click=${() => this.#tell("close", null)}>${P.choice.close}</button>
        ${chosen?.bytes ? html`<span class="quiet">${P.choice.kept}</span>` : nothing}
      </div>
    `;
  }

  #loading({ choice, progress, rate }: NonNullable<View["loading"]>): TemplateResult {
    const { loaded, total, phase } = progress;
    const known = total > 1;
    return html`<section class="card loading" aria-label=${P.choice.loading[phase](choice.label)}>
      <p role="status">${P.choice.loading[phase](choice.label)}</p>
      ${
        total > 0
          ? html`<progress aria-label=${P.choice.loading[phase](choice.label)} max=${total} .value=${loaded}></progress>`
          : html`<progress aria-label=${P.choice.loading[phase](choice.label)}></progress>`
      }
      <div class="row">
        <span class="quiet number">
          ${known ? P.choice.progress(size(loaded), size(total)) : nothing}${
            known && rate.rate !== null && rate.left !== null
              ? html`, ${P.choice.rate(size(rate.rate))}, ${P.choice.left(duration(Math.ceil(rate.left) * 1000))}`
              : nothing
          }
        </span>
        <button class="button" @click=${() => this.generator.cancelLoading()}>${P.choice.cancel}</button>
      </div>
    </section>`;
  }

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>("section")?.focus();
  }

  readonly #key = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    this.#tell("close", null);
  };

  readonly #list = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.target as HTMLFormElement);
    this.chosen = null;
    void this.generator.useAddress({ url: String(data.get("url")).trim(), key: String(data.get("key")) });
  };

  readonly #forget = (): void => {
    if (this.chosen?.engine === "address") this.chosen = null;
    this.generator.forgetAddress();
  };

  #tell(name: "load" | "close", detail: ModelChoice | null): void {
    this.dispatchEvent(new CustomEvent(`ob-${name}`, { detail }));
  }
}

function cost(model: ModelChoice): string {
  if (model.bytes === null) return P.choice.sizeUnknown;
  return model.bytes === 0 ? P.choice.sizeNone : P.choice.size(size(model.bytes));
}

function origin({ origin, engine }: ModelChoice): string {
  if (origin === "" || engine === "address") return "";
  if (origin === "site" || origin === "browser") return P.choice.from[origin];
  return P.choice.fromHost(hostOf(origin));
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : origin;
}

function press(model: ModelChoice): string {
  if (model.bytes === null) return P.choice.loadUnknown;
  return model.bytes === 0 ? P.choice.start : P.choice.load(size(model.bytes));
}

declare global {
  interface HTMLElementTagNameMap {
    "ob-engine-choice": EngineChoice;
  }
}
