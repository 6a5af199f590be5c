/**
 * Text fragments: an address that leads to a sentence, which the browser then highlights
 * (https://wicg.github.io/scroll-to-text-fragment/). `site/scripts/reading.js` does it where the browser does not.
 */

/** Words at either end that name a longer stretch. */
const ENDS = 5;
/** Up to so many words are given whole. */
const WHOLE = 12;

/** `:~:text=…` for a quoted sentence or block, to be put behind an address's anchor; "" for one without words. */
export function textDirective(quoted: string): string {
  // Of a block of code or a table the first line; the browser matches within one block of text.
  const line = quoted.split("\n").find((one) => /[\p{L}\p{N}]/u.test(one)) ?? "";
  const words = line.split("|")[0]?.trim().split(/\s+/) ?? [];
  if (words.length === 0 || words[0] === "") return "";
  if (words.length <= WHOLE) return `:~:text=${encode(words.join(" "))}`;
  return `:~:text=${encode(words.slice(0, ENDS).join(" "))},${encode(words.slice(-ENDS).join(" "))}`;
}

/** A dash, a comma and an ampersand mean something in a directive. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll("-", "%2D");
}
