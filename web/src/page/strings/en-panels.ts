/** What the opened blocks of the working say, in English: it comes with them, not with the page. */

import type { EngineName } from "../../generation/engine";
import type { Objection, RerankMode, StageName, Verdict } from "../../retrieval/trace";
import { count, counted, plural } from "./locale";

const passages = { one: "passage", other: "passages" };
const tokens = { one: "token", other: "tokens" };

export const panels = {
  /** What a block is for, while it has nothing to show. */
  blurbs: {
    keyword: "same words, rare ones first",
    embed: "question → vector",
    dense: "nearest vectors",
    fuse: "two lists → one",
    rerank: "word by word",
    gate: "near enough?",
    prompt: "what a model would read",
    answer: "quoted, with numbers",
    generate: "writes, when asked to",
    check: "does the passage say it?",
  } satisfies Record<StageName, string>,

  /** What went in and what came out, in a block. */
  counts: {
    keyword: (terms: number, output: string) => `${counted(terms, { one: "term", other: "terms" })} → ${output}`,
    embed: (pieces: number, output: string) => `${counted(pieces, { one: "piece", other: "pieces" })} → ${output}`,
    dense: (input: string, output: string) => `${input} → ${output}`,
    fuse: (input: string, output: string) => `${input} → ${output}`,
    rerank: (input: string, output: string) => `${input} → ${output}`,
    gateOpen: "open",
    gateClosed: "closed",
    prompt: (n: number) => counted(n, tokens),
    answer: (n: number) => counted(n, { one: "sentence", other: "sentences" }),
    generate: (prompt: string, answer: string) => `${prompt} → ${answer} tokens`,
    check: (supported: string, sentences: string) => `${supported} of ${sentences} supported`,
  },

  cost: {
    heading: "What it cost",
    times: (total: string) => `${total} of computing, stage by stage`,
    bar: (parts: string) => `Time by stage: ${parts}`,
    question: "Fetched for this question",
    visit: "Fetched since the page opened",
    requests: (bytes: string, n: number) => `${bytes} in ${counted(n, { one: "request", other: "requests" })}`,
    nothing: "nothing: all of it was here",
    free: (n: number) =>
      `nothing from the network: ${counted(n, { one: "request was", other: "requests were" })} answered from this device`,
    waited: "Waited for the encoder to load",
    foreign: "Requests to anybody else",
    sent: "Sent out by a page that asks a server: your question, each time. Sent out here: none of it.",
    unknown: "Model runs are timed in their own block.",
  },

  keyword: {
    lead: (k1: string, b: string) =>
      `BM25 by the words of the question, over headings and text (k₁ = ${k1}, b = ${b}). A rare word weighs more, a repeated one ever less, a long passage counts less per word.`,
    terms: "Words of the question",
    term: "Word",
    chunks: "In passages",
    idf: "Weight (idf)",
    list: "Best by keyword",
    exact: "the heading itself",
    inTitle: "heading",
    none: "None of these words stands in the notes.",
    settings: "Turn the two knobs",
    settingsLead:
      "k₁ says how soon a repeated word stops counting; b, how much a long passage is held back. The order follows at once, among the passages that were found.",
    k1: "k₁, repetition",
    b: "b, length",
    course: "the course's settings",
    yours: "your settings",
    reset: "Reset to the course's",
    moved: (places: number) => (places > 0 ? `up ${places}` : `down ${-places}`),
    stays: "same place",
    reordered: (n: number) =>
      `${counted(n, { one: "passage stands", other: "passages stand" })} elsewhere than under the course's settings`,
  },
  embed: {
    lead: "The encoder turns the question into a vector: a point among the points of all passages. What means the same lies near.",
    model: "Model",
    revision: "Revision",
    file: "File, SHA-256",
    pieces: "Word pieces",
    dims: "Numbers in the vector",
    pooling: "Pooling",
    probes: "Check sentences",
    probesValue: (n: string, least: string) => `${n}, least cosine to the build ${least}`,
    loaded: "Loaded and checked in",
    waited: "The question waited",
  },
  map: {
    heading: "The question among all passages",
    lead: (n: string, share: string) =>
      `Each of the ${n} passages is a point of 384 numbers. This is the flattest view of them: the plane that keeps the most of their variance, ${share}. What is lost is why the five nearest, joined by lines, need not look nearest.`,
    idle: "Ask a question, and it appears among them.",
    label: (n: string) => `Map of ${n} passages, one sign for each lecture; the list after it says the same in words`,
    question: "your question",
    legend: "Lectures",
    nearest: "Nearest to the question",
    all: "All passages near it, as a list",
    cosine: (value: string) => `cosine ${value}`,
    hint: "Point at a passage, or go through the list, to see which it is. Ctrl and the wheel, two fingers, or + and − bring it nearer.",
    view: "The map: + and − bring it nearer and back, the arrows move it, 0 shows all of it",
    nearer: "Nearer",
    farther: "Farther",
    whole: "All",
    running: "Drawing…",
    failed: "The map could not be loaded.",
    none: "This index was built without a map.",
    only: "Show only this lecture",
  },
  dense: {
    spread: "Where all cosines lie",
    spreadLabel: (n: string, best: string, median: string) =>
      `Distribution of the cosines of ${n} passages: half are below ${median}, the best is ${best}`,
    here: (value: string) => `best ${value}`,
    whisker: (bound: string) =>
      `The thin line through the end of each bar is how far eight bits a number can have moved it: never more than ±${bound}.`,
    within: (n: number) =>
      n === 0
        ? "No two neighbours here are closer than that: the order is certain."
        : `${counted(n, { one: "neighbour is", other: "neighbours are" })} closer than that to the one before, so their order may be the rounding's.`,
    lead: (n: string) => `The cosine between the question and each of the ${n} passages, all of them, exactly.`,
    list: "Closest in meaning",
    threshold: (value: string) => `gate at ${value}`,
  },
  fuse: {
    lead: (k: string) =>
      `Reciprocal rank fusion: a passage gets 1 ÷ (${k} + its rank) from each list. Scores of different kinds need no common scale.`,
    list: "Best of both lists",
    keyword: "keyword",
    dense: "meaning",
    from: (list: string, rank: number, score: string) => `${list} no. ${rank}: ${score}`,
    absent: (list: string) => `not in ${list}`,
    flow: "From two lists to one",
    flowLabel: (n: number) => `The ${n} best of the fused list, joined to their ranks by keyword and by meaning`,
    fused: "fused",
  },
  rerank: {
    lead: (depth: string) =>
      `Late interaction: each word piece of the question looks for its nearest piece in a passage, one whose neighbours fit its own neighbours too, and the rare ones count more. Done for the first ${depth} of the fused list, from one bit a direction.`,
    list: "After reranking",
    pieces: "Pieces of the question",
    piece: "Piece",
    weight: "Weight",
    maxSim: "words in order",
    keyword: "keyword",
    cosine: "cosine",
    before: (rank: number) => `was no. ${rank}`,
    up: (places: number) => `up ${places}`,
    down: (places: number) => `down ${places}`,
    same: "same place",
    moves: "Who moved",
    movesLabel: (n: number) => `The ${n} best after reranking, joined to their ranks before`,
    beforeHead: "before",
    afterHead: "after",
    rest: (n: number) =>
      plural(n, {
        one: "The other one keeps its place in the fused list.",
        other: `The other ${n} keep the order of the fused list.`,
      }),
    map: "Who met whom",
    mapLead:
      "Rows are pieces of the question, columns those of the passage, in reading order; the darker, the closer, counting also how close the pieces before and after them are. A dot marks the best of each row: only these count.",
    mapOf: (place: string) => `Pieces of the question against pieces of “${place}”`,
    show: "Show",
    shown: "Shown below",
    nearest: "Nearest in the passage",
    match: "Match",
    mapFailed: "The vectors of this passage could not be loaded.",
    mapRunning: "Comparing…",
    off: "Nothing is reranked. The order of the fused list stays as it is.",
    by: "Rerank by",
    modes: {
      "late-interaction": "Late interaction",
      "cross-encoder": "Cross-encoder",
      off: "Off",
    } satisfies Record<RerankMode, string>,
    crossLead: (model: string, depth: string) =>
      `A cross-encoder (${model}) reads the question together with each of the first ${depth} passages of the fused list. It takes a pass through the model for each.`,
    crossSize: (bytes: string) => `The cross-encoder is ${bytes}, loaded once when you choose it.`,
    crossKept: "The cross-encoder is kept from an earlier visit.",
    crossLoading: (loaded: string, total: string) => `Loading the cross-encoder: ${loaded} of ${total}`,
    crossStarting: "Starting the cross-encoder…",
    crossReady: "The cross-encoder is loaded.",
    crossRunning: "Reading the passages…",
    crossTime: (ms: string, n: number) => `${counted(n, passages)} read in ${ms}.`,
    score: "score",
  },
  gate: {
    wordByWord: "Best word by word",
    coverage: "Words in the notes",
    mixed:
      "Answerability is five parts the best passage, word by word, and one part how much of the question stands anywhere in the notes, its rarer words counting for more.",
    open: "Open: the best passage is close enough.",
    closed: "Closed: no passage is close enough, so nothing is answered.",
    skipped: "Without a cosine the gate cannot judge. It stays shut, and only passages are shown.",
    source: {
      calibrated: "calibrated on the course's own questions when the site was built",
      configured: "set by the course",
      default: "the default, measured on general questions",
      language: "none: the encoder does not know the course's language, so its scores close no gate",
    },
    threshold: "Threshold",
    score: {
      cosine: "Best cosine",
      answerability: "Answerability",
      cross_encoder: "Best read together",
    },
    margin: "Margin",
    gold: (n: string, answerable: string) =>
      `Each tick is one of the ${n} questions that the course's staff labelled: above, the ${answerable} that the notes answer; below, those that they do not.`,
    goldSplit: (dev: string, test: string) =>
      `The threshold was chosen on ${dev} of them (strong) and not on the other ${test} (pale).`,
    goldOutcome: (refused: number, passed: number) =>
      `At this threshold ${count(refused)} that the notes answer ${plural(refused, { one: "is", other: "are" })} refused, and ${count(passed)} that they do not answer ${plural(passed, { one: "is", other: "are" })} let through.`,
    line: (score: string, threshold: string, margin: string) =>
      `Number line: best score ${score}, threshold ${threshold}, margin ${margin}`,
  },
  prompt: {
    lead: "What a language model would be given, word for word. None is loaded: the answer is quoted instead, and this is what there is to check.",
    copy: "Copy",
    copied: "Copied",
    copyFailed: "Select the text and copy it",
    tokens: (used: string, budget: string) => `${used} of at most ${budget} tokens.`,
    words: (n: number) => `Each passage cut to ${counted(n, { one: "word", other: "words" })}.`,
    stable: (n: number) =>
      `Up to the line, ${counted(n, { one: "token", other: "tokens" })}: the same for every question, so a model reads them once.`,
    part: {
      instruction: "instruction",
      history: "what was said before",
      question: "question",
      begin: "mark",
      passage: "passage",
      end: "mark",
    },
    dropped: {
      "below-floor": (n: number, share: number) =>
        `Passage ${n} is left out: it matches ${Math.round(100 * share)} % as well as the best.`,
      duplicate: (n: number, share: number, of: number) =>
        `Passage ${n} is left out: ${Math.round(100 * share)} % of it stands in passage ${of}.`,
      "no-room": (n: number) => `Passage ${n} is left out: there is no room for it.`,
    },
    skipped: "No prompt is built when the gate is closed.",
  },
  answerPanel: {
    lead: "Every sentence of the passages is scored against the question; the best are quoted, each with its number.",
    passage: (n: number) => `passage ${n}`,
    skipped: "Nothing is answered when the gate is closed.",
  },
  checkPanel: {
    idle: "What a language model writes is compared with the passages that it cites.",
    lead: (supported: string, weak: string) =>
      `Each sentence of the model is compared with every sentence of the passages that it cites, word by word. From ${supported} on it counts as supported, below ${weak} as unsupported; a number, a "not" or an opposite that the passage does not have makes it weak. This is about words, not about truth.`,
    verdict: {
      supported: "Supported.",
      weak: "Weakly supported.",
      unsupported: "Not supported.",
      uncited: "Cites nothing.",
      "unknown-citation": "Cites what it was not given.",
      "no-claim": "Claims nothing.",
    } satisfies Record<Verdict, string>,
    objection: {
      number: (what: string) => `The number ${what} does not stand there.`,
      negation: (what: string) => `Only one of the two denies "${what}".`,
      opposite: (what: string) => `Opposites: ${what}.`,
      citation: (what: string) => `There is no passage ${what}.`,
    } satisfies Record<Objection["kind"], (what: string) => string>,
    evidence: (n: number, text: string) => `Nearest in passage ${n}: “${text}”`,
  },
  generatePanel: {
    idle: "A language model writes only when you ask it to, below the answer.",
    lead: "A language model read the prompt and wrote this, word by word. It can be wrong: each sentence is checked against the passage that it cites.",
    engine: "Runs on",
    model: "Model",
    promptTokens: "Tokens of the prompt",
    promptRate: "Read",
    firstToken: "First token after",
    answerTokens: "Tokens of the answer",
    answerRate: "Written",
    rate: (value: string) => `${value} tokens/s`,
    finish: "Ended",
    finished: {
      stop: "by the model",
      length: "at its limit of tokens",
      aborted: "when you stopped it",
    },
    text: "What it wrote",
    prompt: "What it was given",
  },
  engines: {
    webllm: "WebLLM, on the graphics processor (WebGPU)",
    wllama: "llama.cpp in this tab, on the processor",
    "built-in": "The browser's own model",
    address: "A program of yours, at an address",
  } satisfies Record<EngineName, string>,
  skipped: (reason: string) => `Skipped: ${reason}`,

  build: {
    lectures: "Lectures",
    chunks: "Passages",
    vectors: "Vectors",
    index: "Index",
    pages: "Pages",
    lecturesCount: (n: number) => `${count(n)} released`,
    chunksCount: (n: number) => `${count(n)} cut at headings`,
    vectorsCount: (n: string, dims: string) => `${n} × ${dims}, int8`,
    pagesCount: (n: string) => `${n} to cite`,
    lecturesLead: (date: string) => `Lectures released by ${date}. A later one is not read into anything.`,
    chunksLead: (tokens: string) =>
      `Notes are cut at headings, decks by slide; never more than the ${tokens} word pieces that the encoder reads.`,
    vectorsLead: (name: string) =>
      `Each passage with its headings, embedded by ${name}; then eight bits a number and one scale a vector.`,
    indexLead: "Each file is checked against its SHA-256 in the manifest before it is used.",
    pagesLead: "Notes and decks as pages, so that a citation leads to the place itself. Every link was followed.",
    sections: "Sections",
    words: "Words",
    pieces: "Word pieces",
    truncated: "Texts cut off by the encoder",
    embedded: "Embedded",
    embeddedValue: (now: string, before: string) => `${now} in this build, ${before} known before`,
    links: "Links verified",
    file: "File",
    files: "Files",
    bytes: "Bytes",
    total: (bytes: string, each: string) => `The index is ${bytes}: ${each} bytes a passage before compression.`,
  },
};
