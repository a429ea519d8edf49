"""Kernels in Gluon, Triton's language of explicit layouts: what plain Triton does not make of the tensor cores of sm_100
and of the TMEM accelerator."""

import numpy as np
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.blackwell import (TensorMemoryLayout, TensorMemoryScalesLayout,
                                                                 allocate_tensor_memory, cluster, clc, fence_async_shared, mbarrier,
                                                                 tcgen05_commit, tcgen05_copy, tcgen05_mma, tcgen05_mma_barrier_count,
                                                                 tcgen05_mma_scaled, tma)

from cases import Buffer, Const, Descriptor, case, out
from scaled import blocked, factors, operand


@gluon.jit
def cluster_kernel(a, b, c, K, BK: gl.constexpr, ROWS: gl.constexpr, PAIRS: gl.constexpr, MULTICAST: gl.constexpr):
    """The layouts say which part of a and b each CTA holds; those of a pair hold half of the rows of a, and of the columns of b."""
    M: gl.constexpr = a.block_type.shape[0]
    N: gl.constexpr = b.block_type.shape[1]
    sa = gl.allocate_shared_memory(a.dtype, a.block_type.shape, a.layout)
    sb = gl.allocate_shared_memory(b.dtype, b.block_type.shape, b.layout)
    layout: gl.constexpr = TensorMemoryLayout((ROWS, N), col_stride=1, cga_layout=c.layout.cga_layout, two_ctas=PAIRS)
    acc = allocate_tensor_memory(gl.float32, [M, N], layout)
    loaded = mbarrier.allocate_mbarrier(two_ctas=PAIRS)
    multiplied = mbarrier.allocate_mbarrier()
    mbarrier.init(loaded, count=1)
    mbarrier.init(multiplied, count=tcgen05_mma_barrier_count([sa, sb], MULTICAST, PAIRS))
    cluster.barrier(relaxed=True)
    phase = 0
    for k in range(0, K, BK):
        mbarrier.expect(loaded, a.nbytes_per_cta + b.nbytes_per_cta)
        tma.async_load(a, [0, k], loaded, sa, multicast=MULTICAST)
        tma.async_load(b, [k, 0], loaded, sb, multicast=MULTICAST)
        mbarrier.wait(loaded, phase)
        tcgen05_mma(sa, sb, acc, use_acc=k != 0, multicast=MULTICAST, mbarriers=[multiplied])
        mbarrier.wait(multiplied, phase)
        phase ^= 1
    mbarrier.invalidate(loaded)
    mbarrier.invalidate(multiplied)
    sc = gl.allocate_shared_memory(c.dtype, c.block_type.shape, c.layout, acc.load().to(c.dtype))
    fence_async_shared()
    tma.async_store(c, [0, 0], sc)
    tma.store_wait(0)


def shared(block, dtype, cga):
    return gl.NVMMASharedLayout.get_default_for(list(block), dtype, cga_layout=cga)


