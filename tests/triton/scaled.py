"""Kernels around tl.dot_scaled: products of 8-bit and 4-bit floats with a scale factor for each block along K.

For sm_100 Triton multiplies with tcgen05.mma of the block-scaled kinds, for sm_120 with mma.sync of the same; for older
targets it scales the operands itself and multiplies bfloat16.
"""

import numpy as np
import triton
import triton.language as tl

from cases import Buffer, Const, Descriptor, bf16, case, e2m1_values, e4m3_values, e5m2_values, from_bf16, out

VALUES = {"e4m3": e4m3_values(), "e5m2": e5m2_values(), "e2m1": e2m1_values()}
EVERY = ("sm_80", "sm_90", "sm_100", "sm_120")
E4M3 = ("sm_90", "sm_100", "sm_120")  # Triton has no e4m3 for sm_80


def mma(sm_100, sm_120="bf16.bf16.f32"):
    """What the PTX must contain: the MMAs of the operands as they are, where Triton makes such, else of bfloat16."""
    return {"sm_80": ("mma.sync",), "sm_90": ("wgmma.mma_async",), "sm_100": ("tcgen05.mma.cta_group::1.kind::" + sm_100,),
            "sm_120": (sm_120,)}


@triton.jit
def scaled_kernel(a, b, sa, sb, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, FA: tl.constexpr,
                  FB: tl.constexpr, VA: tl.constexpr, VB: tl.constexpr):
    """VA and VB are the elements of a scale factor, 0 without factors."""
    pa: tl.constexpr = 2 if FA == "e2m1" else 1
    pb: tl.constexpr = 2 if FB == "e2m1" else 1
    rm, rn = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        ra, rb = k // pa + tl.arange(0, BK // pa), k // pb + tl.arange(0, BK // pb)
        av = tl.load(a + rm[:, None] * (K // pa) + ra[None, :])
        bv = tl.load(b + rn[None, :] * (K // pb) + rb[:, None])
        if VA != 0:
            fa = tl.load(sa + rm[:, None] * (K // VA) + (k // VA + tl.arange(0, BK // VA))[None, :])
        else:
            fa = None
        if VB != 0:
            fb = tl.load(sb + rn[:, None] * (K // VB) + (k // VB + tl.arange(0, BK // VB))[None, :])
        else:
            fb = None
        acc = tl.dot_scaled(av, fa, FA, bv, fb, FB, acc)
    tl.store(c + rm[:, None] * N + rn[None, :], acc)


def operand(rows, k, form):
    """Random elements: what is stored, its type, and the values."""
    if form == "bf16":
        stored = bf16(np.random.randn(rows, k))
        return Buffer(stored, dtype="bf16"), from_bf16(stored).astype(np.float64)
    if form == "e2m1":
        codes = np.random.randint(0, 16, (rows, k))
        return Buffer((codes[:, 0::2] | codes[:, 1::2] << 4).astype(np.uint8)), VALUES[form][codes]
    # All but the largest exponents, so that no sum is lost in a single product.
    codes = np.random.randint(0, 0x50, (rows, k)) + 128 * np.random.randint(0, 2, (rows, k))
    return Buffer(codes.astype(np.uint8), dtype="f8" + form), VALUES[form][codes]


def factors(rows, k, form):
    """Random scale factors, none of them like their neighbours: what is stored, the elements of each, and the values."""
    if form is None:
        return Buffer(np.zeros(1, np.uint8)), 0, 1.0
    if form == "ue8m0":
        codes, vec = np.random.randint(123, 132, (rows, k // 32)).astype(np.uint8), 32
        return Buffer(codes), vec, np.repeat(2.0 ** (codes - 127.0), vec, axis=1)
    codes, vec = np.random.randint(0x28, 0x48, (rows, k // 16)).astype(np.uint8), 16
    return Buffer(codes, dtype="f8e4m3"), vec, np.repeat(VALUES["e4m3"][codes], vec, axis=1)


def scaled(fa, fb, sa="ue8m0", sb="ue8m0", shape=(128, 128, 256), block=(128, 128, 128)):
    (m, n, k), (bm, bn, bk) = shape, block
    a, av = operand(m, k, fa)
    b, bv = operand(n, k, fb)
    stored_a, va, scale_a = factors(m, k, sa)
    stored_b, vb, scale_b = factors(n, k, sb)
    x, y = av * scale_a, bv * scale_b
    want = (x @ y.T).astype(np.float32)
    atol = 1e-5 * float((np.abs(x) @ np.abs(y).T).max())
    return scaled_kernel, (m // bm, n // bn), dict(
        a=a, b=b, sa=stored_a, sb=stored_b, c=out(want, rtol=1e-5, atol=atol), M=m, N=n, K=k, BM=Const(bm), BN=Const(bn),
        BK=Const(bk), FA=Const(fa), FB=Const(fb), VA=Const(va), VB=Const(vb))


MX8 = "kind::mxf8f6f4.block_scale.scale_vec::1X.f32."


@case(targets=E4M3, contains=mma("mxf8f6f4.block_scale.block32", MX8 + "e4m3.e4m3.f32.ue8m0"))
def scaled_e4m3():
    return scaled("e4m3", "e4m3")


@case(targets=E4M3, contains=mma("mxf8f6f4.block_scale.block32", MX8 + "e5m2.e4m3.f32.ue8m0"))
def scaled_e5m2_e4m3():
    """Blocks so small that the scale factors of an instruction take half of a register of TMEM."""
    return scaled("e5m2", "e4m3", shape=(128, 64, 128), block=(128, 64, 64))


@case(targets=EVERY, contains=mma("mxf4.block_scale.block32", "kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0"))
def scaled_e2m1():
    return scaled("e2m1", "e2m1")


@case(targets=E4M3, contains=mma("mxf8f6f4.block_scale.block32"))
def scaled_e4m3_e2m1():
    return scaled("e4m3", "e2m1")


@case(targets=EVERY, contains=mma("mxf8f6f4.block_scale.block32"))
def scaled_e2m1_e5m2():
    return scaled("e2m1", "e5m2")


@case(targets=E4M3, contains=mma("mxf4nvf4.block_scale.block16", "kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3"))
def scaled_nvfp4():
    return scaled("e2m1", "e2m1", "e4m3", "e4m3")


@case(targets=EVERY, contains=mma("f16"))
def scaled_bf16_e2m1():
    return scaled("bf16", "e2m1", None, "ue8m0", shape=(128, 128, 128), block=(128, 128, 64))


@case(targets=E4M3, contains=mma("f16"))
def scaled_one_side():
    return scaled("e4m3", "e5m2", None, "ue8m0")


@triton.jit
def scaled_descriptors_kernel(a, b, sa, sb, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, FA: tl.constexpr, FB: tl.constexpr,
                              PA: tl.constexpr, PB: tl.constexpr, VEC: tl.constexpr):
    """PA and PB are the elements in a byte. The scale factors are in memory in blocks of 128 rows and 4 factors, a row of
    512 each, which reach TMEM by tcgen05.cp."""
    m, n = tl.program_id(0), tl.program_id(1)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        fa = sa.load([0, m * (BM // 128), k // VEC // 4, 0, 0]).reshape(BM // 128, BK // VEC // 4, 32, 4, 4)
        fb = sb.load([0, n * (BN // 128), k // VEC // 4, 0, 0]).reshape(BN // 128, BK // VEC // 4, 32, 4, 4)
        fa = fa.trans(0, 3, 2, 1, 4).reshape(BM, BK // VEC)
        fb = fb.trans(0, 3, 2, 1, 4).reshape(BN, BK // VEC)
        acc = tl.dot_scaled(a.load([m * BM, k // PA]), fa, FA, b.load([n * BN, k // PB]).T, fb, FB, acc)
    c.store([m * BM, n * BN], acc)


def blocked(stored):
    """Scale factors in the order in which tcgen05.cp.32x128b takes them."""
    rows, columns = stored.data.shape
    data = stored.data.reshape(rows // 128, 4, 32, columns // 4, 4).transpose(0, 3, 2, 1, 4)
    return Buffer(data.reshape(1, rows // 128, columns // 4, 2, 256), dtype=stored.dtype)


def scaled_descriptors(fa, fb, form, shape=(128, 128, 384), block=(128, 128, 128)):
    (m, n, k), (bm, bn, bk) = shape, block
    pa, pb = (2 if f == "e2m1" else 1 for f in (fa, fb))
    a, av = operand(m, k, fa)
    b, bv = operand(n, k, fb)
    sa, vec, scale_a = factors(m, k, form)
    sb, _, scale_b = factors(n, k, form)
    x, y = av * scale_a, bv * scale_b
    c = out((x @ y.T).astype(np.float32), rtol=1e-5, atol=1e-5 * float((np.abs(x) @ np.abs(y).T).max()))
    return scaled_descriptors_kernel, (m // bm, n // bn), dict(
        a=Descriptor(a, (bm, bk // pa)), b=Descriptor(b, (bn, bk // pb)), sa=Descriptor(blocked(sa), (1, bm // 128, bk // vec // 4, 2, 256)),
        sb=Descriptor(blocked(sb), (1, bn // 128, bk // vec // 4, 2, 256)), c=Descriptor(c, (bm, bn)), K=k, BM=Const(bm), BN=Const(bn),
        BK=Const(bk), FA=Const(fa), FB=Const(fb), PA=Const(pa), PB=Const(pb), VEC=Const(vec))


COPIED = "tcgen05.cp.cta_group::1.warpx4.32x128b"


@case(targets=("sm_100",), contains=(COPIED, "kind::mxf8f6f4.block_scale"))
def scaled_descriptors_e5m2():
    return scaled_descriptors("e5m2", "e4m3", "ue8m0")


@case(targets=("sm_100",), contains=(COPIED, "kind::mxf8f6f4.block_scale"))
def scaled_descriptors_padded():
    """4-bit elements beside 8-bit ones: the copies of tensors spread them, eight bytes to sixteen."""
    return scaled_descriptors("e4m3", "e2m1", "ue8m0")


@case(targets=("sm_100",), contains=(COPIED, "kind::mxf4nvf4.block_scale"))
def scaled_descriptors_nvfp4():
    return scaled_descriptors("e2m1", "e2m1", "e4m3", shape=(128, 256, 768), block=(128, 256, 256))
