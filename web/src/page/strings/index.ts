/**
 * Every word that the page says, in the language that was chosen before the page is there.
 *
 * English is in the page's first file, and is what the others are typed by. Another language is a file of its own,
 * fetched only when it is wanted. `S` changes once, in `speak`, before the first component renders: read it where a
 * word is needed, and keep nothing of it from when a module was read.
 */

import type { ErrorRecord } from "../../errors";
import { en } from "./en";
import type { Explanation } from "./explanation";
import { setLocale } from "./locale";
import type { PanelStrings } from "./panels";

export type Strings = typeof en;

/** The languages that the page speaks, each by its own name. */
export const LANGUAGES = { en: "English", de: "Deutsch", es: "Español", zh: "简体中文" };
export type Language = keyof typeof LANGUAGES;

export let S: Strings = en;
/** The language that `S` is in. */
export let LANGUAGE: Language = "en";

/** The page's words, and, set where they lie, those of the working. */
const others: Record<Exclude<Language, "en">, () => Promise<Strings>> = {
  de: async () => spoken((await import("./de")).de, await import("./de-panels")),
  es: async () => spoken((await import("./es")).es, await import("./es-panels")),
  zh: async () => spoken((await import("./zh")).zh, await import("./zh-panels")),
};

async function spoken(words: Strings, { panels }: { readonly panels: PanelStrings }): Promise<Strings> {
  (await import("./panels")).setPanels(panels);
  return words;
}

/**
 * Speak a language from now on.
 *
 * @param tag of its numbers and dates, such as "en-GB"
 */
export async function speak(language: Language, tag: string = language): Promise<void> {
  S = language === "en" ? en : await others[language]();
  LANGUAGE = language;
  setLocale(tag);
}

/** What went wrong and what to do, for a reader of the page. */
export function explain(error: ErrorRecord): Explanation {
  const words = S.errors[error.kind](error);
  if (error.kind !== "engine-unavailable") return words;
  return { ...words, next: S.unavailable[error.found as keyof Strings["unavailable"]] ?? words.next };
}
