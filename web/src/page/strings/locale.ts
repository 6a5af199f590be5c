/** The language of the page's numbers, dates and plurals. */

/** A BCP 47 tag. */
export let LOCALE = "en";
let rules = new Intl.PluralRules(LOCALE);

export function setLocale(tag: string): void {
  LOCALE = tag;
  rules = new Intl.PluralRules(tag);
}

/** A whole number, its digits grouped. */
export function count(value: number): string {
  return value.toLocaleString(LOCALE, { maximumFractionDigits: 0 });
}

/** A noun's forms by the categories of CLDR that its language tells apart; `other` where there is no better one. */
type Forms = { readonly other: string } & { readonly [category in Intl.LDMLPluralRule]?: string };

/** The form that goes with a number. */
export function plural(n: number, forms: Forms): string {
  return forms[rules.select(n)] ?? forms.other;
}

/** The number and the form that goes with it: "1 passage", "3 passages". */
export function counted(n: number, forms: Forms): string {
  return `${count(n)} ${plural(n, forms)}`;
}

/** Of a number of bytes, as an error carries it. */
export function megabytes(bytes: string | undefined): string {
  return bytes === undefined ? "?" : count(Math.ceil(Number(bytes) / 1e6));
}

/** A language's name in that of the page. */
export function languageName(tag: string): string {
  return new Intl.DisplayNames(LOCALE, { type: "language" }).of(tag) ?? tag;
}
