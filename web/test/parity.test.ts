/**
 * The stages give here what the Python reference gives. The vectors are written by `tests/parity/vectors.py`, which
 * also says what each case is there for.
 */

import { readFileSync } from "node:fs";
import { Tokenizer } from "@huggingface/tokenizers";
import { describe, expect, it } from "vitest";
import { answer } from "../src/retrieval/answer";
import { AnswerCheck, finishedSentences } from "../src/retrieval/check";
import type { ChunkRef, Encoder, PassageText, SearchIndex } from "../src/retrieval/collection";
import { type Pair, pair } from "../src/retrieval/cross_encoder";
import { dense, type Vectors } from "../src/retrieval/dense";
import { type Before, leans, merge, rewrite } from "../src/retrieval/follow_up";
import { fuse } from "../src/retrieval/fusion";
import { assembleKeywordIndex, idf, type KeywordBase, keyword, queryTerms, rarity } from "../src/retrieval/keyword";
import { objectTo } from "../src/retrieval/objections";
import { countWords, type PassageTexts, selectPassages } from "../src/retrieval/passages";
import { ask } from "../src/retrieval/pipeline";
import { makeMark, prompt } from "../src/retrieval/prompt";
import { rerankByCrossEncoder } from "../src/retrieval/rerank";
import { splitSentences } from "../src/retrieval/sentences";
import { pieceRanges, type SpanScores, spanScorer } from "../src/retrieval/spans";
import type {
  DenseHit,
  DenseSettings,
  FusedHit,
  FusionSettings,
  KeywordHit,
  KeywordSettings,
  PromptSettings,
  RerankHit,
  VerbatimLines,
} from "../src/retrieval/trace";

// biome-ignore lint/suspicious/noExplicitAny: each file has a shape of its own, written down where it is used
function load(name: string): any {
  return JSON.parse(readFileSync(new URL(`../../tests/parity/${name}.json`, import.meta.url), "utf8"));
}

/** Equal, but for the last bits of a logarithm. */
function expectClose(found: unknown, expected: unknown, path = ""): void {
  if (typeof expected === "number" && typeof found === "number") {
    expect(Math.abs(found - expected), path).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(expected)));
  } else if (expected !== null && typeof expected === "object" && found !== null && typeof found === "object") {
    expect(Object.keys(found).sort(), path).toEqual(Object.keys(expected).sort());
    for (const [key, value] of Object.entries(expected)) {
      expectClose((found as Record<string, unknown>)[key], value, `${path}.${key}`);
    }
  } else {
    expect(found, path).toEqual(expected);
  }
}

const course = load("mini_course");
const chunks: ChunkRef[] = course.chunks.map(({ lecture_number, ...chunk }: { lecture_number: number }) => ({
  ...chunk,
  lectureNumber: lecture_number,
}));
const base = course.keyword as KeywordBase;
const keywordIndex = assembleKeywordIndex({ ...base, index: [] }, base.index);
const vectors: Vectors = {
  dims: course.dims,
  scales: Float32Array.from(course.scales as number[]),
  values: Int8Array.from(course.values as number[]),
};
const chunk = (ordinal: number): ChunkRef => chunks[ordinal] as ChunkRef;

/** As much of an index as passages are chosen from. */
const index = {
  size: chunks.length,
  chunk,
  passages: async (ordinals: readonly number[]) =>
    ordinals.map((ordinal) => (course.passages as PassageText[])[ordinal] as PassageText),
} as unknown as SearchIndex;

describe("keyword", () => {
  for (const [number, one] of load("keyword").entries()) {
    it(`${number}: ${one.question}`, () => {
      const settings = one.settings as KeywordSettings;
      expect(queryTerms(one.question)).toEqual(one.query_terms);
      const { terms, hits } = keyword(keywordIndex, one.question, settings, chunk);
      expectClose(terms, one.terms);
      expectClose(hits, one.hits);
      for (const hit of hits) {
        const sum = hit.terms.reduce((total, { score }) => total + score, 0);
        expect(sum, "the contributions add up to MiniSearch's score").toBeCloseTo(hit.score, 10);
      }
    });
  }
});

describe("dense", () => {
  for (const [number, one] of load("dense").entries()) {
    it(`${number}: the sum is the same to the last bit`, () => {
      const question = Float32Array.from(one.question as number[]);
      const found: DenseHit[] = dense(vectors, question, one.settings as DenseSettings, (ordinal) => chunk(ordinal).id);
      expect(found).toEqual(one.hits);
    });
  }
});

