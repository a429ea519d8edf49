"""What a kernel of TileGym, instantiated and launched, is."""
import json
import os

import ml_dtypes
import numpy as np

NAMES = {"f32": "float", "f16": "__half", "bf16": "__nv_bfloat16", "f8e4m3": "__nv_fp8_e4m3", "i32": "int"}
TYPES = {"f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f8e4m3": ml_dtypes.float8_e4m3fn, "i32": np.int32}
SCALARS = {np.float32: "f32", np.int32: "i32", np.int64: "i64", np.bool_: "i8"}
RAW = {2: np.uint16, 1: np.uint8}


class Kernel:
    """A kernel with its template arguments, and a launch of it: grid, arguments, and by index of the argument what its buffer holds afterwards."""

    def __init__(self, name, header, kernel, targs, signature, grid=None, args=(), expect=None, rtol=1e-5, atol=1e-6):
        self.name, self.header, self.kernel = name, header, kernel
        self.targs = ", ".join(str(t).lower() if isinstance(t, bool) else NAMES.get(t, str(t)) for t in targs)
        self.signature, self.grid, self.args, self.expect = signature, grid, args, expect or {}
        self.rtol, self.atol = rtol, atol

    def source(self):
        return f'#include "{self.header}"\ntemplate __tile_global__ void {self.kernel}<{self.targs}>({self.signature});\n'


def store(folder, file, array):
    """Writes an array; formats that NumPy lacks as their bits, with the name of the format."""
    for name, dtype in TYPES.items():
        if array.dtype == dtype and name in ("bf16", "f8e4m3"):
            np.save(os.path.join(folder, file), np.ascontiguousarray(array).view(RAW[array.dtype.itemsize]))
            return {"dtype": name}
    np.save(os.path.join(folder, file), np.ascontiguousarray(array))
    return {}


def case(k, folder, entry):
    args, expect = [], []
    for i, a in enumerate(k.args):
        if isinstance(a, np.ndarray):
            args.append({"buffer": f"in{i}.npy", **store(folder, f"in{i}.npy", a)})
        else:
            value = int(a) if not isinstance(a, np.floating) else float(a)
            args.append({"scalar": SCALARS[type(a)], "value": value})
    for i, want in k.expect.items():
        want = want.astype(k.args[i].dtype)
        kind = store(folder, f"want{i}.npy", want.reshape(k.args[i].shape))
        exact = want.dtype == np.int32
        expect.append({"arg": i, "file": f"want{i}.npy", **kind, "rtol": 0 if exact else k.rtol, "atol": 0 if exact else k.atol})
    grid = list(k.grid) + [1] * (3 - len(k.grid))
    with open(os.path.join(folder, "case.json"), "w") as f:
        json.dump({"module": "k.tilebc", "entry": entry, "grid": grid, "args": args, "expect": expect}, f, indent=1)


LOG2E = 1.4426950408889634


class Random:
    """Seeded by the name of the kernel, so that a case is the same alone and among others."""

    def __init__(self, name):
        self.r = np.random.default_rng(sum(map(ord, name)))

    def __call__(self, t, *shape, scale=1.0):
        return (self.r.standard_normal(shape) * scale).astype(np.float32).astype(TYPES[t])

    def ints(self, high, *shape):
        return self.r.integers(0, high, shape).astype(np.int32)


def f(x):
    return np.asarray(x).astype(np.float64)


def tol(t):
    return {"f32": (2e-5, 2e-5), "f16": (4e-3, 4e-3), "bf16": (2e-2, 2e-2)}[t]


def sig(text, t):
    return text.replace("T", NAMES[t])


def value(name, t, header, kernel, targs, signature, grid, args, expect, tolerance=None):
    rtol, atol = tolerance or tol(t)
    return Kernel(f"{name}_{t}", header, kernel, [t, *targs], sig(signature, t), grid, args, expect, rtol, atol)
