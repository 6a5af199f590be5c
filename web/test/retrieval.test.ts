/** What the tab does beyond the reference: searching while a question is typed, and stages that arrive one by one. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ChunkRef, Encoder, PassageText, SearchIndex } from "../src/retrieval/collection";
import { cosines, dense, type Vectors } from "../src/retrieval/dense";
import { GateError, ShapeError } from "../src/retrieval/errors";
import { assembleKeywordIndex, type KeywordBase, keywordAsYouType, typedTerms } from "../src/retrieval/keyword";
import { label } from "../src/retrieval/passages";
import { ask, REASONS } from "../src/retrieval/pipeline";
import { type KeywordSettings, type RetrievalSettings, type Stage, stageOf } from "../src/retrieval/trace";

const course = JSON.parse(readFileSync(new URL("../../tests/parity/mini_course.json", import.meta.url), "utf8"));
const chunks: ChunkRef[] = course.chunks.map(({ lecture_number, ...chunk }: { lecture_number: number }) => ({
  ...chunk,
  lectureNumber: lecture_number,
}));
const chunk = (ordinal: number): ChunkRef => chunks[ordinal] as ChunkRef;
const base = course.keyword as KeywordBase;
const keywordIndex = assembleKeywordIndex({ ...base, index: [] }, base.index);
const settings: KeywordSettings = {
  depth: 50,
  k1: 1.2,
  b: 0.75,
  d: 0,
  boost_title: 0.5,
  divide_by_matched_terms: true,
};

describe("the terms of a text that is being typed", () => {
  it.each([
    ["", [], ""],
    ["spl", [], "spl"],
    ["a shuffled spl", ["shuffled"], "spl"],
    ["a shuffled split ", ["shuffled", "split"], ""],
    ["use zero_gr", ["use"], "zero_gr"],
    ["GroupKF", [], "groupkf"],
    ["what is", ["what"], "is"],
    ["gap g", ["gap", "g"], ""],
    ["随机打乱", ["随机", "机打"], "打乱"],
  ])("%j", (text, terms, prefix) => {
    expect(typedTerms(text)).toEqual({ terms, prefix });
  });
});

describe("searching while a question is typed", () => {
  const ids = (text: string): string[] => keywordAsYouType(keywordIndex, text, settings, chunk).map(({ id }) => id);

  it("finds what the last word may become", () => {
    expect(ids("shuf")).toContain("l08/notes#why-a-shuffled-split-leaks");
    expect(ids("zero_g")[0]).toContain("l11/notes#");
    expect(ids("interpol")).toEqual(["l08/notes#why-a-shuffled-split-leaks"]);
  });

  it("does not complete a word that is finished", () => {
    expect(ids("interpol ")).toEqual([]);
  });

  it("puts the section with that heading first", () => {
    expect(ids("Why a shuffled split leaks")[0]).toBe("l08/notes#why-a-shuffled-split-leaks");
  });

  it("finds nothing for nothing", () => {
    expect(ids("")).toEqual([]);
    expect(ids("  ??")).toEqual([]);
  });
});

describe("the label of a passage", () => {
  it("names a page of a site by its section alone", () => {
    const path = ["Splitting data", "The gap"];
    expect(label({ ...chunk(0), path })).toMatch(/^Lecture \d+, (notes|slides): Splitting data \/ The gap$/);
    expect(label({ ...chunk(0), path, lectureNumber: 0 })).toBe("Splitting data / The gap");
  });
});

describe("dense", () => {
  const vectors: Vectors = { dims: 3, scales: new Float32Array([1, 1]), values: new Int8Array([1, 2, 3, 4, 5, 6]) };

  it("refuses a question of another length", () => {
    expect(() => cosines(vectors, new Float32Array(4))).toThrow(ShapeError);
  });

  it("keeps the best of many, whatever their order", () => {
    const values = Int8Array.from({ length: 500 }, (_, row) => (row * 37) % 101);
    const many: Vectors = { dims: 1, scales: new Float32Array(500).fill(1), values };
    const found = dense(many, new Float32Array([1]), { depth: 20 }, String);
    const expected = [...values.keys()]
      .sort((a, b) => (values[b] as number) - (values[a] as number) || a - b)
      .slice(0, 20);
    expect(found.map(({ ordinal }) => ordinal)).toEqual(expected);
  });
});

const retrieval = {
  keyword: settings,
  dense: { depth: 50 },
  fusion: { k: 60, keyword_weight: 1, dense_weight: 1 },
  rerank: { mode: "off", depth: 20, keyword_weight: 0.2, cosine_weight: 0.1, cross_depth: 12 },
  gate: { cosine: null, answerability: null, cross_encoder: null },
  prompt: { passages: 5, min_words: 120, max_words: 220, max_tokens: 1600, floor: 0.6, duplicate: 0.8, language: "" },
  check: { words: 0.3, supported: 0.54, weak: 0.42, supported_by_words: 0.4, weak_by_words: 0.25 },
} as unknown as RetrievalSettings;

function index(changes: Partial<SearchIndex> = {}): SearchIndex {
  return {
    size: chunks.length,
    asOf: "2026-11-30",
    settings: retrieval,
    gate: { cosine: 0, source: "configured", corpus: "", model: "", tokenizer: "" },
    chunk,
    keyword: async () => keywordIndex,
    vectors: async () => ({
      dims: course.dims,
      scales: Float32Array.from(course.scales as number[]),
      values: Int8Array.from(course.values as number[]),
    }),
    passages: async (ordinals: readonly number[]) =>
      ordinals.map((ordinal) => (course.passages as PassageText[])[ordinal] as PassageText),
    ...changes,
  } as SearchIndex;
}

const encoder: Encoder = {
  ready: async () => {},
  embed: async () => Float32Array.from({ length: course.dims }, (_, place) => (place % 3) / 5),
  countTokens: (text: string) => Math.ceil(text.length / 4),
} as unknown as Encoder;

function ticking(): () => number {
  let now = 0;
  return () => now++;
}

const QUESTION = "How long is the gap?";

describe("a question", () => {
  it("passes eight stages, told of as each begins and ends", async () => {
    const told: string[] = [];
    const trace = await ask(index(), QUESTION, {
      encoder,
      clock: ticking(),
      onStart: (name) => told.push(`${name} begins`),
      onStage: (stage: Stage) => told.push(stage.name),
      onPassages: (passages) => told.push(`${passages.length} passages`),
    });
    const names = ["keyword", "embed", "dense", "fuse", "rerank", "gate", "prompt", "answer"];
    expect(trace.stages.map(({ name }) => name)).toEqual(names);
    expect(told.filter((one) => names.includes(one))).toEqual(names);
    expect(told.indexOf("keyword begins")).toBeLessThan(told.indexOf("keyword"));
    expect(told.indexOf("5 passages")).toBeLessThan(told.indexOf("gate"));
    expect(stageOf(trace, "answer")?.sentences.length).toBeGreaterThan(0);
    expect(stageOf(trace, "embed")?.dims).toBe(course.dims);
  });

  it("has its keyword hits before the encoder is ready", async () => {
    let release = (): void => {};
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    const seen: string[] = [];
    const asked = ask(index(), QUESTION, {
      encoder: { ...encoder, ready: () => waiting },
      clock: ticking(),
      onStage: ({ name }) => seen.push(name),
    });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(seen).toEqual(["keyword"]);
    release();
    const trace = await asked;
    expect(stageOf(trace, "embed")?.waited_ms).toBeGreaterThan(0);
  });

  it("goes on without an encoder, but is not answered", async () => {
    const trace = await ask(index(), QUESTION, { encoder: null, clock: ticking() });
    expect(stageOf(trace, "embed")).toMatchObject({ state: "skipped", reason: REASONS.noEncoder });
    expect(stageOf(trace, "gate")).toMatchObject({ state: "skipped", open: null });
    expect(stageOf(trace, "answer")).toMatchObject({ state: "skipped", reason: REASONS.gateSkipped, text: "" });
    expect(trace.passages[0]?.lecture).toBe("l08");
  });

  it("survives an encoder that fails, and says why", async () => {
    const broken: Encoder = { ...encoder, embed: () => Promise.reject(new Error("out of memory")) };
    const trace = await ask(index(), QUESTION, { encoder: broken, clock: ticking() });
    expect(stageOf(trace, "embed")?.reason).toBe("the encoder failed: out of memory");
    expect(stageOf(trace, "dense")?.state).toBe("skipped");
    expect(trace.passages.length).toBeGreaterThan(0);
  });

  it("survives vectors that do not load", async () => {
    const failing = index({ vectors: () => Promise.reject(new Error("404")) });
    const trace = await ask(failing, QUESTION, { encoder, clock: ticking() });
    expect(stageOf(trace, "embed")?.state).toBe("done");
    expect(stageOf(trace, "dense")?.reason).toBe("the vectors could not be loaded: 404");
    expect(stageOf(trace, "gate")?.state).toBe("skipped");
  });

  it("is refused when the gate closes, with the nearest passages", async () => {
    const shut = index({ gate: { cosine: 2, source: "configured", corpus: "", model: "", tokenizer: "" } as never });
    const trace = await ask(shut, QUESTION, { encoder, clock: ticking() });
    expect(stageOf(trace, "gate")).toMatchObject({ state: "done", open: false, output: 0 });
    expect(stageOf(trace, "prompt")).toMatchObject({ state: "skipped", reason: REASONS.gateClosed });
    expect(stageOf(trace, "answer")?.sentences).toEqual([]);
    expect(trace.passages.length).toBe(5);
  });

  it("is not decided without a threshold", async () => {
    await expect(ask(index({ gate: null }), QUESTION, { encoder, clock: ticking() })).rejects.toThrow(GateError);
  });

  it("ends when it is aborted", async () => {
    const controller = new AbortController();
    const asked = ask(index(), QUESTION, {
      encoder,
      clock: ticking(),
      signal: controller.signal,
      onStage: ({ name }) => {
        if (name === "keyword") controller.abort(new Error("another question"));
      },
    });
    await expect(asked).rejects.toThrow("another question");
  });
});
