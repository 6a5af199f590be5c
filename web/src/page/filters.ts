/** The filters, folded away until they are wanted or in use. Tells `ob-filter` with the new filter, null for the whole course. */

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { effective, type Filter, NO_FILTER } from "../retrieval/filter";
import type { Kind } from "../retrieval/trace";
import { facetsOf } from "./facets";
import { chevron } from "./icons";
import type { OpenIndex } from "./state";
import { S } from "./strings";
import { base } from "./styles";

/** So many tags are chips; more are in a list, and only the chosen ones are chips. */
const CHIPS = 8;

@customElement("ob-filters")
export class Filters extends LitElement {
  static override styles = [
    base,
    css`
      /* The button stands in the line of the page that this is put into, the row below that line. */
      :host {
        display: contents;
      }
      .fold {
        display: inline-flex;
        align-items: center;
        gap: var(--ob-space-1);
        color: var(--ob-ink-soft);
        text-align: start;
        text-decoration: none;
      }
      .fold:hover {
        color: var(--ob-accent);
      }
      .fold svg {
        inline-size: 0.8rem;
        block-size: 0.8rem;
        transition: rotate var(--ob-fast) var(--ob-ease);
      }
      .fold[aria-expanded="true"] svg {
        rotate: 90deg;
      }
      .row {
        display: flex;
        flex-basis: 100%;
        flex-wrap: wrap;
        align-items: center;
        order: 1;
        gap: var(--ob-space-2);
      }
      select,
      .chip,
      .kinds {
        min-block-size: 2rem;
        border: 1px solid var(--ob-rule-strong);
        border-radius: var(--ob-radius);
        background: var(--ob-raised);
        color: var(--ob-ink);
        font-family: var(--ob-sans);
        font-size: var(--ob-text-s);
      }
      select {
        max-inline-size: 13rem;
        padding-inline: var(--ob-space-2);
        text-overflow: ellipsis;
      }
      .chosen,
      .chip[aria-pressed="true"],
      .kinds button[aria-pressed="true"] {
        border-color: var(--ob-accent);
        background: var(--ob-accent-wash);
        color: var(--ob-accent-strong);
        font-weight: 600;
      }
      .chip {
        padding-inline: var(--ob-space-3);
        border-radius: 1rem;
      }
      .kinds {
        display: inline-flex;
        overflow: hidden;
      }
      .kinds button {
        padding-inline: var(--ob-space-3);
        border: 0;
        background: none;
        font-size: inherit;
      }
      .kinds button + button {
        border-inline-start: 1px solid var(--ob-rule-strong);
      }
      .kinds button:focus-visible,
      .chip:focus-visible {
        outline-offset: -2px;
      }
      .clear {
        padding-inline: var(--ob-space-2);
      }
      @media (pointer: coarse) {
        .fold,
        select,
        .chip,
        .kinds button {
          min-block-size: var(--ob-control);
        }
      }
    `,
  ];

  @property({ attribute: false }) index!: OpenIndex;
  @property({ attribute: false }) filter: Filter | null = null;
  @state() private unfolded = false;
  #dropped = false;

  /** What was in use stays in sight, for the next choice. */
  override willUpdate(): void {
    if (this.filter) this.unfolded = true;
  }

  /** The button that was pressed has gone; the one that folds the row stands there now. */
  override updated(): void {
    if (!this.#dropped || this.filter) return;
    this.#dropped = false;
    this.renderRoot.querySelector<HTMLElement>(".fold")?.focus();
  }

  override render() {
    const { lectures, weeks, kinds, tags } = facetsOf(this.index.catalogue.file);
    const filter = this.filter ?? NO_FILTER;
    if (lectures.length + weeks.length + kinds.length + tags.length === 0 && !this.filter) return nothing;
    return html`${this.filter ? nothing : this.#fold()}${this.unfolded ? this.#row(filter, { lectures, weeks, kinds, tags }) : nothing}`;
  }

  #fold(): TemplateResult {
    return html`<button
      class="plain fold"
      type="button"
      aria-expanded=${this.unfolded}
      @click=${() => {
        this.unfolded = !this.unfolded;
      }}
    >
      ${chevron}${S.filter.label}
    </button>`;
  }

