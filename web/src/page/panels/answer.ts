import { html, type TemplateResult } from "lit";
import { decimal } from "../format";
import { P } from "../strings/panels";
import { bar, type StageNamed } from "./parts";

export function answerPanel(stage: StageNamed<"answer">): TemplateResult {
  if (stage.state !== "done") return html`<p class="lead">${P.answerPanel.skipped}</p>`;
  const max = Math.max(...stage.sentences.map((sentence) => sentence.score), 0);
  return html`
    <p class="lead">${P.answerPanel.lead}</p>
    <ol class="ranked">
      ${stage.sentences.map(
        (sentence) => html`<li>
          <span class="rank number">[${sentence.number}]</span>
          <span class="title sentence">${sentence.text}</span>
          <span class="score number">${decimal(sentence.score, 3)}</span>
          ${bar([{ value: sentence.score, series: 0 }], max)}
          <span class="detail">${P.answerPanel.passage(sentence.number)}${sentence.terms.map(
            (term) => html` <code>${term}</code>`,
          )}</span>
        </li>`,
      )}
    </ol>
  `;
}
