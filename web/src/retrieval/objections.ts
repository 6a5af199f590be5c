/**
 * What tells two like sentences apart that neither common words nor vectors see: numbers, negations, opposites.
 *
 * This is `build/openbook/retrieval/objections.py`, rule by rule.
 */

import { STOP_WORDS } from "./keyword";
import { tokenize } from "./tokens";
import type { Objection } from "./trace";

const UNITS =
  "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen " +
  "nineteen";
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety";

/** Left out are zero, one, first and second, which are written for other things than a number. */
const NUMBER_WORDS: ReadonlyMap<string, string> = new Map([
  ...UNITS.split(" ").map((word, place): [string, string] => [word, String(place + 2)]),
  ...TENS.split(" ").map((word, place): [string, string] => [word, String(10 * (place + 2))]),
  ["third", "3"],
  ["quarter", "4"],
  ["fifth", "5"],
  ["sixth", "6"],
  ["tenth", "10"],
]);

const NEGATIONS: ReadonlySet<string> = new Set(
  "not no never none nobody nothing neither nor cannot without".split(" "),
);

/** How many of the words behind a "not", stop words aside, it is about. */
const SCOPE = 2;

const OPPOSITES: readonly (readonly [string, string])[] = [
  ["more", "less"],
  ["more", "fewer"],
  ["higher", "lower"],
  ["high", "low"],
  ["larger", "smaller"],
  ["increase", "decrease"],
  ["increases", "decreases"],
  ["before", "after"],
  ["above", "below"],
  ["always", "never"],
  ["faster", "slower"],
  ["longer", "shorter"],
  ["over", "under"],
  ["rises", "falls"],
  ["upper", "lower"],
  ["wide", "narrow"],
  ["increasing", "decreasing"],
  ["better", "worse"],
];

const NUMBER = /[0-9]+(?:[.,][0-9]+)*/g;
const THOUSANDS = /^[0-9]{1,3}(?:,[0-9]{3})+$/;
const DECIMAL = /^[0-9]+(?:\.[0-9]+)?$/;
const WORD = /[a-z]+(?:'[a-z]+)?/g;
const WORD_OR_BREAK = /(?<end>[,.;:()!?\n])|[a-z0-9_]+(?:'[a-z]+)?/g;

/**
 * What speaks against `said` being supported by `quoted`.
 *
 * @param said a sentence of an answer, without its citations
 * @param quoted the sentence of a passage that is most like it
 * @param around that sentence with its neighbours and headings; a number may stand in any of them
 */
export function objectTo(said: string, quoted: string, around: string): Objection[] {
  const there = numbers(around);
  const objections: Objection[] = numbers(said)
    .filter((number) => !stands(number, there))
    .map((what) => ({ kind: "number", what }));
  const terms = new Set(tokenize(said));
  const others = new Set(tokenize(quoted));
  const denied = deniedIn(said);
  const denies = deniedIn(quoted);
  for (const what of new Set([...denied, ...denies])) {
    if (terms.has(what) && others.has(what) && denied.has(what) !== denies.has(what)) {
      objections.push({ kind: "negation", what });
    }
  }
  const words = new Set(wordsOf(said));
  const their = new Set(wordsOf(quoted));
  for (const [first, second] of OPPOSITES) {
    for (const [one, other] of [
      [first, second],
      [second, first],
    ] as const) {
      if (words.has(one) && !words.has(other) && their.has(other) && !their.has(one)) {
        objections.push({ kind: "opposite", what: `${one}, ${other}` });
      }
    }
  }
  return objections;
}

/** The numbers of a text in digits, each once, without the commas of thousands. */
export function numbers(text: string): string[] {
  const found = new Set<string>();
  for (const [written] of text.matchAll(NUMBER)) {
    found.add(written.replaceAll(",", THOUSANDS.test(written) ? "" : "."));
  }
  for (const word of wordsOf(text)) {
    const number = NUMBER_WORDS.get(word);
    if (number !== undefined) found.add(number);
  }
  return [...found];
}

/** Whether a number is among others: as it is, as a share for a percentage or the reverse, or rounded. */
function stands(number: string, there: readonly string[]): boolean {
  if (there.includes(number)) return true;
  if (!DECIMAL.test(number)) return false;
  const value = Number(number);
  const digits = digitsOf(number);
  return there.some((other) => {
    if (!DECIMAL.test(other)) return false;
    const known = Number(other);
    const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9;
    if (near(known, value) || near(known * 100, value) || near(known, value * 100)) return true;
    const rounded = number.replace(".", "").length > 1 && digitsOf(other) > digits;
    return rounded && Math.abs(known - value) <= 0.5 / 10 ** digits;
  });
}

function digitsOf(number: string): number {
  return number.split(".")[1]?.length ?? 0;
}

/** The terms that a negation is about: the next `SCOPE` in its clause that are no stop words. */
function deniedIn(text: string): Set<string> {
  const denied = new Set<string>();
  let left = 0;
  for (const match of plain(text).matchAll(WORD_OR_BREAK)) {
    const [word] = match;
    if (match.groups?.["end"] !== undefined) left = 0;
    else if (NEGATIONS.has(word) || word.endsWith("n't")) left = SCOPE;
    else if (left > 0) {
      const found = tokenize(word).filter((term) => !STOP_WORDS.has(term));
      for (const term of found) denied.add(term);
      if (found.length > 0) left -= 1;
    }
  }
  return denied;
}

function wordsOf(text: string): string[] {
  return [...plain(text).matchAll(WORD)].map(([word]) => word);
}

function plain(text: string): string {
  return text.replaceAll("’", "'").toLowerCase();
}
