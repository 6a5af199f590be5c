/** `?q=`: a question as an address. */

/** The question in a query string, or "". */
export function questionIn(search: string): string {
  return (new URLSearchParams(search).get("q") ?? "").trim();
}

/** The address of the page with this question. */
export function addressOf(question: string, from: string): string {
  const url = new URL(from);
  url.hash = "";
  if (question === "") url.searchParams.delete("q");
  else url.searchParams.set("q", question);
  return url.href;
}

/** Put the question into the address bar, as a step that the back button undoes. */
export function remember(question: string): void {
  const address = addressOf(question, location.href);
  if (address !== location.href) history.pushState(null, "", address);
}
