/** What ran when the site was built, as blocks. */

import type { BuildReport } from "./build-report";
import { count, duration, size } from "./format";
import type { OpenIndex } from "./state";
import { P } from "./strings/panels";

export type BuildBlock = "lectures" | "chunks" | "vectors" | "index" | "pages";

/** In the order of the build, whose stages have the same names. */
export const BUILD_BLOCKS: readonly BuildBlock[] = ["lectures", "chunks", "vectors", "index", "pages"];

/** What a build block says when it is closed. */
export function buildCount(name: BuildBlock, { manifest }: OpenIndex, report: BuildReport | null): string {
  switch (name) {
    case "lectures":
      return P.build.lecturesCount(manifest.counts.lectures);
    case "chunks":
      return P.build.chunksCount(manifest.counts.chunks);
    case "vectors":
      return P.build.vectorsCount(count(manifest.counts.chunks), count(manifest.model.dims));
    case "index":
      return size(indexBytes(manifest.files));
    case "pages":
      return report ? P.build.pagesCount(count(report.pages)) : "";
  }
}

/** How long it took, when that is known. */
export function buildTime(name: BuildBlock, report: BuildReport | null): string {
  const seconds = report?.seconds[name];
  return seconds === undefined ? "" : duration(seconds * 1000);
}

/** Of the files below `index/`. */
export function indexBytes(files: OpenIndex["manifest"]["files"]): number {
  return Object.values(files)
    .filter(({ path }) => path.startsWith("index/"))
    .reduce((sum, { bytes }) => sum + bytes, 0);
}
