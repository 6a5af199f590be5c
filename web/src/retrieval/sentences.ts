/**
 * Where a passage's sentences are: the unit that is quoted, and at whose end a passage may be cut.
 *
 * This is `build/openbook/retrieval/sentences.py` line by line; the rules and their reasons are explained there.
 * Offsets count UTF-16 code units here and code points there; the trace has the former.
 */

import type { SpanKind } from "./trace";

export const SPACE = " \t\n\r\f\v\u00a0\u2028\u2029\u3000";
const STOPS = ".!?…";
const CJK_STOPS = "。！？";
const CLOSERS = "\"'”’»)]}」』）】》*_`";
const OPENERS = "\"'“‘«([{「『（【《*_`";

const ABBREVIATIONS: ReadonlySet<string> = new Set(
  (
    "al approx art bzw ca cf ch chap co corp d.h dept dr e.g ed eds eq eqs esp est etc exp ff fig figs gen ger gov " +
    "i.e ibid inc jr lat lit ltd max min mr mrs ms mt n.b no nos op p pp prof ref refs resp rev sec sect sen sr st " +
    "tab u.a v viz vol vols vs z.b jan feb mar apr jun jul aug sep sept oct nov dec"
  ).split(" "),
);

const BLANK = /\n[ \t\r]*(?:\n[ \t\r]*)+/g;
const ITEM = /^[ \t]*(?:[-*+•–]|\d{1,3}[.)]|\[[ xX]\])[ \t]+(?:\[[ xX]\][ \t]+)?/;
const TABLE = /[^|]\|[^|]/;
const CODE = new RegExp(
  "^[ \\t]*(?:" +
    [
      "(?:import|from|def|class|return|for|while|if|elif|else|try|except|with|assert|raise|print|let|const|var" +
        "|function)\\b.*[:;{(\\])]$",
      "(?:import|from)[ ][a-zA-Z_.]+(?:[ ](?:import|as)[ ].*)?$",
      "return[ ].*$",
      "(?:SELECT|INSERT|UPDATE|CREATE|DELETE|FROM|WHERE|GROUP BY|ORDER BY|JOIN)[ ].*",
      "[a-zA-Z_][a-zA-Z0-9_.,\\[\\]'\" ]*[ ]?(?:[-+*/|&@]|//)?=[ ]?[^=].*",
      "[a-zA-Z_][a-zA-Z0-9_.]*\\(.*\\)?[;:,{]?",
      "(?:\\$|>>>|\\.\\.\\.|%|#|//|@|--)[ ]?[^ ].*",
      "[\\])}{(\\[]+[,;]?",
      ".*[{;\\\\]$",
    ].join("|") +
    ")[ \\t]*$",
);
const MATH =
  /^(?:\$\$|\\\[|\\begin\{)|\\(?:frac|sum|int|mathbf|mathrm|mathbb|left|right|begin|end|cdot|partial|sqrt)\b/;
const SENTENCE_END = /[.!?:。！？…]["'”’»)\]]*$/;

/** A sentence, or a block that is kept whole; no space at its ends. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: SpanKind;
  /** 0-based number of the block that it stands in. */
  readonly block: number;
}

type Range = readonly [start: number, end: number];

/** The spans of a text in order. They do not overlap; between them are only spaces and list markers. */
export function splitSentences(text: string): Span[] {
  const spans: Span[] = [];
  for (const [block, [start, end]] of blocks(text).entries()) {
    const kind = kindOf(text.slice(start, end));
    if (kind !== "sentence") {
      spans.push({ start, end, kind, block });
      continue;
    }
    for (const [itemStart, itemEnd] of items(text, start, end)) {
      for (const [sentenceStart, sentenceEnd] of sentences(text, itemStart, itemEnd)) {
        spans.push({ start: sentenceStart, end: sentenceEnd, kind: "sentence", block });
      }
    }
  }
  return spans;
}

function blocks(text: string): Range[] {
  const found: Range[] = [];
  let start = 0;
  for (const gap of [...text.matchAll(BLANK), null]) {
    const trimmed = trim(text, start, gap ? gap.index : text.length);
    if (trimmed) found.push(trimmed);
    if (gap) start = gap.index + gap[0].length;
  }
  return found;
}

/** Leave out the spaces at both ends; null when nothing is left. */
function trim(text: string, start: number, end: number): Range | null {
  let from = start;
  let to = end;
  while (from < to && isIn(SPACE, text, from)) from += 1;
  while (to > from && isIn(SPACE, text, to - 1)) to -= 1;
  return from < to ? [from, to] : null;
}

function isIn(characters: string, text: string, position: number): boolean {
  return characters.includes(text.charAt(position));
}

function strip(line: string): string {
  const range = trim(line, 0, line.length);
  return range ? line.slice(...range) : "";
}

function kindOf(block: string): SpanKind {
  const lines = block.split("\n").filter((line) => strip(line) !== "");
  if (MATH.test(block) && !lines.some((line) => SENTENCE_END.test(strip(line)))) return "math";
  if (lines.length > 1 && lines.every((line) => TABLE.test(line))) return "table";
  if (ITEM.test(lines[0] ?? "")) return "sentence";
  const code = lines.filter((line) => CODE.test(line) || line.startsWith("    ") || line.startsWith("\t")).length;
  const prose = lines.filter((line) => SENTENCE_END.test(strip(line)) && !CODE.test(line)).length;
  return code * 2 > lines.length && code > prose ? "code" : "sentence";
}

/** The items of a list block, without their markers; of any other block, the block. */
function items(text: string, start: number, end: number): Range[] {
  const found: Range[] = [];
  let item = start;
  let line = start;
  while (line < end) {
    const newline = text.indexOf("\n", line);
    const stop = newline < 0 || newline >= end ? end : newline + 1;
    const marker = ITEM.exec(text.slice(line, stop));
    if (marker) {
      if (line > item) found.push([item, line]);
      item = line + marker[0].length;
    }
    line = stop;
  }
  found.push([item, end]);
  return found.map(([from, to]) => trim(text, from, to)).filter((range) => range !== null);
}

function sentences(text: string, start: number, end: number): Range[] {
  const found: Range[] = [];
  let begin = start;
  let position = start;
  while (position < end) {
    const cjk = isIn(CJK_STOPS, text, position);
    if (!cjk && !isIn(STOPS, text, position)) {
      position += 1;
      continue;
    }
    let after = position + 1;
    while (after < end && isIn(STOPS + CJK_STOPS, text, after)) after += 1;
    while (after < end && isIn(CLOSERS, text, after)) after += 1;
    if (cjk || ends(text, begin, position, after, end)) {
      const trimmed = trim(text, begin, after);
      if (trimmed) found.push(trimmed);
      begin = after;
    }
    position = after;
  }
  const rest = trim(text, begin, end);
  if (rest) found.push(rest);
  return found;
}

/** Whether the stop at `stop`, with what closes behind it up to `after`, ends the sentence of `begin`. */
function ends(text: string, begin: number, stop: number, after: number, end: number): boolean {
  if (after >= end) return true;
  if (!isIn(SPACE, text, after) || (text.charAt(stop) === "." && abbreviates(text, begin, stop))) return false;
  let following = after;
  while (following < end && isIn(SPACE + OPENERS, text, following)) following += 1;
  if (following >= end || !/^\p{Ll}/u.test(text.slice(following, following + 2))) return true;
  // A sentence may begin with a name that is written small: `zero_grad` or np.argmax.
  let wordEnd = following;
  while (wordEnd < end && !isIn(SPACE, text, wordEnd)) wordEnd += 1;
  while (wordEnd > following && isIn(`${CLOSERS}${STOPS},;:`, text, wordEnd - 1)) wordEnd -= 1;
  return /[_.(]/.test(text.slice(following, wordEnd)) || text.charAt(following - 1) === "`";
}

/** Whether the word before the full stop is an abbreviation, an initial (J. Smith) or a list's number. */
function abbreviates(text: string, begin: number, stop: number): boolean {
  let word = stop;
  while (word > begin && !isIn(`${SPACE}${OPENERS}/-–—`, text, word - 1)) word -= 1;
  const before = text.slice(word, stop);
  if (ABBREVIATIONS.has(before.toLowerCase()) || /^\p{Lu}$/u.test(before)) return true;
  return word === begin && /^[0-9]+$/.test(before);
}
