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
const NUMBER_WORDS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(UNITS.split(" ").map((word, place) => [word, place + 2])),
  ...Object.fromEntries(TENS.split(" ").map((word, place) => [word, 10 * (place + 2)])),
  twice: 2,
  dozen: 12,
};
/** A part is known by what it divides by, so that one in five is a fifth; a half is 50 %. */
const PARTS: Readonly<Record<string, number>> = { half: 50, third: 3, quarter: 4, fifth: 5, sixth: 6, tenth: 10 };
const DIVISORS: Readonly<Record<string, number>> = { ...PARTS, half: 2 };
const MAGNITUDES: Readonly<Record<string, number>> = { hundred: 100, thousand: 1000, million: 1e6, billion: 1e9 };

const NEGATIONS: ReadonlySet<string> = new Set(
  "not no never none nobody nothing neither nor cannot without".split(" "),
);

/** How many of the words behind a "not", stop words aside, it is about. */
const SCOPE = 2;

/** Share of a sentence's words of content from which on a clause says the same, or its contrary. */
const SAME_CLAUSE = 0.7;
/** Words of content; of fewer no share tells anything. */
const FEWEST = 3;

const OPPOSITES: readonly (readonly [readonly string[], readonly string[]])[] = `
more | less fewer; most | least fewest; many | few; much | little; high | low; higher | lower;
highest | lowest; large big | small tiny; larger bigger greater | smaller; largest biggest greatest | smallest;
long | short; longer | shorter; longest | shortest; wide broad | narrow; wider broader | narrower;
fast quick | slow; faster quicker | slower; early | late; earlier | later; good | bad; better | worse;
best | worst; easy | hard difficult; easier | harder; easiest | hardest; cheap | expensive costly;
cheaper | dearer; strong | weak; stronger | weaker; deep | shallow; safe | dangerous unsafe; same | different;
equal | unequal; dependent | independent; known | unknown; valid | invalid; stable | unstable;
possible | impossible; correct true | wrong false incorrect; useful | useless; positive | negative;
necessary required | optional unnecessary; deterministic | random; linear | nonlinear; encrypted | unencrypted;
increase grow rise | decrease shrink fall reduce; before | after; above | below; over | under; upper | lower;
inside | outside; always | never; often usually | rarely seldom; everything | nothing;
everybody everyone | nobody; minimum min | maximum max; minimise minimize | maximise maximize;
keep kept retain preserve | drop discard lose lost remove delete throw thrown; include | exclude;
add | remove subtract; allow permit | forbid prevent; accept | reject; enable | disable; pass | fail;
start begin | end stop; open | close; improve | worsen; help | hurt harm; common frequent | rare scarce uncommon;
cheapest | expensive costly dearest; newest latest | oldest; newer | older; visible | hidden invisible
`
  .split(";")
  .map((pair) => {
    const [one = "", other = ""] = pair.split("|");
    return [one.trim().split(/\s+/), other.trim().split(/\s+/)];
  });

const alternatives = (words: Readonly<Record<string, number>>): string => Object.keys(words).join("|");
const MAGNITUDE = `(?:${alternatives(MAGNITUDES)})s?`;
const NUMERAL = new RegExp(
  "(?:(?<digits>[0-9]+(?:[.,][0-9]+)*)" +
    `|\\b(?<words>(?:${TENS.replaceAll(" ", "|")})[ -](?:${UNITS.split(" ").slice(0, 8).join("|")})|${alternatives(NUMBER_WORDS)})\\b` +
    `|\\b(?<part>${alternatives(PARTS)})s?\\b(?: of)?(?: an?)?)` +
    `(?:[ -]?\\b${MAGNITUDE}\\b)*` +
    `|\\b${MAGNITUDE}(?:[ -]${MAGNITUDE})*\\b`,
  "g",
);
const THOUSANDS = /^[0-9]{1,3}(?:,[0-9]{3})+$/;
const DECIMAL = /^[0-9]+(?:\.[0-9]+)?$/;
const ENDINGS = [
  ["", ""],
  ["s", ""],
  ["es", ""],
  ["d", ""],
  ["ed", ""],
  ["ing", ""],
  ["ing", "e"],
] as const;
const WORD = /[a-z]+(?:'[a-z]+)?/g;
const BREAK = /[,.;:()!?\n]/;
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
  let against = [...new Set([...denied, ...denies])].filter(
    (term) => terms.has(term) && others.has(term) && denied.has(term) !== denies.has(term),
  );
  if (against.length === 0 && turned(said, quoted)) against = [...denied, ...denies].slice(0, 1);
  objections.push(...against.map((what): Objection => ({ kind: "negation", what })));
  return [...objections, ...opposites(said, quoted)];
}

