import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { queryTerms } from "../src/retrieval/keyword";
import { respell, slips } from "../src/retrieval/spelling";

const parity = JSON.parse(readFileSync(new URL("../../tests/parity/spelling.json", import.meta.url), "utf8")) as {
  vocabulary: Record<string, number>;
  questions: { question: string; pieces: string[]; meant: string | null }[];
  slips: { first: string; second: string; most: number; slips: number }[];
};

describe("what a question may have been meant to say", () => {
  it.each(parity.questions)("of “$question” is what Python says", async ({ question, pieces, meant }) => {
    const terms = queryTerms(question).map((term) => ({
      term,
      title_chunks: 0,
      text_chunks: parity.vocabulary[term] ?? 0,
      title_idf: 0,
      text_idf: 0,
    }));
    const vocabulary = (prefix: string): Promise<Map<string, number>> =>
      Promise.resolve(new Map(Object.entries(parity.vocabulary).filter(([term]) => term.startsWith(prefix))));
    expect(await respell(question, terms, pieces, vocabulary)).toBe(meant);
  });

  it.each(parity.slips)("$first and $second are as many slips apart", ({ first, second, most, slips: expected }) => {
    expect(slips(first, second, most)).toBe(expected);
  });
});
