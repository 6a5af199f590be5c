/** What the reader takes along as a file. */

import type { Trace } from "../retrieval/trace";

export function exportTrace(trace: Trace): void {
  saveFile(`openbook-${slug(trace.question)}.json`, "application/json", JSON.stringify(trace, null, 2));
}

/** Let the browser save a text as a file. */
export function saveFile(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the address over by the time the click returns; a moment more costs nothing.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A question as part of a file name. */
export function slug(question: string): string {
  return (
    question
      .toLowerCase()
      .normalize("NFKC")
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 48) || "question"
  );
}
