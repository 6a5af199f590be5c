import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Coverage, cover, gate } from "../src/retrieval/gate";
import { makeTables, maxSim, pieceIdf, unitRows } from "../src/retrieval/late_interaction";
import { projection, XorShift32 } from "../src/retrieval/projection";
import { greatestKeywordScore, rerank, unchanged } from "../src/retrieval/rerank";
import type {
  DenseHit,
  FusedHit,
  GateThreshold,
  KeywordHit,
  KeywordSettings,
  QueryTerm,
  RerankHit,
  RerankSettings,
} from "../src/retrieval/trace";

interface Case {
  readonly dims: number;
  readonly bits: number;
  readonly seed: number;
  readonly rows: readonly number[];
  readonly unit: readonly number[];
  readonly projected: readonly number[];
  readonly signs: readonly (readonly number[])[];
  readonly ids: readonly number[];
  readonly counts: readonly (readonly [number, number])[];
  readonly chunks: number;
  readonly idf: readonly number[];
  readonly passages: readonly { score: number; in_order: number; best: number[]; places: number[] }[];
}

const {
  max_sim: cases,
  rerank: order,
  gate: gates,
  cover: covers,
} = JSON.parse(readFileSync(new URL("../../tests/parity/late_interaction.json", import.meta.url), "utf8")) as {
  max_sim: Case[];
  rerank: {
    terms: QueryTerm[];
    keyword: KeywordHit[];
    dense: DenseHit[];
    fused: FusedHit[];
    scores: [number, [number, number]][];
    chunks: number;
    keyword_settings: KeywordSettings;
    settings: RerankSettings;
    greatest: number;
    hits: RerankHit[];
    unchanged: RerankHit[];
  };
  gate: {
    cosine: number;
    late_interaction: number | null;
    covered: Coverage;
    cross_encoder: number | null;
    threshold: GateThreshold;
    verdict: unknown;
  }[];
  cover: { question: string; terms: QueryTerm[]; chunks: number; covered: Coverage }[];
};

/** Values between -0.5 and 0.5, as the Python test makes them. */
function noise(seed: number, count: number): Float32Array {
  const generator = new XorShift32(seed);
  return Float32Array.from({ length: count }, () => generator.next() / 2 ** 32 - 0.5);
}

function questionOf({ dims, seed, ids }: Case) {
  return { ids, pieces: ids.map(String), vectors: unitRows(noise(seed, ids.length * dims), dims), dims };
}

describe.each(cases)("the numbers of Python, $dims components in $bits bits", (given) => {
  const question = questionOf(given);
  const weights = { chunks: given.chunks, counts: new Map(given.counts) };
  const idf = given.ids.map((id) => pieceIdf(weights, id));

  it("scales rows to length 1", () => {
    const last = (given.ids.length - 1) * given.dims;
    expect([...question.vectors.slice(last, last + 4)]).toEqual(given.unit);
  });

  it("projects", () => {
    expect([...projection(given.dims, given.bits).apply(question.vectors, 0).slice(0, 8)]).toEqual(given.projected);
  });

  it("weighs pieces", () => {
    for (const [i, value] of given.idf.entries()) expect(idf[i]).toBeCloseTo(value, 14);
  });

  it("scores passages", () => {
    const tables = makeTables(question, given.bits);
    for (const [i, expected] of given.passages.entries()) {
      const found = maxSim(tables, given.idf, Uint8Array.from(given.signs[i] ?? []));
      expect([...found.best]).toEqual(expected.best);
      expect([...found.places]).toEqual(expected.places);
      expect(found.score).toBe(expected.score);
      expect(found.inOrder).toBe(expected.in_order);
    }
  });

  it("shows in the heat map what it scored with", () => {
    const tables = makeTables(question, given.bits);
    for (const [i, { best }] of given.passages.entries()) {
      const signs = Uint8Array.from(given.signs[i] ?? []);
      const rows = signs.length / tables.width;
      if (rows === 0) continue;
      const all = maxSim(tables, given.idf, signs).matches;
      for (let piece = 0; piece < tables.pieces; piece += 1) {
        expect(Math.max(...all.subarray(piece * rows, (piece + 1) * rows))).toBe(best[piece]);
      }
    }
  });
});

it("refuses signs that are not whole rows", () => {
  const tables = makeTables({ ids: [1], pieces: ["a"], vectors: unitRows(noise(1, 384), 384), dims: 384 }, 192);
  expect(() => maxSim(tables, [1], new Uint8Array(25))).toThrow("not whole rows of 24");
});

describe("reranking", () => {
  const { terms, chunks, keyword_settings, fused, keyword, dense, scores, settings } = order;

  it("knows how much a question could score by its words", () => {
    expect(greatestKeywordScore(terms, chunks, keyword_settings)).toBeCloseTo(order.greatest, 12);
  });

  it("orders the scored hits and leaves the others behind them", () => {
    expect(rerank(fused, keyword, dense, new Map(scores), order.greatest, settings)).toEqual(order.hits);
  });

  it("can be off", () => {
    expect(unchanged(fused)).toEqual(order.unchanged);
  });
});

it.each(gates)(
  "the gate decides on cosine $cosine, MaxSim $late_interaction, coverage $covered.share and $cross_encoder as Python does",
  ({ cosine, late_interaction, covered, threshold, cross_encoder, verdict }) => {
    expect(gate(cosine, late_interaction, covered, threshold, cross_encoder)).toEqual(verdict);
  },
);

it.each(covers)("of $question the same words stand nowhere as in Python", ({ question, terms, chunks, covered }) => {
  const found = cover(question, terms, chunks);
  expect(found.absent).toEqual(covered.absent);
  expect(found.share).toBeCloseTo(covered.share, 12);
});
