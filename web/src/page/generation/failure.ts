import { html, type TemplateResult } from "lit";
import type { ErrorRecord } from "../../errors";
import { explain } from "../strings";

/** What went wrong and what to do, with whatever can be pressed about it. */
export function failure(record: ErrorRecord, actions: TemplateResult | null = null): TemplateResult {
  const { title, next } = explain(record);
  return html`<div class="failure" role="alert">
    <p><strong>${title}</strong> ${next}</p>
    ${actions ? html`<p class="row">${actions}</p>` : null}
  </div>`;
}
