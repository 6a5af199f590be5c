/** What a page says aloud. */

import { type State, stageIn, verdictOf } from "./state";
import { S } from "./strings";

/** Changes only when there is something to say. */
export function statusOf(view: State): string {
  if (view.mode === "typing") return view.typed ? S.live.typed(view.typed.hits.length) : "";
  if (view.mode !== "asked") return "";
  switch (verdictOf(view)) {
    case "running":
      return S.live.running;
    case "answered":
      return S.live.answered(stageIn(view.blocks, "answer")?.sentences.length ?? 0);
    case "refused":
      return view.filter ? S.filter.live : S.live.refused;
    case "unjudged":
      return S.live.unjudged;
    case "failed":
      return S.live.failed;
  }
}
