/**
 * A stage's result as a small drawing in its block, from its own numbers: the shape of a ranking, the two lists in a
 * sum, ranks that crossed, a score against its threshold. The numbers themselves are one press away.
 */

import { css, html, nothing, type SVGTemplateResult, svg, type TemplateResult } from "lit";
import type { Stage } from "../retrieval/trace";

const WIDTH = 96;
const HEIGHT = 20;
/** How many hits a drawing shows. */
const HITS = 14;

export function glyph(stage: Stage): TemplateResult | typeof nothing {
  const drawn = stage.state === "done" ? draw(stage) : nothing;
  if (drawn === nothing) return nothing;
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width=${WIDTH} height=${HEIGHT}>${drawn}</svg>`;
}

function draw(stage: Stage): unknown {
  switch (stage.name) {
    case "keyword":
      return columns(stage.hits.map(({ score }) => [score]));
    case "embed":
      return Array.from({ length: Math.min(stage.tokens, 16) }, (_, place) =>
        rect(place * 6, HEIGHT / 2 - 3, 4, 6, "s1"),
      );
    case "dense":
      // From zero: the steps between cosines are as small as they look.
      return columns(stage.hits.map(({ score }) => [Math.max(0, score)]));
    case "fuse":
      return columns(stage.hits.map(({ keyword_score, dense_score }) => [dense_score, keyword_score]));
    case "rerank":
      return crossings(stage.hits.map(({ rank_before }) => rank_before));
    case "gate": {
      const score = stage[stage.decided_by];
      return score === null || !stage.parameters ? nothing : onLine(score, stage.parameters.threshold);
    }
    case "prompt": {
      let at = 0;
      return stage.parts.map(({ kind, tokens }) => {
        const width = (WIDTH * tokens) / stage.parameters.max_tokens;
        at += width;
        return rect(at - width, HEIGHT / 2 - 4, Math.max(0.5, width - 1), 8, kind === "passage" ? "s1" : "s2");
      });
    }
    case "answer": {
      const best = Math.max(...stage.sentences.map(({ score }) => score), 0);
      const step = HEIGHT / Math.max(3, stage.sentences.length);
      return stage.sentences.map(({ score }, place) =>
        rect(0, place * step + 1, (WIDTH * score) / best, step - 3, "s1"),
      );
    }
    default:
      return nothing;
  }
}

/** A column a hit, its parts on each other. */
function columns(hits: readonly (readonly number[])[]): SVGTemplateResult[] {
  const shown = hits.slice(0, HITS);
  const most = Math.max(...shown.map((parts) => parts.reduce((sum, part) => sum + part, 0)), 1e-9);
  const step = WIDTH / HITS;
  return shown.flatMap((parts, place) => {
    let base = HEIGHT;
    return parts.map((part, series) => {
      const height = (HEIGHT * part) / most;
      base -= height;
      return rect(place * step, base, step - 2, height, `s${series + 1}`);
    });
  });
}

/** The rank after each hit, joined to its rank before. */
function crossings(before: readonly number[]): SVGTemplateResult[] {
  const shown = before.slice(0, 8);
  const y = (rank: number): number => Math.min(HEIGHT - 1, 1 + ((rank - 1) * (HEIGHT - 2)) / (shown.length - 1 || 1));
  return shown.map(
    (rank, place) =>
      svg`<line x1="2" y1=${y(rank)} x2=${WIDTH - 2} y2=${y(place + 1)} class=${rank > place + 1 ? "up" : "level"}></line>`,
  );
}

function onLine(score: number, threshold: number): SVGTemplateResult {
  const x = (value: number): number => 4 + Math.min(1, Math.max(0, value)) * (WIDTH - 8);
  const middle = HEIGHT / 2;
  return svg`<line class="axis" x1="0" y1=${middle} x2=${WIDTH} y2=${middle}></line>
    <line class="threshold" x1=${x(threshold)} y1="2" x2=${x(threshold)} y2=${HEIGHT - 2}></line>
    <circle cx=${x(score)} cy=${middle} r="4" class=${score < threshold ? "closed" : "open"}></circle>`;
}

function rect(x: number, y: number, width: number, height: number, series: string): SVGTemplateResult {
  return svg`<rect x=${x} y=${y} width=${Math.max(0, width)} height=${Math.max(0, height)} class=${series}></rect>`;
}

export const glyphStyles = css`
  .glyph {
    display: none;
    min-block-size: 20px;
  }
  .glyph svg {
    max-inline-size: 100%;
  }
  .glyph .s1 {
    fill: var(--ob-series-1);
  }
  .glyph .s2 {
    fill: var(--ob-series-2);
  }
  .glyph line {
    stroke: var(--ob-rule-strong);
    stroke-width: 1;
  }
  .glyph line.up {
    stroke: var(--ob-series-1);
    stroke-width: 1.75;
  }
  .glyph line.threshold {
    stroke: var(--ob-ink);
    stroke-width: 1.5;
  }
  .glyph .open {
    fill: var(--ob-series-1);
  }
  .glyph .closed {
    fill: var(--ob-bad);
  }
  @container (min-width: 34em) {
    .glyph {
      display: block;
    }
  }
`;
