/**
 * What a loaded model is asked besides answers: to write a follow-up out as queries, and to sum up older exchanges. Its
 * word is taken only in the form that it was asked for, and nobody waits for it longer than a set time.
 */

import type { Engine, Message } from "../generation/engine";
import { QUERIES } from "../retrieval/follow_up";
import { STOP_WORDS } from "../retrieval/keyword";
import { tokenize } from "../retrieval/tokens";
import type { Exchange } from "./exchange";
import { inBrief } from "./memory";

/** Milliseconds that a question waits for its rewrite at most. */
export const PATIENCE_MS = 4000;
/** Characters of a query. */
const LONGEST = 200;
/** Exchanges before the question that the model is shown. */
const SHOWN = 3;

/** Of a summary's words, how many stand at least in what it sums up. */
const THEIRS = 0.5;

/** A second sentence, or a citation: an answer, and no query. */
const ANSWER = /[.!] \S|\[\d/;
/** A list's bullet or number, a quotation mark, code, a label such as "Query 1:" or "Here are the queries:". */
const MARKED = /^(?:[-*•–—>#`"'“„‘«<{[]|\(?\d+[.)\]:]|[A-Za-z]+(?: [A-Za-z0-9]+){0,4}:(?: |$))/;

export function rewriteMessages(question: string, before: readonly Exchange[]): readonly Message[] {
  const said = before.slice(-SHOWN).map(inBrief).join("\n");
  return [
    {
      role: "system",
      content:
        "You write search queries. The question below leans on the conversation before it. Write it out as one to three " +
        "queries that can be understood alone: one query a line, and nothing else. No numbers, no quotation marks, no explanation.",
    },
    { role: "user", content: `Conversation:\n${said}\n\nQuestion: ${question}\n\nQueries:` },
  ];
}

/**
 * One to three queries, one a line; null for anything else: no line, too many, one that is too long or marked up.
 */
export function parseQueries(text: string): readonly string[] | null {
  const lines = text
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "");
  if (lines.length === 0 || lines.length > QUERIES) return null;
  if (lines.some((line) => line.length > LONGEST || MARKED.test(line) || ANSWER.test(line))) return null;
  return [...new Set(lines)];
}

/** Queries by the model; null when it fails, takes too long, answers in another form or speaks of something else. */
export async function rewriteByModel(
  engine: Engine,
  question: string,
  before: readonly Exchange[],
  signal: AbortSignal,
  patience = PATIENCE_MS,
): Promise<readonly string[] | null> {
  const text = await said(engine, rewriteMessages(question, before), 80, signal, patience);
  const queries = text === null ? null : parseQueries(text);
  // Nothing was written out when the question came back as it was.
  if (!queries || (queries.length === 1 && queries[0]?.toLowerCase() === question.toLowerCase())) return null;
  // A query without a word of what was said is about something else.
  const known = wordsOf([question, ...before.slice(-SHOWN).map(inBrief)].join("\n"));
  return queries.every((query) => wordsOf(query).some((word) => known.includes(word))) ? queries : null;
}

/** A summary of exchanges in two or three sentences; null when it fails, takes too long, or speaks of something else. */
export async function summaryByModel(
  engine: Engine,
  exchanges: readonly Exchange[],
  signal: AbortSignal,
  patience: number,
): Promise<string | null> {
  const messages: readonly Message[] = [
    {
      role: "system",
      content: "Sum up the conversation below in at most three short sentences. Add nothing that does not stand there.",
    },
    { role: "user", content: exchanges.map(inBrief).join("\n") },
  ];
  const text = (await said(engine, messages, 120, signal, patience))?.replace(/\s+/g, " ").trim();
  if (!text) return null;
  const words = wordsOf(text);
  const known = new Set(wordsOf(exchanges.map(inBrief).join("\n")));
  return words.filter((word) => known.has(word)).length >= THEIRS * words.length ? text : null;
}

/** The words of a text that say something. */
function wordsOf(text: string): string[] {
  return [...new Set(tokenize(text))].filter((term) => !STOP_WORDS.has(term));
}

/** The whole of what the engine says; null when it failed or was cut off by the signal, the time or its length. */
async function said(
  engine: Engine,
  messages: readonly Message[],
  maxTokens: number,
  signal: AbortSignal,
  patience: number,
): Promise<string | null> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  const over = new Promise<null>((resolve) => ended.addEventListener("abort", () => resolve(null), { once: true }));
  const reading = async (): Promise<string | null> => {
    let text = "";
    try {
      for await (const piece of engine.stream(messages, { maxTokens, temperature: 0, seed: 1 }, ended)) text += piece;
    } catch {
      return null;
    }
    return ended.aborted || engine.usage()?.finish === "length" ? null : text;
  };
  return ended.aborted ? null : Promise.race([reading(), over]);
}
