/**
 * The heat map of late interaction: pieces of the question × pieces of one passage, the nearest of each row dotted.
 *
 * The same matches stand below it as a table, which is what a screen reader and a narrow screen have use for.
 */

import { css, html, LitElement, nothing, type PropertyValues, svg, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Comparison } from "../../protocol";
import type { RerankHit } from "../../retrieval/trace";
import { decimal } from "../format";
import { placeOf } from "../place";
import { P } from "../strings/panels";
import { base } from "../styles";
import type { PanelContext } from "./parts";

/** Of a cell, in pixels: narrow, since a passage has ten times as many pieces as a question. */
const WIDTH = 14;
const HEIGHT = 20;
const LABELS = 88;

@customElement("ob-heat-map")
export class HeatMap extends LitElement {
  static override styles = [
    base,
    css`
      :host > * + * {
        margin-block-start: var(--ob-space-3);
      }
      h4 {
        font-size: var(--ob-text-s);
      }
      p {
        max-inline-size: var(--ob-measure);
        color: var(--ob-ink-soft);
      }
      .choices {
        display: flex;
        flex-wrap: wrap;
        gap: var(--ob-space-2);
      }
      .choices button {
        min-inline-size: 2.25rem;
        min-block-size: 2.25rem;
        padding-inline: var(--ob-space-2);
        border: 1px solid var(--ob-rule-strong);
        border-radius: var(--ob-radius-s);
        background: var(--ob-raised);
        font-variant-numeric: tabular-nums;
        cursor: pointer;
      }
      .choices [aria-pressed="true"] {
        border-color: var(--ob-accent);
        background: var(--ob-accent);
        color: var(--ob-on-accent);
      }
      .map {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
      }
      .rows {
        padding-block-start: ${LABELS}px;
        text-align: end;
      }
      .rows span {
        display: block;
        block-size: ${HEIGHT}px;
        padding-inline-end: var(--ob-space-2);
        font-family: var(--ob-mono);
        font-size: var(--ob-text-xs);
        line-height: ${HEIGHT}px;
        white-space: nowrap;
      }
      .scroll {
        overflow-x: auto;
      }
      svg {
        display: block;
      }
      text {
        fill: var(--ob-ink-soft);
        font-family: var(--ob-mono);
        font-size: 10px;
      }
      text.met {
        fill: var(--ob-ink);
        font-weight: 600;
      }
      rect {
        fill: var(--ob-accent);
      }
      .ground {
        fill: var(--ob-sunk);
      }
      circle {
        fill: var(--ob-raised);
        stroke: var(--ob-ink);
        stroke-width: 1.5;
      }
      .matches {
        overflow-x: auto;
      }
      table {
        border-collapse: collapse;
      }
      th,
      td {
        padding: var(--ob-space-1) var(--ob-space-4) var(--ob-space-1) 0;
        border-block-end: 1px solid var(--ob-rule);
        font-weight: 400;
        text-align: start;
      }
      thead th {
        color: var(--ob-ink-soft);
        font-size: var(--ob-text-xs);
      }
      code,
      thead th {
        white-space: nowrap;
      }
      code {
        font-family: var(--ob-mono);
        font-size: 0.92em;
      }
      .number {
        font-variant-numeric: tabular-nums;
        text-align: end;
      }
    `,
  ];

  @property({ attribute: false }) context!: PanelContext;
  @property({ attribute: false }) hits: readonly RerankHit[] = [];

  /** The best passage is compared at once; a further one when it is asked for. */
  override updated(changed: PropertyValues<this>): void {
    const { comparison, comparing } = this.context.state;
    const first = this.hits[0];
    if (changed.has("hits") && first && comparison === null && comparing === "idle") this.#ask(first.ordinal);
  }

