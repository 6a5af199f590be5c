import { html, type TemplateResult } from "lit";
import type { FusedHit } from "../../retrieval/trace";
import { count, decimal } from "../format";
import { S } from "../strings";
import { bar, type PanelContext, ROWS, ranked, type StageNamed, swatch } from "./parts";
import { slope } from "./slope";

export function fusePanel(context: PanelContext, stage: StageNamed<"fuse">): TemplateResult {
  const hits = stage.hits.slice(0, ROWS);
  const max = hits[0]?.score ?? 0;
  return html`
    <p class="lead">${S.fuse.lead(count(stage.parameters.k))}</p>
    <h4 class="label">${S.fuse.flow}</h4>
    ${slope(
      context,
      S.fuse.flowLabel(hits.length),
      { left: S.fuse.keyword, middle: S.fuse.fused, right: S.fuse.dense },
      hits.map((hit) => ({ ordinal: hit.ordinal, left: hit.keyword_rank, right: hit.dense_rank })),
    )}
    ${ranked(
      context,
      S.fuse.list,
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
    <span class="part">${swatch(series)}${rank === null ? S.fuse.absent(list) : S.fuse.from(list, rank, decimal(score, 4))}</span>
  `;
  return html`${part(0, S.fuse.keyword, hit.keyword_rank, hit.keyword_score)}
  ${part(1, S.fuse.dense, hit.dense_rank, hit.dense_score)}`;
}
