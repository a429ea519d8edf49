"""Kernels of the examples of JuliaGPU/cuTile.jl as cuTile Python, written again: the same tiles, loops and hints.

Each function returns (kernel, parameters, grid). A parameter is an array ("f32", shape), a constant, or a scalar.
"""

import math

import cuda.tile as ct

Const = ct.Constant[int]
LOG2E = 1 / math.log(2)


def group_rows(rows, columns, group):
    """The tile of a block in groups of rows, so that blocks of a wave share operands."""
    bid = ct.bid(0)
    block = bid // (group * columns)
    height = min(rows - block * group, group)
    return block * group + bid % height, bid % (group * columns) // height


@ct.kernel
def vadd(a, b, c, tile: Const):
    i = ct.bid(0)
    ct.store(c, index=(i,), tile=ct.load(a, index=(i,), shape=(tile,)) + ct.load(b, index=(i,), shape=(tile,)))


@ct.kernel
def matmul(a, b, c, tm: Const, tn: Const, tk: Const):
    row, column = group_rows(ct.cdiv(a.shape[0], tm), ct.cdiv(b.shape[1], tn), 8)
    acc = ct.full((tm, tn), 0, dtype=ct.float32)
    pad = ct.PaddingMode.ZERO
    for k in range(ct.num_tiles(a, axis=1, shape=(tm, tk))):
        x = ct.load(a, index=(row, k), shape=(tm, tk), padding_mode=pad)
        y = ct.load(b, index=(k, column), shape=(tk, tn), padding_mode=pad)
        acc = ct.mma(x, y, acc)
    ct.store(c, index=(row, column), tile=acc.astype(c.dtype))


@ct.kernel
def bmm(a, b, c, tm: Const, tn: Const, tk: Const):
    batch, row, column = ct.bid(2), ct.bid(0), ct.bid(1)
    acc = ct.full((tm, tn), 0.0, dtype=ct.float32)
    pad = ct.PaddingMode.ZERO
    for k in range(ct.cdiv(a.shape[2], tk)):
        x = ct.load(a, index=(batch, row, k), shape=(1, tm, tk), padding_mode=pad).reshape((tm, tk))
        y = ct.load(b, index=(batch, k, column), shape=(1, tk, tn), padding_mode=pad).reshape((tk, tn))
        acc = ct.mma(x.astype(ct.tfloat32), y.astype(ct.tfloat32), acc)
    ct.store(c, index=(batch, row, column), tile=acc.astype(c.dtype).reshape((1, tm, tn)))


