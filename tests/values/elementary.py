"""Elementary functions to 200 bits and more, with the special values of the C standard (IEEE 754-2019, chapter 9)."""

from fractions import Fraction as F

import mpmath
from mpmath import mp

from exact import INF

mp.prec = 260
ZERO, ONE, INFINITY = (False, F(0)), (False, F(1)), (False, INF)
MINUS_INFINITY = (True, INF)


def number(v):
    """An mpmath number as a float of package exact."""
    sign, man, exp, _ = v._mpf_
    if man == 0:
        return ZERO
    if exp > 4000:  # beyond every format: any such number will do
        return bool(sign), F(2) ** 4000
    if exp < -6000:
        return bool(sign), F(2) ** -6000
    return bool(sign), F(int(man)) * F(2) ** int(exp)


def real(v):
    x = mpmath.mpf(v[1].numerator) / v[1].denominator
    return -x if v[0] else x


def odd_function(f, at_infinity):
    def g(a):
        if a[1] == INF:
            return at_infinity and (a[0], at_infinity[1])
        return a if a[1] == 0 else number(f(real(a)))
    return g


def exp_like(f):
    def g(a):
        if a[1] == INF:
            return ZERO if a[0] else INFINITY
        return ONE if a[1] == 0 else number(f(real(a)))
    return g


def log_like(f):
    def g(a):
        if a[1] == 0:
            return MINUS_INFINITY
        if a[0]:
            return None
        return INFINITY if a[1] == INF else number(f(real(a)))
    return g


def log2(x):
    man, e = mpmath.frexp(x)
    return mpmath.mpf(e - 1) if man == 0.5 else mpmath.log(x) / mpmath.log(2)


def cos(a):
    return None if a[1] == INF else number(mpmath.cos(real(a)))


def cosh(a):
    return INFINITY if a[1] == INF else number(mpmath.cosh(real(a)))


def small_safe(f, correction):
    """f, or for tiny arguments x plus a correction that only says on which side of x the value lies."""
    def g(x):
        return f(x) if abs(x) > mpmath.mpf(2) ** -60 else x + correction * x ** 3
    return g


def rsqrt(a):
    if a[1] == 0:
        return a[0], INF
    if a[0]:
        return None
    return ZERO if a[1] == INF else number(1 / mpmath.sqrt(real(a)))


def atan2(y, x):
    if y is None or x is None:
        return None
    pi = mpmath.pi()
    if y[1] == 0:
        if not x[0]:
            return y[0], F(0)
        return y[0], number(pi)[1]
    if y[1] == INF:
        quarter = pi / 2 if x[1] != INF else (3 * pi / 4 if x[0] else pi / 4)
        return y[0], number(quarter)[1]
    if x[1] == INF:
        return (y[0], number(pi)[1]) if x[0] else (y[0], F(0))
    if x[1] == 0:
        return y[0], number(pi / 2)[1]
    angle = mpmath.atan(real((False, y[1])) / real((False, x[1])))
    return y[0], number(pi - angle if x[0] else angle)[1]


def whole(v):
    return v[1] != INF and v[1].denominator == 1


def power(x, y):
    """x^y as C's pow."""
    if y is not None and y[1] == 0 or x == ONE:
        return ONE
    if x is None or y is None:
        return None
    odd = whole(y) and y[1].numerator % 2 == 1
    neg = x[0] and odd
    if x[1] == 0:
        return (neg, INF) if y[0] else (neg, F(0))
    if y[1] == INF:
        if x[1] == 1:
            return ONE
        grows = (x[1] == INF or x[1] > 1) != y[0]
        return INFINITY if grows else ZERO
    if x[1] == INF:
        return (neg, F(0)) if y[0] else (neg, INF)
    if x[0] and not whole(y):
        return None
    if x[1] == 1:
        return neg, F(1)
    with mp.workprec(2600):  # log x times y must be right to the last bits of e^(y log x)
        e = mpmath.log(real((False, x[1]))) * real(y)
        if e > 5000:
            return neg, F(2) ** 4000
        if e < -5000:
            return neg, F(2) ** -6000
        if whole(y) and y[1] < 64:
            v = x[1] ** int(y[1])
            return neg, 1 / v if y[0] else v
        return neg, near(number(mpmath.exp(e))[1])


def near(mag):
    """A number with up to 100 bits when mag is one but for errors far below 200 bits: the functions take some numbers to others exactly."""
    from exact import floor_log2
    unit = F(2) ** (floor_log2(mag) - 100)
    n = round(mag / unit)
    return n * unit if abs(mag - n * unit) <= mag * F(2) ** -240 else mag


UNARY = {
    "exp": exp_like(mpmath.exp), "exp2": exp_like(lambda x: mpmath.mpf(2) ** x if abs(x) < 2 ** 20 else mpmath.exp(x * mpmath.log(2))),
    "log": log_like(mpmath.log), "log2": log_like(log2), "sin": odd_function(small_safe(mpmath.sin, -1), None), "cos": cos,
    "tan": odd_function(small_safe(mpmath.tan, 1), None), "sinh": odd_function(small_safe(mpmath.sinh, 1), INFINITY), "cosh": cosh,
    "tanh": odd_function(small_safe(mpmath.tanh, -1), ONE), "rsqrt": rsqrt,
}


def unary(name, a):
    return None if a is None else UNARY[name](a)
