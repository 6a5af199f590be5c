/** Styles of the flow of blocks on a wide screen: a diagram, with the lines that join the blocks; and how far the question has come. */

import { css } from "lit";

export const diagramStyles = css`
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
      letter-spacing: -0.02em;
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
`;
