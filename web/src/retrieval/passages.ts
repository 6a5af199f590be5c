/**
 * Hits → numbered passages: what a reader, a model and the extractive answer are shown.
 *
 * A passage is a section: a part of it is matched, because a small text has a sharper vector, but the section around it
 * is what answers. So five numbers stand for five different places; a text that is there twice, such as a slide shown
 * again, is taken once.
 */

import type { ChunkRef, SearchIndex } from "./collection";
import { SPACE, splitSentences } from "./sentences";
import { type Passage, type RerankHit, stageOf, type Trace, type VerbatimLines } from "./trace";

export const ELLIPSIS = "…";

const CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff";
const WORD = new RegExp(`[${CJK}]|[^${SPACE}${CJK}]+`, "g");
const SPACES = new RegExp(`[${SPACE}]+`, "g");
const LEAST_OVERLAP = 20;

/** How many parts on either side of the matched one are read with it; few sections have more. */
const NEIGHBOURS = 3;

export interface PassagePart {
  readonly ordinal: number;
  /** Its number in the section. */
  readonly part: number;
  readonly text: string;
  readonly verbatim: readonly VerbatimLines[];
}

/** A passage and the texts of its chunks, in reading order. */
export interface PassageTexts {
  readonly passage: Passage;
  readonly parts: readonly PassagePart[];
  /** MaxSim of its best chunk; null where there was no late interaction. */
  readonly relevance: number | null;
}

/** Walk the ranking until `count` sections are found; fewer come when the hits run out. */
export async function selectPassages(
  index: SearchIndex,
  hits: readonly RerankHit[],
  count: number,
): Promise<PassageTexts[]> {
  const best = new Map<string, RerankHit>();
  const seen = new Set<string>();
  // Twice as many at a time as are needed without repetitions, so that one round of requests is nearly always enough.
  for (let first = 0; first < hits.length && best.size < count; first += 2 * count) {
    const batch = hits.slice(first, first + 2 * count);
    const texts = await index.passages(batch.map(({ ordinal }) => ordinal));
    for (const [place, hit] of batch.entries()) {
      if (best.size === count) break;
      const { lecture, kind, anchor } = index.chunk(hit.ordinal);
      const key = [lecture, kind, anchor].join("\n");
      const text = texts[place]?.text ?? "";
      if (best.has(key) || seen.has(text)) continue;
      seen.add(text);
      best.set(key, hit);
    }
  }
  return Promise.all([...best.values()].map((hit, place) => passageOf(index, place + 1, hit)));
}

/** The passages of a trace again, with the texts of their parts: what `fit` and `check` read after the question. */
export async function passagesOf(index: SearchIndex, trace: Trace): Promise<PassageTexts[]> {
  const ranking = trace.rewrite?.hits ?? stageOf(trace, "rerank")?.hits;
  const hits = new Map(ranking?.map((hit) => [hit.ordinal, hit.late_interaction]));
  return Promise.all(
    trace.passages.map(async (passage) => ({
      passage,
      parts: await partsOf(index, passage.ordinals),
      relevance: hits.get(passage.ordinal) ?? null,
    })),
  );
}

async function partsOf(index: SearchIndex, ordinals: readonly number[]): Promise<PassagePart[]> {
  const texts = await index.passages(ordinals);
  return ordinals.map((one, place) => ({
    ordinal: one,
    part: index.chunk(one).part,
    text: texts[place]?.text ?? "",
    verbatim: texts[place]?.verbatim ?? [],
  }));
}

async function passageOf(index: SearchIndex, number: number, hit: RerankHit): Promise<PassageTexts> {
  const { ordinal } = hit;
  const best = index.chunk(ordinal);
  const ordinals = sectionOrdinals(index, ordinal);
  const parts = await partsOf(index, ordinals);
  return {
    passage: {
      number,
      ordinal,
      ordinals,
      id: best.id,
      label: label(best),
      lecture: best.lecture,
      kind: best.kind,
      path: best.path,
      url: best.url,
      text: joinParts(parts),
    },
    parts,
    relevance: hit.late_interaction,
  };
}

/**
 * The chunk and the parts of its section around it, in reading order.
 *
 * Ids are in order, so a section's parts stand close together, though other sections' may stand between them (`#gap`,
 * `#gap-year`, `#gap~2`): a look through the lecture's own chunks finds all.
 */
export function sectionOrdinals(index: SearchIndex, ordinal: number): number[] {
  const best = index.chunk(ordinal);
  if (best.parts === 1) return [ordinal];
  const found = [ordinal];
  for (const step of [-1, 1]) {
    for (let one = ordinal + step; one >= 0 && one < index.size; one += step) {
      const { lecture, kind, anchor, part } = index.chunk(one);
      if (lecture !== best.lecture || kind !== best.kind) break;
      if (anchor === best.anchor && Math.abs(part - best.part) <= NEIGHBOURS) found.push(one);
    }
  }
  return found.sort((a, b) => index.chunk(a).part - index.chunk(b).part);
}

/** A chunk's lecture and section in one line; a page of a site is a lecture that nobody counts, number 0. */
export function label(chunk: ChunkRef): string {
  const place = chunk.lectureNumber ? `Lecture ${chunk.lectureNumber}, ${chunk.kind}: ` : "";
  return collapse(place + chunk.path.join(" / "));
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
export function cut(text: string, verbatim: readonly VerbatimLines[], words: number): string {
  const wordEnds = [...text.matchAll(WORD)].map((match) => match.index + match[0].length);
  if (wordEnds.length <= words) return text;
  const limit = wordEnds[words - 1] ?? 0;
  const least = wordEnds[Math.floor((words - 1) / 2)] ?? 0;
  const best = ends(text, verbatim).findLast((end) => least <= end && end <= limit) ?? limit;
  return `${text.slice(0, best)} ${ELLIPSIS}`;
}

function ends(text: string, verbatim: readonly VerbatimLines[]): number[] {
  const found: number[] = [];
  for (const { start, end, kind } of splitSentences(text, verbatim)) {
    if (kind !== "sentence") {
      for (let line = text.indexOf("\n", start); line >= 0 && line < end; line = text.indexOf("\n", line + 1)) {
        found.push(line);
      }
    }
    found.push(end);
  }
  return found;
}
