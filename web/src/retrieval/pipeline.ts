/**
 * A question's way through the stages. Pure: index, encoder and clock are passed in; nothing here knows a page,
 * a network or the time of day.
 */

import { answer } from "./answer";
import type { CrossEncoder, Encoder, SearchIndex, TokenVectors } from "./collection";
import { passageText } from "./cross_encoder";
import { dense, type Vectors } from "./dense";
import { PromptBudgetError } from "./errors";
import { allowedBy, effective, type Filter } from "./filter";
import { inFull, merge } from "./follow_up";
import { fuse } from "./fusion";
import { type Coverage, cover, gate } from "./gate";
import { averageLengths, idf, type KeywordIndex, keyword, queryTerms } from "./keyword";
import { makeTables, maxSim, pieceIdf, type QuestionPieces } from "./late_interaction";
import { type PassageTexts, selectPassages } from "./passages";
import { prompt } from "./prompt";
import { greatestKeywordScore, rerank, rerankByCrossEncoder, unchanged } from "./rerank";
import { type SpanScores, spanScorer } from "./spans";
import {
  type DenseHit,
  type FusedHit,
  type KeywordHit,
  type QueryTerm,
  type RerankHit,
  type RerankMode,
  type Stage,
  type StageName,
  type StageState,
  TRACE_SCHEMA,
  type Trace,
} from "./trace";

export interface AskOptions {
  /** Null when there is none: keyword search alone, with no gate and so no answer. */
  readonly encoder: Encoder | null;
  /** Absent where there is none or it has not been loaded: then late interaction takes its place. */
  readonly crossEncoder?: CrossEncoder | null;
  /** How to rerank, as the reader chose; absent for what the settings say. */
  readonly rerank?: RerankMode | null;
  /** What part of the course is searched; absent for all of it. */
  readonly filter?: Filter | null;
  /**
   * What to search for instead of the question, each by itself, as `rewrite` gives it: their rankings are merged.
   */
  readonly queries?: readonly string[];
  /** What was said before, for the prompt; made when the prompt is, since it counts tokens. */
  readonly history?: (countTokens: (text: string) => number) => string;
  /** Milliseconds, monotonic. */
  readonly clock: () => number;
  /** Called before a stage begins. */
  readonly onStart?: (name: StageName) => void;
  /** Called when a stage is over, with its record. */
  readonly onStage?: (stage: Stage) => void;
  /** Called as soon as the fused list is known and the passages' texts are here. */
  readonly onPassages?: (passages: Trace["passages"]) => void;
  readonly signal?: AbortSignal;
}

/** Why a stage was skipped, as the trace says it. */
export const REASONS = {
  noEncoder: "there is no encoder",
  gateSkipped: "without a cosine the gate cannot decide",
  gateClosed: "the gate is closed",
  noPassages: "no passage was found",
  nothingAllowed: "the filter lets no passage through",
  noRoom: "the question leaves no room for a passage",
  noTokenVectors: "the index has no token vectors",
} as const;

/**
 * Ask a question.
 *
 * An encoder that fails does not end the question: its stages are skipped, with the reason, and keyword results stand.
 *
 * @throws GateError when the index has no threshold; ShapeError when the encoder's vectors are not of the index's size;
 *   whatever the index throws when a file cannot be loaded; the signal's reason when it was aborted.
 */
