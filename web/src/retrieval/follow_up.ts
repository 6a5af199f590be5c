/**
 * Follow-up questions: what leans on the question before it, and what it means when it is written out. English alone.
 *
 * The reasons, and what was measured, stand in `build/openbook/retrieval/follow_up.py`; the functions have its names.
 */

import { collapse } from "./passages";
import { tokenize } from "./tokens";
import type { RerankHit } from "./trace";

export type Reason = "conjunction" | "pronoun" | "demonstrative" | "ellipsis";

/** That a follow-up is searched for at most. */
export const QUERIES = 3;
/** Words that are carried over at most from the question before, the rarest in the notes first. */
const CARRIED = 6;
/** Words; a longer question brings its own context, even where it begins with a pronoun. */
const LONG = 14;
/** Words of content; a question with more of them has said itself what "that" is. */
const FEW = 3;

const OPENINGS = /^(?:(?:and|but|so|then|also|or|ok(?:ay)?|well|hmm?|what about|how about|what of)\b[ ,]*)+/i;
const CONJUNCTION = /^(?:(?:ok(?:ay)?|well|hmm?)[ ,]+)*(?:and|but|so|then|also|or|what about|how about|what of)\b/i;
const ONE_OF_SEVERAL = new RegExp(
  "\\bthe (?:first|second|third|fourth|last|other|former|latter|next|previous|same)(?: (?:one|ones|two))?[ ?.!]*$" +
    "|\\bthe (?:first|second|third|fourth|last|other) (?:one|ones|two)\\b",
  "i",
);
const SENTENCE_END = /[.?!;:] /;
const EXPLETIVE = /\b(?:is|was) it (?:[a-z]+ ){1,2}(?:to|that|when|if)\b/i;
const LAST_DEMONSTRATIVE = /\b(?:that|this|these|those)[ ?.!]*$/i;

const PRONOUNS = words("it its that this these those they them their");
const FUNCTION_WORDS = new Set([
  ...PRONOUNS,
  ...words(
    "a about after again all already also always am an and another any anything are as at away back be because been " +
      "before being between both but by can cannot could did do does done doing don't doesn't didn't isn't aren't " +
      "wasn't down each either else even ever every everything exactly example explain few first for from further get " +
      "gets give given gives go goes going good got had happen happens has have having help here how i i'd i'll i'm " +
      "i've if in instead into is just know last later least less let like long make makes many may maybe me mean " +
      "means might mine more most much must my need never next no nor not nothing now of off often on once one ones " +
      "only or other others otherwise our out over own perhaps please possible put really right same say second see " +
      "shall should show so some something still such sure take tell than thank thanks the then there thing things " +
      "think third though through to together too two under until up us use used using very vs want was way ways we well " +
      "were what what's when where whether which while who whom whose why will with within without won't work works " +
      "worse would yes yet you your",
  ),
]);

const LEADING = /^["'“”‘’«([{<]+/;
const TRAILING = /[.,;:!?…"'“”‘’»\]}>]+$/;

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

/** Why a question cannot be understood without the one before it; null for one that stands alone. */
export function leans(question: string): Reason | null {
  const text = collapse(question);
  if (CONJUNCTION.test(text)) return "conjunction";
  const found = surface(text);
  const content = found.flatMap((word, place) => (hasContent(word) ? [place] : []));
  if (content[0] === undefined) return found.length > 0 ? "ellipsis" : null;
  if (SENTENCE_END.test(text) || found.length > LONG) return null;
  if (found.slice(0, content[0]).some(isPronoun) && !EXPLETIVE.test(text)) return "pronoun";
  if (content.length <= FEW && (LAST_DEMONSTRATIVE.test(text) || ONE_OF_SEVERAL.test(text))) return "demonstrative";
  return null;
}

/**
 * Write a question out: the queries to search for. None for a question that stands alone, which is searched for as it
 * is.
 *
 * @param before null for the first question of a conversation
 * @param rarity a term's weight in the notes, greater for a rarer one
 */
export function rewrite(question: string, before: Before | null, rarity: (term: string) => number): readonly string[] {
  if (!before || !leans(question)) return [];
  const text = collapse(question);
  const opened = text.replace(OPENINGS, "");
  const rest = tokenize(opened).length > 0 ? opened : "";
  const said = carried(before.question, new Set(tokenize(text)), rarity);
  const heading = collapse(before.heading);
  const queries = [
    [...said, rest].filter((part) => part !== "").join(" "),
    heading && rest ? `${heading}: ${rest}` : heading,
  ];
  return [...new Set(queries.filter((query) => query !== "" && query !== text && query !== rest))].slice(0, QUERIES);
}

/** The question as a prompt asks it: as it was typed, and of a follow-up what it was searched for. */
export function inFull(question: string, queries: readonly string[]): string {
  return queries[0] === undefined ? question : `${question} (in full: ${queries[0]})`;
}

/** The words of the question before that say what it was about, in its order. */
function carried(before: string, own: ReadonlySet<string>, rarity: (term: string) => number): string[] {
  const said = new Set(own);
  const found: { readonly weight: number; readonly place: number; readonly word: string }[] = [];
  for (const [place, word] of surface(collapse(before)).entries()) {
    const tokens = tokenize(word);
    if (!hasContent(word) || tokens.every((token) => said.has(token))) continue;
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

/** The words of a text as they stand there, without the punctuation around them. */
function surface(text: string): string[] {
  return text.split(" ").flatMap((raw) => {
    let word = raw.replace(LEADING, "").replace(TRAILING, "");
    if (word.endsWith(")") && !word.includes("(")) word = word.slice(0, -1).replace(TRAILING, "");
    return tokenize(word).length > 0 ? [word] : [];
  });
}

function hasContent(word: string): boolean {
  return !tokenize(word).every((token) => FUNCTION_WORDS.has(token));
}

function isPronoun(word: string): boolean {
  return tokenize(word).every((token) => PRONOUNS.has(token));
}

function words(text: string): Set<string> {
  return new Set(text.split(" ").flatMap(tokenize));
}
