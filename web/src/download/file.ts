/** What a download needs to know of a file before it asks for it. */

interface Place {
  /** Relative to the site's root, or to `from`; with forward slashes, not percent-encoded. */
  readonly path: string;
  readonly bytes: number;
  /** Address of the folder on another host, with a slash at its end; left out for a file of the site. */
  readonly from?: string;
}

/** A file as the manifest, or the offer of engines, lists it. */
export interface ListedFile extends Place {
  /** Lower-case hex: the whole, but of a shard of token vectors the first half. */
  readonly sha256: string;
}

/** A file as a hub lists its own weights: enough to find a broken transfer, not to trust the hub. */
export interface HubFile extends Place {
  readonly md5: string;
}

export type AnyFile = ListedFile | HubFile;

/** What a file is kept under. */
export function keyOf(file: AnyFile): string {
  return "sha256" in file ? file.sha256 : `md5-${file.md5}`;
}

/** Called while bytes arrive; `loaded` and `total` are bytes of the file as it is, not as it is compressed. */
export type Progress = (loaded: number, total: number) => void;
