/**
 * The record of one question: what every stage got, did and gave, with its time.
 *
 * The blocks on the page draw it, "export" writes it, `openbook verify` compares it with the one that
 * `build/openbook/retrieval/trace.py` describes: the same keys there and here, which is why they are in snake case.
 *
 * Times are milliseconds of the clock that was passed in; `started_ms` counts from the question.
 * Ranks are 1-based. An ordinal is a chunk's position in the index. Character offsets count UTF-16 code units.
 */

import type { Filter } from "./filter";

export const TRACE_SCHEMA = 1;

export type Kind = "notes" | "slides";

export interface KeywordSettings {
  readonly depth: number;
  readonly k1: number;
  readonly b: number;
  readonly d: number;
  readonly boost_title: number;
  readonly divide_by_matched_terms: boolean;
}

export interface DenseSettings {
  readonly depth: number;
}

export interface FusionSettings {
  readonly k: number;
  readonly keyword_weight: number;
  readonly dense_weight: number;
}

export type RerankMode = "off" | "late-interaction" | "cross-encoder";

export interface RerankSettings {
  readonly mode: RerankMode;
  readonly depth: number;
  readonly keyword_weight: number;
  readonly cosine_weight: number;
  readonly cross_depth: number;
}

export interface GateSettings {
  readonly cosine: number | null;
  readonly answerability: number | null;
  readonly cross_encoder: number | null;
  /** What becomes of an index whose thresholds were found on something else. */
  readonly stale: "refuse" | "warn";
}

export interface PromptSettings {
  readonly passages: number;
  readonly min_words: number;
  readonly max_words: number;
  readonly max_tokens: number;
  /** Share of the best passage's MaxSim below which one is left out. */
  readonly floor: number;
  /** Share of a text that makes it another one's duplicate. */
  readonly duplicate: number;
  /** That a model is to answer in; "" for that of the prompt, English. */
  readonly language: string;
}

export interface CheckSettings {
  readonly words: number;
  readonly supported: number;
  readonly weak: number;
  readonly supported_by_words: number;
  readonly weak_by_words: number;
}

/** `[retrieval]` of openbook.toml, as the manifest carries it. */
export interface RetrievalSettings {
  readonly keyword: KeywordSettings;
  readonly dense: DenseSettings;
  readonly fusion: FusionSettings;
  readonly rerank: RerankSettings;
  readonly gate: GateSettings;
  readonly prompt: PromptSettings;
  readonly check: CheckSettings;
}

/** `language`: the encoder does not know the course's language, so that its scores close no gate. */
export type ThresholdSource = "calibrated" | "configured" | "default" | "language";

/** The gate's thresholds and what they were found on; from the manifest. */
export interface GateThreshold {
  /** For the best cosine, where there is no late interaction. */
  readonly cosine: number;
  readonly source: ThresholdSource;
  readonly corpus: string;
  readonly model: string;
  readonly tokenizer: string;
  /** For the question's answerability; null for an index without token vectors. */
  readonly answerability: number | null;
  readonly answerability_source: ThresholdSource;
  /** For the best score of the cross-encoder; null where there is none, or none is known. */
  readonly cross_encoder: number | null;
  readonly cross_encoder_source: ThresholdSource;
}

export type GateScore = "cosine" | "answerability" | "cross_encoder";

export type StageName =
  | "keyword"
  | "embed"
  | "dense"
  | "fuse"
  | "rerank"
  | "gate"
  | "prompt"
  | "answer"
  | "generate"
  | "check";

/** `off`: switched off in the settings. `skipped`: an earlier stage made it pointless; `reason` says which. */
export type StageState = "done" | "off" | "skipped";

interface StageBase {
  readonly state: StageState;
  /** Why the stage was skipped; empty when it was done. */
  readonly reason: string;
  readonly started_ms: number;
  readonly ms: number;
  /** How many things went in, and came out. */
  readonly input: number;
  readonly output: number;
}

interface Hit {
  readonly ordinal: number;
  readonly id: string;
  readonly rank: number;
  readonly score: number;
}

/** A term of the question: in how many chunks it stands, by field, and the weight that follows from it. */
export interface QueryTerm {
  readonly term: string;
  readonly title_chunks: number;
  readonly text_chunks: number;
  readonly title_idf: number;
  readonly text_idf: number;
}

/** What one term in one field adds to a hit's score. */
export interface TermContribution {
  readonly term: string;
  readonly field: "title" | "text";
  readonly frequency: number;
  /** Unique tokens in this field of this chunk. */
  readonly length: number;
  readonly score: number;
}

export interface KeywordHit extends Hit {
  /** The question is this section's heading: it goes before every other. */
  readonly exact_title: boolean;
  readonly matched_terms: number;
  readonly terms: readonly TermContribution[];
}

export interface DenseHit extends Hit {}

export interface FusedHit extends Hit {
  /** Rank in each list, or null when it is not in it; and what that rank adds to the score. */
  readonly keyword_rank: number | null;
  readonly dense_rank: number | null;
  readonly keyword_score: number;
  readonly dense_score: number;
}

