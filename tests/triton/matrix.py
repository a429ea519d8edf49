"""Kernels around tl.dot.

For sm_80 Triton multiplies with mma.sync. For sm_90 blocks of 64 rows or more take wgmma, for sm_100 tcgen05; smaller ones
take mma.sync. For both, descriptors take the TMEM accelerator.
"""

import numpy as np
import triton
import triton.language as tl

from cases import Buffer, Const, Descriptor, bf16, case, e4m3_values, from_bf16, out, tf32

MMA = {"sm_80": ("mma.sync",), "sm_90": ("wgmma.mma_async",), "sm_100": ("tcgen05.mma",)}


@triton.jit
def matmul_kernel(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr, PRECISION: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), ACC)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        av = tl.load(a + rm[:, None] * K + rk[None, :], mask=(rm < M)[:, None] & (rk < K)[None, :], other=0.0)
        bv = tl.load(b + rk[:, None] * N + rn[None, :], mask=(rk < K)[:, None] & (rn < N)[None, :], other=0.0)
        acc = tl.dot(av, bv, acc, input_precision=PRECISION, out_dtype=ACC)
    tl.store(c + rm[:, None] * N + rn[None, :], acc.to(c.dtype.element_ty), mask=(rm < M)[:, None] & (rn < N)[None, :])


