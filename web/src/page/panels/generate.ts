import { html, type TemplateResult } from "lit";
import { count, decimal, duration } from "../format";
import { S } from "../strings";
import { facts, type StageNamed } from "./parts";

export function generatePanel(stage: StageNamed<"generate">): TemplateResult {
  const known = (name: string, value: number | null, write: (value: number) => string) =>
    value === null ? null : ([name, write(value)] as const);
  const rate = (value: number): string => S.generatePanel.rate(decimal(value, 1));
  return html`
    <p class="lead">${S.generatePanel.lead}</p>
    ${facts([
      [S.generatePanel.engine, S.engines[stage.engine as keyof typeof S.engines] ?? stage.engine],
      [S.generatePanel.model, stage.model],
      known(S.generatePanel.promptTokens, stage.prompt_tokens, count),
      known(S.generatePanel.promptRate, stage.prompt_rate, rate),
      known(S.generatePanel.firstToken, stage.first_token_ms, duration),
      known(S.generatePanel.answerTokens, stage.answer_tokens, count),
      known(S.generatePanel.answerRate, stage.answer_rate, rate),
      [S.generatePanel.finish, S.generatePanel.finished[stage.finish]],
    ])}
    <h4 class="label">${S.generatePanel.text}</h4>
    <div class="verbatim"><pre tabindex="0" aria-label=${S.generatePanel.text}>${stage.text}</pre></div>
    <h4 class="label">${S.generatePanel.prompt}</h4>
    <div class="verbatim"><pre tabindex="0" aria-label=${S.generatePanel.prompt}>${stage.prompt}</pre></div>
  `;
}
