/**
 * Keyword search: MiniSearch's BM25 over the serialised index that the build wrote.
 *
 * The scores are MiniSearch's own. What each term adds to a hit is worked out here, since the library does not tell;
 * a test holds that the sum is its score. `build/openbook/retrieval/keyword.py` says what the formula is, and why some
 * words of a question are not searched for.
 */

import MiniSearch, { type SearchOptions } from "minisearch";
import type { ChunkRef } from "./collection";
import { tokenize, typedPrefix } from "./tokens";
import type { KeywordHit, KeywordSettings, QueryTerm, TermContribution } from "./trace";

/** `{field id: {short id: term frequency}}`. */
export type Postings = Readonly<Record<string, Readonly<Record<string, number>>>>;
export type TermEntry = readonly [term: string, postings: Postings];

/** MiniSearch's serialised form (version 2) with an empty `index`: the terms come in shards. */
export interface KeywordBase {
  readonly documentCount: number;
  readonly nextId: number;
  readonly documentIds: Readonly<Record<string, number>>;
  readonly fieldIds: Readonly<Record<string, number>>;
  readonly fieldLength: Readonly<Record<string, readonly number[]>>;
  readonly averageFieldLength: readonly number[];
  readonly storedFields: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly dirtCount: number;
  readonly index: readonly TermEntry[];
  readonly serializationVersion: number;
}

export interface KeywordIndex {
  readonly miniSearch: MiniSearch;
  readonly base: KeywordBase;
  readonly postings: ReadonlyMap<string, Postings>;
  /** Ordinal → MiniSearch's own number of the chunk. */
  readonly shortIds: ReadonlyMap<number, string>;
}

/** In the order in which MiniSearch sums them. */
export const FIELDS = ["title", "text"] as const;
type Field = (typeof FIELDS)[number];

export const STOP_WORDS: ReadonlySet<string> = new Set(
  tokenize("a an and are as at be by did do does for how in is it of on or the to was were what which who"),
);

/** What MiniSearch must be given to index, or to load, a course. */
export const MINISEARCH_OPTIONS = {
  fields: [...FIELDS],
  tokenize,
  processTerm: (term: string) => term,
};

/** Put the base and the loaded terms together; a term given twice counts once. */
export function assembleKeywordIndex(base: KeywordBase, entries: Iterable<TermEntry>): KeywordIndex {
  const postings = new Map(entries);
  return {
    miniSearch: MiniSearch.loadJS({ ...base, index: [...postings] } as never, MINISEARCH_OPTIONS),
    base,
    postings,
    shortIds: new Map(Object.entries(base.documentIds).map(([short, ordinal]) => [ordinal, short])),
  };
}

/** The distinct terms of a question that is searched, in order: ask the index for the shards of these. */
export function queryTerms(question: string): string[] {
  return withoutStopWords([...new Set(tokenize(question))]);
}

function withoutStopWords(terms: string[]): string[] {
  const rest = terms.filter((term) => !STOP_WORDS.has(term));
  return rest.length > 0 ? rest : terms;
}

/**
 * Of a text that is still being typed: the finished terms, and the last one as a prefix ("" when there is none).
 *
 * The prefix of a compound is the whole of it: `zero_gr` may become zero_grad, whose parts say less.
 */
export function typedTerms(text: string): { terms: string[]; prefix: string } {
  const word = /[^ \t\n\r\f\v\u00a0\u2028\u2029\u3000]*$/.exec(text)?.[0] ?? "";
  const finished = tokenize(text.slice(0, text.length - word.length));
  const tokens = tokenize(word);
  const [first = ""] = tokens;
  const last = tokens.at(-1) ?? "";
  const compound = first.includes(last);
  const prefix = typedPrefix(compound ? first : last);
  // One letter begins too many words to be of any use.
  const tooShort = /^[a-z]?$/.test(prefix);
  const terms = new Set([
    ...finished,
    ...(compound ? [] : tokens.slice(0, -1)),
    ...(tooShort && prefix ? [prefix] : []),
  ]);
  return { terms: withoutStopWords([...terms]), prefix: tooShort ? "" : prefix };
}

