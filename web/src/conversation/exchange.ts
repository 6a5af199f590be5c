/**
 * A conversation: exchanges of a question and what was answered, in the order in which they were asked. Plain data,
 * small enough to be kept; a trace has everything else and is not.
 */

import type { Before } from "../retrieval/follow_up";
import { stageOf, type Trace } from "../retrieval/trace";

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
  readonly written: { readonly model: string; readonly text: string } | null;
}

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
  for (const [, number] of generate?.text.matchAll(/\[(\d{1,2})\]/g) ?? []) numbers.add(Number(number));
  const found = trace.passages.filter(({ number }) => numbers.size === 0 || numbers.has(number));
  const first = trace.passages.find(({ number }) => number === (sentences[0]?.number ?? 1));
  return {
    question: trace.question,
    queries: trace.rewrite?.queries ?? [],
    verdict: open === null ? "unjudged" : open ? "answered" : "refused",
    heading: answer?.state === "done" ? (first?.path.at(-1) ?? "") : "",
    quotes: sentences.map(({ text, number, kind }) => ({ text, number, verbatim: kind !== "sentence" })),
    cited: open === false ? [] : found.map(({ number, label, url }) => ({ number, label, url })),
    written: generate?.state === "done" && generate.text !== "" ? { model: generate.model, text: generate.text } : null,
  };
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

/** The first sentence of what was answered, for a line that stands for it; "" where nothing was. */
export function firstSentence({ quotes, written }: Exchange): string {
  const prose = quotes.find(({ verbatim }) => !verbatim) ?? quotes[0];
  if (prose) return prose.text;
  return /^.*?[.!?](?=\s|$)/.exec(written?.text.replace(/\s+/g, " ").trim() ?? "")?.[0] ?? "";
}
