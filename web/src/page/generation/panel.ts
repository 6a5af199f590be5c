/**
 * `<ob-generation>`: below the quoted answer, an answer in a model's words: offered, loaded, written, stopped. Fires
 * `ob-write` when the model is to answer.
 */

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { ModelChoice } from "../../generation/engine";
import type { GenerateStage } from "../../retrieval/trace";
import { count, decimal, duration, size } from "../format";
import { type State, stageIn, verdictOf } from "../state";
import { S } from "../strings";
import { P } from "../strings/panels";
import { base, quotedBlock } from "../styles";
import "./choice";
import { failure } from "./failure";
import type { Generator, View } from "./generator";
import { generationStyles } from "./styles";
import "./written";

@customElement("ob-generation")
export class Generation extends LitElement {
  static override styles = [
    base,
    quotedBlock,
    generationStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--ob-space-3);
      }
      h2 {
        margin-block-end: var(--ob-space-3);
      }
      .offer {
        padding-block-start: var(--ob-space-4);
        border-block-start: 1px solid var(--ob-rule);
      }
      .offer p + .row {
        margin-block-start: var(--ob-space-2);
      }
      .foot {
        display: grid;
        gap: var(--ob-space-2);
        margin-block-start: var(--ob-space-4);
      }
    `,
  ];

  @property({ attribute: false }) state!: State;
  @property({ attribute: false }) generator!: Generator;
  @property({ attribute: false }) view!: View;
  @state() private choosing = false;

  override render() {
    const verdict = verdictOf(this.state);
    if (verdict === "running" || verdict === "failed") return nothing;
    const { view } = this;
    if (verdict !== "answered") {
      // Only who has a model wonders why it says nothing.
      if (!view.loaded) return nothing;
      return html`<div class="offer"><p class="quiet">${S.generation[verdict]}</p></div>`;
    }
    if (stageIn(this.state.blocks, "prompt")?.state !== "done") return nothing;
    const written = view.written?.question === this.state.question ? view.written : null;
    return html`
      <p class="visually-hidden" role="status">${this.#live()}</p>
      ${
        written
          ? html`<section class="card" aria-labelledby="heading">
              <div>
                <h2 class="label" id="heading">${S.generation.heading}</h2>
                <ob-hops .hops=${this.state.trace?.hops ?? []}></ob-hops>
                <ob-written .state=${this.state} .text=${written.text} .stage=${written.stage}></ob-written>
                <div class="foot">${written.stage ? this.#foot(written.stage) : this.#running(written.text)}</div>
              </div>
            </section>`
          : nothing
      }
      ${view.error?.during === "writing" ? failure(view.error.record, this.#ways()) : nothing}
      ${
        this.choosing || view.loading
          ? html`<ob-engine-choice
              .generator=${this.generator}
              .view=${view}
              @ob-load=${(event: CustomEvent<ModelChoice>) => this.#load(event.detail)}
              @ob-close=${this.#close}
            ></ob-engine-choice>`
          : written && !written.stage
            ? nothing
            : html`<div class="offer">${view.loaded ? this.#ready(view.loaded, written !== null) : this.#offer()}</div>`
      }
    `;
  }

  /** Nothing is loaded: that is how it begins, and it lacks nothing. */
  #offer(): TemplateResult {
    const { remembered } = this.view;
    const bytes = remembered?.bytes ? size(remembered.bytes) : "";
    return html`
      <p class="quiet">${S.generation.none}</p>
      <div class="row">
        ${
          remembered
            ? html`<button class="button" @click=${() => this.#load(remembered)}>
                ${S.generation.again(remembered.label, bytes)}
              </button>`
            : nothing
        }
        <button class="choose ${remembered ? "plain" : "button"}" @click=${this.#choose}>
          ${remembered ? S.generation.other : S.generation.offer}
        </button>
      </div>
    `;
  }

  #ready(model: ModelChoice, again: boolean): TemplateResult {
    return html`
      ${again ? nothing : html`<p class="quiet">${S.generation.ready(model.label)}</p>`}
      <div class="row">
        <button class="button ${again ? "" : "primary"}" @click=${this.#write}>
          ${again ? S.generation.writeAgain : S.generation.write}
        </button>
        <button class="plain" title=${P.hops.hint} @click=${() => this.dispatchEvent(new CustomEvent("ob-dig"))}>
          ${P.hops.dig}
        </button>
        <button class="choose plain" @click=${this.#choose}>${S.generation.other}</button>
        <button class="plain" @click=${() => void this.generator.unload()}>${S.generation.unload}</button>
      </div>
      <label class="check">
        <input
          type="checkbox"
          .checked=${this.view.auto}
          @change=${(event: Event) => this.generator.setAuto((event.target as HTMLInputElement).checked)}
        />
        ${S.generation.auto}
      </label>
    `;
  }

  #running(text: string): TemplateResult {
    return html`<div class="row">
      <button class="button" @click=${() => this.generator.stop()}>${S.generation.stop}</button>
      ${text === "" ? html`<span class="quiet">${S.generation.reading}</span>` : nothing}
    </div>`;
  }

  #foot(stage: GenerateStage): TemplateResult {
    const { figures } = S.generation;
    const shown = stageIn(this.state.blocks, "prompt");
    // Who digs deeper is given another instruction, and the same passages.
    const same = stage.prompt === shown?.text || !stage.prompt.startsWith(shown?.parts[0]?.text ?? "");
    const notes = [
      stage.finish === "aborted" ? S.generation.stopped : stage.finish === "length" ? S.generation.cut : "",
      same ? "" : S.generation.cutPrompt,
      stage.reason === "malformed" || stage.reason === "searched-out" ? P.hops.ended[stage.reason] : "",
    ].filter(Boolean);
    const facts = [
      stage.first_token_ms === null ? "" : figures.first(duration(stage.first_token_ms)),
      stage.answer_rate === null ? "" : figures.rate(decimal(stage.answer_rate, 1)),
      stage.prompt_tokens === null ? "" : figures.prompt(count(stage.prompt_tokens)),
      stage.answer_tokens === null ? "" : figures.answer(stage.answer_tokens),
    ].filter(Boolean);
    const label = this.view.loaded?.id === stage.model ? this.view.loaded.label : stage.model;
    return html`
      ${notes.map((note) => html`<p class="quiet">${note}</p>`)}
      ${stage.text === "" ? nothing : html`<p class="quiet">${S.generation.wrote(label)}</p>`}
      ${facts.length > 0 ? html`<p class="quiet number">${S.list(facts)}</p>` : nothing}
    `;
  }

  /** After a failure: the same again, or another model, a smaller one or one on the processor. */
  #ways(): TemplateResult {
    const { loaded, remembered } = this.view;
    return html`
      ${
        loaded || remembered
          ? html`<button class="button" @click=${() => this.#retry(loaded, remembered)}>${S.generation.retry}</button>`
          : nothing
      }
      <button class="choose plain" @click=${this.#choose}>${S.generation.other}</button>
    `;
  }

  async #retry(loaded: ModelChoice | null, remembered: ModelChoice | null): Promise<void> {
    if (!loaded && remembered && !(await this.generator.load(remembered))) return;
    this.#write();
  }

  async #load(choice: ModelChoice): Promise<void> {
    this.choosing = true;
    // Who has pressed for a model wants its answer to the question that is on the page.
    if (!(await this.generator.load(choice))) return;
    this.choosing = false;
    this.#write();
  }

  readonly #choose = async (): Promise<void> => {
    this.choosing = true;
    void this.generator.look();
    await this.updateComplete;
    const choice = this.renderRoot.querySelector("ob-engine-choice");
    await choice?.updateComplete;
    choice?.focus();
  };

  readonly #close = async (): Promise<void> => {
    this.choosing = false;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(".choose")?.focus();
  };

  readonly #write = (): void => {
    this.dispatchEvent(new CustomEvent("ob-write"));
  };

  #live(): string {
    const { loading, written, loaded } = this.view;
    if (loading) return "";
    if (written) return written.stage ? S.generation.live.written : S.generation.live.writing;
    return loaded ? S.generation.live.loaded(loaded.label) : "";
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "ob-generation": Generation;
  }
}
