/**
 * What the page shows, as one value, and how each message from the worker changes it. Pure: the components draw it,
 * the session feeds it.
 */

import type { ErrorRecord } from "../errors";
import { Catalogue } from "../index/catalogue";
import type { GoldScores, Manifest } from "../index/schema";
import type {
  Comparison,
  CrossEncoderState,
  EncoderState,
  FromWorker,
  ShownPassage,
  ShownText,
  Survey,
  Turn,
} from "../protocol";
import type { Filter } from "../retrieval/filter";
import type { CheckedSentence, KeywordHit, RerankMode, Stage, StageName, StageState, Trace } from "../retrieval/trace";
import { NO_TRAFFIC, sum, type Traffic } from "../traffic";

export const STAGES: readonly StageName[] = [
  "keyword",
  "embed",
  "dense",
  "fuse",
  "rerank",
  "gate",
  "prompt",
  "answer",
  "generate",
  "check",
];

export type BlockState = "waiting" | "running" | "failed" | StageState;

/** One block of the flow. */
export interface Block {
  readonly state: BlockState;
  readonly stage: Stage | null;
}

export type Blocks = Readonly<Record<StageName, Block>>;

/** What is known of the index once it is open. */
export interface OpenIndex {
  readonly manifest: Manifest;
  readonly catalogue: Catalogue;
  readonly encoderBytes: number | null;
  readonly encoderKept: boolean;
  /** Null when the site offers no cross-encoder. */
  readonly crossBytes: number | null;
  readonly crossKept: boolean;
}

export interface Typed {
  readonly hits: readonly KeywordHit[];
  readonly texts: readonly (ShownText | null)[];
  readonly ms: number;
}

export interface State {
  readonly index: OpenIndex | null;
  readonly openError: ErrorRecord | null;
  readonly encoder: EncoderState;
  readonly crossEncoder: CrossEncoderState;
  /** How to rerank, as the reader chose; null for what the site is set to. */
  readonly rerank: RerankMode | null;
  /** What part of the course is searched; null for all of it. */
  readonly filter: Filter | null;
  /** Files that could not be used and without which the search goes on; each once. */
  readonly problems: readonly ErrorRecord[];
  /** The host has a newer version of the site than the one that is open. */
  readonly outdated: boolean;
  /** The newest text that the worker was given. */
  readonly turn: Turn;
  /** `idle`: the box is empty. `typing`: keyword results follow the text. `asked`: a question was sent. */
  readonly mode: "idle" | "typing" | "asked";
  readonly question: string;
  /** What it is searched for as; empty when as it was typed. */
  readonly queries: readonly string[];
  readonly typed: Typed | null;
  readonly blocks: Blocks;
  readonly keywordTexts: readonly ShownText[];
  readonly passages: readonly ShownPassage[] | null;
  readonly trace: Trace | null;
  /** The question with words of the course in place of such as are nowhere in it and nearly the same; null for none. */
  readonly respelled: string | null;
  /** What the heat map shows; null until a chunk was asked for, `failed` when it could not be had. */
  readonly comparison: Comparison | null;
  readonly comparing: "idle" | "running" | "failed";
  /** All chunks and the question among them; null until a block that draws them was opened. */
  readonly survey: Survey | null;
  readonly surveying: "idle" | "running" | "failed";
  /** Sentences of a model's answer, as far as they have been checked. */
  readonly checked: readonly CheckedSentence[];
  readonly askError: ErrorRecord | null;
  /** Of the course's own questions; null until the gate's block was opened, or where there are none. */
  readonly gold: GoldScores | null;
  /** What the page and its worker have fetched: each in all, and together before the question was asked. */
  readonly traffic: { readonly page: Traffic; readonly worker: Traffic; readonly before: Traffic };
}

const WAITING: Block = { state: "waiting", stage: null };

export const NO_BLOCKS: Blocks = Object.fromEntries(STAGES.map((name) => [name, WAITING])) as unknown as Blocks;

