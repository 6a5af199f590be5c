/** What passes between the page and its worker. Plain data both ways; the worker answers in any order. */

import type { Memory } from "./conversation/memory";
import type { EncoderProgress } from "./encoder/encoder";
import type { LoadProgress } from "./encoder/files";
import type { ErrorRecord } from "./errors";
import type { Block, Mark } from "./highlight";
import type { CatalogueFile, GoldScores, Manifest } from "./index/schema";
import type { Filter } from "./retrieval/filter";
import type { Before } from "./retrieval/follow_up";
import type { PassageTexts } from "./retrieval/passages";
import type {
  CheckedSentence,
  CheckStage,
  KeywordHit,
  Passage,
  RerankMode,
  Stage,
  StageName,
  Trace,
} from "./retrieval/trace";
import type { Traffic } from "./traffic";

/** Numbers questions, typed or asked, in order: an answer to an older one is dropped on both sides. */
export type Turn = number;

/** How many keyword hits get their text; a list names the next ones without. */
export const SHOWN = 5;

export type ToWorker =
  /**
   * First message, once. `root` is the absolute address of the site's root; `manifest` that of the page, when another
   * worker has read it before.
   */
  | { readonly type: "open"; readonly root: string; readonly manifest?: Manifest }
  /** Is anybody there? */
  | { readonly type: "ping" }
  /** The text in the box, while it is typed. */
  | { readonly type: "type"; readonly turn: Turn; readonly text: string; readonly filter: Filter | null }
  /**
   * `useEncoder` false: keyword search alone, as long as the reader has not agreed to the download. `rerank` null: as
   * the site is set; "cross-encoder" loads it. `queries` are searched for instead of the question, none for the question
   * itself; null for those that the question and the turn `before` it give.
   */
  | {
      readonly type: "ask";
      readonly turn: Turn;
      readonly question: string;
      readonly useEncoder: boolean;
      readonly rerank: RerankMode | null;
      readonly filter: Filter | null;
      readonly queries: readonly string[] | null;
      readonly before: Before | null;
      /** What the prompt tells of the conversation; null for nothing. */
      readonly memory: Memory | null;
    }
  /** How the question and one chunk met, piece by piece. */
  | { readonly type: "compare"; readonly turn: Turn; readonly question: string; readonly ordinal: number }
  /** The texts of a trace's passages, part by part, for a prompt that is assembled anew and for the check. */
  | { readonly type: "passage-texts"; readonly request: number; readonly trace: Trace }
  /** Search for what a model asks for: no turn of its own. */
  | {
      readonly type: "search";
      readonly request: number;
      readonly query: string;
      readonly rerank: RerankMode | null;
      readonly filter: Filter | null;
    }
  /** Where all chunks stand, and the question among them; null when no question has been embedded. */
  | { readonly type: "survey"; readonly turn: Turn; readonly question: string | null }
  /** What the gate saw of the course's own questions. */
  | { readonly type: "gold" }
  /**
   * Check what a model has written so far; `done` when that is all. `trace` begins the check of another answer, with
   * the numbers of the passages that the model was given.
   */
  | {
      readonly type: "check";
      readonly turn: Turn;
      readonly trace: Trace | null;
      readonly shown: readonly number[];
      readonly text: string;
      readonly done: boolean;
    }
  /** The box was cleared: whatever runs is not wanted any more. */
  | { readonly type: "drop"; readonly turn: Turn }
  /** Another box of the same page asks too, through the port that comes with this message. */
  | { readonly type: "join" }
  /** Load the encoder now. */
  | { readonly type: "load-encoder" }
  /** Which files the worker has fetched. */
  | { readonly type: "fetched" };

/** A passage's text as a list shows it. */
export interface ShownText {
  readonly text: string;
  readonly marks: readonly Mark[];
  /** Code, tables and formulas, whose line ends matter. */
  readonly verbatim: readonly Block[];
}

/** The question's word pieces against one chunk's: what late interaction compared. */
export interface Comparison {
  readonly ordinal: number;
  readonly question: readonly string[];
  readonly weights: readonly number[];
  /** In reading order, heading path first. */
  readonly passage: readonly string[];
  /** Estimated cosines with those of the neighbours, row after row, a row a piece of the question. */
  readonly matches: Float64Array;
  /** For each piece of the question its best match in the passage: value and place. */
  readonly best: Float64Array;
  readonly places: Int32Array;
  readonly score: number;
}

