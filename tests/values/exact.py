"""Element types of Tile IR in exact arithmetic: integers and fractions only.

A float is None (NaN), or a pair (negative, magnitude) whose magnitude is a Fraction or INF.
"""

from fractions import Fraction as F
from math import isqrt

INF = "inf"


class Float:
    """A floating-point format: patterns, values, and rounding by comparison with neighbouring values."""

    def __init__(self, name, exp, man, bias=None, pad=0, signed=True, zero=True, inf=None, nan=None, top=None):
        self.name, self.exp, self.man, self.pad, self.signed, self.zero = name, exp, man, pad, signed, zero
        self.bias = (1 << (exp - 1)) - 1 if bias is None else bias
        ieee = top is None
        self.inf = ((1 << exp) - 1) << man if ieee else inf  # magnitude pattern, None: no infinity
        self.nan = self.inf | 1 << (man - 1) if ieee else nan  # None: no NaN
        self.top = self.inf - 1 if ieee else top  # the largest finite magnitude
        self.saturates = not ieee  # conversions to the small formats have no other form in PTX
        self.width = exp + man + pad + (1 if signed else 0)
        self.sign = 1 << (self.width - 1) if signed else 0

    def pattern(self, neg, magnitude):
        return magnitude << self.pad | (self.sign if neg else 0)

    def canonical_nan(self):
        """The canonical NaN; a format without one takes its largest number, as the PTX conversion does."""
        return self.pattern(False, self.top if self.nan is None else self.nan)

    def value_of(self, m):
        """The value of a finite magnitude pattern."""
        e, frac = m >> self.man, m & ((1 << self.man) - 1)
        if e == 0 and self.zero:
            return F(frac) * F(2) ** (1 - self.bias - self.man)
        return F((1 << self.man) + frac) * F(2) ** (e - self.bias - self.man)

    def decode(self, bits):
        neg = bool(bits & self.sign)
        m = bits >> self.pad & ((1 << (self.exp + self.man)) - 1)
        if m <= self.top:
            return neg, self.value_of(m)
        return (neg, INF) if m == self.inf else None

    def subnormal(self, bits):
        m = bits >> self.pad & ((1 << (self.exp + self.man)) - 1)
        return self.zero and 0 < m < 1 << self.man

    def flush(self, bits):
        return bits & self.sign if self.subnormal(bits) else bits

    def below(self, mag):
        """The largest magnitude pattern whose value is not above mag, with the range of exponents unbounded upwards; -1 if there is none."""
        e = floor_log2(mag) if mag else -(10**6)
        lowest = 1 - self.bias if self.zero else -self.bias
        if e < lowest:
            if not self.zero:
                return -1
            e = lowest
        n = int(mag / F(2) ** (e - self.man))
        if e == lowest and self.zero:
            return n
        return ((e + self.bias) << self.man) + n - (1 << self.man)

    def encode(self, v, mode="nearest_even"):
        if v is None:
            return self.canonical_nan()
        neg, mag = v
        neg = neg and self.signed
        if mag == INF:
            return self.pattern(neg, self.top if self.saturates else self.inf)
        lo = self.below(mag)
        if lo < 0:
            return self.pattern(neg, 0)
        x, y = self.value_of(lo), self.value_of(lo + 1)
        away = {"nearest_even": mag - x > y - mag or (mag - x == y - mag and lo & 1), "zero": False, "negative_inf": neg and mag > x,
                "positive_inf": not neg and mag > x, "nearest_away": mag - x >= y - mag}[mode]
        m = lo + 1 if away else lo
        if m > self.top:
            stays = mode == "zero" or mode == "negative_inf" and not neg or mode == "positive_inf" and neg
            m = self.top if self.saturates or stays else self.inf
        return self.pattern(neg, m)


def floor_log2(x):
    e = x.numerator.bit_length() - x.denominator.bit_length()
    return e if F(2) ** e <= x else e - 1


FLOATS = {f.name: f for f in [
    Float("f16", 5, 10), Float("bf16", 8, 7), Float("tf32", 8, 10, pad=13), Float("f32", 8, 23), Float("f64", 11, 52),
    Float("f8E4M3FN", 4, 3, bias=7, nan=0x7F, top=0x7E), Float("f8E5M2", 5, 2, bias=15, inf=0x7C, nan=0x7F, top=0x7B),
    Float("f8E8M0FNU", 8, 0, bias=127, signed=False, zero=False, nan=0xFF, top=0xFE), Float("f4E2M1FN", 2, 1, bias=1, top=7),
    Float("fnv8E5M3FNU", 5, 3, bias=15, signed=False, nan=0xFF, top=0xFE)]}
BASE = ["f16", "bf16", "f32", "f64"]
INTS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
WIDE_INTS = {"i1": 1, "i4": 4, "i8": 8, "i16": 16, "i32": 32, "i64": 64}


def signed(bits, w):
    return bits - (1 << w) if bits >> (w - 1) else bits


def root(mag):
    """The square root of a fraction with a power of two as denominator: exact, or with something below its last bit that breaks ties."""
    k = 2400
    n = mag * F(2) ** (2 * k)
    assert n.denominator == 1
    s = isqrt(n.numerator)
    return F(2 * s + (1 if s * s != n else 0), 2) / F(2) ** k


def add(a, b, mode="nearest_even"):
    """The exact sum, with the sign that a zero has in a rounding mode."""
    if a is None or b is None:
        return None
    if INF in (a[1], b[1]):
        if a[1] == b[1]:
            return a if a[0] == b[0] else None
        return a if a[1] == INF else b
    x = (-a[1] if a[0] else a[1]) + (-b[1] if b[0] else b[1])
    if x == 0:
        return (a[0] if a[0] == b[0] else mode == "negative_inf"), F(0)
    return x < 0, abs(x)


def mul(a, b):
    if a is None or b is None:
        return None
    neg = a[0] != b[0]
    if INF in (a[1], b[1]):
        return None if 0 in (a[1], b[1]) else (neg, INF)
    return neg, a[1] * b[1]


def div(a, b):
    if a is None or b is None:
        return None
    neg = a[0] != b[0]
    if a[1] == INF:
        return None if b[1] == INF else (neg, INF)
    if b[1] == INF:
        return neg, F(0)
    if b[1] == 0:
        return None if a[1] == 0 else (neg, INF)
    return neg, a[1] / b[1]


def rem(a, b):
    if a is None or b is None or a[1] == INF or b[1] == 0:
        return None
    if b[1] == INF:
        return a
    return a[0], a[1] % b[1]


def sqrt(a):
    if a is None or a[0] and a[1] != 0:
        return None
    return a if a[1] in (0, INF) else (False, root(a[1]))


def order(a, b):
    """-1, 0 or 1 of numbers that are no NaN; zeros are equal."""
    def key(v):
        big = F(10) ** 400 if v[1] == INF else v[1]
        return -big if v[0] else big
    x, y = key(a), key(b)
    return (x > y) - (x < y)
