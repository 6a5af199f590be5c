import { html, type TemplateResult } from "lit";
import type { KeywordHit } from "../../retrieval/trace";
import { count, decimal } from "../format";
import { S } from "../strings";
import { bar, type PanelContext, ROWS, ranked, type StageNamed, swatch } from "./parts";

export function keywordPanel(context: PanelContext, stage: StageNamed<"keyword">): TemplateResult {
  const { parameters, terms } = stage;
  const hits = stage.hits.slice(0, ROWS);
  const series = new Map(terms.map(({ term }, position) => [term, position]));
  const max = Math.max(...hits.map((hit) => hit.score), 0);
  return html`
    <p class="lead">${S.keyword.lead(decimal(parameters.k1, 1), decimal(parameters.b, 2))}</p>
    <div class="columns">
      <div>
        <h4 class="label">${S.keyword.terms}</h4>
        <table>
          <thead>
            <tr><th scope="col">${S.keyword.term}</th><th scope="col">${S.keyword.chunks}</th><th scope="col">${S.keyword.idf}</th></tr>
          </thead>
          <tbody>
            ${terms.map(
              (term, position) => html`<tr>
                <th scope="row">${swatch(position)}<code>${term.term}</code></th>
                <td class="number">${count(Math.max(term.text_chunks, term.title_chunks))}</td>
                <td class="number">${decimal(Math.max(term.text_idf, term.title_idf), 2)}</td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <div>
        ${
          hits.length === 0
            ? html`<p>${S.keyword.none}</p>`
            : ranked(
                context,
                S.keyword.list,
                hits.map((hit) => ({
                  ordinal: hit.ordinal,
                  rank: hit.rank,
                  score: decimal(hit.score, 2),
                  bar: bar(
                    sums(hit).map(({ term, score }) => ({ value: score, series: series.get(term) ?? 0 })),
                    max,
                  ),
                  detail: contributions(hit, series),
                })),
              )
        }
      </div>
    </div>
  `;
}

/** What each term adds over both fields, in the order of the question. */
function sums(hit: KeywordHit): { term: string; score: number }[] {
  const by = new Map<string, number>();
  for (const { term, score } of hit.terms) by.set(term, (by.get(term) ?? 0) + score);
  const all = [...by].map(([term, score]) => ({ term, score }));
  const total = all.reduce((sum, { score }) => sum + score, 0);
  // Where the sum is divided by the number of matched terms, so is each part of it.
  const factor = total > 0 && !hit.exact_title ? hit.score / total : 1;
  return all.map(({ term, score }) => ({ term, score: score * factor }));
}

function contributions(hit: KeywordHit, series: ReadonlyMap<string, number>): TemplateResult {
  return html`${hit.exact_title ? html`<em>${S.keyword.exact}</em>` : null}
    ${sums(hit).map(
      ({ term, score }) =>
        html`<span class="part">${swatch(series.get(term) ?? 0)}<code>${term}</code> ${decimal(score, 2)}</span>`,
    )}`;
}
