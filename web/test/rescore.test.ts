import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ChunkRef } from "../src/retrieval/collection";
import { assembleKeywordIndex, averageLengths, type KeywordBase, keyword } from "../src/retrieval/keyword";
import { rescore } from "../src/retrieval/rescore";
import type { KeywordHit, KeywordSettings, KeywordStage } from "../src/retrieval/trace";

const course = JSON.parse(readFileSync(new URL("../../tests/parity/mini_course.json", import.meta.url), "utf8"));
const base = course.keyword as KeywordBase;
const index = assembleKeywordIndex({ ...base, index: [] }, base.index);
const chunk = (ordinal: number): ChunkRef => course.chunks[ordinal];

const SETTINGS: KeywordSettings = {
  depth: 50,
  k1: 1.2,
  b: 0.75,
  d: 0,
  boost_title: 0.5,
  divide_by_matched_terms: true,
};
const QUESTIONS = [
  "How long must the gap be in TimeSeriesSplit?",
  "why a shuffled split leaks",
  "词元是什么",
  "zero_grad",
];

function stageOf(question: string, settings: KeywordSettings): KeywordStage {
  const { terms, hits } = keyword(index, question, settings, chunk);
  const run = { state: "done", reason: "", started_ms: 0, ms: 0, input: hits.length, output: hits.length } as const;
  return { name: "keyword", ...run, parameters: settings, average_lengths: averageLengths(base), terms, hits };
}

function expectSame(found: readonly KeywordHit[], expected: readonly KeywordHit[]): void {
  expect(found.map(({ ordinal, rank }) => [ordinal, rank])).toEqual(
    expected.map(({ ordinal, rank }) => [ordinal, rank]),
  );
  for (const [place, hit] of expected.entries()) expect(found[place]?.score).toBeCloseTo(hit.score, 12);
}

describe("hits under other settings", () => {
  for (const divide_by_matched_terms of [true, false]) {
    const settings = { ...SETTINGS, divide_by_matched_terms };
    for (const question of QUESTIONS) {
      it(`are the index's own under the course's settings: ${question}`, () => {
        const stage = stageOf(question, settings);
        expectSame(rescore(stage, settings), stage.hits);
      });

      it.each([
        [0, 0.75],
        [3, 0],
        [0.4, 1],
      ])(`are what the index finds with k1 = %d, b = %d: ${question}`, (k1, b) => {
        expectSame(rescore(stageOf(question, settings), { k1, b }), stageOf(question, { ...settings, k1, b }).hits);
      });
    }
  }

  it("are in another order when length counts for nothing", () => {
    const stage = stageOf("How long must the gap be?", { ...SETTINGS, b: 1 });
    const order = (b: number): number[] => rescore(stage, { k1: 3, b }).map(({ ordinal }) => ordinal);
    expect(order(0)).not.toEqual(order(1));
  });
});
