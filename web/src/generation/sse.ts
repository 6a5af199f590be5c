/**
 * Server-sent events of a response's body, as the HTML standard parses them (section 9.2.6): a network hands over
 * pieces that may end anywhere, inside a line, between the two characters of a line end, inside a character.
 */

/** The `data` of each event, in order; an event without data is left out. */
export async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  // Strips a byte order mark, and keeps what is left of a character until the rest of it is here.
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  try {
    while (true) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      // A carriage return at the end may be half of a line end.
      rest = done ? "" : (lines.pop() ?? "");
      for (const line of lines) {
        if (line === "" || line === "\r") {
          if (data.length > 0) yield data.join("\n");
          data = [];
        } else if (line.startsWith("data:")) {
          data.push(line.slice(line[5] === " " ? 6 : 5).replace(/\r$/, ""));
        }
      }
      if (done) break;
    }
    // The standard drops an event that no empty line ended; servers that just close after it exist.
    if (data.length > 0) yield data.join("\n");
  } finally {
    await reader.cancel().catch(() => {});
  }
}
