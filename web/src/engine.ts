/**
 * What the worker does, apart from being one: opens the index, searches while the reader types, answers questions,
 * loads the encoder. Messages in, messages out.
 */

import type { Memory } from "./conversation/memory";
import { isAbort, recordOf } from "./errors";
import { marksOf, verbatimOf, type Wanted } from "./highlight";
import type { HeldIndex } from "./index/hold";
import type { GoldScores } from "./index/schema";
import { type Opened, Openings, type Post } from "./opening";
import type { Comparison, FromWorker, ShownPassage, ShownText, Survey, ToWorker, Turn } from "./protocol";
import { SHOWN } from "./protocol";
import type { AnswerCheck } from "./retrieval/check";
import type { ChunkRef, PassageText } from "./retrieval/collection";
import { allowedBy } from "./retrieval/filter";
import type { Before } from "./retrieval/follow_up";
import { type KeywordIndex, keywordAsYouType, queryTerms, rarity, typedTerms } from "./retrieval/keyword";
import { tokenize } from "./retrieval/tokens";
import type { KeywordHit, Passage, RerankMode, Trace } from "./retrieval/trace";
import { fetched } from "./traffic";

/** Between two keys of somebody who types; longer is a pause. */
const PAUSE_MS = 150;

/** A term in more than this share of the chunks tells no passage from another and is not marked. */
const COMMON = 0.2;

/** One letter: in prose a pronoun or an article, in code a name of no meaning. */
const LETTER = /^[a-z]$/;

type Asked = Extract<ToWorker, { type: "ask" }>;
type Typed = Extract<ToWorker, { type: "type" }>;

export class Engine {
  readonly #post: Post;
  readonly #clock: () => number;
  readonly #openings: Openings;
  #opened: Promise<Opened> | undefined;
  #turn: Turn = 0;
  #running = new AbortController();
  #prefetched = false;
  #check: Promise<AnswerCheck> | undefined;

  /** @param openings shared by the engines of a worker, which then open and load everything once */
  constructor(post: Post, clock: () => number, openings: Openings = new Openings(clock)) {
    this.#post = post;
    this.#clock = clock;
    this.#openings = openings;
  }

