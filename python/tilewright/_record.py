"""What a program launches: each kernel's bytecode, its arguments, and a launch of it, for tools that take files."""

from __future__ import annotations

import contextlib
import dataclasses
import glob
import json
import os
import threading
from collections.abc import Callable
from typing import Any

from . import _cases, _device
from ._errors import TilewrightError
from ._launch import Files, Launch

_ENDLESS = 10_000  # launches without a new kernel, after which a program that waits for results is stopped


class Enough(BaseException):
    """Ends a program whose kernels do not run, and which would launch for ever."""


@dataclasses.dataclass
class Kernel:
    """A kernel that a program has launched, with its first launch.

    Attributes:
        name, entry, data, grid: as in Launch.
        arguments: what each parameter of the entry is, as `tilec --arguments` takes it.
        case: the launch as a numeric case, if the recorder keeps memory.
        described: the arguments as `tile tune` takes them, if the recorder has files; why there are none as an error.
        python, given: the ct.kernel and the arguments of ct.launch, where kernels do not run.
        launches: how many there were.
    """

    name: str
    entry: str
    data: bytes
    grid: tuple[int, int, int]
    arguments: list[dict]
    case: _cases.Case | None = None
    described: list[str] | TilewrightError | None = None
    python: Any = None
    given: tuple = ()
    launches: int = 1


class Recorder:
    """Collects the kernels that a program launches.

    Args:
        run: whether they run.
        memory: keep each as a numeric case, and the latest launch too.
        names: of the kernels that are meant; none for all.
        files: get the integers of arrays, for the times of launches.
        each: gets every launch.
    """

    def __init__(self, *, run: bool, memory: bool = False, names: tuple[str, ...] = (), files: Files | None = None,
                 each: Callable[[Launch], None] | None = None):
        self.run, self.memory, self.names, self.files, self.each = run, memory, names, files, each
        self.kernels: dict[tuple[bytes, str], Kernel] = {}
        self.last: Kernel | None = None  # with memory: the latest launch
        self.others: set[str] = set()
        self.since = 0
        self.lock = threading.RLock()  # a reference of `tilewright record` may launch

    def launched(self, kernel, grid, values: list[int], pointers: list[int], parameters: list[dict]) -> bool:
        """Notes a launch. Returns whether it shall run."""
        with self.lock:
            self._note(Launch(kernel, grid, values, pointers, parameters))
        return self.run

    def _note(self, launch: Launch) -> None:
        self.since += 1
        if self.names and launch.name not in self.names:
            self.others.add(launch.name)
        else:
            if self.each is not None:
                self.each(launch)
            key = launch.data, launch.entry
            known = self.kernels.get(key)
            if known is None or self.memory:
                self.last = self._kernel(launch)
            if known is not None:
                known.launches += 1
            else:
                self.since = 0
                self.kernels[key] = self.last
        if not self.run and self.since > _ENDLESS:
            raise Enough

    def _kernel(self, launch: Launch) -> Kernel:
        out = Kernel(launch.name, launch.entry, launch.data, launch.grid, launch.arguments())
        if self.memory:
            out.case = _cases.Case.of(launch)
        if self.files is not None:
            try:
                out.described = launch.described(self.files)
            except TilewrightError as e:
                out.described = e
        if not self.run:
            out.python, out.given = launch.python, launch.given
        return out

    def by_name(self) -> dict[str, Kernel]:
        """Returns the kernels by what the program calls them; of several of one name, the first."""
        return {k.name: k for k in reversed(self.kernels.values())}


@contextlib.contextmanager
def recording(recorder: Recorder):
    """Makes launches in the body of a with-statement known to a recorder."""
    before, _device.recorder = _device.recorder, recorder
    try:
        yield recorder
    finally:
        _device.recorder = before


def save_arguments(kernels, path: str) -> str:
    """Writes what the parameters of kernels are, for tilec --arguments."""
    with open(path, "w", encoding="utf-8") as f:
        json.dump({k.entry: {"name": k.name, "parameters": k.arguments} for k in kernels}, f)
    return path


def save_launches(kernels, module: str, files: Files, folder: str) -> str | None:
    """Writes the launches of kernels for `tilec --launches`: a list in the form of `tile tune`.

    Args:
        module: the name of their module, in the folder.

    Returns:
        The path of the list, or None if there is nothing to list.
    """
    rows = [{"name": k.name, "module": module, "entry": k.entry, "grid": list(k.grid), "args": k.described}
            for k in kernels if isinstance(k.described, list) and min(k.grid) > 0]
    path = os.path.join(folder, "launches.json")
    for old in (path, *glob.glob(os.path.join(glob.escape(folder), "[0-9a-f]" * 16 + ".npy"))):  # of kernels that were here before
        if os.path.exists(old):
            os.remove(old)
    if not rows:
        return None
    return write_list(rows, files.all, path)


def write_list(entries: list[dict], files: dict[str, bytes], path: str) -> str:
    """Writes a list of `tile tune`, and beside it those of its files that are given. Returns its path."""
    named = {e["module"] for e in entries} | {a.partition(":")[2] for e in entries for a in e["args"] if a.endswith(".npy")}
    for name in sorted(named & files.keys()):
        with open(os.path.join(os.path.dirname(path), name), "wb") as f:
            f.write(files[name])
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"configurations": entries}, f)
    return path