/** Of the state, what a question leaves: nothing yet. */
const NO_QUESTION = {
  mode: "idle",
  question: "",
  queries: [],
  typed: null,
  blocks: NO_BLOCKS,
  keywordTexts: [],
  passages: null,
  trace: null,
  respelled: null,
  comparison: null,
  comparing: "idle",
  survey: null,
  surveying: "idle",
  checked: [],
  askError: null,
} as const satisfies Partial<State>;

export const INITIAL: State = {
  index: null,
  openError: null,
  encoder: { phase: "idle", loaded: 0, total: 0, ms: null, probeCosine: null, error: null },
  crossEncoder: { phase: "idle", loaded: 0, total: 0, ms: null, error: null },
  rerank: null,
  filter: null,
  problems: [],
  outdated: false,
  turn: 0,
  gold: null,
  traffic: { page: NO_TRAFFIC, worker: NO_TRAFFIC, before: NO_TRAFFIC },
  ...NO_QUESTION,
};

/** The state when the reader types `text`; the results before stay until new ones are here. */
export function typing(state: State, turn: Turn, text: string): State {
  return {
    ...cleared(state, turn),
    mode: "typing",
    question: text,
    typed: state.mode === "typing" ? state.typed : null,
  };
}

/** The state when a question is sent. */
export function asking(state: State, turn: Turn, question: string): State {
  return { ...cleared(state, turn), mode: "asked", question, traffic: { ...state.traffic, before: fetched(state) } };
}

/** The state when the box is empty. */
export function cleared(state: State, turn: Turn): State {
  return {
    ...state,
    turn,
    ...NO_QUESTION,
  };
}

/** The state when a chunk is to be compared; the one before is shown until it is here. */
export function comparing(state: State): State {
  return { ...state, comparing: "running" };
}

/** How questions are reranked: what the reader chose, else the site's way, but nothing large that is not here. */
export function rerankOf({ index, rerank, crossEncoder }: State): RerankMode {
  if (rerank) return rerank;
  const mode = index?.manifest.retrieval.rerank.mode ?? "off";
  const here = index?.crossKept === true || crossEncoder.phase === "ready";
  return mode === "cross-encoder" && !here ? "late-interaction" : mode;
}

/** The ways of reranking that this site has. */
export function rerankModes({ manifest }: OpenIndex): RerankMode[] {
  return [
    ...(manifest.token_vectors ? (["late-interaction"] as const) : []),
    ...(manifest.cross_encoder ? (["cross-encoder"] as const) : []),
    "off",
  ];
}

/** What the page and its worker have fetched so far. */
export function fetched({ traffic }: State): Traffic {
  return sum(traffic.page, traffic.worker);
}

/** The state when all chunks are to be drawn. */
export function surveying(state: State): State {
  return { ...state, surveying: "running" };
}

