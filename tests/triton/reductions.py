"""Kernels whose threads combine their elements: reductions, scans, sorting, exchanges through shared memory."""

import numpy as np
import triton
import triton.language as tl

from cases import Buffer, Const, bf16, case, from_bf16, out


@triton.jit
def softmax_kernel(x, o, cols, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    m = i < cols
    v = tl.load(x + row * cols + i, mask=m, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(o + row * cols + i, e / tl.sum(e, axis=0), mask=m)


def softmax_of(x):
    e = np.exp(x.astype(np.float64) - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@case(contains=("shfl.sync.bfly", "bar.sync"))
def softmax():
    rows, cols = 7, 300
    x = (np.random.randn(rows, cols) * 4).astype(np.float32)
    return softmax_kernel, (rows,), dict(x=Buffer(x), o=out(softmax_of(x).astype(np.float32), rtol=2e-6, atol=1e-9), cols=cols, B=Const(512))


@triton.jit
def layer_norm_kernel(x, w, b, o, mean, rstd, cols, eps, B: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((B,), tl.float32)
    for at in range(0, cols, B):
        i = at + tl.arange(0, B)
        total += tl.load(x + row * cols + i, mask=i < cols, other=0.0).to(tl.float32)
    mu = tl.sum(total) / cols
    square = tl.zeros((B,), tl.float32)
    for at in range(0, cols, B):
        i = at + tl.arange(0, B)
        d = tl.where(i < cols, tl.load(x + row * cols + i, mask=i < cols, other=0.0).to(tl.float32) - mu, 0.0)
        square += d * d
    r = 1 / tl.sqrt(tl.sum(square) / cols + eps)
    tl.store(mean + row, mu)
    tl.store(rstd + row, r)
    for at in range(0, cols, B):
        i = at + tl.arange(0, B)
        m = i < cols
        v = tl.load(x + row * cols + i, mask=m).to(tl.float32)
        y = (v - mu) * r * tl.load(w + i, mask=m) + tl.load(b + i, mask=m)
        tl.store(o + row * cols + i, y.to(o.dtype.element_ty), mask=m)


@case()
def layer_norm():
    rows, cols, eps = 5, 700, 1e-5
    x = bf16(np.random.randn(rows, cols) * 3 + 1)
    w, b = np.random.randn(2, cols).astype(np.float32)
    v = from_bf16(x).astype(np.float64)
    mu, var = v.mean(axis=1), v.var(axis=1)
    rstd = 1 / np.sqrt(var + eps)
    y = (v - mu[:, None]) * rstd[:, None] * w + b
    return layer_norm_kernel, (rows,), dict(
        x=Buffer(x, dtype="bf16"), w=Buffer(w), b=Buffer(b), o=out(bf16(y), rtol=2**-7, atol=1e-5, dtype="bf16"),
        mean=out(mu.astype(np.float32), atol=1e-6), rstd=out(rstd.astype(np.float32), rtol=1e-6), cols=cols, eps=eps, B=Const(256))


@triton.jit
def row_stats_kernel(x, sums, best, where, cols, R: tl.constexpr, B: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    c = tl.arange(0, B)
    v = tl.load(x + r[:, None] * cols + c[None, :], mask=(c < cols)[None, :], other=-3.0e38)
    top, at = tl.max(v, axis=1, return_indices=True)
    tl.store(best + r, top)
    tl.store(where + r, at)
    tl.store(sums + tl.program_id(0) * B + c, tl.sum(v, axis=0), mask=c < cols)


@case()
def row_and_column_reductions():
    x = np.random.randint(-1000, 1000, (32, 50)).astype(np.float32)
    return row_stats_kernel, (2,), dict(
        x=Buffer(x), sums=Buffer(np.zeros((2, 64), np.float32), np.pad(x.reshape(2, 16, 50).sum(axis=1), ((0, 0), (0, 14)))),
        best=out(x.max(axis=1)), where=out(x.argmax(axis=1).astype(np.int32)), cols=50, R=Const(16), B=Const(64))


@triton.jit
def compose(a1, b1, a2, b2):
    return a1 * a2, b1 * a2 + b2


@triton.jit
def scan_kernel(x, a, sums, chain, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i)
    tl.store(sums + i, tl.cumsum(v, axis=0))
    _, h = tl.associative_scan((tl.load(a + i), v), axis=0, combine_fn=compose)
    tl.store(chain + i, h)


@case(contains=("shfl.sync.up",))
def scans():
    b = 512
    x = np.random.randint(-8, 9, (2, b)).astype(np.float32)
    a = np.random.choice([0.5, 1, -1], (2, b)).astype(np.float32)
    h, state = np.zeros((2, b)), np.zeros(2)
    for i in range(b):
        state = state * a[:, i] + x[:, i]
        h[:, i] = state
    return scan_kernel, (2,), dict(
        x=Buffer(x), a=Buffer(a), sums=out(np.cumsum(x, axis=1)), chain=out(h.astype(np.float32), rtol=1e-5, atol=1e-3), B=Const(b))


@triton.jit
def sort_kernel(x, o, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, tl.sort(tl.load(x + i)))


@case()
def sorting():
    x = np.random.randint(-2**31, 2**31, (2, 256)).astype(np.int32)
    return sort_kernel, (2,), dict(x=Buffer(x), o=out(np.sort(x, axis=1)), B=Const(256))


@triton.jit
def histogram_kernel(x, o, n, B: tl.constexpr, BINS: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + tl.arange(0, BINS), tl.histogram(tl.load(x + i, mask=i < n, other=0), BINS, mask=i < n))


@case(contains=("atom",))
def histogram_of_block():
    x = np.random.randint(0, 32, 900).astype(np.int32)
    want = np.bincount(x, minlength=32).astype(np.int32)
    return histogram_kernel, (1,), dict(x=Buffer(x), o=out(want), n=900, B=Const(1024), BINS=Const(32))


@triton.jit
def transpose_kernel(x, o, rows, cols, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    c = tl.program_id(1) * B + tl.arange(0, B)
    v = tl.load(x + r[:, None] * cols + c[None, :], mask=(r < rows)[:, None] & (c < cols)[None, :])
    tl.store(o + c[:, None] * rows + r[None, :], tl.trans(v), mask=(c < cols)[:, None] & (r < rows)[None, :])


@case(contains=("matrix.sync",))
def transpose():
    x = np.random.randint(-30000, 30000, (72, 100)).astype(np.int16)
    return transpose_kernel, (3, 4), dict(x=Buffer(x), o=out(x.T), rows=72, cols=100, B=Const(32))


@triton.jit
def gather_kernel(x, at, o, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R), tl.arange(0, C)
    p = r[:, None] * C + c[None, :]
    tl.store(o + p, tl.gather(tl.load(x + p), tl.load(at + p), axis=0))


@case()
def gather():
    x = np.random.randn(32, 16).astype(np.float32)
    at = np.random.randint(0, 32, (32, 16)).astype(np.int32)
    return gather_kernel, (1,), dict(x=Buffer(x), at=Buffer(at), o=out(np.take_along_axis(x, at, 0)), R=Const(32), C=Const(16))


@triton.jit
def shuffle_kernel(x, y, o, flipped, B: tl.constexpr):
    i = tl.arange(0, B)
    z = tl.interleave(tl.load(x + i), tl.load(y + i))
    tl.store(o + tl.arange(0, 2 * B), z)
    tl.store(flipped + tl.arange(0, 2 * B), tl.flip(z))


@case()
def interleave_and_flip():
    x, y = np.random.randint(0, 255, (2, 256)).astype(np.uint8)
    z = np.stack([x, y], axis=1).reshape(-1)
    return shuffle_kernel, (1,), dict(x=Buffer(x), y=Buffer(y), o=out(z), flipped=out(z[::-1]), B=Const(256))


@triton.jit
def cross_entropy_kernel(logits, labels, losses, grads, cols, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    label = tl.load(labels + row)
    top = -float("inf")
    total = 0.0
    for at in range(0, cols, B):
        i = at + tl.arange(0, B)
        v = tl.load(logits + row * cols + i, mask=i < cols, other=-float("inf"))
        new = tl.maximum(top, tl.max(v))
        total = total * tl.exp(top - new) + tl.sum(tl.exp(v - new))
        top = new
    if label >= 0:
        tl.store(losses + row, tl.log(total) + top - tl.load(logits + row * cols + label))
    else:
        tl.store(losses + row, 0.0)
    for at in range(0, cols, B):
        i = at + tl.arange(0, B)
        p = tl.exp(tl.load(logits + row * cols + i, mask=i < cols, other=0.0) - top) / total
        g = tl.where(label >= 0, p - (i == label).to(tl.float32), 0.0)
        tl.store(grads + row * cols + i, g, mask=i < cols)


@case()
def cross_entropy():
    rows, cols = 6, 530
    x = (np.random.randn(rows, cols) * 3).astype(np.float32)
    labels = np.array([5, -1, 529, 0, 100, -1], np.int32)
    p = softmax_of(x)
    hot = np.arange(cols) == labels[:, None]
    keep = (labels >= 0)[:, None]
    loss = np.where(keep[:, 0], -np.log(p[np.arange(rows), np.maximum(labels, 0)]), 0)
    return cross_entropy_kernel, (rows,), dict(
        logits=Buffer(x), labels=Buffer(labels), losses=out(loss.astype(np.float32), rtol=1e-5, atol=1e-6),
        grads=out(((p - hot) * keep).astype(np.float32), rtol=1e-5, atol=1e-7), cols=cols, B=Const(256))


@case(targets=("sm_90", "sm_100"), contains=("barrier.cluster", "mapa"), num_ctas=2)
def softmax_in_cluster():
    rows, cols = 3, 1000
    x = (np.random.randn(rows, cols) * 4).astype(np.float32)
    return softmax_kernel, (rows,), dict(x=Buffer(x), o=out(softmax_of(x).astype(np.float32), rtol=2e-6, atol=1e-9), cols=cols, B=Const(1024))
