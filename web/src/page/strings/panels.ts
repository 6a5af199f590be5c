/** The words of the working, `P`: as `S`, but loaded with what is opened. `speak` sets them before anything is drawn. */

import { panels as en } from "./en-panels";

export type PanelStrings = typeof en;

export let P: PanelStrings = en;

export function setPanels(panels: PanelStrings): void {
  P = panels;
}
