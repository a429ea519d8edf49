"""Writes reference.jsonl.gz, what every operation that computes elements yields, from exact arithmetic.

    python3 make_reference.py

needs mpmath, and nothing of this project. The first line has the values of each type; each other one is of one operation with its
element types and attributes. Operands are the lists "in", or "from" every "step"-th combination of the values, of which the first operand changes
fastest. Results ("out") are patterns in hexadecimal, in run-length form x*n, or

    !    undefined behaviour, which is to be an error
    ?    an element whose value is not specified
    x!   undefined or unspecified by the specification; x is what the documentation of the interpreter promises
    x~   the exact value lies between x and the next larger magnitude; without ~, an elementary function is exactly x

Lines with "text" are of operations that move or combine elements; see shapes.py.
"""

import gzip
import itertools
import json
import os
from fractions import Fraction as F

import elementary
import exact
import shapes
from exact import BASE, FLOATS, INF, INTS, WIDE_INTS, signed
from values import VALUES, float_sources, int_sources, single

lines = []


def emit(op, types, attrs, inputs, compute, step=0, ulp=False):
    """Adds a line; inputs are lists of equal length, or types whose values are combined."""
    line = {"op": op, "types": types}
    if attrs:
        line["attrs"] = " ".join(sorted(attrs))
    if step:
        line["step"] = step
        lists = [VALUES[t] for t in types[:-1]]
        total = 1
        for l in lists:
            total *= len(l)
        rows = []
        for k in range(0, total, step):
            row = []
            for l in lists:
                row.append(l[k % len(l)])
                k //= len(l)
            rows.append(row)
    else:
        line["in"] = [text(types[i], l) for i, l in enumerate(inputs)]
        rows = list(zip(*inputs, strict=True))
    if ulp:
        line["ulp"] = True
    line["out"] = text(types[-1], [compute(*r) for r in rows])
    lines.append(line)


def text(t, values):
    words = [v if isinstance(v, str) else f"{v:x}" for v in values]
    out = []
    for w, group in itertools.groupby(words):
        n = len(list(group))
        out.append(w if n == 1 else f"{w}*{n}")
    return " ".join(out)


def flags(*sets):
    """All combinations of one of each set; an empty string stands for an absent attribute."""
    return [[a for a in combo if a] for combo in itertools.product(*sets)]


IEEE = ["nearest_even", "zero", "negative_inf", "positive_inf"]


def modes(t, *extra):
    return ["rounding_mode=" + m for m in IEEE + (list(extra) if t == "f32" else [])]


def ftz(t):
    return ["", "flush_to_zero"] if t == "f32" else [""]


def mode_of(attrs):
    m = [a.split("=")[1] for a in attrs if a.startswith("rounding")]
    return m[0] if m and m[0] in IEEE + ["nearest_away"] else "nearest_even"


def rounded(f, attrs, function):
    """The result of an operation that rounds once; function takes values and the mode."""
    def compute(*bits):
        if "flush_to_zero" in attrs:
            bits = [f.flush(b) for b in bits]
        r = f.encode(function(*[f.decode(b) for b in bits], mode_of(attrs)), mode_of(attrs))
        return f.flush(r) if "flush_to_zero" in attrs else r
    return compute


def bracket(f, attrs, function):
    """The neighbours of the result of an elementary function."""
    def compute(*args):
        if "flush_to_zero" in attrs:
            args = [f.flush(b) for b in args]
        v = function(*args)
        if v is None or v[1] == INF:
            return f.encode(v)
        if "flush_to_zero" in attrs and f.subnormal(f.encode(v)):
            return f.pattern(v[0], 0)
        m = f.below(v[1])
        if m > f.top:
            return f.pattern(v[0], f.inf)
        return f"{f.pattern(v[0], m):x}" + ("" if f.value_of(m) == v[1] else "~")
    return compute


