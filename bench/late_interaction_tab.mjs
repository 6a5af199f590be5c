// How long late interaction takes in V8: bundled and run by bench/late_interaction.py, which prints its JSON as a table.
import { makeTables, maxSim, unitRows } from "../web/src/retrieval/late_interaction.ts";
import { XorShift32 } from "../web/src/retrieval/projection.ts";

const [DIMS, PIECES, ROWS, RUNS] = [384, 12, 160, 15];
const generator = new XorShift32(7);
const noise = Float32Array.from({ length: PIECES * DIMS }, () => generator.next() / 2 ** 32 - 0.5);
const question = { ids: [], pieces: [], vectors: unitRows(noise, DIMS), dims: DIMS };
const weights = new Float64Array(PIECES).fill(1);
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

const found = [];
for (const [bits, chunks] of [[384, 20], [192, 20], [192, 50], [192, 450], [192, 1200], [128, 20]]) {
  const size = (ROWS * bits) / 8;
  const signs = Uint8Array.from({ length: chunks * size }, () => generator.next() >>> 24);
  const [making, scoring] = [[], []];
  for (let run = 0; run < RUNS; run += 1) {
    const begun = performance.now();
    const tables = makeTables(question, bits);
    const made = performance.now();
    for (let chunk = 0; chunk < chunks; chunk += 1) {
      maxSim(tables, weights, signs.subarray(chunk * size, (chunk + 1) * size));
    }
    making.push(made - begun);
    scoring.push(performance.now() - made);
  }
  found.push({ bits, chunks, first: making[0] + scoring[0], making: median(making), scoring: median(scoring) });
}
console.log(JSON.stringify(found));