/**
 * Whether nearly all that is said stands in one clause, and only one of the two denies anything: "is there already"
 * against "does not exist yet".
 */
function turned(said: string, quoted: string): boolean {
  const terms = contentOf(said);
  const shared = (text: string): number => {
    const there = new Set(contentOf(text));
    return terms.filter((term) => there.has(term)).length;
  };
  let clause = "";
  let most = -1;
  for (const one of quoted.split(BREAK)) {
    if (shared(one) > most) [clause, most] = [one, shared(one)];
  }
  if (terms.length < FEWEST || most < SAME_CLAUSE * terms.length) return false;
  return ![deniesAny(clause), deniesAny(quoted)].includes(deniesAny(said));
}

function contentOf(text: string): string[] {
  return [...new Set(tokenize(text))].filter((term) => !STOP_WORDS.has(term) && !NEGATIONS.has(term));
}

function deniesAny(text: string): boolean {
  return wordsOf(text).some((word) => NEGATIONS.has(word) || word.endsWith("n't"));
}

/** A word of the one whose opposite the other has, where neither has both. */
function opposites(said: string, quoted: string): Objection[] {
  const words = formsIn(said);
  const their = formsIn(quoted);
  const found: Objection[] = [];
  for (const [first, second] of OPPOSITES) {
    for (const [one, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const here = one.filter((word) => words.has(word)).sort()[0];
      const there = other.filter((word) => their.has(word)).sort()[0];
      if (here === undefined || there === undefined) continue;
      if (other.some((word) => words.has(word)) || one.some((word) => their.has(word))) continue;
      found.push({ kind: "opposite", what: `${words.get(here)}, ${their.get(there)}` });
    }
  }
  return found;
}

/** What each word may be a form of, and the word: keep for keeps, drop for dropped. */
function formsIn(text: string): Map<string, string> {
  const forms = new Map<string, string>();
  for (const word of wordsOf(text)) {
    for (const [ending, instead] of ENDINGS) {
      if (!word.endsWith(ending) || word.length <= ending.length + 2) continue;
      const form = word.slice(0, word.length - ending.length) + instead;
      // The second of two: dropped.
      for (const one of form.at(-1) === form.at(-2) ? [form, form.slice(0, -1)] : [form]) {
        if (!forms.has(one)) forms.set(one, word);
      }
    }
  }
  return forms;
}

/** The numbers of a text in digits, each once, without the commas of thousands; of words what they come to. */
export function numbers(text: string): string[] {
  const found = new Set<string>();
  for (const { 0: whole, groups } of plain(text).matchAll(NUMERAL)) {
    const { digits, words, part } = groups ?? {};
    const factors = [...whole.matchAll(new RegExp(MAGNITUDE, "g"))].map(
      ([word]) => MAGNITUDES[word.replace(/s$/, "")] as number,
    );
    if (digits !== undefined) {
      found.add(inDigits(digits.replaceAll(",", THOUSANDS.test(digits) ? "" : "."), factors));
    } else if (words !== undefined) {
      const sum = words.split(/[ -]/).reduce((total, word) => total + (NUMBER_WORDS[word] as number), 0);
      found.add(inDigits(String(sum), factors));
    } else if (part === undefined) found.add(inDigits("1", factors));
    else
      found.add(factors.length > 0 ? inDigits(String(1 / (DIVISORS[part] as number)), factors) : String(PARTS[part]));
  }
  return [...found];
}

/** A number times magnitudes: 1.5 and a million are 1500000. */
function inDigits(number: string, factors: readonly number[]): string {
  if (factors.length === 0 || !DECIMAL.test(number)) return number;
  const value = Number(number) * factors.reduce((product, factor) => product * factor, 1);
  return String(Math.abs(value - Math.round(value)) < 1e-6 * value ? Math.round(value) : value);
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
