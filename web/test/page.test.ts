import { describe, expect, it } from "vitest";
import { WrongHashError } from "../src/errors";
import { indexBytes, indexKinds } from "../src/page/build-blocks";
import { slug } from "../src/page/export";
import { apart, day, duration, href, signed, size } from "../src/page/format";
import { textDirective } from "../src/page/fragment";
import { axisOf } from "../src/page/panels/gate";
import { rarity } from "../src/page/panels/keyword";
import { addressOf, viewIn } from "../src/page/permalink";

describe("a question as an address", () => {
  it("comes back as it went", () => {
    const filter = { lecture: "l03-sql & co", week: 0, kind: "slides" as const, tags: ["a=b", "c"] };
    const queries = ["k-fold & gap?", "a=b"];
    const question = "Why C++ & 50 % of #tags? 数据";
    const address = new URL(
      addressOf({ question, depth: "gate", filter, queries }, "https://host/course/index.html?x=1&q=old#q=older"),
    );
    expect(viewIn(address)).toEqual({ question, depth: "gate", filter, queries });
    expect(address.search, "what is asked stays behind the #").toBe("?x=1");
  });

  it("leaves nothing behind when the box is cleared", () => {
    expect(
      addressOf({ question: "", depth: null, filter: null, queries: [] }, "https://host/course/?q=old#q=old&working="),
    ).toBe("https://host/course/");
    expect(viewIn({ search: "", hash: "" })).toEqual({ question: "", depth: undefined, filter: null, queries: [] });
  });
});

describe("an address from elsewhere", () => {
  it("may carry the question in its query", () => {
    expect(viewIn({ search: "?q=why%20a%20gap", hash: "" })?.question).toBe("why a gap");
  });

  it("may carry the part of the course that is asked about", () => {
    const filter = { lecture: "l03", week: null, kind: null, tags: [] };
    expect(viewIn({ search: "?lecture=l03", hash: "" })).toEqual({
      question: "",
      depth: undefined,
      filter,
      queries: [],
    });
    expect(viewIn({ search: "?q=x&week=2nd&kind=both&tag=", hash: "" })?.filter).toBeNull();
  });

  it("says nothing when its fragment is a place on the page", () => {
    expect(viewIn({ search: "?q=why", hash: "#ob-main" })).toBeNull();
  });
});

describe("what the index weighs", () => {
  const listed = (path: string, bytes: number) => ({ path, bytes, sha256: "" });
  const files = {
    "assets/a.js": listed("assets/a.js", 5),
    "assets/b.css": listed("assets/b.css", 6),
    "model/x": listed("models/m/x.onnx", 100),
    "terms-0": listed("index/terms-0-0123456789ab.json", 20),
    "terms-1": listed("index/terms-1-0123456789ab.json", 21),
    "token-vectors": listed("index/token-vectors-0123456789ab.json", 7),
  };
  const manifest = { files, token_vectors: { file: "token-vectors", bytes: 3000, shards: 4 } };

  it("counts the token vectors, and the page's own files as one", () => {
    expect(indexBytes(manifest)).toBe(3048);
    expect(indexKinds(manifest)).toEqual([
      { name: "token-vectors", files: 5, bytes: 3007 },
      { name: "models/m/x.onnx", files: 1, bytes: 100 },
      { name: "terms", files: 2, bytes: 41 },
      { name: "assets/", files: 2, bytes: 11 },
    ]);
    expect(indexBytes({ files, token_vectors: null })).toBe(48);
  });
});

describe("how rare a word is", () => {
  const term = (text: readonly [number, number], title: readonly [number, number]) => ({
    term: "word",
    text_chunks: text[0],
    text_idf: text[1],
    title_chunks: title[0],
    title_idf: title[1],
  });

  it("is told of one field: the text, or headings where no text has it", () => {
    expect(rarity(term([40, 2.1], [1, 5.9]))).toEqual({ chunks: 40, idf: 2.1 });
    expect(rarity(term([0, 6.4], [3, 4.4]))).toEqual({ chunks: 3, idf: 4.4 });
    expect(rarity(term([0, 6.4], [0, 6.4]))).toEqual({ chunks: 0, idf: 6.4 });
  });
});

