/** A conversation as a file: Markdown to read, with each citation as a link; JSON for programs. */

import { citations } from "../retrieval/citations";
import type { Verdict } from "../retrieval/trace";
import { type Cited, type Conversation, type Exchange, partsOf } from "./exchange";
import { record } from "./restore";

/** The words that the Markdown says besides the conversation's own. */
export interface Words {
  readonly title: string;
  readonly searchedFor: string;
  readonly refused: string;
  readonly unjudged: string;
  readonly writtenBy: (model: string) => string;
  /** Of a model's text that ended before it was checked. */
  readonly unchecked: string;
  readonly facts: string;
  /** What the check said of a sentence that a model wrote. */
  readonly verdicts: Record<Verdict, string>;
}

/** @param address a citation's path → its address */
export function toMarkdown(
  { exchanges, facts }: Conversation,
  address: (path: string) => string,
  words: Words,
): string {
  const parts = [`# ${plain(words.title)}`, ...exchanges.flatMap((exchange) => section(exchange, address, words))];
  if (facts.length > 0) {
    parts.push(`## ${plain(words.facts)}`);
    parts.push(facts.map(({ text, label, url }) => `- ${plain(text)} (${link(label, address(url))})`).join("\n"));
  }
  return `${parts.join("\n\n")}\n`;
}

export function toJson(conversation: Conversation): string {
  return `${JSON.stringify(record(conversation), null, 2)}\n`;
}

function section(exchange: Exchange, address: (path: string) => string, words: Words): string[] {
  const { question, queries, verdict, quotes, cited, written } = exchange;
  const cite = (number: number): string => {
    const passage = cited.find((one) => one.number === number);
    return passage ? ` ${link(`[${number}]`, address(passage.url))}` : ` \\[${number}\\]`;
  };
  const parts = [`## ${plain(question)}`];
  if (queries.length > 0) parts.push(`*${plain(words.searchedFor)}: ${queries.map(plain).join(" · ")}*`);
  if (verdict === "refused") parts.push(plain(words.refused));
  if (verdict === "unjudged") parts.push(plain(words.unjudged));
  for (const { text, number, verbatim } of quotes) {
    parts.push(verbatim ? `${fenced(text)}\n\n${cite(number).trim()}` : `> ${plain(text)}${cite(number)}`);
  }
  if (written) {
    const given = cited.map(({ number }) => number);
    const said = (text: string): string => {
      let [done, at] = ["", 0];
      for (const { start, end, numbers } of citations(text, given)) {
        done += plain(text.slice(at, start)) + numbers.map((number) => cite(number).trim()).join(" ");
        at = end;
      }
      return done + plain(text.slice(at));
    };
    // What the page marks is marked here.
    const doubt = (verdict: Verdict | null): string =>
      verdict === null || verdict === "supported" || verdict === "no-claim"
        ? ""
        : ` *(${plain(words.verdicts[verdict])})*`;
    const text = partsOf(written).map((part) => said(part.text) + doubt(part.verdict));
    parts.push(`**${plain(words.writtenBy(written.model))}**`, text.join(""));
    if (written.checked.length === 0) parts.push(`*${plain(words.unchecked)}*`);
  }
  if (cited.length > 0) parts.push(cited.map((one) => source(one, address)).join("\n"));
  return parts;
}

function source({ number, label, url }: Cited, address: (path: string) => string): string {
  return `- \\[${number}\\] ${link(label, address(url))}`;
}

function link(label: string, target: string): string {
  return `[${plain(label)}](<${target.replace(/[<>\n]/g, encodeURIComponent)}>)`;
}

/** A text that Markdown shows as it stands. */
function plain(text: string): string {
  return text
    .replace(/[\\`*_{}[\]<>#|~$!&]/g, "\\$&")
    .replace(/^(\s*)([-+]|\d+[.)])(?=\s)/gm, "$1\\$2")
    .replace(/\n+/g, "\n");
}

function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
