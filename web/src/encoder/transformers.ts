/**
 * The only module that imports transformers.js; a chunk of its own, loaded when the encoder is.
 */

import {
  AutoModel,
  AutoModelForSequenceClassification,
  AutoTokenizer,
  env,
  mean_pooling,
  Tensor,
} from "@huggingface/transformers";

export interface SourceOptions {
  readonly wasm: Uint8Array<ArrayBuffer>;
  /** Name of the model's folder. */
  readonly folder: string;
  /** Checked bytes by their name in the folder; undefined for a file that the site does not list. */
  readonly file: (name: string) => Uint8Array<ArrayBuffer> | undefined;
}

export interface StartOptions extends SourceOptions {
  readonly pooling: "mean" | "cls";
}

/** What one pass gives. */
export interface Pass {
  /** The pooled vector, of unit length. */
  readonly vector: Float32Array;
  /** The last hidden state: row after row, a row an id. */
  readonly states: Float32Array;
}

export interface Started {
  ids(text: string, special: boolean): number[];
  /** The piece that an id stands for. */
  piece(id: number): string;
  /** One pass through the model. */
  run(ids: readonly number[]): Promise<Pass>;
}

/** A cross-encoder in memory. */
export interface PairModel {
  /** Ids of the special tokens `[CLS]` and `[SEP]`. */
  readonly opening: number;
  readonly closing: number;
  /** Special tokens left out. */
  ids(text: string): number[];
  /** One pass through the model, of ids with their types. */
  score(ids: readonly number[], types: readonly number[]): Promise<number>;
}

/** Where each model's files come from, by its folder. */
const sources = new Map<string, SourceOptions["file"]>();

/** Let transformers.js find one more model, and nothing else. */
function prepare({ wasm: bytes, folder, file }: SourceOptions): void {
  sources.set(folder, file);
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  // A path and not an address: of an address transformers.js takes the model to be remote.
  env.localModelPath = "/";
  // Files are kept by the downloader, under their hash; a second cache under their name could be poisoned.
  env.useBrowserCache = false;
  env.useWasmCache = false;
  env.fetch = async (path: string | URL) => {
    const [, folder = "", ...name] = String(path).split("/");
    const bytes = sources.get(folder)?.(name.join("/"));
    if (!bytes) return new Response(null, { status: 404 });
    return new Response(bytes, { headers: { "content-length": String(bytes.length) } });
  };
  const wasm = env.backends.onnx.wasm;
  if (!wasm) throw new Error("transformers.js was built without its wasm backend");
  wasm.wasmBinary = bytes.buffer;
  // transformers.js puts the address of a foreign host here; with the bytes given nothing is fetched from it, and
  // without it nothing could be.
  wasm.wasmPaths = {};
  // Threads need headers that static hosts do not send.
  wasm.numThreads = 1;
}

const load = { dtype: "fp32", device: "wasm" } as const;

function row(values: readonly number[], value: (of: number) => bigint = BigInt): Tensor {
  return new Tensor("int64", BigInt64Array.from(values, value), [1, values.length]);
}

const one = (): bigint => 1n;
const zero = (): bigint => 0n;

export async function start(options: StartOptions): Promise<Started> {
  prepare(options);
  const [tokenizer, model] = await Promise.all([
    AutoTokenizer.from_pretrained(options.folder),
    AutoModel.from_pretrained(options.folder, load),
  ]);

  return {
    ids: (text, special) => tokenizer.encode(text, { add_special_tokens: special }),
    // The one place that reaches below the tokenizer's own interface, which turns ids into text only.
    piece: (id) => tokenizer._tokenizer.id_to_token(id) ?? "",
    async run(ids) {
      const mask = row(ids, one);
      const output = await model({ input_ids: row(ids), attention_mask: mask, token_type_ids: row(ids, zero) });
      const states = output.last_hidden_state as Tensor;
      const pooled = options.pooling === "cls" ? states.slice(null, 0) : mean_pooling(states, mask);
      return {
        vector: Float32Array.from(pooled.normalize(2, -1).data as Float32Array),
        states: Float32Array.from(states.data as Float32Array),
      };
    },
  };
}

export async function startPairs(options: SourceOptions): Promise<PairModel> {
  prepare(options);
  const [tokenizer, model] = await Promise.all([
    AutoTokenizer.from_pretrained(options.folder),
    AutoModelForSequenceClassification.from_pretrained(options.folder, load),
  ]);
  const [opening = 0, closing = 0] = tokenizer.encode("", { add_special_tokens: true });

  return {
    opening,
    closing,
    ids: (text) => tokenizer.encode(text, { add_special_tokens: false }),
    async score(ids, types) {
      const output = await model({
        input_ids: row(ids),
        attention_mask: row(ids, one),
        token_type_ids: row(types),
      });
      return (output.logits as Tensor).data[0] as number;
    },
  };
}
