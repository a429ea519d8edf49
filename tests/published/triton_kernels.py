"""The same problems in Triton, as its tutorials compute them."""

import triton
import triton.language as tl


@triton.jit
def vadd(a, b, c, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    inside = at < n
    tl.store(c + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


@triton.jit
def grouped(rows, columns, GROUP: tl.constexpr):
    pid = tl.program_id(0)
    block = pid // (GROUP * columns)
    height = min(rows - block * GROUP, GROUP)
    return block * GROUP + pid % height, pid % (GROUP * columns) // height


@triton.jit
def matmul(pa, pb, pc, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Makes its tensor maps in the kernel."""
    a = tl.make_tensor_descriptor(pa, [M, K], [K, 1], [BM, BK])
    b = tl.make_tensor_descriptor(pb, [K, N], [N, 1], [BK, BN])
    c = tl.make_tensor_descriptor(pc, [M, N], [N, 1], [BM, BN])
    row, column = grouped(tl.cdiv(M, BM), tl.cdiv(N, BN), 8)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(a.load([row * BM, k]), b.load([k, column * BN]), acc)
    c.store([row * BM, column * BN], acc.to(tl.float16))


@triton.jit
def bmm(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm, rn, rk = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN), tl.arange(0, BK)
    batch = tl.program_id(2)
    pa = a + batch * M * K + rm[:, None] * K + rk[None, :]
    pb = b + batch * K * N + rk[:, None] * N + rn[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(tl.load(pa), tl.load(pb), acc, input_precision="tf32")
        pa += BK
        pb += BK * N
    tl.store(c + batch * M * N + rm[:, None] * N + rn[None, :], acc)


@triton.jit
def fmha(q, k, v, o, T, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr):
    start, base = tl.program_id(0) * BM, tl.program_id(1) * T * D
    rm, rn, rd = start + tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, D)
    query = tl.load(q + base + rm[:, None] * D + rd[None, :])
    top, total, acc = tl.full((BM,), float("-inf"), tl.float32), tl.zeros((BM,), tl.float32), tl.zeros((BM, D), tl.float32)
    end = T
    if CAUSAL:
        end = start + BM
    for n in range(0, end, BN):
        s = tl.dot(query, tl.load(k + base + (n + rn)[None, :] * D + rd[:, None]))
        if CAUSAL:
            s = tl.where(rm[:, None] >= (n + rn)[None, :], s, float("-inf"))
        new = tl.maximum(top, tl.max(s, 1) * scale)
        p = tl.exp2(s * scale - new[:, None])
        fade = tl.exp2(top - new)
        total = total * fade + tl.sum(p, 1)
        acc = tl.dot(p.to(tl.float16), tl.load(v + base + (n + rn)[:, None] * D + rd[None, :]), acc * fade[:, None])
        top = new
    tl.store(o + base + rm[:, None] * D + rd[None, :], (acc / total[:, None]).to(tl.float16))


@triton.jit
def softmax_chunked(out, x, rows, columns, B: tl.constexpr):
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0)):
        at = tl.arange(0, B)
        top = tl.full((B,), float("-inf"), tl.float32)
        for j in range(0, columns, B):
            top = tl.maximum(top, tl.load(x + row * columns + j + at))
        most = tl.max(top, 0)
        total = tl.zeros((B,), tl.float32)
        for j in range(0, columns, B):
            total += tl.exp(tl.load(x + row * columns + j + at) - most)
        all = tl.sum(total, 0)
        for j in range(0, columns, B):
            tl.store(out + row * columns + j + at, tl.exp(tl.load(x + row * columns + j + at) - most) / all)


@triton.jit
def softmax_rows(out, x, rows, columns, B: tl.constexpr):
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0)):
        at = row * columns + tl.arange(0, B)
        v = tl.load(x + at)
        e = tl.exp(v - tl.max(v, 0))
        tl.store(out + at, e / tl.sum(e, 0))
