/** A model's text as pieces to draw: words, code, and citations. Whatever it holds becomes text, never markup. */

export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "cite"; readonly text: string; readonly numbers: readonly number[] };

export type Block =
  | { readonly kind: "paragraph"; readonly pieces: readonly Piece[] }
  | { readonly kind: "pre"; readonly text: string };

/** Paragraphs and fenced code; a fence that has not been closed yet is code to its end. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  // A pair of lines that begin with ``` encloses code; what is between two pairs is prose.
  text.split(/^```[^\n]*$/m).forEach((part, place) => {
    if (place % 2 === 1) blocks.push({ kind: "pre", text: part.replace(/^\n|\n$/g, "") });
    else {
      for (const paragraph of part.split(/\n{2,}/)) {
        if (paragraph.trim() !== "") blocks.push({ kind: "paragraph", pieces: piecesOf(paragraph.trim()) });
      }
    }
  });
  return blocks;
}

/** `[2]` and `[1, 3]` are citations; between backticks nothing is. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(/`([^`\n]+)`|\[(\d{1,2}(?:\s*[,;]\s*\d{1,2})*)\]/g)) {
    if (match.index > at) pieces.push({ kind: "text", text: text.slice(at, match.index) });
    if (match[1] !== undefined) pieces.push({ kind: "code", text: match[1] });
    else pieces.push({ kind: "cite", text: match[0], numbers: (match[2] ?? "").split(/[,;]/).map(Number) });
    at = match.index + match[0].length;
  }
  if (at < text.length) pieces.push({ kind: "text", text: text.slice(at) });
  return pieces;
}