/** The state after a message. One that belongs to an older turn changes nothing. */
export function reduce(state: State, message: FromWorker): State {
  if ("turn" in message && message.turn !== state.turn) return state;
  switch (message.type) {
    case "opened": {
      const { type: _, catalogue, ...rest } = message;
      return { ...state, index: { ...rest, catalogue: new Catalogue(catalogue) } };
    }
    case "open-failed":
      return { ...state, openError: message.error };
    case "problem":
      if (state.problems.some((known) => known.message === message.error.message)) return state;
      return { ...state, problems: [...state.problems, message.error] };
    case "encoder":
      return { ...state, encoder: message.state };
    case "cross-encoder":
      return { ...state, crossEncoder: message.state };
    case "typed":
      return { ...state, typed: { hits: message.hits, texts: message.texts, ms: message.ms } };
    case "searching":
      return { ...state, queries: message.queries };
    case "stage-started":
      return withBlock(state, message.stage, { state: "running", stage: null });
    case "stage":
      return withBlock(state, message.stage.name, { state: message.stage.state, stage: message.stage });
    case "keyword-texts":
      return { ...state, keywordTexts: message.texts };
    case "passages":
      return { ...state, passages: message.passages };
    case "answered":
      return { ...state, trace: message.trace, blocks: blocksOf(message.trace) };
    case "respelled":
      return { ...state, respelled: message.question };
    case "compared": {
      const { comparison } = message;
      return { ...state, comparison: comparison ?? state.comparison, comparing: comparison ? "idle" : "failed" };
    }
    case "checked": {
      const found = { ...state, checked: message.sentences };
      return message.stage ? withStage(found, message.stage) : found;
    }
    case "passage-texts":
    case "found":
    case "fetched":
    case "pong":
      return state; // whoever asked for them is told by the session
    case "surveyed":
      return { ...state, survey: message.survey, surveying: message.survey ? "idle" : "failed" };
    case "gold":
      return { ...state, gold: message.scores };
    case "traffic":
      return { ...state, traffic: { ...state.traffic, worker: message.traffic } };
    case "ask-failed":
      return { ...state, askError: message.error, blocks: failed(state.blocks) };
  }
}

/** The state when a language model has begun to write, or, with null, when that came to nothing. */
export function generating(state: State, block: "running" | "failed" | null): State {
  const after = withBlock(state, "generate", { state: block ?? "off", stage: null });
  return { ...withBlock(after, "check", { state: "off", stage: null }), checked: [] };
}

/** The state when a stage that follows the answer has ended: it takes the place of an earlier one of its name. */
export function withStage(state: State, stage: Stage): State {
  if (!state.trace) return state;
  const stages = [...state.trace.stages.filter(({ name }) => name !== stage.name), stage];
  return {
    ...withBlock(state, stage.name, { state: stage.state, stage }),
    trace: { ...state.trace, stages },
  };
}

/** The state when a model has searched again: the passages it found follow those of the question. */
export function dug(state: State, { question, hops, passages }: Trace): State {
  if (!state.trace || state.trace.question !== question) return state;
  const shown = state.passages ?? [];
  const more = passages.slice(shown.length).map((passage) => ({ ...passage, marks: [], verbatim: [] }));
  return { ...state, passages: [...shown, ...more], trace: { ...state.trace, passages, hops } };
}

/** The stage of that name, when it has run. */
export function stageIn<N extends StageName>(blocks: Blocks, name: N): Extract<Stage, { name: N }> | null {
  return blocks[name].stage as Extract<Stage, { name: N }> | null;
}

export type Verdict = "running" | "answered" | "refused" | "unjudged" | "failed";

/** How the question ended, or that it has not. `unjudged`: no encoder, so nothing can say whether it is in the notes. */
export function verdictOf(state: State): Verdict {
  if (state.askError) return "failed";
  if (!state.trace) return "running";
  const open = stageIn(state.blocks, "gate")?.open;
  return open === true ? "answered" : open === false ? "refused" : "unjudged";
}

function withBlock(state: State, name: StageName, block: Block): State {
  return { ...state, blocks: { ...state.blocks, [name]: block } };
}

function blocksOf(trace: Trace): Blocks {
  const blocks: Record<StageName, Block> = { ...NO_BLOCKS };
  // A model has not been asked, and, where there is no prompt, will not be.
  const asked = trace.stages.some((stage) => stage.name === "prompt" && stage.state === "done");
  blocks.generate = { state: asked ? "off" : "skipped", stage: null };
  blocks.check = blocks.generate;
  for (const stage of trace.stages) blocks[stage.name] = { state: stage.state, stage };
  return blocks;
}

/** What was running has failed; what waited for it never runs. */
function failed(blocks: Blocks): Blocks {
  const after: Record<StageName, Block> = { ...blocks };
  for (const name of STAGES) if (blocks[name].state === "running") after[name] = { state: "failed", stage: null };
  return after;
}
