/** A model's text as pieces to draw: words, code, and citations. Whatever it holds becomes text, never markup. */

import { citations } from "../../retrieval/citations";
import type { CheckedSentence } from "../../retrieval/trace";

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

/**
 * Citations, code between backticks, in which nothing is one, and what is around them.
 *
 * @param given numbers of the passages: see `citations`
 */
export function piecesOf(text: string, given: readonly number[]): Piece[] {
  const code = [...text.matchAll(/`([^`\n]+)`/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    piece: { kind: "code", text: match[1] ?? "" } as const,
  }));
  const cited = citations(text, given).map(({ start, end, numbers }) => ({
    start,
    end,
    piece: { kind: "cite", text: text.slice(start, end), numbers } as const,
  }));
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end, piece } of [...code, ...cited].sort((one, other) => one.start - other.start)) {
    if (start > at) pieces.push({ kind: "text", text: text.slice(at, start) });
    pieces.push(piece);
    at = end;
  }
  if (at < text.length) pieces.push({ kind: "text", text: text.slice(at) });
  return pieces;
}

/** A part of a block: of a checked sentence, or of what stands between them. */
export interface Run {
  readonly text: string;
  readonly sentence: CheckedSentence | null;
  /** Whether the sentence ends here, so that its mark follows. */
  readonly ends: boolean;
}

/**
 * The parts of each block. A sentence that reaches over several blocks has a part in each, and its mark behind the last:
 * none that was checked is left without.
 */
export function runsOf(blocks: readonly Block[], checked: readonly CheckedSentence[]): Run[][] {
  const touches = ({ start, text }: Block, sentence: CheckedSentence): boolean =>
    sentence.start < start + text.length && sentence.end > start;
  const last = new Map(checked.map((sentence) => [sentence, blocks.findLast((block) => touches(block, sentence))]));
  return blocks.map((block) => {
    const runs: Run[] = [];
    const finish = block.start + block.text.length;
    const add = (from: number, to: number, sentence: CheckedSentence | null, ends = false): void => {
      if (to > from) runs.push({ text: block.text.slice(from - block.start, to - block.start), sentence, ends });
    };
    let at = block.start;
    for (const sentence of checked.filter((one) => touches(block, one))) {
      const from = Math.max(sentence.start, at);
      const to = Math.min(sentence.end, finish);
      add(at, from, null);
      add(from, to, sentence, last.get(sentence) === block);
      at = Math.max(at, to);
    }
    add(at, finish, null);
    return runs;
  });
}
