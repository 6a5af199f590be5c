/**
 * The check: each sentence of an answer against the passages that it cites.
 *
 * How a sentence is compared, and what a verdict means, is in `build/openbook/retrieval/check.py`; the thresholds were
 * found on sentences labelled by hand (`gold/citations.toml`).
 */

import { type Citation, citations } from "./citations";
import type { Encoder, SearchIndex } from "./collection";
import { rarity, STOP_WORDS } from "./keyword";
import { objectTo } from "./objections";
import { collapse, type PassageTexts, passagesOf } from "./passages";
import { NOT_IN_THE_NOTES } from "./prompt";
import { SPACE, type Span, splitSentences } from "./sentences";
import { type SpanScores, spanScorer } from "./spans";
import { tokenize } from "./tokens";
import type { CheckedSentence, CheckSettings, Evidence, Objection, Trace, Verdict } from "./trace";

/** A sentence with fewer words that say something claims nothing that could be checked. */
const LEAST_TERMS = 2;

/** How many sentences before and behind the quoted one may hold a number that the answer gives. */
const NEAR = 2;

/** IDF of a term; of one that no chunk holds, the greatest there is. */
export type Weight = (term: string) => number;

/** A sentence of an answer. */
export interface CitedText {
  /** Offsets in the answer, citations included. */
  readonly start: number;
  readonly end: number;
  /** Without its citations, on one line. */
  readonly text: string;
  /** The numbers that it gives, each once. */
  readonly citations: readonly number[];
}

interface Found {
  readonly item: PassageTexts;
  readonly ordinal: number;
  readonly text: string;
  readonly span: Span;
  readonly around: readonly Span[];
  readonly score: number;
  readonly words: number;
  readonly lateInteraction: number | null;
}

/**
 * Split an answer into sentences with the numbers that they cite. A citation at the beginning of a sentence belongs to
 * the one before it, if that has none; a number in brackets right behind a letter is one only if there is such a
 * passage.
 *
 * @param given numbers of the passages
 */
export function citedSentences(answer: string, given: readonly number[]): CitedText[] {
  const found: CitedText[] = [];
  for (const span of splitSentences(answer)) {
    const written = answer.slice(span.start, span.end);
    let matches = citations(written, given);
    const text = without(written, matches);
    let leading = 0;
    let place = 0;
    for (const match of matches) {
      if (collapse(written.slice(place, match.start)) !== "") break;
      place = match.end;
      leading += 1;
    }
    const claims = tokenize(text).length > 0;
    const last = found.at(-1);
    let { start } = span;
    if (leading > 0 && last && (!claims || last.citations.length === 0)) {
      const moved = new Set([...last.citations, ...numbersOf(matches.slice(0, leading))]);
      found[found.length - 1] = { ...last, end: span.start + place, citations: [...moved] };
      matches = matches.slice(leading);
      start += place;
      while (start < span.end && SPACE.includes(answer.charAt(start))) start += 1;
    }
    if (claims) found.push({ start, end: span.end, text, citations: [...new Set(numbersOf(matches))] });
  }
  return found;
}

/**
 * The sentences of an answer that is still being written: without the last one, which may go on, and without what a
 * bracket that is still open may come to cite.
 */
export function finishedSentences(answer: string, given: readonly number[]): CitedText[] {
  const opened = answer.lastIndexOf("[");
  const whole = opened < 0 || answer.indexOf("]", opened) >= 0;
  return citedSentences(whole ? answer : answer.slice(0, opened), given).slice(0, -1);
}

/** Compare one sentence with the passages that it cites; one that cites none, with all. */
export function checkSentence(
  sentence: CitedText,
  passages: readonly PassageTexts[],
  weight: Weight,
  near: SpanScores | null,
  settings: CheckSettings,
): CheckedSentence {
  const given = new Map(passages.map((item) => [item.passage.number, item]));
  const unknown = sentence.citations.filter((number) => !given.has(number));
  const weights = new Map(termsOf(sentence.text).map((term) => [term, weight(term)]));
  const cited = sentence.citations.flatMap((number) => given.get(number) ?? []);
  let best = bestOf(weights, cited.length > 0 ? cited : passages, near, settings);
  let objections: Objection[] = [];
  let verdict: Verdict;
  if (refuses(sentence.text) || (weights.size < LEAST_TERMS && sentence.citations.length === 0)) {
    verdict = "no-claim";
    best = null;
  } else if (unknown.length > 0) {
    verdict = "unknown-citation";
    objections = unknown.map((number) => ({ kind: "citation", what: String(number) }));
  } else if (sentence.citations.length === 0) {
    verdict = "uncited";
  } else {
    objections = best ? objectionsTo(sentence.text, best) : [];
    verdict = verdictOf(best, objections, settings);
  }
  return {
    ...sentence,
    verdict,
    score: best?.score ?? 0,
    words: best?.words ?? 0,
    late_interaction: best?.lateInteraction ?? null,
    evidence: best && evidenceOf(best),
    objections,
  };
}

/** What a check needs beside the answer. All may come later: the postings of its words, its word pieces. */
export interface CheckParts {
  readonly passages: readonly PassageTexts[];
  readonly settings: CheckSettings;
  weight(terms: readonly string[]): Promise<Weight>;
  /** What compares a sentence; null without token vectors. */
  near(sentence: string): Promise<SpanScores | null>;
}

/** Checks an answer while it is written: what was checked once is kept. */
export class AnswerCheck {
  readonly #parts: CheckParts;
  readonly #checked = new Map<string, Promise<CheckedSentence>>();

