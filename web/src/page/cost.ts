/** What a question cost: time by stage, bytes, and what was sent to anybody. */

import { css, html, type TemplateResult } from "lit";
import type { StageName } from "../retrieval/trace";
import { since } from "../traffic";
import { count, duration, size } from "./format";
import { fetched, STAGES, type State, stageIn } from "./state";
import { S } from "./strings";
import { P } from "./strings/panels";

export interface StageTime {
  readonly name: StageName;
  readonly ms: number;
}

/** Of the stages that ran here while the question was answered; a language model has a block of its own. */
export function stageTimes(state: State): StageTime[] {
  return STAGES.filter((name) => name !== "generate" && name !== "check").flatMap((name) => {
    const stage = state.blocks[name].stage;
    return stage && stage.state === "done" ? [{ name, ms: stage.ms }] : [];
  });
}

export function totalTime(times: readonly StageTime[]): number {
  return times.reduce((sum, { ms }) => sum + ms, 0);
}

/** The times as one bar; what they are is said beside it. */
export function timeBar(times: readonly StageTime[]): TemplateResult {
  return html`<span class="times" aria-hidden="true">
    ${times.map(({ name, ms }) => html`<i class=${seriesOf(name)} .style=${`flex-grow: ${Math.max(ms, 0.001)}`}></i>`)}
  </span>`;
}

export function cost(state: State): TemplateResult {
  const times = stageTimes(state);
  const total = totalTime(times);
  const all = fetched(state);
  const own = since(state.traffic.before, all);
  const waited = stageIn(state.blocks, "embed")?.waited_ms ?? 0;
  const requests = ({ bytes, requests: n, foreign }: typeof all): string => {
    if (n === 0) return P.cost.nothing;
    // Of other origins the browser may not say the size.
    return bytes === 0 && foreign === 0 ? P.cost.free(n) : P.cost.requests(size(bytes), n);
  };
  return html`<section class="cost" aria-labelledby="cost">
    <h3 class="label" id="cost">${P.cost.heading}</h3>
    <p class="number">${P.cost.times(duration(total))}</p>
    ${timeBar(times)}
    <ul class="legend">
      ${times.map(
        ({ name, ms }) =>
          html`<li class="number"><i class="swatch ${seriesOf(name)}" aria-hidden="true"></i>${S.stages[name]} <span data-ms=${ms}>${duration(ms)}</span></li>`,
      )}
    </ul>
    <dl>
      <div><dt>${P.cost.question}</dt><dd class="number">${requests(own)}</dd></div>
      <div><dt>${P.cost.visit}</dt><dd class="number">${requests(all)}</dd></div>
      ${waited >= 1 ? html`<div><dt>${P.cost.waited}</dt><dd class="number">${duration(waited)}</dd></div>` : null}
      <div><dt>${P.cost.foreign}</dt><dd class="number foreign">${count(all.foreign)}</dd></div>
    </dl>
    <p class="quiet">${P.cost.sent}</p>
  </section>`;
}

/** Each stage has the same colour wherever its time is drawn. */
function seriesOf(name: StageName): string {
  return `s${STAGES.indexOf(name) + 1}`;
}

export const costStyles = css`
  .cost > * + * {
    margin-block-start: var(--ob-space-2);
  }
  .times {
    display: flex;
    gap: 1px;
    block-size: 1rem;
    border-radius: var(--ob-radius-s);
    overflow: hidden;
  }
  .times i {
    forced-color-adjust: none;
    flex: 0 1 0;
    min-inline-size: 2px;
  }
  .times .s1,
  .cost .s1 {
    background: var(--ob-series-1);
  }
  .times .s2,
  .cost .s2 {
    background: var(--ob-series-2);
  }
  .times .s3,
  .cost .s3 {
    background: var(--ob-series-3);
  }
  .times .s4,
  .cost .s4 {
    background: var(--ob-series-4);
  }
  .times .s5,
  .cost .s5 {
    background: var(--ob-series-5);
  }
  .times .s6,
  .cost .s6 {
    background: var(--ob-series-6);
  }
  .times .s7,
  .cost .s7 {
    background: var(--ob-series-7);
  }
  .times .s8,
  .cost .s8 {
    background: var(--ob-series-8);
  }
  .cost .legend {
    display: flex;
    flex-wrap: wrap;
    gap: var(--ob-space-1) var(--ob-space-4);
    color: var(--ob-ink-soft);
    font-size: var(--ob-text-xs);
  }
  .cost .swatch {
    display: inline-block;
    inline-size: 0.55rem;
    block-size: 0.55rem;
    margin-inline-end: 0.35em;
    border-radius: 2px;
  }
  .cost dl {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 12rem), 1fr));
    gap: var(--ob-space-3) var(--ob-space-5);
    margin-block-start: var(--ob-space-4);
  }
  .cost dt {
    color: var(--ob-ink-soft);
    font-size: var(--ob-text-xs);
  }
  .cost .quiet {
    max-inline-size: var(--ob-measure);
  }
`;
