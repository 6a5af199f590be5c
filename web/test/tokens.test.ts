import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { typedTerms } from "../src/retrieval/keyword";
import { MAX_LENGTH, TOKENIZER_FINGERPRINT, TOKENIZER_NAME, tokenize, typedPrefix } from "../src/retrieval/tokens";

interface Case {
  readonly group: string;
  readonly text: string;
  readonly tokens: readonly string[];
}

const table = JSON.parse(readFileSync(new URL("../../tests/parity/tokens.json", import.meta.url), "utf8")) as {
  tokenizer: string;
  cases: Case[];
};

describe("the table of cases that both tokenizers are held to", () => {
  it.each(table.cases)("$group: $text", ({ text, tokens }) => {
    expect(tokenize(text)).toEqual(tokens);
  });

  it("has the fingerprint that the manifest carries", () => {
    const hash = createHash("sha256").update(`${TOKENIZER_NAME}\n`);
    for (const { text } of table.cases) hash.update(`${text}\0${tokenize(text).join("\x1f")}\n`);
    expect(table.tokenizer).toBe(TOKENIZER_NAME);
    expect(hash.digest("hex")).toBe(TOKENIZER_FINGERPRINT);
  });
});

describe("tokenize", () => {
  it("reads a text of a quarter of a million characters without a space", () => {
    const tokens = tokenize("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo".repeat(7000));
    expect(tokens).toHaveLength(1);
    expect(tokens[0]).toHaveLength(MAX_LENGTH);
  });

  it("gives the same for a question asked again", () => {
    const question = "What does optimizer.zero_grad() do?";
    expect(tokenize(question)).toEqual(tokenize(question));
  });
});

describe("typedPrefix", () => {
  it.each([
    ["training", "train"],
    ["batches", "batch"],
    ["queries", "query"],
    ["embeddings", "embed"],
    ["running", "run"],
    ["classes", "class"],
    ["matrix", "matrix"],
    ["zero_grad", "zero_grad"],
    ["pandas", "panda"],
  ])("finds %s at every letter from the third on", (word, token) => {
    expect(tokenize(word)[0]).toBe(token);
    for (let end = 3; end <= word.length; end++) {
      const typed = tokenize(word.slice(0, end));
      expect(token.startsWith(typedPrefix(typed[0] ?? "")), word.slice(0, end)).toBe(true);
    }
  });
});

describe("typedTerms", () => {
  it("looks a word up by the part that its endings share", () => {
    expect(typedTerms("when traini")).toEqual({ terms: ["when"], prefix: "train" });
    expect(typedTerms("batches of embeddi")).toEqual({ terms: ["batch"], prefix: "embed" });
    expect(typedTerms("optimizer.zero_gr")).toEqual({ terms: [], prefix: "optimizer.zero_gr" });
  });
});
