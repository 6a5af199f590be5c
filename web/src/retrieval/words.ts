/** Words of a question as they were typed, without the punctuation around them. */

import { tokenize } from "./tokens";

const LEADING = /^["'`“”‘’«([{<¿¡]+/;
const TRAILING = /[.,;:!?…"'`“”‘’»\]}>。？！，、；：]+$/;

/** The words of a text on one line, in order; what has no token is none, and what is written without spaces is one word. */
export function asTyped(text: string): string[] {
  return text.split(" ").flatMap((raw) => {
    let word = raw.replace(LEADING, "").replace(TRAILING, "");
    if (word.endsWith(")") && !word.includes("(")) word = word.slice(0, -1).replace(TRAILING, "");
    return tokenize(word).length > 0 ? [word] : [];
  });
}
