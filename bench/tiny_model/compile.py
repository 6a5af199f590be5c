"""Compile the tiny model to what WebLLM loads: a TVM executable for WebGPU, in a wasm32 object.

    python compile.py OUT          (in an environment with apache-tvm: see README.md)

Writes ``OUT/objects/*.o``, to be linked by ``build.sh``, and ``OUT/parameters.json``: names and shapes in the order in
which the executable takes them.
"""

from __future__ import annotations

import json
import sys
import tarfile
from pathlib import Path

import tvm
from sampling import sampling_functions
from tvm import relax, te
from tvm.relax.frontend import nn
from tvm.relax.frontend.nn import op
from tvm.relax.frontend.nn.llm.kv_cache import PagedKVCache, RopeMode, TIRPagedKVCache
from tvm.s_tir import dlight

HERE = Path(__file__).parent


class Attention(nn.Module):
    """With the rotary positions and the paged cache of TVM's own runtime."""

    def __init__(self, c, number):
        self.number, self.heads, self.kv_heads, self.head_dim = number, c["heads"], c["kv_heads"], c["head_dim"]
        self.qkv_proj = nn.Linear(c["hidden"], (self.heads + 2 * self.kv_heads) * self.head_dim, bias=False)
        self.o_proj = nn.Linear(self.heads * self.head_dim, c["hidden"], bias=False)

    def forward(self, x, cache):
        batch, length, _ = x.shape
        qkv = op.reshape(self.qkv_proj(x), (batch, length, self.heads + 2 * self.kv_heads, self.head_dim))
        attended = cache.attention_with_fused_qkv(self.number, qkv, self.heads, sm_scale=self.head_dim**-0.5)
        return self.o_proj(op.reshape(attended, (batch, length, self.heads * self.head_dim)))


class Feedforward(nn.Module):
    def __init__(self, c):
        self.gate_up = nn.Linear(c["hidden"], 2 * c["intermediate"], bias=False)
        self.down = nn.Linear(c["intermediate"], c["hidden"], bias=False)

    def forward(self, x):
        gate, up = op.split(self.gate_up(x), 2, axis=-1)
        return self.down(op.silu(gate) * up)


class Layer(nn.Module):
    def __init__(self, c, number):
        self.attn, self.mlp = Attention(c, number), Feedforward(c)
        self.n1 = nn.RMSNorm(c["hidden"], -1, c["eps"], bias=False)
        self.n2 = nn.RMSNorm(c["hidden"], -1, c["eps"], bias=False)

    def forward(self, x, cache):
        x = x + self.attn(self.n1(x), cache)
        return x + self.mlp(self.n2(x))


class Model(nn.Module):
    """The functions that WebLLM calls of a model, under the names that it calls them by."""

    def __init__(self, c):
        self.c, self.dtype = c, "float32"
        self.embed_tokens = nn.Embedding(c["vocab"], c["hidden"])
        self.layers = nn.ModuleList([Layer(c, number) for number in range(c["layers"])])
        self.norm = nn.RMSNorm(c["hidden"], -1, c["eps"], bias=False)

    def embed(self, input_ids):
        return self.embed_tokens(input_ids)

    def _states(self, x, cache):
        for layer in self.layers:
            x = layer(x, cache)
        return self.norm(x)

    def _logits(self, states):
        return op.matmul(states, op.permute_dims(self.embed_tokens.weight))

    def prefill(self, input_embed, paged_kv_cache):
        def last(x):
            return te.compute((x.shape[0], 1, x.shape[2]), lambda i, _, k: x[i, x.shape[1] - 1, k], name="last")

        states = op.tensor_expr_op(last, "last", [self._states(input_embed, paged_kv_cache)])
        return self._logits(states), paged_kv_cache

    def decode(self, input_embed, paged_kv_cache):
        return self._logits(self._states(input_embed, paged_kv_cache)), paged_kv_cache

    def softmax_with_temperature(self, logits, temperature):
        return op.softmax(logits / op.reshape(temperature, (temperature.shape[0], 1, 1)), axis=-1)

    def create_tir_paged_kv_cache(
        self, max_batch_size, max_total_seq_len, prefill_chunk_size, page_size, support_sliding_window
    ):
        c = self.c
        return TIRPagedKVCache(
            attn_kind="mha",
            max_batch_size=max_batch_size,
            max_total_seq_len=max_total_seq_len,
            prefill_chunk_size=prefill_chunk_size,
            page_size=page_size,
            support_sliding_window=support_sliding_window,
            layer_partition=relax.ShapeExpr([0, c["layers"]]),
            num_hidden_layers=c["layers"],
            num_attention_heads=c["heads"],
            num_key_value_heads=c["kv_heads"],
            qk_head_dim=c["head_dim"],
            v_head_dim=c["head_dim"],
            mla_original_qk_head_dim=0,
            mla_original_v_head_dim=0,
            rope_mode=RopeMode.NORMAL,
            rope_scale=1,
            rope_theta=c["rope_theta"],
            rope_scaling={},
            rope_ext_factors=relax.prim_value(0),
            rotary_dim=c["head_dim"],
            enable_disaggregation=False,
            dtype="float32",
            target=tvm.target.Target.current(allow_none=False),
        )

    def spec(self):
        c = self.c
        packed = {"param_mode": "packed", "effect_mode": "none"}
        plain = {"param_mode": "none", "effect_mode": "none"}
        cache = nn.spec.Object(object_type=PagedKVCache)
        sizes = ("max_batch_size", "max_total_seq_len", "prefill_chunk_size", "page_size", "support_sliding_window")
        functions = {
            "embed": {"input_ids": nn.spec.Tensor(["seq_len"], "int32"), "$": packed},
            "prefill": {
                "input_embed": nn.spec.Tensor([1, "seq_len", c["hidden"]], "float32"),
                "paged_kv_cache": cache,
                "$": packed,
            },
            "decode": {
                "input_embed": nn.spec.Tensor([1, 1, c["hidden"]], "float32"),
                "paged_kv_cache": cache,
                "$": packed,
            },
            "softmax_with_temperature": {
                "logits": nn.spec.Tensor([1, 1, c["vocab"]], "float32"),
                "temperature": nn.spec.Tensor([1], "float32"),
                "$": plain,
            },
            "create_tir_paged_kv_cache": {**dict.fromkeys(sizes, int), "$": plain},
        }
        return nn.spec.ModuleSpec.from_raw(functions, self)


