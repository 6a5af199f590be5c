import { html, nothing, type TemplateResult } from "lit";
import type { RerankHit, RerankMode } from "../../retrieval/trace";
import { count, decimal, duration, size } from "../format";
import { rerankModes, rerankOf } from "../state";
import { explain, S } from "../strings";
import "./heat-map";
import { bar, type PanelContext, ROWS, ranked, type StageNamed, swatch } from "./parts";
import { slope } from "./slope";

/** How the question is reranked, and another way to choose; shown while the stage runs too. */
export function rerankChoice({ state, index }: PanelContext): TemplateResult | typeof nothing {
  const modes = rerankModes(index);
  if (modes.length < 2) return nothing;
  const chosen = rerankOf(state);
  return html`<div class="switch" role="group" aria-label=${S.rerank.by}>
      <span class="label" aria-hidden="true">${S.rerank.by}</span>
      ${modes.map(
        (mode) => html`<button class="button" aria-pressed=${mode === chosen} @click=${choose(mode)}>
          ${S.rerank.modes[mode]}
        </button>`,
      )}
    </div>
    ${modes.includes("cross-encoder") ? html`<p class="quiet" aria-live="polite">${crossState(state, index)}</p>` : nothing}`;
}

function choose(mode: RerankMode): (event: Event) => void {
  return (event) => {
    const { currentTarget } = event;
    currentTarget?.dispatchEvent(new CustomEvent("ob-rerank", { detail: mode, bubbles: true, composed: true }));
  };
}

/** What the cross-encoder costs before it is here, and how far it is. */
function crossState({ crossEncoder }: PanelContext["state"], index: PanelContext["index"]): string {
  switch (crossEncoder.phase) {
    case "idle":
      return index.crossKept ? S.rerank.crossKept : S.rerank.crossSize(size(index.crossBytes ?? 0));
    case "downloading":
      return S.rerank.crossLoading(size(crossEncoder.loaded), size(crossEncoder.total));
    case "starting":
    case "checking":
      return S.rerank.crossStarting;
    case "ready":
      return S.rerank.crossReady;
    case "failed": {
      const { title, next } = explain(crossEncoder.error);
      return `${title} ${next}`;
    }
  }
}

export function rerankPanel(context: PanelContext, stage: StageNamed<"rerank">): TemplateResult {
  if (stage.state === "off") return html`<p class="lead">${S.rerank.off}</p>`;
  if (stage.parameters.mode === "cross-encoder") return crossPanel(context, stage);
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
        <p class="quiet">${S.rerank.rest(stage.hits.length - reranked.length)}</p>
      </div>
    </div>
    <h4 class="label">${S.rerank.moves}</h4>
    ${slope(
      context,
      S.rerank.movesLabel(hits.length),
      { left: S.rerank.beforeHead, middle: S.rerank.afterHead },
      hits.map((hit) => ({ ordinal: hit.ordinal, left: hit.rank_before })),
    )}
    <ob-heat-map .context=${context} .hits=${hits}></ob-heat-map>
  `;
}

/** Logits have no zero that means anything: bars are drawn over the least of those shown. */
function crossPanel(context: PanelContext, stage: StageNamed<"rerank">): TemplateResult {
  const { cross_depth } = stage.parameters;
  const reranked = stage.hits.filter((hit) => hit.cross_encoder !== null);
  const scores = reranked.map(({ score }) => score);
  const [least, most] = [Math.min(...scores), Math.max(...scores)];
  const model = context.index.manifest.cross_encoder?.name ?? "";
  return html`
    <p class="lead">${S.rerank.crossLead(model, count(cross_depth))}</p>
    ${ranked(
      context,
      S.rerank.list,
      reranked.map((hit) => ({
        ordinal: hit.ordinal,
        rank: hit.rank,
        score: decimal(hit.score, 3),
        bar: bar([{ value: hit.score - least, series: 0 }], most - least),
        detail: moved(hit),
      })),
    )}
    <p class="quiet">
      ${S.rerank.crossTime(duration(stage.ms), reranked.length)}
      ${S.rerank.rest(stage.hits.length - reranked.length)}
    </p>
  `;
}

function moved(hit: RerankHit): TemplateResult {
  const places = hit.rank_before - hit.rank;
  const words = places > 0 ? S.rerank.up(places) : places < 0 ? S.rerank.down(-places) : S.rerank.same;
  return html`<span class="part moved">${S.rerank.before(hit.rank_before)}: ${words}</span>`;
}

function parts(hit: RerankHit): TemplateResult {
  const part = (series: number, name: string, score: number): TemplateResult =>
    html`<span class="part">${swatch(series)}${name} ${decimal(score, 3)}</span>`;
  return html`${moved(hit)}
    ${part(0, S.rerank.maxSim, hit.late_interaction ?? 0)} ${part(1, S.rerank.keyword, hit.keyword_score)}
    ${part(2, S.rerank.cosine, hit.cosine_score)}`;
}
