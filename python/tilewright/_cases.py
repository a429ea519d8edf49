"""Keeps the launches of a program as numeric cases (docs/cases.md), which `tile judge` asks all that is known.

    tilewright record --out DIR --reference FUNC prog.py

makes a folder DIR/000-NAME for each launch that is unlike the ones before: another kernel, grid, scalar or size. With a
reference, a function of the program that takes what the kernel takes, the case expects what that leaves in its
arguments. Further folders, DIR/000-NAME.draw-0 and so on, have other numbers in the arrays.

The reference gets arrays of floats in float64, so that what it rounds does not count beside what the kernel does.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import json
import os
import sys

import numpy as np

from ._errors import TilewrightError
from ._launch import Launch

_STORED = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "bf16": np.uint16, "tf32": np.float32, "i1": np.bool_,
           "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u8": np.uint8, "u16": np.uint16,
           "u32": np.uint32, "u64": np.uint64, "f8e4m3": np.uint8, "f8e5m2": np.uint8, "f8e8m0": np.uint8}
_LIMIT = 32  # different launches that are kept
_PATTERN = os.urandom(8)  # what memory holds that nothing was written to


class _Copy:
    """Memory of a launch: the bytes from an address on."""

    def __init__(self, segment):
        self.address, self.size, self.readonly, self.name, self.dtype = segment
        self.data = bytearray(ctypes.string_at(self.address, self.size))
        pattern = _PATTERN * (self.size // len(_PATTERN) + 1)
        self.uninitialized = self.size > 0 and self.data == pattern[:self.size]

    def view(self, like: np.ndarray) -> np.ndarray:
        """Returns the array in the copy that another one is in the memory."""
        at = like.ctypes.data - self.address
        return np.ndarray(like.shape, like.dtype, self.data, at, like.strides)

    def array(self) -> np.ndarray:
        stored = _STORED.get(self.dtype, np.uint8)
        return np.frombuffer(bytes(self.data), stored)


def _array_of(value):
    """Returns a tensor or an array as NumPy sees its memory; None for what is neither."""
    if isinstance(value, np.ndarray):
        return value
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor) and value.device.type == "cpu":
        if value.dtype == torch.bfloat16:
            import ml_dtypes

            return value.detach().view(torch.int16).numpy().view(ml_dtypes.bfloat16)
        return value.detach().numpy()
    return None


def _is_float(a: np.ndarray) -> bool:
    return a.dtype.kind == "f" or a.dtype.name.startswith(("bfloat", "float8"))


class Writer:
    """Writes the cases of launches.

    Args:
        folder: where to; it must not exist.
        reference: the name of a function, or "": none.
        draws: how many launches with other numbers each case is followed by.
    """

    def __init__(self, folder: str, reference: str = "", draws: int = 0, seed: int = 0):
        os.makedirs(folder)
        self.folder, self.reference, self.draws, self.seed = folder, reference, draws, seed
        self.seen: set[bytes] = set()
        self.launches = self.left_out = 0

    def keep(self, launch: Launch) -> None:
        """Writes the case of a launch that is about to run."""
        self.launches += 1
        segments = launch.segments()
        scalars = [b for b, p in zip(launch.values, launch.parameters) if p["kind"] != "pointer"]
        key = hashlib.sha256(launch.data + repr((launch.entry, list(launch.grid), scalars, [s[1] for s in segments])).encode()).digest()
        if key in self.seen:
            return
        if len(self.seen) == _LIMIT:
            self.left_out += 1
            return
        name = f"{len(self.seen):03d}-{launch.entry}"
        self.seen.add(key)
        case = Case.of(launch)
        if not self.reference:
            case.write(os.path.join(self.folder, name))
            return
        given = launch.given
        function = self._function(launch.python)
        case.write(os.path.join(self.folder, name), case.expect(function, given))
        for i in range(self.draws):
            case.draw(np.random.default_rng([self.seed, len(self.seen), i]), given, integers=i % 2 == 0)
            case.write(os.path.join(self.folder, f"{name}.draw-{i}"), case.expect(function, given))

    def _function(self, kernel):
        """The reference is a name where the kernel is defined, or in the program."""
        for names in (getattr(getattr(kernel, "_pyfunc", None), "__globals__", {}), vars(sys.modules["__main__"])):
            if callable(names.get(self.reference)):
                return names[self.reference]
        raise TilewrightError(f"there is no function {self.reference!r} where the kernel is defined")

    def close(self) -> None:
        with open(os.path.join(self.folder, "launches.json"), "w", encoding="utf-8") as f:
            json.dump({"launches": self.launches, "different": len(self.seen), "left_out": self.left_out}, f)


class Case:
    """A launch and the memory that it starts from.

    Args:
        bytecode: the module.
        entry: the name of the kernel in it.
        grid: three numbers of tile blocks.
        params: kind and type of each parameter.
        args: the bits of each.
        segments: the memory, as `_arrays.segments` returns it. It is copied.
    """

    def __init__(self, bytecode, entry, grid, params, args, segments):
        self.bytecode, self.entry, self.grid, self.params, self.args = bytecode, entry, grid, params, list(args)
        self.memory = [_Copy(s) for s in segments]
        pointed = [self._around(a) for a, p in zip(args, params) if p["kind"] == "pointer"]
        # Memory that only other memory leads to keeps its address.
        self.placed = all(m.dtype and any(m is q for q in pointed) for m in self.memory) and all(q is not None for q in pointed)

    @classmethod
    def of(cls, launch: Launch) -> Case:
        """Returns a launch as a case."""
        return cls(launch.data, launch.entry, launch.grid, launch.parameters, launch.values, launch.segments())

    def _around(self, address: int):
        return next((m for m in self.memory if m.address <= address <= m.address + m.size), None)

    def _in(self, a: np.ndarray):
        return self._around(a.ctypes.data) if a.size else None

    def draw(self, rng, given, integers: bool) -> None:
        """Puts other numbers into the arrays of floats: small integers, or any from -1 to 1."""
        for a in map(_array_of, given):
            m = self._in(a) if a is not None else None
            if m is None or m.uninitialized or m.readonly and not _is_float(a) or not _is_float(a):
                continue
            x = rng.choice([-2, -1, 1, 2], a.shape) if integers else rng.uniform(-1, 1, a.shape)
            m.view(a)[...] = x.astype(a.dtype)

    def expect(self, function, given):
        """Returns the memory that the reference leaves, by its copy."""
        if not self.placed:
            raise TilewrightError("a launch with a list of arrays has no reference: its memory has addresses of its own")
        before = {id(m): bytes(m.data) for m in self.memory}
        args, views = [], []
        for value in given:
            a = _array_of(value)
            m = self._in(a) if a is not None else None
            if m is None:
                args.append(value)
                continue
            view = m.view(a)
            args.append(view.astype(np.float64) if _is_float(a) else view.copy())
            views.append((view, args[-1], args[-1].copy()))
        with np.errstate(all="ignore"):
            function(*args)
            for view, got, was in views:
                if not np.array_equal(got, was, equal_nan=got.dtype.kind == "f"):
                    view[...] = got.astype(view.dtype)
        left = {id(m): bytes(m.data) for m in self.memory}
        for m in self.memory:
            m.data[:] = before[id(m)]
        return left

    def write(self, folder: str, left=None) -> str:
        """Makes a folder with the case, and returns the path of its case.json.

        Args:
            left: what the memory holds after the launch (`expect`); without it the case expects nothing.

        Raises:
            TilewrightError: a parameter has a kind that no case can hold.
        """
        for p in self.params:
            if p["kind"] not in ("pointer", "scalar"):
                raise TilewrightError(f"kernel '{self.entry}' has a parameter of the kind {p['kind']}, which no case can hold")
        os.makedirs(folder)
        with open(os.path.join(folder, "k.tileirbc"), "wb") as f:
            f.write(self.bytecode)
        case = {"module": "k.tileirbc", "entry": self.entry, "grid": list(self.grid), "args": [], "expect": []}
        names: dict[int, str] = {}
        for i, m in enumerate(self.memory):
            names[id(m)] = f"memory{i}.npy"
            np.save(os.path.join(folder, names[id(m)]), m.array())
        if not self.placed:
            case["segments"] = [{"address": hex(m.address), "file": names[id(m)], "dtype": m.dtype or "u8", "readonly": m.readonly,
                                 "uninitialized": m.uninitialized} for m in self.memory]
        first: dict[int, int] = {}
        for i, (bits, p) in enumerate(zip(self.args, self.params)):
            m = self._around(bits) if p["kind"] == "pointer" else None
            if p["kind"] != "pointer":
                case["args"].append({"scalar": p["type"], "bits": hex(bits)})
            elif not self.placed:
                case["args"].append({"pointer": hex(bits)})
            elif id(m) in first:
                case["args"].append({"same": first[id(m)], "offset": bits - m.address})
            else:
                first[id(m)] = i
                case["args"].append({"buffer": names[id(m)], "dtype": m.dtype, "uninitialized": m.uninitialized, "offset": bits - m.address})
        for m in self.memory:
            if left is not None and left[id(m)] != m.data:
                want = "want-" + names[id(m)]
                np.save(os.path.join(folder, want), np.frombuffer(left[id(m)], _STORED[m.dtype]))
                case["expect"].append({"arg": first[id(m)], "file": want, "dtype": m.dtype, "rtol": 0, "atol": 0})
        path = os.path.join(folder, "case.json")
        with open(path, "w", encoding="utf-8") as f:
            json.dump(case, f, indent=1)
        return path


@contextlib.contextmanager
def marked():
    """Makes memory of np.empty and torch.empty known by a pattern, until something is written to it."""
    torch = sys.modules.get("torch")
    patched = [(m, name, getattr(m, name)) for m in (np, torch) if m is not None for name in ("empty", "empty_like")]
    for m, name, original in patched:
        setattr(m, name, _marking(original))
    try:
        yield
    finally:
        for m, name, original in patched:
            setattr(m, name, original)


def _marking(original):
    def empty(*args, **kwargs):
        out = original(*args, **kwargs)
        a = _array_of(out)
        if a is not None and a.flags.c_contiguous and a.dtype.kind != "O":
            flat = a.reshape(-1).view(np.uint8)
            flat[:] = np.frombuffer(_PATTERN * (flat.size // len(_PATTERN) + 1), np.uint8)[:flat.size]
        return out

    return empty
