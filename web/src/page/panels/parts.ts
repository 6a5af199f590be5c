/** What several panels are made of. */

import { html, svg, type TemplateResult } from "lit";
import type { Stage, StageName } from "../../retrieval/trace";
import { shortPlace } from "../place";
import type { OpenIndex, State } from "../state";

/** How many rows a ranked list shows. */
export const ROWS = 10;

/** How many series have a colour and a hatching of their own; further ones share the last. */
const SERIES = 8;

export interface PanelContext {
  readonly state: State;
  readonly index: OpenIndex;
  /** Ask for where all chunks stand: `state.survey`. */
  readonly survey: () => void;
  /** Ask for what the gate saw of the course's own questions: `state.gold`. */
  readonly gold: () => void;
}

export type StageNamed<N extends StageName> = Extract<Stage, { name: N }>;

export interface Segment {
  readonly value: number;
  /** Position among the series, from 0. */
  readonly series: number;
}

/**
 * Values beside each other on a line that is `max` long. What they are is said in words beside it.
 *
 * @param tick a value to mark on the line
 * @param error how far the end may be from where it is drawn, either way
 */
export function bar(segments: readonly Segment[], max: number, tick?: number, error?: number): TemplateResult {
  const scale = max > 0 ? 100 / max : 0;
  let at = 0;
  return html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
    <rect class="ground" width="100" height="8"></rect>
    ${segments.map(({ value, series }) => {
      const width = Math.max(0, value * scale);
      const x = at;
      at += width;
      return svg`<rect class="segment ${seriesClass(series)}" x=${x} width=${Math.max(0, width - 0.35)} height="8"></rect>`;
    })}
    ${error ? svg`<rect class="whisker" x=${Math.max(0, at - error * scale)} y="3.25" width=${2 * error * scale} height="1.5"></rect>` : null}
    ${tick === undefined ? null : svg`<rect class="tick" x=${Math.min(99.4, Math.max(0, tick * scale))} width="0.6" height="8"></rect>`}
  </svg>`;
}

export function seriesClass(series: number): string {
  return `s${Math.min(series, SERIES - 1) + 1}`;
}

/** A small square in a series' colour, before its name. */
export function swatch(series: number): TemplateResult {
  return html`<i class="swatch ${seriesClass(series)}" aria-hidden="true"></i>`;
}

export interface RankedRow {
  readonly ordinal: number;
  readonly rank: number;
  readonly score: string | TemplateResult;
  readonly bar: TemplateResult;
  readonly detail?: TemplateResult | string;
}

export function ranked(context: PanelContext, heading: string, rows: readonly RankedRow[]): TemplateResult {
  return html`
    <h4 class="label">${heading}</h4>
    <ol class="ranked">
      ${rows.map(
        (row) => html`<li>
          <span class="rank number">${row.rank}</span>
          <span class="title">${shortPlace(context.index.catalogue, row.ordinal)}</span>
          <span class="score number">${row.score}</span>
          ${row.bar}
          ${row.detail ? html`<span class="detail number">${row.detail}</span>` : null}
        </li>`,
      )}
    </ol>
  `;
}

/** Names and values. */
export function facts(pairs: readonly (readonly [string, string | TemplateResult] | null)[]): TemplateResult {
  return html`<dl class="facts">
    ${pairs.map((pair) => (pair ? html`<div><dt>${pair[0]}</dt><dd class="number">${pair[1]}</dd></div>` : null))}
  </dl>`;
}
