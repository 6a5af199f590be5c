/**
 * What `openbook build` writes below `index/`; the mirror of `build/openbook/index/manifest.py`.
 *
 * Keys are in snake case, as in the files. Everything here has been checked by `load.ts` before it is used.
 */

import type { ListedFile } from "../download/download";
import type { GateThreshold, RetrievalSettings, VerbatimLines } from "../retrieval/trace";
import type { PackedEntry } from "./postings";

/** Of the manifest; a page reads exactly one. */
export const INDEX_SCHEMA = 1;

export interface CourseInfo {
  readonly title: string;
  /** BCP 47. */
  readonly language: string;
}

export interface Counts {
  readonly lectures: number;
  readonly documents: number;
  readonly chunks: number;
}

export interface ModelInfo {
  readonly name: string;
  readonly revision: string;
  /** Below `models/` in the site. */
  readonly folder: string;
  /** Of the ONNX file. */
  readonly sha256: string;
  readonly dims: number;
  readonly pooling: "mean" | "cls";
  readonly normalize: boolean;
  /** Word pieces read of a text, special tokens included. */
  readonly max_tokens: number;
  readonly precision: string;
  /** Primary subtags of the languages that it knows; empty when not said. */
  readonly languages: readonly string[];
}

export interface TokenizerInfo {
  readonly name: string;
  readonly fingerprint: string;
}

/** A sentence and the vector that the encoder gave for it at build time. */
export interface Probe {
  readonly text: string;
  /** Little-endian float32, base64. */
  readonly vector: string;
}

/** Terms from `first` to `last`, in UTF-16 order. */
export interface TermShard {
  readonly first: string;
  readonly last: string;
  /** Logical name: a key of `Manifest.files`. */
  readonly file: string;
}

/** The model that reads question and passage together; its files are `cross-encoder/…`. */
export interface CrossEncoderInfo {
  readonly name: string;
  readonly revision: string;
  /** Below `models/` in the site. */
  readonly folder: string;
  /** Of the ONNX file. */
  readonly sha256: string;
  /** Word pieces read of question and passage, special tokens included. */
  readonly max_tokens: number;
  readonly precision: string;
  /** A question, a passage, and the score that the model gave them at build time. */
  readonly probe: readonly [question: string, passage: string, score: number];
}

/** Where the signs of the chunks' word pieces are. */
export interface TokenVectorsInfo {
  /** The directory: a key of `Manifest.files`. */
  readonly file: string;
  /** Of all shards, which the directory lists. */
  readonly bytes: number;
  readonly shards: number;
}

/** `token-vectors-<hash>.json`: see `build/openbook/index/token_vectors.py`. */
export interface TokenVectorsFile {
  /** Directions a piece. */
  readonly bits: number;
  /** Of each chunk, one a word piece. */
  readonly rows: readonly number[];
  /** Of each shard the first chunk. */
  readonly first: readonly number[];
  /** The first 16 bytes of each shard's, one after the other, in base64; 12 digits of it are in the file's name. */
  readonly sha256: string;
  /** In how many chunks each piece stands; ids as differences to the one before. */
  readonly pieces: { readonly gaps: readonly number[]; readonly chunks: readonly number[] };
}

/** Passages of the chunks `first` and on. */
export interface PassageShard {
  readonly first: number;
  readonly count: number;
  readonly file: string;
}

