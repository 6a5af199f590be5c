import { html, type TemplateResult } from "lit";
import { count, decimal } from "../format";
import { stageIn } from "../state";
import { S } from "../strings";
import { bar, type PanelContext, ROWS, ranked, type StageNamed } from "./parts";

export function densePanel(context: PanelContext, stage: StageNamed<"dense">): TemplateResult {
  const threshold = stageIn(context.state.blocks, "gate")?.parameters?.threshold;
  return html`
    <p class="lead">${S.dense.lead(count(stage.input))}</p>
    ${ranked(
      context,
      S.dense.list,
      stage.hits.slice(0, ROWS).map((hit) => ({
        ordinal: hit.ordinal,
        rank: hit.rank,
        score: decimal(hit.score, 3),
        bar: bar([{ value: hit.score, series: 0 }], 1, threshold),
      })),
    )}
    ${threshold === undefined ? null : html`<p class="quiet">| ${S.dense.threshold(decimal(threshold, 2))}</p>`}
  `;
}
