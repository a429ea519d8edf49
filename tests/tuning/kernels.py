"""Kernels whose tile sizes are parameters: a GEMM, attention by online softmax, and two norms."""

import math

import cuda.tile as ct

ZERO = ct.PaddingMode.ZERO


@ct.kernel
def matmul(a, b, c, BM: ct.Constant[int], BN: ct.Constant[int], BK: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((BM, BN), ct.float32)
    for k in range(ct.num_tiles(a, 1, (BM, BK))):
        x = ct.load(a, (i, k), (BM, BK), padding_mode=ZERO)
        y = ct.load(b, (k, j), (BK, BN), padding_mode=ZERO)
        acc = ct.mma(x, y, acc)
    ct.store(c, (i, j), acc.astype(c.dtype))


@ct.kernel
def attention(q, k, v, out, scale: float, D: ct.Constant[int], BM: ct.Constant[int], BN: ct.Constant[int]):
    h, i = ct.bid(0), ct.bid(1)
    x = ct.load(q, (h, i, 0), (1, BM, D)).reshape((BM, D))
    most, total = ct.full((BM, 1), -math.inf, ct.float32), ct.zeros((BM, 1), ct.float32)
    acc = ct.zeros((BM, D), ct.float32)
    for j in range(ct.num_tiles(k, 1, (1, BN, D))):
        y = ct.load(k, (h, j, 0), (1, BN, D)).reshape((BN, D))
        s = ct.mma(x, ct.transpose(y), ct.zeros((BM, BN), ct.float32)) * scale
        new = ct.maximum(most, ct.max(s, axis=1, keepdims=True))
        p, old = ct.exp2(s - new), ct.exp2(most - new)
        total = total * old + ct.sum(p, axis=1, keepdims=True)
        z = ct.load(v, (h, j, 0), (1, BN, D)).reshape((BN, D))
        acc, most = ct.mma(p.astype(z.dtype), z, acc * old), new
    ct.store(out, (h, i, 0), (acc / total).astype(out.dtype).reshape((1, BM, D)))


@ct.kernel
def rms_norm(x, w, y, n: int, eps: float, B: ct.Constant[int]):
    i, tiles = ct.bid(0), ct.num_tiles(x, 1, (1, B))
    squares = ct.zeros((1, B), ct.float32)
    for j in range(tiles):
        v = ct.load(x, (i, j), (1, B), padding_mode=ZERO).astype(ct.float32)
        squares = squares + v * v
    r = ct.rsqrt(ct.sum(squares, axis=1, keepdims=True) / n + eps)
    for j in range(tiles):
        v = ct.load(x, (i, j), (1, B), padding_mode=ZERO).astype(ct.float32)
        g = ct.load(w, (j,), (B,), padding_mode=ZERO).astype(ct.float32)
        ct.store(y, (i, j), (v * r * g).astype(y.dtype))


@ct.kernel
def layer_norm(x, w, b, y, n: int, eps: float, B: ct.Constant[int]):
    i, tiles = ct.bid(0), ct.num_tiles(x, 1, (1, B))
    sums, squares = ct.zeros((1, B), ct.float32), ct.zeros((1, B), ct.float32)
    for j in range(tiles):
        v = ct.load(x, (i, j), (1, B), padding_mode=ZERO).astype(ct.float32)
        sums, squares = sums + v, squares + v * v
    mean = ct.sum(sums, axis=1, keepdims=True) / n
    r = ct.rsqrt(ct.sum(squares, axis=1, keepdims=True) / n - mean * mean + eps)
    for j in range(tiles):
        v = ct.load(x, (i, j), (1, B), padding_mode=ZERO).astype(ct.float32)
        g = ct.load(w, (j,), (B,), padding_mode=ZERO).astype(ct.float32)
        h = ct.load(b, (j,), (B,), padding_mode=ZERO).astype(ct.float32)
        ct.store(y, (i, j), ((v - mean) * r * g + h).astype(y.dtype))