/** `score` is the sum of the three, or the cross-encoder's, or, of a hit that was not reranked, fusion's. */
export interface RerankHit extends Hit {
  readonly rank_before: number;
  /** MaxSim, which the gate goes by for the most part; null for a hit that was not reranked by it. */
  readonly late_interaction: number | null;
  /** MaxSim in which a match counts its neighbours too, which the order goes by; null as well. */
  readonly in_order: number | null;
  /** What the hit's place in those lists adds. */
  readonly keyword_score: number;
  readonly cosine_score: number;
  /** Score of the cross-encoder, a logit; null for a hit that was not reranked by it. */
  readonly cross_encoder: number | null;
}

/** A word piece of the question: in how many chunks it stands, and the weight that follows from it. */
export interface QuestionPiece {
  readonly piece: string;
  readonly chunks: number;
  readonly weight: number;
}

export interface KeywordStage extends StageBase {
  readonly name: "keyword";
  readonly parameters: KeywordSettings;
  /** Unique tokens of a field, over all chunks; with the hits' frequencies and lengths all that BM25 needs. */
  readonly average_lengths: { readonly title: number; readonly text: number };
  readonly terms: readonly QueryTerm[];
  readonly hits: readonly KeywordHit[];
}

export interface EmbedStage extends StageBase {
  readonly name: "embed";
  readonly dims: number;
  /** Word pieces of the question, special tokens not counted. */
  readonly tokens: number;
  /** How long the question waited for the encoder to load; not part of `ms`. */
  readonly waited_ms: number;
}

export interface DenseStage extends StageBase {
  readonly name: "dense";
  readonly parameters: DenseSettings;
  readonly hits: readonly DenseHit[];
}

export interface FuseStage extends StageBase {
  readonly name: "fuse";
  readonly parameters: FusionSettings;
  readonly hits: readonly FusedHit[];
}

export interface RerankStage extends StageBase {
  readonly name: "rerank";
  /** `mode` is what was done. */
  readonly parameters: RerankSettings;
  readonly hits: readonly RerankHit[];
  /** Of the question, special tokens left out; none without late interaction. */
  readonly pieces: readonly QuestionPiece[];
}

export interface GateStage extends StageBase {
  readonly name: "gate";
  readonly parameters: { readonly threshold: number; readonly source: GateThreshold["source"] } | null;
  /** Null when the stage was skipped: without a cosine nothing can be said. */
  readonly open: boolean | null;
  /** Best cosine of the dense list. */
  readonly cosine: number | null;
  /** Of the score that decides over its threshold: negative when the gate is closed. */
  readonly margin: number | null;
  /** Best MaxSim among the reranked hits; null when there was no late interaction. */
  readonly late_interaction: number | null;
  /**
   * Share of the question's terms, by their IDF, that stand anywhere in the course; of several queries the greatest.
   * Null when the stage was skipped.
   */
  readonly coverage: number | null;
  /** Words of that query that stand nowhere in the course, nor any part of them, as they were typed. */
  readonly absent: readonly string[];
  /** Of both; null when there was no late interaction. */
  readonly answerability: number | null;
  /** Which of the scores was compared with `parameters.threshold`. */
  readonly decided_by: GateScore;
  /** Best score of the cross-encoder; null when there was none. */
  readonly cross_encoder: number | null;
}

/** A passage that is not in the prompt. */
export interface DroppedPassage {
  readonly number: number;
  readonly reason: "below-floor" | "duplicate" | "no-room";
  /** Its share of the best one's MaxSim, or of its text that the other has; null for one without room. */
  readonly value: number | null;
  /** Number of the other. */
  readonly of: number | null;
}

export interface PromptPart {
  readonly kind: "instruction" | "history" | "question" | "begin" | "passage" | "end";
  /** Of a passage, its number; else null. */
  readonly number: number | null;
  readonly text: string;
  readonly tokens: number;
}

export interface PromptStage extends StageBase {
  readonly name: "prompt";
  readonly parameters: PromptSettings;
  /** Verbatim: the parts, an empty line between each two. */
  readonly text: string;
  readonly tokens: number;
  /** The budget that each passage was cut to. */
  readonly words: number;
  readonly parts: readonly PromptPart[];
  /** The passages that are not in it, and why. */
  readonly dropped: readonly DroppedPassage[];
}

export type VerbatimKind = "code" | "table" | "math";
export type SpanKind = "sentence" | VerbatimKind;

/** First and last line of a chunk's text, counted from 0, and what they are instead of prose. */
export type VerbatimLines = readonly [first: number, last: number, kind: VerbatimKind];

/** A sentence quoted verbatim from a passage, or a block of code, a table or a formula, which keeps its line ends. */
export interface AnswerSentence {
  /** Of the passage that it is cited as. */
  readonly number: number;
  readonly ordinal: number;
  readonly kind: SpanKind;
  /** Offsets in the text of the chunk `ordinal`. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly score: number;
  /** Terms of the question that it holds. */
  readonly terms: readonly string[];
  /** Its MaxSim with the question; null without token vectors. */
  readonly late_interaction: number | null;
}

