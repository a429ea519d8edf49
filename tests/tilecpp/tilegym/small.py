"""Small instances with a launch each: elementwise kernels, norms and products. attend.py has attention, blocks.py states and experts."""
import numpy as np

import attend
import blocks
from kernel import Random, f, value

i32, f32 = np.int32, np.float32


def kernels():
    for part in (softmaxes, activations, gates, norms, ropes, products, attend.kernels, blocks.kernels):
        yield from part()


def softmax(x):
    e = np.exp(f(x) - f(x).max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def softmaxes():
    for t in ("f16", "f32"):
        r = Random("softmax" + t)
        x, dy = r(t, 5, 100), r(t, 5, 100)
        y = softmax(x).astype(x.dtype)
        dx = f(y) * (f(dy) - (f(y) * f(dy)).sum(-1, keepdims=True))
        zero = np.zeros_like(x)
        forward = "T*, const T*, int, int, int"
        backward = "T*, const T*, const T*, int, int, int, int"
        strides = [i32(100), i32(100)]
        yield value("softmax", t, "softmax.cuh", "softmax_kernel", [128], forward + ", int, int", [2], [zero, x, *strides, i32(5), i32(100), i32(2)], {0: softmax(x)})
        yield value("online_softmax", t, "softmax.cuh", "online_softmax_kernel", [32], forward, [5], [zero, x, *strides, i32(100)], {0: softmax(x)})
        rest = [[5], [zero, y, dy, *strides, i32(100), i32(100)], {0: dx}]
        yield value("softmax_backward", t, "softmax.cuh", "softmax_kernel_backward", [128], backward, *rest)
        yield value("online_softmax_backward", t, "softmax.cuh", "online_softmax_kernel_backward", [32], backward, *rest)


def sigmoid(x):
    return 1 / (1 + np.exp(-f(x)))


def cdf(x):
    return 0.5 * (1 + np.tanh(0.7978845608028654 * (f(x) + 0.044715 * f(x) ** 3)))


def gelu_slope(x):
    return cdf(x) + f(x) * 0.3989422804014327 * np.exp(-0.5 * f(x) ** 2)


def activations():
    n = 200
    for t in ("f16", "f32"):
        r = Random("activation" + t)
        x, dy, zero = r(t, n), r(t, n), np.zeros_like(r(t, n))
        one, two = "const T*, T*, int", "const T*, const T*, T*, int"
        for op in (0, 1):
            yield value(f"gelu_{op}", t, "activation/gelu.cuh", "gelu_fwd_kernel", [64, op], one, [4], [x, zero, i32(n)], {1: f(x) * cdf(x)})
        yield value("gelu_backward", t, "activation/gelu.cuh", "gelu_bwd_kernel", [64, 0], two, [4], [dy, x, zero, i32(n)], {2: f(dy) * gelu_slope(x)})
        a = 0.5
        forward = [np.maximum(x, 0), np.where(x > 0, x, a * np.expm1(f(x))), np.where(x > 0, x, a * f(x)),
                   1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(f(x))), np.where(x > 0, x, a * np.expm1(f(x) / a)), np.where(x > 0, x, 0.25 * f(x))]
        slopes = [x > 0, np.where(x > 0, 1, a * np.exp(f(x))), np.where(x > 0, 1, a), 1.0507009873554805 * np.where(x > 0, 1, 1.6732632423543772 * np.exp(f(x))),
                  np.where(x > 0, 1, np.exp(f(x) / a)), np.where(x > 0, 1, 0.25)]
        scalars = [i32(n), f32(a), f32(0.125), f32(0.375), np.bool_(True)]
        for op in range(6):
            yield value(f"relu_{op}", t, "activation/relu.cuh", "relu_activation_fwd_kernel", [64, op], one + ", float, float, float, bool", [4], [x, zero, *scalars], {1: forward[op]})
            yield value(f"relu_backward_{op}", t, "activation/relu.cuh", "relu_activation_bwd_kernel", [64, op], two + ", float, float, float, bool", [4], [dy, x, zero, *scalars], {2: f(dy) * slopes[op]})
        rows, cols = 5, 40
        g, dg = r(t, rows, 2 * cols), r(t, rows, cols)
        left, right = f(g[:, :cols]), f(g[:, cols:])
        gate = right * cdf(right)
        shape = [i32(cols), i32(2 * cols), i32(cols), i32(rows * cols)]
        both = np.concatenate([f(dg) * gate, f(dg) * left * gelu_slope(right)], 1)
        for approximate in (0, 1):
            yield value(f"geglu_{approximate}", t, "activation/geglu.cuh", "geglu_fwd_kernel", [64, approximate], "const T*, T*, int, int, int, int", [4], [g, np.zeros_like(dg), *shape], {1: left * gate})
        yield value("geglu_backward", t, "activation/geglu.cuh", "geglu_bwd_kernel", [64, 0], "T*, const T*, const T*, int, int, int, int", [4], [np.zeros_like(g), dg, g, *shape], {0: both})
        offsets = np.arange(n, dtype=np.uint32)
        h = offsets * np.uint32(1103515245) + np.uint32(42)
        h ^= h >> np.uint32(16)
        h ^= h << np.uint32(8)
        h ^= h >> np.uint32(4)
        keep = (h & np.uint32(0x7FFFFFFF)).astype(f32) / f32(2147483647) > f32(0.3)
        yield value("dropout", t, "dropout.cuh", "seeded_dropout_kernel", [64], "const T*, T*, float, uint64_t, int", [4], [x, zero, f32(0.3), np.int64(42), i32(n)], {1: np.where(keep, f(x) / 0.7, 0)})


