/** Counts and times of one answer, for engines that do not measure them themselves. */

import type { Usage } from "./engine";

export class Meter {
  finish: Usage["finish"] = "stop";
  readonly #clock: () => number;
  readonly #began: number;
  #first: number | null = null;
  #last: number | null = null;
  #pieces = 0;
  #promptTokens: number | null = null;
  #answerTokens: number | null = null;
  #promptRate: number | null = null;
  #answerRate: number | null = null;

  constructor(clock: () => number) {
    this.#clock = clock;
    this.#began = clock();
  }

  /** A piece of the answer is here. */
  token(): void {
    this.#last = this.#clock();
    this.#first ??= this.#last;
    this.#pieces += 1;
  }

  /** What the engine counted; null leaves what was known. */
  counted(prompt: number | null, answer: number | null): void {
    this.#promptTokens = prompt ?? this.#promptTokens;
    this.#answerTokens = answer ?? this.#answerTokens;
  }

  /** Tokens a second, where the engine measured them. */
  measured(prompt: number | null, answer: number | null): void {
    this.#promptRate = prompt;
    this.#answerRate = answer;
  }

  /** The rates, where they were not measured: the prompt's until the first token, the answer's from there on. */
  usage(): Usage {
    const first = this.#first === null ? null : this.#first - this.#began;
    const written = this.#first === null || this.#last === null ? 0 : this.#last - this.#first;
    const answered = this.#answerTokens ?? (this.#pieces > 0 ? this.#pieces : null);
    return {
      promptTokens: this.#promptTokens,
      answerTokens: this.#answerTokens,
      firstTokenMs: first,
      totalMs: this.#clock() - this.#began,
      promptRate:
        this.#promptRate ?? (first && this.#promptTokens !== null ? this.#promptTokens / (first / 1000) : null),
      // The first piece came at the beginning of that time, so it is not of it.
      answerRate: this.#answerRate ?? (written > 0 && answered !== null ? (answered - 1) / (written / 1000) : null),
      finish: this.finish,
    };
  }
}
