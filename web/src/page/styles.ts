/** What the components share: the reset, focus, links, controls. Values come from the site's tokens (`--ob-*`). */

import { css } from "lit";

export const base = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  :host {
    display: block;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
  [hidden] {
    display: none !important;
  }
  h2,
  h3,
  h4,
  p,
  ol,
  ul,
  dl,
  dd,
  figure,
  pre,
  blockquote {
    margin: 0;
    padding: 0;
  }
  ol,
  ul {
    list-style: none;
  }
  h2,
  h3,
  h4 {
    font-weight: 600;
    line-height: var(--ob-leading-tight);
    text-wrap: balance;
  }
  a {
    color: var(--ob-accent);
    text-decoration-thickness: 1px;
    text-underline-offset: 0.18em;
  }
  a:hover {
    color: var(--ob-accent-strong);
    text-decoration-thickness: 2px;
  }
  :focus-visible {
    outline: var(--ob-focus-ring);
    outline-offset: 2px;
    border-radius: var(--ob-radius-s);
  }
  button {
    color: inherit;
    font: inherit;
    cursor: pointer;
  }
  mark {
    padding-inline: 0.08em;
    margin-inline: -0.08em;
    border-radius: 0.15em;
    background: var(--ob-mark);
    color: inherit;
    box-decoration-break: clone;
    -webkit-box-decoration-break: clone;
  }
  svg {
    display: block;
    flex: none;
  }
  .label {
    color: var(--ob-ink-soft);
    font-family: var(--ob-sans);
    font-size: var(--ob-text-s);
    font-weight: 600;
    line-height: var(--ob-leading);
  }
  .number {
    font-variant-numeric: tabular-nums;
  }
  .quiet {
    color: var(--ob-ink-soft);
    font-size: var(--ob-text-s);
  }
  .button {
    display: inline-flex;
    align-items: center;
    gap: var(--ob-space-2);
    min-block-size: var(--ob-control);
    padding: var(--ob-space-1) var(--ob-space-4);
    border: 1px solid var(--ob-rule-strong);
    border-radius: var(--ob-radius);
    background: var(--ob-raised);
    color: var(--ob-accent);
    font-family: var(--ob-sans);
    font-size: var(--ob-text-s);
    text-decoration: none;
    transition: background var(--ob-fast) var(--ob-ease);
  }
  .button:hover {
    border-color: var(--ob-accent);
    background: var(--ob-accent-wash);
  }
  /* A control that reads as text, with room enough to be pressed. */
  .plain {
    min-block-size: 1.75rem;
    padding: var(--ob-space-1) 0;
    border: 0;
    background: none;
    color: var(--ob-accent);
    font-size: var(--ob-text-s);
    text-decoration: underline;
    text-decoration-thickness: 1px;
    text-underline-offset: 0.18em;
  }
  .plain:hover {
    color: var(--ob-accent-strong);
    text-decoration-thickness: 2px;
  }
  /* Where there are fingers. */
  @media (pointer: coarse) {
    .plain,
    summary {
      min-block-size: var(--ob-control) !important;
    }
  }
  .visually-hidden {
    position: absolute;
    clip-path: inset(50%);
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    white-space: nowrap;
  }
`;

/** A block quoted as it stands: code, a table or a formula. */
export const quotedBlock = css`
  pre {
    padding: var(--ob-space-3);
    border-radius: var(--ob-radius-s);
    background: var(--ob-sunk);
    font-family: var(--ob-mono);
    font-size: var(--ob-text-s);
    line-height: 1.5;
    overflow-x: auto;
  }
  @media print {
    pre {
      white-space: pre-wrap;
    }
    .button,
    .plain {
      display: none !important;
    }
  }
`;

/** The number of a passage behind a sentence that cites it; `.nowhere`, one that was not given. */
export const citationMark = css`
  .cite,
  .nowhere {
    display: inline-grid;
    place-items: center;
    min-inline-size: 1.5rem;
    block-size: 1.5rem;
    padding-inline: 0.35em;
    border: 1px solid var(--ob-accent);
    border-radius: 1rem;
    font-family: var(--ob-sans);
    font-size: var(--ob-text-xs);
    font-variant-numeric: tabular-nums;
    line-height: 1;
    text-decoration: none;
    vertical-align: 0.1em;
  }
  .cite:hover {
    background: var(--ob-accent);
    color: var(--ob-on-accent);
  }
`;

/** A bar that fills; how long and how thick it is says who shows it. */
export const progressBar = css`
  progress {
    appearance: none;
    border: 0;
    border-radius: 1rem;
    overflow: hidden;
    background: var(--ob-rule);
  }
  progress::-webkit-progress-bar {
    background: var(--ob-rule);
  }
  progress::-webkit-progress-value {
    background: var(--ob-accent);
  }
  progress::-moz-progress-bar {
    background: var(--ob-accent);
  }
`;