  override render() {
    const { comparison, comparing } = this.context.state;
    if (this.hits.length === 0) return nothing;
    return html`
      <h4>${P.rerank.map}</h4>
      <p>${P.rerank.mapLead}</p>
      <div class="choices">
        ${this.hits.map(
          ({ ordinal, rank }) => html`<button
            aria-pressed=${comparison?.ordinal === ordinal}
            aria-label=${P.rerank.mapOf(this.#place(ordinal))}
            title=${this.#place(ordinal)}
            @click=${() => this.#ask(ordinal)}
          >${rank}</button>`,
        )}
      </div>
      <div aria-live="polite">
        ${
          comparing === "failed"
            ? html`<p>${P.rerank.mapFailed}</p>`
            : comparison
              ? html`<h4>${this.#place(comparison.ordinal)}</h4>`
              : html`<p>${P.rerank.mapRunning}</p>`
        }
      </div>
      ${comparison && comparing !== "failed" ? [this.#map(comparison), table(comparison)] : nothing}
    `;
  }

  #map({ ordinal, question, passage, matches: found, places }: Comparison): TemplateResult {
    const met = new Set(places);
    const [width, height] = [passage.length * WIDTH, question.length * HEIGHT];
    return html`<div class="map">
      <div class="rows" aria-hidden="true">${question.map((piece) => html`<span>${plain(piece)}</span>`)}</div>
      <div class="scroll" tabindex="0" role="img" aria-label=${P.rerank.mapOf(this.#place(ordinal))}>
        <svg width=${width} height=${LABELS + height} viewBox="0 0 ${width} ${LABELS + height}" aria-hidden="true">
          <rect class="ground" y=${LABELS} width=${width} height=${height}></rect>
          ${passage.map(
            (piece, column) => svg`<text class=${met.has(column) ? "met" : ""}
              transform="translate(${(column + 0.5) * WIDTH + 3} ${LABELS - 4}) rotate(-90)">${plain(piece)}</text>`,
          )}
          ${question.map((_, row) =>
            passage.map((_, column) => {
              const shade = shadeOf(found[row * passage.length + column] ?? 0);
              // Most cells are near 0 and would be invisible: leaving them out spares thousands of elements.
              return shade < 0.04
                ? nothing
                : svg`<rect x=${column * WIDTH} y=${LABELS + row * HEIGHT} width=${WIDTH - 1} height=${HEIGHT - 1}
                    fill-opacity=${shade.toFixed(2)}></rect>`;
            }),
          )}
          ${question.map(
            (_, row) => svg`<circle r="3.5" cx=${((places[row] ?? 0) + 0.5) * WIDTH - 0.5}
              cy=${LABELS + (row + 0.5) * HEIGHT - 0.5}></circle>`,
          )}
        </svg>
      </div>
    </div>`;
  }

  #place(ordinal: number): string {
    const { title, part } = placeOf(this.context.index.catalogue, [ordinal]);
    return part ? `${title}, ${part}` : title;
  }

  #ask(ordinal: number): void {
    this.dispatchEvent(new CustomEvent("compare", { detail: ordinal, bubbles: true, composed: true }));
  }
}

function table({ question, weights, passage, best, places }: Comparison): TemplateResult {
  return html`<div class="matches"><table>
    <thead>
      <tr>
        <th scope="col">${P.rerank.piece}</th>
        <th scope="col">${P.rerank.nearest}</th>
        <th scope="col" class="number">${P.rerank.match}</th>
        <th scope="col" class="number">${P.rerank.weight}</th>
      </tr>
    </thead>
    <tbody>
      ${question.map(
        (piece, row) => html`<tr>
          <th scope="row"><code>${plain(piece)}</code></th>
          <td><code>${plain(passage[places[row] ?? 0] ?? "")}</code></td>
          <td class="number">${decimal(best[row] ?? 0, 2)}</td>
          <td class="number">${decimal(weights[row] ?? 0, 2)}</td>
        </tr>`,
      )}
    </tbody>
  </table></div>`;
}

/** Of a match: below 0.2 is what any two pieces have; an estimate may go beyond 1. */
function shadeOf(match: number): number {
  return Math.min(1, Math.max(0, (match - 0.2) / 0.8)) ** 1.5;
}

/** A piece without the sign that it goes on from the one before. */
function plain(piece: string): string {
  return piece.startsWith("##") ? `·${piece.slice(2)}` : piece;
}
