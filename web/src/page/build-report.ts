/** `index/build.json`: how the site was built. Only told, never used, so it has no hash; the page works without it. */

/** The keys that the page shows; the mirror of `BuildReport` in `build/openbook/build.py`. */
export interface BuildReport {
  readonly documents: readonly { readonly kind: string; readonly sections: number; readonly words: number }[];
  readonly sections: number;
  readonly chunks: number;
  readonly words: number;
  /** Word pieces in all chunks, and how many texts were too long for the encoder. */
  readonly pieces: number;
  readonly truncated: number;
  readonly embedded: number;
  readonly reused: number;
  readonly index_bytes: Readonly<Record<string, number>>;
  readonly model_bytes: number;
  readonly pages: number;
  readonly links: number;
  /** Wall clock, by stage. */
  readonly seconds: Readonly<Record<string, number>>;
}

/** Null when there is none, or it is of another version. */
export async function fetchBuildReport(root: URL): Promise<BuildReport | null> {
  try {
    const response = await fetch(new URL("index/build.json", root), { cache: "no-cache" });
    const value: unknown = response.ok ? await response.json() : null;
    return isReport(value) ? value : null;
  } catch {
    return null;
  }
}

function isReport(value: unknown): value is BuildReport {
  if (typeof value !== "object" || value === null) return false;
  const { seconds, index_bytes, documents, ...rest } = value as Record<string, unknown>;
  const numbers = ["sections", "chunks", "words", "pieces", "truncated", "embedded", "reused", "pages", "links"];
  return (
    Array.isArray(documents) &&
    isRecord(seconds) &&
    isRecord(index_bytes) &&
    numbers.every((key) => typeof rest[key] === "number")
  );
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.values(value).every((item) => typeof item === "number");
}
