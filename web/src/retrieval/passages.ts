/**
 * Hits → numbered passages: what a reader, a model and the extractive answer are shown.
 *
 * A passage is a section. Parts of one section that were found become one passage, so that five numbers stand for five
 * different places; a text that is there twice, such as a slide shown again, is taken once.
 */

import type { ChunkRef, SearchIndex } from "./collection";
import { SPACE, splitSentences } from "./sentences";
import type { Passage, RerankHit } from "./trace";

export const ELLIPSIS = "…";

const CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff";
const WORD = new RegExp(`[${CJK}]|[^${SPACE}${CJK}]+`, "g");
const SPACES = new RegExp(`[${SPACE}]+`, "g");
const LEAST_OVERLAP = 20;

/** A passage and the texts of its chunks, in reading order. */
export interface PassageTexts {
  readonly passage: Passage;
  readonly parts: readonly { readonly ordinal: number; readonly part: number; readonly text: string }[];
}

/** Walk the ranking until `count` sections are found; fewer come when the hits run out. */
export async function selectPassages(
  index: SearchIndex,
  hits: readonly RerankHit[],
  count: number,
): Promise<PassageTexts[]> {
  const sections = new Map<string, Map<number, string>>();
  const seen = new Set<string>();
  // Twice as many at a time as are needed without repetitions, so that one round of requests is nearly always enough.
  for (let first = 0; first < hits.length && sections.size < count; first += 2 * count) {
    const batch = hits.slice(first, first + 2 * count).map(({ ordinal }) => ordinal);
    const texts = await index.passages(batch);
    for (const [place, ordinal] of batch.entries()) {
      const text = texts[place] ?? "";
      if (sections.size === count) break;
      if (seen.has(text)) continue;
      seen.add(text);
      const { lecture, kind, anchor } = index.chunk(ordinal);
      const key = [lecture, kind, anchor].join("\n");
      const section = sections.get(key) ?? new Map<number, string>();
      sections.set(key, section.set(ordinal, text));
    }
  }
  return [...sections.values()].map((texts, place) => passageOf(index, place + 1, texts));
}

function passageOf(index: SearchIndex, number: number, texts: ReadonlyMap<number, string>): PassageTexts {
  const [ordinal = 0] = texts.keys();
  const best = index.chunk(ordinal);
  const parts = [...texts]
    .map(([one, text]) => ({ ordinal: one, part: index.chunk(one).part, text }))
    .sort((a, b) => a.part - b.part);
  return {
    passage: {
      number,
      ordinal,
      ordinals: parts.map((part) => part.ordinal),
      id: best.id,
      label: label(best),
      lecture: best.lecture,
      kind: best.kind,
      path: best.path,
      url: best.url,
      text: joinParts(parts),
    },
    parts,
  };
}

/** A chunk's lecture and section in one line. */
export function label(chunk: ChunkRef): string {
  return collapse(`Lecture ${chunk.lectureNumber}, ${chunk.kind}: ${chunk.path.join(" / ")}`);
}

/** Make every run of spaces and line ends one space, so that the text is a single line. */
export function collapse(text: string): string {
  return text.replace(SPACES, " ").replace(/^ | $/g, "");
}

/** Join parts of a section in reading order; neighbours that overlap are not repeated, a gap shows as "…". */
export function joinParts(parts: readonly { readonly part: number; readonly text: string }[]): string {
  let joined = "";
  let before: number | null = null;
  for (const { part, text } of parts) {
    if (before === null) joined = text;
    else if (part === before + 1) joined = join(joined, text);
    else joined = `${joined}\n\n${ELLIPSIS}\n\n${text}`;
    before = part;
  }
  return joined;
}

function join(first: string, second: string): string {
  for (let length = Math.min(first.length, second.length); length >= LEAST_OVERLAP; length -= 1) {
    if (first.endsWith(second.slice(0, length))) return first + second.slice(length);
  }
  return `${first}\n\n${second}`;
}

/** Words; a Chinese, Japanese or Korean character counts as one, which is about what it costs a model. */
export function countWords(text: string): number {
  return [...text.matchAll(WORD)].length;
}

/**
 * At most `words` words from the beginning of a text, with "…" where something was left out. The cut is at the end of a
 * sentence, or of a line of code, unless that would lose more than half of the budget.
 */
export function cut(text: string, words: number): string {
  const wordEnds = [...text.matchAll(WORD)].map((match) => match.index + match[0].length);
  if (wordEnds.length <= words) return text;
  const limit = wordEnds[words - 1] ?? 0;
  const least = wordEnds[Math.floor((words - 1) / 2)] ?? 0;
  const best = ends(text).findLast((end) => least <= end && end <= limit) ?? limit;
  return `${text.slice(0, best)} ${ELLIPSIS}`;
}

function ends(text: string): number[] {
  const found: number[] = [];
  for (const { start, end, kind } of splitSentences(text)) {
    if (kind !== "sentence") {
      for (let line = text.indexOf("\n", start); line >= 0 && line < end; line = text.indexOf("\n", line + 1)) {
        found.push(line);
      }
    }
    found.push(end);
  }
  return found;
}