describe("fusion", () => {
  for (const [number, one] of load("fusion").entries()) {
    it(`${number}`, () => {
      const hits = (ordinals: number[]): KeywordHit[] =>
        ordinals.map((ordinal, place) => ({
          ordinal,
          id: `c${ordinal}`,
          rank: place + 1,
          score: 1 / (place + 1),
          exact_title: false,
          matched_terms: 1,
          terms: [],
        }));
      expect(fuse(hits(one.keyword), hits(one.dense), one.settings as FusionSettings)).toEqual(one.hits);
    });
  }
});

describe("a follow-up", () => {
  const cases = load("follow_up");

  it.each(
    cases.filter((one: { question?: string }) => one.question) as {
      question: string;
      before: Before;
      language: string;
      reason: string | null;
      queries: string[];
    }[],
  )("$language: $question", ({ question, before, language, reason, queries }) => {
    expect(leans(question, language)).toBe(reason);
    expect(rewrite(question, before, (term) => rarity(keywordIndex, term), language)).toEqual(queries);
    expect(rewrite(question, null, () => 1, language)).toEqual([]);
  });

  it("merges rankings", () => {
    const merged = cases.filter((one: { rankings?: RerankHit[][] }) => one.rankings);
    expect(merged.length).toBeGreaterThan(2);
    for (const one of merged) expectClose(merge(one.rankings, one.k), one.merged);
  });
});

describe("sentences", () => {
  for (const [number, one] of load("sentences").entries()) {
    it(`${number}: ${one.text.slice(0, 30)}`, () => {
      const spans = splitSentences(one.text, one.verbatim as VerbatimLines[]);
      expect(spans.map((span) => ({ ...span, text: one.text.slice(span.start, span.end) }))).toEqual(one.spans);
    });
  }
});

async function passagesOf(hits: RerankHit[], count: number): Promise<PassageTexts[]> {
  return selectPassages(index, hits, count);
}

describe("passages", () => {
  for (const [number, one] of load("passages").entries()) {
    it(`${number}`, async () => {
      const found = await passagesOf(one.hits, one.count);
      expect(found.map(({ passage }) => passage)).toEqual(one.passages);
    });
  }
});

describe("prompt", () => {
  const addsUp = (text: string): number => Math.ceil(text.length / 4);
  const countsMoreOfTheWhole = (text: string): number => addsUp(text) + 3 * (text.split("\n\n").length - 1);
  for (const [number, one] of load("prompt").entries()) {
    it(`${number}`, async () => {
      const settings = one.settings as PromptSettings;
      const passages = await passagesOf(one.hits, settings.passages);
      const [first] = passages;
      if (first && settings.floor === 0.8) {
        // A passage that says the same and a little more.
        const { ordinal } = first.passage;
        const text = `To say it once more: ${first.passage.text}`;
        passages.push({
          passage: { ...first.passage, number: passages.length + 1, text, ordinals: [ordinal], label: "Again" },
          parts: [{ ordinal, part: first.parts[0]?.part ?? 1, text, verbatim: [] }],
          relevance: first.relevance,
        });
      }
      // One answers at once and one later, as a model in another thread does.
      const countTokens = one.tokenizer === "adds up" ? addsUp : async (text: string) => countsMoreOfTheWhole(text);
      const built = prompt(one.question, passages, settings, countTokens, settings.max_tokens, one.history);
      if (one.prompt === null) await expect(built).rejects.toThrow("has no room");
      else expectClose(await built, one.prompt);
    });
  }

  it.each(load("mark") as { texts: string[]; mark: string }[])("marks $texts with $mark", ({ texts, mark }) => {
    expect(makeMark(texts)).toBe(mark);
  });
});

/** Stands for late interaction: any numbers, the same in both languages. */
const fakeNear: SpanScores = (ordinal, _, spans) =>
  spans.map((_span, place) => ((7 * ordinal + 13 * place + spans.length) % 41) / 50);

describe("answer", () => {
  for (const [number, one] of load("answer").entries()) {
    it(`${number}: ${one.question}`, async () => {
      const passages = await passagesOf(one.hits, 5);
      const found = answer(
        one.question,
        passages,
        (term) => idf(keywordIndex, term),
        one.near ? fakeNear : null,
        one.coverage,
      );
      const { belowFloor: below_floor, ...rest } = found;
      expectClose({ ...rest, below_floor }, one.answer);
    });
  }
});

