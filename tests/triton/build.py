"""Compiles the kernels of this folder for one target, without a GPU, and writes each case as a folder.

    build.py OUT TARGET

A folder has k.ptx, case.json (the launch and what is expected of it) and the buffers as .npy files. Nothing but the
target decides what is written.
"""

import json
import os
import sys
import tempfile
import zlib
from pathlib import Path

os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")
os.environ.setdefault("TRITON_DISABLE_LINE_INFO", "1")

import numpy as np
import triton
from triton import knobs
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.experimental.gluon._runtime import GluonASTSource

import atomics
import blackwell
import elementwise
import hopper
import matrix
import peers
import reductions
import scaled
from cases import CASES, Buffer, Const, Descriptor

MODULES = (elementwise, reductions, atomics, matrix, scaled, hopper, blackwell, peers)
TRITON = {"f16": "fp16", "bf16": "bf16", "f32": "fp32", "f64": "fp64", "f8e4m3": "fp8e4nv", "f8e5m2": "fp8e5"}
# Bytes of the pattern, by CUtensorMapSwizzle.
SWIZZLES = {0: 0, 1: 32, 2: 64, 3: 128}


def stop_at_ptx(backend=None, stages=None, options=None, language=None, capability=None):
    """A hook of Triton's: without arguments it is asked for its part of the cache's key."""
    if stages is None:
        return "ptx", "ptx"
    stages["cubin"] = lambda src, metadata: b""  # the emulator needs no machine code


def triton_type(dtype):
    return TRITON.get(dtype, dtype)


def signature(fn, args):
    types, consts, attrs = {}, {}, {}
    for i, name in enumerate(fn.arg_names):
        value = args[name]
        divisible = False
        if isinstance(value, Const):
            types[name], consts[(i,)] = "constexpr", value.value
        elif isinstance(value, Buffer):
            types[name], divisible = "*" + triton_type(value.dtype), True
        elif isinstance(value, Descriptor):
            types[name] = descriptor_type(value)
        elif isinstance(value, float):
            types[name] = "fp32"
        else:
            types[name], divisible = "i32", value % 16 == 0
        if divisible:
            attrs[(i,)] = [["tt.divisibility", 16]]
    source = GluonASTSource if fn.is_gluon() else ASTSource
    return source(fn=fn, signature=types, constexprs=consts, attrs=attrs)


def descriptor_type(d):
    block = ",".join(map(str, d.block))
    rank = f",input_rank={d.buffer.data.ndim}" if d.window else ""
    layout = f",{d.layout!r}" if d.layout else ""
    return f"tensordesc{'_im2col' if d.window else ''}<{triton_type(d.buffer.dtype)}[{block}]{rank}{layout}>"


class Writer:
    """Collects the parameters of a launch and stores the buffers."""

    def __init__(self, folder):
        self.folder, self.params, self.expect = folder, [], []

    def save(self, name, data):
        np.save(self.folder / f"{name}.npy", data)
        return f"{name}.npy"

    def buffer(self, name, b):
        self.params.append({"kind": "buffer", "dtype": b.dtype, "file": self.save(name, b.data)})
        if b.want is not None:
            want = self.save(name + "_want", b.want)
            self.expect.append({"param": len(self.params) - 1, "file": want, "rtol": b.rtol, "atol": b.atol})

    def scalar(self, dtype, value):
        self.params.append({"kind": "scalar", "dtype": dtype, "value": str(value)})

    def descriptor(self, name, d, meta):
        shape = d.buffer.data.shape
        strides = [int(np.prod(shape[i + 1:])) for i in range(len(shape))]
        size = d.buffer.data.itemsize
        if meta is None:  # the target has no TMEM accelerator: a pointer and its geometry
            self.buffer(name, d.buffer)
            for n in (*shape, *strides):
                self.scalar("i64", n)
            self.scalar("i1", 0)  # padding with NaN
            self.scalar("i1", 0)  # rounding to TF32
        else:
            self.buffer(name, d.buffer)
            dims = list(reversed(shape))
            self.params[-1] |= {
                "kind": "tensormap", "dims": dims, "strides": [s * size for s in reversed(strides[:-1])],
                "box": list(reversed(meta["block_size"])), "swizzle": SWIZZLES[meta["swizzle"]],
            }
            if meta["fp4_padded"]:
                dims[0] *= 2
                self.params[-1]["elements"] = "b4x16_p64"
            if d.window:
                pixels, channels = meta["block_size"]
                lower, upper, step = zip(*reversed(d.window))
                self.params[-1] |= {"box": [channels], "pixels": pixels, "lower": lower, "upper": upper, "steps": [1, *step, 1]}
        for n in shape:
            self.scalar("i32", n)
        for n in strides:
            self.scalar("i64", n)


def build(make, target, contains, peer, options, out):
    name = make.__name__
    np.random.seed(zlib.crc32(name.encode()))
    fn, grid, args = make(target) if make.__code__.co_argcount else make()
    compiled = triton.compile(signature(fn, args), target=GPUTarget("cuda", int(target[3:]), 32), options=options)
    meta = compiled.metadata
    folder = out / f"{name}.{target}"
    folder.mkdir()
    ptx = compiled.asm["ptx"]
    (folder / "k.ptx").write_text(ptx)
    w = Writer(folder)
    descriptors = iter(meta.tensordesc_meta or ())
    for arg in fn.arg_names:
        value, first = args[arg], len(w.params)
        if isinstance(value, Buffer):
            w.buffer(arg, value)
        elif isinstance(value, Descriptor):
            w.descriptor(arg, value, next(descriptors, None))
        elif not isinstance(value, Const):
            w.scalar("f32" if isinstance(value, float) else "i32", value)
        for p in w.params[first:first + 1]:
            p["arg"] = arg  # what follows of a descriptor is its geometry
    grid = [*grid, 1, 1][:3]
    grid[0] *= meta.num_ctas
    # Two parameters that every kernel has: memory of the kernel's own, and memory of a profiler.
    scratch = meta.global_scratch_size * int(np.prod(grid))
    w.params += [{"kind": "scratch", "bytes": scratch}, {"kind": "scratch", "bytes": 0}]
    must = contains.get(target, ()) if isinstance(contains, dict) else contains
    (folder / "case.json").write_text(json.dumps({
        "entry": meta.name, "grid": grid, "cluster": [meta.num_ctas, 1, 1], "shared": meta.shared,
        "warps": meta.num_warps, "contains": list(must), "peer": peer, "params": w.params, "expect": w.expect,
    }, indent=1))


def main(out, target):
    out = Path(out)
    failed = False
    knobs.runtime.add_stages_inspection_hook = stop_at_ptx
    with tempfile.TemporaryDirectory() as cache:
        knobs.cache.dir = cache
        for make, targets, contains, peer, options in CASES:
            if target not in targets:
                continue
            try:
                build(make, target, contains, peer, options, out)
            except Exception as e:
                failed = True
                print(f"{make.__name__} for {target}: {type(e).__name__}: {e}", file=sys.stderr)
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
