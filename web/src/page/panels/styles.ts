/** Styles of the panels; they live in the shadow root of `ob-working`. */

import { css } from "lit";

export const panelStyles = css`
  .panel {
    container-type: inline-size;
    padding: clamp(var(--ob-space-4), 3vi, var(--ob-space-5));
    border: 1px solid var(--ob-rule);
    border-radius: var(--ob-radius);
    background: var(--ob-raised);
    font-size: var(--ob-text-s);
  }
  .panel > * + *,
  .budget > * + *,
  .verbatim > * + * {
    margin-block-start: var(--ob-space-4);
  }
  .lead {
    max-inline-size: var(--ob-measure);
    font-family: var(--ob-serif);
    font-size: var(--ob-text-m);
    line-height: var(--ob-leading);
  }
  .columns {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--ob-space-5);
  }
  /* An em of the panel is 0.875 of the page's. */
  @container (min-width: 55em) {
    .columns {
      grid-template-columns: minmax(14rem, 1fr) minmax(0, 2.2fr);
      gap: var(--ob-space-7);
    }
  }
  .where {
    color: var(--ob-ink-soft);
    font-size: var(--ob-text-xs);
  }
  code,
  pre {
    font-family: var(--ob-mono);
    font-size: 0.92em;
  }
  table {
    inline-size: 100%;
    margin-block-start: var(--ob-space-2);
    border-collapse: collapse;
  }
  th,
  td {
    padding: var(--ob-space-1) var(--ob-space-2) var(--ob-space-1) 0;
    border-block-end: 1px solid var(--ob-rule);
    font-weight: 400;
    text-align: start;
    vertical-align: baseline;
  }
  thead th {
    color: var(--ob-ink-soft);
    font-size: var(--ob-text-xs);
  }
  td.number,
  thead th + th {
    padding-inline-end: 0;
    text-align: end;
  }

  .ranked {
    margin-block-start: var(--ob-space-2);
  }
  .ranked li {
    display: grid;
    grid-template-columns: 1.75rem minmax(0, 1fr) auto;
    gap: 0.125rem var(--ob-space-2);
    align-items: baseline;
    padding-block: var(--ob-space-2);
    border-block-end: 1px solid var(--ob-rule);
  }
  .ranked li:last-child {
    border-block-end: 0;
  }
  .ranked .rank {
    color: var(--ob-ink-soft);
  }
  .ranked .title a {
    margin-inline-end: var(--ob-space-1);
    color: var(--ob-ink);
    text-decoration-color: var(--ob-rule-strong);
  }
  .ranked .title a:hover {
    color: var(--ob-accent);
    text-decoration-color: currentcolor;
  }
  .ranked .sentence {
    font-family: var(--ob-serif);
    white-space: pre-line;
  }
  .ranked .score {
    font-weight: 600;
  }
  .ranked .bar,
  .ranked .detail {
    grid-column: 2 / -1;
  }
  .detail {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--ob-space-3);
    color: var(--ob-ink-soft);
    font-size: var(--ob-text-xs);
  }
  .detail .part {
    display: inline-flex;
    align-items: baseline;
    gap: 0.3em;
  }

  .bar {
    inline-size: 100%;
    block-size: 0.4375rem;
    border-radius: 1rem;
    overflow: hidden;
  }
  .budget .bar {
    block-size: 1rem;
    border-radius: var(--ob-radius-s);
  }
  .bar .ground {
    fill: var(--ob-rule);
  }
  .bar .tick {
    fill: var(--ob-ink);
  }
  .bar .s1 {
    fill: var(--ob-series-1);
  }
  .bar .s2 {
    fill: var(--ob-series-2);
  }
  .bar .s3 {
    fill: var(--ob-series-3);
  }
  .bar .s4 {
    fill: var(--ob-series-4);
  }
  .swatch {
    display: inline-block;
    flex: none;
    inline-size: 0.55rem;
    block-size: 0.55rem;
    margin-inline-end: 0.35em;
    border-radius: 50%;
    background: var(--ob-series-1);
  }
  .swatch.s2 {
    border-radius: 0;
    background: var(--ob-series-2);
  }
  .swatch.s3 {
    border-radius: 0;
    background: var(--ob-series-3);
    rotate: 45deg;
    scale: 0.85;
  }
  .swatch.s4 {
    border: 2px solid var(--ob-series-4);
    background: none;
  }
  .part .swatch {
    margin-inline-end: 0;
  }

  .facts {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr));
    gap: var(--ob-space-3) var(--ob-space-5);
  }
  .facts dt {
    color: var(--ob-ink-soft);
    font-size: var(--ob-text-xs);
  }
  .facts dd {
    font-size: var(--ob-text-m);
  }
  .facts .where {
    display: block;
  }

  .line {
    max-inline-size: 40rem;
    padding: 3.25rem 1rem 0;
    font-variant-numeric: tabular-nums;
  }
  .track {
    position: relative;
    block-size: 0.75rem;
    border: 1px solid var(--ob-rule-strong);
    border-radius: 1rem;
    background: var(--ob-good-wash);
  }
  .track > * {
    position: absolute;
  }
  .line .shut {
    inset-block: 0;
    inset-inline-start: 0;
    border-start-start-radius: 1rem;
    border-end-start-radius: 1rem;
    background: var(--ob-bad-wash);
  }
  .line .margin {
    inset-block-start: calc(50% - 2px);
    block-size: 4px;
    background: var(--ob-accent);
  }
  .line .threshold {
    inset-block: -1.625rem -0.375rem;
    inline-size: 2px;
    margin-inline-start: -1px;
    background: var(--ob-ink);
  }
  .line .at,
  .line .value {
    white-space: nowrap;
    line-height: 1.25rem;
  }
  .line .at {
    inset-block-end: calc(100% + 1.625rem);
    translate: -50%;
    font-weight: 400;
  }
  .line .best {
    inset-block-start: calc(50% - 0.5rem);
    inline-size: 1rem;
    block-size: 1rem;
    border: 2px solid var(--ob-raised);
    border-radius: 50%;
    background: var(--ob-accent);
    translate: -50%;
  }
  .line .value {
    inset-block-end: calc(100% + 0.25rem);
  }
  .line .right {
    translate: -0.5rem;
  }
  .line .left {
    translate: calc(0.5rem - 100%);
  }
  .line .right.near {
    translate: 0.5rem;
  }
  .line .left.near {
    translate: calc(-100% - 0.5rem);
  }
  .ticks {
    position: relative;
    block-size: 1.5rem;
    margin-block-start: 0.5rem;
    color: var(--ob-ink-soft);
    font-size: var(--ob-text-xs);
  }
  .ticks span {
    position: absolute;
    translate: -50%;
    white-space: nowrap;
  }

  .switch {
    display: flex;
    flex-wrap: wrap;
    gap: var(--ob-space-2);
    align-items: center;
  }
  .switch [aria-pressed="true"] {
    border-color: var(--ob-accent);
    background: var(--ob-accent);
    color: var(--ob-on-accent);
  }

  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: var(--ob-space-1) var(--ob-space-4);
    color: var(--ob-ink-soft);
    font-size: var(--ob-text-xs);
  }
  .verbatim {
    position: relative;
  }
  .verbatim pre {
    max-block-size: 28rem;
    padding: var(--ob-space-4);
    border: 1px solid var(--ob-rule);
    border-radius: var(--ob-radius);
    background: var(--ob-sunk);
    overflow: auto;
    white-space: pre-wrap;
    line-height: 1.5;
  }

  .bar .s5 {
    fill: var(--ob-series-5);
  }
  .bar .s6 {
    fill: var(--ob-series-6);
  }
  .bar .s7 {
    fill: var(--ob-series-7);
  }
  .bar .s8 {
    fill: var(--ob-series-8);
  }
  .swatch.s5 {
    border-radius: 0 50% 50% 0;
    background: var(--ob-series-5);
  }
  .swatch.s6 {
    border-radius: 50% 0;
    background: var(--ob-series-6);
  }
  .swatch.s7 {
    border-radius: 0;
    border: 2px solid var(--ob-series-7);
    background: none;
  }
  .swatch.s8 {
    border-radius: 0;
    background: var(--ob-series-8);
    scale: 1 0.5;
  }
  .bar .whisker {
    fill: var(--ob-ink);
  }

  .slope {
    display: grid;
    grid-template-columns: 1.5rem minmax(3.5rem, 9rem) minmax(0, 1fr);
    gap: 0 var(--ob-space-2);
    max-inline-size: 44rem;
  }
  .slope.both {
    grid-template-columns: 2rem minmax(2.5rem, 8rem) minmax(0, 1fr) minmax(2.5rem, 8rem) 2rem;
    max-inline-size: 56rem;
  }
  .slope .head {
    min-inline-size: max-content;
    color: var(--ob-ink-soft);
    font-size: var(--ob-text-xs);
  }
  .slope .end {
    justify-self: end;
  }
  .slope.both .middle {
    justify-self: center;
  }
  .slope .ranks,
  .slope .titles {
    display: grid;
    grid-auto-rows: 1.75rem;
    align-items: center;
  }
  .slope .ranks {
    color: var(--ob-ink-faint);
    text-align: end;
  }
  .slope .lines + .ranks {
    text-align: start;
  }
  .slope .used {
    color: var(--ob-ink);
    font-weight: 600;
  }
  .slope .titles span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .slope .lines {
    inline-size: 100%;
    block-size: 100%;
    min-block-size: 0;
    overflow: visible;
  }
  .slope path {
    fill: none;
    stroke: var(--ob-rule-strong);
    stroke-width: 1.5;
    vector-effect: non-scaling-stroke;
  }
  .slope path.up {
    stroke: var(--ob-series-1);
    stroke-width: 2.5;
  }
  .slope path.down {
    stroke: var(--ob-series-2);
  }
  .slope path.beyond {
    stroke-dasharray: 5 4;
  }

  .spread svg {
    inline-size: 100%;
    block-size: 5.5rem;
    margin-block-start: var(--ob-space-2);
    border-block-end: 1px solid var(--ob-rule-strong);
  }
  .spread .bin {
    fill: var(--ob-series-1);
    opacity: 0.55;
  }
  .spread line {
    stroke: var(--ob-ink);
    stroke-width: 2;
    vector-effect: non-scaling-stroke;
  }
  .spread line.gate {
    stroke: var(--ob-bad);
    stroke-dasharray: 4 3;
  }
  .spread .scale {
    display: flex;
    justify-content: space-between;
    gap: var(--ob-space-3);
    text-align: center;
  }

  .gold {
    inline-size: 100%;
    block-size: 2.75rem;
    margin-block-start: var(--ob-space-2);
    overflow: visible;
  }
  .gold line {
    stroke-width: 1.5;
    vector-effect: non-scaling-stroke;
  }
  .gold .axis {
    stroke: var(--ob-rule-strong);
    stroke-width: 1;
  }
  .gold .answerable {
    stroke: var(--ob-good);
  }
  .gold .other {
    stroke: var(--ob-bad);
  }
  .gold .test {
    opacity: 0.45;
  }
`;
