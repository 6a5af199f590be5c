import { html, nothing, type TemplateResult } from "lit";
import type { RerankHit, RerankMode } from "../../retrieval/trace";
import { count, decimal, duration, size } from "../format";
import { rerankModes, rerankOf } from "../state";
import { explain } from "../strings";
import { P } from "../strings/panels";
import "./heat-map";
import { bar, type PanelContext, ROWS, ranked, type StageNamed, swatch } from "./parts";
import { slope } from "./slope";

/** How the question is reranked, and another way to choose; shown while the stage runs too. */
export function rerankChoice({ state, index }: PanelContext): TemplateResult | typeof nothing {
  const modes = rerankModes(index);
  if (modes.length < 2) return nothing;
  const chosen = rerankOf(state);
  return html`<div class="switch" role="group" aria-label=${P.rerank.by}>
      <span class="label" aria-hidden="true">${P.rerank.by}</span>
      ${modes.map(
        (mode) => html`<button class="button" aria-pressed=${mode === chosen} @click=${choose(mode)}>
          ${P.rerank.modes[mode]}
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
      return index.crossKept ? P.rerank.crossKept : P.rerank.crossSize(size(index.crossBytes ?? 0));
    case "downloading":
      return P.rerank.crossLoading(size(crossEncoder.loaded), size(crossEncoder.total));
    case "starting":
    case "checking":
      return P.rerank.crossStarting;
    case "ready":
      return P.rerank.crossReady;
    case "failed": {
      const { title, next } = explain(crossEncoder.error);
      return `${title} ${next}`;
    }
  }
}

export function rerankPanel(context: PanelContext, stage: StageNamed<"rerank">): TemplateResult {
  if (stage.state === "off") return html`<p class="lead">${P.rerank.off}</p>`;
  if (stage.parameters.mode === "cross-encoder") return crossPanel(context, stage);
  const reranked = stage.hits.filter((hit) => hit.late_interaction !== null);
  const hits = reranked.slice(0, ROWS);
  const max = hits[0]?.score ?? 0;
  return html`
    <p class="lead">${P.rerank.lead(count(stage.parameters.depth))}</p>
    <div class="columns">
      <div>
        <h4 class="label">${P.rerank.pieces}</h4>
        <table>
          <thead>
            <tr>
              <th scope="col">${P.rerank.piece}</th>
              <th scope="col">${P.keyword.chunks}</th>
              <th scope="col">${P.rerank.weight}</th>
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
          P.rerank.list,
          hits.map((hit) => ({
            ordinal: hit.ordinal,
            rank: hit.rank,
            score: decimal(hit.score, 3),
            bar: bar(
              [
                { value: hit.in_order ?? 0, series: 0 },
                { value: hit.keyword_score, series: 1 },
                { value: hit.cosine_score, series: 2 },
              ],
              max,
            ),
            detail: parts(hit),
          })),
        )}
        <p class="quiet">${P.rerank.rest(stage.hits.length - reranked.length)}</p>
      </div>
    </div>
    <h4 class="label">${P.rerank.moves}</h4>
    ${slope(
      context,
      P.rerank.movesLabel(hits.length),
      { left: P.rerank.beforeHead, middle: P.rerank.afterHead },
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
    <p class="lead">${P.rerank.crossLead(model, count(cross_depth))}</p>
    ${ranked(
      context,
      P.rerank.list,
      reranked.map((hit) => ({
        ordinal: hit.ordinal,
        rank: hit.rank,
        score: decimal(hit.score, 3),
        bar: bar([{ value: hit.score - least, series: 0 }], most - least),
        detail: moved(hit),
      })),
    )}
    <p class="quiet">
      ${P.rerank.crossTime(duration(stage.ms), reranked.length)}
      ${P.rerank.rest(stage.hits.length - reranked.length)}
    </p>
  `;
}

function moved(hit: RerankHit): TemplateResult {
  const places = hit.rank_before - hit.rank;
  const words = places > 0 ? P.rerank.up(places) : places < 0 ? P.rerank.down(-places) : P.rerank.same;
  return html`<span class="part moved">${P.rerank.before(hit.rank_before)}: ${words}</span>`;
}

function parts(hit: RerankHit): TemplateResult {
  const part = (series: number, name: string, score: number): TemplateResult =>
    html`<span class="part">${swatch(series)}${name} ${decimal(score, 3)}</span>`;
  return html`${moved(hit)}
    ${part(0, P.rerank.maxSim, hit.in_order ?? 0)} ${part(1, P.rerank.keyword, hit.keyword_score)}
    ${part(2, P.rerank.cosine, hit.cosine_score)}`;
}
