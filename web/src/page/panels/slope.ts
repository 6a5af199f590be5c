/** Ranks in one list joined to ranks in another. What it shows is said in words in the list beside it. */

import { html, nothing, type SVGTemplateResult, svg, type TemplateResult } from "lit";
import { shortTitle } from "../place";
import type { PanelContext } from "./parts";

export interface SlopeRow {
  readonly ordinal: number;
  /** Ranks in the lists at the sides; null for one that is not in it. */
  readonly left: number | null;
  readonly right?: number | null;
}

export interface SlopeHeads {
  readonly left: string;
  readonly middle: string;
  readonly right?: string;
}

/** Height of a row, in the drawing's own units. */
const ROW = 10;

/**
 * The rows in their order, each joined to its rank in the list at its left and, where there is one, at its right.
 * A rank beyond the rows is drawn at the foot.
 */
export function slope(
  context: PanelContext,
  label: string,
  heads: SlopeHeads,
  rows: readonly SlopeRow[],
): TemplateResult {
  const both = heads.right !== undefined;
  const height = rows.length + 1;
  return html`<div class="slope ${both ? "both" : ""}" role="img" aria-label=${label}>
    <span class="head">${heads.left}</span><span></span><span class="head middle">${heads.middle}</span>
    ${both ? html`<span></span><span class="head end">${heads.right}</span>` : nothing}
    ${ranks(rows, (row) => row.left, height)}
    ${lines(rows, (row) => row.left, height, false)}
    <div class="titles">
      ${rows.map((row, place) => html`<span><b class="number">${place + 1}</b> ${shortTitle(context.index.catalogue, row.ordinal)}</span>`)}
      <span></span>
    </div>
    ${both ? html`${lines(rows, (row) => row.right ?? null, height, true)} ${ranks(rows, (row) => row.right ?? null, height)}` : nothing}
  </div>`;
}

type RankOf = (row: SlopeRow) => number | null;

/** The numbers of a list that a row comes from; the last place holds those further down. */
function ranks(rows: readonly SlopeRow[], rank: RankOf, height: number): TemplateResult {
  const used = new Set(rows.map(rank));
  const beyond = rows.map(rank).filter((one): one is number => one !== null && one >= height);
  return html`<div class="ranks number">
    ${rows.map((_, place) => html`<span class=${used.has(place + 1) ? "used" : ""}>${place + 1}</span>`)}
    <span class="used">${beyond.length > 0 ? "…" : ""}</span>
  </div>`;
}

function lines(rows: readonly SlopeRow[], rank: RankOf, height: number, mirrored: boolean): TemplateResult {
  const y = (place: number): number => (Math.min(place, height) - 0.5) * ROW;
  const drawn = rows.flatMap((row, place): SVGTemplateResult[] => {
    const from = rank(row);
    if (from === null) return [];
    const to = place + 1;
    const kind = from > to ? "up" : from < to ? "down" : "level";
    const [x1, x2] = mirrored ? [100, 0] : [0, 100];
    const bend = mirrored ? [65, 35] : [35, 65];
    const path = `M${x1} ${y(from)}C${bend[0]} ${y(from)} ${bend[1]} ${y(to)} ${x2} ${y(to)}`;
    return [svg`<path d=${path} class="${kind} ${from >= height ? "beyond" : ""}"></path>`];
  });
  return html`<svg class="lines" viewBox="0 0 100 ${height * ROW}" preserveAspectRatio="none" aria-hidden="true">${drawn}</svg>`;
}
