"""What a program launches: each kernel's bytecode, its arguments, and a launch of it, for tools that take files."""

from __future__ import annotations

import contextlib
import dataclasses
import json

from . import _arrays, _cases, _driver

_ENDLESS = 10_000  # launches without a new kernel, after which a program that waits for results is stopped


class Enough(BaseException):
    """Ends a program whose kernels do not run, and which would launch for ever."""


@dataclasses.dataclass
class Kernel:
    """A kernel that a program has launched, with the arguments of the first launch.

    Attributes:
        name: what the program calls it.
        entry: its name in the bytecode.
        data: the bytecode, which cuTile made for the types and shapes of the arguments.
        grid: of the first launch.
        arguments: what each parameter of the entry is, as `tilec --arguments` takes it.
        case: the launch as a numeric case, if the recorder keeps memory.
        launches: how many there were.
    """

    name: str
    entry: str
    data: bytes
    grid: tuple[int, int, int]
    arguments: list[dict]
    case: _cases.Case | None = None
    launches: int = 1


class Recorder:
    """Collects the kernels that a program launches."""

    def __init__(self, *, run: bool, memory: bool = False, names: tuple[str, ...] = ()):
        self.run, self.memory, self.names = run, memory, names
        self.kernels: dict[tuple[bytes, str], Kernel] = {}
        self.last: Kernel | None = None  # with memory: the latest launch
        self.others: set[str] = set()
        self.since = 0

    def launched(self, kernel, grid, args: list[int], pointers: list[int], parameters: list[dict]) -> bool:
        """Notes a launch. Returns whether it shall run."""
        name = getattr(_driver.state, "function", None) or kernel.name
        if self.names and name not in self.names:
            self.others.add(name)
            return self.run
        key = kernel.library.data, kernel.name
        self.since += 1
        known = self.kernels.get(key)
        if known is None or self.memory:
            self.last = Kernel(name, kernel.name, key[0], tuple(grid), arguments(parameters, args, _arrays.current()))
            if self.memory:
                self.last.case = _cases.Case(key[0], kernel.name, grid, parameters, args, _arrays.segments(pointers, _driver.memory))
        if known is not None:
            known.launches += 1
        else:
            self.since = 0
            self.kernels[key] = self.last
        if not self.run and self.since > _ENDLESS:
            raise Enough
        return self.run


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