def gates():
    rows, cols = 4, 100
    for t in ("f16", "bf16", "f32"):
        r = Random("gates" + t)
        a, b, d, zero = r(t, rows, cols), r(t, rows, cols), r(t, rows, cols), np.zeros_like(r(t, rows, cols))
        silu = f(a) * sigmoid(a)
        rounded = f(silu.astype(a.dtype)) * f(b)
        da = f(d) * (silu * (1 - sigmoid(a)) + sigmoid(a)) * f(b)
        yield value("swiglu", t, "swiglu.cuh", "swiglu_forward_kernel_gather", [128], "const T*, const T*, T*, int, int", [rows], [a, b, zero, i32(cols), i32(cols)], {2: rounded})
        yield value("swiglu_backward", t, "swiglu.cuh", "swiglu_backward_kernel", [128], "const T*, const T*, const T*, T*, T*, int, int", [rows], [d, a, b, zero, zero, i32(cols), i32(cols)], {3: da, 4: f(d) * silu})
        a2, b2 = a[:, :64].copy(), b[:, :64].copy()
        yield value("swiglu_view", t, "swiglu.cuh", "swiglu_forward_kernel_pv", [rows, 64, 32], "T*, T*, T*", [rows, 2], [a2, b2, np.zeros_like(a2)], {2: rounded[:, :64]})
        both = np.concatenate([a, b], 1)
        product = silu * f(b)
        yield value("silu_and_mul", t, "silu_and_mul.cuh", "silu_and_mul_kernel", [128], "const T*, T*, int, int", [rows], [both, zero, i32(2 * cols), i32(cols)], {1: product})
        yield value("silu_and_mul_rows", t, "silu_and_mul.cuh", "silu_and_mul_kernel_row_wise", [2 * cols, cols, 128, 2 * cols, cols], "T*, T*", [rows], [both, zero], {1: product})
        even = np.concatenate([a2, b2], 1)
        yield value("silu_and_mul_rows_even", t, "silu_and_mul.cuh", "silu_and_mul_kernel_row_wise", [128, 64, 64, 128, 64], "T*, T*", [rows], [even, np.zeros_like(a2)], {1: product[:, :64]})
        want = np.concatenate([da, f(d) * silu], 1)
        yield value("silu_and_mul_backward", t, "silu_and_mul.cuh", "silu_and_mul_backward_kernel", [128], "const T*, const T*, T*, int, int", [rows], [d, both, np.zeros_like(both), i32(2 * cols), i32(cols)], {2: want})


