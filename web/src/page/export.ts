/** The trace as a file. */

import type { Trace } from "../retrieval/trace";

export function exportTrace(trace: Trace): void {
  const address = URL.createObjectURL(new Blob([JSON.stringify(trace, null, 2)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `openbook-${slug(trace.question)}.json`;
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
