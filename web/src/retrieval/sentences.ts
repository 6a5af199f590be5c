/**
 * Where a passage's sentences are: the unit that is quoted, and at whose end a passage may be cut.
 *
 * This is `build/openbook/retrieval/sentences.py` line by line; the rules and their reasons are explained there.
 * Offsets count UTF-16 code units here and code points there; the trace has the former.
 */

import type { SpanKind, VerbatimLines } from "./trace";

export const SPACE = " \t\n\r\f\v\u00a0\u2028\u2029\u3000";
const STOPS = ".!?…";
const CJK_STOPS = "。！？";
const CLOSERS = "\"'”’»)]}」』）】》*_`";
const OPENERS = "\"'“‘«([{「『（【《*_`";

const ABBREVIATIONS: ReadonlySet<string> = new Set(
  (
    "al approx bzw ca cf chap corp d.h dept dr e.g eds eq eqs esp etc ff fig figs gen gov i.e ibid inc jr ltd mr mrs " +
    "ms mt n.b pp prof ref refs resp sect sen sr st tab u.a viz vol vols vs z.b jan feb mar apr jun jul aug sep sept " +
    "oct nov dec"
  ).split(" "),
);
/** The same, but words as well: only before a number are they abbreviations. */
const NUMBERED: ReadonlySet<string> = new Set("art ch ed max min no nos op p sec v".split(" "));

const TITLE_WORDS = 12;

const ITEM = /^[ \t]*(?:[-*+•–]|[0-9]{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/;

/** A sentence, or a block that is kept whole; no space at its ends. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: SpanKind;
}

type Range = readonly [start: number, end: number];

/**
 * The spans of a text in order. They do not overlap; between them are only spaces and list markers.
 *
 * @param verbatim lines of the text that are no prose, in order
 */
export function splitSentences(text: string, verbatim: readonly VerbatimLines[] = []): Span[] {
  const lines = linesOf(text);
  const spans: Span[] = [];
  let begin = 0;
  for (const [first, last, kind] of verbatim) {
    spans.push(...prose(text, lines.slice(begin, first)));
    const trimmed = trim(text, lines[first]?.[0] ?? text.length, lines[last]?.[1] ?? text.length);
    if (trimmed) spans.push({ start: trimmed[0], end: trimmed[1], kind });
    begin = last + 1;
  }
  spans.push(...prose(text, lines.slice(begin)));
  return spans;
}

function linesOf(text: string): Range[] {
  const found: Range[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    found.push([start, start + line.length]);
    start += line.length + 1;
  }
  return found;
}

/** The sentences of lines that follow each other. A title goes with the first sentence below it. */
function prose(text: string, lines: readonly Range[]): Span[] {
  const spans: Span[] = [];
  let title: number | null = null;
  for (const [number, [start, end]] of lines.entries()) {
    const marker = ITEM.exec(text.slice(start, end));
    const found = sentences(text, start + (marker?.[0].length ?? 0), end);
    const below = lines[number + 1];
    const [first] = found;
    if (title !== null && first) {
      found[0] = { start: title, end: first.end, kind: "sentence" };
      title = null;
    } else if (!marker && below && first && found.length === 1 && isTitle(text, first, below)) {
      title = first.start;
      continue;
    }
    spans.push(...found);
  }
  return spans;
}

/** Whether a line is short, no sentence, and stands right above a paragraph. */
function isTitle(text: string, line: Span, below: Range): boolean {
  const content = text.slice(line.start, line.end);
  return (
    content.split(" ").length <= TITLE_WORDS &&
    !endsLikeASentence(content) &&
    trim(text, ...below) !== null &&
    !ITEM.test(text.slice(...below))
  );
}

/** Whether a stop, and perhaps what closes behind it, is the last thing in a text. */
export function endsLikeASentence(text: string): boolean {
  let end = text.length;
  while (end > 0 && isIn(CLOSERS, text, end - 1)) end -= 1;
  return end > 0 && isIn(STOPS + CJK_STOPS, text, end - 1);
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

/** The sentences of one line. */
function sentences(text: string, start: number, end: number): Span[] {
  const found: Span[] = [];
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
      if (trimmed) found.push({ start: trimmed[0], end: trimmed[1], kind: "sentence" });
      begin = after;
    }
    position = after;
  }
  const rest = trim(text, begin, end);
  if (rest) found.push({ start: rest[0], end: rest[1], kind: "sentence" });
  return found;
}

/** Whether the stop at `stop`, with what closes behind it up to `after`, ends the sentence of `begin`. */
function ends(text: string, begin: number, stop: number, after: number, end: number): boolean {
  if (after >= end) return true;
  if (!isIn(SPACE, text, after)) return false;
  let following = after;
  while (following < end && isIn(SPACE + OPENERS, text, following)) following += 1;
  const numbered = following < end && isIn("0123456789", text, following);
  if (text.charAt(stop) === "." && abbreviates(text, begin, stop, numbered)) return false;
  if (following >= end || !/^\p{Ll}/u.test(text.slice(following, following + 2))) return true;
  // A sentence may begin with a name that is written small: `zero_grad` or np.argmax.
  let wordEnd = following;
  while (wordEnd < end && !isIn(SPACE, text, wordEnd)) wordEnd += 1;
  while (wordEnd > following && isIn(`${CLOSERS}${STOPS},;:`, text, wordEnd - 1)) wordEnd -= 1;
  return /[_.(]/.test(text.slice(following, wordEnd)) || text.charAt(following - 1) === "`";
}

/** Whether the word before the full stop is an abbreviation, an initial (J. Smith) or a list's number. */
function abbreviates(text: string, begin: number, stop: number, numbered: boolean): boolean {
  let word = stop;
  while (word > begin && !isIn(`${SPACE}${OPENERS}/-–—`, text, word - 1)) word -= 1;
  const before = text.slice(word, stop);
  const lower = before.toLowerCase();
  if (ABBREVIATIONS.has(lower) || (numbered && NUMBERED.has(lower)) || /^\p{Lu}$/u.test(before)) return true;
  return word === begin && /^[0-9]+$/.test(before);
}
