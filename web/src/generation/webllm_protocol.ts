/** What passes between the page and WebLLM's worker. */

import type { ErrorRecord } from "../errors";
import type { LoadProgress, Message, StreamOptions, Usage } from "./engine";
import type { WebLlmVariant } from "./offer";

/** Numbers what was asked, so that each answer finds who asked. */
type Call = number;

export type ToWebLlm =
  | { readonly type: "load"; readonly call: Call; readonly root: string; readonly variant: WebLlmVariant }
  | { readonly type: "count"; readonly call: Call; readonly text: string }
  | {
      readonly type: "stream";
      readonly call: Call;
      readonly messages: readonly Message[];
      readonly options: StreamOptions;
    }
  /** Stop loading, or writing. */
  | { readonly type: "stop"; readonly call: Call };

export type FromWebLlm =
  | { readonly type: "progress"; readonly call: Call; readonly progress: LoadProgress }
  | { readonly type: "piece"; readonly call: Call; readonly text: string }
  | { readonly type: "counted"; readonly call: Call; readonly tokens: number }
  | { readonly type: "loaded"; readonly call: Call }
  | { readonly type: "written"; readonly call: Call; readonly usage: Usage }
  | { readonly type: "failed"; readonly call: Call; readonly error: ErrorRecord }
  | { readonly type: "aborted"; readonly call: Call }
  /** The graphics device is gone, and with it everything. */
  | { readonly type: "lost"; readonly reason: string };
