import { html, type TemplateResult } from "lit";
import type { PromptPart } from "../../retrieval/trace";
import { count } from "../format";
import { copy } from "../icons";
import { S } from "../strings";
import { P } from "../strings/panels";
import { bar, type StageNamed, swatch } from "./parts";

const SERIES: Record<PromptPart["kind"], number> = {
  instruction: 2,
  history: 4,
  question: 1,
  begin: 3,
  passage: 0,
  end: 3,
};

export function promptPanel(
  stage: StageNamed<"prompt">,
  copied: "" | "yes" | "no",
  onCopy: () => void,
): TemplateResult {
  if (stage.state !== "done") return html`<p class="lead">${P.prompt.skipped}</p>`;
  const { parts, parameters } = stage;
  const changes = parts.findIndex(({ kind }) => kind !== "instruction");
  const stable = parts.slice(0, Math.max(changes, 0)).reduce((sum, { tokens }) => sum + tokens, 0);
  return html`
    <p class="lead">${P.prompt.lead}</p>
    <div class="budget">
      <p class="number">${P.prompt.tokens(count(stage.tokens), count(parameters.max_tokens))} ${P.prompt.words(stage.words)}</p>
      ${bar(
        parts.map((part) => ({ value: part.tokens, series: SERIES[part.kind] })),
        parameters.max_tokens,
        stable || undefined,
      )}
      ${stable ? html`<p class="number">${P.prompt.stable(stable)}</p>` : null}
      <ul class="legend">
        ${parts.map(
          (part) =>
            html`<li class="number">${swatch(SERIES[part.kind])}${P.prompt.part[part.kind]}${
              part.number === null ? null : ` ${part.number}`
            } ${count(part.tokens)}</li>`,
        )}
      </ul>
      ${stage.dropped.map((one) => html`<p class="number">${P.prompt.dropped[one.reason](one.number, one.value ?? 0, one.of ?? 0)}</p>`)}
    </div>
    <div class="verbatim">
      <button class="button" @click=${onCopy}>
        ${copy}${copied === "yes" ? P.prompt.copied : copied === "no" ? P.prompt.copyFailed : P.prompt.copy}
      </button>
      <pre tabindex="0" aria-label=${S.stages.prompt}>${stage.text}</pre>
    </div>
  `;
}
