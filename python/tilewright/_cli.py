"""The command line: tilewright run|test|check|... prog.py."""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib.metadata
import importlib.util
import io
import json
import os
import runpy
import shutil
import sys
import tempfile

from . import __version__, _source, _traceback
from ._config import ENGINES, WHY
from ._errors import KernelError, LaunchInterrupted, TilewrightError

USAGE = 2  # exit status of a wrong command line
INTERRUPTED = 130


class Wrong(TilewrightError):
    """The command line asks for what cannot be done."""


class _Parser(argparse.ArgumentParser):
    """Its errors quote the command line without what a terminal would obey."""

    def error(self, message):
        super().error(_source.printable(message))


def _launching(p: argparse.ArgumentParser, *, engine: bool = False, runs: bool = True, program: str | None = None) -> None:
    """Adds the options of commands that launch kernels. With runs=False the kernels are compiled, and do not run."""
    if engine:
        p.add_argument("--engine", choices=ENGINES, help="what runs kernels (default: interp)")
        p.add_argument("--races", action="store_true", help="reject accesses that nothing orders")
        p.add_argument("--sync-check", action="store_true", help="reject compiled code that is right in some schedules only")
        p.add_argument("--ordered", action="store_true", help="run tile blocks with atomics in order")
    p.add_argument("--gpu", metavar="NAME", help="the GPU that the program sees, as in sm_90 (default: sm_100)")
    if runs:
        p.add_argument("--strict", action="store_true", help="reject what the specification leaves undefined")
        p.add_argument("--timeout", type=float, metavar="SECONDS", help="stop a launch that takes longer")
    _program(p, program)


def _program(p: argparse.ArgumentParser, program: str | None = None) -> None:
    """Adds the program and its arguments. program="?" says that it may be left out."""
    p.add_argument("--fake-cuda", action="store_true", help='take PyTorch\'s tensors of the CPU for those on "cuda"')
    p.add_argument("--traceback", action="store_true", help="show all frames of errors, those of tilewright too")
    p.add_argument("-m", dest="module", action="store_true", help="the program is the name of a module")
    p.add_argument("program", metavar="prog.py", nargs=program)
    p.add_argument("arguments", nargs=argparse.REMAINDER, help="what the program gets").required = False


def _find(args) -> None:
    """Raises an error for a program that is not there, before anything is installed."""
    if args.module:
        if args.program.endswith(".py"):  # find_spec would run a module of the name before the dot
            raise Wrong(f"-m takes the name of a module, as in '{args.program.removesuffix('.py')}'")
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


def _start(args) -> None:
    """Runs the program."""
    sys.argv = [args.program, *args.arguments]
    if args.module:
        runpy.run_module(args.program, run_name="__main__", alter_sys=True)
    else:
        folder = args.program if os.path.isdir(args.program) else os.path.dirname(os.path.abspath(args.program))
        sys.path[0] = folder
        runpy.run_path(args.program, run_name="__main__")


def _execute(args) -> int:
    """Runs the program, and reports what it raises. Returns the exit status."""
    try:
        _start(args)
    except SystemExit:
        raise
    except BaseException as e:  # as Python does at the end of a program
        return _report(e)
    return 0


def _report(error: BaseException) -> int:
    """Reports what ended a program, and returns the exit status."""
    if isinstance(error, KeyboardInterrupt) and not isinstance(error, LaunchInterrupted):
        error = LaunchInterrupted("interrupted").with_traceback(error.__traceback__)
    _traceback.report(error)
    return INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1


def _install(args, **more) -> None:
    if args.traceback:
        os.environ["TILEWRIGHT_TRACEBACK"] = "full"
    _find(args)
    import tilewright.cutile

    more |= {"strict": getattr(args, "strict", None) or None, "timeout": getattr(args, "timeout", None)}
    # PyTorch makes half a million objects that stay. No collection looks at them: not while it is imported, nor later, nor
    # when Python ends.
    gc.disable()
    try:
        tilewright.cutile.install(gpu=args.gpu, fake_cuda=args.fake_cuda, **more)
    finally:
        gc.freeze()
        gc.enable()


def _run(args) -> int:
    from . import _record

    _install(args, engine=args.engine, races=args.races or None, sync_check=args.sync_check or None, ordered=args.ordered or None)
    to = os.environ.get("TILEWRIGHT_REPORT")
    if not to:
        return _execute(args)
    r = _record.Recorder(run=True, files=_record.Files())
    try:
        with _record.recording(r):
            return _execute(args)
    finally:
        _write_reports(list(r.kernels.values()), r.files, to)


