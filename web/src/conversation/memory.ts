/**
 * What of a conversation a model is told: what the reader wants remembered, the last six exchanges word for word, and
 * the older ones in brief; never more tokens than a budget. Pure, and plain data, so that it can cross to the worker.
 */

import { type Conversation, type Exchange, firstSentence, partsOf } from "./exchange";

/** Exchanges that are told word for word. */
export const VERBATIM = 6;
/** Tokens of the prompt that what was said before may take. */
export const HISTORY_TOKENS = 400;

const HEADING = "The conversation so far, to understand the question by; it is no passage and cannot be cited.";

/** A summary of the first exchanges by a language model. */
export interface Brief {
  /** How many it is of, and the questions that it was made from: of another conversation it is worth nothing. */
  readonly questions: readonly string[];
  readonly text: string;
}

export interface Memory {
  readonly facts: readonly string[];
  /** Of the older exchanges, in brief, the oldest first. */
  readonly brief: readonly string[];
  readonly turns: readonly { readonly question: string; readonly answer: string }[];
}

/**
 * @param leaning the question refers to what was said; else only what is to be remembered is told
 * @param summary used where it is of the very exchanges that are too old to be told; nobody waits for one
 */
export function memoryOf({ exchanges, facts }: Conversation, leaning: boolean, summary: Brief | null): Memory {
  const told = leaning ? exchanges : [];
  const older = told.slice(0, -VERBATIM);
  return {
    facts: facts.map(({ text }) => line(text)),
    brief: isOf(summary, older) ? [line(summary.text)] : older.map(inBrief),
    turns: told.slice(-VERBATIM).map((one) => ({ question: line(one.question), answer: line(answerOf(one)) })),
  };
}

/** The exchanges that want a summary and have none; [] when there is nothing to do. */
export function unsummarised({ exchanges }: Conversation, summary: Brief | null): readonly Exchange[] {
  const older = exchanges.slice(0, -VERBATIM);
  return older.length === 0 || isOf(summary, older) ? [] : older;
}

export function isOf(summary: Brief | null, older: readonly Exchange[]): summary is Brief {
  return (
    summary !== null &&
    summary.questions.length === older.length &&
    older.every(({ question }, place) => question === summary.questions[place])
  );
}

/** An exchange in a line: the question and the first sentence of what was answered. */
export function inBrief(exchange: Exchange): string {
  return line(`${exchange.question} – ${firstSentence(exchange) || answerOf(exchange)}`);
}

/** Of what a model wrote only what the check found supported: what it made up is not told to it as said. */
function answerOf({ verdict, written, quotes }: Exchange): string {
  const supported = written ? partsOf(written).filter((part) => part.verdict === "supported") : [];
  if (supported.length > 0) return supported.map(({ text }) => text).join(" ");
  if (verdict === "refused") return "Not in the notes.";
  return quotes.map(({ text, number }) => `${text} [${number}]`).join(" ");
}

/**
 * The memory as the prompt shows it; "" when there is nothing to tell. What is to be remembered comes first, the newest
 * of it; then exchanges, from the newest back; then the older ones in brief, the newest of those first. Whatever does
 * not fit is left out whole.
 */
export function historyText(memory: Memory, countTokens: (text: string) => number, budget = HISTORY_TOKENS): string {
  let kept: Memory = { facts: [], brief: [], turns: [] };
  const tryWith = (more: Memory): boolean => {
    if (countTokens(render(more)) > budget) return false;
    kept = more;
    return true;
  };
  for (const fact of memory.facts.toReversed()) if (!tryWith({ ...kept, facts: [fact, ...kept.facts] })) break;
  for (const turn of memory.turns.toReversed()) if (!tryWith({ ...kept, turns: [turn, ...kept.turns] })) break;
  // Nothing older is told over a gap.
  if (kept.turns.length === memory.turns.length) {
    for (const one of memory.brief.toReversed()) if (!tryWith({ ...kept, brief: [one, ...kept.brief] })) break;
  }
  return kept.facts.length + kept.brief.length + kept.turns.length === 0 ? "" : render(kept);
}

function render({ facts, brief, turns }: Memory): string {
  return [
    HEADING,
    ...(facts.length > 0 ? ["To remember:", ...facts.map((fact) => `- ${fact}`)] : []),
    ...(brief.length > 0 ? ["Earlier, in brief:", ...brief.map((one) => `- ${one}`)] : []),
    ...turns.flatMap(({ question, answer }) => [`Reader: ${question}`, `Answer: ${answer}`]),
  ].join("\n");
}

/** On one line, so that no text can begin a line of its own and pretend to be another's. */
function line(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
