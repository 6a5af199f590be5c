/**
 * Citations in what a model writes: `[2]`, `[1, 3]`, `[1-3]`, `[Passage 2]`. The one place that says what a citation is.
 *
 * This is `build/openbook/retrieval/citations.py`.
 */

const CODE_OR_CITATION = /`[^`\n]+`|\[(?:[Pp]assages? )?([0-9]{1,3}(?: ?[,;–-] ?[0-9]{1,3})*)\]/g;

/** How far a range of numbers is read. */
const LONGEST_RANGE = 20;

/** Numbers in brackets. */
export interface Citation {
  /** Offsets in the text, brackets included. */
  readonly start: number;
  readonly end: number;
  /** Of passages, as written; one may stand there twice. */
  readonly numbers: readonly number[];
}

/**
 * The citations in a text, in order; between backticks nothing is one.
 *
 * @param given numbers of the passages: right behind a letter a number in brackets is a citation only if there is such a
 *   passage; else it is an index, as in `x[0]`
 */
export function citations(text: string, given: readonly number[]): Citation[] {
  return [...text.matchAll(CODE_OR_CITATION)]
    .flatMap(({ index, 0: written, 1: numbers }) =>
      numbers === undefined ? [] : { start: index, end: index + written.length, numbers: numbersIn(numbers) },
    )
    .filter((one) => !attached(text, one) || one.numbers.every((number) => given.includes(number)));
}

function attached(text: string, { start }: Citation): boolean {
  return start > 0 && /[A-Za-z0-9_)]/.test(text.charAt(start - 1));
}

function numbersIn(written: string): number[] {
  const numbers: number[] = [];
  for (const part of written.split(/ ?[,;] ?/)) {
    const [first = 0, ...rest] = part.split(/ ?[–-] ?/).map(Number);
    const last = rest.at(-1) ?? first;
    if (last > first) {
      for (let number = first; number <= Math.min(last, first + LONGEST_RANGE); number += 1) numbers.push(number);
    } else {
      numbers.push(first, ...rest);
    }
  }
  return numbers;
}
