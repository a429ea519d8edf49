"""Measures launches per second of a kernel whose signature is known, from one thread and from several.

    TILEWRIGHT_BIN=FOLDER python python/measure_launches.py [--launches 500] [--rounds 8]

The kernel adds two arrays of 1,024 float32, 8 tile blocks of 128 elements: what it costs is mostly the way to the engine
and back. A second kernel, of one tile block that writes one element, shows the way alone. Each figure is the best round;
on a machine that others use the worst says more about them.
"""

import argparse
import os
import platform
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy as np  # noqa: E402

import tilewright.cutile  # noqa: E402

tilewright.cutile.install()

import cuda.tile as ct  # noqa: E402


@ct.kernel
def add(a, b, c, n: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(c, (i,), ct.load(a, (i,), (n,)) + ct.load(b, (i,), (n,)))


@ct.kernel
def one(c):
    ct.store(c, (0,), ct.full((1,), 1, ct.float32))


def launcher(kernel):
    """Returns what launches the kernel once, on arrays of its own."""
    a, b, c = np.arange(1024, dtype=np.float32), np.ones(1024, np.float32), np.zeros(1024, np.float32)
    if kernel is add:
        return lambda: ct.launch(None, (8,), add, (a, b, c, 128)), lambda: np.testing.assert_array_equal(c, a + b)
    return lambda: ct.launch(None, (1,), one, (c,)), lambda: np.testing.assert_array_equal(c[0], 1)


def measure(kernel, threads, launches, rounds):
    """Returns the launches per second of all threads together, best and worst round."""
    jobs = [launcher(kernel) for _ in range(threads)]
    for launch, check in jobs:
        launch()
        check()
    rates = []
    for _ in range(rounds):
        start = threading.Barrier(threads + 1)

        def work(launch):
            start.wait()
            for _ in range(launches // threads):
                launch()

        workers = [threading.Thread(target=work, args=(launch,)) for launch, _ in jobs]
        for w in workers:
            w.start()
        start.wait()
        begun = time.perf_counter()
        for w in workers:
            w.join()
        rates.append(launches // threads * threads / (time.perf_counter() - begun))
    for _, check in jobs:
        check()
    return max(rates), min(rates)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--launches", type=int, default=500)
    p.add_argument("--rounds", type=int, default=8)
    p.add_argument("--gpu", default="sm_90")
    args = p.parse_args()
    tilewright.config().replay = False
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, Python {platform.python_version()}, "
          f"best and worst of {args.rounds} rounds of {args.launches} launches")
    print("| kernel | engine | threads | launches per second | ms each |\n|---|---|---|---|---|")
    for kernel in add, one:
        for engine in "interp", "ptx":
            for threads in 1, 2:
                with tilewright.options(engine=engine, gpu=args.gpu):
                    best, worst = measure(kernel, threads, args.launches, args.rounds)
                print(f"| {kernel._pyfunc.__name__} | {engine} | {threads} | "
                      f"{best:,.0f} ({worst:,.0f}) | {1000 / best:.2f} ({1000 / worst:.2f}) |")


if __name__ == "__main__":
    main()
