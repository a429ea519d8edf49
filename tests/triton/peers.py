"""Kernels that this project compiles as well, from peers/NAME.mlir: the same problem, tiles and arguments in the same order.

Host descriptors stand beside our tensor maps that are parameters, so that nobody makes maps in the kernel. What both have
to compute is stated here, once. Extents are small for an emulator, and large enough that loops are longer than their rings.
"""

import numpy as np
import triton
import triton.language as tl

from cases import Buffer, Const, Descriptor, case, out

GPUS = ("sm_90", "sm_100", "sm_120")


def matrices(m, n, k):
    a, b = np.random.randn(m, k).astype(np.float16), np.random.randn(k, n).astype(np.float16)
    want = (a.astype(np.float64) @ b.astype(np.float64)).astype(np.float16)
    return Buffer(a), Buffer(b), out(want, rtol=1e-3, atol=4e-3)


@triton.jit
def peer_matmul_kernel(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm, rn = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    pa, pb = a + rm[:, None] * K + rk[None, :], b + rk[:, None] * N + rn[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(tl.load(pa), tl.load(pb), acc)
        pa += BK
        pb += BK * N
    tl.store(c + rm[:, None] * N + rn[None, :], acc.to(tl.float16))


@triton.jit
def peer_matmul_tma_kernel(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pm, pn = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(a.load([pm, k]), b.load([k, pn]), acc)
    c.store([pm, pn], acc.to(tl.float16))


@triton.jit
def peer_matmul_roles_kernel(pa, pb, pc, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Makes its descriptors: Triton 3.9 splits the tile over two warpgroups on sm_90, and fails where descriptors are the host's."""
    a = tl.make_tensor_descriptor(pa, [M, K], [K, 1], [BM, BK])
    b = tl.make_tensor_descriptor(pb, [K, N], [N, 1], [BK, BN])
    c = tl.make_tensor_descriptor(pc, [M, N], [N, 1], [BM, BN])
    pm, pn = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in tl.range(0, K, BK, warp_specialize=True):
        acc = tl.dot(a.load([pm, k]), b.load([k, pn]), acc)
    c.store([pm, pn], acc.to(tl.float16))


@triton.jit
def peer_matmul_persistent_kernel(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    columns = tl.cdiv(N, BN)
    for tile in tl.range(tl.program_id(0), tl.cdiv(M, BM) * columns, tl.num_programs(0), flatten=True):
        pm, pn = tile // columns * BM, tile % columns * BN
        acc = tl.zeros((BM, BN), tl.float32)
        for k in range(0, K, BK):
            acc = tl.dot(a.load([pm, k]), b.load([k, pn]), acc)
        c.store([pm, pn], acc.to(tl.float16))


M, N, K = 256, 256, 512
TILE = dict(BM=Const(128), BN=Const(128), BK=Const(64))


def described(m, n, k):
    a, b, c = matrices(m, n, k)
    return dict(a=Descriptor(a, (128, 64)), b=Descriptor(b, (64, 128)), c=Descriptor(c, (128, 128)), M=m, N=n, K=k, **TILE)


@case(targets=GPUS, peer="matmul", num_warps=4, num_stages=3)
def peer_matmul_pointers():
    a, b, c = matrices(M, N, K)
    return peer_matmul_kernel, (M // 128, N // 128), dict(a=a, b=b, c=c, M=M, N=N, K=K, **TILE)


@case(targets=GPUS, peer="matmul", num_warps=4, num_stages=3)
def peer_matmul_tma():
    return peer_matmul_tma_kernel, (M // 128, N // 128), described(M, N, K)


@case(targets=("sm_90", "sm_100"), peer="matmul", num_warps=4, num_stages=3)
def peer_matmul_roles():
    a, b, c = matrices(M, N, K)
    return peer_matmul_roles_kernel, (M // 128, N // 128), dict(pa=a, pb=b, pc=c, M=M, N=N, K=K, **TILE)


@case(targets=GPUS, peer="matmul_persistent", num_warps=4, num_stages=3)
def peer_matmul_persistent():
    return peer_matmul_persistent_kernel, (2,), described(384, 256, 256)


@triton.jit
def peer_attention_kernel(q, k, v, o, ROWS, T, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    start, base = tl.program_id(0) * BM, tl.program_id(1) * T
    query = q.load([base + start, 0])
    top = tl.full((BM,), float("-inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for n in range(0, T, BN):
        s = tl.dot(query, k.load([base + n, 0]).T)
        new = tl.maximum(top, tl.max(s, 1) * scale)
        p = tl.exp2(s * scale - new[:, None])
        fade = tl.exp2(top - new)
        total = total * fade + tl.sum(p, 1)
        acc = tl.dot(p.to(tl.float16), v.load([base + n, 0]), acc * fade[:, None])
        top = new
    o.store([base + start, 0], (acc / total[:, None]).to(tl.float16))


def attention_of(q, k, v, scale):
    s = q.astype(np.float64) @ k.astype(np.float64).transpose(0, 2, 1) * scale
    p = np.exp2(s - s.max(axis=-1, keepdims=True))
    return (p / p.sum(axis=-1, keepdims=True) @ v.astype(np.float64)).astype(np.float16)


@case(targets=GPUS, peer="attention", num_warps=8, num_stages=3)
def peer_attention():
    """Two heads of all ROWS; `scale` is for powers of two."""
    heads, t, d, bm, bn = 2, 256, 128, 128, 64
    q, k, v = np.random.randn(3, heads, t, d).astype(np.float16)
    scale = float(np.float32(d**-0.5 * 1.4426950408889634))

    def rows(x):
        return x.reshape(heads * t, d)

    return peer_attention_kernel, (t // bm, heads), dict(
        q=Descriptor(Buffer(rows(q)), (bm, d)), k=Descriptor(Buffer(rows(k)), (bn, d)), v=Descriptor(Buffer(rows(v)), (bn, d)),
        o=Descriptor(out(rows(attention_of(q, k, v, scale)), rtol=4e-3, atol=2e-3), (bm, d)), ROWS=heads * t, T=t, scale=scale,
        BM=Const(bm), BN=Const(bn), D=Const(d))


@triton.jit
def peer_softmax_kernel(x, o, cols, B: tl.constexpr):
    at = tl.program_id(0) * cols + tl.arange(0, B)
    v = tl.load(x + at).to(tl.float32)
    e = tl.exp2((v - tl.max(v, axis=0)) * 1.4426950408889634)
    tl.store(o + at, (e / tl.sum(e, axis=0)).to(tl.float16))


@case(targets=GPUS, peer="softmax", num_warps=4)
def peer_softmax():
    rows, cols = 8, 2048
    x = (np.random.randn(rows, cols) * 4).astype(np.float16)
    e = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    want = (e / e.sum(axis=1, keepdims=True)).astype(np.float16)
    return peer_softmax_kernel, (rows,), dict(x=Buffer(x), o=out(want, rtol=1e-3, atol=1e-7), cols=cols, B=Const(cols))


@triton.jit
def peer_layer_norm_kernel(x, w, b, o, cols, eps, B: tl.constexpr):
    i = tl.arange(0, B)
    at = tl.program_id(0) * cols + i
    v = tl.load(x + at).to(tl.float32)
    d = v - tl.sum(v, axis=0) / B
    r = tl.rsqrt(tl.sum(d * d, axis=0) / B + eps)
    tl.store(o + at, (d * r * tl.load(w + i).to(tl.float32) + tl.load(b + i).to(tl.float32)).to(tl.float16))


@case(targets=GPUS, peer="layer_norm", num_warps=4)
def peer_layer_norm():
    rows, cols, eps = 8, 2048, 1e-5
    x = (np.random.randn(rows, cols) * 3 + 1).astype(np.float16)
    w, b = np.random.randn(2, cols).astype(np.float16)
    v = x.astype(np.float64)
    y = (v - v.mean(axis=1, keepdims=True)) / np.sqrt(v.var(axis=1, keepdims=True) + eps) * w + b
    return peer_layer_norm_kernel, (rows,), dict(
        x=Buffer(x), w=Buffer(w), b=Buffer(b), o=out(y.astype(np.float16), rtol=1e-3, atol=2e-3), cols=cols, eps=eps, B=Const(cols))