export interface KeywordResult {
  readonly terms: readonly QueryTerm[];
  readonly hits: readonly KeywordHit[];
}

/**
 * The best `settings.depth` chunks of a submitted question: OR of its terms, no prefix, no fuzziness. First the sections
 * of which the question is the heading, then by score; of two alike the one of lower ordinal.
 *
 * @param allowed ordinals that a filter lets through; null for all. Weights and lengths are the whole course's.
 */
export function keyword(
  index: KeywordIndex,
  question: string,
  settings: KeywordSettings,
  chunk: (ordinal: number) => ChunkRef,
  allowed: ReadonlySet<number> | null = null,
): KeywordResult {
  const terms = queryTerms(question);
  const hits = rank(index, question, terms, terms, settings, chunk, within(allowed));
  const weighed = terms.map((term) => [weigh(index, term, "title"), weigh(index, term, "text")] as const);
  const fields = weighed.flat();
  return {
    terms: weighed.map(([title, text]) => queryTerm(title, text)),
    hits: hits.map((hit) => ({ ...hit, terms: contributions(index, hit.ordinal, fields, settings) })),
  };
}

/** The same while the reader types: the last word may be the beginning of one. Contributions are left empty. */
export function keywordAsYouType(
  index: KeywordIndex,
  text: string,
  settings: KeywordSettings,
  chunk: (ordinal: number) => ChunkRef,
  allowed: ReadonlySet<number> | null = null,
): readonly KeywordHit[] {
  const { terms, prefix } = typedTerms(text);
  const all = prefix ? [...terms.filter((term) => term !== prefix), prefix] : terms;
  return rank(index, text, all, queryTerms(text), settings, chunk, {
    ...within(allowed),
    prefix: (_term, place) => prefix !== "" && place === all.length - 1,
  });
}

function within(allowed: ReadonlySet<number> | null): SearchOptions {
  return allowed ? { filter: ({ id }) => allowed.has(id) } : {};
}

function rank(
  index: KeywordIndex,
  question: string,
  terms: readonly string[],
  titleTerms: readonly string[],
  settings: KeywordSettings,
  chunk: (ordinal: number) => ChunkRef,
  options: SearchOptions,
): KeywordHit[] {
  if (terms.length === 0) return [];
  const titled = titledBy(index, question, titleTerms, chunk);
  const found = index.miniSearch.search(question, {
    combineWith: "OR",
    prefix: false,
    fuzzy: false,
    bm25: { k: settings.k1, b: settings.b, d: settings.d },
    // MiniSearch reads a boost of 0 as none, so a field without weight must be left out.
    fields: settings.boost_title === 0 ? ["text"] : [...FIELDS],
    boost: { title: settings.boost_title },
    ...options,
    tokenize: () => [...terms],
    processTerm: (term) => term,
  });
  return found
    .map(({ id, score, queryTerms: matched }) => ({
      ordinal: id as number,
      score: settings.divide_by_matched_terms ? score / matched.length : score,
      exact: titled.has(id as number),
      matched: matched.length,
    }))
    .sort((a, b) => Number(b.exact) - Number(a.exact) || b.score - a.score || a.ordinal - b.ordinal)
    .slice(0, settings.depth)
    .map(({ ordinal, score, exact, matched }, place) => ({
      ordinal,
      id: chunk(ordinal).id,
      rank: place + 1,
      score,
      exact_title: exact,
      matched_terms: matched,
      terms: [],
    }));
}