export interface Manifest {
  readonly schema: typeof INDEX_SCHEMA;
  readonly as_of: string;
  readonly course: CourseInfo;
  readonly counts: Counts;
  /** Hash of the chunks, by which the gate's threshold knows what it was found on. */
  readonly corpus: string;
  readonly model: ModelInfo;
  readonly tokenizer: TokenizerInfo;
  readonly retrieval: RetrievalSettings;
  readonly gate: GateThreshold | null;
  readonly probes: readonly Probe[];
  readonly catalogue: string;
  readonly keyword: { readonly base: string; readonly shards: readonly TermShard[] };
  readonly vectors: string;
  readonly passages: readonly PassageShard[];
  /** Null when the index was built without late interaction. */
  readonly token_vectors: TokenVectorsInfo | null;
  /** Null when the reader is offered none. */
  readonly cross_encoder: CrossEncoderInfo | null;
  /** The engines on offer (`generation/offer.ts`), a key of `files`; null when there are none. */
  readonly generation: string | null;
  /** The other files of the site (`offline/site_files.ts`), a key of `files`; null when it is not to be kept. */
  readonly offline: string | null;
  /** By logical name. */
  readonly files: Readonly<Record<string, ListedFile>>;
  /** Of a `PlaneFile`; null in an index without chunks. */
  readonly plane: string | null;
  /** What the lectures were read from: paths, SHA-256, days of the last change; null in an index that does not say. */
  readonly sources: string | null;
  /** Of a `GoldScores`; null in a course without a gold set. */
  readonly gold: string | null;
  /** Of a `FormulasFile`; null or left out in a course without formulas. */
  readonly formulas?: string | null;
  /** Questions that the page offers, each checked by the build; none in a course without a gold set. */
  readonly examples: readonly Example[];
}

/** A question that shows what a stage is for. */
export interface Example {
  readonly question: string;
  readonly kind: "identifier" | "paraphrase" | "near-duplicate" | "both-searches" | "follow-up" | "not-in-the-notes";
  readonly stage: "keyword" | "embed" | "rerank" | "fuse" | "gate";
  /** The second turn of a conversation that begins with the question; "" for one that stands alone. */
  readonly follow_up: string;
}

/** An element of MathML: its name, its attributes and its children; or text. */
export type FormulaTree = string | readonly [string, Readonly<Record<string, string>>, ...FormulaTree[]];

/** `formulas-<hash>.json`: TeX, as passages have it, and what it is set as; see `build/openbook/pages/formulas.py`. */
export interface FormulasFile {
  readonly formulas: readonly (readonly [tex: string, tree: FormulaTree])[];
}

/** `gold-<hash>.json`: what the gate saw of the gold set's questions when the site was built. */
export interface GoldScores {
  readonly by: "cosine" | "answerability";
  readonly scores: readonly number[];
  readonly answerable: readonly boolean[];
  /** Whether the threshold was chosen without the question. */
  readonly test: readonly boolean[];
}

/** `plane-<hash>.json`: see `build/openbook/index/plane.py`. Arrays are little-endian float32 in base64. */
export interface PlaneFile {
  readonly dims: number;
  /** Share of the vectors' variance along each axis, from 0 to 1. */
  readonly variance: readonly [number, number];
  /** [dims] */
  readonly mean: string;
  /** [2, dims] */
  readonly components: string;
  /** [chunks, 2] */
  readonly points: string;
}

export interface LectureEntry {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly week: number | null;
  readonly tags: readonly string[];
  readonly release: string | null;
  readonly notes: string | null;
  readonly slides: string | null;
  /** ISO dates of their last change; null where nothing says it. */
  readonly notes_updated: string | null;
  readonly slides_updated: string | null;
}

/** `catalogue-<hash>.json`: all that a list of results needs before passages load, by column. */
export interface CatalogueFile {
  readonly lectures: readonly LectureEntry[];
  readonly headings: readonly string[];
  /** A chunk's id and url follow from these: see `catalogue.ts`. */
  readonly chunks: {
    /** Position in `lectures`. */
    readonly lecture: readonly number[];
    /** 0 notes, 1 slides. */
    readonly kind: readonly (0 | 1)[];
    /** Positions in `headings`. */
    readonly path: readonly (readonly number[])[];
    readonly anchor: readonly string[];
    readonly part: readonly number[];
    readonly parts: readonly number[];
  };
}

/** `terms-<k>-<hash>.json`; see `postings.ts`. */
export type TermsFile = readonly PackedEntry[];

export interface PassageEntry {
  readonly text: string;
  readonly source: string;
  readonly start_line: number;
  readonly end_line: number;
  /** Left out when there are none. */
  readonly verbatim?: readonly VerbatimLines[];
}

export interface PassagesFile {
  readonly first: number;
  readonly passages: readonly PassageEntry[];
}
