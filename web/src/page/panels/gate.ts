import { html, nothing, svg, type TemplateResult } from "lit";
import type { GoldScores } from "../../index/schema";
import type { GateScore } from "../../retrieval/trace";
import { apart, count, decimal, list, percent, signed } from "../format";
import { S } from "../strings";
import { P } from "../strings/panels";
import { facts, type PanelContext, type StageNamed } from "./parts";

/** Per cent of the number line; so close to each other, labels would overlap. */
const NEAR = 3;

export function gatePanel(context: PanelContext, stage: StageNamed<"gate">): TemplateResult {
  const { open, margin, parameters, decided_by } = stage;
  const score = stage[decided_by];
  if (open === null || score === null || margin === null || !parameters)
    return html`<p class="lead">${P.gate.skipped}</p>`;
  const { threshold, source } = parameters;
  return html`
    <p class="lead">${open ? P.gate.open : P.gate.closed}${context.state.filter ? html` ${S.filter.gate}` : nothing}</p>
    ${numberLine(decided_by, score, threshold, margin, goldOf(context, decided_by))}
    ${facts([
      [P.gate.score[decided_by], decimal(score, 4)],
      [P.gate.threshold, html`${decimal(threshold, 4)} <span class="where">${P.gate.source[source]}</span>`],
      [P.gate.margin, signed(margin, 4)],
      stage.late_interaction === null ? null : [P.gate.wordByWord, decimal(stage.late_interaction, 4)],
      stage.coverage === null ? null : [P.gate.coverage, percent(stage.coverage)],
      decided_by !== "cosine" && stage.cosine !== null ? [P.gate.score.cosine, decimal(stage.cosine, 4)] : null,
    ])}
    ${decided_by === "answerability" ? html`<p class="quiet">${P.gate.mixed}</p>` : nothing}
    ${stage.absent.length > 0 ? html`<p class="quiet">${S.answer.nowhere(list(stage.absent.map(S.answer.word)))}</p>` : nothing}
  `;
}

export interface Axis {
  readonly least: number;
  readonly most: number;
  readonly step: number;
}

/** Where a number line begins and ends: cosines are at home between 0 and 1, a cross-encoder's logits nowhere. */
export function axisOf(values: readonly number[], by: GateScore): Axis {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (by !== "cross_encoder") {
    return { least: Math.min(0, Math.floor(low * 5) / 5), most: Math.max(1, Math.ceil(high * 5) / 5), step: 0.2 };
  }
  const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50].find((size) => (high - low) / size <= 5) ?? 100;
  const least = Math.floor(low / step) * step;
  return { least, most: Math.max(least + step, Math.ceil(high / step) * step), step };
}

/** The threshold as a line, the best passage as a dot, the margin between them. */
function numberLine(
  by: GateScore,
  score: number,
  threshold: number,
  margin: number,
  gold: GoldScores | null,
): TemplateResult {
  const { least, most, step } = axisOf([score, threshold, ...(gold?.scores ?? [])], by);
  const at = (value: number): number => (100 * (value - least)) / (most - least);
  const along = (value: number): string => `${at(value)}%`;
  const ticks = Array.from({ length: Math.round((most - least) / step) + 1 }, (_, place) => least + place * step);
  const [from, to] = score < threshold ? [score, threshold] : [threshold, score];
  const label = P.gate.line(...apart(score, threshold, 3), signed(margin, Math.abs(margin) < 0.0005 ? 4 : 3));
  const [scored, needed] = apart(score, threshold);
  // Beside the threshold's line, not across it.
  const near = Math.abs(at(score) - at(threshold)) < NEAR ? "near" : "";
  return html`
    <div class="line" role="img" aria-label=${label}>
      <div class="track">
        <i class="shut" .style=${place("inline-size", along(threshold))}></i>
        <i class="margin" .style=${place("inset-inline", `${along(from)} calc(100% - ${along(to)})`)}></i>
        <i class="threshold" .style=${place("inset-inline-start", along(threshold))}></i>
        <b class="at" .style=${place("inset-inline-start", along(threshold))}>${P.gate.threshold} ${needed}</b>
        <i class="best" .style=${place("inset-inline-start", along(score))}></i>
        <b class="value ${score < threshold ? "left" : "right"} ${near}" .style=${place("inset-inline-start", along(score))}>${scored}</b>
      </div>
      ${gold ? goldTicks(gold, at) : nothing}
      <div class="ticks">
        ${ticks.map((value) => html`<span .style=${place("inset-inline-start", along(value))}>${decimal(value, step < 1 ? 1 : 0)}</span>`)}
      </div>
    </div>
    ${gold ? goldWords(gold, threshold) : nothing}
  `;
}

/** Asked for when the block is opened; of another score than the one that decided, they would say nothing. */
function goldOf(context: PanelContext, by: GateScore): GoldScores | null {
  const { state, index } = context;
  if (state.gold === null && index.manifest.gold !== null) queueMicrotask(context.gold);
  return state.gold?.by === by ? state.gold : null;
}

/** A tick a question: answerable ones above the line, the others below, the half that chose the threshold stronger. */
function goldTicks(gold: GoldScores, x: (value: number) => number): TemplateResult {
  return html`<svg class="gold" viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true">
    <line class="axis" x1="0" x2="100" y1="10" y2="10"></line>
    ${gold.scores.map((score, place) => {
      const [y1, y2] = gold.answerable[place] ? [1, 9] : [11, 19];
      const kind = `${gold.answerable[place] ? "answerable" : "other"} ${gold.test[place] ? "test" : ""}`;
      return svg`<line class=${kind} x1=${x(score)} x2=${x(score)} y1=${y1} y2=${y2}></line>`;
    })}
  </svg>`;
}

function goldWords(gold: GoldScores, threshold: number): TemplateResult {
  const of = (test: (place: number) => boolean): number => gold.scores.filter((_, place) => test(place)).length;
  const at = (place: number): number => gold.scores[place] ?? 0;
  return html`<p class="quiet">
    ${P.gate.gold(count(gold.scores.length), count(of((place) => gold.answerable[place] === true)))}
    ${P.gate.goldSplit(count(of((place) => !gold.test[place])), count(of((place) => gold.test[place] === true)))}
    ${P.gate.goldOutcome(
      of((place) => gold.answerable[place] === true && at(place) < threshold),
      of((place) => !gold.answerable[place] && at(place) >= threshold),
    )}
  </p>`;
}

/** For the property, which is set through the object model: an attribute would be an inline style, which the policy forbids. */
function place(property: string, value: string): string {
  return `${property}: ${value}`;
}
