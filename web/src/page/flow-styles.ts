/** Styles of the flow of blocks. */

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

  /* Wide: a diagram from left to right, the two searches above each other. */
  @container (min-width: 60em) {
    .flow {
      --gap: 1.375rem;
      --rows: 0.75rem;
      grid-template-columns: 1.75rem repeat(8, minmax(0, 1fr));
      grid-template-rows: 1fr 1fr auto;
      gap: var(--rows) var(--gap);
    }
    .flow.build {
      grid-template-columns: repeat(5, minmax(0, 1fr));
      grid-template-rows: auto auto;
    }
    .source {
      position: relative;
      display: grid;
      place-items: center;
      grid-area: 1 / 1 / 3;
    }
    .source i {
      display: grid;
      place-items: center;
      inline-size: 1.75rem;
      block-size: 1.75rem;
      border: 2px solid var(--ob-rule-strong);
      border-radius: 50%;
      color: var(--ob-ink-soft);
      font-size: var(--ob-text-s);
      font-style: normal;
      font-weight: 600;
    }
    .block {
      display: grid;
      padding: 0;
    }
    .flow > .keyword {
      grid-area: 1 / 2 / 2 / 4;
    }
    .flow > .embed {
      grid-area: 2 / 2;
    }
    .flow > .dense {
      grid-area: 2 / 3;
    }
    .flow > .fuse {
      grid-area: 1 / 4 / 3;
    }
    .flow > .rerank {
      grid-area: 1 / 5 / 3;
    }
    .flow > .gate {
      grid-area: 1 / 6 / 3;
    }
    .flow > .prompt {
      grid-area: 1 / 7 / 3;
    }
    /* What the prompt leads to: sentences quoted by the page, and, when asked for, a model's. */
    .flow > .answer {
      grid-area: 1 / 8 / 2 / 10;
    }
    .flow > .generate {
      grid-area: 2 / 8;
    }
    .flow > .check {
      grid-area: 2 / 9;
    }
    .flow > .panel {
      grid-area: 3 / 1 / 4 / -1;
      margin-block: var(--ob-space-2) 0;
    }
    .flow.build > .panel {
      grid-row: 2;
    }

    /* The lines: each block draws the one that leads to it. */
    .flow > .block::before,
    .flow > .block:last-of-type::before {
      inset: 50% auto auto calc(-1 * var(--gap));
      inline-size: var(--gap);
      block-size: 0;
      border: 0;
      border-block-start: var(--line);
    }
    .build > .lectures::before {
      display: none;
    }
    .flow > .embed::after,
    .flow > .dense::after {
      display: none;
    }
    /* From the question to both searches, and from both to their fusion: a bracket half a gap wide. */
    .flow > .keyword::before,
    .flow > .embed::before {
      display: none;
    }
    .source::before,
    .source::after,
    .flow > .prompt::after,
    .flow > .fuse::after {
      position: absolute;
      content: "";
    }
    .flow > .prompt::after {
      inset-block-start: 50%;
      inset-inline-start: 100%;
      inline-size: calc(0.5 * var(--gap));
      border-block-start: var(--line);
    }
    .flow > .answer::before,
    .flow > .block.generate::before {
      inset-inline-start: calc(-0.5 * var(--gap));
      inline-size: calc(0.5 * var(--gap));
      border-inline-start: var(--line);
    }
    .flow > .answer::before {
      inset-block: 50% calc(-0.5 * var(--rows));
      block-size: auto;
      border-start-start-radius: 0.5rem;
    }
    .flow > .block.generate::before {
      inset-block: calc(-0.5 * var(--rows)) 50%;
      block-size: auto;
      border-block: 0;
      border-block-end: var(--line);
      border-end-start-radius: 0.5rem;
    }
    .source::before {
      inset-inline-start: 100%;
      inline-size: calc(0.5 * var(--gap));
      border-block-start: var(--line);
    }
    .source::after {
      inset-block: calc((100% - var(--rows)) / 4);
      inset-inline-start: calc(100% + 0.5 * var(--gap));
      inline-size: calc(0.5 * var(--gap));
      border: var(--line);
      border-inline-end: 0;
      border-start-start-radius: 0.5rem;
      border-end-start-radius: 0.5rem;
    }
    .flow > .fuse::after {
      inset-block: calc((100% - var(--rows)) / 4);
      inset-inline-start: calc(-1 * var(--gap));
      inline-size: calc(0.5 * var(--gap));
      block-size: auto;
      border: var(--line);
      border-inline-start: 0;
      border-start-end-radius: 0.5rem;
      border-end-end-radius: 0.5rem;
    }
    .flow > .fuse::before {
      inset-inline-start: calc(-0.5 * var(--gap));
      inline-size: calc(0.5 * var(--gap));
    }

    .block > h4 {
      display: grid;
    }
    .block button {
      grid-template:
        "sign name" auto "counts counts" minmax(1.2em, auto) "glyph glyph" auto "time time" auto / auto
        minmax(0, 1fr);
      align-content: center;
      align-items: center;
      gap: var(--ob-space-1) 0.375rem;
      padding: var(--ob-space-3) 0.625rem;
      border: 1px solid var(--ob-rule-strong);
      background: var(--ob-raised);
    }
    .block button:hover {
      border-color: var(--ob-accent);
      background: var(--ob-accent-wash);
    }
    .block button[aria-expanded="true"] {
      border-color: var(--ob-accent);
      box-shadow: inset 0 -3px var(--ob-accent);
    }
    .block.waiting button,
    .block.off button,
    .block.skipped button {
      border-style: dashed;
      background: none;
    }
    .sign {
      position: static;
      grid-area: sign;
      translate: none;
      inline-size: 1.25rem;
      block-size: 1.25rem;
      border-width: 0;
    }
    .waiting .sign,
    .off .sign,
    .skipped .sign,
    .running .sign {
      background: none;
    }
    .waiting .sign svg {
      visibility: visible;
    }
    .name {
      grid-area: name;
    }
    .counts {
      grid-area: counts;
    }
    .time {
      grid-area: time;
      text-align: start;
    }
    .glyph {
      grid-area: glyph;
    }
    .block .name {
      overflow-wrap: normal;
      white-space: nowrap;
    }
    .block > h4 .chevron {
      display: none;
    }
  }

  /* What has been reached is drawn in colour, so that one can see how far the question has come. */
  .block.done::before,
  .block.done::after,
  .block.running::before {
    border-color: var(--ob-accent);
  }
  @media (prefers-reduced-motion: no-preference) {
    .block::before,
    .block::after,
    .block button,
    .sign {
      transition:
        border-color var(--ob-slow) var(--ob-ease),
        background var(--ob-slow) var(--ob-ease);
    }
    .block.running button {
      animation: glow 1.2s ease-in-out infinite alternate;
    }
    .panel {
      animation: open var(--ob-slow) var(--ob-ease);
    }
  }
  @keyframes glow {
    to {
      background: var(--ob-accent-wash);
    }
  }
  @keyframes open {
    from {
      opacity: 0;
    }
  }

  @media print {
    header .actions,
    .depth {
      display: none;
    }
  }
`;
