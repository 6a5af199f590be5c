/**
 * The one tokenizer: text → keyword tokens, the same in the tab and in the build (`build/openbook/index/tokens.py`).
 *
 * What it does is written down in `tests/parity/tokens.json`, a table of cases that both sides are tested against.
 * The functions have the names of the Python side's, where their docstrings say why.
 */

import { characterClass, common, type Range, without, wordRanges } from "./characters";

export const TOKENIZER_NAME = "openbook-1";

/**
 * SHA-256 over the name and the tokens of every case in the table, as both test suites work it out. A page refuses an
 * index with another one.
 */
export const TOKENIZER_FINGERPRINT = "9f32d3314116f5e00b9b316c49a418c06fe4e38efb8b0adf4be7a28b020cb138";

/** Code points of a token; the rest is cut off. */
export const MAX_LENGTH = 64;

const MAX_SEGMENTS = 16;
const MAX_PARTS = 6;
const MAX_SUBPATHS = 4;

// Scripts that are written without spaces (Han, kana, Bopomofo; Thai, Lao, Khmer, Myanmar) or whose words carry
// particles (Hangul).
const UNSPACED_RANGES: readonly Range[] = [
  [0x0e00, 0x0eff],
  [0x1000, 0x109f],
  [0x1100, 0x11ff],
  [0x1780, 0x17ff],
  [0x2e80, 0x2fdf],
  [0x3005, 0x3007],
  [0x3021, 0x302f],
  [0x3031, 0x3035],
  [0x3038, 0x303c],
  [0x3041, 0x309a],
  [0x309d, 0x309f],
  [0x30a1, 0x30fa],
  [0x30fc, 0x30ff],
  [0x3105, 0x318e],
  [0x31a0, 0x31bf],
  [0x31f0, 0x31ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa960, 0xa97f],
  [0xac00, 0xd7fb],
  [0xf900, 0xfad9],
  [0x16fe0, 0x18d08],
  [0x1aff0, 0x1b2fb],
  [0x20000, 0x3134a],
];
const WORDS = wordRanges();
const WORD = characterClass(WORDS);
const UNSPACED = characterClass(common(WORDS, UNSPACED_RANGES));
const SPACED = characterClass(without(WORDS, UNSPACED_RANGES));

const ASCII = /^[\0-\x7f]*$/;
const INVISIBLE =
  /\u00ad|\u061c|[\u180b-\u180f]|[\u200c-\u200f]|[\u202a-\u202e]|[\u2060-\u2064]|[\u2066-\u2069]|[\ufe00-\ufe0f]|\ufeff/gu;
const APOSTROPHES = /[\u02bc\u2019\uff07]/gu;
// Symbols that NFKC would glue to their neighbour: 6½ → 61⁄2, ①a → 1a.
const APART = /[\u00bc-\u00be\u2150-\u215f\u2189\u2460-\u24ff\u3200-\u33ff\u{1f100}-\u{1f1ff}]/gu;
// What may take part in a word before NFKC: the table, ASCII, and what NFKC turns into either.
const KEPT_SYMBOLS =
  "\\u2010\\u2011\\u2100-\\u214f\\u2150-\\u215f\\u2189\\u2460-\\u24ff\\u2e9f\\u2ef3\\u2f00-\\u2fd5\\u3200-\\u33ff" +
  "\\ufe50-\\ufe6b\\uff01-\\uff65";
const TRADEMARKS = /[\u2120\u2122]/gu;
const UNKNOWN = new RegExp(`[^\\0-\\x7f${WORD}${KEPT_SYMBOLS}]`, "gu");
const DIACRITICS = /[\u0300-\u036f]+/gu;
const HYPHENS = /\u2010/gu;

// Letters whose stroke or ligature is no combining mark, as they are typed without the keyboard for them.
const LETTERS = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["đ", "d"],
  ["ð", "d"],
  ["ħ", "h"],
  ["ı", "i"],
  ["ł", "l"],
  ["þ", "th"],
  ["ς", "σ"],
]);
const FOLDED = new RegExp(`[${[...LETTERS.keys()].join("")}]`, "gu");

// A run without spaces; a number with an exponent; C# and its like; 1,000; a compound of words, each perhaps with ++.
const SEGMENT = `[${SPACED}_]+(?:(?<=[A-Za-z])\\+\\+(?:[0-9]+|(?!\\+)))?`;
const SCAN = new RegExp(
  `(?<run>[${UNSPACED}]+)` +
    `|(?<exponent>[0-9]+(?:\\.[0-9]+)?[eE][+\\-][0-9]+(?![${WORD}_]))` +
    `|(?<sharp>[A-Za-z]#(?![${WORD}_#]))` +
    `|(?<grouped>[0-9]{1,3}(?:,[0-9]{3})+(?:\\.[0-9]+)?(?![${WORD}_,]))` +
    `|(?<compound>${SEGMENT}(?:[.'\\-]${SEGMENT})*)`,
  "gu",
);
const PLAIN = /^(?:[a-z]+|[0-9]+(?:\.[0-9]+)*)$/;
const OPENS = new Set(" \t\n\r\f\v([{\"'`,;:=<>/|");

