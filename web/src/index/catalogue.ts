/** The catalogue, row by row. The worker and the page each hold one, made from the same file. */

import type { ChunkRef } from "../retrieval/collection";
import type { CatalogueFile, LectureEntry } from "./schema";

export class Catalogue {
  readonly file: CatalogueFile;
  readonly #refs: (ChunkRef | undefined)[] = [];

  constructor(file: CatalogueFile) {
    this.file = file;
  }

  /** Number of chunks. */
  get size(): number {
    return this.file.chunks.anchor.length;
  }

  /** @throws RangeError when there is no such chunk. */
  chunk(ordinal: number): ChunkRef {
    const known = this.#refs[ordinal];
    if (known) return known;
    const { kind, path, anchor: anchors, part: partNumbers, parts } = this.file.chunks;
    const anchor = anchors[ordinal];
    const lecture = this.lecture(ordinal);
    if (anchor === undefined) throw new RangeError(`there is no chunk ${ordinal}`);
    const kindName = kind[ordinal] === 1 ? "slides" : "notes";
    const part = partNumbers[ordinal] ?? 1;
    const place = `${lecture.id}/${kindName}`;
    const ref: ChunkRef = {
      id: part === 1 ? `${place}#${anchor}` : `${place}#${anchor}~${part}`,
      lecture: lecture.id,
      lectureNumber: lecture.number,
      kind: kindName,
      path: (path[ordinal] ?? []).map((heading) => this.file.headings[heading] ?? ""),
      anchor,
      part,
      parts: parts[ordinal] ?? 1,
      url: `${lecture[kindName]}#${anchor}`,
      week: lecture.week,
      tags: lecture.tags,
    };
    this.#refs[ordinal] = ref;
    return ref;
  }

  /** @throws RangeError when there is no such chunk. */
  lecture(ordinal: number): LectureEntry {
    const entry = this.file.lectures[this.file.chunks.lecture[ordinal] ?? -1];
    if (!entry) throw new RangeError(`there is no chunk ${ordinal}`);
    return entry;
  }
}