/** The chunks whose own heading is, token for token, the question. */
function titledBy(
  index: KeywordIndex,
  question: string,
  terms: readonly string[],
  chunk: (ordinal: number) => ChunkRef,
): ReadonlySet<number> {
  const titles = terms.map((term) => weigh(index, term, "title"));
  const [shortest, ...others] = titles.sort((a, b) => a.chunks - b.chunks);
  const found = new Set<number>();
  if (!shortest || shortest.chunks === 0) return found;
  const tokens = tokenize(question).join("\n");
  for (const short of Object.keys(shortest.postings)) {
    const ordinal = index.base.documentIds[short];
    if (ordinal === undefined || !others.every(({ postings }) => short in postings)) continue;
    if (tokenize(chunk(ordinal).path.at(-1) ?? "").join("\n") === tokens) found.add(ordinal);
  }
  return found;
}

/** A term in one field: which chunks hold it how often, and its weight. */
interface Weighed {
  readonly term: string;
  readonly field: Field;
  readonly postings: Readonly<Record<string, number>>;
  readonly chunks: number;
  /** ln(1 + (N − n + 0.5) / (n + 0.5)); 0 when no chunk has the term in that field. */
  readonly idf: number;
}

function weigh(index: KeywordIndex, term: string, field: Field): Weighed {
  const postings = index.postings.get(term)?.[String(index.base.fieldIds[field])] ?? {};
  const chunks = Object.keys(postings).length;
  const idf = chunks === 0 ? 0 : Math.log(1 + (index.base.documentCount - chunks + 0.5) / (chunks + 0.5));
  return { term, field, postings, chunks, idf };
}

/** Mean number of unique tokens of each field; 0 where the index has none. */
export function averageLengths({ averageFieldLength, fieldIds }: KeywordBase): Record<Field, number> {
  const of = (field: Field): number => averageFieldLength[fieldIds[field] ?? -1] ?? 0;
  return { title: of("title"), text: of("text") };
}

/**
 * Weight of each term of a question: its IDF in the texts; of one that is in no text, that of the rarest possible.
 *
 * @param chunks in the index
 */
export function termWeights(terms: readonly QueryTerm[], chunks: number): number[] {
  const rarest = Math.log(1 + (chunks + 0.5) / 0.5);
  return terms.map(({ text_chunks, text_idf }) => (text_chunks > 0 ? text_idf : rarest));
}

/** Weight of a term in the chunks' texts; 0 when it is in none. */
export function idf(index: KeywordIndex, term: string): number {
  return weigh(index, term, "text").idf;
}

/** Weight of a term in the texts; of one that stands in none, what the rarest would have. */
export function rarity(index: KeywordIndex, term: string): number {
  return idf(index, term) || Math.log(1 + (index.base.documentCount + 0.5) / 0.5);
}

function queryTerm(title: Weighed, text: Weighed): QueryTerm {
  return {
    term: title.term,
    title_chunks: title.chunks,
    text_chunks: text.chunks,
    title_idf: title.idf,
    text_idf: text.idf,
  };
}

/** What each term adds to a hit, in the unit of its score. */
function contributions(
  index: KeywordIndex,
  ordinal: number,
  weighed: readonly Weighed[],
  settings: KeywordSettings,
): TermContribution[] {
  const { k1, b, d } = settings;
  const short = index.shortIds.get(ordinal) ?? "";
  const found: TermContribution[] = [];
  for (const { term, field, postings, idf } of weighed) {
    const frequency = postings[short];
    const boost = field === "title" ? settings.boost_title : 1;
    if (frequency === undefined || boost === 0) continue;
    const place = index.base.fieldIds[field] ?? 0;
    const length = index.base.fieldLength[short]?.[place] ?? 0;
    const average = index.base.averageFieldLength[place] ?? 1;
    const saturation = d + (frequency * (k1 + 1)) / (frequency + k1 * (1 - b + (b * length) / average));
    found.push({ term, field, frequency, length, score: boost * (idf * saturation) });
  }
  const matched = new Set(found.map(({ term }) => term)).size;
  const factor = settings.divide_by_matched_terms ? 1 : matched;
  return found.map((one) => ({ ...one, score: one.score * factor }));
}
