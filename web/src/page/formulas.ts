/** The course's formulas, which the build has set: TeX as a passage has it → MathML. */

import { sha256 } from "../download/sha256";
import { HttpStatusError, WrongHashError } from "../errors";
import type { Mark } from "../highlight";
import { listed, parseFile } from "../index/load";
import type { FormulasFile, FormulaTree, Manifest } from "../index/schema";

const MATHML = "http://www.w3.org/1998/Math/MathML";
/** Presentational MathML; anything else in the file is left out. */
const ELEMENTS = new Set(
  (
    "math maction menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt " +
    "mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none"
  ).split(" "),
);
const ATTRIBUTE = /^[a-z]+$/;
const BARRED = /^(?:on|href|src|style)/;

export class Formulas {
  readonly #trees: ReadonlyMap<string, FormulaTree>;
  readonly #any: RegExp | null;

  constructor({ formulas }: FormulasFile) {
    this.#trees = new Map(formulas);
    // The longest first: \eta_t before \eta. Never a part of a longer word or number.
    const known = [...this.#trees.keys()].sort((one, other) => other.length - one.length);
    const any = known.map((tex) => tex.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
    this.#any = any === "" ? null : new RegExp(`(?<![\\p{L}\\p{N}_\\\\^])(?:${any})(?![\\p{L}\\p{N}_^{])`, "gu");
  }

  /** Where formulas stand in a stretch of prose, in order. */
  within(text: string, start: number, end: number): Mark[] {
    const prose = text.slice(start, end);
    if (!this.#any || !/[\\^_]/.test(prose)) return [];
    return [...prose.matchAll(this.#any)].map((match) => {
      const first = start + match.index;
      return [first, first + match[0].length];
    });
  }

  /** The element of a formula. @param tex as a passage has it; null when it is not known */
  set(tex: string, display: boolean): Node | null {
    const tree = this.#trees.get(tex.trim());
    if (!tree || typeof tree === "string") return null;
    const [name, attributes, ...children] = tree;
    return nodeOf([name, display ? { ...attributes, display: "block" } : attributes, ...children]);
  }
}

/** @throws when the file cannot be had, or is not the one that was built */
export async function loadFormulas(root: URL, manifest: Manifest): Promise<Formulas | null> {
  if (!manifest.formulas) return null;
  const file = listed(manifest, manifest.formulas);
  // Small, and only shown: neither kept nor tried again, so the page does without the downloader.
  const response = await fetch(new URL(file.path, root));
  if (!response.ok) throw new HttpStatusError(file.path, response.status);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const found = await sha256(bytes);
  if (found !== file.sha256) throw new WrongHashError(file.path, file.sha256, found);
  return new Formulas(parseFile<FormulasFile>(file, bytes));
}

function nodeOf(tree: FormulaTree): Node | null {
  if (typeof tree === "string") return document.createTextNode(tree);
  const [name, attributes, ...children] = tree;
  if (!ELEMENTS.has(name)) return null;
  const element = document.createElementNS(MATHML, name);
  for (const [key, value] of Object.entries(attributes))
    if (ATTRIBUTE.test(key) && !BARRED.test(key)) element.setAttribute(key, value);
  for (const child of children) {
    const node = nodeOf(child);
    if (node) element.append(node);
  }
  return element;
}
