/**
 * Every word that the page says, in English: what the other languages translate.
 *
 * A new word needs its German, Spanish and Chinese beside it (de.ts, es.ts, zh.ts): the type checker asks for them.
 * What names a number of things takes the number and says it with `counted`; no sentence is put together from pieces.
 */

import type { ErrorRecord } from "../../errors";
import type { Example } from "../../index/schema";
import type { Kind, StageName, Verdict } from "../../retrieval/trace";
import type { BlockState } from "../state";
import type { Explanation } from "./explanation";
import { count, counted, megabytes, plural } from "./locale";

const tellStaff = "If it stays so, tell the course's staff which file is named here.";
const fileOf = (error: ErrorRecord): string => error.file ?? "a file";

const passages = { one: "passage", other: "passages" };
const tokens = { one: "token", other: "tokens" };

export const en = {
  /** Parts of one line, one after the other. */
  list: (parts: readonly string[]) => parts.join(", "),

  ask: {
    heading: "Ask the notes",
    lead: (lectures: number) =>
      `Answers from the notes of ${counted(lectures, { one: "lecture", other: "lectures" })}, each with the place where it stands. They are found in this tab: what you ask goes nowhere.`,
    label: "Your question",
    placeholder: "In your own words",
    button: "Ask",
    clear: "Clear",
    keys: { focus: "to write", enter: "to ask", results: "to the results", escape: "to clear" },
    contents: "From the contents",
  },

  /** `<open-book>` on a page of somebody else. */
  guest: {
    label: (title: string) => `Ask ${title}`,
    open: (title: string) => `Open in ${title}`,
    examples: "For example",
    print: (title: string) => `Ask ${title}:`,
  },

  /** The guided first visit: a question for each stage, chosen and checked by the build. */
  guide: {
    heading: "Five questions to begin with",
    some: "Questions to begin with",
    lead: "Each shows what one stage is for. Ask it and look inside.",
    step: (n: number, of: number) => `${n} of ${of}`,
    kinds: {
      identifier: "A name",
      paraphrase: "Other words",
      "both-searches": "Neither search alone",
      "near-duplicate": "Two that look alike",
      "follow-up": "A follow-up",
      "not-in-the-notes": "Not in the notes",
    } satisfies Record<Example["kind"], string>,
    shows: {
      keyword: "Keyword search finds a name that meaning blurs",
      embed: "Meaning finds it where the words differ",
      fuse: "Two lists put together find what neither had first",
      rerank: "Word by word, the right one moves up",
      gate: "The gate closes rather than guess",
    } satisfies Record<Example["stage"], string>,
    why: {
      keyword:
        "A name is rare, so keyword search gives it a great weight and puts its section first. The encoder has hardly seen it.",
      embed:
        "The question and the section share few words. As vectors they point the same way: look for the question among its five nearest passages.",
      fuse: "Neither list had the right section first. It stands well in both, so the sum of its ranks puts it on top.",
      rerank:
        "Several sections are about the same things. Comparing word by word, the reranker moves the one that answers up.",
      gate: "It sounds like this course, and no passage answers it. The best score stays left of the threshold, so nothing is made up.",
    } satisfies Record<Example["stage"], string>,
    followUp: {
      shows: "It is written out from what was said before",
      first: "First a question that stands alone; the next one leans on it.",
      second:
        "Alone this question says too little. It was written out with words of the one before: see what was searched for, and which words the keyword block has.",
      ask: (question: string) => `Then ask: “${question}”`,
    },
    look: (stage: string) => `Look at ${stage}`,
    next: "Next question",
    end: "End of the tour",
  },

  filter: {
    label: "Search a part of the course",
    lectures: "Lecture",
    allLectures: "All lectures",
    lecture: (number: number, title: string) => (number > 0 ? `${number} · ${title}` : title),
    weeks: "Week",
    allWeeks: "All weeks",
    week: (n: number) => `Week ${n}`,
    kind: "Notes or slides",
    allKinds: "Both",
    kinds: { notes: "Notes", slides: "Slides" } satisfies Record<Kind, string>,
    tags: "Tags",
    addTag: "Tag…",
    clear: "× clear",
    drop: "Search the whole course",
    only: (part: string) => `Only this part of the course was searched: ${part}.`,
    none: "No passage in this part of the course holds any of these words.",
    refused: "Not in this part of the course",
    refusedLead: "Nothing in this part of the course is close enough to your question to answer from.",
    live: "Not in this part of the course. The nearest passages are listed.",
    gate: "The best score is that of the passages that the filter lets through; the threshold is the whole course's.",
  },

  conversation: {
    searchedFor: "Searched for",
    searched: (queries: readonly string[]) => `Searched for: ${queries.join(" · ")}`,
    why: "This question leans on the one before, so it was written out.",
    edit: "Edit",
    editLabel: "What to search for, one query a line, three at most",
    search: "Search",
    cancel: "Cancel",
    literal: "Ask it as typed",
    heading: "Earlier in this conversation",
    /** The heading while there is nothing before the question. */
    only: "This conversation",
    kept: "Kept in this browser alone.",
    unkept: "This browser keeps nothing: the conversation ends with this tab.",
    new: "New conversation",
    markdown: "Save as Markdown",
    json: "Save as JSON",
    again: "Show this answer again",
    refused: "Not in the notes.",
    unjudged: "Found by keyword alone; nothing judged whether it answers.",
    writtenBy: (model: string) => `Written by ${model}`,
    unchecked: "Nothing of this was checked against the notes.",
    dropped: (n: number) =>
      plural(n, {
        one: "One record of your last visit could not be read and was left out.",
        other: `${count(n)} records of your last visit could not be read and were left out.`,
      }),
    cleared: "The conversation was cleared.",
    undo: "Bring it back",
    facts: "Remembered: told to a language model with every question",
    remember: "Remember",
    forget: "Forget",
    title: "Questions and answers",
    file: "conversation",
  },

  readiness: {
    opening: "Opening the index…",
    keyword: "Keyword search is ready",
    idle: (size: string) => `Search by meaning loads when you write (${size}, once)`,
    kept: "Search by meaning loads when you write (kept from your last visit)",
    wanted: (size: string) => `Search by meaning needs ${size}. Your browser asks to save data, so it waits for you.`,
    load: "Load it",
    downloading: (loaded: string, total: string) => `Loading search by meaning: ${loaded} of ${total}`,
    starting: "Starting search by meaning…",
    checking: "Checking search by meaning…",
    ready: "Search by meaning is ready",
    failed: "Search by meaning is not available; keyword search is.",
    retry: "Try again",
    progress: "Download of the encoder",
    related: (languages: string) =>
      `Search by meaning was made for ${languages}. It helps here, but its scores say too little to refuse a question by.`,
    foreign: (languages: string) => `Search by meaning knows ${languages} only; keyword search is the one to trust.`,
  },

  results: {
    typing: "Found by keyword, as you type",
    keyword: "Found by keyword",
    passages: "Passages",
    nearest: "Nearest passages",
    none: "No passage holds any of these words.",
    noneHint: "Try other words, or press Enter to search by meaning.",
    count: (shown: string, all: string, time: string) => `${shown} of ${all}, ${time}`,
    notes: "Notes",
    slides: "Slides",
    lecture: (number: string) => `Lecture ${number}`,
    more: "Show the whole passage",
    less: "Show less",
    open: (where: string) => `Open ${where}`,
    updated: (date: string) => `updated ${date}`,
    part: (part: string, parts: string) => `part ${part} of ${parts}`,
    foundBy: {
      both: (keyword: string, dense: string) => `keyword ${keyword}, meaning ${dense}`,
      keyword: (rank: string) => `keyword ${rank}`,
      dense: (rank: string) => `meaning ${rank}`,
    },
    rank: (n: number) => `no. ${n}`,
  },

  answer: {
    heading: "Answer",
    running: "Reading the notes…",
    waiting: (loaded: string, total: string) =>
      `Keyword results are here already. The answer comes when search by meaning has loaded (${loaded} of ${total}).`,
    quoted: "Quoted word for word from the passages. No language model wrote this.",
    cited: (number: number, label: string) => `Passage ${number}: ${label}`,
    empty: "No sentence of the passages answers by itself. Read the passages.",
    refused: "Not in the notes",
    refusedLead:
      "Nothing in this course is close enough to your question to answer from. Ask in other words, or see whether a nearest passage helps.",
    refusedWhy: {
      cosine: (score: string, threshold: string) =>
        `The closest passage has a cosine of ${score}; at least ${threshold} is needed.`,
      answerability: (score: string, threshold: string) => `Match ${score}; at least ${threshold} is needed.`,
      cross_encoder: (score: string, threshold: string) =>
        `Read together with your question, the best passage scores ${score}; at least ${threshold} is needed.`,
    },
    nowhere: (words: string) => `Nowhere in the notes: ${words}.`,
    meant: "Did you mean:",
    word: (word: string) => `“${word}”`,
    unjudged: "Found by keyword only",
    unjudgedLead:
      "Without search by meaning the page cannot tell whether your question is answered in the notes, so it does not answer. These passages hold its words.",
    failed: "The question could not be answered",
  },

  live: {
    typed: (n: number) => `${counted(n, passages)} found by keyword`,
    running: "Searching",
    answered: (n: number) => `Answer ready, with ${counted(n, { one: "citation", other: "citations" })}`,
    refused: "Not in the notes. The nearest passages are listed.",
    unjudged: "Keyword results are listed. There is no answer without search by meaning.",
    failed: "The question could not be answered.",
    copied: "Copied",
  },

  working: {
    heading: "The working",
    lead: "What happened between your question and the answer. Open a block for its numbers.",
    idle: "Each question runs through these blocks. Ask one, and every block shows what it did.",
    flow: "When you ask",
    build: (date: string, time: string) => `When the site was built, as of ${date}${time ? `: ${time}` : ""}`,
    total: (time: string, waited: string) =>
      waited === "" ? `${time} in this tab.` : `${time} in this tab, after ${waited} of loading.`,
    show: "Show the working",
    hide: "Hide the working",
    teaser: "every stage, its numbers and its cost",
    export: "Export the trace",
    link: "Copy a link",
    linked: "Link copied",
    linkFailed: "Copy the address of this page",
  },

  states: {
    waiting: "waiting",
    running: "running",
    done: "done",
    off: "off",
    skipped: "skipped",
    failed: "failed",
  } satisfies Record<BlockState, string>,

  stages: {
    keyword: "Keyword",
    embed: "Embed",
    dense: "Cosine",
    fuse: "Fuse",
    rerank: "Rerank",
    gate: "Gate",
    prompt: "Prompt",
    answer: "Answer",
    generate: "Model",
    check: "Check",
  } satisfies Record<StageName, string>,

  generation: {
    heading: "In a model's words",
    none: "No language model is loaded, and none is needed.",
    offer: "Write an answer with a language model…",
    again: (label: string, size: string) => (size === "" ? `Load ${label} again` : `Load ${label} again (${size})`),
    other: "Another model…",
    refused: "The model is not asked: nothing in the notes is close enough to answer from.",
    unjudged: "A model can answer when search by meaning has loaded.",
    ready: (label: string) => `${label} is ready.`,
    write: "Write an answer",
    writeAgain: "Write again",
    auto: "Write without asking for my next questions",
    stop: "Stop",
    unload: "Unload the model",
    reading: "Reading the prompt…",
    builtInModel: "The browser's own model",
    wrote: (label: string) => `Written by ${label} from the passages. It can be wrong.`,
    stopped: "You stopped it here.",
    cut: "It ran to its limit of tokens and ends here.",
    empty: "The model wrote nothing.",
    notInNotes:
      "The model says that the passages do not answer this. Read them yourself: it may have missed something.",
    figures: {
      first: (time: string) => `first token after ${time}`,
      rate: (rate: string) => `${rate} tokens/s`,
      answer: (n: number) => `${counted(n, tokens)} written`,
      prompt: (tokens: string) => `${tokens} read`,
    },
    verdicts: {
      supported: "supported",
      weak: "weakly supported",
      unsupported: "not supported",
      uncited: "without a citation",
      "unknown-citation": "citing what it was not given",
      "no-claim": "claiming nothing",
    } satisfies Record<Verdict, string>,
    cutPrompt: "The prompt was shortened to what this model reads; the block “Model” shows it.",
    cite: (number: number, label: string) => `Passage ${number}: ${label}`,
    noPassage: (number: number) => `There is no passage ${number}`,
    failed: { looking: "Looking failed", loading: "Loading failed", writing: "Writing failed" },
    retry: "Try again",
    live: {
      loaded: (label: string) => `${label} is ready`,
      writing: "The model writes",
      written: "The model has written its answer",
    },
  },
  /** Why an engine cannot run here. */
  unavailable: {
    "no-wasm64": "This browser lacks what it needs (64-bit WebAssembly memory). Chrome, Edge and Firefox have it.",
    "no-webgpu":
      "This browser has no WebGPU. Recent versions of Chrome, Edge, Safari and Firefox have it on most computers.",
    "no-adapter":
      "This browser has WebGPU, and gives no graphics processor to it: it may be blocked, switched off, or too old.",
    "small-adapter": "The graphics processor's limits are below what any model needs.",
    "no-model-for-gpu": "None of the models on offer runs on this graphics processor.",
    "no-prompt-api": "This browser has no model of its own. Chrome and Edge have one on some computers.",
    "built-in-unavailable": "This browser has a model of its own, but not for this computer.",
    "no-model": "This site offers no model for it.",
    "not-offered": "This site does not offer it.",
  },

  kept: "Kept on this device",

  update: {
    notice: "The notes were updated. This page still shows, and searches, the version from before.",
    reload: "Reload",
  },

  language: {
    label: "Language of this page",
    unkept: "This browser keeps no choice: the page stays in the course's language.",
  },

  problems: {
    heading: "Something is wrong with this site's files",
    retry: "Try again",
    reload: "Reload the page",
  },

  /** What went wrong and what to do, for a reader of the page. */
  errors: {
    offline: (error) => ({
      title: `${fileOf(error)} could not be fetched.`,
      next: "Check the connection, then try again.",
    }),
    "http-status": (error) => ({
      title: `${fileOf(error)} is missing: the host answered ${error.found ?? "with an error"}.`,
      next: `The site may just be updated: reload in a minute. ${tellStaff}`,
    }),
    "html-instead": (error) => ({
      title: `The host sent a web page in place of ${fileOf(error)}.`,
      next: `It was not used or kept. A network that asks you to log in does this; log in and try again. ${tellStaff}`,
    }),
    "wrong-size": (error) => ({
      title: `${fileOf(error)} arrived incomplete: ${error.found ?? "?"} of ${error.expected ?? "?"} bytes.`,
      next: `It was not used. Try again. ${tellStaff}`,
    }),
    stalled: (error) => ({
      title: `${fileOf(error)} stopped arriving.`,
      next: "Check the connection, then try again: what has come is kept, and the rest is fetched.",
    }),
    "storage-full": (error) => ({
      title: `The browser has no room: ${megabytes(error.expected)} MB are needed, ${megabytes(error.found)} MB are free.`,
      next: "Delete what you do not need, here or in other sites' storage, or take a smaller model.",
    }),
    "wrong-hash": (error) => ({
      title: `${fileOf(error)} is not the file that was built for this course.`,
      next: `Its SHA-256 is wrong, so it was not used. Reload the page. ${tellStaff}`,
    }),
    "not-listed": (error) => ({
      title: `${fileOf(error)} is not part of this site's index.`,
      next: "The site needs to be built again: tell the course's staff.",
    }),
    "manifest-format": (error) => ({
      title: `${fileOf(error)} cannot be read.`,
      next: `The site needs to be built again: tell the course's staff. (${error.message})`,
    }),
    "file-format": (error) => ({
      title: `${fileOf(error)} cannot be read.`,
      next: `The site needs to be built again: tell the course's staff. (${error.message})`,
    }),
    "page-outdated": () => ({
      title: "This page is older than the course's index.",
      next: "The site was updated just now: reload the page.",
    }),
    "schema-version": () => ({
      title: "The index and the page are of different versions.",
      next: "Reload the page. If that does not help, the site needs to be built again with one version of openbook.",
    }),
    "tokenizer-mismatch": () => ({
      title: "The index was cut into words in another way than this page does it.",
      next: "Reload the page. If that does not help, the site needs to be built again with one version of openbook.",
    }),
    "model-unsupported": (error) => ({ title: "The encoder of this index cannot run here.", next: error.message }),
    "gate-stale": (error) => ({
      title: "The gate was calibrated for another index than this one.",
      next: `The site needs to be built again: tell the course's staff. (${error.message})`,
    }),
    "encoder-start": (error) => ({
      title: "The encoder did not start.",
      next: `It needs WebAssembly and about 200 MB of free memory: close other tabs or use another browser. (${error.message})`,
    }),
    "probe-mismatch": (error) => ({
      title: "The encoder computes other vectors here than when the site was built.",
      next: `Its results would be wrong, so search by meaning stays off. Another browser may do better. (${error.message})`,
    }),
    "cross-encoder-start": (error) => ({
      title: "The cross-encoder did not start.",
      next: `It needs WebAssembly and free memory: close other tabs, or stay with late interaction. (${error.message})`,
    }),
    "probe-score": (error) => ({
      title: "The cross-encoder scores otherwise here than when the site was built.",
      next: `Its order would be wrong, so late interaction stays. Another browser may do better. (${error.message})`,
    }),
    "worker-start": () => ({
      title: "Only keyword search runs here.",
      next: "The browser refused the page's worker, without which search by meaning would stop the page. Reload the page, or use another browser.",
    }),
    "engine-unavailable": (error) => ({
      title: "This model cannot run here.",
      next: error.message,
    }),
    "engine-start": (error) => ({
      title: "The model did not start.",
      next: `It may need more memory than there is: close other tabs, or choose a smaller model. (${error.message})`,
    }),
    "engine-context": () => ({
      title: "The question and its passages are longer than what this model reads.",
      next: "Ask a shorter question, or choose a model that reads more.",
    }),
    "engine-lost": (error) => ({
      title: "The model stopped while it was working.",
      next: `The browser may have needed its memory. Try again, choose a smaller model, or one that runs on the processor. (${error.message})`,
    }),
    "address-invalid": (error) =>
      error.found === "policy"
        ? {
            title: `This site does not let the page reach ${fileOf(error)}.`,
            next: "Only addresses on this computer (http://localhost or http://127.0.0.1) are allowed, and those that the course's staff added.",
          }
        : { title: "This is not an address.", next: "Write one such as http://localhost:11434/v1." },
    "address-unreachable": (error) => ({
      title: `Nothing that this page may read answers at ${fileOf(error)}.`,
      next: `Check that the program runs, and that it accepts requests from ${globalThis.location?.origin ?? "this site"} (Ollama: OLLAMA_ORIGINS; LM Studio: "Enable CORS"; llama.cpp accepts them).`,
    }),
    "address-refused": (error) => ({
      title: `${fileOf(error)} wants a key.`,
      next: "Type the key that the program was started with.",
    }),
    "address-missing": (error) => ({
      title: `${fileOf(error)} does not have what was asked for.`,
      next: `Check the end of the address (most programs want /v1) and the model. (${error.found ?? ""})`,
    }),
    "address-status": (error) => ({ title: `${fileOf(error)} answered with an error.`, next: error.found ?? "" }),
    "address-protocol": (error) => ({
      title: `${fileOf(error)} did not answer as the protocol says.`,
      next: `It must speak OpenAI's protocol for chat completions, with streaming. (${error.found ?? ""})`,
    }),
    unexpected: (error) => ({ title: "Something unexpected went wrong.", next: `Reload the page. (${error.message})` }),
  } satisfies Record<ErrorRecord["kind"], (error: ErrorRecord) => Explanation>,
};