describe("check", () => {
  for (const [number, one] of load("check").entries()) {
    it(`${number}: ${one.answer.slice(0, 30)}`, async () => {
      const passages = await passagesOf(one.hits, 5);
      const given = passages.map(({ passage }) => passage.number);
      const finished = finishedSentences(one.answer, given).map(({ text, citations }) => ({ text, citations }));
      expect(finished).toEqual(one.finished);
      const running = new AnswerCheck({
        passages,
        settings: { words: 0.1, supported: 0.56, weak: 0.44, supported_by_words: 0.4, weak_by_words: 0.25 },
        weight: async () => (term) => rarity(keywordIndex, term),
        near: async () => (one.near ? fakeNear : null),
      });
      // While it is written, and then whole: the same as all at once.
      for (let end = 0; end < one.answer.length; end += 7) await running.update(one.answer.slice(0, end), false);
      expectClose(await running.update(one.answer, true), one.sentences);
    });
  }

  it.each(load("objections") as { said: string; quoted: string; objections: unknown[] }[])(
    "$said against $quoted",
    ({ said, quoted, objections }) => {
      expect(objectTo(said, quoted, quoted)).toEqual(objections);
    },
  );
});

describe("spans", () => {
  for (const [number, one] of load("spans").entries()) {
    it(`${number}: ${one.text.slice(0, 30)}`, () => {
      const spans = splitSentences(one.text);
      const signs = new Map([[5, Uint8Array.from((one.signs as number[][]).flat())]]);
      expect(pieceRanges(one.text, spans, one.signs.length, countWords)).toEqual(one.ranges);
      const read = { ids: [1, 2, 3], pieces: [], vectors: Float32Array.from(one.vectors as number[]), dims: one.dims };
      const weights = {
        chunks: 10,
        counts: new Map([
          [1, 9],
          [2, 1],
        ]),
      };
      const scores = spanScorer(read, weights, one.bits, signs, countWords);
      expectClose(scores(5, one.text, spans), one.scores);
      expect(scores(6, one.text, spans)).toEqual(one.without);
    });
  }
});

describe("the whole", () => {
  for (const [number, one] of load("trace").entries()) {
    it(`${number}: ${one.question}`, async () => {
      const whole = {
        ...index,
        asOf: one.trace.as_of,
        settings: one.trace.settings,
        gate: one.gate,
        keyword: async () => keywordIndex,
        vectors: async () => vectors,
      } as unknown as SearchIndex;
      const encoder = {
        ready: async () => {},
        embed: async () => Float32Array.from(one.vector as number[]),
        countTokens: (text: string) => Math.ceil(text.length / 4),
      } as unknown as Encoder;
      const trace = await ask(whole, one.question, {
        encoder: one.vector ? encoder : null,
        clock: () => 0,
        filter: one.filter,
        queries: one.queries,
        history: () => (one.queries.length > 0 ? "Before." : ""),
      });
      expectClose(JSON.parse(JSON.stringify(trace)), one.trace);
    });
  }
});

describe("word pieces", () => {
  const folder = new URL("../../build/openbook/models/data/all-MiniLM-L6-v2/", import.meta.url);
  const read = (name: string): object => JSON.parse(readFileSync(new URL(name, folder), "utf8"));
  const tokenizer = new Tokenizer(read("tokenizer.json"), read("tokenizer_config.json"));
  it.each(load("word_pieces") as { text: string; tokens: number }[])("$tokens in $text", ({ text, tokens }) => {
    expect(tokenizer.encode(text, { add_special_tokens: false }).ids).toHaveLength(tokens);
  });
});

describe("a cross-encoder", () => {
  const cases = load("cross_encoder");

  it("reads the same pairs", () => {
    const pairs = cases.slice(0, -1) as { question: number[]; passage: number[]; limit: number; pair: Pair }[];
    expect(pairs.length).toBeGreaterThan(5);
    for (const one of pairs) expect(pair(one.question, one.passage, 101, 102, one.limit)).toEqual(one.pair);
  });

  it("orders the same", () => {
    const { fused, scores, hits } = cases.at(-1) as {
      fused: FusedHit[];
      scores: [number, number][];
      hits: RerankHit[];
    };
    expect(rerankByCrossEncoder(fused, new Map(scores))).toEqual(hits);
  });
});