export async function ask(index: SearchIndex, question: string, options: AskOptions): Promise<Trace> {
  const queries = options.queries ?? [];
  const [first = question, ...more] = queries;
  const start = options.clock();
  const asking = new Asking(index, first, options, start);
  const found = [await asking.search()];
  // The blocks show the first; of the others the trace has the stages.
  const others = more.map((query) => new Asking(index, query, quiet(options), start));
  for (const other of others) found.push(await other.search());
  const ranking = merge(
    found.map(({ hits }) => hits),
    index.settings.fusion.k,
  );
  const near = found.map(({ denseHits }) => denseHits);
  const nearest = near.reduce((best, one) => (bestScore(one) > bestScore(best) ? one : best));
  const passages = await asking.passages(ranking);
  const covered = others
    .map((one) => one.cover())
    .reduce((best, one) => (one.share > best.share ? one : best), asking.cover());
  const refused = asking.gate(nearest, ranking, covered) || (passages.length > 0 ? "" : REASONS.noPassages);
  await asking.prompt(inFull(question, queries), passages, refused);
  asking.answer(passages, refused, refused ? null : await asking.compare(ranking), covered);
  return {
    schema: TRACE_SCHEMA,
    question,
    as_of: index.asOf,
    settings: index.settings,
    stages: asking.stages,
    passages: passages.map(({ passage }) => passage),
    filter: asking.filter,
    rewrite: queries.length > 0 ? { queries, others: others.map(({ stages }) => stages), hits: ranking } : null,
    hops: [],
  };
}

/** The same without anybody who is told of the stages. */
function quiet({ onStart: _, onStage: __, onPassages: ___, ...options }: AskOptions): AskOptions {
  return options;
}

function bestScore(hits: readonly DenseHit[]): number {
  return hits[0]?.score ?? Number.NEGATIVE_INFINITY;
}

/** What every stage records. */
interface Run {
  readonly state: StageState;
  readonly reason: string;
  readonly started_ms: number;
  readonly ms: number;
}

interface Embedded {
  readonly vector: Float32Array | null;
  readonly reason: string;
}

/** One query: runs a stage, measures it and records it. Each method is one or two of the blocks on the page. */
class Asking {
  readonly stages: Stage[] = [];
  readonly filter: Filter | null;
  readonly #allowed: ReadonlySet<number> | null;
  /** How many chunks are searched. */
  readonly #searched: number;
  readonly #index: SearchIndex;
  readonly #question: string;
  readonly #options: AskOptions;
  readonly #start: number;
  readonly #encoder: Encoder | null;
  readonly #vectors: Promise<Vectors> | null;
  #keywordIndex: KeywordIndex | undefined;
  #terms: readonly QueryTerm[] = [];

  constructor(index: SearchIndex, question: string, options: AskOptions, start: number) {
    this.#index = index;
    this.#question = question;
    this.#options = options;
    this.#start = start;
    this.#encoder = options.encoder;
    this.filter = effective(options.filter);
    this.#allowed = allowedBy(index, this.filter);
    this.#searched = this.#allowed?.size ?? index.size;
    // Both begin to load while keyword search goes on; a failure is met where it is waited for.
    this.#vectors = this.#encoder ? index.vectors() : null;
    this.#vectors?.catch(() => undefined);
    this.#encoder?.ready().catch(() => undefined);
  }

  /** Keyword search to reranking. */
  async search(): Promise<{ readonly denseHits: readonly DenseHit[]; readonly hits: readonly RerankHit[] }> {
    const keywordHits = await this.keyword();
    const embedded = await this.embed();
    const denseHits = await this.dense(embedded);
    const fused = this.fuse(keywordHits, denseHits);
    return { denseHits, hits: await this.rerank(fused, keywordHits, denseHits, embedded) };
  }

