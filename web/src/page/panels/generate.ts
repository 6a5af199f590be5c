import { html, type TemplateResult } from "lit";
import { count, decimal, duration } from "../format";
import { P } from "../strings/panels";
import { facts, type StageNamed } from "./parts";

export function generatePanel(stage: StageNamed<"generate">): TemplateResult {
  const known = (name: string, value: number | null, write: (value: number) => string) =>
    value === null ? null : ([name, write(value)] as const);
  const rate = (value: number): string => P.generatePanel.rate(decimal(value, 1));
  return html`
    <p class="lead">${P.generatePanel.lead}</p>
    ${facts([
      [P.generatePanel.engine, P.engines[stage.engine as keyof typeof P.engines] ?? stage.engine],
      [P.generatePanel.model, stage.model],
      known(P.generatePanel.promptTokens, stage.prompt_tokens, count),
      known(P.generatePanel.promptRate, stage.prompt_rate, rate),
      known(P.generatePanel.firstToken, stage.first_token_ms, duration),
      known(P.generatePanel.answerTokens, stage.answer_tokens, count),
      known(P.generatePanel.answerRate, stage.answer_rate, rate),
      [P.generatePanel.finish, P.generatePanel.finished[stage.finish]],
    ])}
    <h4 class="label">${P.generatePanel.text}</h4>
    <div class="verbatim"><pre tabindex="0" aria-label=${P.generatePanel.text}>${stage.text}</pre></div>
    <h4 class="label">${P.generatePanel.prompt}</h4>
    <div class="verbatim"><pre tabindex="0" aria-label=${P.generatePanel.prompt}>${stage.prompt}</pre></div>
  `;
}
