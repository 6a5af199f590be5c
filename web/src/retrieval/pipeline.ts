/**
 * A question's way through the stages. Pure: index, encoder and clock are passed in; nothing here knows a page,
 * a network or the time of day.
 */

import type { Encoder, SearchIndex } from "./collection";
import type { Stage, StageName, Trace } from "./trace";

export interface AskOptions {
  /** Null when there is none: keyword search alone, with no gate and so no answer. */
  readonly encoder: Encoder | null;
  /** Milliseconds, monotonic. */
  readonly clock: () => number;
  /** Called before a stage begins. */
  readonly onStart?: (name: StageName) => void;
  /** Called when a stage is over, with its record. */
  readonly onStage?: (stage: Stage) => void;
  /** Called as soon as the fused list is known and the passages' texts are here. */
  readonly onPassages?: (passages: Trace["passages"]) => void;
  readonly signal?: AbortSignal;
}

/**
 * Ask a question.
 *
 * An encoder that fails does not end the question: its stages are skipped, with the reason, and keyword results stand.
 *
 * @throws GateError when the index has no threshold; PromptBudgetError when not even the question fits;
 *   whatever the index throws when a file cannot be loaded; the signal's reason when it was aborted.
 */
export async function ask(index: SearchIndex, question: string, options: AskOptions): Promise<Trace> {
  throw new Error(`not built yet: ${index.size} ${question} ${options.encoder}`);
}
