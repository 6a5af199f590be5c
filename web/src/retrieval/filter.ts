/**
 * Filters: search a part of the course only, inside the search and not after it. What is counted over the course (how
 * rare a word is, how long a text, the gate's threshold) stays the whole course's: see
 * `build/openbook/retrieval/filter.py`.
 */

import type { ChunkRef, SearchIndex } from "./collection";
import type { Kind } from "./trace";

/** What a passage must be; what is null or empty does not matter. */
export interface Filter {
  /** Id of its lecture. */
  readonly lecture: string | null;
  /** Of its lecture. */
  readonly week: number | null;
  readonly kind: Kind | null;
  /** Its lecture must have all of them. */
  readonly tags: readonly string[];
}

export const NO_FILTER: Filter = { lecture: null, week: null, kind: null, tags: [] };

export function matches(chunk: Pick<ChunkRef, "lecture" | "week" | "kind" | "tags">, wanted: Filter): boolean {
  return (
    (wanted.lecture === null || chunk.lecture === wanted.lecture) &&
    (wanted.week === null || chunk.week === wanted.week) &&
    (wanted.kind === null || chunk.kind === wanted.kind) &&
    wanted.tags.every((tag) => chunk.tags.includes(tag))
  );
}

/** The filter; null for one that asks for nothing. */
export function effective(wanted: Filter | null | undefined): Filter | null {
  if (!wanted) return null;
  const { lecture, week, kind, tags } = wanted;
  return lecture === null && week === null && kind === null && tags.length === 0 ? null : wanted;
}

/** The ordinals that a filter lets through; null without one, which lets all through. */
export function allowedBy(
  index: Pick<SearchIndex, "size" | "chunk">,
  wanted: Filter | null,
): ReadonlySet<number> | null {
  if (wanted === null) return null;
  const allowed = new Set<number>();
  for (let ordinal = 0; ordinal < index.size; ordinal += 1) {
    if (matches(index.chunk(ordinal), wanted)) allowed.add(ordinal);
  }
  return allowed;
}
