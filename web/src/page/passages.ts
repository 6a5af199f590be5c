/** The list of passages. */

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { dropFilter } from "./events";
import type { Formulas } from "./formulas";
import type { List } from "./items";
import { ofCourse } from "./language";
import "./passage";
import { S } from "./strings";
import { base } from "./styles";

@customElement("ob-passages")
export class Passages extends LitElement {
  static override styles = [
    base,
    css`
      header {
        display: flex;
        align-items: center;
        min-block-size: 1.75rem;
        justify-content: space-between;
        gap: var(--ob-space-3);
      }
      ol {
        margin-block-start: var(--ob-space-2);
        border-block-start: 1px solid var(--ob-rule);
      }
      li + li {
        border-block-start: 1px solid var(--ob-rule);
      }
      .group {
        margin-block-start: var(--ob-space-4);
        color: var(--ob-accent);
        font-size: var(--ob-text-s);
        font-weight: 600;
      }
      .grouped li + li:not(:has(.group)) {
        border-block-start-style: dashed;
      }
      .none {
        padding-block: var(--ob-space-4);
        font-family: var(--ob-serif);
        font-size: var(--ob-text-read);
      }
    `,
  ];

  @property({ attribute: false }) list!: List;
  @property({ attribute: false }) formulas: Formulas | null = null;

  override render() {
    const { heading, items, count } = this.list;
    const { lang, dir } = ofCourse();
    return html`
      <section aria-labelledby="heading">
        <header>
          <h2 class="label" id="heading">${heading}</h2>
          ${count ? html`<p class="quiet number">${count}</p>` : nothing}
        </header>
        ${
          items.length === 0
            ? this.#none()
            : html`<ol class=${items.some(({ group }) => group) ? "grouped" : ""}>
                ${repeat(
                  items,
                  (item) => item.key,
                  (item) => html`<li>
                    ${item.group ? html`<p class="group" lang=${lang} dir=${dir}>${item.group}</p>` : nothing}
                    <ob-passage
                      .place=${item.place}
                      .text=${item.text}
                      .marks=${item.marks}
                      .verbatim=${item.verbatim}
                      .formulas=${this.formulas}
                      .number=${item.number}
                      .cited=${item.cited}
                      .quoted=${item.quoted}
                      .found=${item.found}
                      .awaited=${item.awaited}
                    ></ob-passage>
                  </li>`,
                )}
              </ol>`
        }
      </section>
    `;
  }

  #none(): TemplateResult {
    const { part } = this.list;
    if (part === null)
      return html`<p class="none">${S.results.none}<br /><span class="quiet">${S.results.noneHint}</span></p>`;
    return html`<p class="none">${S.filter.none}<br /><span class="quiet">${S.filter.only(part)}</span></p>
      <p><button class="button" @click=${() => dropFilter(this)}>${S.filter.drop}</button></p>`;
  }
}