  #row(filter: Filter, { lectures, weeks, kinds, tags }: ReturnType<typeof facetsOf>): TemplateResult {
    return html`<div class="row" role="group" aria-label=${S.filter.label}>
      ${this.#choice(
        S.filter.lectures,
        S.filter.allLectures,
        lectures.map(({ id, name }) => [id, name]),
        filter.lecture,
        (lecture) => this.#change({ lecture }),
      )}
      ${this.#choice(
        S.filter.weeks,
        S.filter.allWeeks,
        weeks.map((week) => [String(week), S.filter.week(week)]),
        filter.week === null ? null : String(filter.week),
        (week) => this.#change({ week: week === null ? null : Number(week) }),
      )}
      ${kinds.length > 0 ? this.#kinds(filter.kind) : nothing}
      ${this.#tags(tags, filter.tags)}
      ${this.filter ? html`<button class="plain clear" @click=${this.#drop}>${S.filter.clear}</button>` : nothing}
    </div>`;
  }

  #choice(
    label: string,
    all: string,
    options: readonly (readonly [value: string, name: string])[],
    chosen: string | null,
    change: (value: string | null) => void,
  ): TemplateResult | typeof nothing {
    const known = options.some(([value]) => value === chosen);
    if (options.length === 0 && chosen === null) return nothing;
    return html`<select
      aria-label=${label}
      class=${chosen === null ? "" : "chosen"}
      @change=${(event: Event) => change((event.target as HTMLSelectElement).value || null)}
    >
      <option value="" ?selected=${chosen === null}>${all}</option>
      ${chosen !== null && !known ? html`<option value=${chosen} selected>${chosen}</option>` : nothing}
      ${options.map(([value, name]) => html`<option value=${value} ?selected=${value === chosen}>${name}</option>`)}
    </select>`;
  }

  #kinds(chosen: Kind | null): TemplateResult {
    const option = (kind: Kind | null, name: string): TemplateResult =>
      html`<button type="button" aria-pressed=${chosen === kind} @click=${() => this.#change({ kind })}>${name}</button>`;
    return html`<div class="kinds" role="group" aria-label=${S.filter.kind}>
      ${option(null, S.filter.allKinds)}${option("notes", S.filter.kinds.notes)}${option("slides", S.filter.kinds.slides)}
    </div>`;
  }

  #tags(tags: readonly string[], chosen: readonly string[]): TemplateResult {
    const few = tags.length <= CHIPS;
    const shown = few ? [...tags, ...chosen.filter((tag) => !tags.includes(tag))] : chosen;
    const toggled = (tag: string): string[] =>
      chosen.includes(tag) ? chosen.filter((one) => one !== tag) : [...chosen, tag];
    return html`${shown.map(
      (tag) =>
        html`<button class="chip" type="button" aria-pressed=${chosen.includes(tag)} @click=${() => this.#change({ tags: toggled(tag) })}>${tag}</button>`,
    )}
    ${
      few
        ? nothing
        : html`<select
            aria-label=${S.filter.tags}
            @change=${(event: Event) => {
              const select = event.target as HTMLSelectElement;
              if (select.value !== "") this.#change({ tags: toggled(select.value) });
              select.value = "";
            }}
          >
            <option value="">${S.filter.addTag}</option>
            ${tags.filter((tag) => !chosen.includes(tag)).map((tag) => html`<option value=${tag}>${tag}</option>`)}
          </select>`
    }`;
  }

  #change(part: Partial<Filter>): void {
    this.#tell(effective({ ...NO_FILTER, ...this.filter, ...part }));
  }

  #drop(): void {
    this.#dropped = true;
    this.#tell(null);
  }

  #tell(filter: Filter | null): void {
    this.dispatchEvent(new CustomEvent<Filter | null>("ob-filter", { detail: filter }));
  }
}
