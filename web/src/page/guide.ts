/** What an empty page offers: the guided first visit, or, in a course without a gold set, headings of its contents. */

import { css, html, nothing, type TemplateResult } from "lit";
import type { Example } from "../index/schema";
import { chevron } from "./icons";
import { ofCourse } from "./language";
import type { OpenIndex } from "./state";
import { S } from "./strings";

/** How many headings stand in for a guide. */
const HEADINGS = 6;

export function opening(
  index: OpenIndex,
  ask: (step: number) => void,
  suggest: (text: string) => void,
): TemplateResult | typeof nothing {
  const { examples } = index.manifest;
  if (examples.length > 0) return tour(examples, ask);
  const headings = headingsOf(index);
  if (headings.length === 0) return nothing;
  const { lang, dir } = ofCourse();
  return html`<section class="contents" aria-labelledby="contents">
    <h2 class="label" id="contents">${S.ask.contents}</h2>
    <ul>
      ${headings.map((text) => html`<li><button class="button" lang=${lang} dir=${dir} @click=${() => suggest(text)}>${text}</button></li>`)}
    </ul>
  </section>`;
}

function tour(examples: readonly Example[], ask: (step: number) => void): TemplateResult {
  const { lang, dir } = ofCourse();
  return html`<section class="tour" aria-labelledby="tour">
    <h2 class="label" id="tour">${examples.length === 5 ? S.guide.heading : S.guide.some}</h2>
    <p class="quiet">${S.guide.lead}</p>
    <ol>
      ${examples.map(
        ({ question, kind, stage, follow_up }, step) => html`<li>
          <button @click=${() => ask(step)}>
            <span class="question" lang=${lang} dir=${dir}>${question}</span>
            <span class="shows"><span class="kind">${S.guide.kinds[kind]}</span> ${follow_up ? S.guide.followUp.shows : S.guide.shows[stage]}</span>
            ${chevron}
          </button>
        </li>`,
      )}
    </ol>
  </section>`;
}

/**
 * What a question of the guide shows, above its answer.
 *
 * @param asked the question on the page, of a conversation the first or the second
 */
export function guideBanner(
  examples: readonly Example[],
  step: number,
  asked: string,
  on: { readonly next: () => void; readonly look: () => void; readonly followUp: () => void },
): TemplateResult | typeof nothing {
  const example = examples[step];
  if (!example) return nothing;
  const second = example.follow_up;
  const begins = second !== "" && asked !== second;
  const alone = S.guide.why[example.stage];
  const { lang, dir } = ofCourse();
  return html`<aside class="guide" tabindex="-1" aria-labelledby="guide">
    <p class="label" id="guide">
      <span class="number">${S.guide.step(step + 1, examples.length)}</span> ${S.guide.kinds[example.kind]}
    </p>
    <p class="why">${begins ? S.guide.followUp.first : second ? S.guide.followUp.second : alone}</p>
    <p class="steps">
      ${
        begins
          ? html`<button class="button" lang=${lang} dir=${dir} @click=${on.followUp}>${S.guide.followUp.ask(second)}</button>`
          : html`<button class="button" @click=${on.look}>${S.guide.look(S.stages[example.stage])}</button>`
      }
      ${
        step + 1 < examples.length
          ? html`<button class="button" @click=${on.next}>${S.guide.next}${chevron}</button>`
          : html`<span class="quiet">${S.guide.end}</span>`
      }
    </p>
  </aside>`;
}

/** One heading of each lecture, of lectures spread over the course: short enough to be read as a suggestion. */
export function headingsOf({ catalogue }: OpenIndex): string[] {
  const first = new Map<string, string>();
  for (let ordinal = 0; ordinal < catalogue.size; ordinal++) {
    const chunk = catalogue.chunk(ordinal);
    const heading = chunk.path.at(-1) ?? "";
    const fits = chunk.kind === "notes" && chunk.path.length === 2 && heading.length >= 8 && heading.length <= 60;
    if (fits && !first.has(chunk.lecture)) first.set(chunk.lecture, heading);
  }
  const all = [...new Set(first.values())];
  const step = Math.max(1, all.length / HEADINGS);
  return Array.from({ length: Math.min(HEADINGS, all.length) }, (_, place) => all[Math.floor(place * step)] ?? "");
}

export const guideStyles = css`
  .contents ul {
    display: flex;
    flex-wrap: wrap;
    gap: var(--ob-space-2);
    margin-block-start: var(--ob-space-2);
  }
  .contents .button {
    font-family: var(--ob-serif);
    font-size: var(--ob-text-m);
    text-align: start;
  }
  .tour ol {
    margin-block-start: var(--ob-space-3);
    border-block-start: 1px solid var(--ob-rule);
  }
  .tour li {
    border-block-end: 1px solid var(--ob-rule);
  }
  .tour button {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 1rem;
    gap: 0.125rem var(--ob-space-4);
    align-items: baseline;
    inline-size: 100%;
    min-block-size: var(--ob-control);
    padding: var(--ob-space-3) var(--ob-space-2);
    border: 0;
    background: none;
    text-align: start;
  }
  .tour button:hover {
    background: var(--ob-accent-wash);
  }
  .tour .kind {
    margin-inline-end: var(--ob-space-2);
    color: var(--ob-accent);
    font-weight: 600;
  }
  .tour .question {
    grid-column: 1;
    font-family: var(--ob-serif);
    font-size: var(--ob-text-read);
    line-height: 1.35;
  }
  .tour .shows {
    grid-column: 1;
    color: var(--ob-ink-soft);
    font-size: var(--ob-text-s);
  }
  .tour .chevron {
    grid-area: 1 / 2 / span 2;
    align-self: center;
    color: var(--ob-ink-faint);
  }
  [dir="rtl"] .chevron,
  :host(:dir(rtl)) .chevron {
    scale: -1 1;
  }
  .guide {
    display: grid;
    gap: var(--ob-space-2) var(--ob-space-5);
    align-items: center;
    padding: var(--ob-space-3) var(--ob-space-4);
    border-inline-start: 3px solid var(--ob-mark-edge);
    border-radius: var(--ob-radius-s);
    background: var(--ob-mark);
  }
  .guide .label {
    color: var(--ob-ink);
  }
  .guide .label .number {
    margin-inline-end: var(--ob-space-2);
    font-weight: 400;
  }
  .guide .why {
    font-family: var(--ob-serif);
    line-height: 1.45;
  }
  .guide .steps {
    display: flex;
    flex-wrap: wrap;
    gap: var(--ob-space-2) var(--ob-space-3);
    align-items: center;
  }
  .guide .quiet {
    color: var(--ob-ink);
  }
  .guide .button .chevron {
    inline-size: 0.8rem;
    block-size: 0.8rem;
  }
  @media (min-width: 62rem) {
    .guide {
      grid-template-columns: minmax(0, 1fr) auto;
    }
    .guide .label {
      grid-column: 1 / -1;
    }
  }
`;