def norms():
    # Rows are as far apart as assume_aligned asks for.
    rows, cols, eps = 6, 104, 1e-5
    for t in ("f16", "f32"):
        r = Random("norms" + t)
        x, w, b, dy, zero = r(t, rows, cols), r(t, cols), r(t, cols), r(t, rows, cols), np.zeros_like(r(t, rows, cols))
        stat = np.zeros(rows, f32)
        mean, var = f(x).mean(1), f(x).var(1)
        rstd = 1 / np.sqrt(var + eps)
        y = (f(x) - mean[:, None]) * rstd[:, None] * (f(w) + 1) + f(b)
        yield value("layer_norm", t, "layer_norm_legacy.cuh", "layer_norm_fwd_fused_kernel", [t, t, cols, 64], "T*, T*, const T*, const T*, float*, float*, float, float", [rows],
                    [x, zero, w, b, stat, stat, f32(eps), f32(1)], {1: y, 4: mean, 5: rstd})
        x2, w2, b2, z2 = x[:, :64].copy(), w[:64].copy(), b[:64].copy(), zero[:, :64].copy()
        mean, var = f(x2).mean(1), f(x2).var(1)
        rstd = 1 / np.sqrt(var + eps)
        y = (f(x2) - mean[:, None]) * rstd[:, None] * f(w2) + f(b2)
        for swish in (False, True):
            yield value(f"persistent_layer_norm_{int(swish)}", t, "persistent_layer_norm.cuh", "persistent_layer_norm_fwd_kernel", [t, t, 2, 64, swish, True, True, rows, 64, 2, "1e-5f"],
                        "const T*, T*, const T*, const T*, float*, float*", [2], [x2, z2, w2, b2, stat, stat], {1: sigmoid(y) * f(x2) if swish else y, 4: mean, 5: rstd})
        rms = 1 / np.sqrt((f(x) ** 2).mean(1) + eps)
        y = f(x) * rms[:, None] * (f(w) + 1)
        args = ["const T*, const T*, T*, float*, int", [rows], [x, w, zero, stat, i32(cols)], {2: y, 3: rms}]
        yield value("rms_norm", t, "rms_norm.cuh", "rms_norm_kernel", [t, 64, cols, "1e-5f", "1.0f"], *args)
        yield value("rms_norm_cached", t, "rms_norm.cuh", "rms_norm_multi_wave_cached_kernel", [t, 128, cols, "1e-5f", "1.0f"], *args)
        rms2 = 1 / np.sqrt((f(x2) ** 2).mean(1) + eps)
        y = f(x2) * rms2[:, None] * f(w2)
        yield value("rms_norm_even", t, "rms_norm.cuh", "rms_norm_kernel", [t, 32, 64, "1e-5f", "0.0f"], "const T*, const T*, T*, float*, int", [rows], [x2, w2, z2, stat, i32(64)], {2: y, 3: rms2})
        yield value("rms_norm_view", t, "rms_norm.cuh", "rms_norm_kernel_pv", [t, rows, 64, 64], "const T*, const T*, T*, float*, float", [rows], [x2, w2, z2, stat, f32(eps)], {2: y, 3: rms2})
        yield value("rms_norm_persistent", t, "rms_norm.cuh", "rms_norm_static_persistent_kernel", [t, 2, 128, 1, rows, cols, 2, "1e-5f", "1.0f"], "const T*, T*, const T*, float*", [2],
                    [x, zero, w, stat], {1: f(x) * rms[:, None] * (f(w) + 1), 3: rms})
        k = rms[:, None]
        dx = f(dy) * f(w) * k - f(x) * (k ** 3 / cols) * (f(dy) * f(x) * f(w)).sum(1, keepdims=True)
        yield value("rms_norm_backward", t, "rms_norm.cuh", "rms_norm_backward_dx_kernel", [t, 64], "T*, const T*, const T*, const T*, const float*, float*, int, int", [rows],
                    [zero, dy, x, w, rms.astype(f32), np.zeros((rows, cols), f32), i32(cols), i32(cols)], {0: dx, 5: f(dy) * f(x) * k})


