/** Which passages the list shows, and under which heading, in every state. */

import type { Block, Mark } from "../highlight";
import { SHOWN, type ShownText } from "../protocol";
import type { KeywordHit } from "../retrieval/trace";
import { partInWords } from "./facets";
import { count, duration } from "./format";
import { type Place, placeOf } from "./place";
import { type OpenIndex, type State, stageIn, verdictOf } from "./state";
import { S } from "./strings";

export interface Item {
  readonly key: string;
  /** The lecture, above the first passage of each; "" for the others, and where the order is not by lecture. */
  readonly group: string;
  readonly place: Place;
  readonly text: string | null;
  readonly marks: readonly Mark[];
  readonly verbatim: readonly Block[];
  readonly number: number | null;
  readonly cited: boolean;
  /** What the answer quotes of it. */
  readonly quoted: readonly Mark[];
  readonly found: string;
  /** Its text has been asked for: room is kept for it. */
  readonly awaited: boolean;
}

export interface List {
  readonly heading: string;
  readonly count: string;
  readonly items: readonly Item[];
  /** What part of the course was searched, in words; null for all of it. */
  readonly part: string | null;
}

/** How many keyword hits a list shows. */
const MOST = 8;

export function listOf(state: State): List | null {
  const list = unfiltered(state);
  const { filter, index } = state;
  return list && { ...list, part: filter && index ? partInWords(filter, index.catalogue.file) : null };
}

function unfiltered(state: State): Omit<List, "part"> | null {
  const { index } = state;
  if (!index || state.mode === "idle") return null;
  if (state.mode === "typing") {
    return state.typed
      ? listed(
          S.results.typing,
          byLecture(keywordItems(index, state.typed.hits, state.typed.texts)),
          state.typed.hits,
          state.typed.ms,
        )
      : null;
  }
  if (state.passages && state.passages.length > 0) return passageList(index, state);
  const keyword = stageIn(state.blocks, "keyword");
  if (!keyword) return null;
  // In the order of the ranks, as the passages that take their place will be.
  const items = keywordItems(index, keyword.hits, state.keywordTexts, state.askError !== null);
  return listed(S.results.keyword, items, keyword.hits, keyword.ms);
}

function listed(heading: string, items: readonly Item[], hits: readonly KeywordHit[], ms: number): Omit<List, "part"> {
  const found = hits.length > 0 ? S.results.count(count(items.length), count(hits.length), duration(ms)) : "";
  return { heading, count: found, items };
}

function keywordItems(
  index: OpenIndex,
  hits: readonly KeywordHit[],
  texts: readonly (ShownText | null)[],
  failed = false,
): Item[] {
  return hits.slice(0, MOST).map((hit, position) => ({
    key: hit.id,
    group: "",
    place: placeOf(index.catalogue, [hit.ordinal]),
    text: texts[position]?.text ?? null,
    marks: texts[position]?.marks ?? [],
    verbatim: texts[position]?.verbatim ?? [],
    number: null,
    cited: false,
    quoted: [],
    found: "",
    awaited: position < SHOWN && texts[position] === undefined && !failed,
  }));
}

/** Each section once, by its best part, and lecture by lecture: the lectures, and what is in them, best first. */
function byLecture(items: readonly Item[]): Item[] {
  const groups = new Map<string, Item[]>();
  const sections = new Set<string>();
  for (const item of items) {
    const { lecture, above, title, href } = item.place;
    if (sections.has(href)) continue;
    sections.add(href);
    const name = [lecture, above[0] ?? title].filter(Boolean).join(" · ");
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    const place = { ...item.place, lecture: "", above: above.slice(1) };
    group.push({ ...item, place, group: group.length === 0 ? name : "" });
  }
  return [...groups.values()].flat();
}

function passageList(index: OpenIndex, state: State): Omit<List, "part"> {
  const fused = stageIn(state.blocks, "fuse")?.hits ?? [];
  const sentences = stageIn(state.blocks, "answer")?.sentences ?? [];
  return {
    heading: verdictOf(state) === "refused" ? S.results.nearest : S.results.passages,
    count: "",
    items: (state.passages ?? []).map((passage) => {
      const hit = fused.find((candidate) => candidate.ordinal === passage.ordinal);
      return {
        key: passage.id,
        group: "",
        place: placeOf(index.catalogue, passage.ordinals),
        text: passage.text,
        marks: passage.marks,
        verbatim: passage.verbatim,
        number: passage.number,
        cited: sentences.some(({ number }) => number === passage.number),
        quoted: quotedIn(
          passage.text,
          sentences.filter(({ number }) => number === passage.number),
        ),
        awaited: false,
        found: hit ? foundBy(hit.keyword_rank, hit.dense_rank) : "",
      };
    }),
  };
}

/** Where the quoted sentences stand in a passage. */
function quotedIn(text: string, sentences: readonly { readonly text: string }[]): Mark[] {
  return sentences
    .map((sentence): Mark => {
      const start = text.indexOf(sentence.text);
      return [start, start + sentence.text.length];
    })
    .filter(([start]) => start >= 0)
    .sort((one, other) => one[0] - other[0]);
}

function foundBy(keyword: number | null, dense: number | null): string {
  const { foundBy: words, rank } = S.results;
  if (keyword !== null && dense !== null) return words.both(rank(keyword), rank(dense));
  if (keyword !== null) return words.keyword(rank(keyword));
  return dense === null ? "" : words.dense(rank(dense));
}
