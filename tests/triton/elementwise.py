"""Kernels that compute each element alone: conversions, integer and floating-point operations, masks, loops."""

import numpy as np
import triton
import triton.language as tl
from triton.language.extra import libdevice

from cases import Buffer, Const, bf16, case, e4m3_values, from_bf16, out, to_e4m3


@triton.jit
def add_kernel(x, y, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(o + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)


@case()
def vector_add():
    n = 1003
    x, y = np.random.randn(2, n).astype(np.float32)
    return add_kernel, (4,), dict(x=Buffer(x), y=Buffer(y), o=out(x + y), n=n, B=Const(256))


@case(contains=("ld.global.v4", "st.global.v4"))
def vector_add_wide():
    n = 2048
    x, y = np.random.randn(2, n).astype(np.float32)
    return add_kernel, (2,), dict(x=Buffer(x), y=Buffer(y), o=out(x + y), n=n, B=Const(1024))


@case()
def vector_add_bf16():
    n = 500
    x, y = bf16(np.random.randn(2, n))
    want = bf16(from_bf16(x) + from_bf16(y))
    return add_kernel, (2,), dict(x=Buffer(x, dtype="bf16"), y=Buffer(y, dtype="bf16"), o=out(want, dtype="bf16"), n=n, B=Const(256))


@triton.jit
def gelu_kernel(x, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0.0).to(tl.float32)
    tl.store(o + i, (0.5 * v * (1.0 + tl.erf(v * 0.7071067811865476))).to(tl.float16), mask=i < n)


def erf(x):
    """Abramowitz and Stegun 7.1.26 is too coarse: the series, which converges for the small arguments here."""
    x = np.asarray(x, np.float64)
    term, total = x.copy(), x.copy()
    for k in range(1, 120):
        term *= -x * x / k
        total += term / (2 * k + 1)
    return total * 2 / np.sqrt(np.pi)


@case()
def gelu_f16():
    n = 777
    x = np.clip(np.random.randn(n) * 2, -4, 4).astype(np.float16)
    v = x.astype(np.float64)
    want = (0.5 * v * (1 + erf(v / np.sqrt(2)))).astype(np.float16)
    return gelu_kernel, (4,), dict(x=Buffer(x), o=out(want, rtol=1e-3, atol=1e-6), n=n, B=Const(256))


@triton.jit
def math_kernel(x, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=1.0)
    p = o + i
    m = i < n
    tl.store(p, tl.exp(-v), mask=m)
    tl.store(p + n, tl.log(v), mask=m)
    tl.store(p + 2 * n, tl.sin(v) * tl.cos(v), mask=m)
    tl.store(p + 3 * n, tl.rsqrt(v), mask=m)
    tl.store(p + 4 * n, libdevice.tanh(v), mask=m)
    tl.store(p + 5 * n, libdevice.pow(v, 1.7), mask=m)
    tl.store(p + 6 * n, tl.sqrt_rn(v), mask=m)
    tl.store(p + 7 * n, tl.div_rn(1.0, v), mask=m)
    tl.store(p + 8 * n, libdevice.atan2(v, 2.0 - v), mask=m)
    tl.store(p + 9 * n, libdevice.fmod(v, 0.37), mask=m)
    tl.store(p + 10 * n, tl.floor(v * 3) + tl.ceil(v * 5), mask=m)


@case()
def math_functions():
    n = 300
    x = np.random.uniform(0.01, 20, n).astype(np.float32)
    x[:4] = 1000, 1e-3, 1e6, 3e8  # the last two take the slow reduction of sin and cos
    v = x.astype(np.float64)
    third, fifth = (x * np.float32(3)).astype(np.float32), (x * np.float32(5)).astype(np.float32)
    want = np.stack([
        np.exp(-v), np.log(v), np.sin(v) * np.cos(v), 1 / np.sqrt(v), np.tanh(v), v**np.float32(1.7), np.sqrt(v), 1 / v,
        np.arctan2(v, 2 - v), np.fmod(v, np.float64(np.float32(0.37))), np.floor(third) + np.ceil(fifth),
    ]).astype(np.float32)
    return math_kernel, (3,), dict(x=Buffer(x), o=out(want, rtol=2e-6, atol=4e-7), n=n, B=Const(128))


@triton.jit
def double_kernel(x, y, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    a, b = tl.load(x + i, mask=m, other=1.0), tl.load(y + i, mask=m, other=1.0)
    tl.store(o + i, tl.fma(a, b, a / b) + tl.sqrt(tl.abs(a)) - tl.exp(b), mask=m)


@case(contains=("fma.rn.f64", "div.rn.f64"))
def double_precision():
    n = 200
    x, y = np.random.randn(2, n)
    want = x * y + x / y + np.sqrt(np.abs(x)) - np.exp(y)
    return double_kernel, (1,), dict(x=Buffer(x), y=Buffer(y), o=out(want, rtol=1e-13, atol=1e-13), n=n, B=Const(256))


@triton.jit
def integer_kernel(x, y, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    a, b = tl.load(x + i, mask=m), tl.load(y + i, mask=m, other=1)
    p = o + i
    tl.store(p, a // b, mask=m)
    tl.store(p + n, a % b, mask=m)
    tl.store(p + 2 * n, tl.umulhi(a.to(tl.uint32), b.to(tl.uint32)).to(tl.int32), mask=m)
    tl.store(p + 3 * n, (a << (b & 31)) ^ (a >> (b & 7)), mask=m)
    tl.store(p + 4 * n, ((a.to(tl.int64) * b) % 1000003).to(tl.int32), mask=m)
    tl.store(p + 5 * n, tl.maximum(a, b) - tl.minimum(a, b), mask=m)
    tl.store(p + 6 * n, (a.to(tl.uint32) // b.to(tl.uint32)).to(tl.int32), mask=m)
    tl.store(p + 7 * n, libdevice.clz(a) * 64 + libdevice.popc(b), mask=m)
    tl.store(p + 8 * n, libdevice.brev(a) + libdevice.mulhi(a, b), mask=m)
    tl.store(p + 9 * n, (a.to(tl.int8) + b.to(tl.int16)).to(tl.int32), mask=m)
    tl.store(p + 10 * n, tl.where((a < b) & (a > 0), a, ~b), mask=m)


@case()
def integers():
    n = 500
    x = np.random.randint(-2**31, 2**31, n).astype(np.int32)
    y = np.random.randint(-2**31, 2**31, n).astype(np.int32)
    y[::2] = np.random.randint(1, 100, len(y[::2]))
    y[y == 0] = 7
    a, b = x.astype(object), y.astype(object)
    u = lambda v: np.array([k & 0xFFFFFFFF for k in v], object)
    trunc = np.array([abs(p) // abs(q) * (1 if (p < 0) == (q < 0) else -1) for p, q in zip(a, b)], object)
    product = a * b
    rem = lambda p, q: abs(p) % q * (-1 if p < 0 else 1)
    rows = [
        trunc, a - trunc * b, u(a) * u(b) >> 32,
        [(p << (q & 31)) ^ (p >> (q & 7)) for p, q in zip(a, b)],
        [rem(p, 1000003) for p in product], [max(p, q) - min(p, q) for p, q in zip(a, b)],
        u(a) // u(b), [(32 - p.bit_length()) * 64 + q.bit_count() for p, q in zip(u(a), u(b))],
        [int(f"{p:032b}"[::-1], 2) + (q >> 32) for p, q in zip(u(a), product)],
        (x.astype(np.int8).astype(np.int16) + y.astype(np.int16)).tolist(),
        [p if 0 < p < q else ~q for p, q in zip(a, b)],
    ]
    want = np.array([[int(k) & 0xFFFFFFFF for k in row] for row in rows], np.uint32).view(np.int32)
    return integer_kernel, (2,), dict(x=Buffer(x), y=Buffer(y), o=out(want), n=n, B=Const(256))


@triton.jit
def convert_kernel(x, half, brain, eight, back, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i)
    tl.store(half + i, v.to(tl.float16))
    tl.store(brain + i, v.to(tl.bfloat16))
    e = v.to(tl.float8e4nv)
    tl.store(eight + i, e)
    tl.store(back + i, e.to(tl.float32))


@case(targets=("sm_90", "sm_100"), contains=("e4m3x2",))
def conversions():
    x = (np.random.randn(512) * np.exp(np.random.uniform(-8, 5, 512))).astype(np.float32)
    eight = to_e4m3(x)
    return convert_kernel, (2,), dict(
        x=Buffer(x), half=out(x.astype(np.float16)), brain=out(bf16(x), dtype="bf16"), eight=out(eight, dtype="f8e4m3"),
        back=out(e4m3_values()[eight].astype(np.float32)), B=Const(256))


@triton.jit
def mandelbrot_kernel(o, width, limit, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    cr = (i % width) * (3.0 / 32) - 2.0
    ci = (i // width) * (2.0 / 16) - 1.0
    zr = tl.zeros((B,), tl.float32)
    zi = tl.zeros((B,), tl.float32)
    count = tl.zeros((B,), tl.int32)
    k = 0
    while (k < limit) & (tl.max((zr * zr + zi * zi < 4).to(tl.int32)) > 0):
        inside = zr * zr + zi * zi < 4
        nr = zr * zr - zi * zi + cr
        zi = tl.where(inside, 2 * zr * zi + ci, zi)
        zr = tl.where(inside, nr, zr)
        count += inside.to(tl.int32)
        k += 1
    tl.store(o + i, count)


@case(enable_fp_fusion=False)
def mandelbrot():
    i = np.arange(512)
    cr, ci = (i % 32 * (3 / 32) - 2).astype(np.float32), (i // 32 * (2 / 16) - 1).astype(np.float32)
    zr, zi, count = np.zeros_like(cr), np.zeros_like(cr), np.zeros(512, np.int32)
    for _ in range(40):
        inside = zr * zr + zi * zi < 4
        nr = zr * zr - zi * zi + cr
        zi = np.where(inside, 2 * zr * zi + ci, zi)
        zr = np.where(inside, nr, zr)
        count += inside
    return mandelbrot_kernel, (4,), dict(o=out(count), width=32, limit=40, B=Const(128))


@triton.jit
def dropout_kernel(x, o, n, p, seed, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    keep = tl.rand(seed, i) > p
    v = tl.load(x + i, mask=i < n)
    tl.store(o + i, tl.where(keep, v / (1 - p), 0.0), mask=i < n)


def philox(seed, offsets):
    """The first word of Philox 4x32-10 (Salmon et al., SC 2011) for each offset."""
    c = [offsets.astype(np.uint64)] + [np.zeros_like(offsets, np.uint64) for _ in range(3)]
    k0, k1 = seed & 0xFFFFFFFF, seed >> 32
    low = np.uint64(0xFFFFFFFF)
    for _ in range(10):
        a, b = c[2] * np.uint64(0xCD9E8D57), c[0] * np.uint64(0xD2511F53)
        c = [(a >> np.uint64(32)) ^ c[1] ^ np.uint64(k0), a & low, (b >> np.uint64(32)) ^ c[3] ^ np.uint64(k1), b & low]
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return c[0].astype(np.uint32)


@case()
def dropout():
    n, p, seed = 900, 0.25, 1234
    x = np.random.randn(n).astype(np.float32)
    bits = philox(seed, np.arange(n)).view(np.int32)
    u = np.where(bits < 0, -bits - 1, bits).astype(np.float32) * np.float32(4.6566127342e-10)
    want = np.where(u > np.float32(p), x / np.float32(1 - p), np.float32(0))
    return dropout_kernel, (4,), dict(x=Buffer(x), o=out(want, rtol=3e-7), n=n, p=p, seed=seed, B=Const(256))


@triton.jit
def rope_kernel(x, o, H, D: tl.constexpr):
    row = tl.program_id(0)
    head = tl.program_id(1)
    k = tl.arange(0, D // 2)
    angle = row * tl.exp2(-13.287712379549449 * k / (D // 2))
    p = (row * H + head) * D + k
    a, b = tl.load(x + p), tl.load(x + p + D // 2)
    tl.store(o + p, a * tl.cos(angle) - b * tl.sin(angle))
    tl.store(o + p + D // 2, b * tl.cos(angle) + a * tl.sin(angle))


@case()
def rotary_embedding():
    rows, heads, d = 9, 3, 64
    x = np.random.randn(rows, heads, d).astype(np.float32)
    angle = np.arange(rows)[:, None, None] * 10000.0 ** (-np.arange(d // 2) / (d // 2))
    a, b = x[..., : d // 2], x[..., d // 2:]
    want = np.concatenate([a * np.cos(angle) - b * np.sin(angle), b * np.cos(angle) + a * np.sin(angle)], axis=-1)
    return rope_kernel, (rows, heads), dict(x=Buffer(x), o=out(want.astype(np.float32), atol=1e-5), H=heads, D=Const(d))


@triton.jit
def stencil_kernel(x, w, o, H, W, B: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, B)
    acc = tl.zeros((B,), tl.float32)
    for dy in tl.static_range(3):
        for dx in tl.static_range(3):
            y, z = r + dy - 1, c + dx - 1
            inside = (y >= 0) & (y < H) & (z >= 0) & (z < W)
            acc += tl.load(w + dy * 3 + dx) * tl.load(x + y * W + z, mask=inside, other=0.0)
    tl.store(o + r * W + c, acc, mask=c < W)


@case()
def stencil_3x3():
    h, wd = 12, 100
    x, w = np.random.randn(h, wd).astype(np.float32), np.random.randn(3, 3).astype(np.float32)
    p = np.pad(x, 1).astype(np.float64)
    want = sum(w[i, j] * p[i:i + h, j:j + wd] for i in range(3) for j in range(3)).astype(np.float32)
    return stencil_kernel, (h,), dict(x=Buffer(x), w=Buffer(w), o=out(want, atol=2e-6), H=h, W=wd, B=Const(128))
