/**
 * The answer without a model: the sentences of the passages that best answer, quoted.
 *
 * A sentence's score is the share of the question that it covers, by rarity of the terms, plus a smaller credit for what
 * stands near it. How the weights were found, and what they reach, is in `build/openbook/retrieval/answer.py`.
 */

import { queryTerms, STOP_WORDS } from "./keyword";
import type { PassageTexts } from "./passages";
import { endsLikeASentence, type Span, splitSentences } from "./sentences";
import type { SpanScores } from "./spans";
import { tokenize } from "./tokens";
import type { AnswerSentence, Passage } from "./trace";

const PHRASE = 0.2;
const PASSAGE = 0.2;
const HEADING = 0.4;
const BEFORE = 0.3;
const BEHIND = 0.2;
const RANK = 0.1;

const REFERENCE_HEADINGS =
  /^(?:references|resources|sources|bibliography|literature|further reading|where to read more|reading list)\b/;

const SHORT = { words: 5, factor: 0.5 };
const LONG = { words: 60, factor: 0.9 };
const WHOLE = 0.5;
const FRAGMENT = 0.7;
const QUESTION = 0.8;
const REFERENCES = 0.7;

const NEARNESS = 3;
const LEVEL = 0.3;
const FLOOR = { least: 0.48, words: 0.2 };
const STRICT = 0.2;
const FLOOR_OF_WORDS = 0.2;

const MOST = 3;
const THIRD = 0.5;
const ALIKE = 0.7;

type Words = ReadonlySet<string>;
const NOTHING: Words = new Set();

export interface Answer {
  /** Each sentence followed by its passage's number in brackets. */
  readonly text: string;
  readonly sentences: readonly AnswerSentence[];
  /** How many sentences there were. */
  readonly considered: number;
  /** How many of the best were not quoted because they are not good enough. */
  readonly belowFloor: number;
}

/** What a sentence is compared with. */
interface Asked {
  /** Term → idf, in the order of the question. */
  readonly weights: ReadonlyMap<string, number>;
  readonly phrases: Words;
  readonly total: number;
}

interface Candidate {
  readonly passage: Passage;
  readonly place: number;
  readonly ordinal: number;
  readonly text: string;
  readonly span: Span;
  readonly words: Words;
  readonly score: number;
  readonly near: number | null;
  readonly good: boolean;
}

/**
 * Choose up to three sentences, in the order in which they stand in the passages; none when none is good enough.
 *
 * @param sources the passages, best first
 * @param idf weight of a term of the question
 * @param near MaxSim of the question with the sentences of a chunk; null without token vectors
 * @param coverage share of the question that the course has
 */
export function answer(
  question: string,
  sources: readonly PassageTexts[],
  idf: (term: string) => number,
  near: SpanScores | null = null,
  coverage = 1,
): Answer {
  const asked = read(question, idf);
  const candidates = asked.total > 0 ? sources.flatMap((source) => candidatesOf(source, asked, near, coverage)) : [];
  const best = choose(candidates);
  const chosen = best.filter(({ good }) => good);
  const sentences = chosen.map(({ passage, ordinal, span, text, words, score, near: late_interaction }) => ({
    number: passage.number,
    ordinal,
    kind: span.kind,
    start: span.start,
    end: span.end,
    text: text.slice(span.start, span.end),
    score,
    terms: [...asked.weights.keys()].filter((term) => words.has(term)),
    late_interaction,
  }));
  return {
    text: sentences.map((sentence) => `${sentence.text} [${sentence.number}]`).join(" "),
    sentences,
    considered: candidates.length,
    belowFloor: best.length - chosen.length,
  };
}

function read(question: string, idf: (term: string) => number): Asked {
  const weights = new Map(queryTerms(question).map((term) => [term, idf(term)]));
  let total = 0;
  for (const weight of weights.values()) total += weight;
  return { weights, phrases: pairs(wordsOf(question)), total };
}

function wordsOf(text: string): string[] {
  return tokenize(text).filter((token) => !STOP_WORDS.has(token));
}