def in_cluster(m, n, k, bk, splits, pairs, multicast):
    a, b = np.random.randn(m, k).astype(np.float16), np.random.randn(k, n).astype(np.float16)
    want = (a.astype(np.float64) @ b.astype(np.float64)).astype(np.float16)
    blocks = ((m, bk), (bk, n), (m, n))
    da, db, dc = (Descriptor(x, block, shared(block, gl.float16, split))
                  for x, block, split in zip((Buffer(a), Buffer(b), out(want, rtol=1e-3, atol=1e-3)), blocks, splits))
    return cluster_kernel, (1,), dict(
        a=da, b=db, c=dc, K=k, BK=Const(bk), ROWS=Const(m // 2 ** len(splits[2])), PAIRS=Const(pairs), MULTICAST=Const(multicast))


PAIR = ("tcgen05.mma.cta_group::2.kind::f16", "tcgen05.commit.cta_group::2")


@case(targets=("sm_100",), contains=PAIR, num_ctas=2)
def pair_f16():
    return in_cluster(256, 128, 192, 64, ([[1, 0]], [[0, 1]], [[1, 0]]), True, False)


@case(targets=("sm_100",), contains=PAIR, num_ctas=2)
def pair_of_128_rows():
    """64 rows for each CTA: the halves of the columns are in different lanes of TMEM."""
    return in_cluster(128, 128, 128, 64, ([[1, 0]], [[0, 1]], [[1, 0]]), True, False)


@case(targets=("sm_100",), contains=PAIR + ("multicast::cluster",), num_ctas=4)
def two_pairs_f16():
    """The pairs share b, which reaches them by one copy."""
    return in_cluster(512, 128, 128, 64, ([[1, 0], [2, 0]], [[0, 1], [0, 0]], [[1, 0], [2, 0]]), True, True)


@case(targets=("sm_100",), contains=("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster",), num_ctas=2)
def multicast_f16():
    return in_cluster(256, 64, 192, 64, ([[1, 0]], [[0, 0]], [[1, 0]]), False, True)


@gluon.jit
def scaled_pair_kernel(a, b, sa, sb, c, K, BK: gl.constexpr, P: gl.constexpr, FORM: gl.constexpr, VEC: gl.constexpr):
    """P is the elements in a byte. Each CTA copies the scale factors of its rows of a, and those of all columns of b."""
    M: gl.constexpr = a.block_type.shape[0]
    N: gl.constexpr = b.block_type.shape[0]
    KT: gl.constexpr = BK // VEC // 4
    x = gl.allocate_shared_memory(a.dtype, a.block_type.shape, a.layout)
    y = gl.allocate_shared_memory(b.dtype, b.block_type.shape, b.layout)
    fa = gl.allocate_shared_memory(sa.dtype, sa.block_type.shape, sa.layout)
    fb = gl.allocate_shared_memory(sb.dtype, sb.block_type.shape, sb.layout)
    split: gl.constexpr = [[1, 0]]
    acc = allocate_tensor_memory(gl.float32, [M, N], TensorMemoryLayout((128, N), col_stride=1, cga_layout=split, two_ctas=True))
    ta = allocate_tensor_memory(sa.dtype, [M, BK // VEC], TensorMemoryScalesLayout(cga_layout=split))
    tb = allocate_tensor_memory(sb.dtype, [N, BK // VEC], TensorMemoryScalesLayout(cga_layout=[[0, 0]]))
    loaded = mbarrier.allocate_mbarrier(two_ctas=True)
    multiplied = mbarrier.allocate_mbarrier()
    mbarrier.init(loaded, count=1)
    mbarrier.init(multiplied, count=1)
    cluster.barrier(relaxed=True)
    phase = 0
    for i in range(0, K // BK):
        mbarrier.expect(loaded, a.nbytes_per_cta + b.nbytes_per_cta + sa.nbytes_per_cta + sb.nbytes_per_cta)
        tma.async_load(a, [0, i * (BK // P)], loaded, x)
        tma.async_load(b, [0, i * (BK // P)], loaded, y)
        tma.async_load(sa, [0, 0, i * KT, 0, 0], loaded, fa)
        tma.async_load(sb, [0, 0, i * KT, 0, 0], loaded, fb)
        mbarrier.wait(loaded, phase)
        tcgen05_copy(unblocked(fa, M // 128, KT), ta)
        tcgen05_copy(unblocked(fb, N // 128, KT), tb)
        tcgen05_mma_scaled(x, y.permute((1, 0)), acc, ta, tb, FORM, FORM, use_acc=i != 0)
        tcgen05_commit(multiplied)
        mbarrier.wait(multiplied, phase)
        phase ^= 1
    mbarrier.invalidate(loaded)
    mbarrier.invalidate(multiplied)
    sc = gl.allocate_shared_memory(c.dtype, c.block_type.shape, c.layout, acc.load())
    fence_async_shared()
    tma.async_store(c, [0, 0], sc)
    tma.store_wait(0)


@gluon.jit
def unblocked(factors, ROWS: gl.constexpr, COLUMNS: gl.constexpr):
    return factors.reshape((ROWS, COLUMNS, 32, 4, 4)).permute((0, 3, 2, 1, 4)).reshape((ROWS * 128, COLUMNS * 4))


def scaled_pair(form, factor, m, n, k, bk):
    a, av = operand(m, k, form)
    b, bv = operand(n, k, form)
    sa, vec, scale_a = factors(m, k, factor)
    sb, _, scale_b = factors(n, k, factor)
    x, y = av * scale_a, bv * scale_b
    c = out((x @ y.T).astype(np.float32), rtol=1e-5, atol=1e-5 * float((np.abs(x) @ np.abs(y).T).max()))
    split, p = [[1, 0]], 2 if form == "e2m1" else 1

    def flat(cga):
        return gl.NVMMASharedLayout(swizzle_byte_width=0, element_bitwidth=8, rank=5, cga_layout=[cga])

    return scaled_pair_kernel, (1,), dict(
        a=Descriptor(a, (m, bk // p), shared((m, bk // p), gl.uint8, split)),
        b=Descriptor(b, (n, bk // p), shared((n, bk // p), gl.uint8, split)),
        sa=Descriptor(blocked(sa), (1, m // 128, bk // vec // 4, 2, 256), flat([0, 1, 0, 0, 0])),
        sb=Descriptor(blocked(sb), (1, n // 128, bk // vec // 4, 2, 256), flat([0, 0, 0, 0, 0])),
        c=Descriptor(c, (m, n), shared((m, n), gl.float32, split)), K=k, BK=Const(bk), P=Const(p), FORM=Const(form), VEC=Const(vec))


@case(targets=("sm_100",), contains=("tcgen05.cp.cta_group::2.warpx4.32x128b", "tcgen05.mma.cta_group::2.kind::mxf8f6f4"), num_ctas=2)
def scaled_pair_e4m3():
    return scaled_pair("e4m3", "ue8m0", 256, 128, 256, 128)


@case(targets=("sm_100",), contains=("tcgen05.cp.cta_group::2.warpx4.32x128b", "tcgen05.mma.cta_group::2.kind::mxf4nvf4"), num_ctas=2)
def scaled_pair_nvfp4():
    return scaled_pair("e2m1", "e4m3", 256, 128, 512, 256)


@gluon.jit
def convolution_kernel(x, w, y, P, Q, STEP: gl.constexpr, PAD: gl.constexpr, TAPS: gl.constexpr, C: gl.constexpr, BC: gl.constexpr):
    """A convolution as a product of pixels by channels: im2col picks the pixels of one tap of the filter."""
    M: gl.constexpr = x.block_type.shape[0]
    N: gl.constexpr = w.block_type.shape[0]
    sx = gl.allocate_shared_memory(x.dtype, x.block_type.shape, x.layout)
    sw = gl.allocate_shared_memory(w.dtype, w.block_type.shape, w.layout)
    acc = allocate_tensor_memory(gl.float32, [M, N], TensorMemoryLayout((M, N), col_stride=1))
    loaded = mbarrier.allocate_mbarrier()
    multiplied = mbarrier.allocate_mbarrier()
    mbarrier.init(loaded, count=1)
    mbarrier.init(multiplied, count=1)
    first = gl.program_id(0) * M
    image, row, column = first // (P * Q), first // Q % P * STEP - PAD, first % Q * STEP - PAD
    phase = 0
    for r in gl.static_range(TAPS):
        for s in gl.static_range(TAPS):
            for c in range(0, C, BC):
                mbarrier.expect(loaded, x.nbytes_per_cta + w.nbytes_per_cta)
                tma.async_load_im2col(x, [image, row, column, c], [r, s], loaded, sx)
                tma.async_load(w, [0, (r * TAPS + s) * C + c], loaded, sw)
                mbarrier.wait(loaded, phase)
                tcgen05_mma(sx, sw.permute((1, 0)), acc, use_acc=r + s + c != 0, mbarriers=[multiplied])
                mbarrier.wait(multiplied, phase)
                phase ^= 1
    mbarrier.invalidate(loaded)
    mbarrier.invalidate(multiplied)
    sy = gl.allocate_shared_memory(y.dtype, y.block_type.shape, y.layout, acc.load().to(y.dtype))
    fence_async_shared()
    tma.async_store(y, [first, 0], sy)
    tma.store_wait(0)


def convolution(images, h, w, step, pad, pixels, channels=64, filters=32, taps=3, bc=32):
    p, q = (h + 2 * pad - taps) // step + 1, (w + 2 * pad - taps) // step + 1
    x, f = np.random.randn(images, h, w, channels).astype(np.float16), np.random.randn(filters, taps, taps, channels).astype(np.float16)
    padded = np.pad(x.astype(np.float64), ((0, 0), (pad, pad), (pad, pad), (0, 0)))
    want = np.zeros((images, p, q, filters))
    for r in range(taps):
        for s in range(taps):
            want += padded[:, r:r + step * p:step, s:s + step * q:step][:, :p, :q] @ f[:, r, s].T.astype(np.float64)
    y = out(want.reshape(-1, filters).astype(np.float16), rtol=1e-3, atol=2e-3)
    return convolution_kernel, (-(-images * p * q // pixels),), dict(
        x=Descriptor(Buffer(x), (pixels, bc), shared((pixels, bc), gl.float16, None), window=[(-pad, pad + 1 - taps, step)] * 2),
        w=Descriptor(Buffer(f.reshape(filters, -1)), (filters, bc), shared((filters, bc), gl.float16, None)),
        y=Descriptor(y, (pixels, filters), shared((pixels, filters), gl.float16, None)),
        P=p, Q=q, STEP=Const(step), PAD=Const(pad), TAPS=Const(taps), C=Const(channels), BC=Const(bc))


IM2COL = ("cp.async.bulk.tensor.4d.shared::cta.global.im2col", "tcgen05.mma.cta_group::1.kind::f16")


@case(targets=("sm_100",), contains=IM2COL)
def convolution_padded():
    return convolution(3, 9, 7, 1, 1, 128)


@case(targets=("sm_100",), contains=IM2COL)
def convolution_strided():
    """A product of 64 rows: half of the lanes of TMEM."""
    return convolution(7, 10, 7, 2, 1, 64)


@gluon.jit
def moves_kernel(x, y, M: gl.constexpr, N: gl.constexpr, FIRST: gl.constexpr, SECOND: gl.constexpr):
    """Shared memory, TMEM, registers in one order, TMEM, registers in another one."""
    sx = gl.allocate_shared_memory(x.dtype, x.block_type.shape, x.layout)
    layout: gl.constexpr = TensorMemoryLayout((M, N), col_stride=1)
    t = allocate_tensor_memory(gl.float32, [M, N], layout)
    u = allocate_tensor_memory(gl.float32, [M, N], layout)
    loaded = mbarrier.allocate_mbarrier()
    copied = mbarrier.allocate_mbarrier()
    mbarrier.init(loaded, count=1)
    mbarrier.init(copied, count=1)
    mbarrier.expect(loaded, x.nbytes_per_cta)
    tma.async_load(x, [0, 0], loaded, sx)
    mbarrier.wait(loaded, 0)
    tcgen05_copy(sx, t)
    tcgen05_commit(copied)
    mbarrier.wait(copied, 0)
    mbarrier.invalidate(loaded)
    mbarrier.invalidate(copied)
    u.store(t.load(t.get_reg_layout(instr_variant=FIRST)) + 1.0)
    sy = gl.allocate_shared_memory(y.dtype, y.block_type.shape, y.layout, u.load(u.get_reg_layout(instr_variant=SECOND)))
    fence_async_shared()
    tma.async_store(y, [0, 0], sy)
    tma.store_wait(0)


def moves(first, second, m, n):
    x = np.random.randn(m, n).astype(np.float32)
    layout = shared((m, n), gl.float32, None)
    return moves_kernel, (1,), dict(
        x=Descriptor(Buffer(x), (m, n), layout), y=Descriptor(out(x + 1), (m, n), layout), M=Const(m), N=Const(n), FIRST=Const(first),
        SECOND=Const(second))


@case(targets=("sm_100",), contains=("tcgen05.cp.cta_group::1.128x256b", "tcgen05.ld.sync.aligned.16x64b", "tcgen05.st.sync.aligned.16x64b"))
def moves_16x64b():
    return moves("16x64b", "32x32b", 128, 64)


@case(targets=("sm_100",), contains=("tcgen05.ld.sync.aligned.16x128b", "tcgen05.st.sync.aligned.16x128b"))
def moves_16x128b():
    return moves("16x128b", "16x256b", 128, 32)


@case(targets=("sm_100",), contains=("tcgen05.ld.sync.aligned.16x256b", "tcgen05.st.sync.aligned.16x256b"), num_warps=8)
def moves_16x256b():
    return moves("16x256b", "16x64b", 128, 128)


@gluon.jit
def left_in_tensor_memory_kernel(a, b, sa, sb, c, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr):
    """All that tcgen05.mma can take from TMEM: the left operand, and the scale factors, stored by threads."""
    y = gl.allocate_shared_memory(b.dtype, b.block_type.shape, b.layout)
    acc = allocate_tensor_memory(gl.float32, [M, N], TensorMemoryLayout((M, N), col_stride=1))
    ta = allocate_tensor_memory(gl.uint8, [M, K // 32], TensorMemoryScalesLayout())
    tb = allocate_tensor_memory(gl.uint8, [N, K // 32], TensorMemoryScalesLayout())
    loaded = mbarrier.allocate_mbarrier()
    multiplied = mbarrier.allocate_mbarrier()
    mbarrier.init(loaded, count=1)
    mbarrier.init(multiplied, count=1)
    x = allocate_tensor_memory(gl.float8e4nv, [M, K], TensorMemoryLayout((M, K), col_stride=1))
    mbarrier.expect(loaded, b.nbytes_per_cta)
    tma.async_load(b, [0, 0], loaded, y)
    mbarrier.wait(loaded, 0)
    x.store(block(a, M, K, x.get_reg_layout()))
    ta.store(block(sa, M, K // 32, ta.get_reg_layout()))
    tb.store(block(sb, N, K // 32, tb.get_reg_layout()))
    tcgen05_mma_scaled(x, y.permute((1, 0)), acc, ta, tb, "e4m3", "e2m1", use_acc=False)
    tcgen05_commit(multiplied)
    mbarrier.wait(multiplied, 0)
    mbarrier.invalidate(loaded)
    mbarrier.invalidate(multiplied)
    sc = gl.allocate_shared_memory(c.dtype, c.block_type.shape, c.layout, acc.load())
    fence_async_shared()
    tma.async_store(c, [0, 0], sc)
    tma.store_wait(0)


@gluon.jit
def block(p, M: gl.constexpr, N: gl.constexpr, layout: gl.constexpr):
    rows, columns = gl.arange(0, M, gl.SliceLayout(1, layout)), gl.arange(0, N, gl.SliceLayout(0, layout))
    return gl.load(p + rows[:, None] * N + columns[None, :])


@case(targets=("sm_100",), contains=("tcgen05.mma.cta_group::1.kind::mxf8f6f4",))
def left_in_tensor_memory():
    m, n, k = 128, 64, 128
    a, av = operand(m, k, "e4m3")
    b, bv = operand(n, k, "e2m1")
    sa, _, scale_a = factors(m, k, "ue8m0")
    sb, _, scale_b = factors(n, k, "ue8m0")
    x, y = av * scale_a, bv * scale_b
    c = out((x @ y.T).astype(np.float32), rtol=1e-5, atol=1e-5 * float((np.abs(x) @ np.abs(y).T).max()))
    layout = gl.NVMMASharedLayout.get_default_for([n, k // 2], gl.uint8, fp4_padded=True)
    return left_in_tensor_memory_kernel, (1,), dict(
        a=a, b=Descriptor(b, (n, k // 2), layout), sa=sa, sb=sb, c=Descriptor(c, (m, n), shared((m, n), gl.float32, None)),
        M=Const(m), N=Const(n), K=Const(k))


@gluon.jit
def extremes_kernel(x, least, most, M: gl.constexpr, N: gl.constexpr):
    t = allocate_tensor_memory(gl.float32, [M, N], TensorMemoryLayout((M, N), col_stride=1))
    layout: gl.constexpr = t.get_reg_layout()
    t.store(block(x, M, N, layout))
    _, low = t.load_min(layout)
    _, high = t.load_max(layout, abs=True)
    rows = gl.arange(0, M, gl.SliceLayout(1, layout))
    gl.store(least + rows, gl.convert_layout(low, gl.SliceLayout(1, layout)))
    gl.store(most + rows, gl.convert_layout(high, gl.SliceLayout(1, layout)))


@case(targets=("sm_103",), contains=("tcgen05.ld.red.sync.aligned.32x32b.x64.min.f32", "tcgen05.ld.red.sync.aligned.32x32b.x64.max.abs.f32"))
def extremes():
    x = np.random.randn(128, 64).astype(np.float32)
    return extremes_kernel, (1,), dict(
        x=Buffer(x), least=out(x.min(axis=1)), most=out(np.abs(x).max(axis=1)), M=Const(128), N=Const(64))


@gluon.jit
def stealing_kernel(x, y, taken, B: gl.constexpr):
    """A program goes on with the blocks of programs that it keeps from starting."""
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    response = gl.allocate_shared_memory(gl.int64, [2], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    answered = mbarrier.allocate_mbarrier()
    mbarrier.init(answered, count=1)
    tile = gl.program_id(0)
    phase = 0
    more = True
    while more:
        mbarrier.expect(answered, 16)
        clc.try_cancel(response, answered)
        i = tile * B + gl.arange(0, B, layout)
        gl.store(y + i, gl.load(x + i) * 2)
        gl.atomic_add(taken + tile, 1)
        mbarrier.wait(answered, phase)
        phase ^= 1
        result = clc.load_result(response)
        more = result.is_canceled()
        if more:
            tile = result.program_id(0)
    mbarrier.invalidate(answered)


@case(targets=("sm_100",), contains=("clusterlaunchcontrol.try_cancel", "clusterlaunchcontrol.query_cancel.get_first_ctaid"))
def stealing():
    x = np.random.randint(-99, 99, 40 * 512).astype(np.int32)
    return stealing_kernel, (40,), dict(
        x=Buffer(x), y=out(x * 2), taken=Buffer(np.zeros(40, np.int32), np.ones(40, np.int32)), B=Const(512))
