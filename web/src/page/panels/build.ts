import { html, type TemplateResult } from "lit";
import { type BuildBlock, indexBytes, indexKinds } from "../build-blocks";
import type { BuildReport } from "../build-report";
import { count, day, decimal, size } from "../format";
import type { OpenIndex } from "../state";
import { P } from "../strings/panels";
import { facts } from "./parts";

export function buildPanel(name: BuildBlock, index: OpenIndex, report: BuildReport | null): TemplateResult {
  switch (name) {
    case "lectures":
      return lectures(index);
    case "chunks":
      return chunks(index, report);
    case "vectors":
      return vectors(index, report);
    case "index":
      return files(index);
    case "pages":
      return html`<p class="lead">${P.build.pagesLead}</p>
        ${
          report
            ? facts([
                [P.build.pages, count(report.pages)],
                [P.build.links, count(report.links)],
              ])
            : null
        }`;
  }
}

function lectures({ manifest, catalogue }: OpenIndex): TemplateResult {
  return html`<p class="lead">${P.build.lecturesLead(day(manifest.as_of))}</p>
    <ol class="ranked">
      ${catalogue.file.lectures.map(
        (lecture) => html`<li>
          <span class="rank number">${lecture.number > 0 ? lecture.number : ""}</span>
          <span class="title">${lecture.title}</span>
          <span class="where number">${lecture.release ? day(lecture.release) : ""}</span>
        </li>`,
      )}
    </ol>`;
}

function chunks({ manifest }: OpenIndex, report: BuildReport | null): TemplateResult {
  return html`<p class="lead">${P.build.chunksLead(count(manifest.model.max_tokens))}</p>
    ${facts([
      [P.build.chunks, count(manifest.counts.chunks)],
      report ? [P.build.sections, count(report.sections)] : null,
      report ? [P.build.words, count(report.words)] : null,
      report ? [P.build.pieces, count(report.pieces)] : null,
      report ? [P.build.truncated, count(report.truncated)] : null,
    ])}`;
}

function vectors({ manifest }: OpenIndex, report: BuildReport | null): TemplateResult {
  const { model } = manifest;
  return html`<p class="lead">${P.build.vectorsLead(model.name)}</p>
    ${facts([
      [P.embed.model, model.name],
      model.revision ? [P.embed.revision, html`<code>${model.revision.slice(0, 12)}</code>`] : null,
      [P.embed.file, html`<code>${model.sha256.slice(0, 16)}…</code>`],
      [P.embed.dims, count(model.dims)],
      report ? [P.build.embedded, P.build.embeddedValue(count(report.embedded), count(report.reused))] : null,
    ])}`;
}

function files({ manifest }: OpenIndex): TemplateResult {
  const bytes = indexBytes(manifest);
  return html`<p class="lead">${P.build.indexLead}</p>
    <table>
      <thead>
        <tr>
          <th scope="col">${P.build.file}</th>
          <th scope="col">${P.build.files}</th>
          <th scope="col">${P.build.bytes}</th>
        </tr>
      </thead>
      <tbody>
        ${indexKinds(manifest).map(
          (kind) => html`<tr>
            <th scope="row"><code>${kind.name}</code></th>
            <td class="number">${count(kind.files)}</td>
            <td class="number">${count(kind.bytes)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
    <p class="quiet number">
      ${P.build.total(size(bytes), decimal(bytes / Math.max(1, manifest.counts.chunks), 0))}
    </p>`;
}