function pairs(words: readonly string[]): Words {
  return new Set(words.slice(1).map((word, place) => `${words[place]}\n${word}`));
}

/** Share of the question's weight whose words are in `inside` and not in `but`. */
function cover(asked: Asked, inside: Words, but: Words = NOTHING): number {
  let covered = 0;
  for (const [word, weight] of asked.weights) if (inside.has(word) && !but.has(word)) covered += weight;
  return covered / asked.total;
}

function candidatesOf(source: PassageTexts, asked: Asked, nearSpans: SpanScores | null, coverage: number): Candidate[] {
  const { passage, parts } = source;
  const heading = new Set(passage.path.flatMap(wordsOf));
  const split = parts.flatMap(({ ordinal, text, verbatim }) => {
    const spans = splitSentences(text, verbatim);
    const scores = nearSpans?.(ordinal, text, spans) ?? null;
    return spans.map((span, number) => {
      const words = wordsOf(text.slice(span.start, span.end));
      return { ordinal, text, span, words, maxSim: scores ? (scores[number] as number) : null };
    });
  });
  const sets: Words[] = split.map(({ words }) => new Set(words));
  const whole = PASSAGE * cover(asked, new Set(split.flatMap(({ words }) => words)));
  const listed = REFERENCE_HEADINGS.test(passage.path.at(-1)?.toLowerCase() ?? "");
  const candidates: Candidate[] = [];
  for (const [place, { ordinal, text, span, words, maxSim }] of split.entries()) {
    const here = sets[place] ?? NOTHING;
    const own = cover(asked, here);
    const found = pairs(words);
    const phrases = asked.phrases.size > 0 ? count(asked.phrases, found) / asked.phrases.size : 0;
    let near = HEADING * cover(asked, heading, here);
    near += BEFORE * cover(asked, sets[place - 1] ?? NOTHING, here);
    near += BEHIND * cover(asked, sets[place + 1] ?? NOTHING, here);
    const factor = form(span, text.slice(span.start, span.end), words.length) * (listed ? REFERENCES : 1);
    let byWords = 0;
    if (own + near > 0) {
      byWords = ((own + PHRASE * phrases + near + whole) / (1 + RANK * (passage.number - 1))) * factor;
    }
    const nearness = maxSim ?? 0;
    const score = nearSpans === null ? byWords : byWords + NEARNESS * Math.max(0, nearness - LEVEL) * factor;
    const good =
      nearSpans === null
        ? byWords >= FLOOR_OF_WORDS
        : nearness + FLOOR.words * byWords >= FLOOR.least + STRICT * (1 - coverage);
    if (score > 0) candidates.push({ passage, place, ordinal, text, span, words: here, score, near: maxSim, good });
  }
  return candidates;
}

/** How well a span would do as a sentence of an answer, whatever it says. */
function form(span: Span, quoted: string, words: number): number {
  let factor = 1;
  if (words < SHORT.words) factor = SHORT.factor;
  else if (words > LONG.words) factor = LONG.factor;
  if (span.kind !== "sentence") return factor * WHOLE;
  if (!endsLikeASentence(quoted)) return factor * FRAGMENT;
  return /[?？]$/.test(quoted) ? factor * QUESTION : factor;
}

function choose(candidates: readonly Candidate[]): Candidate[] {
  const chosen: Candidate[] = [];
  const ranked = [...candidates].sort(
    (a, b) => b.score - a.score || a.passage.number - b.passage.number || a.place - b.place,
  );
  for (const one of ranked) {
    const best = chosen[0]?.score ?? 0;
    if (chosen.length === MOST || (chosen.length === MOST - 1 && one.score < THIRD * best)) break;
    if (!chosen.some((other) => alike(one.words, other.words))) chosen.push(one);
  }
  return chosen.sort((a, b) => a.passage.number - b.passage.number || a.place - b.place);
}

function alike(first: Words, second: Words): boolean {
  return count(first, second) >= ALIKE * Math.min(first.size, second.size);
}

/** How many of `first` are in `second`. */
function count(first: Words, second: Words): number {
  let shared = 0;
  for (const word of first) if (second.has(word)) shared += 1;
  return shared;
}
