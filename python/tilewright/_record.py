"""What a program launches: each kernel's bytecode, its arguments, and a launch of it, for tools that take files."""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import glob
import hashlib
import io
import json
import os
import re
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _arrays, _cases, _driver
from ._errors import TilewrightError

_ENDLESS = 10_000  # launches without a new kernel, after which a program that waits for results is stopped


class Enough(BaseException):
    """Ends a program whose kernels do not run, and which would launch for ever."""


class Launch:
    """A launch that is about to run, or would be. What its methods return is copied: a kernel may change it.

    Attributes:
        name: what the program calls the kernel.
        entry: its name in the bytecode.
        data: the bytecode, which cuTile made for the types and shapes of the arguments.
        grid: three numbers of tile blocks.
        values, parameters: the bits of each parameter of the entry, and its kind and type.
        python, given: the ct.kernel and the arguments of ct.launch.
    """

    def __init__(self, kernel, grid, values: list[int], pointers: list[int], parameters: list[dict]):
        self.name = getattr(_driver.state, "function", None) or kernel.name
        self.entry, self.data, self.grid = kernel.name, kernel.library.data, tuple(int(n) for n in grid)
        self.values, self.parameters = values, parameters
        self.python, self.given = getattr(_driver.state, "call", (None, ()))
        self._pointers = pointers

    def segments(self) -> list:
        """Returns the memory that the kernel may access, without a copy."""
        return _arrays.segments(self._pointers, _driver.memory)

    def case(self) -> _cases.Case:
        """Returns the launch as a numeric case."""
        return _cases.Case(self.data, self.entry, self.grid, self.parameters, self.values, self.segments())

    def arguments(self) -> list[dict]:
        """Returns what each parameter is, as `tilec --arguments` takes it."""
        return arguments(self.parameters, self.values, _arrays.current())

    def described(self, files: Files) -> list[str]:
        """Returns the arguments as `tile tune` takes them, which leaves out what arrays of floats hold.

        Raises:
            TilewrightError: one points to memory of no array.
        """
        return _described(self.values, self.parameters, _arrays.current(), files)


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
            out.case = launch.case()
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
    before, _driver.recorder = _driver.recorder, recorder
    try:
        yield recorder
    finally:
        _driver.recorder = before


def arguments(parameters: list[dict], values: list[int], arrays) -> list[dict]:
    """Returns what each parameter of an entry is.

    cuTile passes an array as its address, its sizes and its strides in elements. Which ones those are is found by the
    values: the address first, and then what must follow it.
    """
    out = [{"name": f"parameter {i}", "value": _signed(v, p)} for i, (v, p) in enumerate(zip(values, parameters))]
    i = 0
    left = list(arrays)
    while i < len(values):
        n = 1
        for a in left if parameters[i]["kind"] == "pointer" else ():
            item = _itemsize(a)
            strides = [s // item for s in a.strides] if item else []
            rank = len(a.shape)
            follow = [_signed(v, p) for v, p in zip(values[i + 1:i + 1 + 2 * rank], parameters[i + 1:])]
            if values[i] != a.data or follow != [*a.shape, *strides]:
                continue
            common = {"name": a.name, "rank": rank, "shape": [int(s) for s in a.shape], "bytes": item}
            out[i] = {**common, "role": "base", "value": values[i]}
            for d in range(rank):
                out[i + 1 + d] = {**common, "role": "shape", "dim": d, "value": int(a.shape[d])}
                out[i + 1 + rank + d] = {**common, "role": "stride", "dim": d, "value": strides[d]}
            n = 1 + 2 * rank
            left.remove(a)
            break
        i += n
    return out


def _itemsize(a) -> int:
    return getattr(getattr(a.keep, "dtype", None), "itemsize", 0)


def _signed(value: int, parameter: dict) -> int:
    bits = 8 * parameter["bytes"]
    if parameter["kind"] != "pointer" and parameter.get("type", "").startswith("i") and value >> (bits - 1):
        return value - (1 << bits)
    return value


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


class Files:
    """The files of a list of launches, each under the name of its content."""

    def __init__(self):
        self.all: dict[str, bytes] = {}

    def add(self, data: bytes, suffix: str) -> str:
        name = hashlib.sha256(data).hexdigest()[:16] + suffix
        self.all[name] = data
        return name

    def numbers(self, a: _arrays.Array) -> str:
        """Adds the integers of an array, which may decide where a kernel goes."""
        out = io.BytesIO()
        flat = np.frombuffer(ctypes.string_at(a.address, a.size), np.dtype({"i1": "?"}.get(a.dtype, f"<{a.dtype[0]}{int(a.dtype[1:]) // 8}")))
        np.lib.format.write_array(out, flat, version=(1, 0), allow_pickle=False)
        return self.add(out.getvalue(), ".npy")


_INTEGER = re.compile(r"i1|[iu](8|16|32|64)")
_MOST_INTEGERS = 64 << 20  # bytes of an array whose contents go along


def _described(values, parameters, arrays, files: Files) -> list[str]:
    out: list[str] = []
    known: list[tuple[int, int, int]] = []  # memory that an argument has brought: address, size, number
    for i, (value, p) in enumerate(zip(values, parameters)):
        if p["kind"] != "pointer":
            out.append(f"{p['type']}:#{value:x}")
            continue
        before = next((k for k in known if k[0] <= value < k[0] + max(1, k[1])), None)
        if before is not None:
            out.append(f"@{before[2]}" + (f"+{value - before[0]}" if value > before[0] else ""))
            continue
        a = next((a for a in arrays if a.address <= value < a.address + max(1, a.size)), None)
        if a is None or value != a.address:
            raise TilewrightError(f"parameter {i} points to memory of no array among the arguments, as lists of arrays do: "
                                  "the time of such a kernel cannot be estimated")
        known.append((a.address, a.size, i))
        if _INTEGER.fullmatch(a.dtype) and 0 < a.size <= _MOST_INTEGERS:
            out.append(f"{a.dtype}:{files.numbers(a)}")
            continue
        item = {"f8e4m3": 1, "f8e5m2": 1, "f8e8m0": 1, "f16": 2, "bf16": 2, "f32": 4, "f64": 8}.get(a.dtype, 1)
        out.append(f"{a.dtype if item > 1 or a.dtype.startswith('f8') else 'u8'}[{a.size // item}]=uninitialized")
    return out
