/** A manifest of three chunks, as small as one can be. */

const file = (path: string, bytes: number) => ({ path, bytes, sha256: "a".repeat(64) });

export const manifest = {
  schema: 1,
  as_of: "2026-12-01",
  course: { title: "A course", language: "en" },
  counts: { lectures: 1, documents: 1, chunks: 3 },
  corpus: "c".repeat(64),
  model: {
    name: "sentence-transformers/all-MiniLM-L6-v2",
    revision: "1110a243",
    folder: "all-minilm-l6-v2-8199be6f699a",
    sha256: "8199be6f",
    dims: 4,
    pooling: "mean",
    normalize: true,
    max_tokens: 256,
    precision: "int8-weight-only",
    languages: ["en"],
  },
  tokenizer: { name: "openbook-1", fingerprint: "f".repeat(64) },
  retrieval: {
    keyword: { depth: 50, k1: 1.2, b: 0.75, d: 0, boost_title: 1, divide_by_matched_terms: true },
    dense: { depth: 50 },
    fusion: { k: 60, keyword_weight: 1, dense_weight: 1 },
    rerank: { mode: "off" as const, depth: 20, keyword_weight: 0.2, cosine_weight: 0.1, cross_depth: 12 },
    gate: { cosine: null, answerability: null, cross_encoder: null, stale: "refuse" as const },
    prompt: { passages: 5, min_words: 120, max_words: 220, max_tokens: 1600, floor: 0.6, duplicate: 0.8, language: "" },
    check: { words: 0.3, supported: 0.54, weak: 0.42, supported_by_words: 0.4, weak_by_words: 0.25 },
  },
  gate: null,
  probes: [],
  catalogue: "catalogue",
  keyword: { base: "keyword", shards: [{ first: "a", last: "m", file: "terms-0" }] },
  vectors: "vectors",
  passages: [{ first: 0, count: 3, file: "passages-0" }],
  token_vectors: null,
  cross_encoder: null,
  generation: null,
  files: {
    catalogue: file("index/catalogue-1.json", 10),
    keyword: file("index/keyword-1.json", 10),
    "terms-0": file("index/terms-0-1.json", 10),
    vectors: file("index/vectors-1.bin", 24),
    "passages-0": file("index/passages-0-1.json", 10),
  },
};
