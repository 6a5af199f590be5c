"""A cross-encoder of a few thousand numbers, drawn at random: one attention over embeddings, pooled at ``[CLS]``.

It knows nothing of relevance. What it is for: that two programs which read the same pair get the same score, and that
another pair, another order of the two, or another cut gives another one.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from openbook.models.cross_encoder import CrossEncoderDescriptor
from openbook.models.download import sha256_of
from openbook.models.registry import CONFIG, DESCRIPTOR, FILES, ONNX, TOKENIZER, TOKENIZER_CONFIG

DATA = Path(__file__).parents[1] / "build" / "openbook" / "models" / "data" / "all-MiniLM-L6-v2"
"""The tokenizer of the encoder that ships; a cross-encoder made from BERT has the same."""

VOCABULARY, WIDTH = 30_522, 8


def write_tiny_cross_encoder(folder: Path, *, seed: int = 0, max_tokens: int = 96, licence: str = "CC0-1.0") -> Path:
    """Write a folder as ``openbook models export --task rerank`` does, and return it."""
    (folder / ONNX).parent.mkdir(parents=True)
    onnx.save_model(_model(seed), str(folder / ONNX))
    for name in (TOKENIZER, TOKENIZER_CONFIG):
        shutil.copyfile(DATA / name, folder / name)
    (folder / CONFIG).write_text(
        json.dumps(
            {
                "model_type": "bert",
                "architectures": ["BertForSequenceClassification"],
                "vocab_size": VOCABULARY,
                "hidden_size": WIDTH,
                "num_hidden_layers": 1,
                "num_attention_heads": 1,
                "max_position_embeddings": 512,
                "id2label": {"0": "LABEL_0"},
                "label2id": {"LABEL_0": 0},
            }
        )
    )
    descriptor = CrossEncoderDescriptor(
        task="rerank", name=f"test/tiny-{seed}", revision="", max_tokens=max_tokens, precision="fp32", licence=licence,
        files={name: sha256_of(folder / name) for name in FILES},
    )  # fmt: skip
    (folder / DESCRIPTOR).write_bytes(msgspec.json.encode(descriptor))
    return folder


def _model(seed: int) -> onnx.ModelProto:
    generator = np.random.default_rng(seed)

    def draw(name: str, *shape: int) -> onnx.TensorProto:
        return numpy_helper.from_array(generator.normal(size=shape).astype(np.float32), name)

    node = helper.make_node
    nodes = [
        node("Gather", ["words", "input_ids"], ["word"]),
        node("Gather", ["types", "token_type_ids"], ["type"]),
        node("Add", ["word", "type"], ["states"]),
        node("MatMul", ["states", "key"], ["keys"]),
        node("Transpose", ["states"], ["across"], perm=[0, 2, 1]),
        node("MatMul", ["keys", "across"], ["products"]),
        node("Softmax", ["products"], ["attention"], axis=-1),
        node("MatMul", ["attention", "states"], ["mixed"]),
        node("ReduceMean", ["mixed", "first_axis"], ["pooled"], keepdims=0),
        node("MatMul", ["pooled", "head"], ["logits"]),
        # Read, so that the graph has the input that every cross-encoder has; all of it is ones.
        node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
    ]
    integers = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    graph = helper.make_graph(
        nodes,
        "tiny",
        integers,
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 1])],
        [
            draw("words", VOCABULARY, WIDTH),
            draw("types", 2, WIDTH),
            draw("key", WIDTH, WIDTH),
            draw("head", WIDTH, 1),
            numpy_helper.from_array(np.array([1], dtype=np.int64), "first_axis"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
    onnx.checker.check_model(model)
    return model
