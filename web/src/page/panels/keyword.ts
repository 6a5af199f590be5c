import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { rescore } from "../../retrieval/rescore";
import type { KeywordHit, QueryTerm } from "../../retrieval/trace";
import { count, decimal } from "../format";
import { shortPlace } from "../place";
import { P } from "../strings/panels";
import { base } from "../styles";
import { bar, type PanelContext, ROWS, type StageNamed, swatch } from "./parts";
import { panelStyles } from "./styles";

export function keywordPanel(context: PanelContext, stage: StageNamed<"keyword">): TemplateResult {
  return html`<ob-keyword .context=${context} .stage=${stage}></ob-keyword>`;
}

/** BM25 by term, with its two parameters to turn. */
@customElement("ob-keyword")
export class KeywordPanel extends LitElement {
  static override styles = [
    base,
    panelStyles,
    css`
      :host > * + * {
        margin-block-start: var(--ob-space-4);
      }
      .knobs {
        display: grid;
        gap: var(--ob-space-1);
        margin-block-start: var(--ob-space-5);
      }
      label {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        align-items: baseline;
        font-size: var(--ob-text-s);
      }
      output {
        font-family: var(--ob-mono);
        font-weight: 600;
      }
      input {
        grid-column: 1 / -1;
        inline-size: 100%;
        min-block-size: var(--ob-control);
        margin: 0;
        accent-color: var(--ob-accent);
      }
      .whose {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--ob-space-2) var(--ob-space-3);
        min-block-size: var(--ob-control);
      }
      .whose b {
        color: var(--ob-accent);
      }
      .moved.up,
      .moved.down {
        color: var(--ob-ink);
        font-weight: 600;
      }
    `,
  ];

  @property({ attribute: false }) context!: PanelContext;
  @property({ attribute: false }) stage!: StageNamed<"keyword">;
  /** What the reader set; null for the course's settings. */
  @state() private own: { readonly k1: number; readonly b: number } | null = null;
  #places = new Map<string, number>();

  override willUpdate(changed: PropertyValues<this>): void {
    // Another question has other hits: the knobs go back, or its order would be taken for the page's own.
    if (changed.has("stage") && changed.get("stage")?.hits !== this.stage.hits) this.own = null;
    this.#places = this.#measure();
  }

