import { describe, expect, it } from "vitest";
import {
  asking,
  cleared,
  generating,
  INITIAL,
  reduce,
  type State,
  stageIn,
  typing,
  verdictOf,
  withStage,
} from "../src/page/state";
import type { GateStage, GenerateStage, KeywordStage, Trace } from "../src/retrieval/trace";
import { manifest } from "./manifest";

const error = { kind: "wrong-hash", message: "x", file: "index/x" } as const;
const settings = manifest.retrieval;
const times = { reason: "", started_ms: 0, ms: 1, input: 1, output: 0 };
const keyword: KeywordStage = {
  name: "keyword",
  state: "done",
  ...times,
  parameters: settings.keyword,
  average_lengths: { title: 4, text: 60 },
  terms: [],
  hits: [],
};
const gate = (open: boolean | null): GateStage => ({
  name: "gate",
  state: open === null ? "skipped" : "done",
  ...times,
  parameters: open === null ? null : { threshold: 0.4, source: "default" },
  open,
  cosine: open === null ? null : 0.5,
  margin: open === null ? null : 0.1,
  late_interaction: null,
  coverage: null,
  absent: [],
  answerability: null,
  cross_encoder: null,
  decided_by: "cosine",
});
const trace = (open: boolean | null): Trace => ({
  schema: 1,
  question: "q",
  as_of: "2026-12-01",
  settings,
  stages: [keyword, gate(open)],
  passages: [],
  filter: null,
  rewrite: null,
  hops: [],
});
const answered = (state: State, turn: number, open: boolean | null) =>
  reduce(state, { type: "answered", turn, trace: trace(open) });

describe("the state of the page", () => {
  it("drops what belongs to an older question", () => {
    const state = asking(INITIAL, 2, "newer");
    expect(reduce(state, { type: "answered", turn: 1, trace: trace(true) })).toBe(state);
    expect(reduce(state, { type: "stage", turn: 1, stage: keyword })).toBe(state);
  });

  it("shows a block running, then done", () => {
    let state = asking(INITIAL, 1, "q");
    expect(state.blocks.keyword.state).toBe("waiting");
    state = reduce(state, { type: "stage-started", turn: 1, stage: "keyword" });
    expect(state.blocks.keyword.state).toBe("running");
    state = reduce(state, { type: "stage", turn: 1, stage: keyword });
    expect(state.blocks.keyword.state).toBe("done");
    expect(stageIn(state.blocks, "keyword")?.hits).toEqual([]);
  });

  it("tells how a question ended", () => {
    const state = asking(INITIAL, 1, "q");
    expect(verdictOf(state)).toBe("running");
    expect(verdictOf(answered(state, 1, true))).toBe("answered");
    expect(verdictOf(answered(state, 1, false))).toBe("refused");
    expect(verdictOf(answered(state, 1, null))).toBe("unjudged");
    expect(verdictOf(reduce(state, { type: "ask-failed", turn: 1, error }))).toBe("failed");
  });

  it("marks the block that failed and no other", () => {
    let state = asking(INITIAL, 1, "q");
    state = reduce(state, { type: "stage", turn: 1, stage: keyword });
    state = reduce(state, { type: "stage-started", turn: 1, stage: "dense" });
    state = reduce(state, { type: "ask-failed", turn: 1, error });
    expect(state.blocks.keyword.state).toBe("done");
    expect(state.blocks.dense.state).toBe("failed");
    expect(state.blocks.gate.state).toBe("waiting");
  });

  it("keeps the results of the last key press until the next ones are here", () => {
    let state = typing(INITIAL, 1, "gra");
    state = reduce(state, { type: "typed", turn: 1, hits: [], texts: [], ms: 1, total_ms: 2 });
    expect(typing(state, 2, "grad").typed).not.toBeNull();
    expect(cleared(state, 3).typed).toBeNull();
    expect(asking(state, 3, "grad").typed).toBeNull();
  });

  it("keeps the index, the encoder and the problems over questions", () => {
    let state = reduce(INITIAL, { type: "problem", error });
    state = reduce(state, { type: "problem", error });
    state = reduce(state, { type: "encoder", state: { phase: "failed", error } });
    state = asking(state, 1, "q");
    expect(state.problems).toHaveLength(1);
    expect(state.encoder.phase).toBe("failed");
  });

  it("puts a model's answer behind the stages of its question, in the place of an earlier one", () => {
    const wrote = (text: string): GenerateStage => ({
      name: "generate",
      state: "done",
      ...times,
      engine: "wllama",
      model: "m",
      prompt: "p",
      prompt_tokens: 1,
      answer_tokens: 0,
      first_token_ms: null,
      prompt_rate: null,
      answer_rate: null,
      finish: "stop",
      text,
    });
    let state = answered(asking(INITIAL, 1, "q"), 1, true);
    state = generating(state, "running");
    expect(state.blocks.generate.state).toBe("running");
    state = withStage(withStage(state, wrote("first")), wrote("second"));
    expect(stageIn(state.blocks, "generate")?.text).toBe("second");
    expect(state.trace?.stages.map(({ name }) => name)).toEqual(["keyword", "gate", "generate"]);
    expect(asking(state, 2, "r").blocks.generate.state).toBe("waiting");
  });
});
