import { describe, expect, it } from "vitest";
import { allowedBy, parseAddress } from "../src/generation/address";
import { BuiltInEngine, type PromptApi, type PromptApiSession } from "../src/generation/built-in";
import type { Engine, LoadProgress, Message, ModelChoice, StreamOptions, Usage } from "../src/generation/engine";
import { citationGrammar } from "../src/generation/grammar";
import { write } from "../src/generation/session";
import { events } from "../src/generation/sse";
import { Meter } from "../src/generation/usage";
import { blocksOf, piecesOf, runsOf } from "../src/page/generation/cited";
import type { PassageTexts } from "../src/retrieval/passages";
import { prompt } from "../src/retrieval/prompt";
import type { CheckedSentence, Trace } from "../src/retrieval/trace";
import { manifest } from "./manifest";

function body(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe("server-sent events", () => {
  const text =
    '\uFEFF: comment\r\ndata: {"é": 1}\r\n\r\nevent: x\ndata:two\ndata: lines\n\nid: 3\n\ndata: 漢字\r\rdata: [DONE]';
  const wanted = ['{"é": 1}', "two\nlines", "漢字", "[DONE]"];

  it.each(Array.from({ length: 12 }, (_, size) => size + 1))(
    "are the same when they come %i bytes at a time",
    async (size) => {
      expect(await all(events(body(new TextEncoder().encode(text), size)))).toEqual(wanted);
    },
  );

  it("lets go of the body when nobody reads on", async () => {
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode("data: x\n\n")),
      cancel: () => {
        cancelled = true;
      },
    });
    for await (const _ of events(endless)) break;
    expect(cancelled).toBe(true);
  });
});

describe("an address", () => {
  it("is one of http or https, and loses what follows a question mark", () => {
    expect(parseAddress(" http://localhost:11434/v1?key=1#x ").href).toBe("http://localhost:11434/v1");
    for (const wrong of ["", "localhost:11434", "ftp://a.org/", "javascript:alert(1)", "http://me:secret@a.org/"]) {
      expect(() => parseAddress(wrong)).toThrow(expect.objectContaining({ kind: "address-invalid", found: "format" }));
    }
  });

  it("may be on this computer, and elsewhere only where the course allows it", () => {
    const allows = allowedBy(["https://llm.example.org"]);
    const asked = (text: string): boolean => allows(new URL(text));
    expect(asked("http://localhost:1/v1")).toBe(true);
    expect(asked("http://127.0.0.1:8080/v1")).toBe(true);
    expect(asked("https://llm.example.org/v1")).toBe(true);
    expect(asked("http://llm.example.org/v1")).toBe(false);
    expect(asked("http://localhost.example.org/v1")).toBe(false);
    expect(asked("http://192.168.0.7:11434/v1")).toBe(false);
  });
});

describe("counts and times", () => {
  it("take the prompt's time until the first token and the answer's from there on", () => {
    let now = 0;
    const meter = new Meter(() => now);
    for (now = 2000; now <= 3000; now += 250) meter.token();
    now = 3100;
    meter.counted(100, 5);
    expect(meter.usage()).toEqual({
      promptTokens: 100,
      answerTokens: 5,
      firstTokenMs: 2000,
      totalMs: 3100,
      promptRate: 50,
      answerRate: 4,
      finish: "stop",
    });
  });

  it("say nothing that is not known", () => {
    const usage = new Meter(() => 0).usage();
    expect(usage).toMatchObject({
      promptTokens: null,
      answerTokens: null,
      firstTokenMs: null,
      promptRate: null,
      answerRate: null,
    });
  });
});

describe("the grammar of an answer", () => {
  it("has the numbers of the given passages in brackets and no other", () => {
    const rules = citationGrammar([1, 3]).split("\n");
    expect(rules).toContain('number ::= "1" | "3"');
    expect(rules).toContain('citation ::= "[" number (", " number)* "]"');
    expect(rules[2]).toBe("plain ::= [^\\[\\]`]");
  });
});

