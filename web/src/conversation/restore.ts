/**
 * What was kept is data that another page of this origin, an older version, or a person with the developer's tools may
 * have written: each record is checked, and what is not as it should be is left out and counted.
 */

import type { Verdict } from "../retrieval/trace";
import {
  type Checked,
  type Cited,
  type Conversation,
  type Exchange,
  type Fact,
  MOST,
  type Quote,
  type Written,
} from "./exchange";

export const SCHEMA = 1;

/** Of a text and of a list, at most. */
const LONGEST = 20_000;
const MANY = 100;

/** Controls but line ends and tabs; marks that turn the direction of text; zero width. */
const HIDDEN = /(?![\n\t])\p{Cc}|\p{Bidi_Control}|[\u200b\u2028\u2029\u2060-\u2064\ufeff]/gu;

const VERDICTS: readonly Verdict[] = ["supported", "weak", "unsupported", "uncited", "unknown-citation", "no-claim"];

type Raw = {
  readonly [K in
    | "schema"
    | keyof Conversation
    | keyof Exchange
    | keyof Quote
    | keyof Cited
    | keyof Written
    | keyof Checked]?: unknown;
};

export interface Restored {
  readonly conversation: Conversation;
  /** Records that were left out. */
  readonly dropped: number;
}

/** What is kept of a conversation. */
export function record(conversation: Conversation): unknown {
  return { schema: SCHEMA, ...conversation };
}

/**
 * The conversation in a record.
 *
 * @param raw anything; `undefined` when nothing was kept
 * @param root of the site: a citation leads to a page below it, or, where the course's pages stand elsewhere, by https
 */
export function restore(raw: unknown, root: URL): Restored {
  if (raw === undefined || raw === null) return { conversation: { exchanges: [], facts: [] }, dropped: 0 };
  const kept = isObject(raw) && raw.schema === SCHEMA ? raw : null;
  const exchanges = all(kept?.exchanges, (value) => exchange(value, root));
  const facts = all(kept?.facts ?? [], (value) => fact(value, root));
  return {
    conversation: { exchanges: exchanges.good.slice(-MOST), facts: facts.good },
    dropped: exchanges.dropped + facts.dropped,
  };
}

function exchange(value: unknown, root: URL): Exchange | null {
  if (!isObject(value)) return null;
  const question = text(value.question);
  const heading = text(value.heading);
  const { verdict, written } = value;
  const queries = every(value.queries, text);
  const quotes = every(value.quotes, (one) => {
    if (!isObject(one) || !isNumber(one.number) || typeof one.verbatim !== "boolean") return null;
    const words = text(one.text);
    return words === null ? null : { text: words, number: one.number, verbatim: one.verbatim };
  });
  const cited = every(value.cited, (one) => {
    if (!isObject(one) || !isNumber(one.number)) return null;
    const label = text(one.label);
    const url = address(one.url, root);
    return label === null || url === null ? null : { number: one.number, label, url };
  });
  const known = verdict === "answered" || verdict === "refused" || verdict === "unjudged";
  if (!question || heading === null || !known || !queries || !quotes || !cited) return null;
  if (written === null) return { question, queries, verdict, heading, quotes, cited, written };
  const model = isObject(written) ? text(written.model) : null;
  const words = isObject(written) ? text(written.text) : null;
  if (model === null || words === null || !isObject(written)) return null;
  // An older version kept no verdicts.
  const checked = written.checked === undefined ? [] : every(written.checked, (one) => checkedIn(one, written.text));
  if (!checked?.every(({ start }, place) => start >= (checked[place - 1]?.end ?? 0))) return null;
  return { question, queries, verdict, heading, quotes, cited, written: { model, text: words, checked } };
}

/** @param kept the text as it was kept: what nobody sees is no longer in it, and the offsets are those of what is left */
function checkedIn(value: unknown, kept: unknown): Checked | null {
  if (!isObject(value) || typeof kept !== "string") return null;
  const { start, end, verdict } = value;
  const known = VERDICTS.find((one) => one === verdict);
  if (!known || !isOffset(start) || !isOffset(end) || start > end || end > kept.length) return null;
  const left = (at: number): number => kept.slice(0, at).replace(HIDDEN, "").length;
  return { start: left(start), end: left(end), verdict: known };
}

function fact(value: unknown, root: URL): Fact | null {
  if (!isObject(value)) return null;
  const words = text(value.text);
  const label = text(value.label);
  const url = address(value.url, root);
  return words && label !== null && url !== null ? { text: words, label, url } : null;
}

/** A path below the root or an https address; null for anything else. */
function address(value: unknown, root: URL): string | null {
  const path = text(value);
  if (path === null || path.startsWith("/")) return null;
  try {
    const url = new URL(path, root);
    if (/^https:\/\//.test(path)) return path;
    return url.origin === root.origin && url.pathname.startsWith(root.pathname) ? path : null;
  } catch {
    return null;
  }
}

function text(value: unknown): string | null {
  return typeof value === "string" && value.length <= LONGEST ? value.replace(HIDDEN, "") : null;
}

function all<T>(values: unknown, check: (value: unknown) => T | null): { good: T[]; dropped: number } {
  if (!Array.isArray(values)) return { good: [], dropped: 1 };
  const good = values.flatMap((value) => check(value) ?? []) as T[];
  return { good, dropped: values.length - good.length };
}

/** The list, when all of it is good. */
function every<T>(values: unknown, check: (value: unknown) => T | null): readonly T[] | null {
  if (!Array.isArray(values) || values.length > MANY) return null;
  const good = values.map(check);
  return good.includes(null) ? null : (good as T[]);
}

function isObject(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isOffset(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 100;
}
