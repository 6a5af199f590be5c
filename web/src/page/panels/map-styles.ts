/** Styles of the map of all passages. */

import { css } from "lit";

export const mapStyles = css`
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
    /* A finger scrolls the page, until there is something to move. */
    touch-action: pan-y;
  }
  figure svg.near {
    cursor: grab;
    touch-action: none;
  }
  .view:focus-visible {
    outline-offset: -3px;
  }
  .zoom {
    position: absolute;
    inset-block-start: var(--ob-space-2);
    inset-inline-end: var(--ob-space-2);
    display: flex;
    gap: var(--ob-space-1);
  }
  .zoom button {
    min-inline-size: 2rem;
    min-block-size: 2rem;
    padding: 0 var(--ob-space-2);
    border: 1px solid var(--ob-rule-strong);
    border-radius: var(--ob-radius-s);
    background: var(--ob-raised);
    color: var(--ob-ink);
  }
  .zoom button:hover:enabled {
    border-color: var(--ob-accent);
    color: var(--ob-accent);
  }
  .zoom button:disabled {
    color: var(--ob-ink-faint);
    border-color: var(--ob-rule);
    cursor: default;
  }
  .zoom .whole {
    font-size: var(--ob-text-xs);
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
    .zoom button {
      min-inline-size: var(--ob-control);
      min-block-size: var(--ob-control);
    }
    .lectures button {
      min-block-size: var(--ob-control);
    }
  }
  .lectures button:hover,
  .lectures [aria-pressed="true"] {
    border-color: var(--ob-accent);
    color: var(--ob-ink);
  }
`;
