"""The kernels of measure_checks.py in Triton, for Triton's interpreter, which needs PyTorch."""

import os

os.environ["TRITON_INTERPRET"] = "1"

import torch  # noqa: E402
import triton  # noqa: E402
import triton.language as tl  # noqa: E402


@triton.jit
def _add(a, b, c, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(c + i, tl.load(a + i) + tl.load(b + i))


@triton.jit
def _gelu(x, y, size, ROWS: tl.constexpr, COLS: tl.constexpr):
    at = (tl.program_id(0) * ROWS + tl.arange(0, ROWS))[:, None] * size + (tl.program_id(1) * COLS + tl.arange(0, COLS))[None, :]
    t = tl.load(x + at)
    e = tl.exp(2 * 0.7978845608 * (t + 0.044715 * t * t * t))  # tl has no tanh
    tl.store(y + at, 0.5 * t * (1.0 + (1 - 2 / (e + 1))))


@triton.jit
def _transpose(x, y, size, N: tl.constexpr):
    i, j = tl.program_id(0) * N + tl.arange(0, N), tl.program_id(1) * N + tl.arange(0, N)
    tl.store(y + j[:, None] * size + i[None, :], tl.trans(tl.load(x + i[:, None] + j[None, :] * size)))


@triton.jit
def _softmax(x, y, COLS: tl.constexpr):
    at = tl.program_id(0) * COLS + tl.arange(0, COLS)
    t = tl.load(x + at)
    e = tl.exp(t - tl.max(t, axis=0))
    tl.store(y + at, e / tl.sum(e, axis=0))


@triton.jit
def _layer_norm(x, w, b, y, COLS: tl.constexpr):
    i = tl.arange(0, COLS)
    at = tl.program_id(0) * COLS + i
    t = tl.load(x + at)
    d = t - tl.sum(t, axis=0) / COLS
    var = tl.sum(d * d, axis=0) / COLS
    tl.store(y + at, d * tl.rsqrt(var + 1e-5) * tl.load(w + i) + tl.load(b + i))


@triton.jit
def _matmul(a, b, c, size, TM: tl.constexpr, TN: tl.constexpr, TK: tl.constexpr):
    i, j = tl.program_id(0) * TM + tl.arange(0, TM), tl.program_id(1) * TN + tl.arange(0, TN)
    acc = tl.zeros((TM, TN), dtype=tl.float32)
    for k in range(0, size, TK):
        at = k + tl.arange(0, TK)
        acc = tl.dot(tl.load(a + i[:, None] * size + at[None, :]), tl.load(b + at[:, None] * size + j[None, :]), acc)
    tl.store(c + i[:, None] * size + j[None, :], acc.to(c.dtype.element_ty))


@triton.jit
def _attention(q, k, v, out, tokens, TM: tl.constexpr, TN: tl.constexpr, D: tl.constexpr):
    head = tl.program_id(1) * tokens * D
    i, d = tl.program_id(0) * TM + tl.arange(0, TM), tl.arange(0, D)
    rows = tl.load(q + head + i[:, None] * D + d[None, :])
    acc = tl.zeros((TM, D), dtype=tl.float32)
    top = tl.full((TM,), -1e30, dtype=tl.float32)
    total = tl.zeros((TM,), dtype=tl.float32)
    for from_ in range(0, tokens, TN):
        j = from_ + tl.arange(0, TN)
        s = tl.dot(rows, tl.trans(tl.load(k + head + j[:, None] * D + d[None, :]))) * 0.125
        now = tl.maximum(top, tl.max(s, axis=1))
        p = tl.exp(s - now[:, None])
        shrink = tl.exp(top - now)
        total = total * shrink + tl.sum(p, axis=1)
        acc = tl.dot(p.to(tl.float16), tl.load(v + head + j[:, None] * D + d[None, :]), acc * shrink[:, None])
        top = now
    tl.store(out + head + i[:, None] * D + d[None, :], (acc / total[:, None]).to(tl.float16))


@triton.jit
def _gather(x, index, y, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(y + i, tl.load(x + tl.load(index + i)))


def launch(name, args):
    """Returns what launches a kernel of measure_checks on NumPy arrays, which it shares, or None."""
    arrays = [torch.from_numpy(a) for a in args if hasattr(a, "dtype")]
    n = 1024
    grid, kernel, more = {
        "add": ((n,), _add, (n,)), "gelu": ((n // 32, n // 32), _gelu, (n, 32, 32)), "transpose": ((n // 64, n // 64), _transpose, (n, 64)),
        "softmax": ((n,), _softmax, (n,)), "layer_norm": ((n,), _layer_norm, (n,)), "matmul": ((n // 128, n // 128), _matmul, (n, 128, 128, 64)),
        "matmul of f32": ((n // 128, n // 128), _matmul, (n, 128, 128, 64)), "attention": ((512 // 64, 4), _attention, (512, 64, 64, 64)),
        "gather rows": ((n,), _gather, (n,)), "gather at random": ((n,), _gather, (n,)),
    }[name]
    return lambda: kernel[grid](*arrays, *more)
