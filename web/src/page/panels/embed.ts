import { html, type TemplateResult } from "lit";
import { count, decimal, duration } from "../format";
import { P } from "../strings/panels";
import "./map";
import { facts, type PanelContext, type StageNamed } from "./parts";

export function embedPanel(context: PanelContext, stage: StageNamed<"embed">): TemplateResult {
  const { state, index } = context;
  const { model, probes } = index.manifest;
  const { encoder } = state;
  const ready = encoder.phase === "ready" ? encoder : null;
  return html`
    <p class="lead">${P.embed.lead}</p>
    <ob-map .context=${context}></ob-map>
    ${facts([
      [P.embed.model, model.name],
      [P.embed.file, html`<code>${model.sha256.slice(0, 16)}…</code>`],
      [P.embed.pieces, count(stage.tokens)],
      [P.embed.dims, count(stage.dims)],
      [P.embed.pooling, `${model.pooling}, float32, wasm`],
      ready?.probeCosine == null
        ? null
        : [P.embed.probes, P.embed.probesValue(count(probes.length), decimal(ready.probeCosine, 6))],
      ready?.ms == null ? null : [P.embed.loaded, duration(ready.ms)],
      stage.waited_ms >= 1 ? [P.embed.waited, duration(stage.waited_ms)] : null,
    ])}
  `;
}
