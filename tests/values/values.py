"""The values that operations are tried on: zeros, the ends of the ranges, neighbours of powers of two, ties, and a few ordinary numbers."""

from fractions import Fraction as F

from exact import FLOATS, INTS, WIDE_INTS


def unique(xs):
    return list(dict.fromkeys(xs))


def float_values(f, numbers=("1/2", "3/2", "2", "5/2", "3", "1/10", "255/2", "65504", "355/113", "10000000000")):
    if f.width <= 8:
        return list(range(1 << f.width))
    unit = 1 << f.man
    one = f.encode((False, F(1)))
    mags = [f.pattern(False, m) for m in (0, 1, unit - 1, unit, unit + 1, f.top, f.inf, f.nan, f.inf | 1)]
    mags += [one, one + (1 << f.pad), one - (1 << f.pad)] + [f.encode((False, F(n))) for n in numbers]
    return unique(x for m in mags for x in (m, m | f.sign))


def int_values(w):
    if w <= 4:
        return list(range(1 << w))
    top = 1 << w
    xs = [0, 1, 2, 3, 5, 7, w - 1, w, w + 1, top - 1, top - 2, top - 7, top // 2, top // 2 + 1, top // 2 - 1, top // 2 - 2, top // 3, 2 * (top // 3),
          1 << (w // 2), (1 << (w // 2)) - 1]
    return unique(x % top for x in xs)


VALUES = {t: float_values(f) for t, f in FLOATS.items()} | {t: int_values(w) for t, w in WIDE_INTS.items()}


def single(t):
    """Values for operations of one operand, of which more can be tried."""
    if t not in FLOATS or FLOATS[t].width <= 8:
        return VALUES[t]
    f = FLOATS[t]
    numbers = ["1/3", "1/4", "3/4", "7/8", "9/10", "11/10", "7/2", "9/2", "4", "8", "10", "16", "88", "89", "103", "104", "127", "128", "129", "149", "150", "151",
               "355/226", "355/452", "1/1000", "1/100000", "1234567/1000", "8388607/2", "8388609", "11", "12", "20", "22", "87", "126", "700", "710", "711",
               "1022", "1024", "1074", "1075", "1/1024", "10/16777216", "255", "256", "4503599627370495/2", "22/7"]
    more = [f.encode((False, F(n))) for n in numbers] + [f.encode((False, F(2) ** k)) for k in (-140, -126, -60, -30, -14, -12, 30, 31, 32, 60, 63, 64, 120)]
    state = 12345
    for _ in range(24):  # some patterns without meaning
        state = (state * 6364136223846793005 + 1442695040888963407) % 2 ** 64
        more.append(state >> (64 - f.width) & ~((1 << f.pad) - 1) & ~f.sign)
    return unique(VALUES[t] + [x for m in more for x in (m, m | f.sign)])


def ties(source, target):
    """Source patterns at, just below and just above the middle between neighbours of the target format."""
    unit = 1 << target.man
    one = (target.bias << target.man) - (0 if target.zero else unit)
    out = []
    for m in (0, 1, unit - 1, unit, unit + 1, one, one + 1, one + unit - 1, target.top - 1, target.top):
        middle = (target.value_of(m) + target.value_of(m + 1)) / 2
        b = source.encode((False, middle))
        v = source.decode(b)
        if v is None or v[1] == "inf":
            continue
        out += [x | s for x in (b, max(b - (1 << source.pad), 0), b + (1 << source.pad)) for s in {0, source.sign}]
    return [b for b in out if b < 1 << source.width]


def float_sources(source, target):
    return unique(single(source) + ties(FLOATS[source], FLOATS[target]))


def int_sources(t, target):
    """Integers around the powers of two and around the ties of a float format."""
    w, p = INTS[t], FLOATS[target].man + 1
    xs = list(VALUES[t])
    for k in range(w + 1):
        xs += [(1 << k) - 1, 1 << k, (1 << k) + 1]
        half = k - p - 1  # of the last place of a number between 2^(k-1) and 2^k
        if half >= 0:
            for n in ((1 << k - 1), (1 << k - 1) + (2 << half), (1 << k) - (2 << half)):
                xs += [n + (1 << half), n + (1 << half) - 1, n + (1 << half) + 1]
    xs += [-x for x in xs]
    return unique(x % (1 << w) for x in xs)
