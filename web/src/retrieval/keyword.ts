/** Keyword search: MiniSearch's BM25 over the serialised index that the build wrote. */

import MiniSearch from "minisearch";
import type { ChunkRef } from "./collection";
import type { KeywordHit, KeywordSettings, QueryTerm } from "./trace";

/** `{field id: {short id: term frequency}}`: "0" is the title (heading path), "1" the text. */
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
}

/** Put the base and the loaded terms together; a term given twice counts once. */
export function assembleKeywordIndex(base: KeywordBase, entries: Iterable<TermEntry>): KeywordIndex {
  throw new Error(`not built yet: ${base} ${entries} ${MiniSearch}`);
}

/** The distinct terms of a question that is searched, in order: ask the index for the shards of these. */
export function queryTerms(question: string): string[] {
  throw new Error(`not built yet: ${question}`);
}

/** Of a text that is still being typed: the finished terms, and the last one as a prefix ("" when there is none). */
export function typedTerms(text: string): { terms: string[]; prefix: string } {
  throw new Error(`not built yet: ${text}`);
}

export interface KeywordResult {
  readonly terms: readonly QueryTerm[];
  readonly hits: readonly KeywordHit[];
}

/** The best `settings.depth` chunks of a submitted question: OR of its terms, no prefix, no fuzziness. */
export function keyword(
  index: KeywordIndex,
  question: string,
  settings: KeywordSettings,
  chunk: (ordinal: number) => ChunkRef,
): KeywordResult {
  throw new Error(`not built yet: ${index} ${question} ${settings} ${chunk}`);
}

/** The same while the reader types: the last word may be the beginning of one. Contributions are left empty. */
export function keywordAsYouType(
  index: KeywordIndex,
  text: string,
  settings: KeywordSettings,
  chunk: (ordinal: number) => ChunkRef,
): readonly KeywordHit[] {
  throw new Error(`not built yet: ${index} ${text} ${settings} ${chunk}`);
}
