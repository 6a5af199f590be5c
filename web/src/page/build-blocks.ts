/** What ran when the site was built, as blocks. */

import type { BuildReport } from "./build-report";
import { count, duration, size } from "./format";
import type { OpenIndex } from "./state";
import { P } from "./strings/panels";

type Listing = Pick<OpenIndex["manifest"], "files" | "token_vectors">;

export interface Kind {
  readonly name: string;
  readonly files: number;
  readonly bytes: number;
}

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
      return size(indexBytes(manifest));
    case "pages":
      return report ? P.build.pagesCount(count(report.pages)) : "";
  }
}

/** How long it took, when that is known. */
export function buildTime(name: BuildBlock, report: BuildReport | null): string {
  const seconds = report?.seconds[name];
  return seconds === undefined ? "" : duration(seconds * 1000);
}

/** Everything that can be loaded, by kind, the largest first: shards together, and what the page itself is made of. */
export function indexKinds({ files, token_vectors }: Listing): Kind[] {
  const kinds = new Map<string, Kind>();
  const add = (name: string, more: number, bytes: number): void => {
    const kind = kinds.get(name) ?? { name, files: 0, bytes: 0 };
    kinds.set(name, { name, files: kind.files + more, bytes: kind.bytes + bytes });
  };
  for (const { path, bytes } of Object.values(files)) {
    const [folder = "", file = ""] = path.split("/");
    add(folder === "index" ? kindOf(file) : folder === "assets" ? "assets/" : path, 1, bytes);
  }
  const directory = token_vectors && files[token_vectors.file]?.path.split("/")[1];
  if (directory) add(kindOf(directory), token_vectors.shards, token_vectors.bytes);
  return [...kinds.values()].toSorted((a, b) => b.bytes - a.bytes);
}

/** Of a file of the index: its name without its hash, and without the number of a shard. */
function kindOf(file: string): string {
  return file.replace(/-[0-9a-f]{12}\.\w+$/, "").replace(/-\d+$/, "");
}

/** Of the files below `index/`, and of the token vectors, whose shards a directory of their own lists. */
export function indexBytes({ files, token_vectors }: Listing): number {
  return Object.values(files)
    .filter(({ path }) => path.startsWith("index/"))
    .reduce((sum, { bytes }) => sum + bytes, token_vectors?.bytes ?? 0);
}