describe("a model's text", () => {
  it("has its citations and its code told apart", () => {
    expect(piecesOf("Two [1, 3] and `a[2]` [x] [12].", [1, 2, 3])).toEqual([
      { kind: "text", text: "Two " },
      { kind: "cite", text: "[1, 3]", numbers: [1, 3] },
      { kind: "text", text: " and " },
      { kind: "code", text: "a[2]" },
      { kind: "text", text: " [x] " },
      { kind: "cite", text: "[12]", numbers: [12] },
      { kind: "text", text: "." },
    ]);
  });

  it("has every sentence that was checked marked once, whatever blocks it reaches over", () => {
    const text = "One\n\ntwo. Three.\n\n```\nfour [1].\n```\nFive";
    const sentences = ["One\n\ntwo.", "Three.", "```\nfour [1].\n```"].map((said) => {
      const start = text.indexOf(said);
      return { start, end: start + said.length, verdict: "unsupported" } as CheckedSentence;
    });
    const runs = runsOf(blocksOf(text), sentences);
    expect(runs.map((block) => block.map((run) => run.text))).toEqual([
      ["One"],
      ["two.", " ", "Three."],
      ["four [1]."],
      ["Five"],
    ]);
    const marked = runs.flat().flatMap(({ sentence, ends }) => (ends ? sentence : []));
    expect(marked).toEqual(sentences);
  });

  it("keeps fenced code as it is, also while its fence is open", () => {
    const text = "First.\n\n```python\nx[1] = 2\n```\nThen [1].\n\n```\nopen [2]";
    const blocks = blocksOf(text);
    expect(blocks).toEqual([
      { kind: "paragraph", start: 0, text: "First." },
      { kind: "pre", start: 18, text: "x[1] = 2" },
      { kind: "paragraph", start: 31, text: "Then [1]." },
      { kind: "pre", start: 46, text: "open [2]" },
    ]);
    for (const block of blocks) expect(text.slice(block.start, block.start + block.text.length)).toBe(block.text);
  });
});

/** A model of the browser that writes what it is given back, word by word; its interface is Chrome's. */
class EchoApi implements PromptApi {
  state: Awaited<ReturnType<PromptApi["availability"]>> = "downloadable";
  prompts: string[] = [];
  open = 0;
  failure: Error | null = null;

  async availability() {
    return this.state;
  }

  async create({ signal, monitor }: Parameters<PromptApi["create"]>[0] = {}): Promise<PromptApiSession> {
    const target = new EventTarget();
    monitor?.(target);
    for (const loaded of [0, 0.5, 1]) {
      target.dispatchEvent(Object.assign(new Event("downloadprogress"), { loaded, total: 1 }));
      await new Promise((resolve) => setTimeout(resolve));
      signal?.throwIfAborted();
    }
    this.state = "available";
    return this.#session();
  }

  #session(): PromptApiSession {
    this.open += 1;
    return {
      contextWindow: 50,
      measureContextUsage: async (input) => input.split(/\s+/).length,
      promptStreaming: (input, { signal } = {}) => {
        this.prompts.push(input);
        const words = input.split(" ");
        const { failure } = this;
        return new ReadableStream<string>({
          async pull(controller) {
            await new Promise((resolve) => setTimeout(resolve, 1));
            const word = words.shift();
            if (signal?.aborted) controller.error(new DOMException("stopped", "AbortError"));
            else if (failure) controller.error(failure);
            else if (word === undefined) controller.close();
            else controller.enqueue(`${word} `);
          },
        });
      },
      clone: async () => this.#session(),
      destroy: () => {
        this.open -= 1;
      },
    };
  }
}

describe("the browser's own model", () => {
  const engineOf = (api: PromptApi | undefined): BuiltInEngine =>
    new BuiltInEngine(api, "own", "en-GB", () => performance.now());
  const never = new AbortController().signal;
  const ready = async (api: EchoApi): Promise<BuiltInEngine> => {
    const engine = engineOf(api);
    const [choice] = await engine.models();
    await engine.load(choice as ModelChoice, () => {}, never);
    return engine;
  };

  it("is not there in a browser without one, or with one that this computer cannot run", async () => {
    expect(await engineOf(undefined).availability()).toEqual({ state: "unavailable", reason: "no-prompt-api" });
    const api = new EchoApi();
    api.state = "unavailable";
    expect(await engineOf(api).availability()).toEqual({ state: "unavailable", reason: "built-in-unavailable" });
    expect(await engineOf(api).models()).toEqual([]);
  });

  it("tells of the browser's download, tries itself, and streams, each answer without the one before", async () => {
    const api = new EchoApi();
    const engine = engineOf(api);
    expect(await engine.availability()).toEqual({ state: "needs", what: "download" });
    const [choice] = await engine.models();
    expect(choice).toMatchObject({ bytes: null, origin: "browser" });
    const told: LoadProgress[] = [];
    await engine.load(choice as ModelChoice, (progress) => told.push(progress), never);
    expect(told.map(({ phase, loaded }) => `${phase} ${loaded}`)).toEqual([
      "downloading 0",
      "downloading 0",
      "downloading 0.5",
      "downloading 1",
      "trying 0",
    ]);
    const messages: Message[] = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "How long?" },
    ];
    const text = (await all(engine.stream(messages, { maxTokens: 20 }, never))).join("");
    expect(text).toBe("Be brief.\n\nHow long? ");
    expect(engine.usage()).toMatchObject({ promptTokens: 4, finish: "stop" });
    expect(api.open).toBe(1);
    await engine.unload();
    expect(api.open).toBe(0);
  });

  it("stops at the limit, and when it is told to, quietly and with what came", async () => {
    const api = new EchoApi();
    const engine = await ready(api);
    const ask = [{ role: "user", content: "a b c d e f" } as const];
    expect(await all(engine.stream(ask, { maxTokens: 2 }, never))).toEqual(["a ", "b "]);
    expect(engine.usage()?.finish).toBe("length");
    const stop = new AbortController();
    const pieces: string[] = [];
    for await (const piece of engine.stream(ask, { maxTokens: 9 }, stop.signal)) {
      pieces.push(piece);
      if (pieces.length === 3) stop.abort();
    }
    expect(pieces).toEqual(["a ", "b ", "c "]);
    expect(engine.usage()?.finish).toBe("aborted");
  });

  it("names what went wrong: too long a prompt, a model that is gone, a start that failed", async () => {
    const api = new EchoApi();
    const engine = await ready(api);
    const long = [{ role: "user", content: "word ".repeat(60) } as const];
    await expect(all(engine.stream(long, { maxTokens: 2 }, never))).rejects.toMatchObject({ kind: "engine-context" });
    api.failure = new Error("gone");
    await expect(all(engine.stream([{ role: "user", content: "a" }], { maxTokens: 2 }, never))).rejects.toMatchObject({
      kind: "engine-lost",
    });
    await expect(engineOf(new EchoApi()).load({} as ModelChoice, () => {}, AbortSignal.abort())).rejects.toMatchObject({
      name: "AbortError",
    });
  });
});

