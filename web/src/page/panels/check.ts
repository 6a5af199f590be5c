import { html, type TemplateResult } from "lit";
import { decimal } from "../format";
import { P } from "../strings/panels";
import { bar, type StageNamed } from "./parts";

export function checkPanel(stage: StageNamed<"check">): TemplateResult {
  const { supported, weak } = stage.parameters;
  const max = Math.max(supported, ...stage.sentences.map(({ score }) => score));
  return html`
    <p class="lead">${P.checkPanel.lead(decimal(supported, 2), decimal(weak, 2))}</p>
    <ol class="ranked">
      ${stage.sentences.map(
        (sentence) => html`<li class=${sentence.verdict}>
          <span class="rank number">${sentence.citations.map((number) => `[${number}]`).join("")}</span>
          <span class="title sentence">${sentence.text}</span>
          <span class="score number">${decimal(sentence.score, 3)}</span>
          ${bar([{ value: sentence.score, series: 0 }], max, supported)}
          <span class="detail"
            >${P.checkPanel.verdict[sentence.verdict]}${sentence.objections.map(
              ({ kind, what }) => html` ${P.checkPanel.objection[kind](what)}`,
            )}${sentence.evidence ? html` ${P.checkPanel.evidence(sentence.evidence.number, sentence.evidence.text)}` : null}</span
          >
        </li>`,
      )}
    </ol>
  `;
}
