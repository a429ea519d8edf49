"""Chooses among configurations of a kernel without a GPU: `tile tune` (docs/tune.md) for Python.

    result = tilewright.tune(space, grid_fn, kernel, args_fn, hints_fn, device="H100 SXM5")

has the form of cuTile's own ct.tune.exhaustive_search, but for the stream. Kernels are compiled by cuTile, once for each
configuration. They do not run: the times are estimates of `tile tune`, which decides and ranks.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import contextvars
import dataclasses
import itertools
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from typing import Any

from . import _hooks, _record, _tools
from ._config import config, options
from ._errors import TilewrightError

HINTS = ("num_ctas", "occupancy", "num_worker_warps", "opt_level")  # of ct.kernel
_AHEAD = 4  # estimates that an executor is asked for at once; the result does not depend on it
_ROUNDS = 100_000  # more than any search takes


@dataclasses.dataclass(frozen=True, kw_only=True)
class Measurement:
    """A configuration and its time, with the fields of cuTile's Measurement.

    Attributes:
        config: what the search space has.
        mean_us: microseconds; an estimate unless num_samples is more than 0.
        num_samples, error_margin_us: 0 for estimates.
        numerics: the class; configurations of one class make the same sums in the same order.
    """

    config: Any
    mean_us: float
    num_samples: int = 0
    error_margin_us: float = 0.0
    numerics: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Tuning:
    """The result of a search, with the fields of cuTile's TuningResult.

    Attributes:
        best: the best measurement.
        successes: the configurations that were estimated, the best first.
        pruned: (configuration, why) of those that cannot be the best.
        failures: (configuration, type of the error, message) of those that cannot be used.
        rows: list of dict, all of it as `tile tune --json` has it.
        text: the table of `tile tune`.
    """

    best: Measurement
    successes: Sequence[Measurement]
    pruned: Sequence[tuple[Any, str]]
    failures: Sequence[tuple[Any, type[BaseException], str]]
    rows: Sequence[dict]
    text: str

    def summary(self, **_) -> str:
        """Returns the table of `tile tune`."""
        return self.text

    def __str__(self):
        return self.text


def configuration(kernel, grid, args, hints: dict, files: _record.Files, name: str) -> dict:
    """Returns an entry of the list of `tile tune`, for a launch that cuTile compiles and that does not run."""
    _hooks.hook()
    import cuda.tile as ct

    kernel = kernel if isinstance(kernel, ct.kernel) else ct.kernel(kernel)
    if hints:
        kernel = kernel.replace_hints(**hints)
    r = _record.Recorder(run=False, files=files)
    with _record.recording(r):
        ct.launch(None, tuple(grid), kernel, tuple(args))
    k = next(iter(r.kernels.values()), None)
    if k is None:
        raise TilewrightError("cuTile launched nothing")
    if isinstance(k.described, TilewrightError):
        raise k.described
    return {"name": name, "module": files.add(k.data, ".tileirbc"), "entry": k.entry, "grid": list(k.grid), "args": k.described}


def devices() -> dict[str, str]:
    """Returns the GPUs that are known, with the architecture of each."""
    lines = _tools.run("tile", "time", "--devices").stdout.decode().splitlines()[1:]
    return {c[0]: c[1].split()[0] for c in (re.split(r"\s{2,}", line) for line in lines)}


def _device(name: str | None) -> tuple[str, str]:
    """Returns a GPU and its architecture: by its name, or the first one of the architecture that programs see."""
    def plain(s):
        return re.sub(r"[ _-]", "", s.lower())

    known = devices()
    for device, arch in known.items():
        if plain(device) == plain(name) if name else arch == config().gpu:
            return device, arch
    raise TilewrightError(f"unknown device {name or config().gpu!r}, expected one of {', '.join(known)}")


def named(configuration) -> str:
    """Returns how a table calls a configuration."""
    if isinstance(configuration, dict):
        return " ".join(f"{k}={v}" for k, v in configuration.items())
    return str(configuration)


def tune(search_space: Sequence, grid_fn: Callable, kernel, args_fn: Callable, hints_fn: Callable | None = None, *,
         device: str | None = None, exact: bool = False, slack: float = 0.01, executor: concurrent.futures.Executor | None = None,
         workers: int = 0, cache: str | None = None, remote_cache: str | None = None, measure: int = 0, flags: Sequence[str] = ()) -> Tuning:
    """Chooses the fastest configuration, by estimates. The result is the same on every machine, for any executor.

    Args:
        search_space: the configurations.
        grid_fn: maps one to the grid.
        kernel: a ct.kernel, or a function that maps a configuration to one.
        args_fn: maps one to the arguments of the launch. What arrays of floats hold does not count.
        hints_fn: maps one to hints of ct.kernel, as in {"occupancy": 2}.
        device: as in "H100 NVL" (`tile time --devices` lists them); else the first one of tilewright.config().gpu.
        exact: take only configurations of the numerics class of the first one.
        slack: the part of its time by which a configuration must be able to beat the best one to be estimated.
        executor: answers questions; its workers need this version of tilewright. Else threads of `tile tune` do.
        workers: of `tile tune`; 0 for one on each processor.
        cache: a folder that keeps answers; None for the user's (answers_folder), "" for none.
        remote_cache: the URL of a server that keeps answers too (docs/cache.md).
        measure: how many of the best a GPU times, if there is one.
        flags: more of `tile tune`, as in "--warm".

    Raises:
        TilewrightError: no configuration can be used, or the command line makes no sense.
    """
    _hooks.hook()
    import cuda.tile as ct

    space = list(search_space)
    if not space:
        raise ValueError("Search space is empty.")
    device, arch = _device(device)
    more = [f"--device={device}", f"--slack={slack}", *(["--exact"] if exact else []), *flags]
    files, entries, index, failures = _record.Files(), [], [], []
    with tempfile.TemporaryDirectory() as folder, _early((workers or os.cpu_count() or 1) - 1 if executor is None else 0) as early:
        if executor is None:  # workers elsewhere have folders of their own
            cache = answers_folder() if cache is None else cache
            if early and not cache:
                cache = os.path.join(folder, "answers")
        kept = [*([f"--cache={cache}"] if cache is not None else []), *([f"--remote-cache={remote_cache}"] if remote_cache else [])]
        with options(gpu=arch, engine="interp"):
            for i, c in enumerate(space):
                try:
                    k = kernel if isinstance(kernel, ct.kernel) else kernel(c)
                    entries.append(configuration(k, grid_fn(c), args_fn(c), hints_fn(c) if hints_fn else {}, files, named(c)))
                    index.append(i)
                except Exception as e:  # as cuTile's search does: what one configuration raises is no reason not to try others
                    if exact and not entries:
                        raise
                    failures.append((c, type(e), str(e)))
                    continue
                if early:
                    early.submit(answer, entries[-1], _own(entries[-1], files.all), "screen", [*more, *kept])
        if not entries:
            raise ValueError(f"No valid config found in search space.\nConfig: {failures[0][0]}\n{failures[0][1].__name__}: {failures[0][2]}")
        if early:
            early.shutdown(wait=False, cancel_futures=True)
        path = _record.write_list(entries, files.all, os.path.join(folder, "list.json"))
        known = os.path.join(folder, "known")
        if executor is not None:
            _ask(executor, path, known, entries, files.all, more, kept)
            kept.append(f"--known={known}")
        if measure:
            kept.append(f"--measure={measure}")
        found = json.loads(_tools.run("tile", "tune", path, "--json", f"--jobs={workers}", *more, *kept).stdout)
    return _result(found, [space[i] for i in index], failures)


def answers_folder() -> str:
    """Returns the folder that keeps the answers of searches: what TILEWRIGHT_CACHE says, where "" stands for none, else
    tilewright/answers among the user's caches. One that cannot be written is none.
    """
    folder = os.environ.get("TILEWRIGHT_CACHE")
    if folder is None:
        home = os.path.expanduser("~/Library/Caches" if sys.platform == "darwin" else "~/.cache")
        folder = os.path.join(os.environ.get("XDG_CACHE_HOME") or home, "tilewright", "answers")
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError:
            return ""
        if not os.access(folder, os.W_OK):
            return ""
    return folder


@contextlib.contextmanager
def _early(workers: int):
    """Yields what asks about configurations while cuTile, which needs one processor, compiles others; None for no worker.

    The answers are in the cache when the search begins. What fails is asked again then, and reported.
    """
    if workers < 1:
        yield None
        return
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        try:
            yield pool
        finally:
            pool.shutdown(cancel_futures=True)


def answer(entry: dict, files: dict[str, bytes], kind: str, flags: list[str]) -> dict:
    """Answers a question about one configuration, on the machine of a worker."""
    with tempfile.TemporaryDirectory() as folder:
        path = _record.write_list([entry], files, os.path.join(folder, "list.json"))
        return json.loads(_tools.run("tile", "tune", path, f"--answer={kind}:0", "--jobs=1", *flags).stdout)["answers"]


def _own(entry: dict, files: dict[str, bytes]) -> dict[str, bytes]:
    """Returns the files that a configuration names."""
    return {n: files[n] for n in {entry["module"], *(a.partition(":")[2] for a in entry["args"] if a.endswith(".npy"))}}


def _ask(executor, path: str, known: str, entries, files, more, kept) -> None:
    """Has an executor answer questions until the search has an end, whose result is then known."""
    answers: dict[str, Any] = {}
    for _ in range(_ROUNDS):
        with open(known, "w", encoding="utf-8") as f:
            json.dump({"answers": answers}, f)
        asked = json.loads(_tools.run("tile", "tune", path, f"--known={known}", f"--ask={_AHEAD}", *more).stdout)
        if "questions" not in asked:
            return
        tasks = []
        for q in asked["questions"]:
            e = entries[q["configuration"]]
            tasks.append(executor.submit(answer, e, _own(e, files), q["kind"], [*more, *kept]))
        before = len(answers)
        for t in tasks:
            answers.update(t.result())
        if len(answers) == before:
            raise TilewrightError("the workers' answers are to other questions: they have another version of tilewright")
    raise TilewrightError("the search does not end")


def _result(found: dict, space: list, failures: list) -> Tuning:
    successes, pruned = [], []
    for r in found["ranked"]:
        c = space[r["configuration"]]
        if r["state"] == "estimated":
            successes.append(Measurement(config=c, mean_us=r.get("measured_microseconds") or r["microseconds"],
                                         num_samples=r.get("launches", 0), numerics=r.get("class", "")))
        elif r["state"] == "pruned":
            pruned.append((c, r["why"]))
        else:
            failures.append((c, TilewrightError, r["why"]))
    return Tuning(best=successes[0], successes=tuple(successes), pruned=tuple(pruned), failures=tuple(failures), rows=found["ranked"], text=_table(found))


def _table(found: dict) -> str:
    rows = [["", "us", "at least", "registers", "shared", "a SM", "class", ""]]
    for r in found["ranked"]:
        rows.append([r["name"], f"{r['microseconds']:.2f}" if r.get("microseconds") else "", f"{r['least_microseconds']:.2f}" if r.get("least_microseconds") else "",
                     *(str(r.get(k, "")) for k in ("registers", "shared_bytes", "resident", "class")), r.get("why", "").split("\n")[0]])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    best = found["ranked"][0]
    head = f"{best['name']} on {found['device']} at {found['clock_mhz']:g} MHz, by estimate"
    return "\n".join([head, *("  ".join(c.ljust(w) for c, w in zip(row, widths)).rstrip() for row in rows)])


# What programs search by ct.tune.exhaustive_search, and the command: tilewright tune prog.py


@dataclasses.dataclass(frozen=True)
class _Searching:
    report: Callable[[Tuning], None]
    how: dict[str, Any]


_searching: contextvars.ContextVar[_Searching | None] = contextvars.ContextVar("searching", default=None)


@contextlib.contextmanager
def searching(report: Callable[[Tuning], None], **how):
    """Says how programs search in the body of a with-statement, and who is told what they find."""
    token = _searching.set(_Searching(report, how))
    try:
        yield
    finally:
        _searching.reset(token)


def search(space: list, grid_fn, kernel, args_fn, hints_fn, quiet: bool) -> Tuning | None:
    """Searches for ct.tune.exhaustive_search, by estimates. The result is None if configurations must be run."""
    s = _searching.get()
    if s is not None:
        result = tune(space, grid_fn, kernel, args_fn, hints_fn, **s.how)
        s.report(result)
        return result
    if config().tuner == "run":
        return None
    try:
        result = tune(space, grid_fn, kernel, args_fn, hints_fn)
    except Exception as e:  # what the program does wrong, a run says too
        print(f"tilewright: warning: no estimates, so that each configuration is run: {(str(e) or type(e).__name__).splitlines()[-1]}", file=sys.stderr)
        return None
    if not quiet:
        print(result)
    return result


def values(text: str) -> tuple[str, list]:
    """Reads NAME=VALUE,VALUE,... of --try.

    Raises:
        ValueError: it is none.
    """
    name, equals, rest = text.partition("=")
    if not equals or not name.isidentifier() or not rest:
        raise ValueError(f"{text!r} is not of the form NAME=VALUE,VALUE")
    out: list = []
    for word in rest.split(","):
        try:
            out.append(json.loads({"True": "true", "False": "false"}.get(word, word)))
        except json.JSONDecodeError:
            raise ValueError(f"{word!r} in {text!r} is no number, true or false") from None
        if not isinstance(out[-1], (bool, int, float)):
            raise ValueError(f"{word!r} in {text!r} is no number, true or false")
    return name, out


def by_flags(found: _record.Kernel, tries: list[tuple[str, list]], grid: str | None, **how) -> Tuning:
    """Tunes a kernel that a program launches, over the values of its parameters and hints.

    Args:
        grid: an expression in the kernel's parameters and cdiv, as in "cdiv(c.shape[0], BM), cdiv(c.shape[1], BN)".
    """
    names = _hooks.names(found.python._pyfunc)
    for name, _ in tries:
        if name not in names and name not in HINTS:
            raise TilewrightError(f"kernel '{found.name}' has no parameter '{name}', and that is no hint; parameters: {', '.join(names)}; "
                                  f"hints: {', '.join(HINTS)}")
    if any(name in names for name, _ in tries) and grid is None:
        raise TilewrightError("--try of a parameter needs --grid, which says what grid it takes, "
                              'as in --grid "cdiv(c.shape[0], BM), cdiv(c.shape[1], BN)"')
    now = dict(zip(names, found.given))
    # What the program launches itself comes first: the one whose class --exact keeps.
    space = [dict(zip((n for n, _ in tries), chosen)) for chosen in itertools.product(*(v for _, v in tries))]
    own = {n: now[n] for n, _ in tries if n in names}
    if own and any(n not in names for n, _ in tries):
        own = {}
    space.sort(key=lambda c: c != own)

    def args_fn(c):
        return tuple(c.get(n, v) for n, v in now.items())

    def grid_fn(c):
        if grid is None:
            return found.grid
        out = eval(compile(grid, "--grid", "eval"), {"__builtins__": {}}, {**now, **c, "cdiv": lambda a, b: -(-a // b), "min": min, "max": max})
        return out if isinstance(out, tuple) else (out,)

    try:
        grid_fn(space[0])
    except Exception as e:
        raise TilewrightError(f"--grid: {type(e).__name__}: {e}") from None
    return tune(space, grid_fn, found.python, args_fn, lambda c: {n: v for n, v in c.items() if n not in names}, **how)


__all__ = ["Measurement", "Tuning", "tune"]
