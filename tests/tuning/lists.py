"""Writes the lists of configurations: lists.py OUT. OUT/gemm/00-1024x1024x512.json and so on, with their modules."""

import itertools
import json
import os
import sys

import ml_dtypes  # noqa: F401: NumPy knows bfloat16 by it
import numpy as np

import kernels
from tilewright import _record, _tune, options

F16 = np.float16

GEMM = [(n, n, n) for n in (512, 768, 1024, 1536, 2048, 3072, 4096)]  # squares
GEMM += [(m, n, 1024) for m, n in ((256, 8192), (8192, 256), (1280, 5120), (5120, 1280), (2048, 8192), (640, 640))]
GEMM += [(m, 4096, 2048) for m in (64, 128, 192, 256, 512, 1024)]  # few tokens
GEMM += [(1024, 1024, k) for k in (64, 128, 256, 4096)]  # short and long sums
GEMM += [(m, 2560, 2560) for m in (320, 1600, 3200)] + [(1000, 1000, 1000), (2000, 3000, 520), (1111, 2222, 512), (4800, 960, 1440)]
ATTENTION = [*itertools.product((16, 32, 64, 128), (512, 1024, 2048), (64, 128)), *itertools.product((8, 16, 32), (4096,), (64, 128))]
NORM = [*itertools.product((64, 1024, 4096, 16384), (1024, 4096, 8192)), (8192, 768), (2048, 5120), (333, 3000)]


def space(**names):
    return [dict(zip(names, values)) for values in itertools.product(*names.values())]


def cdiv(a, b):
    return -(-a // b)


def gemm(m, n, k):
    a, b, c = np.empty((m, k), F16), np.empty((k, n), F16), np.empty((m, n), F16)
    for s in space(BM=(64, 128, 256), BN=(64, 128, 256), BK=(32, 64)):
        if s["BM"] * s["BN"] < 256 * 256:
            yield s, kernels.matmul, (cdiv(m, s["BM"]), cdiv(n, s["BN"])), (a, b, c, *s.values())


def attention(heads, length, d):
    x = [np.empty((heads, length, d), F16) for _ in range(4)]
    for s in space(BM=(64, 128), BN=(32, 64, 128), occupancy=(1, 2)):
        yield s, kernels.attention, (heads, cdiv(length, s["BM"])), (*x, d**-0.5 * 1.4427, d, s["BM"], s["BN"])


def norm(kernel, vectors, rows, columns):
    x, y, more = np.empty((rows, columns), F16), np.empty((rows, columns), F16), [np.empty(columns, F16) for _ in range(vectors)]
    for s in space(B=(256, 512, 1024, 2048, 4096, 8192)):
        if s["B"] < 2 * columns:
            yield s, kernel, (rows,), (x, *more, y, columns, 1e-5, s["B"])


def write(out, family, number, shape, configurations):
    files = _record.Files()
    entries = []
    for s, kernel, grid, args in configurations:
        hints = {k: v for k, v in s.items() if k in _tune.HINTS}
        entries.append(_tune.configuration(kernel, grid, args, hints, files, _tune.named(s)))
    folder = os.path.join(out, family)
    os.makedirs(folder, exist_ok=True)
    for name, data in files.all.items():
        with open(os.path.join(folder, name), "wb") as f:
            f.write(data)
    with open(os.path.join(folder, f"{number:02}-{'x'.join(map(str, shape))}.json"), "w", encoding="utf-8") as f:
        json.dump({"configurations": entries}, f)


with options(gpu="sm_90"):
    for i, shape in enumerate(GEMM):
        write(sys.argv[1], "gemm", i, shape, gemm(*shape))
    for i, shape in enumerate(ATTENTION):
        write(sys.argv[1], "attention", i, shape, attention(*shape))
    for i, shape in enumerate(NORM):
        write(sys.argv[1], "norm", i, shape, norm(kernels.rms_norm, 1, *shape))
        write(sys.argv[1], "norm", len(NORM) + i, shape, norm(kernels.layer_norm, 2, *shape))
