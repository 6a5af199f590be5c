/** What ran when the site was built, as blocks. */

import { count, size } from "./format";
import type { OpenIndex } from "./state";
import { S } from "./strings";

export type BuildBlock = "lectures" | "chunks" | "vectors" | "index";

export const BUILD_BLOCKS: readonly BuildBlock[] = ["lectures", "chunks", "vectors", "index"];

/** What a build block says when it is closed. */
export function buildCount(name: BuildBlock, { manifest }: OpenIndex): string {
  switch (name) {
    case "lectures":
      return S.build.lecturesCount(count(manifest.counts.lectures));
    case "chunks":
      return S.build.chunksCount(count(manifest.counts.chunks));
    case "vectors":
      return S.build.vectorsCount(count(manifest.counts.chunks), count(manifest.model.dims));
    case "index":
      return size(indexBytes(manifest.files));
  }
}

/** Of the files below `index/`. */
export function indexBytes(files: OpenIndex["manifest"]["files"]): number {
  return Object.values(files)
    .filter(({ path }) => path.startsWith("index/"))
    .reduce((sum, { bytes }) => sum + bytes, 0);
}