export interface AnswerStage extends StageBase {
  readonly name: "answer";
  /** Each sentence followed by its number in brackets. */
  readonly text: string;
  readonly sentences: readonly AnswerSentence[];
  /** How many more would have been quoted, had they been good enough. */
  readonly below_floor: number;
}

/**
 * An answer by a language model. Not a stage of every question: it is there when the reader has asked for one, and
 * `started_ms` counts from the press. Input and output are tokens, 0 where the engine does not count them.
 */
export interface GenerateStage extends StageBase {
  readonly name: "generate";
  /** Who ran it: "webllm", "wllama", "built-in", "address". */
  readonly engine: string;
  /** As the engine knows it. */
  readonly model: string;
  /** What the model was given, verbatim: the prompt stage's text, or that prompt cut to the model's own context. */
  readonly prompt: string;
  /** Null where the engine does not say; of the whole conversation, so more than the prompt's. */
  readonly prompt_tokens: number | null;
  readonly answer_tokens: number | null;
  readonly first_token_ms: number | null;
  /** Tokens a second. */
  readonly prompt_rate: number | null;
  readonly answer_rate: number | null;
  readonly finish: "stop" | "length" | "aborted";
  /** Verbatim; may be empty. */
  readonly text: string;
}

export type Verdict = "supported" | "weak" | "unsupported" | "uncited" | "unknown-citation" | "no-claim";

/** The sentence of a passage that supports one of an answer best; offsets in the text of the chunk `ordinal`. */
export interface Evidence {
  readonly number: number;
  readonly ordinal: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Why a sentence is less than supported. */
export interface Objection {
  readonly kind: "number" | "negation" | "opposite" | "citation";
  /** The number that does not stand near, the word that one of the two denies, the pair, the number of no passage. */
  readonly what: string;
}

/** A sentence of an answer and what was found for it. */
export interface CheckedSentence {
  /** Offsets in the answer, citations included. */
  readonly start: number;
  readonly end: number;
  /** Without citations. */
  readonly text: string;
  readonly citations: readonly number[];
  readonly verdict: Verdict;
  /** Of the best sentence of the passages that it cites; of all, for one that cites none. */
  readonly score: number;
  /** Share of its words that stand there, weighted by rarity. */
  readonly words: number;
  /** Its MaxSim with that sentence; null without token vectors. */
  readonly late_interaction: number | null;
  /** Null where nothing is like it. */
  readonly evidence: Evidence | null;
  readonly objections: readonly Objection[];
}

/** The check of an answer that a model wrote: sentences in, supported ones out. */
export interface CheckStage extends StageBase {
  readonly name: "check";
  readonly parameters: CheckSettings;
  /** The answer that was checked. */
  readonly text: string;
  readonly sentences: readonly CheckedSentence[];
}

export type Stage =
  | KeywordStage
  | EmbedStage
  | DenseStage
  | FuseStage
  | RerankStage
  | GateStage
  | PromptStage
  | AnswerStage
  | GenerateStage
  | CheckStage;

/** One numbered passage: a section, or the parts of a long one around the part that was found. */
export interface Passage {
  readonly number: number;
  /** The best-ranked chunk of the section. */
  readonly ordinal: number;
  /** Of its chunks, in reading order. */
  readonly ordinals: readonly number[];
  readonly id: string;
  /** As the prompt names it: lecture and section. */
  readonly label: string;
  readonly lecture: string;
  readonly kind: Kind;
  readonly path: readonly string[];
  readonly url: string;
  /** The parts' text, whole. */
  readonly text: string;
}

/** What a question was searched for as, where that is not how it was typed. */
export interface Rewrite {
  /** Each stands alone; the trace's stages are of the first, and from the gate on of all together. */
  readonly queries: readonly string[];
  /** For each of the other queries its stages, keyword to rerank. */
  readonly others: readonly (readonly Stage[])[];
  /** Of all together; the passages are chosen from these. */
  readonly hits: readonly RerankHit[];
}

/** A search that a language model asked for before it answered. */
export interface Hop {
  readonly query: string;
  /** From the model's asking to the passages. */
  readonly ms: number;
  /** What the query did; none when it failed. */
  readonly stages: readonly Stage[];
  /** Numbers of the passages that it added. */
  readonly added: readonly number[];
}

export interface Trace {
  readonly schema: typeof TRACE_SCHEMA;
  /** As it was typed. */
  readonly question: string;
  readonly as_of: string;
  readonly settings: RetrievalSettings;
  /** In the order of `StageName`; `generate` and what follows only when a model was asked. */
  readonly stages: readonly Stage[];
  /** The numbered passages, whether or not the gate opened; best first. */
  readonly passages: readonly Passage[];
  /** What part of the course was searched; null for all of it. */
  readonly filter: Filter | null;
  /** Null when it was searched for as it was typed. */
  readonly rewrite: Rewrite | null;
  /** Searches of a model that was let to dig deeper, in order; the passages hold what they added. */
  readonly hops: readonly Hop[];
}

/** The stage of that name, typed. */
export function stageOf<N extends StageName>(trace: Trace, name: N): Extract<Stage, { name: N }> | undefined {
  return trace.stages.find((stage): stage is Extract<Stage, { name: N }> => stage.name === name);
}
