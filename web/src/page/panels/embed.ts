import { html, type TemplateResult } from "lit";
import { count, decimal, duration } from "../format";
import { S } from "../strings";
import "./map";
import { facts, type PanelContext, type StageNamed } from "./parts";

export function embedPanel(context: PanelContext, stage: StageNamed<"embed">): TemplateResult {
  const { state, index } = context;
  const { model, probes } = index.manifest;
  const { encoder } = state;
  const ready = encoder.phase === "ready" ? encoder : null;
  return html`
    <p class="lead">${S.embed.lead}</p>
    <ob-map .context=${context}></ob-map>
    ${facts([
      [S.embed.model, model.name],
      [S.embed.file, html`<code>${model.sha256.slice(0, 16)}…</code>`],
      [S.embed.pieces, count(stage.tokens)],
      [S.embed.dims, count(stage.dims)],
      [S.embed.pooling, `${model.pooling}, float32, wasm`],
      ready?.probeCosine == null
        ? null
        : [S.embed.probes, S.embed.probesValue(count(probes.length), decimal(ready.probeCosine, 6))],
      ready?.ms == null ? null : [S.embed.loaded, duration(ready.ms)],
      stage.waited_ms >= 1 ? [S.embed.waited, duration(stage.waited_ms)] : null,
    ])}
  `;
}
