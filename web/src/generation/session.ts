/** One answer by a language model: from a question's trace to the record of what was asked and written. */

import { inFull } from "../retrieval/follow_up";
import type { PassageTexts } from "../retrieval/passages";
import { asMessages, fit as fitPrompt } from "../retrieval/prompt";
import { type GenerateStage, type PromptPart, stageOf, type Trace } from "../retrieval/trace";
import type { Engine, ModelChoice } from "./engine";
import { citationGrammar } from "./grammar";

/** Tokens that a chat template may put around two messages. */
const TEMPLATE_TOKENS = 48;

export interface Answered {
  readonly stage: GenerateStage;
  /** Numbers of the passages that the model was given. */
  readonly given: readonly number[];
}

export interface WriteOptions {
  /** Milliseconds, monotonic. */
  readonly clock: () => number;
  readonly signal: AbortSignal;
  /** Of the trace's passages, for a model that reads less than the shown prompt needs. */
  readonly texts: () => Promise<readonly PassageTexts[]>;
  /** The whole text so far. */
  readonly onText: (text: string) => void;
  /** At most, in the answer. */
  readonly maxTokens: number;
}

/**
 * Let a loaded model answer from the prompt that the page shows. Where the model reads less than that prompt needs, it
 * is assembled again for the model's own context, by its own tokenizer; the record holds what was sent.
 *
 * Whoever stops it gets what came so far.
 *
 * @throws PromptBudgetError when the model has no room for a passage; what the engine's `stream` throws.
 */
export async function write(
  engine: Engine,
  choice: ModelChoice,
  trace: Trace,
  { clock, signal, texts, onText, maxTokens }: WriteOptions,
): Promise<Answered> {
  const pressed = clock();
  const parts = await promptFor(engine, choice, trace, texts, maxTokens + TEMPLATE_TOKENS);
  const begun = clock();
  const given = parts.flatMap(({ number }) => (number === null ? [] : [number]));
  let text = "";
  const stream = engine.stream(
    asMessages({ parts }),
    { maxTokens, temperature: 0, seed: 1, ...(engine.supports.grammar ? { grammar: citationGrammar(given) } : {}) },
    signal,
  );
  for await (const piece of stream) {
    text += piece;
    onText(text);
  }
  const usage = engine.usage();
  const stage: GenerateStage = {
    name: "generate",
    state: "done",
    reason: "",
    started_ms: begun - pressed,
    ms: clock() - begun,
    input: usage?.promptTokens ?? 0,
    output: usage?.answerTokens ?? 0,
    engine: choice.engine,
    model: choice.id,
    prompt: parts.map((part) => part.text).join("\n\n"),
    prompt_tokens: usage?.promptTokens ?? null,
    answer_tokens: usage?.answerTokens ?? null,
    first_token_ms: usage?.firstTokenMs ?? null,
    prompt_rate: usage?.promptRate ?? null,
    answer_rate: usage?.answerRate ?? null,
    finish: usage?.finish ?? "stop",
    text,
  };
  return { stage, given };
}

/** The shown prompt's parts where they fit, or those of one that does. */
async function promptFor(
  engine: Engine,
  choice: ModelChoice,
  trace: Trace,
  texts: WriteOptions["texts"],
  reserve: number,
): Promise<readonly PromptPart[]> {
  const shown = stageOf(trace, "prompt");
  if (shown?.state !== "done") throw new Error("there is no prompt to answer from");
  if ((await engine.countTokens(shown.text)) + reserve <= choice.context) return shown.parts;
  const question = inFull(trace.question, trace.rewrite?.queries ?? []);
  const history = shown.parts.find(({ kind }) => kind === "history")?.text ?? "";
  const room = { countTokens: (text: string) => engine.countTokens(text), contextTokens: choice.context, reserve };
  const { parts } = await fitPrompt(question, await texts(), trace.settings.prompt, room, history);
  return parts;
}
