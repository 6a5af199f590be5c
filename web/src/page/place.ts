/** Where a passage stands, as a reader names it, and the link to it. */

import { html, type TemplateResult } from "lit";
import type { Catalogue } from "../index/catalogue";
import type { LectureEntry } from "../index/schema";
import { day, href } from "./format";
import { notes, slides } from "./icons";
import { ofCourse } from "./language";
import { S } from "./strings";

export interface Place {
  /** "Lecture 8", or nothing for one without a number. */
  readonly lecture: string;
  /** Headings above the passage's own, the document's title first. */
  readonly above: readonly string[];
  readonly title: string;
  readonly kind: "notes" | "slides";
  /** "part 2 of 3", or nothing for a whole section. */
  readonly part: string;
  readonly href: string;
  /** "updated Nov 12, 2026", or nothing where the day is not known. */
  readonly updated: string;
}

/** @param ordinals the parts of one section, or a single chunk */
export function placeOf(catalogue: Catalogue, ordinals: readonly number[]): Place {
  const first = ordinals[0] ?? 0;
  const chunk = catalogue.chunk(first);
  const path = chunk.path.length > 0 ? chunk.path : [catalogue.lecture(first).title];
  const single = ordinals.length === 1 && chunk.parts > 1;
  return {
    lecture: chunk.lectureNumber > 0 ? S.results.lecture(String(chunk.lectureNumber)) : "",
    above: path.slice(0, -1),
    title: path.at(-1) ?? "",
    kind: chunk.kind,
    part: single ? S.results.part(String(chunk.part), String(chunk.parts)) : "",
    href: href(chunk.url),
    updated: updatedIn(catalogue.lecture(first), chunk.kind),
  };
}

function updatedIn(lecture: LectureEntry, kind: Place["kind"]): string {
  const iso = lecture[`${kind}_updated`];
  return iso ? S.results.updated(day(iso, "short")) : "";
}

/** The line above a passage's title: lecture › section › … */
export function breadcrumb(place: Place): TemplateResult {
  const { above } = place;
  // The document and the nearest heading say where one is; what is between them would fill lines on a phone.
  const shown = above.length > 2 ? [above[0], "…", above.at(-1)] : above;
  const { lang, dir } = ofCourse();
  return html`<p class="crumbs">
    <span class="kind">${place.kind === "notes" ? notes : slides}${S.results[place.kind]}</span>
    ${place.lecture ? html`<span class="step">${place.lecture}</span>` : null}
    ${shown.map((step) => html`<span class="step"><bdi lang=${lang} dir=${dir}>${step}</bdi></span>`)}
    ${place.part ? html`<span class="step part">${place.part}</span>` : null}
  </p>`;
}

/** The heading alone, for a drawing whose rows are listed beside it. */
export function shortTitle(catalogue: Catalogue, ordinal: number): string {
  return placeOf(catalogue, [ordinal]).title;
}

/** One line for lists of numbers: "8 › Splitting by group". */
export function shortPlace(catalogue: Catalogue, ordinal: number): TemplateResult {
  const place = placeOf(catalogue, [ordinal]);
  return html`<a href=${place.href}>${place.title}</a>
    <span class="where">${[place.lecture, S.results[place.kind], place.part].filter(Boolean).join(" · ")}</span>`;
}
