"""Write the files that WebLLM reads beside a library: weights, their list, and the chat template.

python pack.py PARAMETERS.json WEIGHTS.npz TOKENIZER.json OUT
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
END, BEGIN_TURN, END_TURN = 0, 1, 2
"""Tokens <|endoftext|>, <|im_start|> and <|im_end|>, in the order of ``train.py``."""

TEMPLATE = {
    "name": "chatml",
    "system_template": "<|im_start|>system\n{system_message}<|im_end|>\n",
    "system_message": "",
    "system_prefix_token_ids": None,
    "add_role_after_system_message": True,
    "roles": {"user": "<|im_start|>user", "assistant": "<|im_start|>assistant"},
    "role_templates": {"user": "{user_message}", "assistant": "{assistant_message}", "tool": "{tool_message}"},
    "messages": [],
    "seps": ["<|im_end|>\n"],
    "role_content_sep": "\n",
    "role_empty_sep": "\n",
    "stop_str": ["<|im_end|>"],
    "stop_token_ids": [END, END_TURN],
    "function_string": "",
    "use_function_calling": False,
    "render_empty_system_message": False,
}


def weights(parameters: list[dict], arrays: dict[str, np.ndarray]) -> tuple[bytes, dict]:
    """One shard in TVM's raw format, and ``tensor-cache.json``."""
    shard, records = bytearray(), []
    for parameter in parameters:
        array = np.ascontiguousarray(arrays[parameter["name"]])
        if list(array.shape) != parameter["shape"] or str(array.dtype) != parameter["dtype"]:
            raise ValueError(f"{parameter} and an array of {array.shape}, {array.dtype}")
        data = array.tobytes()
        records.append({**parameter, "format": "raw", "nbytes": len(data), "byteOffset": len(shard)})
        shard += data
    listed = {
        "dataPath": "params_shard_0.bin",
        "format": "raw-shard",
        "nbytes": len(shard),
        "records": records,
        "md5sum": hashlib.md5(shard).hexdigest(),
    }
    summary = {"ParamSize": len(parameters), "ParamBytes": float(len(shard)), "BitsPerParam": 32.0}
    return bytes(shard), {"metadata": summary, "records": [listed]}


def chat_config(c: dict) -> dict:
    """``mlc-chat-config.json``."""
    shared = {
        "vocab_size": c["vocab"],
        "context_window_size": c["context"],
        "prefill_chunk_size": c["prefill_chunk"],
        "tensor_parallel_shards": 1,
        "max_batch_size": 1,
    }
    return {
        "version": "0.1.0",
        "model_type": "llama",
        "quantization": "q0f32",
        "model_config": {
            **shared,
            "hidden_size": c["hidden"],
            "intermediate_size": c["intermediate"],
            "num_attention_heads": c["heads"],
            "num_hidden_layers": c["layers"],
            "num_key_value_heads": c["kv_heads"],
            "head_dim": c["head_dim"],
            "rms_norm_eps": c["eps"],
        },
        **shared,
        "sliding_window_size": -1,
        "attention_sink_size": -1,
        "temperature": 0.0,
        "presence_penalty": 0.0,
        "frequency_penalty": 0.0,
        "repetition_penalty": 1.0,
        "top_p": 1.0,
        "tokenizer_files": ["tokenizer.json"],
        "tokenizer_info": {
            "token_postproc_method": "byte_level",
            "prepend_space_in_encode": False,
            "strip_space_in_decode": False,
        },
        "conv_template": TEMPLATE,
        "pad_token_id": END,
        "bos_token_id": END,
        "eos_token_id": [END, END_TURN],
    }


def main(parameters: Path, arrays: Path, tokenizer: Path, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    shard, listed = weights(json.loads(parameters.read_text()), dict(np.load(arrays)))
    (out / "params_shard_0.bin").write_bytes(shard)
    (out / "tensor-cache.json").write_text(json.dumps(listed) + "\n")
    config = json.loads((HERE / "config.json").read_text())
    (out / "mlc-chat-config.json").write_text(json.dumps(chat_config(config), indent=1) + "\n")
    shutil.copyfile(tokenizer, out / "tokenizer.json")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:5]))
