/** Which language the page speaks: the course's, unless its reader chose another one. */

import { LANGUAGES, type Language, speak } from "./strings";

const KEY = "openbook language";

/** What the reader chose on an earlier visit to any course of this host. */
export function chosen(): Language | null {
  try {
    const kept = localStorage.getItem(KEY);
    return kept !== null && spoken(kept) ? kept : null;
  } catch {
    return null; // no storage here, so nothing is remembered
  }
}

/** @returns whether it is kept; the page follows when it is opened again */
export function choose(language: Language | null): boolean {
  try {
    if (language === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, language);
    return true;
  } catch {
    return false;
  }
}

/** The page's language for a course whose notes are in the language of `tag`: English where there is no better one. */
export function languageFor(tag: string): Language {
  let locale: Intl.Locale;
  try {
    locale = new Intl.Locale(tag).maximize();
  } catch {
    return "en"; // not a language tag
  }
  // The page writes Chinese in simplified characters only.
  if (locale.language === "zh" && locale.script !== "Hans") return "en";
  return spoken(locale.language) ? locale.language : "en";
}

/** Speak the language of this page's reader. One that cannot be fetched leaves English, with which all works. */
export async function speakToReader(): Promise<Language> {
  const course = document.documentElement.lang;
  const language = chosen() ?? languageFor(course);
  try {
    // A course in British English writes its dates so.
    await speak(language, language === languageFor(course) && course.startsWith(language) ? course : language);
    return language;
  } catch {
    return "en";
  }
}

interface Written {
  readonly lang: string;
  readonly dir: string;
}

let course: Written | null = null;

/** Tell, where the document round the page is not the course's, in which language the course is. */
export function courseIsIn(tag: string): void {
  // Where a browser cannot tell the direction, each text's first letter does.
  course = { lang: tag, dir: directionOf(tag) };
}

/** The `lang` and `dir` of text that is the course's own, inside a page that may speak another language. */
export function ofCourse(): Written {
  const { lang, dir } = document.documentElement;
  return course ?? { lang, dir: dir || "auto" };
}

function directionOf(tag: string): string {
  try {
    const locale = new Intl.Locale(tag) as Intl.Locale & { getTextInfo?: () => { direction?: string } };
    return locale.getTextInfo?.().direction ?? "auto";
  } catch {
    return "auto"; // not a language tag
  }
}

function spoken(tag: string): tag is Language {
  return Object.hasOwn(LANGUAGES, tag);
}