/** All chunks, as seen from the question; arrays are in the order of the index. */
export interface Survey {
  /** [chunks × 2]: the chunks on the plane of greatest variance. */
  readonly points: Float32Array;
  /** Share of the variance along each of its axes. */
  readonly variance: readonly [number, number];
  /** The question on that plane, its cosine with every chunk, and how far int8 may have moved each cosine. */
  readonly question: {
    readonly point: readonly [number, number];
    readonly cosines: Float64Array;
    readonly errors: Float64Array;
  } | null;
}

/** A numbered passage with its words marked. */
export type ShownPassage = Passage & ShownText;

export type EncoderState =
  | (EncoderProgress & { readonly error: null })
  | { readonly phase: "failed"; readonly error: ErrorRecord };

export type CrossEncoderState =
  | (LoadProgress & { readonly error: null })
  | { readonly phase: "failed"; readonly error: ErrorRecord };

export type FromWorker =
  | {
      readonly type: "opened";
      readonly manifest: Manifest;
      readonly catalogue: CatalogueFile;
      /** Bytes of the encoder's files, or null when the manifest does not list them all. */
      readonly encoderBytes: number | null;
      readonly encoderKept: boolean;
      /** Bytes of the cross-encoder, or null when none is offered; and whether it is kept. */
      readonly crossBytes: number | null;
      readonly crossKept: boolean;
    }
  | { readonly type: "open-failed"; readonly error: ErrorRecord }
  /**
   * `texts[i]` belongs to `hits[i]`, null while it has not been loaded; shorter than `hits`, which are more than a list
   * shows. Comes a second time when the texts are here.
   */
  | {
      readonly type: "typed";
      readonly turn: Turn;
      readonly hits: readonly KeywordHit[];
      readonly texts: readonly (ShownText | null)[];
      /** Of the search alone, and with the files it had to wait for. */
      readonly ms: number;
      readonly total_ms: number;
    }
  /** What the question is searched for as; comes before the first stage, and not where it is searched for as typed. */
  | { readonly type: "searching"; readonly turn: Turn; readonly queries: readonly string[] }
  | { readonly type: "stage-started"; readonly turn: Turn; readonly stage: StageName }
  | { readonly type: "stage"; readonly turn: Turn; readonly stage: Stage }
  /** Texts of the first keyword hits, before the rest of the stages has run. */
  | { readonly type: "keyword-texts"; readonly turn: Turn; readonly texts: readonly ShownText[] }
  | { readonly type: "passages"; readonly turn: Turn; readonly passages: readonly ShownPassage[] }
  | { readonly type: "answered"; readonly turn: Turn; readonly trace: Trace }
  /** Comes behind the answer, and only where there is something to mend. */
  | { readonly type: "respelled"; readonly turn: Turn; readonly question: string }
  | { readonly type: "ask-failed"; readonly turn: Turn; readonly error: ErrorRecord }
  /** `comparison` null: the files could not be used, which a problem tells. */
  | { readonly type: "compared"; readonly turn: Turn; readonly ordinal: number; readonly comparison: Comparison | null }
  /** The sentences so far, and, when the answer was at its end, the stage. */
  | {
      readonly type: "checked";
      readonly turn: Turn;
      readonly sentences: readonly CheckedSentence[];
      readonly stage: CheckStage | null;
    }
  /** To the request of that number; `texts` null when a file could not be used, which a problem tells. */
  | { readonly type: "passage-texts"; readonly request: number; readonly texts: readonly PassageTexts[] | null }
  /** To the request of that number; null when it failed, which a problem tells. */
  | { readonly type: "found"; readonly request: number; readonly trace: Trace | null }
  | { readonly type: "encoder"; readonly state: EncoderState }
  | { readonly type: "cross-encoder"; readonly state: CrossEncoderState }
  /** `survey` null: the file could not be used, which a problem tells. */
  | { readonly type: "surveyed"; readonly turn: Turn; readonly survey: Survey | null }
  | { readonly type: "gold"; readonly scores: GoldScores | null }
  /** Everything that the worker has fetched so far. */
  | { readonly type: "traffic"; readonly traffic: Traffic }
  | { readonly type: "pong" }
  | { readonly type: "fetched"; readonly addresses: readonly string[] }
  /** A file that could not be used, and without which the search goes on. */
  | { readonly type: "problem"; readonly error: ErrorRecord };
