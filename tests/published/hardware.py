"""Times cubins of the published rows on this machine's GPU: hardware.py FOLDER.

FOLDER is what rows.py wrote. Each of its folders needs cubins beside launch.json, one for each compiler, that are
launched by a grid alone: `tileiras --gpu-name sm_90 k.tileirbc -o NAME.cubin`, where `tileiras` is NVIDIA's or a link
to tilec. A cubin of `tilec --launch-json=NAME.json --tensor-maps=device` is launched as NAME.json says.

Prints a JSON line for each row: microseconds by events, the median of 20 after 5 others, with L2 overwritten before
each, and by how much results differ from those of the first cubin. Needs CuPy.
"""

import json
import re
import statistics
import sys
from pathlib import Path

import cupy as cp
import numpy as np

TYPES = {"f16": cp.float16, "f32": cp.float32, "f64": cp.float64, "i32": cp.int32, "u8": cp.uint8}
SCALARS = {"f32": np.float32, "i32": np.int32}
ROUNDS, WARM_UP = 25, 5
L2_WORDS = 64 << 20  # more than any L2 cache has
MOST_COMPARED = 1 << 26  # elements


def array(dtype, shape, content):
    """Random numbers between -0.5 and 0.5, or zeros for integers and where the launch says so."""
    if content == "0" or dtype in ("i32", "u8"):
        return cp.zeros(shape, dtype=TYPES[dtype])
    values = cp.random.default_rng(1).random(int(np.prod(shape)), dtype=cp.float32) - 0.5
    return values.astype(TYPES[dtype]).reshape(shape)


def launch_of(flags):
    """The arguments, arrays and grid that the flags of `tile time` describe."""
    args, arrays, grid = [], [], (1, 1, 1)
    for flag in flags:
        name, value = flag.split("=", 1)
        tensor = re.match(r"(\w+)\[([\dx]+)\]=(.*)", value)
        if name == "--grid":
            grid = tuple(map(int, value.split(",")))
        elif tensor:
            x = array(tensor[1], tuple(map(int, tensor[2].split("x"))), tensor[3])
            arrays.append(x)
            args.append(np.uint64(x.data.ptr))
            if name == "--array":  # with sizes and strides
                args += [np.int32(n) for n in x.shape] + [np.int32(n // x.itemsize) for n in x.strides]
        else:
            dtype, number = value.split(":")
            args.append(SCALARS[dtype](float(number)))
    return tuple(args), arrays, grid


def block_of(cubin):
    description = cubin.with_suffix(".json")
    if not description.exists():
        return (1, 1, 1)  # the cubin knows
    block = json.loads(description.read_text())["kernels"][0]["block"]
    return tuple(block) + (1,) * (3 - len(block))


def measure(cubin, args, arrays, grid, flush):
    """The median time in microseconds, and the arrays after the first launch."""
    kernel, block = cp.RawModule(path=str(cubin)).get_function("k"), block_of(cubin)
    before = [a.copy() for a in arrays]
    kernel(grid, block, args)
    results = [a.copy() for a in arrays]
    for a, b in zip(arrays, before):
        a[...] = b
    times = []
    for i in range(ROUNDS):
        flush.fill(i)
        start, end = cp.cuda.Event(), cp.cuda.Event()
        start.record()
        kernel(grid, block, args)
        end.record()
        end.synchronize()
        times.append(1e3 * cp.cuda.get_elapsed_time(start, end))
    for a, b in zip(arrays, before):
        a[...] = b
    return statistics.median(times[WARM_UP:]), results


def difference(results, others):
    pairs = [(x, y) for x, y in zip(results, others) if x.dtype.kind == "f" and x.size < MOST_COMPARED]
    return max((float(cp.abs(x.astype(cp.float64) - y.astype(cp.float64)).max()) for x, y in pairs), default=None)


def main():
    flush = cp.zeros(L2_WORDS, dtype=cp.float32)
    for folder in sorted(Path(sys.argv[1]).iterdir()):
        cubins = sorted(folder.glob("*.cubin"))
        if not cubins:
            continue
        args, arrays, grid = launch_of(json.loads((folder / "launch.json").read_text())["flags"])
        row, first = {"row": folder.name}, None
        for cubin in cubins:
            microseconds, results = measure(cubin, args, arrays, grid, flush)
            row[cubin.stem] = round(microseconds, 1)
            if first is None:
                first = results
            else:
                row["off " + cubin.stem] = difference(results, first)
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
