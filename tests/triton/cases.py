"""What a case is: a kernel, its arguments, and what numpy says it must compute."""

import numpy as np

CASES = []
ALL = ("sm_80", "sm_90", "sm_100")


class Buffer:
    """Device memory. `want` is what it must hold after the launch; without it nothing is asked of it."""

    def __init__(self, data, want=None, rtol=0.0, atol=0.0, dtype=None):
        self.data, self.rtol, self.atol = np.ascontiguousarray(data), rtol, atol
        self.want = None if want is None else np.ascontiguousarray(want)
        self.dtype = dtype or FROM_NUMPY[self.data.dtype.name]


def out(want, rtol=0.0, atol=0.0, dtype=None):
    """A buffer that the kernel fills: it starts as a pattern, so that an element that is not stored shows."""
    want = np.ascontiguousarray(want)
    start = np.full(want.nbytes, 0x5A, np.uint8).view(want.dtype).reshape(want.shape)
    return Buffer(start, want, rtol, atol, dtype)


class Descriptor:
    """A tensor descriptor of the host over a buffer of its own. Gluon's have a layout of shared memory. With `window`, (lower,
    upper, step) for each dimension but the first and last, it is one for im2col, whose block is of pixels and channels."""

    def __init__(self, buffer, block, layout=None, window=None):
        self.buffer, self.block, self.layout, self.window = buffer, block, layout, window


class Const:
    """A tl.constexpr argument."""

    def __init__(self, value):
        self.value = value


def case(targets=ALL, contains=(), peer="", **options):
    """Registers a function that returns (kernel, grid, arguments).

    `contains` lists what the PTX must contain, alone or by target: a case is there for the instructions it exercises.
    `peer` names a kernel of peers/, compiled by this project, which computes the same from the same arguments.
    The function is called once per target, after its name is seeded; it may take the target as its argument.
    """

    def register(make):
        CASES.append((make, targets, contains, peer, options))
        return make

    return register


def bf16(x):
    """Rounds to bfloat16, to nearest even; the result is its bits."""
    u = np.asarray(x, np.float32).view(np.uint32).astype(np.uint64)
    return ((u + 0x7FFF + ((u >> 16) & 1)) >> 16).astype(np.uint16)


def from_bf16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def tf32(x):
    """Rounds to 10 bits of fraction, which a tensor core can take as they are."""
    u = np.asarray(x, np.float32).view(np.uint32)
    return ((u + 0x1000) & np.uint32(0xFFFFE000)).view(np.float32)


def e4m3_values():
    """The value of every 8-bit pattern of the format with 4 exponent bits; two are NaN."""
    i = np.arange(256)
    e, m = (i >> 3) & 15, i & 7
    v = np.where(e == 0, m * 2.0**-9, (8 + m) * 2.0 ** (e - 10.0))
    v = np.where((i & 127) == 127, np.nan, v)
    return np.where(i < 128, v, -v)


def e5m2_values():
    """The value of every 8-bit pattern of the format with 5 exponent bits: the upper half of a binary16."""
    return (np.arange(256).astype(np.uint16) << 8).view(np.float16).astype(np.float64)


def e2m1_values():
    """The value of every 4-bit pattern."""
    half = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
    return np.concatenate([half, -half])


def to_e4m3(x):
    """Rounds to nearest even, with saturation; x is finite."""
    values = e4m3_values()[:127]
    a = np.clip(np.abs(x), 0, 448)[..., None]
    d = np.abs(values - a) + np.where(np.arange(127) % 2, 1e-12, 0)
    return (np.argmin(d, axis=-1) | np.where(np.signbit(x), 128, 0)).astype(np.uint8)


FROM_NUMPY = {
    "float16": "f16", "float32": "f32", "float64": "f64",
    "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
    "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
}