def float_arithmetic():
    two = {"addf": exact.add, "subf": lambda a, b, m: exact.add(a, b and (not b[0], b[1]), m), "mulf": lambda a, b, m: exact.mul(a, b),
           "divf": lambda a, b, m: exact.div(a, b)}
    for t in BASE:
        f = FLOATS[t]
        for op, function in two.items():
            for attrs in flags(modes(t, *(["approx", "full"] if op == "divf" else [])), ftz(t)):
                emit(op, [t, t, t], attrs, None, rounded(f, attrs, function), step=1)
        emit("remf", [t, t, t], [], None, rounded(f, [], lambda a, b, m: exact.rem(a, b)), step=1)
        for attrs in flags(modes(t), ftz(t)):
            fma = rounded(f, attrs, lambda a, b, c, m: exact.add(exact.mul(a, b), c, m))
            emit("fma", [t] * 4, attrs, None, fma, step=61)
            one = f.encode((False, F(1)))
            close = [one, one + 1, one + 2, one - 1, f.encode((False, F(3))), 1 << f.man]
            rows = []
            for a, b in itertools.product(close, close):  # cancellation: what is left is the error of the rounded product
                p = exact.mul(f.decode(a), f.decode(b))
                for m in ("zero", "positive_inf"):
                    rows.append((a, b, f.encode(p, m) | f.sign))
                    rows.append((a | f.sign, b, f.encode(p, m)))
            emit("fma", [t] * 4, attrs, list(zip(*rows)), fma)
        for attrs in flags(modes(t, "approx"), ftz(t)):
            emit("sqrt", [t, t], attrs, [single(t)], rounded(f, attrs, lambda a, m: exact.sqrt(a)))
        emit("negf", [t, t], [], [single(t)], lambda x: x ^ f.sign)
        emit("absf", [t, t], [], [single(t)], lambda x: x & ~f.sign)
        for op, up in (("floor", False), ("ceil", True)):
            emit(op, [t, t], [], [single(t)], lambda x: f.encode(integral(f.decode(x), up)))
        for op, sign in (("maxf", 1), ("minf", -1)):
            for attrs in flags(["", "propagate_nan"], ftz(t)):
                emit(op, [t, t, t], attrs, None, extremum(f, sign, attrs), step=1)
        for i, p in enumerate(PREDICATES):
            for o in ("ordered", "unordered"):
                emit("cmpf", [t, t, "i1"], ["comparison_predicate=" + p, "comparison_ordering=" + o], None, compare_floats(f, p, o), step=1)


def integral(v, up):
    if v is None or v[1] == INF:
        return v
    n = int(v[1])
    return v[0], F(n + 1 if n != v[1] and v[0] != up else n)


PREDICATES = {"equal": [0], "not_equal": [-1, 1], "less_than": [-1], "less_than_or_equal": [-1, 0], "greater_than": [1],
              "greater_than_or_equal": [0, 1]}


def compare_floats(f, predicate, ordering):
    def compute(a, b):
        x, y = f.decode(a), f.decode(b)
        if x is None or y is None:
            return int(ordering == "unordered")
        return int(exact.order(x, y) in PREDICATES[predicate])
    return compute


def extremum(f, sign, attrs):
    def compute(a, b):
        if "flush_to_zero" in attrs:
            a, b = f.flush(a), f.flush(b)
        x, y = f.decode(a), f.decode(b)
        if x is None or y is None:
            if x is y or "propagate_nan" in attrs:
                return f.canonical_nan()
            return b if x is None else a
        o = exact.order(x, y) or y[0] - x[0]  # a positive zero is larger than a negative one
        return a if o * sign >= 0 else b
    return compute


def functions():
    for t in BASE:
        f = FLOATS[t]
        for op in elementary.UNARY:
            choices = [[]]
            if op in ("exp2", "rsqrt"):
                choices = flags(ftz(t))
            if op in ("exp", "tanh"):
                choices = flags(["rounding_mode=full"] + (["rounding_mode=approx"] if t == "f32" else []))
            for attrs in choices:
                emit(op, [t, t], attrs, [single(t)], bracket(f, attrs, lambda x: elementary.unary(op, f.decode(x))), ulp=True)
        emit("atan2", [t, t, t], [], None, bracket(f, [], lambda y, x: elementary.atan2(f.decode(y), f.decode(x))), step=1, ulp=True)
        emit("fpowf", [t, t, t], [], None, bracket(f, [], lambda x, y: elementary.power(f.decode(x), f.decode(y))), step=1, ulp=True)
        for i in ("i1", "i8", "i16", "i32"):
            def fpowi(x, n):
                k = signed(n, INTS[i])
                return elementary.power(f.decode(x), (k < 0, F(abs(k))))
            emit("fpowi", [t, i, t], [], None, bracket(f, [], fpowi), step=1, ulp=True)