@ct.kernel(occupancy=2)
def fmha(q, k, v, out, scale: float, heads: Const, d: Const, tm: Const, tn: Const, causal: ct.Constant[bool]):
    scale = scale * LOG2E
    batch, head = ct.bid(1) // heads, ct.bid(1) % heads
    first = ct.bid(0) * tm
    rows = (first + ct.arange(tm, dtype=ct.int32))[:, None]
    columns = ct.arange(tn, dtype=ct.int32)[None, :]
    top = ct.full((tm, 1), -math.inf, dtype=ct.float32)
    total = ct.full((tm, 1), 0.0, dtype=ct.float32)
    acc = ct.full((tm, d), 0.0, dtype=ct.float32)
    query = ct.load(q, index=(batch, head, ct.bid(0), 0), shape=(1, 1, tm, d)).reshape((tm, d))
    length = k.shape[2]
    end, masked = ct.cdiv(length, tn), length // tn
    if causal:
        end, masked = ct.cdiv(min(first + tm, length), tn), min(first // tn, length // tn)
    for j in range(0, end):
        key = ct.load(k, index=(batch, head, 0, j), shape=(1, 1, d, tn), order=(0, 1, 3, 2), latency=2).reshape((d, tn))
        s = ct.mma(query, key, ct.full((tm, tn), 0.0, dtype=ct.float32))
        if causal and j >= masked:
            s += ct.where(rows >= j * tn + columns, 0.0, -math.inf)
        new = max(top, ct.max(s, axis=-1, keepdims=True) * scale)
        p = ct.exp2(s * scale - new, flush_to_zero=True)
        fade = ct.exp2(top - new, flush_to_zero=True)
        total = total * fade + ct.sum(p, axis=-1, keepdims=True)
        value = ct.load(v, index=(batch, head, j, 0), shape=(1, 1, tn, d), latency=4).reshape((tn, d))
        acc = ct.mma(p.astype(q.dtype), value, acc * fade)
        top = new
    acc = ct.truediv(acc, total, flush_to_zero=True, rounding_mode=ct.RoundingMode.APPROX)
    ct.store(out, index=(batch, head, ct.bid(0), 0), tile=acc.reshape((1, 1, tm, d)).astype(out.dtype))


@ct.kernel(occupancy=4)
def softmax_chunked(out, x, rows: Const, columns: Const, tile: Const):
    for row in range(ct.bid(0), rows, ct.num_blocks(0)):
        at = ct.arange(tile, dtype=ct.int32)
        top = ct.full((1,), -math.inf, dtype=ct.float32)
        total = ct.full((tile,), 0.0, dtype=ct.float32)
        for j in range(ct.cdiv(columns, tile)):
            part = ct.gather(x, (row, j * tile + at), check_bounds=True, padding_value=-math.inf).astype(ct.float32)
            top = ct.maximum(top, ct.max(part, 0, keepdims=True))
        for j in range(ct.cdiv(columns, tile)):
            part = ct.gather(x, (row, j * tile + at), check_bounds=True, padding_value=-math.inf).astype(ct.float32)
            total = total + ct.exp(part - top)
        total = ct.sum(total, 0, keepdims=True)
        for j in range(ct.cdiv(columns, tile)):
            part = ct.gather(x, (row, j * tile + at), check_bounds=True, padding_value=-math.inf).astype(ct.float32)
            ct.scatter(out, (row, j * tile + at), ct.truediv(ct.exp(part - top), total).astype(out.dtype), check_bounds=True)


@ct.kernel(occupancy=2)
def softmax_rows(out, x, rows: Const, tile: Const):
    for row in range(ct.bid(0), rows, ct.num_blocks(0)):
        v = ct.load(x, index=(row, 0), shape=(1, tile), padding_mode=ct.PaddingMode.NEG_INF).astype(ct.float32)
        e = ct.exp(v - ct.max(v, 1, keepdims=True))
        ct.store(out, index=(row, 0), tile=ct.truediv(e, ct.sum(e, 1, keepdims=True)).astype(out.dtype))


def backward_of(x, w, dy, row, j, mean, rstd, tile, n):
    pad = ct.PaddingMode.ZERO
    tx = ct.load(x, index=(row, j), shape=(1, tile), padding_mode=pad)
    tw = ct.load(w, index=(j,), shape=(tile,), padding_mode=pad)
    tdy = ct.load(dy, index=(row, j), shape=(1, tile), padding_mode=pad)
    inside = j * tile + ct.arange(tile, dtype=ct.int32) < n
    return tdy, ct.where(inside, (tx - mean) * rstd, 0), ct.where(inside, tw * tdy, 0)


@ct.kernel
def layernorm_dx(dx, dy, dw, db, x, w, means, rstds, locks, tile: Const):
    row = ct.bid(0)
    count, n = ct.num_tiles(x, axis=1, shape=(1, tile)), x.shape[1]
    group = row % dw.shape[0]
    mean, rstd = ct.load(means, index=(row,), shape=(1,)), ct.load(rstds, index=(row,), shape=(1,))
    c1, c2 = ct.full((1, tile), 0, dtype=ct.float32), ct.full((1, tile), 0, dtype=ct.float32)
    for j in range(count):
        _, xhat, wdy = backward_of(x, w, dy, row, j, mean, rstd, tile, n)
        c1 += xhat * wdy
        c2 += wdy
    c1, c2 = ct.sum(c1, axis=1) / n, ct.sum(c2, axis=1) / n
    for j in range(count):
        tdy, xhat, wdy = backward_of(x, w, dy, row, j, mean, rstd, tile, n)
        ct.store(dx, index=(row, j), tile=((wdy - (xhat * c1 + c2)) * rstd).astype(dx.dtype))
        pdw, pdb = (tdy * xhat).astype(dw.dtype), tdy.astype(db.dtype)
        while ct.atomic_cas(locks, group, 0, 1, memory_order=ct.MemoryOrder.ACQUIRE) == 1:
            pass
        pdw += ct.load(dw, index=(group, j), shape=(1, tile), padding_mode=ct.PaddingMode.ZERO)
        pdb += ct.load(db, index=(group, j), shape=(1, tile), padding_mode=ct.PaddingMode.ZERO)
        ct.store(dw, index=(group, j), tile=pdw)
        ct.store(db, index=(group, j), tile=pdb)
        ct.atomic_xchg(locks, group, 0, memory_order=ct.MemoryOrder.RELEASE)


@ct.kernel
def layernorm_dw(dw, db, dw_all, db_all, tm: Const, tn: Const):
    j = ct.bid(0)
    w, b = ct.zeros((tm, tn), dtype=ct.float32), ct.zeros((tm, tn), dtype=ct.float32)
    for i in range(ct.num_tiles(dw, axis=0, shape=(tm, tn))):
        w += ct.load(dw, index=(i, j), shape=(tm, tn), padding_mode=ct.PaddingMode.ZERO)
        b += ct.load(db, index=(i, j), shape=(tm, tn), padding_mode=ct.PaddingMode.ZERO)
    ct.store(dw_all, index=(j,), tile=ct.sum(w, axis=0).astype(dw_all.dtype))
    ct.store(db_all, index=(j,), tile=ct.sum(b, axis=0).astype(db_all.dtype))
