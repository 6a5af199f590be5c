/**
 * The only module that imports transformers.js; a chunk of its own, loaded when the encoder is.
 */

import { AutoModel, AutoTokenizer, env, mean_pooling, Tensor } from "@huggingface/transformers";

export interface StartOptions {
  readonly wasm: Uint8Array<ArrayBuffer>;
  /** Name of the model's folder. */
  readonly folder: string;
  /** Checked bytes by their name in the folder; undefined for a file that the site does not list. */
  readonly file: (name: string) => Uint8Array<ArrayBuffer> | undefined;
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

export async function start(options: StartOptions): Promise<Started> {
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  // A path and not an address: of an address transformers.js takes the model to be remote.
  env.localModelPath = "/";
  // Files are kept by the downloader, under their hash; a second cache under their name could be poisoned.
  env.useBrowserCache = false;
  env.useWasmCache = false;
  env.fetch = async (path: string | URL) => {
    const bytes = options.file(String(path).replace(`/${options.folder}/`, ""));
    if (!bytes) return new Response(null, { status: 404 });
    return new Response(bytes, { headers: { "content-length": String(bytes.length) } });
  };
  const wasm = env.backends.onnx.wasm;
  if (!wasm) throw new Error("transformers.js was built without its wasm backend");
  wasm.wasmBinary = options.wasm.buffer;
  // transformers.js puts the address of a foreign host here; with the bytes given nothing is fetched from it, and
  // without it nothing could be.
  wasm.wasmPaths = {};
  // Threads need headers that static hosts do not send.
  wasm.numThreads = 1;

  const [tokenizer, model] = await Promise.all([
    AutoTokenizer.from_pretrained(options.folder),
    AutoModel.from_pretrained(options.folder, { dtype: "fp32", device: "wasm" }),
  ]);

  return {
    ids: (text, special) => tokenizer.encode(text, { add_special_tokens: special }),
    // The one place that reaches below the tokenizer's own interface, which turns ids into text only.
    piece: (id) => tokenizer._tokenizer.id_to_token(id) ?? "",
    async run(ids) {
      const shape = [1, ids.length];
      const tensor = (value: (id: number) => bigint): Tensor =>
        new Tensor("int64", BigInt64Array.from(ids, value), shape);
      const mask = tensor(() => 1n);
      const output = await model({ input_ids: tensor(BigInt), attention_mask: mask, token_type_ids: tensor(() => 0n) });
      const states = output.last_hidden_state as Tensor;
      const pooled = options.pooling === "cls" ? states.slice(null, 0) : mean_pooling(states, mask);
      return {
        vector: Float32Array.from(pooled.normalize(2, -1).data as Float32Array),
        states: Float32Array.from(states.data as Float32Array),
      };
    },
  };
}
