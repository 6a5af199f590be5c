/** One class a failure of the retrieval stages; each message says what to do. */

/** The index carries no threshold for the gate, or one that was found on something else. */
export class GateError extends Error {
  override readonly name = "GateError";
}

/** The prompt's token budget has no room for the instruction and the question. */
export class PromptBudgetError extends Error {
  override readonly name = "PromptBudgetError";
}

/** Two things that must be of one size are not, such as a question's vector and the index. */
export class ShapeError extends Error {
  override readonly name = "ShapeError";
}
