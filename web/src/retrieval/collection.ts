/**
 * What the stages need of an index and of an encoder. The page gives one that loads files when they are asked for,
 * a test one that holds a handful of chunks.
 */

import type { Vectors } from "./dense";
import type { KeywordIndex } from "./keyword";
import type { PieceWeights, QuestionPieces } from "./late_interaction";
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
  /** Of its lecture, as the tags are. */
  readonly week: number | null;
  readonly tags: readonly string[];
}

/** A chunk's text, and which of its lines are code, tables or formulas; absent when none is. */
export interface PassageText {
  readonly text: string;
  readonly verbatim?: readonly VerbatimLines[];
}

/** Signs of some chunks' word pieces, and how to weigh a question's. */
export interface TokenVectors {
  /** Directions a piece. */
  readonly bits: number;
  /** Of each chunk, row after row. */
  readonly signs: readonly Uint8Array[];
  readonly weights: PieceWeights;
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
  /** Of these chunks, in the order asked for; null when the index was built without late interaction. */
  tokenVectors(ordinals: readonly number[]): Promise<TokenVectors | null>;
  /** The chunks' texts, in the order asked for. */
  passages(ordinals: readonly number[]): Promise<readonly PassageText[]>;
}

/** The model that reads a question and a passage together. */
export interface CrossEncoder {
  /** Resolves when `score` may be called; rejects when it never may. */
  ready(): Promise<void>;
  /** A score of each passage, a logit, in their order; rejects with the signal's reason when it was aborted. */
  score(question: string, passages: readonly string[], signal?: AbortSignal): Promise<number[]>;
}

export interface Encoder {
  /** Resolves when `embed` and `countTokens` may be called; rejects when they never may. */
  ready(): Promise<void>;
  /** Unit-length vector of the question. */
  embed(question: string): Promise<Float32Array>;
  /** Its word pieces with their vectors, of the same pass through the model; no second one after `embed`. */
  pieces(question: string): Promise<QuestionPieces>;
  /** Word pieces of a text, special tokens not counted. */
  countTokens(text: string): number;
}
