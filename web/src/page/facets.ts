/** What a course can be filtered by: only what has passages, and nothing of which there is one. */

import type { CatalogueFile } from "../index/schema";
import type { Filter } from "../retrieval/filter";
import type { Kind } from "../retrieval/trace";
import { S } from "./strings";

export interface Facets {
  readonly lectures: readonly { readonly id: string; readonly name: string }[];
  readonly weeks: readonly number[];
  readonly kinds: readonly Kind[];
  readonly tags: readonly string[];
}

export function facetsOf({ lectures, chunks }: CatalogueFile): Facets {
  const searched = [...new Set(chunks.lecture)].sort((a, b) => a - b).flatMap((place) => lectures[place] ?? []);
  const weeks = [...new Set(searched.flatMap(({ week }) => week ?? []))].sort((a, b) => a - b);
  const kinds = new Set(chunks.kind);
  const tags = new Map<string, number>();
  for (const lecture of searched) for (const tag of lecture.tags) tags.set(tag, (tags.get(tag) ?? 0) + 1);
  return {
    lectures: several(searched).map(({ id, number, title }) => ({ id, name: S.filter.lecture(number, title) })),
    weeks: several(weeks),
    kinds: kinds.size > 1 ? ["notes", "slides"] : [],
    tags: [...tags.keys()].filter((tag) => tags.get(tag) !== searched.length).sort((a, b) => a.localeCompare(b)),
  };
}

/** In words: what part of the course is searched. */
export function partInWords(filter: Filter, catalogue: CatalogueFile): string {
  const lecture = catalogue.lectures.find(({ id }) => id === filter.lecture);
  const parts = [
    filter.lecture === null ? null : lecture ? S.filter.lecture(lecture.number, lecture.title) : filter.lecture,
    filter.week === null ? null : S.filter.week(filter.week),
    filter.kind && S.filter.kinds[filter.kind],
    ...filter.tags,
  ];
  return S.list(parts.filter((part) => part !== null));
}

function several<T>(all: readonly T[]): readonly T[] {
  return all.length > 1 ? all : [];
}
