"""Kernels of a TileGym checkout as modules and numeric cases.

    python cases.py TILEGYM OUT --nvcc NVCC [-I CCCL]... [--only WORD]

Each kernel of full.py and small.py is instantiated in a source file of its own, compiled to Tile IR by nvcc, and, where it has arguments, becomes a folder with a
case.json whose expectations NumPy computes. Nothing of TileGym is copied: the source file includes its header.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

import full
import small
from kernel import case

def build(k, o):
    folder = os.path.join(o.out, k.name)
    os.makedirs(folder, exist_ok=True)
    source, module = os.path.join(folder, "k.cu"), os.path.join(folder, "k.tilebc")
    if not os.path.exists(module) or open(source).read() != k.source():
        with open(source, "w") as f:
            f.write(k.source())
        includes = [x for i in [os.path.join(o.tilegym, "src/tilegym/ops/tilecpp"), *o.include] for x in ("-I", i)]
        # An absolute path of nvcc finds its toolkit's headers by itself.
        made = subprocess.run([o.nvcc, "--enable-tile", "--tilebc", "--tile-only", "-std=c++20", "-arch", "sm_90", *includes, source, "-o", module],
                              capture_output=True, text=True)
        if made.returncode:
            return f"{k.name}: nvcc: {made.stderr.strip()[:1000]}"
    if k.grid:
        text = subprocess.run([o.translate, "--disassemble", module], capture_output=True, text=True)
        entries = re.findall(r"entry @(\S+?)\(", text.stdout)
        if len(entries) != 1:
            return f"{k.name}: {len(entries)} entries {text.stderr.strip()[:300]}"
        case(k, folder, entries[0])
    return None


def main():
    p = argparse.ArgumentParser()
    p.add_argument("tilegym")
    p.add_argument("out")
    p.add_argument("--nvcc", default="nvcc")
    p.add_argument("--translate", default="tile-translate")
    p.add_argument("-I", dest="include", action="append", default=[])
    p.add_argument("--only", default="")
    o = p.parse_args()
    chosen = [k for k in [*full.kernels(), *small.kernels()] if o.only in k.name]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        failed = [e for e in pool.map(lambda k: build(k, o), chosen) if e]
    print("\n".join(failed), file=sys.stderr)
    print(f"{len(chosen)} kernels, {sum(1 for k in chosen if k.grid)} with values, {len(failed)} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
