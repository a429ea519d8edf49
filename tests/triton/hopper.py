"""Kernels in Gluon for sm_90: clusters that share what they load, and that write to each other."""

import numpy as np
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import async_store, cluster, fence_async_shared, mbarrier, tma, warpgroup_mma

from cases import Buffer, Const, Descriptor, case, out


@gluon.jit
def multicast_kernel(a, b, c, K, BK: gl.constexpr, REGISTERS: gl.constexpr):
    """The CTAs of a cluster have rows of their own, and the same columns. The left operand may be in registers."""
    M: gl.constexpr = a.block_type.shape[0]
    N: gl.constexpr = b.block_type.shape[1]
    layout: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, N, 16], cga_layout=c.layout.cga_layout)
    left: gl.constexpr = gl.DotOperandLayout(0, layout, 2)
    sa = gl.allocate_shared_memory(a.dtype, a.block_type.shape, a.layout)
    sb = gl.allocate_shared_memory(b.dtype, b.block_type.shape, b.layout)
    acc = gl.zeros((M, N), gl.float32, layout)
    loaded = mbarrier.allocate_mbarrier()
    mbarrier.init(loaded, count=1)
    cluster.barrier(relaxed=True)
    phase = 0
    for k in range(0, K, BK):
        mbarrier.expect(loaded, a.nbytes_per_cta + b.nbytes_per_cta)
        tma.async_load(a, [0, k], loaded, sa)
        tma.async_load(b, [k, 0], loaded, sb, multicast=True)
        mbarrier.wait(loaded, phase)
        if REGISTERS:
            acc = warpgroup_mma(sa.load(left) * 2, sb, acc)
        else:
            acc = warpgroup_mma(sa, sb, acc)
        phase ^= 1
        cluster.barrier()  # all have read what the next copies overwrite
    mbarrier.invalidate(loaded)
    sc = gl.allocate_shared_memory(c.dtype, c.block_type.shape, c.layout, acc.to(c.dtype))
    fence_async_shared()
    tma.async_store(c, [0, 0], sc)
    tma.store_wait(0)


def multicast(m, n, k, bk, cga, registers):
    a, b = np.random.randn(m, k).astype(np.float16), np.random.randn(k, n).astype(np.float16)
    want = (a.astype(np.float64) @ b.astype(np.float64) * (2 if registers else 1)).astype(np.float16)
    none = [[0, 0] for _ in cga]

    def tile(x, block, cga):
        return Descriptor(x, block, gl.NVMMASharedLayout.get_default_for(list(block), gl.float16, cga_layout=cga))

    return multicast_kernel, (1,), dict(
        a=tile(Buffer(a), (m, bk), cga), b=tile(Buffer(b), (bk, n), none), c=tile(out(want, rtol=1e-3, atol=2e-3), (m, n), cga), K=k,
        BK=Const(bk), REGISTERS=Const(registers))


@case(targets=("sm_90",), contains=("multicast::cluster", "wgmma.mma_async"), num_ctas=2)
def multicast_to_two():
    return multicast(128, 64, 128, 64, [[1, 0]], False)


@case(targets=("sm_90",), contains=("multicast::cluster", "wgmma.mma_async"), num_ctas=4)
def multicast_to_four():
    return multicast(256, 32, 96, 32, [[1, 0], [2, 0]], True)


@gluon.jit
def exchange_kernel(x, y, M: gl.constexpr, N: gl.constexpr):
    """Rows are loaded, and columns stored, by each CTA: what belongs to the other one goes there by st.async."""
    rows: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0], cga_layout=[[1, 0]])
    columns: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0], cga_layout=[[0, 1]])
    s = gl.allocate_shared_memory(gl.float32, [M, N], gl.SwizzledSharedLayout(1, 1, 1, [1, 0], cga_layout=[[0, 1]]))
    arrived = mbarrier.allocate_mbarrier()
    mbarrier.init(arrived, count=1)
    mbarrier.expect(arrived, s.nbytes_per_cta)
    cluster.barrier()
    r, c = gl.arange(0, M, gl.SliceLayout(1, rows)), gl.arange(0, N, gl.SliceLayout(0, rows))
    async_store(s, gl.load(x + r[:, None] * N + c[None, :]), arrived)
    mbarrier.wait(arrived, 0)
    v = s.load(columns)
    r, c = gl.arange(0, M, gl.SliceLayout(1, columns)), gl.arange(0, N, gl.SliceLayout(0, columns))
    gl.store(y + r[:, None] * N + c[None, :], v + 1.0)
    cluster.barrier()
    mbarrier.invalidate(arrived)


@case(targets=("sm_90", "sm_100"), contains=("st.async",), num_ctas=2)
def exchange():
    m, n = 64, 64
    x = np.random.randn(m, n).astype(np.float32)
    return exchange_kernel, (1,), dict(x=Buffer(x), y=out(x + 1), M=Const(m), N=Const(n))
