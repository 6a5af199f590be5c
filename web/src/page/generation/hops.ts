/** `<ob-hops>`: the searches of a model that digs deeper, each a row of small blocks. */

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Hop } from "../../retrieval/trace";
import { count, duration } from "../format";
import { S } from "../strings";
import { P } from "../strings/panels";
import { base } from "../styles";

@customElement("ob-hops")
export class Hops extends LitElement {
  static override styles = [
    base,
    css`
      ol {
        display: grid;
        gap: var(--ob-space-3);
        margin-block: var(--ob-space-2) var(--ob-space-4);
      }
      .query {
        font-family: var(--ob-serif);
      }
      .blocks {
        display: flex;
        flex-wrap: wrap;
        gap: var(--ob-space-1);
        margin-block: var(--ob-space-1);
      }
      .blocks li {
        padding: 0 var(--ob-space-2);
        border: 1px solid var(--ob-rule);
        border-radius: var(--ob-radius-s);
        background: var(--ob-raised);
        font-size: var(--ob-text-xs);
        font-variant-numeric: tabular-nums;
      }
    `,
  ];

  @property({ attribute: false }) hops: readonly Hop[] = [];

  override render() {
    if (this.hops.length === 0) return nothing;
    return html`<h3 class="label">${P.hops.heading}</h3>
      <ol>
        ${this.hops.map((hop) => this.#hop(hop))}
      </ol>`;
  }

  #hop({ query, ms, stages, added }: Hop): TemplateResult {
    const done = stages.filter(({ state, name }) => state === "done" && name !== "prompt" && name !== "answer");
    return html`<li class="hop">
      <p class="query">${query}</p>
      <ul class="blocks">
        ${done.map((stage) => html`<li>${S.stages[stage.name]} ${count(stage.output)} · ${duration(stage.ms)}</li>`)}
      </ul>
      <p class="quiet number">${P.hops.found(added, duration(ms))}</p>
    </li>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "ob-hops": Hops;
  }
}
