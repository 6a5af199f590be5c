import { afterEach, describe, expect, it } from "vitest";
import { languageFor } from "../src/page/language";
import type { Strings } from "../src/page/strings";
import { de as dePage } from "../src/page/strings/de";
import { panels as dePanels } from "../src/page/strings/de-panels";
import { en as enPage } from "../src/page/strings/en";
import { panels as enPanels } from "../src/page/strings/en-panels";
import { es as esPage } from "../src/page/strings/es";
import { panels as esPanels } from "../src/page/strings/es-panels";
import { setLocale } from "../src/page/strings/locale";
import { zh as zhPage } from "../src/page/strings/zh";
import { panels as zhPanels } from "../src/page/strings/zh-panels";

/** What the page says, and what the opened blocks say: two files a language. */
const en = { ...enPage, ...enPanels };
const de: typeof en = { ...dePage, ...dePanels };
const es: typeof en = { ...esPage, ...esPanels };
const zh: typeof en = { ...zhPage, ...zhPanels };

type Words = string | ((...given: never[]) => unknown);
const OTHERS: Record<"de" | "es" | "zh", Strings> = { de, es, zh };
const LANGUAGES = { en, ...OTHERS };

/** What a language may call as English does: names, and words that it has taken over. */
const SAME = {
  de: ["choice.addressPlaceholder", "build.index", "embed.pooling", "embed.revision", "stages.prompt", "build.bytes"],
  es: ["choice.addressPlaceholder", "build.bytes", "stages.prompt"],
  zh: ["choice.addressPlaceholder", "conversation.file"],
};

/** What is given a list before all else. */
const LISTED = new Set(["list", "conversation.searched", "hops.found"]);

/** Every word by its path, such as "answer.heading". */
function leaves(node: object, path: readonly string[] = []): [string, Words][] {
  return Object.entries(node).flatMap(([key, value]) =>
    typeof value === "object"
      ? leaves(value, [...path, key])
      : [[[...path, key].join("."), value as Words] as [string, Words]],
  );
}

const english = leaves(en);
const at = (language: Strings): Map<string, Words> => new Map(leaves(language));

/** Call it with what nothing else in the page's words looks like; `value` is what a count is. */
function say(path: string, words: Words, value = 7301): string {
  if (typeof words === "string") return words;
  const call = words as (...given: unknown[]) => unknown;
  const lists = LISTED.has(path) ? [[value, value + 1]] : [];
  if (path.startsWith("errors.")) {
    const error = { kind: path.slice(7), message: "7401", file: "7402", expected: "7403000000", found: "7404000000" };
    return Object.values(call(error) as object).join(" ");
  }
  return String(
    call(
      ...lists,
      ...Array.from({ length: words.length - lists.length }, (_, place) => value + 2 * lists.length + place),
    ),
  );
}

/** The numbers in it, their digits no longer grouped. */
function numbers(text: string): string[] {
  const ungrouped = text.replace(/(?<=\d)[.,\u00a0\u202f](?=\d{3}(?!\d))/g, "");
  return [...new Set(ungrouped.match(/\d{4,}/g) ?? [])].filter((digits) => /^7[34]/.test(digits)).sort();
}

afterEach(() => setLocale("en"));

describe("the page's words", () => {
  it.each(Object.keys(OTHERS) as (keyof typeof OTHERS)[])("are all there in %s, and nothing else is", (language) => {
    expect([...at(OTHERS[language]).keys()].sort()).toEqual(english.map(([path]) => path).sort());
  });

  it.each(Object.keys(OTHERS) as (keyof typeof OTHERS)[])(
    "say in %s whatever they are given in English",
    (language) => {
      const translated = at(OTHERS[language]);
      for (const [path, words] of english) {
        setLocale("en");
        const given = numbers(say(path, words));
        setLocale(language);
        expect([path, numbers(say(path, translated.get(path) ?? ""))]).toEqual([path, given]);
      }
    },
  );

  it.each(Object.keys(OTHERS) as (keyof typeof OTHERS)[])("are not English in %s", (language) => {
    const translated = at(OTHERS[language]);
    const left = english
      .filter(([path, words]) => typeof words === "string" && /[a-z]{3}/.test(words) && translated.get(path) === words)
      .map(([path]) => path);
    expect(left.sort()).toEqual([...SAME[language]].sort());
  });

  it.each(Object.entries(LANGUAGES))("are whole in %s for none, one and many", (language, words) => {
    setLocale(language);
    for (const [path, leaf] of leaves(words)) {
      for (const value of [0, 1, 2, 21]) {
        const said = say(path, leaf, value);
        expect([path, said.trim() === ""]).toEqual([path, false]);
        expect([path, /undefined|NaN|\[object/.exec(said)?.[0]]).toEqual([path, undefined]);
      }
    }
  });

  it("count one as one", () => {
    const typed = (language: keyof typeof LANGUAGES, n: number): string => {
      setLocale(language);
      return LANGUAGES[language].live.typed(n);
    };
    expect(typed("en", 1)).toBe("1 passage found by keyword");
    expect(typed("en", 1234)).toBe("1,234 passages found by keyword");
    expect(typed("de", 1)).toBe("1 Textstelle nach Stichwort gefunden");
    expect(typed("de", 1234)).toBe("1.234 Textstellen nach Stichwort gefunden");
    expect(typed("es", 1)).toBe("1 fragmento encontrado por palabras clave");
    expect(typed("es", 2)).toBe("2 fragmentos encontrados por palabras clave");
    expect(typed("zh", 1)).toBe("按关键词找到 1 个段落");
  });
});

describe("the page's language", () => {
  it("is the course's where the page speaks it, else English", () => {
    expect(languageFor("de")).toBe("de");
    expect(languageFor("de-AT")).toBe("de");
    expect(languageFor("es-MX")).toBe("es");
    expect(languageFor("zh-CN")).toBe("zh");
    expect(languageFor("fr")).toBe("en");
    expect(languageFor("")).toBe("en");
    expect(languageFor("not a tag")).toBe("en");
  });

  it("is not simplified Chinese for readers of traditional characters", () => {
    expect(languageFor("zh-TW")).toBe("en");
    expect(languageFor("zh-Hant")).toBe("en");
    expect(languageFor("zh-Hans-SG")).toBe("zh");
  });
});
