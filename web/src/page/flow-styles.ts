/** Styles of the flow of blocks: a list from top to bottom; `diagram-styles.ts` has what it is where there is room. */

import { css } from "lit";

export const flowStyles = css`
  :host {
    container-type: inline-size;
  }
  header {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--ob-space-2) var(--ob-space-4);
  }
  h2 {
    font-family: var(--ob-serif);
    font-size: var(--ob-text-2xl);
  }
  .total {
    color: var(--ob-ink-soft);
  }
  header .actions {
    display: flex;
    flex-wrap: wrap;
    gap: var(--ob-space-2);
    margin-inline-start: auto;
  }

  /* Closed: one line */
  .depth {
    display: grid;
    grid-template-columns: 1rem minmax(0, 1fr);
    align-items: center;
    gap: var(--ob-space-1) var(--ob-space-3);
    inline-size: 100%;
    min-block-size: 3.5rem;
    padding: var(--ob-space-2) 0;
    border: 0;
    border-radius: var(--ob-radius);
    background: none;
    text-align: start;
  }
  .depth:hover .show {
    text-decoration: underline;
    text-underline-offset: 0.2em;
  }
  .depth .chevron {
    color: var(--ob-accent);
  }
  .depth .show {
    color: var(--ob-accent);
    font-weight: 600;
    white-space: nowrap;
  }
  .depth .teaser {
    color: var(--ob-ink-soft);
    font-size: var(--ob-text-s);
  }
  .depth .teaser,
  .depth .times {
    grid-column: 2 / -1;
  }
  .depth .times {
    block-size: 0.375rem;
  }
  @container (min-width: 40em) {
    .depth {
      grid-template-columns: 1rem auto auto minmax(0, 1fr);
    }
    .depth .teaser {
      grid-column: 3;
    }
    .depth .times {
      grid-column: 4;
    }
  }
  .intro {
    max-inline-size: var(--ob-measure);
    margin-block-start: var(--ob-space-2);
    color: var(--ob-ink-soft);
  }
  h3.label {
    margin-block: var(--ob-space-5) var(--ob-space-3);
  }
  h4 {
    font-size: inherit;
    font-weight: inherit;
  }

  /* Narrow: a line from top to bottom, with a branch for the search by meaning. */
  .flow {
    --line: 2px solid var(--ob-rule-strong);
    --first: 0.6875rem;
    --second: 1.5625rem;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
  }
  .source {
    display: none;
  }
  .block {
    position: relative;
    padding-inline-start: 2.625rem;
  }
  .block::before {
    position: absolute;
    inset-block: 0;
    inset-inline-start: var(--first);
    border-inline-start: var(--line);
    content: "";
  }
  .flow > .keyword::before,
  .build > .lectures::before {
    inset-block-start: 50%;
  }
  .block:last-of-type::before,
  .flow > .check::before,
  .build > .pages::before {
    inset-block-end: 50%;
  }
  .embed::after,
  .dense::after,
  .fuse::after {
    position: absolute;
    inset-inline-start: var(--first);
    inline-size: calc(var(--second) - var(--first) + 2px);
    content: "";
  }
  .embed::after {
    inset-block: -0.375rem 0;
    border-block-start: var(--line);
    border-inline-end: var(--line);
    border-start-end-radius: 0.75rem;
  }
  .dense::after {
    inset-block: 0;
    border-inline-end: var(--line);
  }
  .fuse::after {
    inset-block-start: 0;
    block-size: 0.75rem;
    border-block-end: var(--line);
    border-inline-end: var(--line);
    border-end-end-radius: 0.75rem;
  }
  .sign {
    position: absolute;
    z-index: 1;
    inset-inline-start: calc(var(--first) + 1px - 0.75rem);
    inset-block-start: 50%;
    translate: 0 -50%;
    display: grid;
    place-items: center;
    inline-size: 1.5rem;
    block-size: 1.5rem;
    border: 2px solid var(--ob-rule-strong);
    border-radius: 50%;
    background: var(--ob-paper);
    color: var(--ob-ink-soft);
  }
  .embed .sign,
  .dense .sign {
    inset-inline-start: calc(var(--second) + 1px - 0.75rem);
  }
  .block button {
    display: grid;
    grid-template-columns: minmax(5.25rem, auto) minmax(0, 1fr) auto 1rem;
    align-items: center;
    gap: 0 var(--ob-space-3);
    inline-size: 100%;
    min-block-size: var(--ob-control);
    padding: var(--ob-space-1) var(--ob-space-3);
    border: 1px solid transparent;
    border-radius: var(--ob-radius);
    background: none;
    font-size: var(--ob-text-s);
    text-align: start;
  }
  .block button:hover {
    background: var(--ob-sunk);
  }
  .block button[aria-expanded="true"] {
    border-color: var(--ob-rule);
    background: var(--ob-raised);
  }
  .name {
    font-weight: 600;
  }
  @container (min-width: 34em) and (max-width: 59.99em) {
    .block button {
      grid-template-columns: 6rem minmax(0, 1fr) 6.5rem 4.5rem 1rem;
    }
    .build .block button {
      grid-template-columns: 6rem minmax(0, 1fr) 4.5rem 1rem;
    }
  }
  .counts {
    color: var(--ob-ink-soft);
    font-size: var(--ob-text-xs);
  }
  /* What a build did is told in words: on a phone they have a line of their own. */
  @container (max-width: 24em) {
    .build .block button {
      grid-template-columns: minmax(0, 1fr) auto 1rem;
    }
    .build .counts {
      grid-area: 2 / 1 / 3 / -1;
    }
  }
  .time {
    font-family: var(--ob-mono);
    font-size: var(--ob-text-xs);
    text-align: end;
    white-space: nowrap;
  }
  .word {
    color: var(--ob-ink-soft);
    font-family: var(--ob-sans);
  }
  .block > h4 .chevron {
    inline-size: 0.8rem;
    block-size: 0.8rem;
    color: var(--ob-ink-faint);
    transition: rotate var(--ob-fast) var(--ob-ease);
  }
  [aria-expanded="true"] .chevron {
    rotate: 90deg;
  }
  .flow > .panel {
    margin-block: var(--ob-space-2) var(--ob-space-4);
  }

  /* What each state looks like, besides its sign and word */
  .waiting .name,
  .off .name,
  .skipped .name {
    font-weight: 400;
    color: var(--ob-ink-soft);
  }
  .waiting .sign {
    border-style: dashed;
  }
  .waiting .sign svg {
    visibility: hidden;
  }
  .done .sign {
    border-color: var(--ob-accent);
    background: var(--ob-accent);
    color: var(--ob-on-accent);
  }
  .running .sign {
    border-color: var(--ob-accent);
    color: var(--ob-accent);
  }
  .failed .sign,
  .closed .sign {
    border-color: var(--ob-bad);
    background: var(--ob-bad);
    color: var(--ob-paper);
  }
  .failed .word {
    color: var(--ob-bad);
  }
  .closed .counts {
    color: var(--ob-bad);
    font-weight: 600;
  }
  @media (prefers-reduced-motion: no-preference) {
    .running svg.running {
      animation: turn 0.9s linear infinite;
    }
  }
  @keyframes turn {
    to {
      rotate: 360deg;
    }
  }

  @media print {
    header .actions,
    .depth {
      display: none;
    }
  }
`;