def _write_reports(kernels, files, to: str) -> None:
    """Writes what TILEWRIGHT_REPORT asks for: a page of all kernels, or a page each in a folder. Failing is a warning."""
    try:
        if kernels and to.endswith((".html", ".htm")):
            with tempfile.TemporaryDirectory() as folder:
                _write_page(kernels, folder, files, to)
            return
        for i, k in enumerate(kernels):
            os.makedirs(to, exist_ok=True)
            with tempfile.TemporaryDirectory() as folder:
                _write_page([k], folder, files, os.path.join(to, f"{i:03d}-{k.name}.html"))
    except (TilewrightError, OSError) as e:
        print(f"tilewright: warning: TILEWRIGHT_REPORT: {e}", file=sys.stderr)


def _check(args) -> int:
    from . import _record

    _install(args, engine="both", races=True, sync_check=True)
    with _record.recording(_record.Recorder(run=True, names=tuple(args.kernel))) as r:
        status = _execute(args)
    if status == 0:
        _known(r)
        kernels = list(r.kernels.values())
        launches, names = sum(k.launches for k in kernels), sorted({k.name for k in kernels})
        print(f"tilewright: right: {_count(launches, 'launch', 'es')} of {_count(len(names), 'kernel', 's')}: {', '.join(names)}" if kernels
              else "tilewright: the program launched no kernel", file=sys.stderr)
    return status


def _count(number: int, what: str, plural: str) -> str:
    return f"{number} {what}{plural if number != 1 else ''}"


def _known(r) -> None:
    """Raises an error for names that no kernel of the program has."""
    found = {k.name for k in r.kernels.values()}
    for name in r.names:
        if name not in found:
            raise Wrong(f"the program launches no kernel '{name}'; it launches {', '.join(sorted(found | r.others)) or 'none'}")


def _record_kernels(args, *, run: bool, memory: bool = False, failures: list | None = None, files=None) -> list:
    """Runs the program to find its kernels. With run=False they do not run, and what the program makes of their results
    does not count. With failures, an error of the program is put there if it has launched a kernel. The launch of a kernel
    that failed is then returned too."""
    from . import _record

    _install(args)
    sys.stdout.flush()
    recorder = _record.Recorder(run=run, memory=memory, names=tuple(args.kernel), files=files)
    error: BaseException | None = None
    with _record.recording(recorder), contextlib.redirect_stdout(sys.stdout if run else io.StringIO()):
        try:
            _start(args)
        except _record.Enough:
            pass
        except SystemExit as e:
            error = e if e.code else None
        except BaseException as e:
            error = e
    kernels = list(recorder.kernels.values())
    if not kernels and recorder.others:
        _known(recorder)
    if error is not None and failures is not None and kernels and isinstance(error, Exception):
        failures.append(error)
        if isinstance(error, KernelError) and not any(k is recorder.last for k in kernels):
            kernels.append(recorder.last)
    elif error is not None and (run or not kernels or isinstance(error, KeyboardInterrupt)):
        raise error
    elif error is not None:
        print(f"tilewright: note: kernels did not run, and the program ended with {type(error).__name__} after it had launched "
              f"{len(kernels)}", file=sys.stderr)
    _known(recorder)
    if not kernels:
        raise TilewrightError(f"'{args.program}' launched no kernel")
    return kernels


def _link(kernels, folder: str, files=None) -> tuple[str, str, str | None]:
    """Writes all kernels as one module, what their parameters are, and their launches if there are files of these.
    Returns the paths."""
    from . import _record, _tools

    paths = []
    names: set[str] = set()
    for i, k in enumerate(kernels):
        path = os.path.join(folder, f"{i}.tileirbc")
        with open(path, "wb") as f:
            f.write(k.data)
        paths.append(path)
        n, entry = 1, k.entry
        while k.entry in names:  # as tile link numbers them
            n += 1
            k.entry = f"{entry}_{n}"
        names.add(k.entry)
    module = os.path.join(folder, "kernels.tileirbc")
    _tools.run("tile", "link", "-o", module, *paths)
    launches = _record.save_launches(kernels, os.path.basename(module), files, folder) if files else None
    return module, _record.save_arguments(kernels, os.path.join(folder, "arguments.json")), launches


