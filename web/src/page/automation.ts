/**
 * `window.openbook.ask(question)`: what a person does with the page, for `openbook verify` and other programs. It goes
 * through the same session as the question box, and nothing else is exposed.
 */

import { type Filter, NO_FILTER } from "../retrieval/filter";
import type { RerankMode, Trace } from "../retrieval/trace";
import type { Session } from "./session";

export interface Automation {
  /**
   * Ask with the encoder, loading it when it is not here; reranked in some way, and of a part of the course, or as
   * before. Rejects when the index did not open or the stages failed.
   */
  ask(question: string, rerank?: RerankMode | null, filter?: Partial<Filter> | null): Promise<Trace>;
}

declare global {
  var openbook: Automation | undefined;
}

export function expose(session: Session): void {
  let last: Promise<unknown> = Promise.resolve();
  globalThis.openbook = {
    ask(question, rerank, filter) {
      // One after the other: a new question aborts the one that runs.
      const answer = last.then(() => ask(session, question, rerank, filter));
      last = answer.catch(() => undefined);
      return answer;
    },
  };
}

function ask(
  session: Session,
  question: string,
  rerank: RerankMode | null | undefined,
  filter: Partial<Filter> | null | undefined,
): Promise<Trace> {
  return new Promise((resolve, reject) => {
    if (rerank) session.rerankBy(rerank);
    if (filter !== undefined) session.filterBy(filter && { ...NO_FILTER, ...filter });
    void session.ask(question, true);
    const { turn } = session.state;
    const look = (): void => {
      const { state } = session;
      const error = state.openError ?? (state.turn === turn ? state.askError : null);
      if (state.turn !== turn) reject(new Error("another question was asked"));
      else if (error) reject(new Error(`${error.kind}: ${error.message}`));
      else if (state.trace) resolve(state.trace);
      else return;
      session.removeEventListener("change", look);
    };
    session.addEventListener("change", look);
    look();
  });
}