  async keyword(): Promise<readonly KeywordHit[]> {
    const parameters = this.#index.settings.keyword;
    const keywordIndex = await this.#index.keyword(queryTerms(this.#question));
    this.#keywordIndex = keywordIndex;
    const { result, run } = this.#measure("keyword", () =>
      keyword(keywordIndex, this.#question, parameters, (ordinal) => this.#index.chunk(ordinal), this.#allowed),
    );
    const { terms, hits } = result;
    this.#terms = terms;
    const average_lengths = averageLengths(keywordIndex.base);
    const [input, output] = [this.#searched, hits.length];
    this.#record({ name: "keyword", ...run, input, output, parameters, average_lengths, terms, hits });
    return hits;
  }

  /** The question's vector, or why there is none. */
  async embed(): Promise<Embedded> {
    this.#begin("embed");
    const encoder = this.#encoder;
    if (!encoder) return this.#withoutVector(REASONS.noEncoder);
    const waiting = this.#options.clock();
    let begun = waiting;
    let vector: Float32Array;
    try {
      await encoder.ready();
      begun = this.#options.clock();
      vector = await encoder.embed(this.#question);
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      return this.#withoutVector(`the encoder failed: ${messageOf(error)}`);
    }
    const ms = this.#options.clock() - begun;
    const tokens = encoder.countTokens(this.#question);
    const run = { state: "done", reason: "", started_ms: begun - this.#start, ms } as const;
    const dims = vector.length;
    this.#record({ name: "embed", ...run, input: tokens, output: dims, dims, tokens, waited_ms: begun - waiting });
    return { vector, reason: "" };
  }

  #withoutVector(reason: string): Embedded {
    this.#record({ name: "embed", ...this.#skip(reason), dims: 0, tokens: 0, waited_ms: 0 });
    return { vector: null, reason };
  }

  async dense({ vector, reason }: Embedded): Promise<readonly DenseHit[]> {
    const parameters = this.#index.settings.dense;
    const vectors = vector && (await this.#vectors?.catch((error: unknown) => messageOf(error)));
    if (!vector || !vectors || typeof vectors === "string") {
      const skipped = this.#skip(vector ? `the vectors could not be loaded: ${vectors}` : reason);
      this.#record({ name: "dense", ...skipped, parameters, hits: [] });
      return [];
    }
    const id = (ordinal: number): string => this.#index.chunk(ordinal).id;
    const { result: hits, run } = this.#measure("dense", () => dense(vectors, vector, parameters, id, this.#allowed));
    this.#record({ name: "dense", ...run, input: this.#searched, output: hits.length, parameters, hits });
    return hits;
  }

  fuse(keywordHits: readonly KeywordHit[], denseHits: readonly DenseHit[]): readonly FusedHit[] {
    const parameters = this.#index.settings.fusion;
    const { result: hits, run } = this.#measure("fuse", () => fuse(keywordHits, denseHits, parameters));
    const input = keywordHits.length + denseHits.length;
    this.#record({ name: "fuse", ...run, input, output: hits.length, parameters, hits });
    return hits;
  }

  /** Reranking; the fused order when it is off or cannot be done. */
  async rerank(
    fused: readonly FusedHit[],
    keywordHits: readonly KeywordHit[],
    denseHits: readonly DenseHit[],
    embedded: Embedded,
  ): Promise<readonly RerankHit[]> {
    const mode = this.#options.rerank ?? this.#index.settings.rerank.mode;
    const crossEncoder = mode === "cross-encoder" ? this.#options.crossEncoder : null;
    const crossed = crossEncoder ? await this.#crossEncode(fused, crossEncoder) : null;
    return crossed ?? this.#lateInteraction(mode, fused, keywordHits, denseHits, embedded);
  }

  /** Reranking by the cross-encoder; null when it fails, which it has told itself. */
  async #crossEncode(fused: readonly FusedHit[], crossEncoder: CrossEncoder): Promise<readonly RerankHit[] | null> {
    const parameters = { ...this.#index.settings.rerank, mode: "cross-encoder" } as const;
    const candidates = fused.slice(0, parameters.cross_depth).map(({ ordinal }) => ordinal);
    this.#begin("rerank");
    try {
      const [passages] = await Promise.all([this.#index.passages(candidates), crossEncoder.ready()]);
      const texts = candidates.map((ordinal, place) =>
        passageText(this.#index.chunk(ordinal), passages[place]?.text ?? ""),
      );
      const begun = this.#options.clock();
      const found = await crossEncoder.score(this.#question, texts, this.#options.signal);
      const scores = new Map(candidates.map((ordinal, place) => [ordinal, found[place] as number]));
      const hits = rerankByCrossEncoder(fused, scores);
      const times = { started_ms: begun - this.#start, ms: this.#options.clock() - begun };
      const counts = { input: fused.length, output: hits.length };
      this.#record({ name: "rerank", state: "done", reason: "", ...times, ...counts, parameters, hits, pieces: [] });
      return hits;
    } catch {
      this.#options.signal?.throwIfAborted();
      return null;
    }
  }

  async #lateInteraction(
    mode: RerankMode,
    fused: readonly FusedHit[],
    keywordHits: readonly KeywordHit[],
    denseHits: readonly DenseHit[],
    embedded: Embedded,
  ): Promise<readonly RerankHit[]> {
    const done = mode === "off" ? "off" : "late-interaction";
    const parameters = { ...this.#index.settings.rerank, mode: done } as const;
    const candidates = fused.slice(0, parameters.depth);
    const needed = parameters.mode === "off" ? "" : await this.#forRerank(candidates, embedded);
    if (typeof needed === "string") {
      const { result: hits, run } = this.#measure("rerank", () => unchanged(fused));
      const state = parameters.mode === "off" ? "off" : "skipped";
      const counts = { input: fused.length, output: hits.length };
      this.#record({ name: "rerank", ...run, state, reason: needed, ...counts, parameters, hits, pieces: [] });
      return hits;
    }
    const { read, held } = needed;
    const { result, run } = this.#measure("rerank", () => {
      const weights = read.ids.map((id) => pieceIdf(held.weights, id));
      const tables = makeTables(read, held.bits);
      const scores = new Map(
        candidates.map(({ ordinal }, place) => {
          const { score, inOrder } = maxSim(tables, weights, held.signs[place] as Uint8Array);
          return [ordinal, [score, inOrder]] as const;
        }),
      );
      const greatest = greatestKeywordScore(this.#terms, this.#index.size, this.#index.settings.keyword);
      return { weights, hits: rerank(fused, keywordHits, denseHits, scores, greatest, parameters) };
    });
    const { weights, hits } = result;
    const pieces = read.pieces.map((piece, place) => ({
      piece,
      chunks: held.weights.counts.get(read.ids[place] as number) ?? 0,
      weight: weights[place] as number,
    }));
    this.#record({ name: "rerank", ...run, input: fused.length, output: hits.length, parameters, hits, pieces });
    return hits;
  }

  /** What late interaction needs, or why it is not to be had. A file that fails costs this stage and no other. */
  async #forRerank(
    candidates: readonly FusedHit[],
    { vector, reason }: Embedded,
  ): Promise<{ readonly read: QuestionPieces; readonly held: TokenVectors } | string> {
    if (!this.#encoder || !vector) return reason;
    try {
      const [held, read] = await Promise.all([
        this.#index.tokenVectors(candidates.map(({ ordinal }) => ordinal)),
        this.#encoder.pieces(this.#question),
      ]);
      return held ? { read, held } : REASONS.noTokenVectors;
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      return `the token vectors could not be loaded: ${messageOf(error)}`;
    }
  }

  /** The passages that come first. */
  async passages(ranking: readonly RerankHit[]): Promise<readonly PassageTexts[]> {
    const passages = await selectPassages(this.#index, ranking, this.#index.settings.prompt.passages);
    this.#options.signal?.throwIfAborted();
    this.#options.onPassages?.(passages.map(({ passage }) => passage));
    return passages;
  }

  /** How much of the query the course has. */
  cover(): Coverage {
    return cover(this.#question, this.#terms, this.#index.size);
  }

  /** The gate; returns why nothing is to be answered, or "" when it is open. */
  gate(hits: readonly DenseHit[], ranking: readonly RerankHit[], covered: Coverage): string {
    const best = hits[0];
    if (!best) {
      const reason = this.filter && this.#searched === 0 ? REASONS.nothingAllowed : REASONS.gateSkipped;
      const skipped = this.#skip(reason);
      const scores = { cosine: null, late_interaction: null, coverage: null, answerability: null, cross_encoder: null };
      const nothing = { open: null, margin: null, absent: [], ...scores } as const;
      this.#record({ name: "gate", ...skipped, parameters: null, ...nothing, decided_by: "cosine" });
      return reason;
    }
    const byPieces = greatest(ranking.map(({ late_interaction }) => late_interaction));
    const byPair = greatest(ranking.map(({ cross_encoder }) => cross_encoder));
    const { result, run } = this.#measure("gate", () => gate(best.score, byPieces, covered, this.#index.gate, byPair));
    const { open, threshold, source, ...rest } = result;
    const counts = { input: hits.length, output: Number(open) };
    this.#record({ name: "gate", ...run, ...counts, parameters: { threshold, source }, open, ...rest });
    return open ? "" : REASONS.gateClosed;
  }

  /** The prompt, unless there is nothing to answer. */
  async prompt(question: string, passages: readonly PassageTexts[], refused: string): Promise<void> {
    const parameters = this.#index.settings.prompt;
    const encoder = this.#encoder;
    const without = (reason: string): void => {
      const nothing = { text: "", tokens: 0, words: 0, parts: [], dropped: [] } as const;
      this.#record({ name: "prompt", ...this.#skip(reason), parameters, ...nothing });
    };
    if (refused || !encoder) {
      without(refused || REASONS.noEncoder);
      return;
    }
    this.#begin("prompt");
    const begun = this.#options.clock();
    const countTokens = (text: string): number => encoder.countTokens(text);
    const history = this.#options.history?.(countTokens) ?? "";
    const result = await prompt(question, passages, parameters, countTokens, parameters.max_tokens, history).catch(
      (error: unknown) => {
        if (error instanceof PromptBudgetError) return null;
        throw error;
      },
    );
    const run = this.#done(begun);
    if (!result) {
      without(REASONS.noRoom);
      return;
    }
    const output = result.parts.filter(({ kind }) => kind === "passage").length;
    this.#record({ name: "prompt", ...run, input: passages.length, output, parameters, ...result });
  }

  /**
   * What compares the question with the sentences of the chunks that late interaction reranked; their signs and the
   * question's pieces are here already.
   */
  async compare(ranking: readonly RerankHit[]): Promise<SpanScores | null> {
    const encoder = this.#encoder;
    const compared = ranking.filter(({ late_interaction }) => late_interaction !== null).map(({ ordinal }) => ordinal);
    if (!encoder || compared.length === 0) return null;
    const [held, read] = await Promise.all([this.#index.tokenVectors(compared), encoder.pieces(this.#question)]);
    if (!held) return null;
    const signs = new Map(compared.map((ordinal, place) => [ordinal, held.signs[place] as Uint8Array]));
    return spanScorer(read, held.weights, held.bits, signs, (text) => encoder.countTokens(text));
  }

  /** The extractive answer, unless there is nothing to answer. */
  answer(passages: readonly PassageTexts[], refused: string, near: SpanScores | null, covered: Coverage): void {
    const keywordIndex = this.#keywordIndex;
    if (refused || !keywordIndex) {
      this.#record({ name: "answer", ...this.#skip(refused), text: "", sentences: [], below_floor: 0 });
      return;
    }
    const { result, run } = this.#measure("answer", () =>
      answer(this.#question, passages, (term) => idf(keywordIndex, term), near, covered.share),
    );
    const { considered, text, sentences, belowFloor } = result;
    const output = sentences.length;
    this.#record({ name: "answer", ...run, input: considered, output, text, sentences, below_floor: belowFloor });
  }

  #begin(name: StageName): void {
    this.#options.signal?.throwIfAborted();
    this.#options.onStart?.(name);
  }

  #measure<T>(name: StageName, work: () => T): { result: T; run: Run } {
    this.#begin(name);
    const begun = this.#options.clock();
    const result = work();
    return { result, run: this.#done(begun) };
  }

  #done(begun: number): Run {
    const ms = this.#options.clock() - begun;
    return { state: "done", reason: "", started_ms: begun - this.#start, ms };
  }

  #skip(reason: string): Run & { input: 0; output: 0 } {
    return { state: "skipped", reason, started_ms: this.#options.clock() - this.#start, ms: 0, input: 0, output: 0 };
  }

  #record(stage: Stage): void {
    this.stages.push(stage);
    this.#options.onStage?.(stage);
  }
}

function greatest(scores: readonly (number | null)[]): number | null {
  const found = scores.filter((score) => score !== null);
  return found.length > 0 ? Math.max(...found) : null;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