def matmul(target, a, b, c, acc=tl.float32, precision="tf32", block=(64, 64, 32)):
    m, k = a.data.shape
    n = b.data.shape[1]
    bm, bn, bk = block
    return matmul_kernel, (-(-m // bm), -(-n // bn)), dict(
        a=a, b=b, c=c, M=m, N=n, K=k, BM=Const(bm), BN=Const(bn), BK=Const(bk), ACC=Const(acc), PRECISION=Const(precision))


@case(contains=MMA)
def matmul_f16(target):
    a, b = np.random.randn(128, 96).astype(np.float16), np.random.randn(96, 64).astype(np.float16)
    want = a.astype(np.float64) @ b.astype(np.float64)
    return matmul(target, Buffer(a), Buffer(b), out(want.astype(np.float32), rtol=1e-5, atol=2e-5))


@case(contains=MMA)
def matmul_f16_tails(target):
    a, b = np.random.randn(100, 72).astype(np.float16), np.random.randn(72, 88).astype(np.float16)
    want = a.astype(np.float64) @ b.astype(np.float64)
    return matmul(target, Buffer(a), Buffer(b), out(want.astype(np.float16), rtol=1e-3, atol=1e-3))


@case(contains=MMA, num_warps=8)
def matmul_bf16(target):
    a, b = bf16(np.random.randn(128, 64)), bf16(np.random.randn(64, 128))
    want = from_bf16(a).astype(np.float64) @ from_bf16(b)
    return matmul(target, Buffer(a, dtype="bf16"), Buffer(b, dtype="bf16"), out(want.astype(np.float32), rtol=1e-5, atol=2e-5),
                  block=(128, 128, 64))


@case(contains=MMA)
def matmul_tf32(target):
    a, b = tf32(np.random.randn(64, 64)), tf32(np.random.randn(64, 64))
    want = a.astype(np.float64) @ b
    return matmul(target, Buffer(a), Buffer(b), out(want.astype(np.float32), rtol=1e-5, atol=2e-5))


@case()
def matmul_f32_three_tf32(target):
    """Each operand is split in two, so that three products give almost the precision of binary32."""
    a, b = np.random.randn(64, 32).astype(np.float32), np.random.randn(32, 64).astype(np.float32)
    want = a.astype(np.float64) @ b
    return matmul(target, Buffer(a), Buffer(b), out(want.astype(np.float32), rtol=1e-5, atol=2e-5), precision="tf32x3")


@case(contains=("fma.rn.f32",))
def matmul_f32_scalar(target):
    a, b = np.random.randn(32, 32).astype(np.float32), np.random.randn(32, 32).astype(np.float32)
    want = a.astype(np.float64) @ b
    return matmul(target, Buffer(a), Buffer(b), out(want.astype(np.float32), rtol=1e-5, atol=2e-5), precision="ieee", block=(32, 32, 32))


@case(contains=MMA)
def matmul_s8(target):
    a, b = np.random.randint(-128, 128, (64, 128)).astype(np.int8), np.random.randint(-128, 128, (128, 64)).astype(np.int8)
    want = a.astype(np.int32) @ b.astype(np.int32)
    return matmul(target, Buffer(a), Buffer(b), out(want), acc=tl.int32, block=(64, 64, 64))


@case(targets=("sm_90", "sm_100"), contains=MMA)
def matmul_e4m3(target):
    a, b = (np.random.randint(0, 0x50, shape) + 128 * np.random.randint(0, 2, shape) for shape in ((64, 128), (128, 64)))
    a, b = a.astype(np.uint8), b.astype(np.uint8)
    want = e4m3_values()[a] @ e4m3_values()[b]
    return matmul(target, Buffer(a, dtype="f8e4m3"), Buffer(b, dtype="f8e4m3"), out(want.astype(np.float32), rtol=1e-4, atol=1e-3),
                  block=(64, 64, 64))


@case(contains=("mma.sync.aligned.m8n8k4",))
def matmul_f64(target):
    a, b = np.random.randn(32, 32), np.random.randn(32, 32)
    return matmul(target, Buffer(a), Buffer(b), out(a @ b, rtol=1e-12, atol=1e-12), acc=tl.float64, precision="ieee",
                  block=(32, 32, 32))


@triton.jit
def linear_kernel(x, w, bias, y, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm, rn, rk = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        xv = tl.load(x + rm[:, None] * K + (k + rk)[None, :])
        wv = tl.load(w + rn[:, None] * K + (k + rk)[None, :])
        acc += tl.dot(xv, wv.trans())
    v = acc + tl.load(bias + rn)[None, :]
    tl.store(y + rm[:, None] * BN + rn[None, :], (v * tl.sigmoid(v)).to(tl.bfloat16))


@case(contains=MMA, num_stages=4)
def linear_silu(target):
    m, n, k = 64, 32, 128
    x, w, bias = bf16(np.random.randn(m, k) / 4), bf16(np.random.randn(n, k)), np.random.randn(n).astype(np.float32)
    v = from_bf16(x).astype(np.float64) @ from_bf16(w).T + bias
    bm = 64
    return linear_kernel, (m // bm,), dict(
        x=Buffer(x, dtype="bf16"), w=Buffer(w, dtype="bf16"), bias=Buffer(bias),
        y=out(bf16(v / (1 + np.exp(-v))), rtol=2**-7, atol=1e-4, dtype="bf16"), K=k, BM=Const(bm), BN=Const(n), BK=Const(32))


@triton.jit
def split_k_kernel(a, b, c, N, K, SPLIT: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm, rn = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(tl.program_id(2) * BK, K, BK * SPLIT):
        rk = k + tl.arange(0, BK)
        acc = tl.dot(tl.load(a + rm[:, None] * K + rk[None, :]), tl.load(b + rk[:, None] * N + rn[None, :]), acc)
    tl.atomic_add(c + rm[:, None] * N + rn[None, :], acc)


@case(contains=("mma", "atom.global"))
def matmul_split_k(target):
    a, b = np.random.randint(-3, 4, (64, 256)).astype(np.float16), np.random.randint(-3, 4, (256, 64)).astype(np.float16)
    want = a.astype(np.float32) @ b.astype(np.float32)
    bm = 64
    return split_k_kernel, (64 // bm, 64 // bm, 2), dict(
        a=Buffer(a), b=Buffer(b), c=Buffer(np.zeros_like(want), want), N=64, K=256, SPLIT=Const(2), BM=Const(bm), BN=Const(bm), BK=Const(32))


@triton.jit
def attention_kernel(q, k, v, o, T, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    """Flash attention (Dao et al., 2022), causal: one head, a block of queries per program."""
    start = tl.program_id(0) * BM
    base = tl.program_id(1) * T * D
    rm, rd = start + tl.arange(0, BM), tl.arange(0, D)
    query = tl.load(q + base + rm[:, None] * D + rd[None, :])
    top = tl.full((BM,), -1e30, tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for n in range(0, start + BM, BN):
        rn = n + tl.arange(0, BN)
        keys = tl.load(k + base + rn[None, :] * D + rd[:, None])
        s = tl.dot(query, keys) * (scale * 1.4426950408889634)
        s = tl.where(rm[:, None] >= rn[None, :], s, -1e30)
        new = tl.maximum(top, tl.max(s, 1))
        p = tl.exp2(s - new[:, None])
        fade = tl.exp2(top - new)
        total = total * fade + tl.sum(p, 1)
        values = tl.load(v + base + rn[:, None] * D + rd[None, :])
        acc = tl.dot(p.to(values.dtype), values, acc * fade[:, None])
        top = new
    tl.store(o + base + rm[:, None] * D + rd[None, :], (acc / total[:, None]).to(tl.float16))


def attention(target, d):
    heads, t = 2, 128
    q, k, v = np.random.randn(3, heads, t, d).astype(np.float16)
    scale = float(np.float32(d**-0.5))
    s = q.astype(np.float64) @ k.astype(np.float64).transpose(0, 2, 1) * scale
    s = np.where(np.tril(np.ones((t, t), bool)), s, -np.inf)
    p = np.exp(s - s.max(axis=-1, keepdims=True))
    want = p / p.sum(axis=-1, keepdims=True) @ v.astype(np.float64)
    bm, bn = (128, 64) if target == "sm_100" else (64, 64)
    return attention_kernel, (t // bm, heads), dict(
        q=Buffer(q), k=Buffer(k), v=Buffer(v), o=out(want.astype(np.float16), rtol=4e-3, atol=2e-3), T=t, scale=scale,
        BM=Const(bm), BN=Const(bn), D=Const(d))


@case(contains=MMA)
def flash_attention(target):
    return attention(target, 64)


@case(contains=MMA, num_warps=8, num_stages=2)
def flash_attention_wide(target):
    return attention(target, 32)


@triton.jit
def descriptor_matmul_kernel(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SPECIAL: tl.constexpr):
    pm, pn = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in tl.range(0, K, BK, warp_specialize=SPECIAL):
        acc = tl.dot(a.load([pm, k]), b.load([pn, k]).T, acc)
    c.store([pm, pn], acc.to(tl.float16))


def descriptor_matmul(special, target, k=160):
    m, n = 128, 100
    bm, bn, bk = (128, 64, 64) if target == "sm_100" else (64, 64, 64)
    a, b = np.random.randn(m, k).astype(np.float16), np.random.randn(n, k).astype(np.float16)
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    want = (a.astype(np.float64) @ b.astype(np.float64).T).astype(np.float16)
    # The rows of c must be multiples of 16 bytes: 104 columns, of which the last four are of no consequence.
    pad = ((0, 0), (0, 4))
    b = np.pad(b, ((0, 4), (0, 0)))
    want = np.pad(want, pad)
    return descriptor_matmul_kernel, (m // bm, -(-n // bn)), dict(
        a=Descriptor(Buffer(a), (bm, bk)), b=Descriptor(Buffer(b), (bn, bk)),
        c=Descriptor(out(want, rtol=1e-3, atol=1e-3), (bm, bn)), K=k, BM=Const(bm), BN=Const(bn), BK=Const(bk), SPECIAL=Const(special))


TMA = ("cp.async.bulk.tensor.2d.shared", "cp.async.bulk.tensor.2d.global", "mbarrier.try_wait")


@case(contains={"sm_80": ("mma.sync",), "sm_90": TMA + ("wgmma.mma_async",), "sm_100": TMA + ("tcgen05.mma",)})
def matmul_descriptors(target):
    return descriptor_matmul(False, target)


SPECIALIZED = TMA + ("mbarrier.arrive", "setmaxnreg")


@case(targets=("sm_90", "sm_100"), contains={"sm_90": SPECIALIZED + ("wgmma.mma_async",), "sm_100": SPECIALIZED + ("tcgen05.mma",)}, num_stages=3)
def matmul_warp_specialized(target):
    return descriptor_matmul(True, target, 448)  # more blocks than stages


@triton.jit
def persistent_kernel(a_ptr, b_ptr, c_ptr, M, N, K, P: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    a = tl.make_tensor_descriptor(a_ptr, [M, K], [K, 1], [BM, BK])
    b = tl.make_tensor_descriptor(b_ptr, [K, N], [N, 1], [BK, BN])
    c = tl.make_tensor_descriptor(c_ptr, [M, N], [N, 1], [BM, BN])
    columns = tl.cdiv(N, BN)
    for tile in tl.range(tl.program_id(0), tl.cdiv(M, BM) * columns, P, flatten=True):
        pm, pn = tile // columns * BM, tile % columns * BN
        acc = tl.zeros((BM, BN), tl.float32)
        for k in range(0, K, BK):
            acc = tl.dot(a.load([pm, k]), b.load([k, pn]), acc)
        c.store([pm, pn], acc)


@case(contains={"sm_80": ("mma.sync",), "sm_90": TMA + ("tensormap.replace",), "sm_100": TMA + ("tensormap.replace",)})
def matmul_persistent(target):
    m, n, k = 160, 128, 96
    bm, bn, bk = (64, 64, 32)
    a, b = np.random.randn(m, k).astype(np.float16), np.random.randn(k, n).astype(np.float16)
    want = (a.astype(np.float64) @ b.astype(np.float64)).astype(np.float32)
    return persistent_kernel, (2,), dict(
        a_ptr=Buffer(a), b_ptr=Buffer(b), c_ptr=out(want, rtol=1e-5, atol=2e-5), M=m, N=n, K=k,
        P=Const(2), BM=Const(bm), BN=Const(bn), BK=Const(bk))


@triton.jit
def reduce_rows_kernel(x, o, B: tl.constexpr, C: tl.constexpr):
    o.atomic_add([0, 0], x.load([tl.program_id(0) * B, 0]))
    o.atomic_max([B, 0], x.load([tl.program_id(0) * B, 0]))


@case(targets=("sm_90", "sm_100"), contains=("cp.reduce.async.bulk.tensor",))
def descriptor_reductions():
    x = np.random.randint(-50, 50, (64, 32)).astype(np.int32)
    parts = x.reshape(4, 16, 32)
    want = np.concatenate([parts.sum(axis=0), np.maximum(parts.max(axis=0), 0)]).astype(np.int32)
    return reduce_rows_kernel, (4,), dict(
        x=Descriptor(Buffer(x), (16, 32)), o=Descriptor(Buffer(np.zeros((32, 32), np.int32), want), (16, 32)), B=Const(16), C=Const(32))


@case(targets=("sm_90", "sm_100"), contains={"sm_90": ("barrier.cluster", "wgmma.mma_async"), "sm_100": ("barrier.cluster", "tcgen05.mma.cta_group::1.kind::f16")}, num_ctas=2)
def matmul_in_cluster(target):
    a, b = np.random.randn(256, 64).astype(np.float16), np.random.randn(64, 64).astype(np.float16)
    want = a.astype(np.float64) @ b.astype(np.float64)
    return matmul(target, Buffer(a), Buffer(b), out(want.astype(np.float32), rtol=1e-5, atol=2e-5),
                  block=(256 if target == "sm_100" else 128, 64, 32))


@triton.jit
def gather_kernel(a, b, rows, targets, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """A grouped product: rows of a are gathered by one list of indices, and rows of c scattered by another."""
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN
    chosen = tl.load(rows + i)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(a.gather(chosen, k), b.load([n, k]).T, acc)
    c.scatter(acc.to(tl.float16), tl.load(targets + i), n)


@case(targets=("sm_100",), contains=("tile::gather4", "tile::scatter4", "tcgen05.mma"))
def matmul_gather_scatter():
    """Some indices are outside: their rows are zero, or go nowhere."""
    m, n, k, rows = 128, 64, 96, 50
    a, b = np.random.randn(rows, k).astype(np.float16), np.random.randn(n, k).astype(np.float16)
    chosen = np.random.randint(-3, rows + 8, m).astype(np.int32)
    targets = np.random.permutation(m + 8)[:m].astype(np.int32)
    inside = (chosen >= 0) & (chosen < rows)
    gathered = np.where(inside[:, None], a[np.clip(chosen, 0, rows - 1)], 0)
    c = out(np.full((m, n), -1, np.float16), rtol=1e-3, atol=1e-3)
    c.want = c.data.copy()
    kept = targets < m
    c.want[targets[kept]] = (gathered.astype(np.float64) @ b.astype(np.float64).T).astype(np.float16)[kept]
    return gather_kernel, (1, n // 32), dict(
        a=Descriptor(Buffer(a), (1, 32)), b=Descriptor(Buffer(b), (32, 32)), rows=Buffer(chosen), targets=Buffer(targets),
        c=Descriptor(c, (1, 32)), K=k, BM=Const(m), BN=Const(32), BK=Const(32))
