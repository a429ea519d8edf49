"""The command line: tilewright run|test|check|... prog.py."""

from __future__ import annotations

import argparse
import importlib.util
import os
import runpy
import sys

from . import __version__, _traceback
from ._config import ENGINES
from ._errors import LaunchInterrupted, TilewrightError

USAGE = 2  # exit status of a wrong command line
INTERRUPTED = 130


class Wrong(TilewrightError):
    """The command line asks for what cannot be done."""


def _launching(p: argparse.ArgumentParser, *, engine: bool = True) -> None:
    """Adds the options of commands that launch kernels."""
    if engine:
        p.add_argument("--engine", choices=ENGINES, help="what runs kernels (default: interp)")
        p.add_argument("--races", action="store_true", help="reject accesses that nothing orders; slow")
        p.add_argument("--sync-check", action="store_true", help="reject compiled code that is right in some schedules only")
        p.add_argument("--ordered", action="store_true", help="run tile blocks with atomics in order")
    p.add_argument("--gpu", metavar="NAME", help="the GPU that the program sees, as in sm_90 (default: sm_100)")
    p.add_argument("--strict", action="store_true", help="reject what the specification leaves undefined")
    p.add_argument("--timeout", type=float, metavar="SECONDS", help="stop a launch that takes longer")
    _program(p)


def _program(p: argparse.ArgumentParser) -> None:
    """Adds the program and its arguments."""
    p.add_argument("--fake-cuda", action="store_true", help='take PyTorch\'s tensors of the CPU for those on "cuda"')
    p.add_argument("--traceback", action="store_true", help="show all frames of errors, those of tilewright too")
    p.add_argument("-m", dest="module", action="store_true", help="the program is the name of a module")
    p.add_argument("program", metavar="prog.py")
    p.add_argument("arguments", nargs=argparse.REMAINDER, help="what the program gets")


def _find(args) -> None:
    """Raises an error for a program that is not there, before anything is installed."""
    if args.module:
        sys.path.insert(0, os.getcwd())
        try:
            found = importlib.util.find_spec(args.program)
        except (ImportError, ValueError):
            found = None
        if found is None:
            raise Wrong(f"there is no module '{args.program}'")
    elif os.path.isdir(args.program) and not os.path.exists(os.path.join(args.program, "__main__.py")):
        raise Wrong(f"'{args.program}' is a folder, expected a program")
    elif not os.path.exists(args.program):
        raise Wrong(f"there is no program '{args.program}'")


def _execute(args) -> int:
    """Runs the program, and reports what it raises. Returns the exit status."""
    sys.argv = [args.program, *args.arguments]
    try:
        if args.module:
            runpy.run_module(args.program, run_name="__main__", alter_sys=True)
        else:
            folder = args.program if os.path.isdir(args.program) else os.path.dirname(os.path.abspath(args.program))
            sys.path[0] = folder
            runpy.run_path(args.program, run_name="__main__")
    except SystemExit:
        raise
    except KeyboardInterrupt as e:
        _traceback.report(e if isinstance(e, LaunchInterrupted) else LaunchInterrupted("interrupted").with_traceback(e.__traceback__))
        return INTERRUPTED
    except BaseException as e:  # as Python does at the end of a program
        _traceback.report(e)
        return 1
    return 0


def _install(args, **more) -> None:
    import tilewright.cutile

    if args.traceback:
        os.environ["TILEWRIGHT_TRACEBACK"] = "full"
    _find(args)
    tilewright.cutile.install(gpu=args.gpu, strict=args.strict or None, timeout=args.timeout, fake_cuda=args.fake_cuda, **more)


def _run(args) -> int:
    _install(args, engine=args.engine, races=args.races or None, sync_check=args.sync_check or None, ordered=args.ordered or None)
    return _execute(args)


def _tool(args) -> int:
    from ._tools import call

    return call(args.name, *args.arguments)


def parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    p = argparse.ArgumentParser(prog="tilewright", description="CUDA Tile kernels without a GPU.",
                                epilog="'tilewright COMMAND --help' says more.")
    p.add_argument("--version", action="version", version=f"tilewright {__version__}")
    commands = p.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name, does, text):
        c = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        c.set_defaults(do=does)
        return c

    _launching(command("run", _run, "run a cuTile program on this machine"))
    t = command("tool", _tool, "run a tool of the compiler: tilec, tile-run, tile-opt, tile-translate, tile-view, tile")
    t.add_argument("name")
    t.add_argument("arguments", nargs=argparse.REMAINDER)
    return p


def main(argv=None) -> int:
    """Runs a command and returns its exit status."""
    args = parser().parse_args(argv)
    try:
        return args.do(args)
    except KeyboardInterrupt:
        return INTERRUPTED
    except TilewrightError as e:
        print(f"tilewright: error: {e}", file=sys.stderr)
        return USAGE if isinstance(e, Wrong) else 1


def entry() -> None:
    """The console script."""
    sys.exit(main())


__all__ = ["entry", "main", "parser"]
