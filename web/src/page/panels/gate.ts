import { html, svg, type TemplateResult } from "lit";
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
  const [left, right, y] = [16, 584, 52];
  const x = (value: number): number => left + ((value - least) / (1 - least)) * (right - left);
  const ticks = Array.from({ length: Math.round((1 - least) / 0.2) + 1 }, (_, i) => least + i * 0.2);
  const beside = score >= threshold ? "start" : "end";
  return html`
    <svg class="line" viewBox="0 0 600 84" role="img" aria-label=${S.gate.line(decimal(score, 3), decimal(threshold, 3), signed(margin, 3))}>
      <rect class="shut" x=${left} y=${y - 6} width=${x(threshold) - left} height="12"></rect>
      <rect class="free" x=${x(threshold)} y=${y - 6} width=${right - x(threshold)} height="12"></rect>
      ${ticks.map(
        (value) => svg`<line class="mark" x1=${x(value)} x2=${x(value)} y1=${y + 6} y2=${y + 11}></line>
          <text class="small" x=${x(value)} y=${y + 26} text-anchor="middle">${decimal(value, 1)}</text>`,
      )}
      <line class="threshold" x1=${x(threshold)} x2=${x(threshold)} y1=${y - 30} y2=${y + 6}></line>
      <text x=${x(threshold)} y=${y - 36} text-anchor="middle">${S.gate.threshold} ${decimal(threshold, 2)}</text>
      <line class="margin" x1=${x(threshold)} x2=${x(score)} y1=${y} y2=${y}></line>
      <circle class="best" cx=${x(score)} cy=${y} r="7"></circle>
      <text class="value" x=${x(score) + (beside === "start" ? 4 : -4)} y=${y - 13} text-anchor=${beside}>${decimal(score, 3)}</text>
    </svg>
  `;
}
