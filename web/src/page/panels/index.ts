/** What a block shows when it is opened. A chunk of its own: it loads when the first block is. */

import { html, type TemplateResult } from "lit";
import type { StageName } from "../../retrieval/trace";
import { type Block, stageIn } from "../state";
import { S } from "../strings";
import { P } from "../strings/panels";
import { answerPanel } from "./answer";
import { checkPanel } from "./check";
import { densePanel } from "./dense";
import { embedPanel } from "./embed";
import { fusePanel } from "./fuse";
import { gatePanel } from "./gate";
import { generatePanel } from "./generate";
import { keywordPanel } from "./keyword";
import type { PanelContext } from "./parts";
import { promptPanel } from "./prompt";
import { rerankChoice, rerankPanel } from "./rerank";

export { buildPanel } from "./build";
export { panelStyles } from "./styles";

export interface Copying {
  readonly copied: "" | "yes" | "no";
  readonly copy: () => void;
}

export function stagePanel(name: StageName, block: Block, context: PanelContext, copying: Copying): TemplateResult {
  if (name !== "rerank") return stageContent(name, block, context, copying);
  // What is done here is the reader's to choose, also while it runs and where it was skipped.
  return html`${rerankChoice(context)}${stageContent(name, block, context, copying)}`;
}

function stageContent(name: StageName, block: Block, context: PanelContext, copying: Copying): TemplateResult {
  const { stage } = block;
  if (!stage && name === "embed" && context.state.mode !== "asked") return html`<ob-map .context=${context}></ob-map>`;
  if (!stage)
    return html`<p class="lead">${name === "generate" || name === "check" ? P[`${name}Panel`].idle : S.states[block.state]}</p>`;
  if (stage.state === "skipped" && name !== "gate")
    return html`<p class="lead">${stage.reason ? P.skipped(stage.reason) : S.states.skipped}</p>`;
  const { blocks } = context.state;
  const of = <N extends StageName>(wanted: N) => stageIn(blocks, wanted);
  switch (name) {
    case "keyword":
      return panel(of("keyword"), (it) => keywordPanel(context, it));
    case "embed":
      return panel(of("embed"), (it) => embedPanel(context, it));
    case "dense":
      return panel(of("dense"), (it) => densePanel(context, it));
    case "fuse":
      return panel(of("fuse"), (it) => fusePanel(context, it));
    case "rerank":
      return panel(of("rerank"), (it) => rerankPanel(context, it));
    case "gate":
      return panel(of("gate"), (it) => gatePanel(context, it));
    case "prompt":
      return panel(of("prompt"), (it) => promptPanel(it, copying.copied, copying.copy));
    case "answer":
      return panel(of("answer"), answerPanel);
    case "generate":
      return panel(of("generate"), generatePanel);
    case "check":
      return panel(of("check"), checkPanel);
  }
}

function panel<T>(stage: T | null, draw: (stage: T) => TemplateResult): TemplateResult {
  return stage === null ? html`` : draw(stage);
}
