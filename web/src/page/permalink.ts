/**
 * `#q=…&for=…&lecture=…&week=…&kind=…&tag=…&working=…`: what the page shows as an address. It stands behind the `#`, which
 * browsers keep to themselves: not even the host of the files is told what a link asks. The same behind a `?` is read
 * too, for links that other programs make and for "ask about this lecture".
 */

import { effective, type Filter } from "../retrieval/filter";

/** As many as a question is ever searched for. */
const QUERIES = 3;

/** Of the working: null when it is closed, else the block that is open, or "". */
export type Depth = string | null;

export interface View {
  readonly question: string;
  /** `undefined` when the address does not say. */
  readonly depth: Depth | undefined;
  /** What part of the course is searched; null for all of it. */
  readonly filter: Filter | null;
  /** What a follow-up is searched for as, so that a link to it stands alone; empty for as it was typed. */
  readonly queries: readonly string[];
}

const OURS = ["q", "for", "working", "lecture", "week", "kind", "tag"] as const;

/** What an address shows; null when its fragment is a place on the page and nothing of ours. */
export function viewIn({ search, hash }: { readonly search: string; readonly hash: string }): View | null {
  const fragment = hash.replace(/^#/, "");
  if (fragment !== "" && !OURS.some((name) => fragment.startsWith(`${name}=`))) return null;
  const parameters = new URLSearchParams(fragment);
  const given = OURS.some((name) => parameters.has(name)) ? parameters : new URLSearchParams(search);
  return {
    question: (given.get("q") ?? "").trim(),
    depth: given.get("working") ?? undefined,
    filter: filterIn(given),
    queries: given
      .getAll("for")
      .map((query) => query.trim())
      .filter(Boolean)
      .slice(0, QUERIES),
  };
}

function filterIn(given: URLSearchParams): Filter | null {
  const week = given.get("week") ?? "";
  const kind = given.get("kind");
  return effective({
    lecture: given.get("lecture") || null,
    week: /^\d{1,4}$/.test(week) ? Number(week) : null,
    kind: kind === "notes" || kind === "slides" ? kind : null,
    tags: [...new Set(given.getAll("tag").filter((tag) => tag !== ""))],
  });
}

/** What an address is made of. */
export type Shown = View & { readonly depth: Depth };

/** The address of the page that shows this. */
export function addressOf({ question, depth, filter, queries }: Shown, from: string): string {
  const url = new URL(from);
  for (const name of OURS) url.searchParams.delete(name);
  const parameters = new URLSearchParams();
  if (question !== "") parameters.set("q", question);
  for (const query of question === "" ? [] : queries) parameters.append("for", query);
  if (filter?.lecture) parameters.set("lecture", filter.lecture);
  if (filter && filter.week !== null) parameters.set("week", String(filter.week));
  if (filter?.kind) parameters.set("kind", filter.kind);
  for (const tag of filter?.tags ?? []) parameters.append("tag", tag);
  if (depth !== null) parameters.set("working", depth);
  url.hash = parameters.toString();
  return url.href;
}

/** Put a question into the address bar, as a step that the back button undoes. */
export function remember(shown: Shown): void {
  const address = addressOf(shown, location.href);
  if (address !== location.href) history.pushState(null, "", address);
}

/** Put what is open into the address bar, without a step of its own. */
export function note(shown: Shown): void {
  const address = addressOf(shown, location.href);
  if (address !== location.href) history.replaceState(null, "", address);
}

const KEY = "openbook working";

/** Whether this reader had the working open when they were here last. */
export function wantsWorking(): boolean {
  try {
    return localStorage.getItem(KEY) === "open";
  } catch {
    return false; // no storage here, so nothing is remembered
  }
}

export function rememberWorking(open: boolean): void {
  try {
    if (open) localStorage.setItem(KEY, "open");
    else localStorage.removeItem(KEY);
  } catch {
    // as above
  }
}
