/** One line that says which searches are ready, and how far the encoder's download is. */

import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { size } from "./format";
import { cross, tick } from "./icons";
import type { OpenIndex, State } from "./state";
import { explain, S } from "./strings";
import { languageName } from "./strings/locale";
import { base, progressBar } from "./styles";

@customElement("ob-readiness")
export class Readiness extends LitElement {
  static override styles = [
    base,
    progressBar,
    css`
      :host {
        font-size: var(--ob-text-s);
        color: var(--ob-ink-soft);
      }
      /* Known, and out of the way; its room closes with the next question, so that nothing moves under the reader. */
      :host([known]) {
        visibility: hidden;
      }
      :host([gone]) {
        display: none;
      }
      .line {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--ob-space-1) var(--ob-space-4);
        min-block-size: 1.75rem;
      }
      .foreign {
        color: var(--ob-ink);
      }
      .item {
        display: inline-flex;
        align-items: center;
        gap: var(--ob-space-2);
      }
      .ready svg {
        color: var(--ob-good);
      }
      .failed {
        color: var(--ob-bad);
      }
      details {
        margin-block-start: var(--ob-space-1);
      }
      details p {
        max-inline-size: var(--ob-measure);
        margin-block-start: var(--ob-space-1);
      }
      summary {
        display: inline-flex;
        align-items: center;
        gap: var(--ob-space-2);
        min-block-size: 1.75rem;
        cursor: pointer;
      }
      progress {
        inline-size: 7rem;
        block-size: 0.375rem;
      }
      progress::-webkit-progress-value {
        transition: inline-size var(--ob-slow) linear;
      }
    `,
  ];

  @property({ attribute: false }) state!: State;
  /** The browser asks to save data, so that the download waits for a press. */
  @property({ type: Boolean }) asks = false;

  override willUpdate(changed: PropertyValues<this>): void {
    const { mode, turn, encoder, index } = this.state;
    const known = mode === "asked" && encoder.phase === "ready" && index !== null && !foreignTo(index);
    const asked = changed.get("state")?.turn !== turn;
    this.toggleAttribute("known", known);
    if (asked || !known) this.toggleAttribute("gone", known);
  }

  override render() {
    const { index, openError } = this.state;
    if (openError) return nothing;
    if (!index) return html`<p class="line">${S.readiness.opening}</p>`;
    return html`
      <div class="line">
        <span class="item ready">${tick} ${S.readiness.keyword}</span>
        ${this.#encoder()}
      </div>
      ${this.#foreign(index)}
      ${this.#failure()}
    `;
  }

  #encoder(): TemplateResult | typeof nothing {
    const { encoder, index } = this.state;
    switch (encoder.phase) {
      case "idle": {
        const bytes = size(index?.encoderBytes ?? 0);
        if (index?.encoderBytes === null) return nothing;
        if (this.asks && !index?.encoderKept)
          return html`<span>${S.readiness.wanted(bytes)}
            <button class="plain" @click=${this.#load}>${S.readiness.load}</button></span>`;
        return html`<span class="item">${index?.encoderKept ? S.readiness.kept : S.readiness.idle(bytes)}</span>`;
      }
      case "downloading":
        return html`<span class="item number">
          <progress aria-label=${S.readiness.progress} max=${encoder.total} .value=${encoder.loaded}></progress>
          ${S.readiness.downloading(size(encoder.loaded), size(encoder.total))}
        </span>`;
      case "starting":
      case "checking":
        return html`<span class="item">
          <progress aria-label=${S.readiness.progress} max=${encoder.total} .value=${encoder.total}></progress>
          ${S.readiness[encoder.phase]}
        </span>`;
      case "ready":
        return html`<span class="item ready">${tick} ${S.readiness.ready}</span>`;
      case "failed":
        return nothing;
    }
  }

  /** The encoder was not made for the course's language. */
  #foreign({ manifest }: OpenIndex): TemplateResult | typeof nothing {
    if (!foreignTo({ manifest })) return nothing;
    const { languages } = manifest.model;
    const names = languages.map(languageName).join(", ");
    const takesPart = manifest.retrieval.fusion.dense_weight > 0;
    return html`<p class="foreign">${takesPart ? S.readiness.related(names) : S.readiness.foreign(names)}</p>`;
  }

  #failure(): TemplateResult | typeof nothing {
    const { encoder } = this.state;
    if (encoder.phase !== "failed") return nothing;
    const { title, next } = explain(encoder.error);
    return html`<details class="failure">
      <summary class="failed">${cross} ${S.readiness.failed}</summary>
      <p><strong>${title}</strong> ${next}</p>
      <p><button class="plain" @click=${this.#load}>${S.readiness.retry}</button></p>
    </details>`;
  }

  #load(): void {
    this.dispatchEvent(new CustomEvent("ob-load"));
  }
}

/** Whether the encoder was made for other languages than the course's. */
function foreignTo({ manifest }: Pick<OpenIndex, "manifest">): boolean {
  const { languages } = manifest.model;
  const [spoken = ""] = manifest.course.language.toLowerCase().split(/[-_]/);
  return languages.length > 0 && !languages.includes(spoken);
}
