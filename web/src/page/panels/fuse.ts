import { html, type TemplateResult } from "lit";
import type { FusedHit } from "../../retrieval/trace";
import { count, decimal } from "../format";
import { P } from "../strings/panels";
import { bar, type PanelContext, ROWS, ranked, type StageNamed, swatch } from "./parts";
import { slope } from "./slope";

export function fusePanel(context: PanelContext, stage: StageNamed<"fuse">): TemplateResult {
  const hits = stage.hits.slice(0, ROWS);
  const max = hits[0]?.score ?? 0;
  return html`
    <p class="lead">${P.fuse.lead(count(stage.parameters.k))}</p>
    <h4 class="label">${P.fuse.flow}</h4>
    ${slope(
      context,
      P.fuse.flowLabel(hits.length),
      { left: P.fuse.keyword, middle: P.fuse.fused, right: P.fuse.dense },
      hits.map((hit) => ({ ordinal: hit.ordinal, left: hit.keyword_rank, right: hit.dense_rank })),
    )}
    ${ranked(
      context,
      P.fuse.list,
      hits.map((hit) => ({
        ordinal: hit.ordinal,
        rank: hit.rank,
        score: decimal(hit.score, 4),
        bar: bar(
          [
            { value: hit.keyword_score, series: 0 },
            { value: hit.dense_score, series: 1 },
          ],
          max,
        ),
        detail: parts(hit),
      })),
    )}
  `;
}

function parts(hit: FusedHit): TemplateResult {
  const part = (series: number, list: string, rank: number | null, score: number): TemplateResult => html`
    <span class="part">${swatch(series)}${rank === null ? P.fuse.absent(list) : P.fuse.from(list, rank, decimal(score, 4))}</span>
  `;
  return html`${part(0, P.fuse.keyword, hit.keyword_rank, hit.keyword_score)}
  ${part(1, P.fuse.dense, hit.dense_rank, hit.dense_score)}`;
}
