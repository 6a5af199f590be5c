/** All chunks on the plane of greatest variance, the question among them, and lines to its nearest. */

import { css, html, LitElement, nothing, type SVGTemplateResult, svg, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { guard } from "lit/directives/guard.js";
import type { Survey } from "../../protocol";
import { count, decimal } from "../format";
import { placeOf, shortPlace } from "../place";
import { stageIn } from "../state";
import { S } from "../strings";
import { P } from "../strings/panels";
import { base } from "../styles";
import type { PanelContext } from "./parts";
import { panelStyles } from "./styles";

/** To how many chunks a line leads, and how many the list holds. */
const NEAREST = 5;
const LISTED = 20;
/** Colours, and shapes beside them, so that lectures are told apart without hue. */
const COLOURS = 8;

/** Size of the drawing on a wide and on a narrow panel; signs keep their size, so a narrow one is drawn anew. */
const WIDE = { width: 680, height: 500 };
const NARROW = { width: 340, height: 340 };
const MARGIN = 16;

type Shape = (x: number, y: number, r: number) => string;

const SHAPES: readonly Shape[] = [
  (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
  (x, y, r) => `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
  (x, y, r) => `M${x} ${y - 1.35 * r}L${x + 1.35 * r} ${y}L${x} ${y + 1.35 * r}L${x - 1.35 * r} ${y}z`,
  (x, y, r) => `M${x} ${y - 1.2 * r}L${x + 1.2 * r} ${y + r}H${x - 1.2 * r}z`,
  (x, y, r) => `M${x} ${y + 1.2 * r}L${x + 1.2 * r} ${y - r}H${x - 1.2 * r}z`,
  (x, y, r) => `M${x - 1.2 * r} ${y - r / 2.5}h${2.4 * r}v${r / 1.25}h${-2.4 * r}z`,
  (x, y, r) => `M${x - r / 2.5} ${y - 1.2 * r}h${r / 1.25}v${2.4 * r}h${-r / 1.25}z`,
];

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

@customElement("ob-map")
export class ChunkMap extends LitElement {
  static override styles = [
    base,
    panelStyles,
    css`
      :host > * + * {
        margin-block-start: var(--ob-space-3);
      }
      .around {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--ob-space-4) var(--ob-space-5);
      }
      @container (min-width: 64em) {
        .around {
          grid-template: "drawing list" auto "lectures list" 1fr / minmax(0, 1fr) 17rem;
        }
        .drawing {
          grid-area: drawing;
        }
        .list {
          grid-area: list;
        }
      }
      figure {
        position: relative;
        border: 1px solid var(--ob-rule);
        border-radius: var(--ob-radius);
        background: var(--ob-paper);
        overflow: hidden;
      }
      figure svg {
        inline-size: 100%;
        block-size: auto;
        touch-action: pan-y;
      }
      .lecture {
        opacity: 0.75;
      }
      .faded .lecture:not(.chosen) {
        opacity: 0.12;
      }
      .join {
        stroke: var(--ob-ink);
        stroke-width: 1;
        stroke-dasharray: 4 3;
      }
      .halo {
        fill: none;
        stroke: var(--ob-ink);
        stroke-width: 1.75;
      }
      .number-disc {
        fill: var(--ob-raised);
        stroke: var(--ob-ink);
        stroke-width: 1;
      }
      text {
        fill: var(--ob-ink);
        font: 600 11px var(--ob-sans);
        text-anchor: middle;
        dominant-baseline: central;
      }
      .question-disc {
        fill: var(--ob-accent);
        stroke: var(--ob-raised);
        stroke-width: 2;
      }
      .question-mark {
        fill: var(--ob-on-accent);
        font-size: 13px;
      }
      .c1 {
        fill: var(--ob-series-1);
      }
      .c2 {
        fill: var(--ob-series-2);
      }
      .c3 {
        fill: var(--ob-series-3);
      }
      .c4 {
        fill: var(--ob-series-4);
      }
      .c5 {
        fill: var(--ob-series-5);
      }
      .c6 {
        fill: var(--ob-series-6);
      }
      .c7 {
        fill: var(--ob-series-7);
      }
      .c8 {
        fill: var(--ob-series-8);
      }
      /* Of a fixed height, so that nothing below moves while one points at this and that. */
      .seen {
        min-block-size: 3.75rem;
        font-family: var(--ob-serif);
      }
      .seen .where,
      .seen .number {
        font-family: var(--ob-sans);
        font-size: var(--ob-text-xs);
      }
      .nearest li {
        display: grid;
        grid-template-columns: 1.5rem minmax(0, 1fr) auto;
        align-items: baseline;
        gap: var(--ob-space-2);
        min-block-size: var(--ob-control);
        padding-block: var(--ob-space-2);
        border-block-end: 1px solid var(--ob-rule);
      }
      .nearest li:hover,
      .nearest li:focus-within {
        background: var(--ob-sunk);
      }
      .nearest a {
        color: var(--ob-ink);
      }
      summary {
        min-block-size: var(--ob-control);
        padding-block: var(--ob-space-3);
        color: var(--ob-accent);
        cursor: pointer;
      }
      .lectures {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 13.5rem), 1fr));
        align-content: start;
      }
      .lectures button {
        display: inline-flex;
        align-items: center;
        gap: 0.35rem;
        min-block-size: 2.25rem;
        padding: 0 var(--ob-space-2);
        border: 1px solid transparent;
        border-radius: var(--ob-radius-s);
        background: none;
        color: var(--ob-ink-soft);
        font-size: var(--ob-text-xs);
        text-align: start;
      }
      @media (pointer: coarse) {
        .lectures button {
          min-block-size: var(--ob-control);
        }
      }
      .lectures button:hover,
      .lectures [aria-pressed="true"] {
        border-color: var(--ob-accent);
        color: var(--ob-ink);
      }
    `,
  ];

  @property({ attribute: false }) context!: PanelContext;
  /** The chunk that is pointed at. */
  @state() private seen: number | null = null;
  /** The lecture that stands out, by position; null for all alike. */
  @state() private chosen: number | null = null;
  @state() private narrow = false;
  readonly #watch = new ResizeObserver(([entry]) => {
    this.narrow = (entry?.contentRect.width ?? WIDE.width) < 560;
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.#watch.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watch.disconnect();
  }

  override updated(): void {
    const { survey, surveying, mode, blocks } = this.context.state;
    // A running question is waited for: drawn twice, the map would jump.
    const waits = mode === "asked" && blocks.embed.state !== "done" && blocks.embed.state !== "skipped";
    if (!survey && surveying === "idle" && !waits) this.context.survey();
  }

  override render(): TemplateResult {
    const { state, index } = this.context;
    const { survey } = state;
    if (index.manifest.plane === null) return html`<p class="quiet">${P.map.none}</p>`;
    if (!survey) return html`<p class="quiet">${state.surveying === "failed" ? P.map.failed : P.map.running}</p>`;
    const nearest = survey.question ? this.#nearest(survey.question.cosines) : [];
    const share = `${decimal(100 * (survey.variance[0] + survey.variance[1]), 0)} %`;
    return html`
      <h4 class="label">${P.map.heading}</h4>
      <p class="lead">${P.map.lead(count(index.catalogue.size), share)}</p>
      <div class="around">
        <div class="drawing">
          <figure>${this.#draw(survey, nearest)}</figure>
          <div class="seen" role="status">${this.#card(survey)}</div>
        </div>
        <div class="list">
          ${
            survey.question
              ? html`<h4 class="label">${P.map.nearest}</h4>
                ${this.#list(survey.question.cosines, nearest.slice(0, NEAREST), 1)}
                <details>
                  <summary>${P.map.all}</summary>
                  ${this.#list(survey.question.cosines, nearest.slice(NEAREST), NEAREST + 1)}
                </details>`
              : html`<p class="quiet">${P.map.idle}</p>`
          }
        </div>
        ${this.#legend()}
      </div>
    `;
  }

  /** Ordinals by cosine, those of the dense stage first, so that the lines lead where the stage says. */
  #nearest(cosines: Float64Array): readonly number[] {
    const hits = stageIn(this.context.state.blocks, "dense")?.hits.slice(0, LISTED) ?? [];
    if (hits.length > 0) return hits.map(({ ordinal }) => ordinal);
    return [...cosines.keys()].sort((a, b) => (cosines[b] ?? 0) - (cosines[a] ?? 0)).slice(0, LISTED);
  }

  #draw(survey: Survey, nearest: readonly number[]): SVGTemplateResult | TemplateResult {
    const frame = frameOf(survey, this.narrow ? NARROW : WIDE);
    const at = (ordinal: number): readonly [number, number] => [
      frame.x(survey.points[2 * ordinal] ?? 0),
      frame.y(survey.points[2 * ordinal + 1] ?? 0),
    ];
    const { question } = survey;
    const [qx, qy] = question ? [frame.x(question.point[0]), frame.y(question.point[1])] : [0, 0];
    const five = nearest.slice(0, NEAREST);
    const label = P.map.label(count(this.context.index.catalogue.size));
    return html`<svg
      class=${this.chosen === null ? "" : "faded"}
      viewBox="0 0 ${frame.width} ${frame.height}"
      role="img"
      aria-label=${label}
      @pointermove=${(event: PointerEvent) => this.#point(event, survey, frame)}
      @pointerdown=${(event: PointerEvent) => this.#point(event, survey, frame)}
      @pointerleave=${() => this.#see(null)}
    >
      ${guard([survey, this.narrow, this.chosen], () => this.#signs(at))}
      ${five.map((ordinal) => {
        const [x, y] = at(ordinal);
        return svg`<line class="join" x1=${qx} y1=${qy} x2=${x} y2=${y}></line>`;
      })}
      ${five.map((ordinal, place) => {
        const [x, y] = at(ordinal);
        return svg`<circle class="number-disc" cx=${x} cy=${y} r="8"></circle><text x=${x} y=${y}>${place + 1}</text>`;
      })}
      ${
        question
          ? svg`<circle class="question-disc" cx=${qx} cy=${qy} r="10"></circle><text class="question-mark" x=${qx} y=${qy}>?</text>`
          : nothing
      }
      ${this.seen === null ? nothing : svg`<circle class="halo" cx=${at(this.seen)[0]} cy=${at(this.seen)[1]} r="11"></circle>`}
    </svg>`;
  }

  /** One path a lecture. */
  #signs(at: (ordinal: number) => readonly [number, number]): SVGTemplateResult[] {
    const { chunks } = this.context.index.catalogue.file;
    const paths = new Map<number, string[]>();
    for (const [ordinal, lecture] of chunks.lecture.entries()) {
      const path = paths.get(lecture) ?? [];
      paths.set(lecture, path);
      const [x, y] = at(ordinal);
      path.push(shapeOf(lecture)(round(x), round(y), 3));
    }
    return [...paths].map(
      ([lecture, path]) =>
        svg`<path class="lecture ${colourOf(lecture)} ${this.chosen === lecture ? "chosen" : ""}" d=${path.join("")}></path>`,
    );
  }

  #card(survey: Survey): TemplateResult {
    if (this.seen === null) return html`<span class="quiet">${P.map.hint}</span>`;
    const place = placeOf(this.context.index.catalogue, [this.seen]);
    const cosine = survey.question?.cosines[this.seen];
    return html`<a href=${place.href}>${place.title}</a><br />
      <span class="where">${[place.lecture, ...place.above.slice(0, 1), S.results[place.kind]].filter(Boolean).join(" · ")}</span>
      ${cosine === undefined ? nothing : html`<span class="number">· ${P.map.cosine(decimal(cosine, 3))}</span>`}`;
  }

  #list(cosines: Float64Array, ordinals: readonly number[], from: number): TemplateResult {
    return html`<ol class="nearest">
      ${ordinals.map(
        (ordinal, place) => html`<li @pointerenter=${() => this.#see(ordinal)} @focusin=${() => this.#see(ordinal)}>
          <span class="number">${from + place}</span>
          <span>${shortPlace(this.context.index.catalogue, ordinal)}</span>
          <span class="number">${decimal(cosines[ordinal] ?? 0, 3)}</span>
        </li>`,
      )}
    </ol>`;
  }

  #legend(): TemplateResult {
    const { lectures } = this.context.index.catalogue.file;
    return html`<div class="lectures" role="group" aria-label=${P.map.legend}>
      ${lectures.map(
        (lecture, place) => html`<button
          aria-pressed=${this.chosen === place}
          title=${P.map.only}
          @click=${() => {
            this.chosen = this.chosen === place ? null : place;
          }}
        >
          <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true"><path class=${colourOf(place)} d=${shapeOf(place)(6, 6, 4)}></path></svg>
          ${lecture.title}
        </button>`,
      )}
    </div>`;
  }

  #point(event: PointerEvent, survey: Survey, frame: Frame): void {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * frame.width;
    const y = ((event.clientY - box.top) / box.height) * frame.height;
    let best: number | null = null;
    let least = 18 ** 2;
    for (let ordinal = 0; ordinal < survey.points.length / 2; ordinal++) {
      const dx = frame.x(survey.points[2 * ordinal] ?? 0) - x;
      const dy = frame.y(survey.points[2 * ordinal + 1] ?? 0) - y;
      const distance = dx * dx + dy * dy;
      if (distance < least) [best, least] = [ordinal, distance];
    }
    this.#see(best);
  }

  /** What was pointed at last stays named, so that its link can be reached. */
  #see(ordinal: number | null): void {
    if (ordinal !== null) this.seen = ordinal;
  }
}

/** Both axes to one scale, so that a distance is one, whatever its direction. */
function frameOf({ points, question }: Survey, { width, height }: typeof WIDE): Frame {
  const xs = points.filter((_, place) => place % 2 === 0);
  const ys = points.filter((_, place) => place % 2 === 1);
  const range = (values: Float32Array, own: number): readonly [number, number] => {
    let [least, most] = [own, own];
    for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
    return [least, most];
  };
  const [x0, x1] = range(xs, question?.point[0] ?? 0);
  const [y0, y1] = range(ys, question?.point[1] ?? 0);
  const scale = Math.min((width - 2 * MARGIN) / (x1 - x0 || 1), (height - 2 * MARGIN) / (y1 - y0 || 1));
  return {
    width,
    height,
    x: (value) => width / 2 + (value - (x0 + x1) / 2) * scale,
    y: (value) => height / 2 - (value - (y0 + y1) / 2) * scale,
  };
}

function colourOf(lecture: number): string {
  return `c${(lecture % COLOURS) + 1}`;
}

/** With seven shapes to eight colours no pair comes twice in the first 56 lectures. */
function shapeOf(lecture: number): Shape {
  return SHAPES[lecture % SHAPES.length] as Shape;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

declare global {
  interface HTMLElementTagNameMap {
    "ob-map": ChunkMap;
  }
}