  async handle(message: ToWorker): Promise<void> {
    switch (message.type) {
      case "open": {
        const opening = this.#openings.of(new URL(message.root), message.manifest);
        this.#opened = opening.opened;
        opening.join(this.#post);
        return this.#tellOpened(opening.opened);
      }
      case "type":
        return this.#turnTo(message.turn, (opened) => this.#type(opened, message));
      case "ask":
        return this.#turnTo(message.turn, (opened, signal) => this.#ask(opened, message, signal));
      case "drop":
        return this.#turnTo(message.turn, async () => {});
      case "compare":
        return this.#compare(message.turn, message.question, message.ordinal);
      case "check":
        return this.#checkAnswer(message);
      case "search":
        return this.#search(message);
      case "passage-texts":
        return this.#passageTexts(message.request, message.trace);
      case "survey":
        return this.#survey(message.turn, message.question);
      case "gold":
        return this.#gold();
      case "load-encoder":
        return this.#loadEncoder();
      case "join":
        return; // the worker's own affair
      case "ping":
        return this.#post({ type: "pong" });
      case "fetched":
        return this.#post({ type: "fetched", addresses: fetched() });
    }
  }

  async #tellOpened(opening: Promise<Opened>): Promise<void> {
    try {
      const { index, encoder, crossEncoder } = await opening;
      let encoderBytes: number | null = null;
      let encoderKept = false;
      try {
        encoderBytes = encoder.files.bytes;
        encoderKept = await encoder.kept();
      } catch {
        // The manifest does not list the encoder's files: loading it will fail and say so.
      }
      let crossBytes: number | null = null;
      let crossKept = false;
      try {
        crossBytes = crossEncoder?.bytes ?? null;
        crossKept = (await crossEncoder?.kept()) ?? false;
      } catch {
        // As above.
      }
      this.#post({
        type: "opened",
        manifest: index.manifest,
        catalogue: index.catalogue.file,
        encoderBytes,
        encoderKept,
        crossBytes,
        crossKept,
      });
    } catch (error) {
      this.#post({ type: "open-failed", error: recordOf(error) });
    }
  }

  /** Run the newest turn; abort the one before, and let nothing of it be posted. */
  async #turnTo(turn: Turn, work: (opened: Opened, signal: AbortSignal) => Promise<void>): Promise<void> {
    if (turn <= this.#turn) return;
    this.#turn = turn;
    this.#running.abort();
    this.#running = new AbortController();
    const { signal } = this.#running;
    let opened: Opened;
    try {
      opened = await this.#need();
    } catch {
      return; // the page has been told that the index did not open
    }
    try {
      await work(opened, signal);
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      this.#tell(turn, { type: "ask-failed", turn, error: recordOf(error) });
    }
  }

  async #type({ index }: Opened, { turn, text, filter }: Typed): Promise<void> {
    const began = this.#clock();
    const { terms, prefix } = typedTerms(text);
    const held = await index.keyword(terms, prefix);
    if (turn !== this.#turn) return;
    const searched = this.#clock();
    const chunk = (ordinal: number): ChunkRef => index.chunk(ordinal);
    const hits = keywordAsYouType(held, text, index.settings.keyword, chunk, allowedBy(index, filter));
    const ms = this.#clock() - searched;
    const wanted = wantedOf(held, terms, prefix, index.size);
    const tell = (texts: readonly (ShownText | null)[]): void =>
      this.#tell(turn, { type: "typed", turn, hits, texts, ms, total_ms: this.#clock() - began });

    const now = hits.slice(0, SHOWN).map(({ ordinal }) => index.passageNow(ordinal));
    tell(now.map((entry) => entry && shownText(entry.text, [entry], wanted)));
    // What else would be shown is loaded when the reader pauses, and not after every key.
    if (now.includes(null)) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (turn !== this.#turn) return;
      tell(await this.#texts(index, hits, wanted));
    }
    this.#prefetch(index);
  }

  async #ask(opened: Opened, message: Asked, signal: AbortSignal): Promise<void> {
    const { index, dense, crossing } = opened;
    const { turn, question, useEncoder } = message;
    const rerank = message.rerank ?? (await usual(opened));
    const queries = message.queries ?? (await writtenOut(index, question, message.before));
    if (queries.length > 0) this.#tell(turn, { type: "searching", turn, queries });
    const terms = queryTerms(queries.length > 0 ? queries.join(" ") : question);
    const wanted = wantedOf(await index.keyword(terms), terms, "", index.size);
    // Not needed for the first keyword results, so not in their way either.
    const { ask } = await import("./retrieval/pipeline");
    const told = message.memory && (await telling(message.memory));
    let shown: Promise<void> | undefined;
    const trace = await ask(index, question, {
      encoder: useEncoder ? dense : null,
      crossEncoder: crossing,
      rerank,
      filter: message.filter,
      queries,
      ...(told ? { history: told } : {}),
      clock: this.#clock,
      signal,
      onStart: (stage) => this.#tell(turn, { type: "stage-started", turn, stage }),
      onStage: (stage) => {
        this.#tell(turn, { type: "stage", turn, stage });
        if (stage.name !== "keyword") return;
        void this.#texts(index, stage.hits, wanted).then((texts) => {
          this.#tell(turn, { type: "keyword-texts", turn, texts });
          this.#prefetch(index);
        });
      },
      onPassages: (passages) => {
        shown = this.#shown(index, passages, wanted).then((all) =>
          this.#tell(turn, { type: "passages", turn, passages: all }),
        );
        shown.catch(() => {}); // waited for below
      },
    });
    // Mostly here before the passages are, so that it comes with the answer and pushes nothing down.
    const respelled = queries.length === 0 ? this.#respell(index, turn, trace) : undefined;
    await shown;
    this.#tell(turn, { type: "answered", turn, trace });
    await respelled;
  }

  /** What the question may have been meant to say; of a follow-up that was written out, nothing. */
  async #respell(index: HeldIndex, turn: Turn, { question, stages }: Trace): Promise<void> {
    const terms = stages.flatMap((stage) => (stage.name === "keyword" ? stage.terms : []));
    const pieces = stages.flatMap((stage) => (stage.name === "rerank" ? stage.pieces : []));
    if (pieces.length === 0 || terms.every(({ title_chunks, text_chunks }) => title_chunks + text_chunks > 0)) return;
    try {
      const { respell, vocabularyOf } = await import("./retrieval/spelling");
      const read = pieces.map(({ piece }) => piece);
      const meant = await respell(question, terms, read, async (prefix) =>
        vocabularyOf(await index.keyword([], prefix), prefix),
      );
      if (meant !== null) this.#tell(turn, { type: "respelled", turn, question: meant });
    } catch (error) {
      // The answer is there: without this nothing is missing from it.
      this.#post({ type: "problem", error: recordOf(error) });
    }
  }

  async #shown(index: HeldIndex, passages: readonly Passage[], wanted: Wanted): Promise<ShownPassage[]> {
    return Promise.all(
      passages.map(async (passage) => ({
        ...passage,
        ...shownText(passage.text, await index.passages(passage.ordinals), wanted),
      })),
    );
  }

  /** Text and marks of the hits that a list shows; none when their file cannot be used, which is told. */
  async #texts(index: HeldIndex, hits: readonly KeywordHit[], wanted: Wanted): Promise<ShownText[]> {
    const ordinals = hits.slice(0, SHOWN).map((hit) => hit.ordinal);
    try {
      return (await index.passages(ordinals)).map((entry) => shownText(entry.text, [entry], wanted));
    } catch (error) {
      this.#post({ type: "problem", error: recordOf(error) });
      return [];
    }
  }

  /** Not a turn of its own: it belongs to the question that was asked, and must not end it. */
  async #compare(turn: Turn, question: string, ordinal: number): Promise<void> {
    const answer = (comparison: Comparison | null): void =>
      this.#tell(turn, { type: "compared", turn, ordinal, comparison });
    try {
      const { index, encoder } = await this.#need();
      const [{ compare }, held, read, [passage]] = await Promise.all([
        import("./comparison"),
        index.tokenVectors([ordinal]),
        encoder.pieces(question),
        index.passages([ordinal]),
      ]);
      const signs = held?.signs[0];
      if (!held || !signs || !passage) return answer(null);
      const pieces = (text: string): string[] => encoder.passagePieces(text);
      answer(compare(ordinal, read, held, signs, index.chunk(ordinal).path, passage.text, pieces));
    } catch (error) {
      this.#post({ type: "problem", error: recordOf(error) });
      answer(null);
    }
  }

  /** Not a turn of its own either. Sentences that were checked once are not checked again. */
  async #checkAnswer({ turn, trace, shown, text, done }: Extract<ToWorker, { type: "check" }>): Promise<void> {
    const began = this.#clock();
    try {
      const { index, dense } = await this.#need();
      if (trace) {
        this.#check = import("./retrieval/check").then(({ checkOf }) => checkOf(index, dense, trace, shown));
        // Met below, by whoever waits for it.
        this.#check.catch(() => {});
      }
      const sentences = (await (await this.#check)?.update(text, done)) ?? [];
      const output = sentences.filter(({ verdict }) => verdict === "supported").length;
      const ms = this.#clock() - began;
      const run = { state: "done", reason: "", started_ms: 0, ms, input: sentences.length, output } as const;
      const stage = { name: "check", ...run, parameters: index.settings.check, text, sentences } as const;
      this.#tell(turn, { type: "checked", turn, sentences, stage: done ? stage : null });
    } catch (error) {
      this.#post({ type: "problem", error: recordOf(error) });
    }
  }

  async #passageTexts(request: number, trace: Trace): Promise<void> {
    try {
      const [{ index }, { passagesOf }] = await Promise.all([this.#need(), import("./retrieval/passages")]);
      this.#post({ type: "passage-texts", request, texts: await passagesOf(index, trace) });
    } catch (error) {
      this.#post({ type: "problem", error: recordOf(error) });
      this.#post({ type: "passage-texts", request, texts: null });
    }
  }

  /** Not a turn of its own either: the question stays, and what this finds joins it. */
  async #search({ request, query, rerank, filter }: Extract<ToWorker, { type: "search" }>): Promise<void> {
    try {
      const [{ index, dense, crossing }, { ask }] = await Promise.all([this.#need(), import("./retrieval/pipeline")]);
      const how = { encoder: dense, crossEncoder: crossing, rerank, filter, clock: this.#clock };
      this.#post({ type: "found", request, trace: await ask(index, query, how) });
    } catch (error) {
      this.#post({ type: "problem", error: recordOf(error) });
      this.#post({ type: "found", request, trace: null });
    }
  }

  /** Not a turn of its own either. */
  async #survey(turn: Turn, question: string | null): Promise<void> {
    const answer = (survey: Survey | null): void => this.#tell(turn, { type: "surveyed", turn, survey });
    try {
      const { index, encoder } = await this.#need();
      const [{ survey }, plane] = await Promise.all([import("./survey"), index.plane()]);
      if (!plane) return answer(null);
      if (question === null) return answer(survey(plane, null, null));
      const [vectors, vector] = await Promise.all([index.vectors(), encoder.embed(question)]);
      answer(survey(plane, vectors, vector));
    } catch (error) {
      this.#post({ type: "problem", error: recordOf(error) });
      answer(null);
    }
  }

  async #gold(): Promise<void> {
    let scores: GoldScores | null = null;
    try {
      scores = await (await this.#need()).index.gold();
    } catch (error) {
      this.#post({ type: "problem", error: recordOf(error) });
    }
    this.#post({ type: "gold", scores });
  }

  async #loadEncoder(): Promise<void> {
    try {
      const { dense } = await this.#need();
      await dense.ready();
    } catch {
      // Told where it was thrown.
    }
  }

  /** After the first results, the rest of the keyword index, so that later ones wait for nothing. */
  #prefetch(index: HeldIndex): void {
    if (this.#prefetched) return;
    this.#prefetched = true;
    setTimeout(() => void index.prefetchKeyword(), 300);
  }

  #need(): Promise<Opened> {
    return this.#opened ?? Promise.reject(new Error("the index was not opened"));
  }

  #tell(turn: Turn, message: FromWorker): void {
    if (turn === this.#turn) this.#post(message);
  }
}