  constructor(parts: CheckParts) {
    this.#parts = parts;
  }

  /** The sentences so far; with `done` the last one too. */
  update(answer: string, done: boolean): Promise<CheckedSentence[]> {
    const given = this.#parts.passages.map(({ passage }) => passage.number);
    const sentences = done ? citedSentences(answer, given) : finishedSentences(answer, given);
    return Promise.all(
      sentences.map((sentence) => {
        const key = JSON.stringify(sentence);
        const checked = this.#checked.get(key) ?? this.#check(sentence);
        this.#checked.set(key, checked);
        return checked;
      }),
    );
  }

  async #check(sentence: CitedText): Promise<CheckedSentence> {
    const { passages, settings } = this.#parts;
    const [weight, near] = await Promise.all([
      this.#parts.weight(termsOf(sentence.text)),
      this.#parts.near(sentence.text),
    ]);
    return checkSentence(sentence, passages, weight, near, settings);
  }
}

/**
 * The check of answers to one question.
 *
 * @param shown numbers of the passages that the model was given; default: all
 * @param encoder null, or without token vectors: words alone decide
 */
export async function checkOf(
  index: SearchIndex,
  encoder: Encoder | null,
  trace: Trace,
  shown: readonly number[] = trace.passages.map(({ number }) => number),
): Promise<AnswerCheck> {
  const passages = (await passagesOf(index, trace)).filter(({ passage }) => shown.includes(passage.number));
  const ordinals = passages.flatMap(({ passage }) => passage.ordinals);
  const held = encoder ? await index.tokenVectors(ordinals).catch(() => null) : null;
  const signs = new Map(ordinals.map((ordinal, place) => [ordinal, held?.signs[place] as Uint8Array]));
  return new AnswerCheck({
    passages,
    settings: index.settings.check,
    weight: async (terms) => {
      const keyword = await index.keyword(terms);
      return (term) => rarity(keyword, term);
    },
    near: async (sentence) => {
      if (!held || !encoder) return null;
      const read = await encoder.pieces(sentence);
      return spanScorer(read, held.weights, held.bits, signs, (text) => encoder.countTokens(text));
    },
  });
}

function numbersOf(found: readonly Citation[]): number[] {
  return found.flatMap(({ numbers }) => numbers);
}

function without(written: string, found: readonly Citation[]): string {
  let text = written;
  for (const { start, end } of found.toReversed()) text = text.slice(0, start) + text.slice(end);
  return collapse(text).replace(/ ([.,;:!?。！？])(?= |$)/g, "$1");
}

function termsOf(text: string): string[] {
  return [...new Set(tokenize(text))].filter((term) => !STOP_WORDS.has(term));
}

function refuses(text: string): boolean {
  const bare = (one: string): string => one.replace(/^[ ."'*]+|[ ."'*]+$/g, "").toLowerCase();
  return bare(text) === bare(NOT_IN_THE_NOTES);
}

/** The sentence of the chosen passages with the best score; null when none has any. */
function bestOf(
  weights: ReadonlyMap<string, number>,
  chosen: readonly PassageTexts[],
  near: SpanScores | null,
  settings: CheckSettings,
): Found | null {
  let found: Found | null = null;
  for (const item of chosen) {
    const inWhole = cover(weights, [
      new Set(termsOf(item.passage.label)),
      ...item.parts.map(({ text }) => new Set(termsOf(text))),
    ]);
    for (const { ordinal, text, verbatim } of item.parts) {
      const spans = splitSentences(text, verbatim);
      const sets = spans.map(({ start, end }) => new Set(termsOf(text.slice(start, end))));
      const scores = near?.(ordinal, text, spans) ?? null;
      for (const [place, span] of spans.entries()) {
        const window = cover(weights, sets.slice(Math.max(0, place - 1), place + 2));
        const words = (cover(weights, sets.slice(place, place + 1)) + window + inWhole) / 3;
        const lateInteraction = scores ? (scores[place] as number) : null;
        const score =
          lateInteraction === null ? words : settings.words * words + (1 - settings.words) * lateInteraction;
        if (score > (found?.score ?? 0)) {
          const around = spans.slice(Math.max(0, place - NEAR), place + NEAR + 1);
          found = { item, ordinal, text, span, around, score, words, lateInteraction };
        }
      }
    }
  }
  return found;
}

/** Share of the sentence's words, by weight, that are in one of the sets. */
function cover(weights: ReadonlyMap<string, number>, sets: readonly ReadonlySet<string>[]): number {
  let covered = 0;
  let total = 0;
  for (const [term, weight] of weights) {
    total += weight;
    if (sets.some((set) => set.has(term))) covered += weight;
  }
  return total > 0 ? covered / total : 0;
}

function objectionsTo(said: string, { item, text, span, around }: Found): Objection[] {
  const texts = around.map(({ start, end }) => text.slice(start, end));
  return objectTo(said, text.slice(span.start, span.end), [...item.passage.path, ...texts].join("\n"));
}

function verdictOf(best: Found | null, objections: readonly Objection[], settings: CheckSettings): Verdict {
  const byWords = best === null || best.lateInteraction === null;
  const supported = byWords ? settings.supported_by_words : settings.supported;
  const weak = byWords ? settings.weak_by_words : settings.weak;
  if (best === null || best.score < weak) return "unsupported";
  return best.score >= supported && objections.length === 0 ? "supported" : "weak";
}

function evidenceOf({ item, ordinal, text, span: { start, end } }: Found): Evidence {
  return { number: item.passage.number, ordinal, start, end, text: text.slice(start, end) };
}