const DOTS = /(?<![0-9])\.|\.(?![0-9])/u;
const PLUSES = /^(.+?)\+\+([0-9]*)$/u;
const EXPONENT = /^[0-9]+(?:\.[0-9]+)?[eE][0-9]+$/;
const PIECES = /[0-9]+(?:\.[0-9]+)*|[^0-9.]+/gu;
const CAMEL = /[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[^A-Z]+/gu;
const PLURAL = /[A-Z]s$/;
const DIGITS = /^[0-9]+$/;
const DIGIT = /[0-9]/;
const INFLECTED = /^[a-z]{4,}$/;
const SINGULAR = /(?:ss|us|is|ias)$/;
const VOWEL = /[aeiouy]/;
const NEVER_DOUBLED = "aeioulsz";
// Words of courses that the rules would get wrong: plurals, and what ends in "-ing" or "-s" without being an inflection.
const IRREGULAR = new Map(
  Object.entries({
    aliases: "alias",
    analyses: "analysis",
    biases: "bias",
    caches: "cache",
    cookies: "cookie",
    cpus: "cpu",
    gpus: "gpu",
    hypotheses: "hypothesis",
    indices: "index",
    matrices: "matrix",
    meanings: "meaning",
    movies: "movie",
    quizzes: "quiz",
    settings: "setting",
    statuses: "status",
    tpus: "tpu",
    vertices: "vertex",
  }),
);
const UNINFLECTED =
  "always anything does during everything meaning nothing perhaps series setting something species turing";
for (const word of UNINFLECTED.split(" ")) IRREGULAR.set(word, word);
const UNFINISHED = /(?:ings?|in?|ies?|es?|s|y)$/;

/**
 * The tokens of a text, in order, repeated as often as they stand there.
 *
 * @param text plain text, any length, any script.
 * @returns tokens of 1 to `MAX_LENGTH` code points; none when the text has no word.
 */
export function tokenize(text: string): string[] {
  const normal = ASCII.test(text) ? text : normalize(text);
  const tokens: string[] = [];
  for (const match of normal.matchAll(SCAN)) {
    const word = match[0];
    const kind = match.groups ?? {};
    if (kind["compound"] !== undefined) {
      const led = dotted(normal, match.index);
      if (PLAIN.test(word) && !led) tokens.push(token(word));
      else for (const token of compound(word, led)) tokens.push(token);
    } else if (kind["run"] !== undefined) {
      for (const pair of pairs(word)) tokens.push(pair);
    } else if (kind["grouped"] !== undefined) {
      tokens.push(word.replaceAll(",", ""), ...word.split(","));
    } else {
      tokens.push(word.toLowerCase());
    }
  }
  return tokens;
}

function normalize(text: string): string {
  return text
    .replace(INVISIBLE, "")
    .replace(APOSTROPHES, "'")
    .replace(TRADEMARKS, " ")
    .replace(APART, " $& ")
    .replace(UNKNOWN, " ")
    .normalize("NFKC")
    .normalize("NFD")
    .replace(DIACRITICS, "")
    .normalize("NFC")
    .replace(HYPHENS, "-");
}

function dotted(text: string, start: number): boolean {
  return start > 0 && text[start - 1] === "." && (start === 1 || OPENS.has(text[start - 2] ?? ""));
}

function pairs(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((second, i) => `${characters[i]}${second}`);
}

function compound(word: string, led: boolean): Iterable<string> {
  if (led && DIGITS.test(word)) return [token(`0.${word}`)];
  const out = new Set<string>();
  if (led && /^[A-Za-z]/.test(word)) emit(out, `.${word}`);
  if (length(word) > MAX_LENGTH && !/[._\-']/.test(word)) emit(out, word);
  else splitDots(out, word);
  return out;
}

function splitDots(out: Set<string>, word: string): void {
  const names = word.split(DOTS);
  if (names.length > 1) {
    emit(out, word);
    if (names.length <= MAX_SUBPATHS) {
      for (let size = names.length - 1; size > 1; size--) {
        for (let first = 0; first + size <= names.length; first++) {
          emit(out, names.slice(first, first + size).join("."));
        }
      }
    }
  }
  for (const name of names.slice(0, MAX_SEGMENTS)) splitHyphens(out, name);
}

function splitHyphens(out: Set<string>, word: string): void {
  const parts = word.split("-");
  if (parts.length > 1) {
    if (DIGIT.test(word)) emit(out, word);
    if (parts.length <= 3 && !parts.every((part) => DIGITS.test(part))) emit(out, parts.join(""));
  }
  for (const part of parts.slice(0, MAX_SEGMENTS)) splitApostrophes(out, part);
}

function splitApostrophes(out: Set<string>, word: string): void {
  const [first = "", ...rest] = word.split("'");
  if (rest.length === 0) {
    splitUnderscores(out, word);
  } else if (rest.length === 1 && (rest[0] === "s" || rest[0] === "S")) {
    splitUnderscores(out, first);
  } else {
    const tail = rest.join("");
    emit(out, first + tail);
    if (length(first) <= 2 && length(tail) >= 3) splitUnderscores(out, tail);
  }
}

function splitUnderscores(out: Set<string>, word: string): void {
  const parts = word.split("_").filter((part) => part !== "");
  if (parts.length === 0) return;
  if (parts.length > 1 && parts.every((part) => DIGITS.test(part))) {
    emit(out, parts.join(""));
    return;
  }
  if (parts.length > 1 || parts[0] !== word) emit(out, word);
  for (const part of parts.slice(0, MAX_SEGMENTS)) splitWord(out, part);
}

function splitWord(out: Set<string>, word: string): void {
  const pluses = PLUSES.exec(word);
  if (pluses) {
    const [, base = "", digits = ""] = pluses;
    emit(out, word);
    if (digits !== "") emit(out, `${base}++`);
    splitWord(out, base);
    if (digits !== "") emit(out, digits);
    return;
  }
  emit(out, word);
  if (length(word) > MAX_LENGTH || EXPONENT.test(word)) return;
  const pieces = word.match(PIECES) ?? [];
  if (pieces.length > MAX_PARTS) return;
  for (const piece of pieces) {
    emit(out, piece);
    splitCamel(out, piece);
  }
}

function splitCamel(out: Set<string>, word: string): void {
  const parts = word.match(CAMEL) ?? [];
  const last = parts.at(-1);
  if (last === undefined || parts.length > MAX_PARTS) return;
  const plural = last.length > 2 && PLURAL.test(last);
  if (plural) parts[parts.length - 1] = last.slice(0, -1);
  if (parts.length === 1 && !plural) return;
  for (const part of parts) emit(out, part);
  for (const [i, part] of parts.entries()) {
    if (length(part) !== 1 || parts.length === 1) continue;
    const next = parts[i + 1];
    emit(out, next === undefined ? `${parts[i - 1]}${part}` : part + next);
  }
}

function emit(out: Set<string>, word: string): void {
  out.add(token(word));
}

function token(word: string): string {
  const lower = word.toLowerCase();
  const folded = ASCII.test(lower) ? lower : lower.replace(FOLDED, (letter) => LETTERS.get(letter) ?? letter);
  const short = length(folded) > MAX_LENGTH ? [...folded].slice(0, MAX_LENGTH).join("") : folded;
  return INFLECTED.test(short) ? stem(short) : short;
}

function stem(inflected: string): string {
  const known = IRREGULAR.get(inflected);
  if (known !== undefined) return known;
  let word = inflected;
  if (word.endsWith("ies")) word = `${word.slice(0, -3)}y`;
  else if (word.endsWith("s") && !SINGULAR.test(word)) {
    word = word.slice(0, /(?:sses|xes|ches|shes)$/.test(word) ? -2 : -1);
  }
  return word.endsWith("ing") && word.length >= 6 && VOWEL.test(word.slice(0, -3)) ? single(word.slice(0, -3)) : word;
}

/** `embedd` → embed: of a word that lost its "-ing". */
function single(word: string): string {
  const last = word.charAt(word.length - 1);
  return word.at(-2) === last && !NEVER_DOUBLED.includes(last) ? word.slice(0, -1) : word;
}

/**
 * The beginning by which to look up a word that is still being typed.
 *
 * Between `train` and `training` stand `traini` and `trainin`, and no token begins with them. What may be the start
 * of an ending is left out, so that hits do not vanish under the reader's fingers.
 *
 * @param typed the last token of what `tokenize` made of the text so far.
 */
export function typedPrefix(typed: string): string {
  if (!INFLECTED.test(typed)) return typed;
  const start = single(typed.replace(UNFINISHED, ""));
  return start.length < 3 ? typed : start;
}

/** In code points, as Python counts. */
function length(word: string): number {
  return word.length <= 1 ? word.length : [...word].length;
}
