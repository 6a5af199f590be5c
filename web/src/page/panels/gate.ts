import { html, type TemplateResult } from "lit";
import { decimal, signed } from "../format";
import { S } from "../strings";
import { facts, type StageNamed } from "./parts";

export function gatePanel(stage: StageNamed<"gate">): TemplateResult {
  const { open, margin, parameters, decided_by } = stage;
  const score = stage[decided_by];
  if (open === null || score === null || margin === null || !parameters)
    return html`<p class="lead">${S.gate.skipped}</p>`;
  const { threshold, source } = parameters;
  return html`
    <p class="lead">${open ? S.gate.open : S.gate.closed}</p>
    ${numberLine(score, threshold, margin)}
    ${facts([
      [S.gate.score[decided_by], decimal(score, 4)],
      [S.gate.threshold, html`${decimal(threshold, 4)} <span class="where">${S.gate.source[source]}</span>`],
      [S.gate.margin, signed(margin, 4)],
      decided_by !== "cosine" && stage.cosine !== null ? [S.gate.score.cosine, decimal(stage.cosine, 4)] : null,
    ])}
  `;
}

/** Scores from 0 (or below) to 1: the threshold as a line, the best passage as a dot, the margin between them. */
function numberLine(score: number, threshold: number, margin: number): TemplateResult {
  const least = Math.min(0, Math.floor(Math.min(score, threshold) * 5) / 5);
  const percent = (value: number): string => `${(100 * (value - least)) / (1 - least)}%`;
  const ticks = Array.from({ length: Math.round((1 - least) / 0.2) + 1 }, (_, step) => least + step * 0.2);
  const [from, to] = score < threshold ? [score, threshold] : [threshold, score];
  const label = S.gate.line(decimal(score, 3), decimal(threshold, 3), signed(margin, 3));
  return html`
    <div class="line" role="img" aria-label=${label}>
      <div class="track">
        <i class="shut" .style=${place("inline-size", percent(threshold))}></i>
        <i class="margin" .style=${place("inset-inline", `${percent(from)} calc(100% - ${percent(to)})`)}></i>
        <i class="threshold" .style=${place("inset-inline-start", percent(threshold))}></i>
        <b class="at" .style=${place("inset-inline-start", percent(threshold))}>${S.gate.threshold} ${decimal(threshold, 2)}</b>
        <i class="best" .style=${place("inset-inline-start", percent(score))}></i>
        <b class="value ${score < threshold ? "left" : "right"}" .style=${place("inset-inline-start", percent(score))}>${decimal(score, 3)}</b>
      </div>
      <div class="ticks">
        ${ticks.map((value) => html`<span .style=${place("inset-inline-start", percent(value))}>${decimal(value, 1)}</span>`)}
      </div>
    </div>
  `;
}

/** For the property, which is set through the object model: an attribute would be an inline style, which the policy forbids. */
function place(property: string, value: string): string {
  return `${property}: ${value}`;
}
