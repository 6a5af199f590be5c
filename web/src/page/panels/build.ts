import { html, type TemplateResult } from "lit";
import { type BuildBlock, indexBytes } from "../build-blocks";
import { count, day, decimal, size } from "../format";
import type { OpenIndex } from "../state";
import { S } from "../strings";
import { facts } from "./parts";

export function buildPanel(name: BuildBlock, { manifest, catalogue }: OpenIndex): TemplateResult {
  switch (name) {
    case "lectures":
      return html`<p class="lead">${S.build.lecturesLead(day(manifest.as_of))}</p>
        <ol class="ranked">
          ${catalogue.file.lectures.map(
            (lecture) => html`<li>
              <span class="rank number">${lecture.number > 0 ? lecture.number : ""}</span>
              <span class="title">${lecture.title}</span>
              <span class="where number">${lecture.release ? day(lecture.release) : ""}</span>
            </li>`,
          )}
        </ol>`;
    case "chunks":
      return html`<p class="lead">${S.build.chunksLead(count(manifest.model.max_tokens))}</p>
        ${facts([[S.build.chunks, count(manifest.counts.chunks)]])}`;
    case "vectors":
      return html`<p class="lead">${S.build.vectorsLead(manifest.model.name)}</p>
        ${facts([
          [S.embed.model, manifest.model.name],
          [S.embed.revision, html`<code>${manifest.model.revision.slice(0, 12)}</code>`],
          [S.embed.file, html`<code>${manifest.model.sha256.slice(0, 16)}…</code>`],
          [S.embed.dims, count(manifest.model.dims)],
        ])}`;
    case "index": {
      const files = Object.values(manifest.files).toSorted((a, b) => b.bytes - a.bytes);
      const bytes = indexBytes(manifest.files);
      return html`<p class="lead">${S.build.indexLead}</p>
        <table>
          <thead><tr><th scope="col">${S.build.file}</th><th scope="col">${S.build.bytes}</th></tr></thead>
          <tbody>
            ${files.map(({ path, bytes: own }) => html`<tr><th scope="row"><code>${path}</code></th><td class="number">${count(own)}</td></tr>`)}
          </tbody>
        </table>
        <p class="quiet number">${size(bytes)}: ${S.build.perChunk(decimal(bytes / Math.max(1, manifest.counts.chunks), 0))}</p>`;
    }
  }
}