/** Reads its prompt and writes a fixed answer; the words are its tokens. */
class WordEngine implements Engine {
  readonly name = "wllama";
  readonly supports = { grammar: true, seed: true };
  asked: { messages: readonly Message[]; options: StreamOptions } | null = null;
  availability = async () => ({ state: "available" }) as const;
  models = async () => [];
  load = async () => {};
  unload = async () => {};
  countTokens = async (text: string) => text.split(/\s+/).length;
  async *stream(messages: readonly Message[], options: StreamOptions) {
    this.asked = { messages, options };
    yield "Two ";
    yield "minutes [1].";
  }
  usage = (): Usage => ({
    promptTokens: 7,
    answerTokens: 3,
    firstTokenMs: 1,
    totalMs: 2,
    promptRate: null,
    answerRate: null,
    finish: "stop",
  });
}

describe("an answer from a trace", () => {
  const texts: PassageTexts[] = [1, 2].map((number) => {
    const text = `passage ${number} ${`word${number} `.repeat(150)}`.trim();
    return {
      passage: {
        number,
        ordinal: number,
        ordinals: [number],
        id: `a/notes#${number}`,
        label: `Lecture ${number}`,
        lecture: "a",
        kind: "notes",
        path: ["A"],
        url: "a.html",
        text,
      },
      parts: [{ ordinal: number, part: 1, text, verbatim: [] }],
      relevance: null,
    };
  });
  const words = (text: string): number => text.split(/\s+/).length;
  const traced = async (): Promise<Trace> => {
    const settings = manifest.retrieval.prompt;
    const made = await prompt("How long?", texts, settings, words);
    const times = { state: "done", reason: "", started_ms: 0, ms: 1, input: 2, output: 2 } as const;
    return {
      schema: 1,
      question: "How long?",
      as_of: "2026-12-01",
      settings: manifest.retrieval,
      stages: [{ name: "prompt", ...times, parameters: settings, ...made }],
      passages: texts.map(({ passage }) => passage),
      filter: null,
      rewrite: null,
      hops: [],
    };
  };
  const choice = (context: number): ModelChoice => ({
    engine: "wllama",
    id: "m",
    label: "M",
    bytes: 1,
    memory: null,
    origin: "site",
    context,
  });
  const options = (shown: string[]) => ({
    clock: () => 0,
    signal: new AbortController().signal,
    texts: async () => texts,
    onText: (text: string) => void shown.push(text),
    maxTokens: 300,
  });

  it("is asked for with the prompt that the page shows, and grows as it comes", async () => {
    const trace = await traced();
    const engine = new WordEngine();
    const shown: string[] = [];
    const { stage } = await write(engine, choice(4096), trace, options(shown));
    expect(shown).toEqual(["Two ", "Two minutes [1]."]);
    const given = trace.stages[0];
    expect(stage.prompt).toBe(given?.name === "prompt" ? given.text : "");
    expect(engine.asked?.messages.map(({ content }) => content).join("\n\n")).toBe(stage.prompt);
    expect(engine.asked?.options.grammar).toContain('number ::= "1" | "2"');
    expect(stage).toMatchObject({ text: "Two minutes [1].", input: 7, output: 3, engine: "wllama", model: "m" });
  });

  it("is asked for with a shorter one where the model reads less, and the record holds that one", async () => {
    const trace = await traced();
    const engine = new WordEngine();
    const { stage } = await write(engine, choice(640), trace, options([]));
    expect(words(stage.prompt)).toBeLessThanOrEqual(640 - 300);
    expect(stage.prompt).toContain("[1]");
    const given = trace.stages[0];
    expect(stage.prompt).not.toBe(given?.name === "prompt" ? given.text : "");
  });
});
