/** The text of a passage as it is read: prose in lines, code as it stands, tables drawn, formulas set. */

import { css, html, nothing, type TemplateResult } from "lit";
import { type Block, type Mark, runsOf } from "../highlight";
import type { VerbatimKind } from "../retrieval/trace";
import type { Formulas } from "./formulas";
import { ofCourse } from "./language";
import { quotedBlock } from "./styles";

/** Most lines of a block of code or a table in an excerpt. */
const LINES = 6;
/** Between the cells of a row; the build writes a row as one line. */
const CELL = /(?:^| )\|(?: |$)/g;

export interface Reading {
  readonly text: string;
  /** The words that were asked for. */
  readonly marks: readonly Mark[];
  /** What the answer quotes. */
  readonly quoted: readonly Mark[];
  /** Stretches whose line ends matter. */
  readonly blocks: readonly Block[];
  /** Null until they have come: then TeX is shown as it is written. */
  readonly formulas: Formulas | null;
}

/** A stretch of a passage. An excerpt (not `whole`) keeps few lines of a block and says where it was cut. */
export function stretch(reading: Reading, from: number, to: number, whole: boolean): TemplateResult {
  const { text, blocks } = reading;
  const parts: TemplateResult[] = [];
  const prose = (start: number, end: number): void => {
    const length = text.slice(start, end).trim().length;
    const first = start + leading(text, start);
    if (length === 0) return;
    const before = first > 0 && start === from && !whole ? "… " : nothing;
    const after = end < text.length && end === to && !whole ? " …" : nothing;
    parts.push(html`<p class="text">${before}${inline(reading, first, first + length, whole)}${after}</p>`);
  };
  let at = from;
  for (const [start, end, kind] of blocks) {
    if (end <= from || start >= to) continue;
    prose(at, Math.max(at, start));
    // A formula has no lines to leave out.
    const all = whole || kind === "math";
    const [first, last] = all ? [start, end] : linesOf(text, [start, end], [from, to]);
    parts.push(block(reading, kind, [start, end], [first, last]));
    at = Math.max(at, last < end ? to : end);
  }
  prose(at, to);
  const { lang, dir } = ofCourse();
  return html`<div class="whole" lang=${lang} dir=${dir}>${parts}</div>`;
}

/** A sentence, or a block, that is quoted by itself. */
export function quotation(text: string, kind: VerbatimKind | "sentence", formulas: Formulas | null): unknown {
  const reading: Reading = { text, marks: [], quoted: [], blocks: [], formulas };
  const all: Mark = [0, text.length];
  return kind === "sentence" ? inline(reading, 0, text.length, true) : block(reading, kind, all, all);
}

/** @param part what of the block is shown */
function block(reading: Reading, kind: VerbatimKind, whole: Mark, part: Mark): TemplateResult {
  const { text, formulas } = reading;
  if (kind === "table") {
    const drawn = table(reading, whole, part);
    if (drawn) return drawn;
  }
  const set = kind === "math" ? formulas?.set(text.slice(...whole), true) : null;
  if (set) return html`<div class="display" tabindex="0">${set}</div>`;
  const [above, below] = [part[0] > whole[0] ? "…\n" : "", part[1] < whole[1] ? "\n…" : ""];
  return html`<pre tabindex="0">${above}${marked(reading, ...part)}${below}</pre>`;
}

/** Null when its lines are not rows: then they are shown as they stand. */
function table(reading: Reading, [start, end]: Mark, [first, last]: Mark): TemplateResult | null {
  const { text } = reading;
  const head = cellsOf(text, start, lineEnd(text, start, end));
  if (head.length < 2) return null;
  const rows: Mark[][] = [];
  for (let at = first; at < last; ) {
    const stop = lineEnd(text, at, last);
    if (at > start) rows.push(cellsOf(text, at, stop));
    at = stop + 1;
  }
  const more = html`<tr><td colspan=${head.length}>…</td></tr>`;
  const shown = ([from, to]: Mark): unknown => inline(reading, from, to, true);
  return html`<div class="table" tabindex="0"><table>
    <thead><tr>${head.map((cell) => (cell[0] < cell[1] ? html`<th scope="col">${shown(cell)}</th>` : html`<td></td>`))}</tr></thead>
    <tbody>
      ${first > start ? more : nothing}
      ${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${shown(cell)}</td>`)}</tr>`)}
      ${last < end ? more : nothing}
    </tbody>
  </table></div>`;
}

function cellsOf(text: string, start: number, end: number): Mark[] {
  const cells: Mark[] = [];
  let at = 0;
  for (const match of text.slice(start, end).matchAll(CELL)) {
    cells.push([start + at, start + match.index]);
    at = match.index + match[0].length;
  }
  return [...cells, [start + at, end]];
}

