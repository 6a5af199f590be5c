/** `<ob-storage>`: what this browser keeps of the course, how large it is, deleting it, and keeping all of it. */

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { Downloader } from "../download/download";
import { type ErrorRecord, isAbort, recordOf } from "../errors";
import type { Manifest } from "../index/schema";
import { type Holding, inventory } from "../offline/inventory";
import { type Extent, Keeper } from "../offline/keeper";
import { size } from "./format";
import { explain } from "./strings";
import { P } from "./strings/panels";
import { base } from "./styles";

@customElement("ob-storage")
export class Storage extends LitElement {
  static override styles = [
    base,
    css`
      :host {
        max-inline-size: 46rem;
        margin-block-start: var(--ob-space-3);
        font-size: var(--ob-text-s);
      }
      section {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--ob-space-4);
        justify-items: start;
      }
      ul {
        inline-size: 100%;
      }
      li {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto auto;
        gap: 0 var(--ob-space-4);
        align-items: center;
        padding-block: var(--ob-space-1);
        border-block-start: 1px solid var(--ob-rule);
      }
      li:last-child {
        border-block-end: 1px solid var(--ob-rule);
      }
      li .quiet {
        grid-column: 1 / -1;
      }
      .row {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--ob-space-2) var(--ob-space-4);
      }
      progress {
        accent-color: var(--ob-accent);
      }
      .bad {
        color: var(--ob-bad);
      }
    `,
  ];

  /** Of the site. */
  @property({ attribute: false }) root!: URL;
  @property({ attribute: false }) manifest!: Manifest;
  /** Whether the site may be kept for use without a network. */
  @property({ type: Boolean }) offline = false;
  @state() private holdings: readonly Holding[] | null = null;
  @state() private extent: Extent | null = null;
  @state() private estimate: StorageEstimate = {};
  @state() private lasting: boolean | null = null;
  /** The browser was asked to keep what is here, and would not promise it. */
  @state() private refused = false;
  @state() private progress: { readonly loaded: number; readonly total: number } | null = null;
  @state() private error: ErrorRecord | null = null;
  #stop = new AbortController();

  override connectedCallback(): void {
    super.connectedCallback();
    void this.updateComplete.then(() => this.refresh());
  }

  /** Look again at what is kept. */
  async refresh(): Promise<void> {
    try {
      if (!Keeper.possible()) {
        this.holdings = [];
        return;
      }
      const keeper = this.#keeper();
      this.holdings = await inventory(new Downloader(this.root), this.manifest, keeper);
      this.extent = this.offline ? await keeper.extent() : null;
      this.estimate = (await navigator.storage?.estimate?.()) ?? {};
      this.lasting = (await navigator.storage?.persisted?.()) ?? null;
    } catch (error) {
      this.holdings ??= [];
      this.error = recordOf(error);
    }
  }

  override render() {
    const { holdings, error } = this;
    if (!holdings) return html`<p class="quiet">${P.storage.looking}</p>`;
    return html`<section aria-label=${P.storage.heading}>
      <p>${Keeper.possible() ? P.storage.lead : P.storage.impossible}</p>
      ${holdings.length > 0 ? this.#list(holdings) : nothing}
      ${this.#course()}
      ${error ? html`<p class="bad" role="alert">${explain(error).title} ${explain(error).next}</p>` : nothing}
      ${holdings.length > 0 ? this.#persistence() : nothing}
    </section>`;
  }

  #list(holdings: readonly Holding[]): TemplateResult {
    const total = holdings.reduce((sum, { bytes }) => sum + bytes, 0);
    const { usage, quota } = this.estimate;
    return html`
      <ul>
        ${holdings.map((holding) => {
          const name = holding.name ?? P.storage.kinds[holding.kind as Exclude<typeof holding.kind, "language-model">];
          return html`<li>
            <span>${name}</span>
            <span class="number">${size(holding.bytes)}</span>
            <button class="plain" aria-label=${P.storage.deleteOne(name)} @click=${() => this.#forget([holding])}>
              ${P.storage.delete}
            </button>
            ${holding.complete || holding.kind === "site" ? nothing : html`<span class="quiet">${P.storage.unfinished}</span>`}
          </li>`;
        })}
      </ul>
      <div class="row">
        <span class="number">${P.storage.total(size(total))}</span>
        <button class="plain" @click=${() => this.#forget(holdings)}>${P.storage.deleteAll}</button>
      </div>
      ${
        usage !== undefined && quota !== undefined
          ? html`<p class="quiet number">${P.storage.usage(size(usage), size(quota))}</p>`
          : nothing
      }
    `;
  }

  /** Keeping the whole course, with what that costs. */
  #course() {
    const { extent, progress } = this;
    if (!extent) return nothing;
    if (progress) {
      return html`<div class="row">
        <progress aria-label=${P.storage.keeping} max=${progress.total} .value=${progress.loaded}></progress>
        <span class="number" role="status">${P.storage.progress(size(progress.loaded), size(progress.total))}</span>
        <button class="plain" @click=${() => this.#stop.abort()}>${P.storage.stop}</button>
      </div>`;
    }
    const missing = [...extent.missing, ...extent.encoder].reduce((sum, { bytes }) => sum + bytes, 0);
    if (missing === 0) return html`<p role="status">${P.storage.whole}</p>`;
    return html`<div class="row">
      <button class="button" @click=${this.#keep}>${P.storage.keep(size(missing))}</button>
      <span class="quiet">${P.storage.keepWhy}</span>
    </div>`;
  }

  #persistence() {
    if (this.lasting === null) return nothing;
    if (this.lasting) return html`<p class="quiet">${P.storage.lasting}</p>`;
    return html`<div class="row">
      <span class="quiet">${this.refused ? P.storage.refused : P.storage.passing}</span>
      ${this.refused ? nothing : html`<button class="plain" @click=${this.#persist}>${P.storage.ask}</button>`}
    </div>`;
  }

  readonly #keep = async (): Promise<void> => {
    this.error = null;
    this.#stop = new AbortController();
    try {
      const told = (loaded: number, total: number): void => {
        this.progress = { loaded, total };
      };
      told(0, 1);
      await this.#keeper().keepAll(told, this.#stop.signal);
    } catch (error) {
      if (!isAbort(error)) this.error = recordOf(error);
    } finally {
      this.progress = null;
    }
    await this.refresh();
  };

  readonly #persist = async (): Promise<void> => {
    this.lasting = (await navigator.storage.persist().catch(() => false)) === true;
    this.refused = !this.lasting;
  };

  async #forget(holdings: readonly Holding[]): Promise<void> {
    this.error = null;
    await Promise.all(holdings.map((holding) => holding.forget()));
    this.dispatchEvent(new CustomEvent("ob-forgot", { detail: holdings.map(({ kind }) => kind) }));
    await this.refresh();
  }

  #keeper(): Keeper {
    return new Keeper(new Downloader(this.root), this.manifest);
  }
}