def _write_page(kernels, folder: str, files, to: str) -> None:
    """Writes a report of all kernels. The folder gets what it is made of."""
    from . import _tools

    module, arguments, launches = _link(kernels, folder, files)
    _tools.run("tilec", "--emit=ptx", *_gpu(), f"--report={to}", "--arguments", arguments, *(["--launches", launches] if launches else []),
               "-o", os.devnull, module)


def _gpu() -> list[str]:
    from ._config import config

    return [f"--gpu-name={config().gpu}"]


def _why(args) -> int:
    from . import _tools

    kernels = _record_kernels(args, run=False)
    with tempfile.TemporaryDirectory() as folder:
        module, arguments, _ = _link(kernels, folder)
        status = 0
        for topic in args.about or WHY:
            status = status or _tools.call("tilec", f"--why={topic}", "--arguments", arguments, "--emit=ptx", *_gpu(), module)
    return status


def _view(args) -> int:
    from . import _record, _tools

    if args.html == "":
        raise Wrong("--html names no file")
    if args.html and args.port:
        raise Wrong("--port is of the server, but --html writes a file")
    if args.html is None:
        _find(args)
        more = ["--fake-cuda"] if args.fake_cuda else []
        return _tools.call("tile-view", "--python", sys.executable, *(f"--kernel={k}" for k in args.kernel), *(f"--port={p}" for p in args.port),
                           *([f"--gpu-name={args.gpu}"] if args.gpu else []), *more, *(["--module"] if args.module else []), "--",
                           args.program, *args.arguments)
    files = _record.Files()
    with tempfile.TemporaryDirectory() as folder:
        _write_page(_record_kernels(args, run=False, files=files), folder, files, args.html)
    return 0


