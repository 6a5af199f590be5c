/** Where the cosines of all chunks lie: how far the best stand out from the rest. */

import { html, svg, type TemplateResult } from "lit";
import { decimal } from "../format";
import { P } from "../strings/panels";

const BINS = 60;
const WIDTH = 600;
const HEIGHT = 90;

/** @param threshold of the gate when it decides by the cosine */
export function spread(cosines: Float64Array, best: number, threshold: number | undefined, n: string): TemplateResult {
  const sorted = Float64Array.from(cosines).sort();
  const median = sorted[sorted.length >> 1] ?? 0;
  const least = Math.min(0, Math.floor((sorted[0] ?? 0) * 10) / 10);
  const x = (value: number): number => ((value - least) / (1 - least)) * WIDTH;
  const bins = new Uint32Array(BINS);
  for (const cosine of cosines) {
    const bin = Math.min(BINS - 1, Math.max(0, Math.floor((x(cosine) / WIDTH) * BINS)));
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  // By square root: the few that are near would not be seen beside the many that are not.
  const most = Math.sqrt(Math.max(...bins, 1));
  const step = WIDTH / BINS;
  const label = P.dense.spreadLabel(n, decimal(best, 2), decimal(median, 2));
  return html`<figure class="spread">
    <h4 class="label">${P.dense.spread}</h4>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${label} preserveAspectRatio="none">
      ${[...bins].map((amount, bin) => {
        const height = (Math.sqrt(amount) / most) * (HEIGHT - 12);
        return svg`<rect class="bin" x=${bin * step} y=${HEIGHT - height} width=${step - 1} height=${height}></rect>`;
      })}
      <line class="best" x1=${x(best)} x2=${x(best)} y1="0" y2=${HEIGHT}></line>
      ${threshold === undefined ? null : svg`<line class="gate" x1=${x(threshold)} x2=${x(threshold)} y1="0" y2=${HEIGHT}></line>`}
    </svg>
    <p class="scale quiet number"><span>${decimal(least, 1)}</span><span>${label}</span><span>1</span></p>
  </figure>`;
}
