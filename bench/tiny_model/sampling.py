"""The functions with which WebLLM samples a token, as WebGPU kernels.

TVM's own sort is refused by its code generation for WebGPU, so that here one work-group picks the most likely tokens in
order, and the rest keep the probability 0: a top-k.
"""

from tvm import relax, tirx
from tvm.script import relax as R
from tvm.script import tirx as T

TOP = 64
"""How many tokens can be sampled from."""


def sampling_functions(vocabulary):
    """A module with the functions, of one sequence and ``vocabulary`` tokens."""
    V = vocabulary
    WORDS = (V + 31) // 32
    THREADS = 256
    EACH = (V + THREADS - 1) // THREADS
    LAST = min(V, TOP)

    @T.prim_func(private=True, s_tir=True)
    def bias_kernel(vl: T.handle, vp: T.handle, vt: T.handle, vb: T.handle):
        T.func_attr({"tirx.is_scheduled": True, "tirx.noalias": True})
        n = T.int32()
        logits = T.match_buffer(vl, (1, V), "float32")
        rows = T.match_buffer(vp, (n,), "int32")
        tokens = T.match_buffer(vt, (n,), "int32")
        bias = T.match_buffer(vb, (n,), "float32")
        for b in T.thread_binding((n + 63) // 64, thread="blockIdx.x"):
            for t in T.thread_binding(64, thread="threadIdx.x"):
                with T.sblock("k"):
                    i = T.axis.spatial(n, b * 64 + t)
                    T.where(b * 64 + t < n)
                    logits[rows[i], tokens[i]] = logits[rows[i], tokens[i]] + bias[i]

    @T.prim_func(private=True, s_tir=True)
    def penalty_kernel(vl: T.handle, vs: T.handle, vp: T.handle, vt: T.handle, vc: T.handle, ve: T.handle):
        T.func_attr({"tirx.is_scheduled": True, "tirx.noalias": True})
        n = T.int32()
        logits = T.match_buffer(vl, (1, V), "float32")
        sequence = T.match_buffer(vs, (1,), "int32")
        rows = T.match_buffer(vp, (n,), "int32")
        tokens = T.match_buffer(vt, (n,), "int32")
        counts = T.match_buffer(vc, (n,), "int32")
        penalties = T.match_buffer(ve, (1, 3), "float32")
        for b in T.thread_binding((n + 63) // 64, thread="blockIdx.x"):
            for t in T.thread_binding(64, thread="threadIdx.x"):
                with T.sblock("k"):
                    i = T.axis.spatial(n, b * 64 + t)
                    T.where(b * 64 + t < n)
                    logits[sequence[rows[i]], tokens[i]] = logits[sequence[rows[i]], tokens[i]] - (
                        penalties[rows[i], 0] + T.cast(counts[i], "float32") * penalties[rows[i], 1]
                    )
                    logits[sequence[rows[i]], tokens[i]] = T.if_then_else(
                        logits[sequence[rows[i]], tokens[i]] < T.float32(0),
                        logits[sequence[rows[i]], tokens[i]] * penalties[rows[i], 2],
                        logits[sequence[rows[i]], tokens[i]] / penalties[rows[i], 2],
                    )

    @T.prim_func(private=True, s_tir=True)
    def mask_kernel(vl: T.handle, vs: T.handle, vm: T.handle):
        T.func_attr({"tirx.is_scheduled": True, "tirx.noalias": True})
        logits = T.match_buffer(vl, (1, V), "float32")
        sequence = T.match_buffer(vs, (1,), "int32")
        mask = T.match_buffer(vm, (1, WORDS), "int32")
        for b in T.thread_binding((V + 63) // 64, thread="blockIdx.x"):
            for t in T.thread_binding(64, thread="threadIdx.x"):
                with T.sblock("k"):
                    i = T.axis.spatial(V, b * 64 + t)
                    T.where(b * 64 + t < V)
                    logits[sequence[0], i] = T.if_then_else(
                        T.bitwise_and(T.shift_right(mask[sequence[0], i // 32], i % 32), 1) == 1,
                        logits[sequence[0], i],
                        T.float32(-3.4e38),
                    )

    @T.prim_func(private=True, s_tir=True)
    def sample_kernel(
        probabilities: T.Buffer((1, V), "float32"),
        order: T.Buffer((1, V), "int32"),
        uniform: T.Buffer((1,), "float32"),
        index: T.Buffer((1,), "int32"),
        top_p: T.Buffer((1,), "float32"),
        token: T.Buffer((1,), "int32"),
    ):
        T.func_attr({"tirx.is_scheduled": True, "tirx.noalias": True})
        for b in T.thread_binding(1, thread="blockIdx.x"):
            for t in T.thread_binding(1, thread="threadIdx.x"):
                with T.sblock("k"):
                    T.reads(probabilities[0:1, 0:V], order[0:1, 0:V], uniform[0:1], top_p[0:1])
                    T.writes(token[0:1])
                    sum = T.sblock_alloc_buffer((2,), "float32", scope="local")
                    at = T.sblock_alloc_buffer((1,), "int32", scope="local")
                    sum[0] = T.float32(0)
                    at[0] = 0
                    while T.And(at[0] < V, sum[0] < top_p[0]):
                        sum[0] = sum[0] + probabilities[0, at[0]]
                        at[0] = at[0] + 1
                    sum[0] = sum[0] * uniform[0]
                    sum[1] = probabilities[0, 0]
                    at[0] = 0
                    while T.And(at[0] < V - 1, sum[1] < sum[0]):
                        at[0] = at[0] + 1
                        sum[1] = sum[1] + probabilities[0, at[0]]
                    token[0] = order[0, at[0]]

    @T.prim_func(private=True, s_tir=True)
    def copy_kernel(
        given: T.Buffer((1, V), "float32"),
        work: T.Buffer((1, V), "float32"),
        probabilities: T.Buffer((1, V), "float32"),
        order: T.Buffer((1, V), "int32"),
    ):
        T.func_attr({"tirx.is_scheduled": True, "tirx.noalias": True})
        for b in T.thread_binding((V + 255) // 256, thread="blockIdx.x"):
            for t in T.thread_binding(256, thread="threadIdx.x"):
                with T.sblock("k"):
                    i = T.axis.spatial(V, b * 256 + t)
                    T.where(b * 256 + t < V)
                    work[0, i] = given[0, i]
                    probabilities[0, i] = T.float32(0)
                    order[0, i] = 0

    # Each thread knows the best of its own tokens; eight rounds of halving find the best of all threads.
    @T.prim_func(private=True, s_tir=True)
    def top_kernel(
        work: T.Buffer((1, V), "float32"),
        probabilities: T.Buffer((1, V), "float32"),
        order: T.Buffer((1, V), "int32"),
    ):
        T.func_attr({"tirx.is_scheduled": True, "tirx.noalias": True})
        for b in T.thread_binding(1, thread="blockIdx.x"):
            for t in T.thread_binding(THREADS, thread="threadIdx.x"):
                with T.sblock("k"):
                    me = T.axis.spatial(THREADS, t)
                    T.reads(work[0:1, 0:V])
                    T.writes(work[0:1, 0:V], probabilities[0:1, 0:V], order[0:1, 0:V])
                    values = T.sblock_alloc_buffer((THREADS,), "float32", scope="shared")
                    places = T.sblock_alloc_buffer((THREADS,), "int32", scope="shared")
                    own = T.sblock_alloc_buffer((1,), "float32", scope="local")
                    own_at = T.sblock_alloc_buffer((1,), "int32", scope="local")
                    best = T.sblock_alloc_buffer((1,), "float32", scope="local")
                    best_at = T.sblock_alloc_buffer((1,), "int32", scope="local")
                    other = T.sblock_alloc_buffer((1,), "float32", scope="local")
                    other_at = T.sblock_alloc_buffer((1,), "int32", scope="local")
                    own[0] = T.float32(-1)
                    own_at[0] = 0
                    for q in T.serial(EACH):
                        if q * THREADS + me < V:
                            if work[0, q * THREADS + me] > own[0]:
                                own[0] = work[0, q * THREADS + me]
                                own_at[0] = q * THREADS + me
                    for k in T.serial(LAST):
                        best[0] = own[0]
                        best_at[0] = own_at[0]
                        for r in T.serial(8):
                            values[me] = best[0]
                            places[me] = best_at[0]
                            T.evaluate(T.tvm_storage_sync("shared"))
                            other[0] = values[T.bitwise_and(me + T.shift_right(128, r), 255)]
                            other_at[0] = places[T.bitwise_and(me + T.shift_right(128, r), 255)]
                            T.evaluate(T.tvm_storage_sync("shared"))
                            if T.Or(other[0] > best[0], T.And(other[0] == best[0], other_at[0] < best_at[0])):
                                best[0] = other[0]
                                best_at[0] = other_at[0]
                        if T.And(best_at[0] == own_at[0], T.And(best[0] == own[0], best[0] >= T.float32(0))):
                            probabilities[0, k] = best[0]
                            order[0, k] = best_at[0]
                            work[0, best_at[0]] = T.float32(-1)
                            own[0] = T.float32(-1)
                            for q in T.serial(EACH):
                                if q * THREADS + me < V:
                                    if work[0, q * THREADS + me] > own[0]:
                                        own[0] = work[0, q * THREADS + me]
                                        own_at[0] = q * THREADS + me

    builder = relax.BlockBuilder()

    def variable(name, shape, dtype):
        return relax.Var(name, R.Tensor(shape, dtype))

    def in_place(name, kernel, arguments):
        with builder.function(name, arguments):
            function = builder.add_func(kernel, f"{name}_kernel")
            changed = builder.emit(relax.op.call_tir_inplace(function, arguments, [0], [arguments[0].ty]))
            builder.emit_func_output(changed)

    logits = ("logits", (1, V), "float32")
    n = tirx.Var("n", "int64")
    rows, tokens = ("rows", (n,), "int32"), ("tokens", (n,), "int32")
    in_place(
        "apply_logit_bias_inplace",
        bias_kernel,
        [variable(*one) for one in (logits, rows, tokens, ("bias", (n,), "float32"))],
    )
    n = tirx.Var("n", "int64")
    rows, tokens = ("rows", (n,), "int32"), ("tokens", (n,), "int32")
    sequence = ("sequence", (1,), "int32")
    counts, penalties = ("counts", (n,), "int32"), ("penalties", (1, 3), "float32")
    in_place(
        "apply_penalty_inplace",
        penalty_kernel,
        [variable(*one) for one in (logits, sequence, rows, tokens, counts, penalties)],
    )
    in_place(
        "apply_bitmask_inplace",
        mask_kernel,
        [variable(*one) for one in (logits, sequence, ("mask", (1, WORDS), "int32"))],
    )
    given = variable("probabilities", (1, V), "float32")
    with builder.function("argsort_probs", [given]):
        copy, top = builder.add_func(copy_kernel, "copy_kernel"), builder.add_func(top_kernel, "top_kernel")
        floats, ints = R.Tensor((1, V), "float32"), R.Tensor((1, V), "int32")
        made = builder.emit(relax.call_tir(copy, [given], out_ty=[floats, floats, ints]))
        parts = [builder.emit(relax.TupleGetItem(made, i)) for i in range(3)]
        builder.emit_func_output(builder.emit(relax.op.call_tir_inplace(top, parts, [1, 2], [floats, ints])))
    arguments = [
        variable("probabilities", (1, V), "float32"),
        variable("order", (1, V), "int32"),
        variable("uniform", (1,), "float32"),
        variable("index", (1,), "int32"),
        variable("top_p", (1,), "float32"),
    ]
    with builder.function("sample_with_top_p", arguments):
        function = builder.add_func(sample_kernel, "sample_kernel")
        builder.emit_func_output(builder.emit(relax.call_tir(function, arguments, out_ty=R.Tensor((1,), "int32"))))
    return builder.get()