def _export(args) -> int:
    from . import _record

    failures: list = []
    files = _record.Files()
    kernels = _record_kernels(args, run=args.cases, memory=args.cases, failures=failures if args.cases else None, files=files)
    os.makedirs(args.output, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        loaded = {getattr(m, "__file__", None) or "" for m in list(sys.modules.values())}  # PyTorch's torch.classes says "_classes.py"
        sources = sorted(os.path.abspath(f) for f in loaded if f.endswith(".py") and os.path.isfile(f) and not _traceback.is_installed(f))
        if not args.module:
            sources.append(os.path.abspath(args.program))
        names: dict[str, int] = {}
        cases = []
        for k in kernels if args.cases else ():
            names[k.name] = names.get(k.name, 0) + 1
            cases.append(k.name + (f"_{names[k.name]}" if names[k.name] > 1 else ""))
            k.case.write(os.path.join(args.output, cases[-1]))
            _record.save_arguments([k], os.path.join(args.output, cases[-1], "arguments.json"))
        if args.cases:
            with open(os.path.join(args.output, "cases.txt"), "w", encoding="utf-8") as f:
                f.write("".join(c + "\n" for c in cases))
        module, arguments, _ = _link(kernels, folder)
        for path in (module, arguments):
            shutil.copy(path, args.output)
        _record.save_launches(kernels, os.path.basename(module), files, args.output)
        with open(os.path.join(args.output, "sources.txt"), "w", encoding="utf-8") as f:
            f.write("".join(s + "\n" for s in sources if "\n" not in s))
    if failures:
        raise failures[0]
    return 0


def _debug(args) -> int:
    from . import _tools

    more = [] if not args.program else [args.program, "--", *args.arguments] if not args.module else ["--module", args.program, "--", *args.arguments]
    flags = {"--listen": args.listen, "--tile-block": args.tile_block, "--gpu-name": args.gpu}
    if args.program:
        _find(args)
    switches = {"--stop-on-entry": args.stop_on_entry, "--strict": args.strict, "--ir": args.ir, "--fake-cuda": args.fake_cuda}
    return _tools.call("tile", "debug", "--python", sys.executable, *(f"--kernel={k}" for k in args.kernel),
                       *(f"{f}={v}" for f, v in flags.items() if v is not None), *(f for f, on in switches.items() if on), *more)


def _judge(args) -> int:
    from . import _tools

    kernels = _record_kernels(args, run=True, memory=True)
    with tempfile.TemporaryDirectory() as folder:
        cases, names = [], {}
        for k in kernels:
            names[k.name] = names.get(k.name, 0) + 1
            cases.append(k.case.write(os.path.join(folder, k.name + (f"_{names[k.name]}" if names[k.name] > 1 else ""))))
        return _tools.call("tile", "judge", *([f"--gpu-name={args.gpu}"] if args.gpu else []), *cases)


def _tune(args) -> int:
    from . import _record, _tune

    try:
        tries = [_tune.values(t) for t in args.tries]
    except ValueError as e:
        raise Wrong(f"--try: {e}") from None
    if args.grid and not tries:
        raise Wrong("--grid needs --try")
    if args.json and not tries:
        raise Wrong("--json needs --try")
    how = {"device": args.device, "exact": args.exact, "workers": args.jobs, "measure": args.measure}
    _install(args)
    found, error, searches = _record.Recorder(run=False, names=tuple(args.kernel)), None, 0

    def report(result) -> None:
        nonlocal searches
        searches += 1
        print(_lines(result), file=sys.stderr if tries else sys.__stdout__)

    sys.stdout.flush()
    with _record.recording(found), _tune.searching(report, **how), contextlib.redirect_stdout(io.StringIO()):
        try:
            _start(args)
        except _record.Enough:
            pass
        except KeyboardInterrupt:
            raise
        except BaseException as e:  # kernels did not run, so that the program may end early
            error = e
    if not found.kernels and found.others:
        raise Wrong(f"the program launches no kernel '{args.kernel[0]}'; it launches {', '.join(sorted(found.others))}")
    if not tries:
        if not searches and error is not None:
            raise error
        if not searches:
            raise Wrong("the program does not call ct.tune.exhaustive_search: say what to try, as in --try BM=64,128")
        return 0
    kernels = found.by_name()
    if len(kernels) != 1:
        if not kernels and error is not None:
            raise error
        raise Wrong(f"the program launches {', '.join(sorted(kernels)) or 'no kernel'}: choose one by --kernel")
    (kernel,) = kernels.values()
    result = _tune.by_flags(kernel, tries, args.grid, **how)
    print(json.dumps(result.rows, indent=1) if args.json else _lines(result))
    return 0


def _cases(args) -> int:
    from . import _cases, _record

    if args.draws and not args.reference:
        raise Wrong("--draws needs --reference, which computes what is expected of other numbers")
    if args.draws < 0 or args.seed < 0:
        raise Wrong("--draws and --seed are not negative")
    _install(args)
    to = _cases.Writer(args.out, args.reference, args.draws, args.seed)
    with _cases.marked(), _record.recording(_record.Recorder(run=True, each=to.keep)):
        try:
            return _execute(args)
        finally:
            to.close()


def _test(args) -> int:
    if importlib.util.find_spec("pytest") is None:
        raise TilewrightError("pytest is not installed: 'pip install pytest' installs it")
    known = any(e.name == "tilewright" for e in importlib.metadata.entry_points(group="pytest11"))
    import pytest

    return int(pytest.main([*([] if known else ["-p", "tilewright.pytest_plugin"]), "--tilewright", *args.arguments]))


def _doctor(args) -> int:
    from ._tools import call

    return call("tile", "doctor", "--python", sys.executable, *args.arguments)


def _tool(args) -> int:
    from ._tools import call

    if not args.name or os.path.basename(args.name) != args.name:
        raise Wrong(f"'{args.name}' is no tool, expected one such as tilec")
    return call(args.name, *args.arguments)


def parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    p = _Parser(prog="tilewright", description="CUDA Tile kernels without a GPU.",
                epilog="'tilewright COMMAND --help' says more.")
    p.add_argument("--version", action="version", version=f"tilewright {__version__}")
    commands = p.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name, does, text):
        c = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        c.set_defaults(do=does)
        return c

    def choosing(c):
        c.add_argument("--kernel", action="append", default=[], metavar="NAME", help="this kernel only; may be repeated (default: all)")
        return c

    _launching(command("run", _run, "run a cuTile program on this machine"), engine=True)
    t = command("test", _test, "run pytest; all launches run here and are checked, races included")
    t.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...", help="what pytest gets")
    _launching(choosing(command("check", _check, "run a program on both engines, looking for races, and compare them")))
    v = choosing(command("view", _view, "show what becomes of a program's kernels in a browser, and again as it is saved"))
    v.add_argument("--html", metavar="FILE", help="write the page to this file instead")
    v.add_argument("--port", action="append", default=[], help="of the loopback interface (default: one that is free)")
    _launching(v, runs=False)
    w = choosing(command("why", _why, "say what the compiler did not do, what is missing, the cure, and its worth"))
    w.add_argument("--about", action="append", default=[], choices=WHY, help="the topic; may be repeated (default: all)")
    _launching(w, runs=False)
    _launching(choosing(command("judge", _judge, "say whether a program's kernels are right, in one verdict")))
    n = choosing(command("tune", _tune, "choose the fastest configuration of a kernel, by estimates; kernels do not run"))
    n.add_argument("--try", dest="tries", action="append", default=[], metavar="NAME=V,V",
                   help="values of a parameter or a hint of the kernel; may be repeated (default: what the program passes to ct.tune)")
    n.add_argument("--grid", metavar="EXPR", help='the grid, as in "cdiv(c.shape[0], BM), cdiv(c.shape[1], BN)"')
    n.add_argument("--device", metavar="NAME", help="as in 'H100 NVL' (default: the first one of --gpu; 'tile time --devices' lists them)")
    n.add_argument("--exact", action="store_true", help="take only configurations that make the same sums in the same order as the first")
    n.add_argument("--jobs", type=int, default=0, metavar="N", help="workers (default: one for each processor)")
    n.add_argument("--measure", type=int, default=0, metavar="K", help="let the GPU time the K best")
    n.add_argument("--json", action="store_true", help="print what is known of each configuration as JSON")
    _launching(n, runs=False)
    r = command("record", _cases, "run a program, and keep its launches as numeric cases, for 'tile judge'")
    r.add_argument("--out", required=True, metavar="DIR", help="the new folder of the cases")
    r.add_argument("--reference", default="", metavar="FUNC", help="the function of the program that computes the same, of NumPy arrays")
    r.add_argument("--draws", type=int, default=0, metavar="N", help="with --reference: N more cases with other numbers for each launch")
    r.add_argument("--seed", type=int, default=0, metavar="SEED", help="which numbers")
    _launching(r)
    e = choosing(command("export", _export, "write a program's kernels as files for the tools"))
    e.add_argument("-o", "--output", required=True, metavar="FOLDER", help="gets kernels.tileirbc, arguments.json, launches.json and sources.txt")
    e.add_argument("--cases", action="store_true",
                   help="also a numeric case of each kernel's first launch, and of one that fails; the kernels run")
    _launching(e)
    g = choosing(command("debug", _debug, "debug a program's kernels: a server for editors, which start it"))
    g.add_argument("--listen", metavar="HOST:PORT", help="wait for one client there (default: standard input and output)")
    g.add_argument("--tile-block", metavar="X,Y,Z", help="stop in this tile block only; all run (default: stop in any)")
    g.add_argument("--stop-on-entry", action="store_true", help="stop at the first operation")
    g.add_argument("--ir", action="store_true", help="step through the text of Tile IR, not through Python")
    g.add_argument("--strict", action="store_true", help="stop at what the specification leaves undefined")
    _launching(g, runs=False, program="?")
    d = command("doctor", _doctor, "say what is installed, what will be used, and why")
    d.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...")
    t = command("tool", _tool, "run a tool of the compiler: tilec, tile-run, tile-opt, tile-translate, tile-view, tile")
    t.add_argument("name")
    t.add_argument("arguments", nargs=argparse.REMAINDER)
    return p


