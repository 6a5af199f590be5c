/**
 * What the stages need of an index and of an encoder. The page gives one that loads files when they are asked for,
 * a test one that holds a handful of chunks.
 */

import type { Vectors } from "./dense";
import type { KeywordIndex } from "./keyword";
import type { GateThreshold, Kind, RetrievalSettings, VerbatimLines } from "./trace";

/** What is known of a chunk before its passage has loaded. */
export interface ChunkRef {
  readonly id: string;
  readonly lecture: string;
  readonly lectureNumber: number;
  readonly kind: Kind;
  /** Heading path, from the document's title to the chunk's own heading. */
  readonly path: readonly string[];
  readonly anchor: string;
  /** 1-based. */
  readonly part: number;
  readonly parts: number;
  /** Relative to the site's root, not percent-encoded. */
  readonly url: string;
}

/** A chunk's text, and which of its lines are code, tables or formulas; absent when none is. */
export interface PassageText {
  readonly text: string;
  readonly verbatim?: readonly VerbatimLines[];
}

/** A loaded index, or one that loads what it is asked for. */
export interface SearchIndex {
  /** Number of chunks. */
  readonly size: number;
  readonly asOf: string;
  readonly settings: RetrievalSettings;
  /** From the manifest, and already checked against the model and corpus; null when there is none. */
  readonly gate: GateThreshold | null;
  chunk(ordinal: number): ChunkRef;
  /** The keyword index with (at least) the postings of these terms, and of every term that begins with `prefix`. */
  keyword(terms: readonly string[], prefix?: string): Promise<KeywordIndex>;
  vectors(): Promise<Vectors>;
  /** The chunks' texts, in the order asked for. */
  passages(ordinals: readonly number[]): Promise<readonly PassageText[]>;
}

export interface Encoder {
  /** Resolves when `embed` and `countTokens` may be called; rejects when they never may. */
  ready(): Promise<void>;
  /** Unit-length vector of the question. */
  embed(question: string): Promise<Float32Array>;
  /** Word pieces of a text, special tokens not counted. */
  countTokens(text: string): number;
}
