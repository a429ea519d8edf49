"""Operations that move or combine the elements of whole tiles.

The "text" of a line makes %r of the constants %a, %b, ..., whose elements are the lists "in"; $0 and $1 stand for its "types".
"""

import itertools
from fractions import Fraction as F
from functools import reduce as fold
from math import prod

import exact
from exact import BASE, FLOATS, INTS, WIDE_INTS, signed
from values import VALUES

out = []
EVERY = list(WIDE_INTS) + list(FLOATS)


def line(op, types, text, inputs, result):
    words = [" ".join(f"{v:x}" for v in l) for l in inputs]
    out.append({"op": op, "types": types, "text": text, "in": words, "out": " ".join(f"{v:x}" for v in result)})


class Tile:
    """Elements in row-major order."""

    def __init__(self, shape, data):
        self.shape, self.data = shape, list(data)
        assert prod(shape) == len(self.data)

    def index(self, i):
        return fold(lambda n, x: n * x[1] + x[0], zip(i, self.shape), 0)

    def at(self, *i):
        return self.data[self.index(i)]


def made(shape, f):
    return Tile(shape, [f(*i) for i in itertools.product(*map(range, shape))])


def some(t, *shape, seed=0):
    values = VALUES[t]
    return Tile(shape, [values[(i * 7 + seed) % len(values)] for i in range(prod(shape))])


def moves():
    for t in EVERY:
        a, b = some(t, 2, 4), some(t, 2, 4, seed=3)
        line("broadcast", [t], "%r = broadcast %a : tile<2x1x4x$0> -> tile<2x2x4x$0>", [a.data],
             made((2, 2, 4), lambda i, j, k: a.at(i, k)).data)
        line("broadcast", [t], "%r = broadcast %a : tile<8x1x$0> -> tile<8x4x$0>", [a.data], made((8, 4), lambda i, j: a.data[i]).data)
        line("reshape", [t], "%r = reshape %a : tile<2x4x$0> -> tile<2x2x2x$0>", [a.data], a.data)
        if t != "f4E2M1FN":  # of which tiles have pairs
            line("reshape", [t], "%r = reshape %a : tile<$0> -> tile<1x1x$0>", [a.data[1:2]], a.data[1:2])
        line("permute", [t], "%r = permute %a [1, 0] : tile<2x4x$0> -> tile<4x2x$0>", [a.data], made((4, 2), lambda i, j: a.at(j, i)).data)
        c = some(t, 2, 4, 8)
        line("permute", [t], "%r = permute %a [2, 0, 1] : tile<2x4x8x$0> -> tile<8x2x4x$0>", [c.data],
             made((8, 2, 4), lambda i, j, k: c.at(j, k, i)).data)
        line("cat", [t], "%r = cat %a, %b dim = 0 : tile<2x4x$0>, tile<2x4x$0> -> tile<4x4x$0>", [a.data, b.data], a.data + b.data)
        line("cat", [t], "%r = cat %a, %b dim = 1 : tile<2x4x$0>, tile<2x4x$0> -> tile<2x8x$0>", [a.data, b.data],
             made((2, 8), lambda i, j: a.at(i, j) if j < 4 else b.at(i, j - 4)).data)
        d, e = some(t, 4, 8), some(t, 2, 4, seed=5)
        index = "%i = constant <i32: 1> : tile<i32>\n"
        line("extract", [t], index + "%r = extract %a[%i, %i] : tile<4x8x$0> -> tile<2x2x$0>", [d.data],
             made((2, 2), lambda i, j: d.at(i + 2, j + 2)).data)
        line("insert", [t], index + "%r = insert %a, %b[%i, %i] : tile<2x4x$0>, tile<4x8x$0>", [e.data, d.data],
             made((4, 8), lambda i, j: e.at(i - 2, j - 4) if i >= 2 and j >= 4 else d.at(i, j)).data)
    for t, n in itertools.product(INTS, (2, 256, 512)):
        if n <= 1 << INTS[t]:
            line("iota", [t], f"%r = iota : tile<{n}x$0>", [], range(n))


def packing():
    for t in EVERY:
        width = FLOATS[t].width if t in FLOATS else WIDE_INTS[t]
        if width == 8:
            continue
        a = some(t, 16)
        whole = sum(x << (i * width) for i, x in enumerate(a.data))
        n = 16 * width // 8
        octets = list(whole.to_bytes(n, "little"))
        line("pack", [t], f"%r = pack %a : tile<16x$0> -> tile<{n}xi8>", [a.data], octets)
        line("unpack", [t], f"%r = unpack %a : tile<{n}xi8> -> tile<16x$0>", [octets], a.data)


