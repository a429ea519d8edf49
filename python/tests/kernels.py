"""Kernels of the tests. Their lines are looked up by what stands on them."""

import cuda.tile as ct


@ct.kernel
def add(a, b, c, n: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(c, (i,), ct.load(a, (i,), (n,)) + ct.load(b, (i,), (n,)))


@ct.kernel
def scale(x, y, factor, n: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (n,)) * factor)


@ct.kernel
def softmax(x, y, rows: ct.Constant[int], cols: ct.Constant[int]):
    i = ct.bid(0)
    t = ct.load(x, (i, 0), (rows, cols))
    e = ct.exp(t - ct.max(t, axis=1, keepdims=True))
    ct.store(y, (i, 0), e / ct.sum(e, axis=1, keepdims=True))


@ct.kernel
def total(arrays, out, n: ct.Constant[int]):
    t = ct.zeros((n,), dtype=out.dtype)
    for i in range(len(arrays)):
        t = t + ct.load(arrays[i], (0,), (n,))
    ct.store(out, (0,), t)


@ct.kernel
def pair(p, out, n: ct.Constant[int]):
    ct.store(out, (0,), ct.load(p[0], (0,), (n,)) - ct.load(p[1], (0,), (n,)))


@ct.kernel
def beyond(x, n: ct.Constant[int]):
    i = ct.arange(n, dtype=ct.int32)
    ct.scatter(x, (i,), i, check_bounds=False)  # beyond


def helper(x, i):
    return ct.gather(x, (i,), check_bounds=False)  # inner


@ct.kernel
def nested(x, n: ct.Constant[int]):
    i = ct.arange(n, dtype=ct.int32)
    t = helper(x, i)  # outer
    ct.scatter(x, (i,), t)


@ct.kernel
def racing(x):
    t = ct.load(x, (0,), (16,))  # racing
    ct.store(x, (0,), t + 1)


@ct.kernel
def dividing(x, y):
    t = ct.load(x, (0,), (4,))
    ct.store(y, (0,), t // ct.load(y, (0,), (4,)))  # dividing


@ct.kernel
def saying(x):
    t = ct.load(x, (0,), (4,))
    ct.printf("t = %d\n", t)


@ct.kernel
def asserting(x):
    t = ct.load(x, (0,), (4,))
    ct.assert_(t < 3, "too large")  # asserting


@ct.kernel
def endless(x):
    while ct.load(x, (0,), (1,)).item() == 0:
        ct.atomic_add(x, 1, 1)


def line_of(mark: str) -> int:
    with open(__file__, encoding="utf-8") as f:
        for i, line in enumerate(f, 1):
            if line.rstrip().endswith("# " + mark):
                return i
    raise AssertionError(mark)


@ct.kernel
def matmul(a, b, c, BM: ct.Constant[int], BN: ct.Constant[int], BK: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((BM, BN), ct.float32)
    for k in range(ct.num_tiles(a, 1, (BM, BK))):
        acc = ct.mma(ct.load(a, (i, k), (BM, BK)), ct.load(b, (k, j), (BK, BN)), acc)
    ct.store(c, (i, j), acc.astype(c.dtype))


@ct.kernel
def permute(x, order, y, n: ct.Constant[int]):
    i = ct.bid(0)
    row = ct.load(order, (i,), (1,)).item()
    ct.store(y, (i, 0), ct.load(x, (row, 0), (1, n)))