/** What a question that leans on the turn before it is to be searched for as; nothing for one that stands alone. */
async function writtenOut(index: HeldIndex, question: string, before: Before | null): Promise<readonly string[]> {
  if (!before) return [];
  const { leans, rewrite } = await import("./retrieval/follow_up");
  const { language } = index.settings.prompt;
  if (!leans(question, language)) return [];
  const held = await index.keyword(queryTerms(before.question));
  return rewrite(question, before, (term) => rarity(held, term), language);
}

/** What the prompt tells of the conversation, once its tokens can be counted. */
async function telling(memory: Memory): Promise<(countTokens: (text: string) => number) => string> {
  const { historyText } = await import("./conversation/memory");
  return (countTokens) => historyText(memory, countTokens);
}

/** How this site reranks unasked: as it is set, but without a cross-encoder that is still to be fetched. */
async function usual({ index, crossEncoder }: Opened): Promise<RerankMode> {
  const { mode } = index.settings.rerank;
  if (mode !== "cross-encoder") return mode;
  const here = await crossEncoder?.kept().catch(() => false);
  return here ? mode : "late-interaction";
}

/** The terms worth marking: words that are not in every fifth chunk, or all of them when every one is. */
function wantedOf(held: KeywordIndex, terms: readonly string[], prefix: string, size: number): Wanted {
  const rare = terms.filter((term) => {
    const inText = held.postings.get(term)?.["1"];
    if (LETTER.test(term)) return false;
    return inText !== undefined && Object.keys(inText).length <= Math.max(3, size * COMMON);
  });
  return { terms: new Set(rare.length > 0 || prefix !== "" ? rare : terms), prefix };
}

function shownText(text: string, parts: readonly PassageText[], wanted: Wanted): ShownText {
  return { text, marks: marksOf(text, wanted, tokenize), verbatim: verbatimOf(text, parts) };
}