OVERFLOWS = {"none": (), "no_signed_wrap": (True,), "no_unsigned_wrap": (False,), "no_wrap": (True, False)}


def read(x, w, as_signed):
    return signed(x, w) if as_signed else x


def keeping(w, to, promise, function):
    """An operation whose overflow clause promises that the exact result fits: without that, it is undefined."""
    def compute(*args):
        out = function(*args) % (1 << to)
        for s in OVERFLOWS[promise]:
            n = function(*[read(x, w, s) for x in args])
            low, high = (-(1 << to - 1), 1 << to - 1) if s else (0, 1 << to)
            if not low <= n < high:
                return f"{out:x}!"
        return out
    return compute


def integers():
    for t, w in INTS.items():
        top = 1 << w
        for p in OVERFLOWS:
            for op, function in {"addi": lambda a, b: a + b, "subi": lambda a, b: a - b, "muli": lambda a, b: a * b}.items():
                emit(op, [t, t, t], ["overflow=" + p], None, keeping(w, w, p, function), step=1)
            if p != "no_unsigned_wrap":
                emit("negi", [t, t], ["overflow=" + p], None, keeping_negation(w, p), step=1)

            def shift_left(a, b, p=p):
                if b >= w:
                    return "0!"
                return keeping(w, w, p, lambda x: x << b)(a)
            emit("shli", [t, t, t], ["overflow=" + p], None, shift_left, step=1)
        emit("absi", [t, t], [], None, lambda a: abs(signed(a, w)) % top, step=1)
        emit("mulhii", [t, t, t], [], None, lambda a, b: a * b >> w, step=1)
        emit("andi", [t, t, t], [], None, lambda a, b: a & b, step=1)
        emit("ori", [t, t, t], [], None, lambda a, b: a | b, step=1)
        emit("xori", [t, t, t], [], None, lambda a, b: a ^ b, step=1)
        for s in (True, False):
            sign = "signedness=" + ("signed" if s else "unsigned")
            emit("maxi", [t, t, t], [sign], None, lambda a, b: max(a, b, key=lambda x: read(x, w, s)), step=1)
            emit("mini", [t, t, t], [sign], None, lambda a, b: min(a, b, key=lambda x: read(x, w, s)), step=1)
            for p, holds in PREDICATES.items():
                def compare(a, b):
                    x, y = read(a, w, s), read(b, w, s)
                    return int((x > y) - (x < y) in holds)
                emit("cmpi", [t, t, "i1"], [sign, "comparison_predicate=" + p], None, compare, step=1)

            def shift_right(a, b):
                r = read(a, w, s) >> b % (1 << 16 if b < 64 else 64) if b < w else (read(a, w, s) >> w)
                return f"{r % top:x}!" if b >= w else r % top
            emit("shri", [t, t, t], [sign], None, shift_right, step=1)
            for mode in ("zero", "positive_inf") + (("negative_inf",) if s else ()):
                emit("divi", [t, t, t], [sign, "rounding=" + mode], None, quotient(w, s, mode), step=1)
            emit("remi", [t, t, t], [sign], None, remainder(w, s), step=1)


def keeping_negation(w, promise):
    def compute(a):
        out = -a % (1 << w)
        return f"{out:x}!" if promise != "none" and a == 1 << (w - 1) or promise == "no_wrap" and a else out
    return compute


def quotient(w, s, mode):
    def compute(a, b):
        x, y = read(a, w, s), read(b, w, s)
        if y == 0:
            return "!"
        q = F(x, y)
        n = {"zero": int(q), "negative_inf": q.__floor__(), "positive_inf": q.__ceil__()}[mode] % (1 << w)
        return f"{n:x}!" if s and a == 1 << (w - 1) and y == -1 else n
    return compute


def remainder(w, s):
    def compute(a, b):
        x, y = read(a, w, s), read(b, w, s)
        return "!" if y == 0 else (x - int(F(x, y)) * y) % (1 << w)
    return compute


