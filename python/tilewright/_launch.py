"""A launch of a program, and what its parameters and arrays are."""

from __future__ import annotations

import ctypes
import hashlib
import io
import re

import numpy as np

from . import _arrays, _device
from ._errors import TilewrightError


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
        self.name = getattr(_device.state, "function", None) or kernel.name
        self.entry, self.data, self.grid = kernel.name, kernel.library.data, tuple(int(n) for n in grid)
        self.values, self.parameters = values, parameters
        self.python, self.given = getattr(_device.state, "call", (None, ()))
        self._pointers = pointers

    def segments(self) -> list:
        """Returns the memory that the kernel may access, without a copy."""
        return _arrays.segments(self._pointers, _device.memory)

    def arguments(self) -> list[dict]:
        """Returns what each parameter is, as `tilec --arguments` takes it."""
        return _arguments(self.parameters, self.values, _arrays.current())

    def described(self, files: Files) -> list[str]:
        """Returns the arguments as `tile tune` takes them, which leaves out what arrays of floats hold.

        Raises:
            TilewrightError: one points to memory of no array.
        """
        return _described(self.values, self.parameters, _arrays.current(), files)


def _arguments(parameters: list[dict], values: list[int], arrays) -> list[dict]:
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
