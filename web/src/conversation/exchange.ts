/**
 * A conversation: exchanges of a question and what was answered, in the order in which they were asked. Plain data,
 * small enough to be kept; a trace has everything else and is not.
 */

import { citations } from "../retrieval/citations";
import type { Before } from "../retrieval/follow_up";
import {
  type CheckedSentence,
  type CheckStage,
  type GenerateStage,
  stageOf,
  type Trace,
  type Verdict,
} from "../retrieval/trace";

/** Exchanges that are kept; the oldest leave first. */
export const MOST = 50;

export interface Quote {
  readonly text: string;
  /** Of the passage that it is quoted from. */
  readonly number: number;
  /** Code, a table or a formula, whose line ends matter. */
  readonly verbatim: boolean;
}

export interface Cited {
  readonly number: number;
  /** Lecture and section. */
  readonly label: string;
  /** Relative to the site's root. */
  readonly url: string;
}

export interface Exchange {
  /** As it was typed. */
  readonly question: string;
  /** What it was searched for as; empty when as it was typed. */
  readonly queries: readonly string[];
  readonly verdict: "answered" | "refused" | "unjudged";
  /** Of the section that a question after it may lean on; "" when there is none. */
  readonly heading: string;
  readonly quotes: readonly Quote[];
  /** Those that the quotes or the model's text cite; of an answer that cites none, all that were found. */
  readonly cited: readonly Cited[];
  /** What a language model wrote; null when none was asked. */
  readonly written: Written | null;
}

export interface Written {
  readonly model: string;
  readonly text: string;
  /** Its sentences, in order, and what the check said of each; none where nothing was checked. */
  readonly checked: readonly Checked[];
}

/** Offsets in the text, and the verdict on what stands there. */
export type Checked = Pick<CheckedSentence, "start" | "end" | "verdict">;

/** A sentence that the reader wants remembered. */
export interface Fact {
  readonly text: string;
  readonly label: string;
  readonly url: string;
}

export interface Conversation {
  readonly exchanges: readonly Exchange[];
  readonly facts: readonly Fact[];
}

export const EMPTY: Conversation = { exchanges: [], facts: [] };

/** What is kept of a question that has its answer. */
export function exchangeOf(trace: Trace): Exchange {
  const answer = stageOf(trace, "answer");
  const generate = stageOf(trace, "generate");
  const open = stageOf(trace, "gate")?.open ?? null;
  const sentences = answer?.sentences ?? [];
  const numbers = new Set(sentences.map(({ number }) => number));
  const given = trace.passages.map(({ number }) => number);
  for (const one of citations(generate?.text ?? "", given)) for (const number of one.numbers) numbers.add(number);
  const found = trace.passages.filter(({ number }) => numbers.size === 0 || numbers.has(number));
  const first = trace.passages.find(({ number }) => number === (sentences[0]?.number ?? 1));
  return {
    question: trace.question,
    queries: trace.rewrite?.queries ?? [],
    verdict: open === null ? "unjudged" : open ? "answered" : "refused",
    heading: answer?.state === "done" ? (first?.path.at(-1) ?? "") : "",
    quotes: sentences.map(({ text, number, kind }) => ({ text, number, verbatim: kind !== "sentence" })),
    cited: open === false ? [] : found.map(({ number, label, url }) => ({ number, label, url })),
    written: generate?.state === "done" && generate.text !== "" ? writtenOf(generate, stageOf(trace, "check")) : null,
  };
}

function writtenOf({ model, text }: GenerateStage, check: CheckStage | undefined): Written {
  // The check of an answer that was written before is not of this one.
  const sentences = check?.text === text ? check.sentences : [];
  return { model, text, checked: sentences.map(({ start, end, verdict }) => ({ start, end, verdict })) };
}

/** What a model wrote, part by part: each sentence that was checked with its verdict, null for all else. */
export function partsOf({ text, checked }: Written): { readonly text: string; readonly verdict: Verdict | null }[] {
  const parts: { text: string; verdict: Verdict | null }[] = [];
  let at = 0;
  for (const { start, end, verdict } of checked) {
    if (start > at) parts.push({ text: text.slice(at, start), verdict: null });
    parts.push({ text: text.slice(start, end), verdict });
    at = end;
  }
  if (at < text.length) parts.push({ text: text.slice(at), verdict: null });
  return parts;
}

/** What a question after this one may lean on. */
export function beforeOf(exchange: Exchange): Before {
  return { question: exchange.queries[0] ?? exchange.question, heading: exchange.heading };
}

export function sameQuestion(one: Pick<Exchange, "question" | "queries">, other: Exchange): boolean {
  return one.question === other.question && one.queries.join("\n") === other.queries.join("\n");
}

/** The conversation with an exchange: in the place of the same question asked before, else at the end. */
export function withExchange(conversation: Conversation, exchange: Exchange): Conversation {
  const { exchanges } = conversation;
  const place = exchanges.findIndex((known) => sameQuestion(exchange, known));
  const after = place < 0 ? [...exchanges, exchange] : exchanges.with(place, exchange);
  return { ...conversation, exchanges: after.slice(-MOST) };
}

/** The conversation with a sentence remembered, or, when it is already, without it. */
export function withFact(conversation: Conversation, fact: Fact): Conversation {
  const { facts } = conversation;
  const known = facts.some(({ text }) => text === fact.text);
  return { ...conversation, facts: known ? facts.filter(({ text }) => text !== fact.text) : [...facts, fact] };
}

/** The first sentence of what was answered, for a line that stands for it; "" where nothing was that is supported. */
export function firstSentence({ quotes, written }: Exchange): string {
  const prose = quotes.find(({ verbatim }) => !verbatim) ?? quotes[0];
  if (prose) return prose.text;
  const supported = written ? partsOf(written).find(({ verdict }) => verdict === "supported") : null;
  return supported?.text.replace(/\s+/g, " ") ?? "";
}