def main(argv=None) -> int:
    """Runs a command and returns its exit status."""
    argv = sys.argv[1:] if argv is None else list(argv)
    if argv[:1] in (["test"], ["doctor"]) and argv[1:2] not in (["-h"], ["--help"]):
        argv.insert(1, "--")  # all that follows is for another program
    elif argv[:1] == ["tool"] and len(argv) > 2:
        argv.insert(2, "--")
    args = parser().parse_args(argv)
    if getattr(args, "arguments", [])[:1] == ["--"]:
        args.arguments = args.arguments[1:]
    try:
        return args.do(args)
    except SystemExit:
        raise
    except TilewrightError as e:
        if isinstance(e, KernelError):
            return _report(e)
        print(f"tilewright: error: {_lines(e)}", file=sys.stderr)
        return USAGE if isinstance(e, Wrong) else 1
    except OSError as e:
        if _traceback.is_programs(e.__traceback__):
            return _report(e)
        what = f"'{e.filename}': {e.strerror.lower()}" if e.filename is not None and e.strerror else str(e)
        print(f"tilewright: error: {_lines(what)}", file=sys.stderr)
        return 1
    except BaseException as e:
        return _report(e)


def _lines(error: BaseException | str) -> str:
    """Returns the text of an error, without what a terminal would obey."""
    return "\n".join(_source.printable(line) for line in str(error).split("\n"))


def entry() -> None:
    """The console script."""
    sys.exit(main())


__all__ = ["entry", "main", "parser"]
