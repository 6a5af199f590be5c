import { html, nothing, type TemplateResult } from "lit";
import { count, decimal } from "../format";
import { stageIn } from "../state";
import { P } from "../strings/panels";
import { bar, type PanelContext, ROWS, ranked, type StageNamed } from "./parts";
import { spread } from "./spread";

export function densePanel(context: PanelContext, stage: StageNamed<"dense">): TemplateResult {
  const { state } = context;
  const gate = stageIn(state.blocks, "gate");
  // The threshold belongs to the score that the gate decides by, which is not always this one.
  const threshold = gate?.decided_by === "cosine" ? gate.parameters?.threshold : undefined;
  if (!state.survey && state.surveying === "idle") queueMicrotask(context.survey);
  const seen = state.survey?.question ?? null;
  const hits = stage.hits.slice(0, ROWS);
  const errors = hits.map(({ ordinal }) => seen?.errors[ordinal] ?? 0);
  const close = hits.filter((hit, place) => {
    const next = hits[place + 1];
    return next !== undefined && hit.score - next.score < (errors[place] ?? 0) + (errors[place + 1] ?? 0);
  }).length;
  return html`
    <p class="lead">${P.dense.lead(count(stage.input))}</p>
    ${seen ? spread(seen.cosines, hits[0]?.score ?? 0, threshold, count(stage.input)) : nothing}
    ${ranked(
      context,
      P.dense.list,
      hits.map((hit, place) => ({
        ordinal: hit.ordinal,
        rank: hit.rank,
        score: seen
          ? html`${decimal(hit.score, 3)} <span class="where">± ${decimal(errors[place] ?? 0, 3)}</span>`
          : decimal(hit.score, 3),
        bar: bar([{ value: hit.score, series: 0 }], 1, threshold, errors[place]),
      })),
    )}
    ${threshold === undefined ? nothing : html`<p class="quiet">| ${P.dense.threshold(decimal(threshold, 2))}</p>`}
    ${
      seen
        ? html`<p class="quiet">${P.dense.whisker(decimal(Math.max(...errors), 3))} ${P.dense.within(close)}</p>`
        : nothing
    }
  `;
}
