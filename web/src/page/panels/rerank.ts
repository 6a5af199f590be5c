import { html, type TemplateResult } from "lit";
import type { RerankHit } from "../../retrieval/trace";
import { count, decimal } from "../format";
import { S } from "../strings";
import "./heat-map";
import { bar, type PanelContext, ROWS, ranked, type StageNamed, swatch } from "./parts";

export function rerankPanel(context: PanelContext, stage: StageNamed<"rerank">): TemplateResult {
  if (stage.state === "off") return html`<p class="lead">${S.rerank.off}</p>`;
  const reranked = stage.hits.filter((hit) => hit.late_interaction !== null);
  const hits = reranked.slice(0, ROWS);
  const max = hits[0]?.score ?? 0;
  return html`
    <p class="lead">${S.rerank.lead(count(stage.parameters.depth))}</p>
    <div class="columns">
      <div>
        <h4 class="label">${S.rerank.pieces}</h4>
        <table>
          <thead>
            <tr>
              <th scope="col">${S.rerank.piece}</th>
              <th scope="col">${S.keyword.chunks}</th>
              <th scope="col">${S.rerank.weight}</th>
            </tr>
          </thead>
          <tbody>
            ${stage.pieces.map(
              ({ piece, chunks, weight }) => html`<tr>
                <th scope="row"><code>${piece}</code></th>
                <td class="number">${count(chunks)}</td>
                <td class="number">${decimal(weight, 2)}</td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <div>
        ${ranked(
          context,
          S.rerank.list,
          hits.map((hit) => ({
            ordinal: hit.ordinal,
            rank: hit.rank,
            score: decimal(hit.score, 3),
            bar: bar(
              [
                { value: hit.late_interaction ?? 0, series: 0 },
                { value: hit.keyword_score, series: 1 },
                { value: hit.cosine_score, series: 2 },
              ],
              max,
            ),
            detail: parts(hit),
          })),
        )}
        <p class="quiet">${S.rerank.rest(count(stage.hits.length - reranked.length))}</p>
      </div>
    </div>
    <ob-heat-map .context=${context} .hits=${hits}></ob-heat-map>
  `;
}

function parts(hit: RerankHit): TemplateResult {
  const part = (series: number, name: string, score: number): TemplateResult =>
    html`<span class="part">${swatch(series)}${name} ${decimal(score, 3)}</span>`;
  const moved = hit.rank_before - hit.rank;
  const words = moved > 0 ? S.rerank.up(moved) : moved < 0 ? S.rerank.down(-moved) : S.rerank.same;
  return html`<span class="part moved">${S.rerank.before(hit.rank_before)}: ${words}</span>
    ${part(0, S.rerank.maxSim, hit.late_interaction ?? 0)} ${part(1, S.rerank.keyword, hit.keyword_score)}
    ${part(2, S.rerank.cosine, hit.cosine_score)}`;
}
