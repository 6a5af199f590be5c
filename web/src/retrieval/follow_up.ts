/**
 * Follow-up questions: what leans on the question before it, and what it means when it is written out.
 *
 * The reasons, and what was measured, stand in `build/openbook/retrieval/follow_up.py`; the functions have its names.
 */

import { type Words, wordsOf } from "./follow_up_words";
import { collapse } from "./passages";
import { tokenize } from "./tokens";
import type { RerankHit } from "./trace";
import { asTyped } from "./words";

export type Reason = "conjunction" | "pronoun" | "demonstrative" | "ellipsis";

/** That a follow-up is searched for at most. */
export const QUERIES = 3;
/** Words that are carried over at most from the question before, the rarest in the notes first. */
const CARRIED = 6;
/** Words; a longer question brings its own context, even where it begins with a pronoun. */
const LONG = 14;
/** Words of content; a question with more of them has said itself what "that" is. */
const FEW = 3;

const SENTENCE_END = /[.?!;:] |[。？！；]./;

/** The turn before. */
export interface Before {
  /** As it was searched for: of a follow-up, its first query, so that a topic lives on over several turns. */
  readonly question: string;
  /**
   * Of the section that its answer cites first, or that was found first where it cites none; "" where the question was
   * refused.
   */
  readonly heading: string;
}

/**
 * Why a question cannot be understood without the one before it; null for one that stands alone.
 *
 * @param language of the course, as a BCP 47 tag; "" for English
 */
export function leans(question: string, language = "en"): Reason | null {
  const known = wordsOf(language);
  const text = bare(question);
  if (!known) return null;
  if (known.conjunction.test(text)) return "conjunction";
  const found = surface(text, known);
  const content = found.flatMap((word, place) => (hasContent(word, known) ? [place] : []));
  if (content[0] === undefined) return found.length > 0 ? "ellipsis" : null;
  if (SENTENCE_END.test(text) || found.length > LONG) return null;
  const pronoun = found.slice(0, content[0]).some((word) => isPronoun(word, known));
  if (pronoun && !known.expletive.test(text)) return "pronoun";
  if (content.length <= FEW && (known.last.test(text) || known.several.test(text))) return "demonstrative";
  return null;
}

/**
 * Write a question out: the queries to search for. None for a question that stands alone, which is searched for as it
 * is.
 *
 * @param before null for the first question of a conversation
 * @param rarity a term's weight in the notes, greater for a rarer one
 * @param language as for `leans`
 */
export function rewrite(
  question: string,
  before: Before | null,
  rarity: (term: string) => number,
  language = "en",
): readonly string[] {
  const known = wordsOf(language);
  if (!before || !known || !leans(question, language)) return [];
  const text = collapse(question);
  const opened = bare(question).replace(known.openings, "");
  const rest = tokenize(opened).length > 0 ? opened : "";
  const said = carried(before.question, new Set(tokenize(text)), rarity, known);
  const heading = collapse(before.heading);
  const queries = [
    [...said, rest].filter((part) => part !== "").join(" "),
    heading && rest ? `${heading}: ${rest}` : heading,
  ];
  return [...new Set(queries.filter((query) => query !== "" && query !== text && query !== rest))].slice(0, QUERIES);
}

/** On one line, without what Spanish opens a question with. */
function bare(question: string): string {
  return collapse(question).replace(/^[¿¡ ]+/, "");
}

/** The question as a prompt asks it: as it was typed, and of a follow-up what it was searched for. */
export function inFull(question: string, queries: readonly string[]): string {
  return queries[0] === undefined ? question : `${question} (in full: ${queries[0]})`;
}

/** The words of the question before that say what it was about, in its order. */
function carried(before: string, own: ReadonlySet<string>, rarity: (term: string) => number, known: Words): string[] {
  const said = new Set(own);
  const found: { readonly weight: number; readonly place: number; readonly word: string }[] = [];
  for (const [place, word] of surface(collapse(before), known, true).entries()) {
    const tokens = tokenize(word);
    if (!hasContent(word, known) || tokens.every((token) => said.has(token))) continue;
    for (const token of tokens) said.add(token);
    found.push({ weight: Math.max(...tokens.map(rarity)), place, word });
  }
  const rarest = found.sort((a, b) => b.weight - a.weight || a.place - b.place).slice(0, CARRIED);
  return rarest.sort((a, b) => a.place - b.place).map(({ word }) => word);
}

/**
 * Merge what several queries found into one ranking, by reciprocal rank fusion. `score` is the fused one, the rest of a
 * hit that of the query which ranked it best, but `late_interaction` and `cross_encoder` the greatest of any. A single
 * ranking stays as it is.
 */
export function merge(rankings: readonly (readonly RerankHit[])[], k: number): readonly RerankHit[] {
  const [only] = rankings;
  if (only && rankings.length === 1) return only;
  const scores = new Map<number, number>();
  const best = new Map<number, RerankHit>();
  for (const hit of rankings.flat()) {
    scores.set(hit.ordinal, (scores.get(hit.ordinal) ?? 0) + 1 / (k + hit.rank));
    const known = best.get(hit.ordinal);
    if (!known) best.set(hit.ordinal, hit);
    else {
      best.set(hit.ordinal, {
        ...(hit.rank < known.rank ? hit : known),
        late_interaction: greater(known.late_interaction, hit.late_interaction),
        cross_encoder: greater(known.cross_encoder, hit.cross_encoder),
      });
    }
  }
  return [...best.values()]
    .map((hit) => ({ ...hit, score: scores.get(hit.ordinal) ?? 0 }))
    .sort((a, b) => b.score - a.score || a.ordinal - b.ordinal)
    .map((hit, place) => ({ ...hit, rank: place + 1 }));
}

function greater(first: number | null, second: number | null): number | null {
  return first === null ? second : second === null ? first : Math.max(first, second);
}

/**
 * The words of a text as they stand there, without the punctuation around them.
 *
 * @param whole leave what has no spaces as it stands
 */
function surface(text: string, { pieces }: Words, whole = false): string[] {
  return asTyped(text).flatMap((word) => (pieces === null || whole ? [word] : (word.match(pieces) ?? [])));
}

function hasContent(word: string, known: Words): boolean {
  return !known.function.has(word) && !tokenize(word).every((token) => known.function.has(token));
}

function isPronoun(word: string, { pronouns }: Words): boolean {
  return pronouns.has(word) || tokenize(word).every((token) => pronouns.has(token));
}