describe("numbers on the page", () => {
  it("have as many digits as tell two of them apart, four at most", () => {
    expect(apart(0.39, 0.47)).toEqual(["0.39", "0.47"]);
    expect(apart(0.4663, 0.4749)).toEqual(["0.466", "0.475"]);
    expect(apart(0.46991, 0.47)).toEqual(["0.4699", "0.4700"]);
    expect(apart(0.47, 0.47)).toEqual(["0.4700", "0.4700"]);
  });

  it.each([
    [0.04, "0.0\u00a0ms"],
    [3.14, "3.1\u00a0ms"],
    [27.6, "28\u00a0ms"],
    [2130, "2.1\u00a0s"],
  ])("%d ms", (ms, text) => expect(duration(ms)).toBe(text));

  it.each([
    [512, "512\u00a0B"],
    [4300, "4\u00a0kB"],
    [22_928_619, "22.9\u00a0MB"],
    [10_777_400_000, "10.8\u00a0GB"],
  ])("%d bytes", (bytes, text) => expect(size(bytes)).toBe(text));

  it("say which side of a threshold they are on", () => {
    expect(signed(0.1234, 2)).toBe("+0.12");
    expect(signed(-0.5, 2)).toBe("−0.50");
  });

  it("name a day", () => expect(day("2026-12-01")).toBe("December 1, 2026"));
});

describe("addresses inside the site", () => {
  it("are percent-encoded, anchors too", () => {
    expect(href("lectures/l 08/notes.html#why a split? leaks")).toBe(
      "lectures/l%2008/notes.html#why%20a%20split%3F%20leaks",
    );
  });

  it("may lead into the site round it, or to another one", () => {
    expect(href("../guide/a b.html#/2/1")).toBe("../guide/a%20b.html#/2/1");
    expect(href("https://example.org/a b.html#c d")).toBe("https://example.org/a%20b.html#c%20d");
  });
});

describe("a trace's file name", () => {
  it("is made of the question", () => {
    expect(slug("Why does `zero_grad` matter?")).toBe("why-does-zero-grad-matter");
    expect(slug("???")).toBe("question");
  });
});

describe("an error on its way to the page", () => {
  it("keeps its kind, its file and its facts", () => {
    expect(new WrongHashError("index/x.json", "aa", "bb").toRecord()).toEqual({
      kind: "wrong-hash",
      message: "index/x.json: SHA-256 is bb, the manifest says aa",
      file: "index/x.json",
      expected: "aa",
      found: "bb",
    });
  });
});

describe("an address that leads to a sentence", () => {
  it("holds a short one whole, and what means something in a directive in code", () => {
    expect(textDirective("A well-known gap, e.g. 6 & more")).toBe(
      ":~:text=A%20well%2Dknown%20gap%2C%20e.g.%206%20%26%20more",
    );
  });

  it("names a long one by its ends", () => {
    const words = Array.from({ length: 20 }, (_, place) => `w${place}`);
    expect(textDirective(words.join(" "))).toBe(":~:text=w0%20w1%20w2%20w3%20w4,w15%20w16%20w17%20w18%20w19");
  });

  it("names a block by its first line with words", () => {
    expect(textDirective("---\nfor x in y:\n    print(x)")).toBe(":~:text=for%20x%20in%20y%3A");
    expect(textDirective("Horizon | Gap\n1 day | 0")).toBe(":~:text=Horizon");
    expect(textDirective("…")).toBe("");
  });
});

describe("the gate's number line", () => {
  it("runs from 0 to 1 for cosines, and further where a score is beyond", () => {
    expect(axisOf([0.42, 0.5], "cosine")).toEqual({ least: 0, most: 1, step: 0.2 });
    expect(axisOf([-0.05, 0.3], "cosine").least).toBeCloseTo(-0.2);
    expect(axisOf([0.4, 1.05], "answerability").most).toBeCloseTo(1.2);
  });

  it("holds a cross-encoder's logits, few ticks apart", () => {
    expect(axisOf([-9.4, 3.1], "cross_encoder")).toEqual({ least: -10, most: 5, step: 5 });
    expect(axisOf([2, 2], "cross_encoder")).toMatchObject({ least: 2, step: 0.1 });
    for (const values of [
      [-3.2, -2.9],
      [0, 120],
      [7.5, 7.5],
    ]) {
      const { least, most, step } = axisOf(values, "cross_encoder");
      expect(least).toBeLessThanOrEqual(Math.min(...values));
      expect(most).toBeGreaterThanOrEqual(Math.max(...values));
      expect((most - least) / step).toBeLessThan(8);
    }
  });
});