function lineEnd(text: string, from: number, most: number): number {
  const found = text.indexOf("\n", from);
  return found < 0 ? most : Math.min(found, most);
}

/** Prose with its formulas set. */
function inline(reading: Reading, start: number, end: number, whole: boolean): unknown[] {
  const show = (from: number, to: number): string => readable(reading.text, from, to, whole);
  return runs(reading, start, end, show);
}

/** A block, letter by letter. */
function marked(reading: Reading, start: number, end: number): unknown[] {
  return runs({ ...reading, formulas: null }, start, end, (from, to) => reading.text.slice(from, to));
}

function runs(reading: Reading, start: number, end: number, show: (from: number, to: number) => string): unknown[] {
  const { text, marks, formulas } = reading;
  const words = (from: number, to: number): unknown[] => {
    let at = from;
    return runsOf(text, marks, from, to).map((run) => {
      const begin = at;
      at += run.text.length;
      return run.marked ? html`<mark>${show(begin, at)}</mark>` : show(begin, at);
    });
  };
  const pieces = (from: number, to: number): unknown[] => {
    const parts: unknown[] = [];
    let at = from;
    for (const [first, last] of formulas?.within(text, from, to) ?? []) {
      const set = formulas?.set(text.slice(first, last), false);
      const wanted = marks.some(([one, other]) => one < last && other > first);
      parts.push(...words(at, first), wanted ? html`<mark>${set}</mark>` : set);
      at = last;
    }
    return [...parts, ...words(at, to)];
  };
  const parts: unknown[] = [];
  let at = start;
  for (const [from, to] of reading.quoted) {
    if (to <= at || from >= end) continue;
    const [first, last] = [Math.max(from, at), Math.min(to, end)];
    parts.push(...pieces(at, first), html`<span class="quoted">${pieces(first, last)}</span>`);
    at = last;
  }
  return [...parts, ...pieces(at, end)];
}

/** As it is read: an excerpt without empty lines, a list with dots. */
function readable(text: string, from: number, to: number, whole: boolean): string {
  const starts = from === 0 || text[from - 1] === "\n";
  return text
    .slice(from, to)
    .replace(/\n{2,}/g, whole ? "\n\n" : "\n")
    .replace(/(^|\n)[-*+] (?!\s)/g, (all, before: string) => (before === "" && !starts ? all : `${before}• `));
}

/** How many spaces and line ends stand at a place. */
function leading(text: string, at: number): number {
  return (/^\s*/.exec(text.slice(at))?.[0] ?? "").length;
}

/** Whole lines of a block that an excerpt reaches into, a few of them. */
function linesOf(text: string, block: Mark, excerpt: Mark): Mark {
  const from = Math.max(block[0], excerpt[0]);
  const first = Math.max(block[0], text.lastIndexOf("\n", from - 1) + 1);
  let last = first;
  for (let lines = 0; lines < LINES && last < Math.min(block[1], excerpt[1]); lines++) {
    const next = text.indexOf("\n", last + 1);
    last = next < 0 ? block[1] : Math.min(next, block[1]);
  }
  return [first, last];
}

export const passageTextStyles = css`
  .text,
  .sentence {
    white-space: pre-line;
  }
  .whole > * + * {
    margin-block-start: var(--ob-space-2);
  }
  ${quotedBlock}
  pre {
    /* In a text from right to left as well. */
    direction: ltr;
    text-align: left;
    overflow-wrap: normal;
  }
  .table {
    overflow-x: auto;
  }
  table {
    border-collapse: collapse;
    font-family: var(--ob-sans);
    font-size: var(--ob-text-s);
    line-height: 1.4;
    overflow-wrap: normal;
  }
  th,
  td {
    padding: var(--ob-space-1) var(--ob-space-4) var(--ob-space-1) 0;
    border-block-end: 1px solid var(--ob-rule);
    text-align: start;
    vertical-align: baseline;
  }
  thead > tr > * {
    border-block-end-color: var(--ob-rule-strong);
  }
  .display {
    padding-block: var(--ob-space-1);
    overflow-x: auto;
  }
  math {
    direction: ltr;
    font-family: var(--ob-math);
  }
  math[display="block"] {
    inline-size: max-content;
    margin-block: var(--ob-space-1);
  }
  math .m-end {
    text-align: end;
  }
  math .m-start {
    text-align: start;
  }
  math .m-tight-left {
    padding-inline-start: 0;
  }
  math .m-tight-right {
    padding-inline-end: 0;
  }
`;
