/**
 * The words by which a follow-up question is known, language by language: the file that the build reads as well
 * (`build/openbook/retrieval/follow_up_words.py` says what is in it).
 */

import listed from "../../../build/openbook/retrieval/follow_up_words.json";
import { tokenize } from "./tokens";

interface Listed {
  readonly fillers: string;
  readonly openers: string;
  readonly several: readonly string[];
  readonly last: string;
  readonly expletive: string;
  readonly pronouns: readonly string[];
  readonly function: readonly string[];
  readonly asks?: string;
}

export interface Words {
  readonly openings: RegExp;
  readonly conjunction: RegExp;
  readonly several: RegExp;
  readonly last: RegExp;
  readonly expletive: RegExp;
  readonly pronouns: ReadonlySet<string>;
  readonly function: ReadonlySet<string>;
  /** Takes a text without spaces apart; null where there are spaces. */
  readonly pieces: RegExp | null;
}

const held = new Map<string, Words>();

/** Of a language by its tag, "" for English; null where nothing is known of it. */
export function wordsOf(language: string): Words | null {
  const tag = language.split("-")[0]?.toLowerCase() || "en";
  const known = held.get(tag) ?? (tag in listed ? words(listed[tag as keyof typeof listed]) : null);
  if (known) held.set(tag, known);
  return known;
}

function words({ fillers, openers, several, last, expletive, asks = "", ...lists }: Listed): Words {
  const unspaced = asks !== "";
  const edge = unspaced ? "" : "\\b";
  const begins = `^(?:(?:${fillers})${unspaced ? "[ ,，、]*" : "[ ,]+"})*(?:${openers})${edge}`;
  const pronouns = lists.pronouns.join(" ").split(" ");
  const all = [...pronouns, ...lists.function.join(" ").split(" ")];
  const longest = all.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1));
  const tokens = (some: readonly string[]): Set<string> => new Set(unspaced ? some : some.flatMap(tokenize));
  return {
    openings: new RegExp(`^(?:(?:${openers}|${fillers})${edge}[ ,，、]*)+`, "i"),
    conjunction: new RegExp(unspaced ? `${begins}|${asks}` : begins, "i"),
    several: new RegExp(several.join("|"), "i"),
    last: new RegExp(`${edge}(?:${last})[ ?.!？！。]*$`, "i"),
    expletive: new RegExp(expletive, "i"),
    pronouns: tokens(pronouns),
    function: tokens(all),
    pieces: unspaced ? new RegExp([...longest, "[A-Za-z0-9_.+#-]+", "."].join("|"), "gu") : null,
  };
}
