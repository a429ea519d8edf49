"""python -m tilewright run prog.py: runs a cuTile program without a GPU."""

from __future__ import annotations

import argparse
import os
import runpy
import subprocess
import sys

from . import __version__
from ._config import ENGINES
from ._errors import KernelError, TilewrightError


def _run(args) -> int:
    import tilewright.cutile

    tilewright.cutile.install(engine=args.engine, gpu=args.gpu, strict=args.strict or None, races=args.races or None,
                              sync_check=args.sync_check or None, ordered=args.ordered or None, timeout=args.timeout, fake_cuda=args.fake_cuda)
    if args.module:
        sys.argv = [args.program, *args.arguments]
        sys.path.insert(0, os.getcwd())
        runpy.run_module(args.program, run_name="__main__", alter_sys=True)
    else:
        sys.argv = [args.program, *args.arguments]
        sys.path[0] = os.path.dirname(os.path.abspath(args.program))
        runpy.run_path(args.program, run_name="__main__")
    return 0


def _tool(args) -> int:
    from ._tools import tool

    return subprocess.call([tool(args.name), *args.arguments])


def main(argv=None) -> int:
    p = argparse.ArgumentParser(prog="python -m tilewright", description="CUDA Tile kernels without a GPU.")
    p.add_argument("--version", action="version", version=f"tilewright {__version__}")
    commands = p.add_subparsers(dest="command", required=True)
    r = commands.add_parser("run", help="run a cuTile program")
    r.add_argument("--engine", choices=ENGINES, help="what runs kernels (default: interp)")
    r.add_argument("--gpu", metavar="NAME", help="the GPU that the program sees (default: sm_100)")
    r.add_argument("--races", action="store_true", help="reject accesses that nothing orders")
    r.add_argument("--sync-check", action="store_true", help="reject compiled code that is right in some schedules only")
    r.add_argument("--strict", action="store_true", help="reject what the specification leaves undefined")
    r.add_argument("--ordered", action="store_true", help="run tile blocks with atomics in order")
    r.add_argument("--timeout", type=float, metavar="SECONDS", help="stop a launch that takes longer")
    r.add_argument("--fake-cuda", action="store_true", help='take PyTorch\'s tensors of the CPU for those on "cuda"')
    r.add_argument("-m", dest="module", action="store_true", help="the program is the name of a module")
    r.add_argument("program")
    r.add_argument("arguments", nargs=argparse.REMAINDER)
    r.set_defaults(do=_run)
    t = commands.add_parser("tool", help="run a tool: tile-run, tilec, tile-opt, tile-translate")
    t.add_argument("name")
    t.add_argument("arguments", nargs=argparse.REMAINDER)
    t.set_defaults(do=_tool)
    args = p.parse_args(argv)
    try:
        return args.do(args)
    except KernelError:
        raise  # with the lines of the program that led there
    except TilewrightError as e:
        print(f"tilewright: error: {e}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
