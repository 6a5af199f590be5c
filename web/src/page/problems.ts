/** Files that could not be used, each with what to do; the page goes on without them. */

import { css, html, LitElement, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { ErrorRecord } from "../errors";
import { explain, S } from "./strings";
import { base } from "./styles";

@customElement("ob-problems")
export class Problems extends LitElement {
  static override styles = [
    base,
    css`
      section {
        padding: var(--ob-space-4);
        border: 1px solid var(--ob-bad);
        border-inline-start-width: 4px;
        border-radius: var(--ob-radius);
        background: var(--ob-bad-wash);
      }
      h2 {
        color: var(--ob-bad);
        font-size: var(--ob-text-m);
      }
      li {
        margin-block-start: var(--ob-space-2);
        font-size: var(--ob-text-s);
      }
      strong {
        display: block;
      }
      .button {
        margin-block-start: var(--ob-space-3);
      }
    `,
  ];

  @property({ attribute: false }) errors: readonly ErrorRecord[] = [];

  override render() {
    if (this.errors.length === 0) return nothing;
    return html`
      <section role="alert" aria-labelledby="heading">
        <h2 id="heading">${S.problems.heading}</h2>
        <ul>
          ${this.errors.map((error) => {
            const { title, next } = explain(error);
            return html`<li><strong>${title}</strong>${next}</li>`;
          })}
        </ul>
        <button class="button" @click=${() => location.reload()}>${S.problems.reload}</button>
      </section>
    `;
  }
}
