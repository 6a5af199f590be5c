/** The few signs of the page. Each stands beside words; none says something alone. */

import { html, svg, type TemplateResult } from "lit";
import type { BlockState } from "./state";

function icon(size: number, paths: TemplateResult, className = "icon"): TemplateResult {
  return html`<svg class=${className} width=${size} height=${size} viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`;
}

export const tick = icon(16, svg`<path d="M3 8.5l3.5 3.5L13 4.5"></path>`);
export const cross = icon(16, svg`<path d="M4 4l8 8M12 4l-8 8"></path>`);
export const notice = icon(16, svg`<circle cx="8" cy="8" r="6"></circle><path d="M8 4.8v3.7M8 11.2v0.1"></path>`);
export const chevron = icon(16, svg`<path d="M6 3.5L10.5 8 6 12.5"></path>`, "icon chevron");
export const download = icon(16, svg`<path d="M8 2.5v7.5M4.5 7L8 10.5 11.5 7M3 13.5h10"></path>`);
export const link = icon(
  16,
  svg`<path d="M6.5 9.5l3-3M7 4.5l1.5-1.500a2.800 2.800 0 0 1 4 4L11 8.500M9 11.500L7.500 13a2.800 2.800 0 0 1-4-4L5 7.500"></path>`,
);
export const copy = icon(16, svg`<path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3"></path>`);
export const notes = icon(16, svg`<path d="M3.5 2h6l3 3v9h-9zM6 7.5h4M6 10.5h4"></path>`);
export const slides = icon(16, svg`<path d="M2 3h12v8H2zM8 11v3M5.5 14h5"></path>`);

/** For a gate that has closed. */
export const shut = icon(14, svg`<path d="M3.5 8h9"></path>`, "icon shut");

/** A shape for each state, so that it can be told without colour. */
export function stateIcon(state: BlockState): TemplateResult {
  switch (state) {
    case "waiting":
      return icon(14, svg`<circle cx="8" cy="8" r="5.5" stroke-dasharray="1.5 3"></circle>`, "icon waiting");
    case "running":
      return icon(
        14,
        svg`<circle cx="8" cy="8" r="5.5" opacity="0.3"></circle><path d="M8 2.5A5.5 5.5 0 0 1 13.5 8"></path>`,
        "icon running",
      );
    case "done":
      return icon(14, svg`<path d="M3 8.5l3.5 3.5L13 4.5"></path>`, "icon done");
    case "off":
      return icon(14, svg`<circle cx="8" cy="8" r="5.5"></circle><path d="M4.2 11.8l7.6-7.6"></path>`, "icon off");
    case "skipped":
      return icon(14, svg`<path d="M2 10c1-5 8-6 11-1M13.5 4.5v4.5H9"></path>`, "icon skipped");
    case "failed":
      return icon(14, svg`<path d="M4 4l8 8M12 4l-8 8"></path>`, "icon failed");
  }
}
