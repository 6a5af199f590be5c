/**
 * `#q=…&working=…`: what the page shows as an address. It stands behind the `#`, which browsers keep to themselves: not
 * even the host of the files is told what a link asks. `?q=…` is read too, for links that other programs make.
 */

/** Of the working: null when it is closed, else the block that is open, or "". */
export type Depth = string | null;

export interface View {
  readonly question: string;
  /** `undefined` when the address does not say. */
  readonly depth: Depth | undefined;
}

/** What an address shows; null when its fragment is a place on the page and nothing of ours. */
export function viewIn({ search, hash }: { readonly search: string; readonly hash: string }): View | null {
  const fragment = hash.replace(/^#/, "");
  const ours = fragment === "" || /^(?:q|working)=/.test(fragment);
  if (!ours) return null;
  const parameters = new URLSearchParams(fragment);
  const given = parameters.has("q") || parameters.has("working") ? parameters : new URLSearchParams(search);
  return { question: (given.get("q") ?? "").trim(), depth: given.get("working") ?? undefined };
}

/** The address of the page that shows this. */
export function addressOf(question: string, depth: Depth, from: string): string {
  const url = new URL(from);
  url.searchParams.delete("q");
  url.searchParams.delete("working");
  const parameters = new URLSearchParams();
  if (question !== "") parameters.set("q", question);
  if (depth !== null) parameters.set("working", depth);
  url.hash = parameters.toString();
  return url.href;
}

/** Put a question into the address bar, as a step that the back button undoes. */
export function remember(question: string, depth: Depth): void {
  const address = addressOf(question, depth, location.href);
  if (address !== location.href) history.pushState(null, "", address);
}

/** Put what is open into the address bar, without a step of its own. */
export function note(question: string, depth: Depth): void {
  const address = addressOf(question, depth, location.href);
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
