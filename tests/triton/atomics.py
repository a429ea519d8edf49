"""Kernels whose programs meet in global memory."""

import numpy as np
import triton
import triton.language as tl

from cases import Buffer, Const, case


@triton.jit
def count_kernel(x, bins, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.atomic_add(bins + tl.load(x + i, mask=m, other=0), 1, mask=m)


@case(contains=("atom.global",))
def histogram():
    x = np.random.randint(0, 16, 1000).astype(np.int32)
    want = np.bincount(x, minlength=16).astype(np.int32)
    return count_kernel, (4,), dict(x=Buffer(x), bins=Buffer(np.zeros(16, np.int32), want), n=1000, B=Const(256))


@triton.jit
def atomics_kernel(x, f, top, low, bits, old, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    v = tl.load(x + i, mask=m)
    slot = v & 7
    tl.atomic_add(f + slot, v.to(tl.float32), mask=m)
    tl.atomic_max(top + slot, v, mask=m)
    tl.atomic_min(low + slot, v, mask=m)
    tl.atomic_xor(bits + slot, v, mask=m)
    tl.atomic_or(bits + 8 + slot, v, mask=m)
    tl.atomic_and(bits + 16 + slot, v, mask=m)
    tl.store(old + i, tl.atomic_xchg(old + i, v, mask=m) + v, mask=m)


@case(contains=("atom.global",))
def atomic_operations():
    n = 700
    x = np.random.randint(-1000, 1000, n).astype(np.int32)
    slot = x & 7
    f, top, low, bits = np.zeros(8, np.float32), np.full(8, -5000, np.int32), np.full(8, 5000, np.int32), np.zeros((3, 8), np.int32)
    bits[2] = -1
    start = np.arange(n).astype(np.int32)
    args = [f.copy(), top.copy(), low.copy(), bits.copy()]
    np.add.at(f, slot, x)
    np.maximum.at(top, slot, x)
    np.minimum.at(low, slot, x)
    for row, op in zip(bits, (np.bitwise_xor, np.bitwise_or, np.bitwise_and)):
        op.at(row, slot, x)
    f0, t0, l0, b0 = args
    return atomics_kernel, (3,), dict(
        x=Buffer(x), f=Buffer(f0, f), top=Buffer(t0, top), low=Buffer(l0, low), bits=Buffer(b0, bits),
        old=Buffer(start, start + x), n=n, B=Const(256))


@triton.jit
def half_add_kernel(x, o, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.atomic_add(o + i % 64, tl.load(x + i))


@case(contains=("f16",))
def atomic_add_f16():
    x = np.random.randint(-9, 10, 512).astype(np.float16)
    want = x.reshape(-1, 64).sum(axis=0)
    return half_add_kernel, (2,), dict(x=Buffer(x), o=Buffer(np.zeros(64, np.float16), want), B=Const(256))


@triton.jit
def lock_kernel(x, total, lock, B: tl.constexpr):
    v = tl.sum(tl.load(x + tl.program_id(0) * B + tl.arange(0, B)))
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(total, tl.load(total) * 3 % 1000003 + v * 0 + 1)
    tl.store(total + 1, tl.load(total + 1) + v)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@case(contains=("atom.global", ".cas"))
def spin_lock():
    programs = 9
    x = np.random.randint(-100, 100, (programs, 64)).astype(np.int32)
    chain = 0
    for _ in range(programs):
        chain = chain * 3 % 1000003 + 1
    return lock_kernel, (programs,), dict(
        x=Buffer(x), total=Buffer(np.zeros(2, np.int32), np.array([chain, x.sum()], np.int32)),
        lock=Buffer(np.zeros(1, np.int32), np.zeros(1, np.int32)), B=Const(64))


@triton.jit
def last_kernel(x, partial, counter, o, P: tl.constexpr, B: tl.constexpr):
    pid = tl.program_id(0)
    tl.store(partial + pid, tl.sum(tl.load(x + pid * B + tl.arange(0, B))))
    tl.debug_barrier()
    if tl.atomic_add(counter, 1, sem="acq_rel", scope="gpu") == P - 1:
        tl.store(o, tl.sum(tl.load(partial + tl.arange(0, P))))


@case(contains=("gpu.acq_rel",))
def last_program_reduces():
    x = np.random.randint(-100, 100, (16, 128)).astype(np.int64)
    return last_kernel, (16,), dict(
        x=Buffer(x), partial=Buffer(np.zeros(16, np.int64), x.sum(axis=1)), counter=Buffer(np.zeros(1, np.int32), np.full(1, 16, np.int32)),
        o=Buffer(np.zeros(1, np.int64), x.sum().reshape(1)), P=Const(16), B=Const(128))