def metadata(c, parameters):
    """What WebLLM asks the executable about itself."""
    return {
        "model_type": "llama",
        "quantization": "q0f32",
        "context_window_size": c["context"],
        "sliding_window_size": -1,
        "attention_sink_size": -1,
        "prefill_chunk_size": c["prefill_chunk"],
        "tensor_parallel_shards": 1,
        "pipeline_parallel_stages": 1,
        "kv_state_kind": "kv_cache",
        "memory_usage": {},
        "params": [{**one, "preprocs": [], "param_names": []} for one in parameters],
    }


def main(out: Path) -> None:
    c = json.loads((HERE / "config.json").read_text())
    target = tvm.target.Target(
        {"kind": "webgpu", "max_num_threads": 256},
        host={"kind": "llvm", "mtriple": "wasm32-unknown-unknown-wasm"},
    )
    model = Model(c)
    model.to("float32")
    with target:
        module, named = model.export_tvm(spec=model.spec())
    parameters = [
        {"name": name, "shape": [int(size) for size in value.shape], "dtype": str(value.dtype)} for name, value in named
    ]
    for variable, function in sampling_functions(c["vocab"]).functions.items():
        module[variable] = function
    builder = relax.BlockBuilder(module)
    with builder.function("_metadata", params=[]):
        builder.emit_func_output(tvm.ir.StringImm(json.dumps(metadata(c, parameters))))
    module = builder.finalize()

    @tvm.transform.module_pass(opt_level=0)
    def pipeline(module, _):
        r = relax.transform
        passes = [
            r.FuseTransposeMatmul(),
            relax.backend.DispatchSampling(),
            relax.backend.DispatchSortScan(),
            r.LegalizeOps(),
            r.AnnotateTIROpPattern(),
            r.FoldConstant(),
            r.FuseOps(),
            r.FuseTIR(),
            r.DeadCodeElimination(),
            # The schedules for real GPUs share memory between threads, which a software adapter pays for dearly.
            dlight.ApplyDefaultSchedule(dlight.gpu.Fallback()),
            r.RewriteDataflowReshape(),
            r.ToNonDataflow(),
            r.RemovePurityChecking(),
            r.CallTIRRewrite(),
            r.StaticPlanBlockMemory(),
            r.LowerAllocTensor(),
            r.KillAfterLastUse(),
            r.LowerRuntimeBuiltin(),
            r.ComputePrimValue(),
            r.VMShapeLower(),
            r.AttachGlobalSymbol(),
        ]
        with target:
            return tvm.transform.Sequential(passes)(module)

    executable = relax.build(module, target=target, relax_pipeline=pipeline, system_lib=True)
    out.mkdir(parents=True, exist_ok=True)
    (out / "parameters.json").write_text(json.dumps(parameters))
    library = executable.mod if hasattr(executable, "mod") else executable
    library.export_library(str(out / "objects.tar"))
    with tarfile.open(out / "objects.tar") as archive:
        archive.extractall(out / "objects", filter="data")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
