/** All chunks on the plane of greatest variance, the question among them, and lines to its nearest. */

import { html, LitElement, nothing, type SVGTemplateResult, svg, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { guard } from "lit/directives/guard.js";
import type { Survey } from "../../protocol";
import { count, decimal } from "../format";
import { placeOf, shortPlace } from "../place";
import { stageIn } from "../state";
import { S } from "../strings";
import { P } from "../strings/panels";
import { base } from "../styles";
import { mapStyles } from "./map-styles";
import {
  colourOf,
  enlarged,
  type Frame,
  frameOf,
  moved,
  NARROW,
  round,
  type Size,
  type Stretch,
  seenThrough,
  shapeOf,
  WIDE,
  whole,
} from "./map-view";
import type { PanelContext } from "./parts";
import { panelStyles } from "./styles";

/** To how many chunks a line leads, and how many the list holds. */
const NEAREST = 5;
const LISTED = 20;
@customElement("ob-map")
export class ChunkMap extends LitElement {
  static override styles = [base, panelStyles, mapStyles];

  @property({ attribute: false }) context!: PanelContext;
  /** The chunk that is pointed at. */
  @state() private seen: number | null = null;
  /** The lecture that stands out, by position; null for all alike. */
  @state() private chosen: number | null = null;
  @state() private narrow = false;
  /** What of the drawing is in sight; null for all of it. */
  @state() private stretch: Stretch | null = null;
  /** Where fingers, or the pressed mouse, are in the drawing. */
  readonly #held = new Map<number, readonly [number, number]>();
  readonly #watch = new ResizeObserver(([entry]) => {
    const narrow = (entry?.contentRect.width ?? WIDE.width) < 560;
    if (narrow !== this.narrow) this.stretch = null;
    this.narrow = narrow;
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
          <figure>
            <div class="view" tabindex="0" role="group" aria-label=${P.map.view} @keydown=${this.#key}>
              ${this.#draw(survey, nearest)}
            </div>
            ${this.#buttons()}
          </figure>
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
    const { size } = this;
    const frame = seenThrough(frameOf(survey, size), this.stretch ?? whole(size));
    const at = (ordinal: number): readonly [number, number] => [
      frame.x(survey.points[2 * ordinal] ?? 0),
      frame.y(survey.points[2 * ordinal + 1] ?? 0),
    ];
    const { question } = survey;
    const [qx, qy] = question ? [frame.x(question.point[0]), frame.y(question.point[1])] : [0, 0];
    const five = nearest.slice(0, NEAREST);
    const label = P.map.label(count(this.context.index.catalogue.size));
    return html`<svg
      class="${this.chosen === null ? "" : "faded"} ${this.stretch ? "near" : ""}"
      viewBox="0 0 ${frame.width} ${frame.height}"
      role="img"
      aria-label=${label}
      @pointermove=${(event: PointerEvent) => this.#move(event, survey, frame)}
      @pointerdown=${(event: PointerEvent) => this.#press(event, survey, frame)}
      @pointerup=${this.#release}
      @pointercancel=${this.#release}
      @dblclick=${(event: MouseEvent) => this.#enlarge(2, this.#at(event))}
      @wheel=${this.#wheel}
    >
      ${guard([survey, this.narrow, this.chosen, this.stretch], () => this.#signs(at))}
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

  #buttons(): TemplateResult {
    const { size, stretch } = this;
    const middle = [size.width / 2, size.height / 2] as const;
    return html`<div class="zoom">
      <button aria-label=${P.map.nearer} title=${P.map.nearer} @click=${() => this.#enlarge(1.6, middle)}>+</button>
      <button aria-label=${P.map.farther} title=${P.map.farther} ?disabled=${!stretch} @click=${() => this.#enlarge(1 / 1.6, middle)}>−</button>
      <button class="whole" ?disabled=${!stretch} @click=${() => this.#show(whole(size))}>${P.map.whole}</button>
    </div>`;
  }

  private get size(): Size {
    return this.narrow ? NARROW : WIDE;
  }

  #show(stretch: Stretch): void {
    this.stretch = stretch.scale === 1 ? null : stretch;
  }

  #enlarge(factor: number, at: readonly [number, number]): void {
    this.#show(enlarged(this.stretch ?? whole(this.size), this.size, factor, at));
  }

  #shift(dx: number, dy: number): void {
    if (this.stretch) this.#show(moved(this.stretch, this.size, dx, dy));
  }

  /** Where an event is, as the drawing is seen. */
  #at(event: MouseEvent): readonly [number, number] {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const { width, height } = this.size;
    return [((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height];
  }

  readonly #key = (event: KeyboardEvent): void => {
    const { width, height } = this.size;
    const steps: Readonly<Record<string, () => void>> = {
      "+": () => this.#enlarge(1.6, [width / 2, height / 2]),
      "=": () => this.#enlarge(1.6, [width / 2, height / 2]),
      "-": () => this.#enlarge(1 / 1.6, [width / 2, height / 2]),
      "0": () => this.#show(whole(this.size)),
      ...(this.stretch && {
        ArrowLeft: () => this.#shift(width / 8, 0),
        ArrowRight: () => this.#shift(-width / 8, 0),
        ArrowUp: () => this.#shift(0, height / 8),
        ArrowDown: () => this.#shift(0, -height / 8),
      }),
    };
    const step = event.ctrlKey || event.metaKey || event.altKey ? undefined : steps[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    step();
  };

  /** The wheel alone scrolls the page; with Ctrl, which a pinch on a touchpad gives too, it enlarges. */
  readonly #wheel = (event: WheelEvent): void => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.#enlarge(Math.exp(-event.deltaY / 200), this.#at(event));
  };

  #press(event: PointerEvent, survey: Survey, frame: Frame): void {
    this.#held.set(event.pointerId, this.#at(event));
    if (this.stretch || this.#held.size > 1) (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.#point(event, survey, frame);
  }

  readonly #release = (event: PointerEvent): void => {
    this.#held.delete(event.pointerId);
  };

  /** One that is held moves what is enlarged, two move and enlarge it; else this points at a passage. */
  #move(event: PointerEvent, survey: Survey, frame: Frame): void {
    const before = this.#held.get(event.pointerId);
    const now = this.#at(event);
    // A release outside is told by the buttons alone.
    if (!before || event.buttons === 0) {
      this.#held.delete(event.pointerId);
      this.#point(event, survey, frame);
      return;
    }
    this.#held.set(event.pointerId, now);
    const [other] = [...this.#held].flatMap(([id, at]) => (id === event.pointerId ? [] : [at]));
    if (other) {
      const apart = (at: readonly [number, number]): number => Math.hypot(at[0] - other[0], at[1] - other[1]) || 1;
      this.#enlarge(apart(now) / apart(before), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
      this.#shift((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
    } else this.#shift(now[0] - before[0], now[1] - before[1]);
  }

  #point(event: PointerEvent, survey: Survey, frame: Frame): void {
    const [x, y] = this.#at(event);
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

declare global {
  interface HTMLElementTagNameMap {
    "ob-map": ChunkMap;
  }
}
