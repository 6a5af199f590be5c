/** A model's text as pieces to draw: words, code, and citations. Whatever it holds becomes text, never markup. */

export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "cite"; readonly text: string; readonly numbers: readonly number[] };

/** A paragraph, or fenced code; `start` is the place of its text in the whole. */
export interface Block {
  readonly kind: "paragraph" | "pre";
  readonly start: number;
  readonly text: string;
}

/** Paragraphs and fenced code; a fence that has not been closed yet is code to its end. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  const add = (kind: Block["kind"], from: number, to: number): void => {
    const part = text.slice(from, to);
    const found = part.trim();
    if (found !== "") blocks.push({ kind, start: from + part.indexOf(found), text: found });
  };
  const prose = (from: number, to: number): void => {
    let at = from;
    for (const gap of text.slice(from, to).matchAll(/\n{2,}/g)) {
      add("paragraph", at, from + gap.index);
      at = from + gap.index + gap[0].length;
    }
    add("paragraph", at, to);
  };
  // Of the lines that begin with ```, the first opens and the next one closes.
  let at = 0;
  let inside = false;
  for (const fence of text.matchAll(/^```[^\n]*$/gm)) {
    if (inside) add("pre", at, fence.index);
    else prose(at, fence.index);
    at = fence.index + fence[0].length;
    inside = !inside;
  }
  if (inside) add("pre", at, text.length);
  else prose(at, text.length);
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
