"""Measures what looking for races costs: launches of kernels with and without, and NumPy's time for the same.

    TILEWRIGHT_BIN=FOLDER python python/measure_checks.py [--rounds 5] [--triton] [kernel...]

Each figure is the best round; rounds take turns, so that other load of the machine meets all of them. With --races one
tile block runs at a time, so that the time on one core says what the search itself costs. Memory is the most that an
engine of its own has had, for one launch. CPU is processor time, of all cores together, which other load stretches less.
With --triton, Triton's interpreter runs the same kernels, one round of each.
"""

import argparse
import glob
import os
import platform
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy as np  # noqa: E402

import tilewright.cutile  # noqa: E402
from tilewright import _engine  # noqa: E402

tilewright.cutile.install()

import cuda.tile as ct  # noqa: E402

N = 1024


@ct.kernel
def add(a, b, c, n: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(c, (i,), ct.load(a, (i,), (n,)) + ct.load(b, (i,), (n,)))


@ct.kernel
def gelu(x, y, rows: ct.Constant[int], cols: ct.Constant[int]):
    at = ct.bid(0), ct.bid(1)
    t = ct.load(x, at, (rows, cols))
    ct.store(y, at, 0.5 * t * (1.0 + ct.tanh(0.7978845608 * (t + 0.044715 * t * t * t))))


@ct.kernel
def transpose(x, y, n: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    ct.store(y, (j, i), ct.transpose(ct.load(x, (i, j), (n, n))))


@ct.kernel
def softmax(x, y, cols: ct.Constant[int]):
    i = ct.bid(0)
    t = ct.load(x, (i, 0), (1, cols))
    e = ct.exp(t - ct.max(t, axis=1, keepdims=True))
    ct.store(y, (i, 0), e / ct.sum(e, axis=1, keepdims=True))


@ct.kernel
def layer_norm(x, w, b, y, cols: ct.Constant[int]):
    i = ct.bid(0)
    t = ct.load(x, (i, 0), (1, cols))
    d = t - ct.sum(t, axis=1, keepdims=True) / cols
    var = ct.sum(d * d, axis=1, keepdims=True) / cols
    scale, shift = ct.load(w, (0,), (cols,)), ct.load(b, (0,), (cols,))
    ct.store(y, (i, 0), d * ct.rsqrt(var + 1e-5) * scale.reshape((1, cols)) + shift.reshape((1, cols)))


@ct.kernel
def matmul(a, b, c, tm: ct.Constant[int], tn: ct.Constant[int], tk: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((tm, tn), dtype=ct.float32)
    for k in range(ct.num_tiles(a, axis=1, shape=(tm, tk))):
        acc = ct.mma(ct.load(a, (i, k), (tm, tk)), ct.load(b, (k, j), (tk, tn)), acc)
    ct.store(c, (i, j), ct.astype(acc, c.dtype))


@ct.kernel
def attention(q, k, v, out, tm: ct.Constant[int], tn: ct.Constant[int], d: ct.Constant[int]):
    i, h = ct.bid(0), ct.bid(1)
    rows = ct.load(q, (h, i, 0), (1, tm, d)).reshape((tm, d))
    acc = ct.zeros((tm, d), dtype=ct.float32)
    top = ct.full((tm, 1), -1e30, dtype=ct.float32)
    total = ct.zeros((tm, 1), dtype=ct.float32)
    for j in range(ct.num_tiles(k, axis=1, shape=(1, tn, d))):
        keys = ct.load(k, (h, j, 0), (1, tn, d)).reshape((tn, d))
        s = ct.mma(rows, ct.transpose(keys), ct.zeros((tm, tn), dtype=ct.float32)) * 0.125
        now = max(top, ct.max(s, axis=1, keepdims=True))
        p = ct.exp(s - now)
        shrink = ct.exp(top - now)
        total = total * shrink + ct.sum(p, axis=1, keepdims=True)
        values = ct.load(v, (h, j, 0), (1, tn, d)).reshape((tn, d))
        acc = ct.mma(ct.astype(p, v.dtype), values, acc * shrink)
        top = now
    ct.store(out, (h, i, 0), ct.astype(acc / total, out.dtype).reshape((1, tm, d)))


@ct.kernel
def gather(x, index, y, n: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(y, (i,), ct.gather(x, (ct.load(index, (i,), (n,)),)))


def cases():
    """Returns for each kernel its grid, its arguments, and what NumPy computes instead."""
    rng = np.random.default_rng(1)

    def f32(*shape):
        return rng.standard_normal(shape, np.float32)

    def f16(*shape):
        return rng.standard_normal(shape, np.float32).astype(np.float16)

    a, b, c = f32(N * N), f32(N * N), np.zeros(N * N, np.float32)
    x, y, z = f32(N, N), np.zeros((N, N), np.float32), f32(N, N)
    w, s = f32(N), f32(N)
    p, q, r = f16(N, N), f16(N, N), np.zeros((N, N), np.float16)
    heads, tokens, width = 4, 512, 64
    qs, ks, vs, o = f16(heads, tokens, width), f16(heads, tokens, width), f16(heads, tokens, width), np.zeros((heads, tokens, width), np.float16)
    index = rng.permutation(N * N).astype(np.int32)
    ahead = (np.arange(N * N) + 5000).astype(np.int32) % (N * N)

    def np_softmax():
        e = np.exp(x - x.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    def np_layer_norm():
        d = x - x.mean(axis=1, keepdims=True)
        return d / np.sqrt((d * d).mean(axis=1, keepdims=True) + 1e-5) * w + s

    def np_matmul():
        return (p.astype(np.float32) @ q.astype(np.float32)).astype(np.float16)

    def np_attention():
        t = qs.astype(np.float32) @ ks.astype(np.float32).transpose(0, 2, 1) * 0.125
        e = np.exp(t - t.max(axis=2, keepdims=True))
        return (e @ vs.astype(np.float32) / e.sum(axis=2, keepdims=True)).astype(np.float16)

    def np_gelu():
        return 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))

    return {
        "add": (add, (N,), (a, b, c, N), c, lambda: a + b),
        "gelu": (gelu, (N // 32, N // 32), (x, y, 32, 32), y, np_gelu),
        "transpose": (transpose, (N // 64, N // 64), (x.T, y, 64), y, lambda: x.copy()),
        "softmax": (softmax, (N,), (x, y, N), y, np_softmax),
        "layer_norm": (layer_norm, (N,), (x, w, s, y, N), y, np_layer_norm),
        "matmul": (matmul, (N // 128, N // 128), (p, q, r, 128, 128, 64), r, np_matmul),
        "matmul of f32": (matmul, (N // 128, N // 128), (x, z, y, 128, 128, 64), y, lambda: x @ z),
        "attention": (attention, (tokens // 64, heads), (qs, ks, vs, o, 64, 64, width), o, np_attention),
        "gather rows": (gather, (N,), (a, ahead, c, N), c, lambda: a[ahead]),
        "gather at random": (gather, (N,), (a, index, c, N), c, lambda: a[index]),
    }


def timed(f):
    begun = time.perf_counter()
    f()
    return time.perf_counter() - begun


def of_engine():
    """Returns the processor time that the engine has taken, in seconds."""
    total = 0
    for path in glob.glob(f"/proc/{_engine.engine().process.pid}/task/*/schedstat"):
        with open(path, encoding="ascii") as f:
            total += int(f.read().split()[0])
    return total / 1e9


def work(clock, f):
    begun = clock()
    f()
    return clock() - begun


def peak():
    """Returns the most memory that the engine has had, in bytes."""
    with open(f"/proc/{_engine.engine().process.pid}/status", encoding="ascii") as f:
        return next(int(line.split()[1]) << 10 for line in f if line.startswith("VmHWM"))


def with_triton(name):
    """Returns the time of Triton's interpreter, and its processor time."""
    import measure_triton
    _, _, args, out, numpy = cases()[name]
    launch, seconds = measure_triton.launch(name, args), []
    work_of = work(time.process_time, lambda: seconds.append(timed(launch)))
    np.testing.assert_allclose(out.astype(np.float32), numpy().astype(np.float32), rtol=2e-2, atol=2e-2)
    return seconds[0], work_of


def measure(name, rounds):
    kernel, grid, args, out, numpy = cases()[name]
    memory, times = [], []
    for races in False, True:
        _engine.shutdown()
        with tilewright.options(races=races):
            ct.launch(None, grid, kernel, args)
        memory.append(peak())
        np.testing.assert_allclose(out.astype(np.float32), numpy().astype(np.float32), rtol=2e-2, atol=2e-2)
    for _ in range(rounds):
        row = []
        for options in {}, {"workers": 1}, {"races": True}:
            with tilewright.options(**options):
                row.append(timed(lambda: ct.launch(None, grid, kernel, args)))
        row.append(timed(numpy))
        row.append(work(of_engine, lambda: ct.launch(None, grid, kernel, args)))
        row.append(work(time.process_time, numpy))
        with tilewright.options(races=True):
            row.append(work(of_engine, lambda: ct.launch(None, grid, kernel, args)))
        times.append(row)
    return [min(t) for t in zip(*times)], memory


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--triton", action="store_true")
    p.add_argument("kernels", nargs="*")
    args = p.parse_args()
    tilewright.config().replay = False
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, Python {platform.python_version()}, NumPy {np.__version__}, "
          f"best of {args.rounds} rounds")
    columns = ["kernel", "NumPy, ms", "plain, ms", "NumPy, CPU ms", "plain, CPU ms", "plain / NumPy, CPU", "on one core, ms", "races, ms", "races / plain",
               "races, CPU ms", "races / plain, CPU", "plain, MB", "races, MB"] + ["Triton, ms", "Triton, CPU ms"] * args.triton
    print("| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|")
    for name in args.kernels or cases():
        (plain, alone, races, numpy, cpu, numpy_cpu, races_cpu), memory = measure(name, args.rounds)
        cells = [name, f"{numpy * 1e3:,.1f}", f"{plain * 1e3:,.1f}", f"{numpy_cpu * 1e3:,.1f}", f"{cpu * 1e3:,.1f}", f"{cpu / numpy_cpu:.1f}", f"{alone * 1e3:,.1f}",
                 f"{races * 1e3:,.1f}", f"{races / plain:.1f}", f"{races_cpu * 1e3:,.1f}", f"{races_cpu / cpu:.1f}", f"{memory[0] / 1e6:,.0f}", f"{memory[1] / 1e6:,.0f}"]
        cells += [f"{t * 1e3:,.0f}" for t in with_triton(name)] if args.triton else []
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