def combine(t, body):
    """The Python function of a body, of patterns."""
    if t in FLOATS:
        f = FLOATS[t]
        return {"addf": lambda x, y: f.encode(exact.add(f.decode(x), f.decode(y))),
                "mulf": lambda x, y: f.encode(exact.mul(f.decode(x), f.decode(y))),
                "maxf": lambda x, y: x if exact.order(f.decode(x), f.decode(y)) > 0 else y,
                "minf": lambda x, y: x if exact.order(f.decode(x), f.decode(y)) < 0 else y}[body]
    w = INTS[t]
    return {"addi": lambda x, y: (x + y) % (1 << w), "muli": lambda x, y: x * y % (1 << w), "andi": lambda x, y: x & y,
            "ori": lambda x, y: x | y, "xori": lambda x, y: x ^ y, "maxi": lambda x, y: max(x, y, key=lambda v: signed(v, w)),
            "mini": lambda x, y: min(x, y)}[body]


IDENTITIES = {"addi": "0", "muli": "1", "andi": "-1", "ori": "0", "xori": "0", "maxi": "0", "mini": "-1"}
FLAGS = {"maxi": " signed", "mini": " unsigned"}


def reductions():
    for t in BASE:
        f = FLOATS[t]
        # Sums and products of these are exact in every order.
        exactly = [f.encode((n < 0, abs(F(n)))) for n in (1, -2, F(1, 2), 3, -4, 2, 1, -F(3, 2))]
        powers = [f.encode((n < 0, abs(F(n)))) for n in (1, -2, F(1, 2), 2, -4, 2, 1, -F(1, 4))]
        for body, values in (("addf", exactly), ("mulf", powers), ("maxf", exactly), ("minf", exactly)):
            aggregate(t, body, "1.0" if body == "mulf" else "0.0", values)
    for t in INTS:
        for body in ("addi", "muli", "andi", "ori", "xori", "maxi", "mini"):
            aggregate(t, body, IDENTITIES[body], VALUES[t])
    for t in EVERY:
        if t != "f4E2M1FN":  # they are moved, but nothing is computed of them
            choices(t)


