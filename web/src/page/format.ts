/** Numbers as the page writes them. */

import { count, LOCALE } from "./strings/locale";

export { count };

/** Milliseconds: one decimal below ten, seconds from a second on. */
export function duration(ms: number): string {
  if (ms >= 1000) return `${decimal(ms / 1000, 1)}\u00a0s`;
  return `${ms < 9.95 ? decimal(ms, 1) : count(ms)}\u00a0ms`;
}

/** Decimal units, as file sizes are stated elsewhere. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${count(bytes)}\u00a0B`;
  if (bytes < 999_500) return `${count(bytes / 1000)}\u00a0kB`;
  if (bytes < 999.95e6) return `${decimal(bytes / 1e6, 1)}\u00a0MB`;
  return `${decimal(bytes / 1e9, 1)}\u00a0GB`;
}

export function decimal(value: number, digits: number): string {
  return value.toLocaleString(LOCALE, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Two numbers with so many digits each, or with as many more, up to four, as it takes to tell them apart. */
export function apart(one: number, other: number, digits = 2): readonly [string, string] {
  const pair = [decimal(one, digits), decimal(other, digits)] as const;
  return pair[0] !== pair[1] || digits >= 4 ? pair : apart(one, other, digits + 1);
}

/** A share between 0 and 1 in per cent. */
export function percent(value: number): string {
  return value.toLocaleString(LOCALE, { style: "percent" });
}

/** With a real minus sign, and a plus before what is not negative. */
export function signed(value: number, digits: number): string {
  return `${value < 0 ? "−" : "+"}${decimal(Math.abs(value), digits)}`;
}

/** "a, b and c", as the page's language has it. */
export function list(words: readonly string[]): string {
  return new Intl.ListFormat(LOCALE).format(words);
}

/** A date such as 2026-12-01 in words; anything else as it is. */
export function day(iso: string, month: "long" | "short" = "long"): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(iso);
  if (!match) return iso;
  const date = new Date(Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])));
  return date.toLocaleDateString(LOCALE, { day: "numeric", month, year: "numeric", timeZone: "UTC" });
}

function encode(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

/** A path inside the site as an address relative to its root, percent-encoded, its anchor too. */
export function href(path: string): string {
  const [file = "", ...anchor] = path.split("#");
  // Pages may stand on another site, whose address is one already.
  const encoded = /^https?:\/\//.test(file) ? encodeURI(file) : encode(file);
  return anchor.length === 0 ? encoded : `${encoded}#${encode(anchor.join("#"))}`;
}
