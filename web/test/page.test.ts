import { describe, expect, it } from "vitest";
import { WrongHashError } from "../src/errors";
import { slug } from "../src/page/export";
import { day, duration, href, signed, size } from "../src/page/format";
import { addressOf, questionIn } from "../src/page/permalink";

describe("a question as an address", () => {
  it("comes back as it went", () => {
    const question = "Why C++ & 50 % of #tags? 数据";
    expect(questionIn(new URL(addressOf(question, "https://host/course/index.html?x=1#top")).search)).toBe(question);
  });

  it("leaves nothing behind when the box is cleared", () => {
    expect(addressOf("", "https://host/course/?q=old")).toBe("https://host/course/");
    expect(questionIn("")).toBe("");
  });
});

describe("numbers on the page", () => {
  it.each([
    [0.04, "0.0 ms"],
    [3.14, "3.1 ms"],
    [27.6, "28 ms"],
    [2130, "2.1 s"],
  ])("%d ms", (ms, text) => expect(duration(ms)).toBe(text));

  it.each([
    [512, "512 B"],
    [4300, "4 kB"],
    [22_928_619, "22.9 MB"],
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