def ropes():
    batch, qh, kh, seq, half = 2, 4, 2, 3, 16
    for t in ("bf16", "f32"):
        r = Random("rope" + t)
        q, k = r(t, batch, qh, seq, 2 * half), r(t, batch, kh, seq, 2 * half)
        cos, sin = r(t, 1, seq, 2, half), r(t, 1, seq, 2, half)

        def turned(x, sign):
            c, s, a, b = f(cos[:, None, :, 0]), sign * f(sin[:, None, :, 0]), f(x[..., :half]), f(x[..., half:])
            return np.concatenate([a * c - b * s, b * c + a * s], -1)
        for name, sign in (("rope", 1), ("rope_backward", -1)):
            yield value(name, t, "rope.cuh", name + "_kernel", [t, t, batch, qh, kh, qh, kh, half, half, 2 * half, 1, seq], "T*, T*, const T*, const T*", [batch * seq],
                        [q, k, cos, sin], {0: turned(q, sign), 1: turned(k, sign)})


def products():
    abc = "const T*, const T*, T*"
    # Products of f32 are made of tf32, except those of bmm.
    for t, tolerance in (("f16", None), ("bf16", None), ("f32", (5e-3, 2e-2))):
        r = Random("products" + t)
        for m, n, k, tile in ((64, 64, 96, 32), (50, 70, 72, 32)):
            for ta in (False, True):
                for tb in (False, True):
                    a, b = r(t, m, k), r(t, k, n)
                    args = [a.T.copy() if ta else a, b.T.copy() if tb else b, np.zeros((m, n), a.dtype)]
                    if m == 50 and (ta or tb):
                        continue
                    name = f"{m}_{'nt'[ta]}{'nt'[tb]}"
                    blocks_m, blocks_n = -(-m // tile), -(-n // tile)
                    yield value("matmul_" + name, t, "matmul.cuh", "matmul_kernel", [m, n, k, tile, tile, tile, 8, -(-k // tile), ta, tb, 1, 1], abc, [blocks_m * blocks_n], args, {2: f(a) @ f(b)}, tolerance)
                    yield value("persistent_matmul_" + name, t, "persistent_matmul.cuh", "static_persistent_matmul_kernel", [m, n, k, tile, tile, tile, 2, ta, tb, 1, 1], abc, [3], args, {2: f(a) @ f(b)}, tolerance)
        m, n, k = 40, 48, 64
        a, b = r(t, 2, m, k), r(t, 2, k, n)
        for ta, tb in ((False, False), (True, True)):
            args = [a.transpose(0, 2, 1).copy() if ta else a, b.transpose(0, 2, 1).copy() if tb else b, np.zeros((2, m, n), a.dtype)]
            own = None if t != "f32" else (1e-4, 1e-4)
            yield value("bmm_" + "nt"[ta], t, "bmm.cuh", "bmm_kernel", [32, 32, 32, 8, ta, tb], abc + ", int, int, int, int", [4, 2], [*args, i32(2), i32(m), i32(n), i32(k)], {2: f(a) @ f(b)}, own)
            yield value("bmm_persistent_" + "nt"[ta], t, "bmm.cuh", "bmm_static_persistent_kernel", [32, 32, 32, 8, ta, tb, 2, m, n, k, 1, 1], abc, [3], args, {2: f(a) @ f(b)}, own)