def conversions():
    for a, v in WIDE_INTS.items():
        for b, w in WIDE_INTS.items():
            if v < w:
                for s in ("signed", "unsigned"):
                    emit("exti", [a, b], ["signedness=" + s], None, lambda x: read(x, v, s == "signed") % (1 << w), step=1)
            for p in OVERFLOWS:
                if v > w:
                    emit("trunci", [a, b], ["overflow=" + p], None, keeping(v, w, p, lambda x: x), step=1)
    for a, f in FLOATS.items():
        for b, g in FLOATS.items():
            for mode in ftof_modes(f, g):
                emit("ftof", [a, b], ["rounding_mode=" + mode], [float_sources(a, b)], lambda x: g.encode(f.decode(x), mode))
        for i, w in INTS.items():
            for s in (True, False):
                sign = "signedness=" + ("signed" if s else "unsigned")
                for sat in ("", "saturating"):
                    emit("ftoi", [a, i], [x for x in (sign, "rounding_mode=nearest_int_to_zero", sat) if x],
                         [truncation_sources(a, w)], lambda x: truncated(f.decode(x), w, s, sat))
                if a != "f8E8M0FNU":
                    emit("itof", [i, a], [sign, "rounding_mode=nearest_even"], [int_sources(i, a)],
                         lambda x: from_int(f, read(x, w, s)))
    types = list(INTS) + list(FLOATS)
    width = {t: INTS[t] if t in INTS else 19 if t == "tf32" else FLOATS[t].width for t in types}
    for a, b in itertools.product(types, types):
        if width[a] == width[b]:
            emit("bitcast", [a, b], [], None, lambda x: x, step=1)


def ftof_modes(f, g):
    if f is g:
        return []
    if g.name == "f8E8M0FNU":
        return ["zero", "positive_inf"]
    out = ["nearest_even"]
    if f.man > g.man or f.exp > g.exp or (f.name, g.name) == ("fnv8E5M3FNU", "f16"):  # which has less range
        out.append("zero")
    if (f.name, g.name) == ("f32", "tf32"):
        out.append("nearest_away")
    if (f.name, g.name) == ("f64", "f32"):
        out += ["positive_inf", "negative_inf"]
    if f.name == "fnv8E5M3FNU" and g.name in ("bf16", "tf32", "f32", "f64"):  # exact
        out += ["zero", "positive_inf", "negative_inf", "nearest_away"]
    return out


def from_int(f, n):
    """The small formats saturate here as in ftof. The description of itof says infinity, or NaN where there is none; PTX has no such conversion."""
    return f.encode((n < 0, F(abs(n))))


def truncation_sources(t, w):
    """Values, and numbers around the ends of the integers of a width."""
    f = FLOATS[t]
    more = []
    for limit in (F(2) ** w, F(2) ** (w - 1)):
        for x in (limit, limit - 1, limit + 1, limit - F(1, 2), limit + F(1, 2)):
            b = f.encode((False, x))
            more += [y | s for y in (b, max(b - (1 << f.pad), 0)) for s in {0, f.sign}]
    return list(dict.fromkeys(single(t) + more))


def truncated(v, w, s, saturating):
    if w == 1:  # as tileiras compiles it: whether it is not zero
        return int(v is None or v[1] != 0)
    low, high = (-(1 << w - 1), (1 << w - 1) - 1) if s else (0, (1 << w) - 1)
    if v is None:
        return 0 if saturating else "?"
    n = high + 1 if v[1] == INF else int(v[1])
    n = -n - (v[1] == INF) if v[0] else n
    if low <= n <= high:
        return n % (1 << w)
    return min(max(n, low), high) % (1 << w) if saturating else "?"


def selections():
    for t in list(WIDE_INTS) + [t for t in FLOATS if t != "f4E2M1FN"]:
        values = VALUES[t]
        n = len(values)
        rows = [(i & 1, values[i * 3 % n], values[(i * 5 + 1) % n]) for i in range(2 * n)]
        emit("select", ["i1", t, t, t], [], list(zip(*rows)), lambda c, x, y: x if c else y)


def main():
    float_arithmetic()
    functions()
    integers()
    conversions()
    selections()
    lines.extend(shapes.lines())
    values = {t: " ".join(f"{v:x}" for v in vs) for t, vs in VALUES.items()}
    body = "\n".join(json.dumps(x, separators=(",", ":")) for x in [{"values": values}] + lines) + "\n"
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "reference.jsonl.gz")
    with open(path, "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=9, mtime=0, filename="") as out:
        out.write(body.encode())


if __name__ == "__main__":
    main()