  override updated(): void {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const [ordinal, now] of this.#measure()) {
      const before = this.#places.get(ordinal);
      if (before === undefined || before === now) continue;
      this.renderRoot
        .querySelector(`li[data-ordinal="${ordinal}"]`)
        ?.animate([{ translate: `0 ${before - now}px` }, { translate: "0 0" }], { duration: 240, easing: "ease-out" });
    }
  }

  override render(): TemplateResult {
    const { parameters, terms } = this.stage;
    const settings = this.own ?? parameters;
    const all = this.own ? rescore(this.stage, this.own) : this.stage.hits;
    const before = new Map(this.stage.hits.map(({ ordinal, rank }) => [ordinal, rank]));
    const hits = all.slice(0, ROWS);
    const series = new Map(terms.map(({ term }, position) => [term, position]));
    const max = Math.max(...hits.map((hit) => hit.score), 0);
    const moved = all.filter(({ ordinal, rank }) => before.get(ordinal) !== rank).length;
    return html`
      <p class="lead">${P.keyword.lead(decimal(parameters.k1, 1), decimal(parameters.b, 2))}</p>
      <div class="columns">
        <div>
          <h4 class="label">${P.keyword.terms}</h4>
          <table>
            <thead>
              <tr><th scope="col">${P.keyword.term}</th><th scope="col">${P.keyword.chunks}</th><th scope="col">${P.keyword.idf}</th></tr>
            </thead>
            <tbody>
              ${terms.map((term, position) => {
                const { chunks, idf } = rarity(term);
                return html`<tr>
                    <th scope="row">${swatch(position)}<code>${term.term}</code></th>
                    <td class="number">${count(chunks)}</td>
                    <td class="number">${decimal(idf, 2)}</td>
                  </tr>`;
              })}
            </tbody>
          </table>
          ${hits.length === 0 ? nothing : this.#knobs(settings)}
        </div>
        <div>
          ${
            hits.length === 0
              ? html`<p>${P.keyword.none}</p>`
              : html`<h4 class="label">${P.keyword.list}</h4>
                <div class="whose" role="status">
                  <span class="quiet number">k₁ = ${decimal(settings.k1, 2)}, b = ${decimal(settings.b, 2)}: ${
                    this.own ? html`<b>${P.keyword.yours}</b>` : P.keyword.course
                  }</span>
                  ${
                    this.own
                      ? html`<span class="quiet number">${P.keyword.reordered(moved)}</span>
                        <button class="plain reset" @click=${this.#reset}>${P.keyword.reset}</button>`
                      : nothing
                  }
                </div>
                <ol class="ranked">
                  ${repeat(
                    hits,
                    (hit) => hit.ordinal,
                    (hit) => html`<li data-ordinal=${hit.ordinal}>
                      <span class="rank number">${hit.rank}</span>
                      <span class="title">${shortPlace(this.context.index.catalogue, hit.ordinal)}</span>
                      <span class="score number">${decimal(hit.score, 2)}</span>
                      ${bar(
                        sums(hit).map(({ term, score }) => ({ value: score, series: series.get(term) ?? 0 })),
                        max,
                      )}
                      <span class="detail number">${this.own ? shift((before.get(hit.ordinal) ?? hit.rank) - hit.rank) : nothing}${contributions(hit, series)}</span>
                    </li>`,
                  )}
                </ol>`
          }
        </div>
      </div>
    `;
  }

  #knobs(settings: { readonly k1: number; readonly b: number }): TemplateResult {
    const knob = (name: "k1" | "b", max: number): TemplateResult => html`<label>
      <span>${P.keyword[name]}</span><output class="number">${decimal(settings[name], 2)}</output>
      <input
        type="range"
        name=${name}
        min="0"
        max=${max}
        step="0.05"
        .value=${String(settings[name])}
        @input=${(event: Event) => this.#turn(name, Number((event.target as HTMLInputElement).value))}
      />
    </label>`;
    return html`<div class="knobs">
      <h4 class="label">${P.keyword.settings}</h4>
      <p class="quiet">${P.keyword.settingsLead}</p>
      ${knob("k1", 3)} ${knob("b", 1)}
    </div>`;
  }

  #turn(name: "k1" | "b", value: number): void {
    const { k1, b } = this.own ?? this.stage.parameters;
    const next = { k1, b, [name]: value };
    const same = next.k1 === this.stage.parameters.k1 && next.b === this.stage.parameters.b;
    this.own = same ? null : next;
  }

  readonly #reset = async (): Promise<void> => {
    this.own = null;
    await this.updateComplete;
    this.renderRoot.querySelector("input")?.focus();
  };

  /** Where each row stands now, so that it can be seen to move. */
  #measure(): Map<string, number> {
    const rows = this.renderRoot.querySelectorAll<HTMLElement>("li[data-ordinal]");
    return new Map([...rows].map((row) => [row.dataset["ordinal"] ?? "", row.offsetTop]));
  }
}

/** Of one field, so that a rarer word never shows a smaller weight: the text, or headings where no text has the word. */
export function rarity(term: QueryTerm): { chunks: number; idf: number } {
  return term.text_chunks > 0 || term.title_chunks === 0
    ? { chunks: term.text_chunks, idf: term.text_idf }
    : { chunks: term.title_chunks, idf: term.title_idf };
}

function shift(places: number): TemplateResult {
  if (places === 0) return html`<span class="part moved">${P.keyword.stays}</span>`;
  return html`<span class="part moved ${places > 0 ? "up" : "down"}">${P.keyword.moved(places)}</span>`;
}

/** What each term adds over both fields, in the order of the question. */
function sums(hit: KeywordHit): { term: string; score: number }[] {
  const by = new Map<string, number>();
  for (const { term, score } of hit.terms) by.set(term, (by.get(term) ?? 0) + score);
  return [...by].map(([term, score]) => ({ term, score }));
}

function contributions(hit: KeywordHit, series: ReadonlyMap<string, number>): TemplateResult {
  return html`${hit.exact_title ? html`<em>${P.keyword.exact}</em>` : null}
    ${sums(hit).map(
      ({ term, score }) =>
        html`<span class="part">${swatch(series.get(term) ?? 0)}<code>${term}</code> ${decimal(score, 2)}</span>`,
    )}`;
}
