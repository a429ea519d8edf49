"""Writes the kernels of the published rows: rows.py OUT. Each becomes a folder with k.tileirbc or k.ptx and launch.json.

launch.json has the flags of `tile time` for the launch. rows.json, in this folder, says which rows take which kernels.
Needs cuda-tile, Triton and nvcc, and no GPU.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")
os.environ.setdefault("TRITON_DISABLE_LINE_INFO", "1")

import cuda.tile as ct
from cuda.tile import compilation as export

import cutile

SMS = 132  # of an H100, for grids that are resident
F16, F32, I32 = ct.float16, ct.float32, ct.int32
NAMES = {F16: "f16", F32: "f32", I32: "i32"}


def array(dtype, *shape, content="uninitialized"):
    return ("array", dtype, shape, content)


def attention(b, h, s, d, causal):
    x = array(F16, b, h, s, d)
    return cutile.fmha, [x, x, x, x, ("scalar", "f32", d**-0.5), h, d, 128, 128, causal], (s // 128, b * h, 1)


def square(n, tm, tn, tk):
    x = array(F16, n, n)
    return cutile.matmul, [x, x, x, tm, tn, tk], (n // tm * (n // tn), 1, 1)


def layernorm(m, n, groups, tile):
    x, g, column = array(F32, m, n), array(F32, groups, n), array(F32, m)
    return cutile.layernorm_dx, [x, x, g, g, x, array(F32, n), column, column, array(I32, groups, content="0"), tile], (m, 1, 1)


CUTILE = {
    "vadd": (cutile.vadd, [array(F32, 1 << 27)] * 3 + [1024], (1 << 17, 1, 1)),
    "matmul_128x256x64": square(4096, 128, 256, 64),
    "matmul_128x128x64": square(4096, 128, 128, 64),
    "bmm": (cutile.bmm, [array(F32, 8, 1024, 512), array(F32, 8, 512, 2048), array(F32, 8, 1024, 2048), 128, 128, 64], (8, 16, 8)),
    "fmha": attention(8, 16, 1024, 64, True),
    "softmax_chunked": (cutile.softmax_chunked, [array(F32, 4096, 4096)] * 2 + [4096, 4096, 1024], (4096, 1, 1)),
    "softmax_rows": (cutile.softmax_rows, [array(F32, 1000, 32768)] * 2 + [1000, 32768], (2 * SMS, 1, 1)),
    "layernorm_dx": layernorm(4096, 4096, 64, 1024),
    "layernorm_dw": (cutile.layernorm_dw, [array(F32, 64, 4096)] * 2 + [array(F32, 4096)] * 2 + [32, 1024], (4, 1, 1)),
}
for B, S, H, D in ((16, 512, 32, 64), (16, 512, 16, 128), (32, 1024, 32, 64), (32, 1024, 16, 128), (8, 4096, 32, 64), (8, 4096, 16, 128)):
    for causal in (False, True):
        CUTILE[f"attention_b{B}_s{S}_h{H}_d{D}" + "_causal" * causal] = attention(B, H, S, D, causal)


def write_cutile(folder, kernel, parameters, grid):
    params, flags = [], ["--grid=" + ",".join(map(str, grid))]
    for p in parameters:
        if isinstance(p, tuple) and p[0] == "array":
            _, dtype, shape, content = p
            strides = [None] * (len(shape) - 1) + [1]
            params.append(export.ArrayConstraint(dtype, len(shape), index_dtype=I32, stride_lower_bound_incl=0, alias_groups=(), may_alias_internally=False,
                                                 stride_constant=strides, stride_divisible_by=[16] * (len(shape) - 1) + [1], shape_divisible_by=[16] * len(shape),
                                                 base_addr_divisible_by=16))
            flags.append(f"--array={NAMES[dtype]}[{'x'.join(map(str, shape))}]={content}")
        elif isinstance(p, tuple):
            params.append(export.ScalarConstraint(F32))
            flags.append(f"--arg={p[1]}:{p[2]}")
        else:
            params.append(p)
    signature = export.KernelSignature(params, export.CallingConvention.cutile_python_v1(), symbol="k")
    export.export_kernel(kernel, [signature], str(folder / "k.tileirbc"), output_format="tileir_bytecode")
    (folder / "launch.json").write_text(json.dumps({"kernel": "k.tileirbc", "flags": flags}, indent=1) + "\n")


def buffers(dtype, *sizes):
    return [("*" + dtype, n) for n in sizes]


def triton_cases():
    import triton_kernels as t

    n = 4096
    yield "vadd", t.vadd, buffers("fp32", *[1 << 27] * 3) + [1 << 27], dict(B=1024), (1 << 17, 1, 1), 4, 3
    yield "matmul_128x256x64", t.matmul, buffers("fp16", *[n * n] * 3) + [n, n, n], dict(BM=128, BN=256, BK=64), (n // 128 * (n // 256), 1, 1), 8, 3
    yield "bmm", t.bmm, buffers("fp32", 8 * 1024 * 512, 8 * 512 * 2048, 8 * 1024 * 2048) + [1024, 2048, 512], dict(BM=128, BN=128, BK=32), (8, 16, 8), 8, 3
    yield "softmax_chunked", t.softmax_chunked, buffers("fp32", n * n, n * n) + [n, n], dict(B=1024), (4 * SMS, 1, 1), 4, 3
    yield "softmax_rows", t.softmax_rows, buffers("fp32", 1000 * 32768, 1000 * 32768) + [1000, 32768], dict(B=32768), (SMS, 1, 1), 16, 1
    yield "fmha", t.fmha, buffers("fp16", *[8 * 16 * 1024 * 64] * 4) + [1024, 0.18], dict(BM=128, BN=64, D=64, CAUSAL=True), (8, 128, 1), 4, 3


def write_triton(folder, fn, args, consts, grid, warps, stages):
    import triton
    from triton import knobs
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    knobs.runtime.add_stages_inspection_hook = stop_at_ptx
    types, attrs, flags = {}, {}, []
    for i, (name, a) in enumerate(zip(fn.arg_names, args)):
        if isinstance(a, tuple):
            types[name], attrs[(i,)] = a[0], [["tt.divisibility", 16]]
            flags.append(f"--arg={dict(fp16='f16', fp32='f32')[a[0][1:]]}[{a[1]}]=uninitialized")
        elif isinstance(a, float):
            types[name] = "fp32"
            flags.append(f"--arg=f32:{a}")
        else:
            types[name] = "i32"
            if a % 16 == 0:
                attrs[(i,)] = [["tt.divisibility", 16]]
            flags.append(f"--arg=i32:{a}")
    named = {(fn.arg_names.index(k),): v for k, v in consts.items()}
    types |= {k: "constexpr" for k in consts}
    compiled = triton.compile(ASTSource(fn=fn, signature=types, constexprs=named, attrs=attrs), target=GPUTarget("cuda", 90, 32), options=dict(num_warps=warps, num_stages=stages))
    meta = compiled.metadata
    (folder / "k.ptx").write_text(compiled.asm["ptx"])
    scratch = max(1, meta.global_scratch_size * grid[0] * grid[1] * grid[2])
    flags += [f"--arg=u8[{scratch}]=uninitialized", "--arg=u8[1]=uninitialized"]  # memory of the kernel's own, and of a profiler
    flags = ["--grid=" + ",".join(map(str, grid)), f"--shared-bytes={meta.shared}"] + flags
    (folder / "launch.json").write_text(json.dumps({"kernel": "k.ptx", "flags": flags}, indent=1) + "\n")


def stop_at_ptx(backend=None, stages=None, options=None, language=None, capability=None):
    if stages is None:
        return "ptx", "ptx"
    stages["cubin"] = lambda src, metadata: b""


def write_cuda(out):
    """nvcc, where it stands beside ptxas on the path."""
    folder, n = out / "cuda_vectoradd", 2 << 20
    folder.mkdir(parents=True, exist_ok=True)
    made = subprocess.run(["nvcc", "-ptx", "-arch=sm_120", "-o", folder / "k.ptx", Path(__file__).parent / "vectoradd.cu"], capture_output=True, text=True)
    flags = [f"--grid={n // 256},1,1", "--block=256,1,1"] + [f"--arg=f32[{n}]=uninitialized"] * 3 + [f"--arg=i32:{n}"]
    (folder / "launch.json").write_text(json.dumps({"kernel": "k.ptx", "flags": flags}, indent=1) + "\n")
    print(made.stderr, file=sys.stderr, end="")
    return made.returncode == 0


def main(out):
    out, failed = Path(out), False
    for name, (kernel, parameters, grid) in CUTILE.items():
        folder = out / f"cutile_{name}"
        folder.mkdir(parents=True, exist_ok=True)
        try:
            write_cutile(folder, kernel, parameters, grid)
        except Exception as e:
            failed = True
            print(f"{name}: {type(e).__name__}: {e}", file=sys.stderr)
    failed = not write_cuda(out) or failed
    from triton import knobs

    with tempfile.TemporaryDirectory() as cache:
        knobs.cache.dir = cache
        for name, *rest in triton_cases():
            folder = out / f"triton_{name}"
            folder.mkdir(parents=True, exist_ok=True)
            try:
                write_triton(folder, *rest)
            except Exception as e:
                failed = True
                print(f"{name}: {type(e).__name__}: {e}", file=sys.stderr)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