def aggregate(t, body, identity, values):
    """Along each of the three dimensions. What the identity is does not matter to rows of numbers."""
    shape = (2, 4, 8)
    a = Tile(shape, [values[(i * 5 + i // 8) % len(values)] for i in range(64)])
    g = combine(t, body)
    region = f"(%x: tile<$0>, %y: tile<$0>) {{ %z = {body} %x, %y{FLAGS.get(body, '')} : tile<$0> yield %z : tile<$0> }}"
    write(t, a, identity, region, g)


def choices(t):
    """Bodies that yield one of their arguments: the first or the last element, of any type."""
    a = some(t, 2, 4, 8)
    identity = "0" if t in WIDE_INTS else "1.0"
    for arg, g in (("%x", lambda x, y: x), ("%y", lambda x, y: y)):
        write(t, a, identity, f"(%x: tile<$0>, %y: tile<$0>) {{ yield {arg} : tile<$0> }}", g)


def write(t, a, identity, region, g):
    whole = "x".join(map(str, a.shape)) + "x$0"
    for dim in range(3):
        rest = [n for i, n in enumerate(a.shape) if i != dim]

        def row(*i):
            return [a.at(*i[:dim], k, *i[dim:]) for k in range(a.shape[dim])]
        shape = "x".join(map(str, rest)) + "x$0"
        line("reduce", [t], f"%r = reduce %a dim={dim} identities=[{identity} : $0] : tile<{whole}> -> tile<{shape}> {region}", [a.data],
             made(rest, lambda *i: fold(g, row(*i))).data)
        for reverse in (False, True):
            def prefix(*i):
                r = row(*i[:dim], *i[dim + 1:])
                r = r[:i[dim] - 1 if i[dim] else None:-1] if reverse else r[:i[dim] + 1]
                return fold(g, r)
            line("scan", [t], f"%r = scan %a dim={dim} reverse={str(reverse).lower()} identities=[{identity} : $0] : "
                 f"tile<{whole}> -> tile<{whole}> {region}", [a.data], made(a.shape, prefix).data)


ACCUMULATORS = {"f8E4M3FN": ["f16", "f32"], "f8E5M2": ["f16", "f32"], "f16": ["f16", "f32"], "bf16": ["f32"], "tf32": ["f32"], "f32": ["f32"],
                "f64": ["f64"]}


def numbers(t, n, seed, values=(1, -2, F(1, 2), 3, -F(3, 2), 0, 4, -1, 6, -F(1, 4))):
    f = FLOATS[t]
    return [f.encode((v < 0, abs(F(v)))) for v in (values[(i * 3 + i // 7 + seed) % len(values)] for i in range(n))]


def total(f, terms, start):
    return f.encode(fold(exact.add, [exact.mul(*x) for x in terms], start))


def products():
    for t, accs in ACCUMULATORS.items():
        f = FLOATS[t]
        for acc in accs:
            g = FLOATS[acc]
            a, b, c = numbers(t, 32, 0), numbers(t, 16, 4), numbers(acc, 8, 2)
            mmaf(f, g, (a, b, c), 4, 8, 2)
            special = list(a)
            special[3], special[9], special[17] = f.pattern(False, f.nan), f.pattern(True, f.inf or f.top), f.pattern(False, 1)
            mmaf(f, g, (special, b, numbers(acc, 8, 1)), 4, 8, 2)
            a, b, c = numbers(t, 32, 3), numbers(t, 16, 6), numbers(acc, 16, 5)
            text = "%r = mmaf %a, %b, %c : tile<2x4x4x$0>, tile<2x4x2x$0>, tile<2x4x2x$1>"
            A, B = Tile((2, 4, 4), a), Tile((2, 4, 2), b)
            C = Tile((2, 4, 2), c)
            line("mmaf", [t, acc], text, [a, b, c], made((2, 4, 2), lambda n, i, j: total(
                g, [(f.decode(A.at(n, i, k)), f.decode(B.at(n, k, j))) for k in range(4)], g.decode(C.at(n, i, j)))).data)


def mmaf(f, g, operands, m, k, n):
    a, b, c = operands
    A, B, C = Tile((m, k), a), Tile((k, n), b), Tile((m, n), c)
    want = made((m, n), lambda i, j: total(g, [(f.decode(A.at(i, x)), f.decode(B.at(x, j))) for x in range(k)], g.decode(C.at(i, j)))).data
    for fast in ("", " fast_acc"):
        line("mmaf", [f.name, g.name], f"%r = mmaf %a, %b, %c{fast} : tile<{m}x{k}x$0>, tile<{k}x{n}x$0>, tile<{m}x{n}x$1>", [a, b, c], want)


def integer_products():
    a, b = some("i8", 4, 8), some("i8", 8, 2, seed=4)
    c = some("i32", 4, 2)
    for s, u in itertools.product(("signed", "unsigned"), repeat=2):
        def element(i, j):
            terms = [(signed(x, 8) if s == "signed" else x) * (signed(y, 8) if u == "signed" else y)
                     for x, y in ((a.at(i, k), b.at(k, j)) for k in range(8))]
            return (sum(terms) + c.at(i, j)) % (1 << 32)
        line("mmai", ["i8", "i32"], f"%r = mmai %a, %b, %c {s} {u} : tile<4x8x$0>, tile<8x2x$0>, tile<4x2x$1>", [a.data, b.data, c.data],
             made((4, 2), element).data)


def scaled_products():
    g = FLOATS["f32"]
    for t, scale, block in (("f8E4M3FN", "f8E8M0FNU", 32), ("f8E5M2", "f8E8M0FNU", 32), ("f4E2M1FN", "f8E8M0FNU", 32),
                            ("f4E2M1FN", "f8E8M0FNU", 16), ("f4E2M1FN", "f8E4M3FN", 16),
                            ("f4E2M1FN", "fnv8E5M3FNU", 32), ("f4E2M1FN", "fnv8E5M3FNU", 16)):
        f, s = FLOATS[t], FLOATS[scale]
        k = 2 * block
        small = (1, -2, F(1, 2), 3, -F(3, 2), 0, 4, -1, 6)
        A, B = Tile((2, k), numbers(t, 2 * k, 0, small)), Tile((k, 4), numbers(t, 4 * k, 5, small))
        C = Tile((2, 4), numbers("f32", 8, 2))
        SA, SB = Tile((2, 2), numbers(scale, 4, 0, (1, 2, F(1, 4), 8))), Tile((2, 4), numbers(scale, 8, 1, (F(1, 2), 4, 1)))

        def element(i, j):
            terms = [(exact.mul(f.decode(A.at(i, x)), s.decode(SA.at(i, x // block))),
                      exact.mul(f.decode(B.at(x, j)), s.decode(SB.at(x // block, j)))) for x in range(k)]
            return total(g, terms, g.decode(C.at(i, j)))
        line("mmaf_scaled", [t, scale], f"%r = mmaf_scaled %a, %b, %c, %d, %e : tile<2x{k}x$0>, tile<{k}x4x$0>, tile<2x4xf32>, "
             "tile<2x2x$1>, tile<2x4x$1>", [A.data, B.data, C.data, SA.data, SB.data], made((2, 4), element).data)


def lines():
    moves()
    packing()
    reductions()
    products()
    integer_products()
    scaled_products()
    return out
