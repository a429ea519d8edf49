"""Arrays of a launch: what memory they are, and how cuTile is made to take those of the CPU.

The engine gets all of the memory that an array is a view of. So views, overlapping arrays and lists of arrays work, and an address
outside that memory is an error.
"""

from __future__ import annotations

import bisect
import contextlib
import ctypes as c
import dataclasses
import sys
import threading
from collections.abc import Callable

import numpy as np

from ._config import config

_DTYPES = {"float16": "f16", "float32": "f32", "float64": "f64", "bfloat16": "bf16", "int8": "i8", "int16": "i16",
           "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
           "bool": "i1", "float8_e4m3fn": "f8e4m3", "float8_e5m2": "f8e5m2", "float8_e8m0fnu": "f8e8m0"}


@dataclasses.dataclass
class Array:
    """Memory of an argument."""

    address: int
    size: int
    readonly: bool
    name: str
    dtype: str
    keep: object = None  # what owns the memory


def _torch():
    return sys.modules.get("torch")


def of_numpy(a: np.ndarray, name: str = "") -> Array:
    """Returns the memory that a NumPy array is a view of; its own alone where the engine is to be strict."""
    base = a
    while isinstance(base.base, np.ndarray) and not config().strict:
        base = base.base
    low, high = np.lib.array_utils.byte_bounds(base) if base.size else (base.ctypes.data, base.ctypes.data)
    first, last = np.lib.array_utils.byte_bounds(a) if a.size else (low, low)
    low, high = min(low, first), max(high, last)
    return Array(low, high - low, not a.flags.writeable, name, _DTYPES.get(a.dtype.name, ""), a)


def of_tensor(t, name: str = "") -> Array | None:
    """Returns the memory that a tensor of PyTorch is a view of; None for one that has none here."""
    try:
        if t.device.type != "cpu":
            return None
        s = t.untyped_storage()
        if config().strict and t.numel():
            last = sum((n - 1) * stride for n, stride in zip(t.shape, t.stride())) + 1
            return Array(t.data_ptr(), last * t.element_size(), False, name, _DTYPES.get(str(t.dtype).removeprefix("torch."), ""), t)
        return Array(s.data_ptr(), s.nbytes(), False, name, _DTYPES.get(str(t.dtype).removeprefix("torch."), ""), t)
    except (RuntimeError, NotImplementedError):
        return None


def collect(value, name: str, out: list[Array], depth: int = 0) -> None:
    """Adds the arrays in an argument, which may be a tuple, list or dataclass of them."""
    if isinstance(value, np.ndarray):
        out.append(of_numpy(value, name))
    elif isinstance(value, Proxy):
        out.append(of_numpy(value.array, name))
    elif isinstance(value, (tuple, list)) and depth < 16:
        for i, v in enumerate(value):
            collect(v, f"{name}[{i}]", out, depth + 1)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type) and depth < 16:
        for f in dataclasses.fields(value):
            collect(getattr(value, f.name), f"{name}.{f.name}", out, depth + 1)
    elif (torch := _torch()) is not None and isinstance(value, torch.Tensor):
        found = of_tensor(value, name)
        if found is not None:
            out.append(found)


_current = threading.local()


def current() -> list[Array]:
    """Returns the arrays of the call of launch() that this thread is in."""
    return getattr(_current, "arrays", [])


@contextlib.contextmanager
def using(arrays: list[Array]):
    """Makes arrays those of the launch in the body of a with-statement."""
    before = current()
    _current.arrays = arrays
    try:
        yield
    finally:
        _current.arrays = before


class _Seen:
    """Memory of the arrays that cuTile has asked about lately, for pointers that no argument of a launch explains.

    It does not keep them: what is gone belongs to others, who would find in it what a launch copies back.
    """

    _LIMIT = 4096

    def __init__(self):
        self.lock = threading.RLock()
        self.arrays: dict[int, tuple[Array, Callable[[], bool]]] = {}

    def add(self, a: Array, gone: Callable[[], bool]) -> None:
        """Remembers an array until gone() says that its memory has been freed."""
        with self.lock:
            self.arrays.pop(a.address, None)
            self.arrays[a.address] = dataclasses.replace(a, keep=None), gone
            while len(self.arrays) > self._LIMIT:
                del self.arrays[next(iter(self.arrays))]

    def around(self, address: int):
        with self.lock:
            for key, (a, gone) in reversed(list(self.arrays.items())):
                if not a.address <= address < a.address + max(1, a.size):
                    continue
                if not gone():
                    return a.address, a.size
                del self.arrays[key]
        return None


seen = _Seen()


def segments(pointers: list[int], memory) -> list[tuple]:
    """Returns the memory of a launch as (address, bytes, read-only, name, type), sorted, none overlapping another.

    It is that of the arrays among the arguments, and what the driver allocated where a pointer leads to it, as to the
    list that a list of arrays becomes.
    """
    found = [(a.address, a.address + a.size, a.readonly, a.name, a.dtype) for a in current() if a.size]
    found.sort(key=lambda f: f[:2])
    merged: list[list] = []
    for low, high, readonly, name, dtype in found:
        if merged and low < merged[-1][1]:
            m = merged[-1]
            m[1] = max(m[1], high)
            m[2] = m[2] and readonly
            m[4] = m[4] if m[4] == dtype else ""
            if name not in m[3].split(", "):
                m[3] += ", " + name
        else:
            merged.append([low, high, readonly, name, dtype])
    starts = [m[0] for m in merged]
    extra = {}
    for p in pointers:
        i = bisect.bisect_right(starts, p) - 1
        if i >= 0 and p < merged[i][1] or p == 0:
            continue
        block = memory.around(p)
        if block is None:
            block = seen.around(p)
        if block is not None:
            extra[block[0]] = block[1]
    for at, size in extra.items():
        merged.append([at, at + size, False, "", ""])
    if extra:
        merged.sort(key=lambda m: m[0])
        out: list[list] = []
        for m in merged:
            if out and m[0] < out[-1][1]:
                out[-1][1] = max(out[-1][1], m[1])
            else:
                out.append(m)
        merged = out
    return [(m[0], m[1] - m[0], m[2], m[3] and f"'{m[3]}'", m[4]) for m in merged]


# DLPack, as cuTile reads it.


class _DataType(c.Structure):
    _fields_ = [("code", c.c_uint8), ("bits", c.c_uint8), ("lanes", c.c_uint16)]


class _Managed(c.Structure):
    _fields_ = [("data", c.c_void_p), ("device", c.c_int32), ("ordinal", c.c_int32), ("ndim", c.c_int32),
                ("dtype", _DataType), ("shape", c.POINTER(c.c_int64)), ("strides", c.POINTER(c.c_int64)),
                ("offset", c.c_uint64), ("context", c.c_void_p), ("deleter", c.c_void_p)]


_CUDA = 2  # kDLCUDA
_INT, _UINT, _FLOAT, _BFLOAT, _BOOL = 0, 1, 2, 4, 6
_CODES = {"bool": (_BOOL, 8), "bfloat16": (_BFLOAT, 16), "float8_e4m3fn": (10, 8), "float8_e5m2": (12, 8),
          "float8_e8m0fnu": (14, 8)}

_new_capsule = c.pythonapi.PyCapsule_New
_new_capsule.restype, _new_capsule.argtypes = c.py_object, [c.c_void_p, c.c_char_p, c.c_void_p]
_capsule_pointer = c.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype, _capsule_pointer.argtypes = c.c_void_p, [c.py_object, c.c_char_p]


@c.CFUNCTYPE(None, c.c_void_p)
def _nothing(managed):
    """The deleter: the proxy owns what the capsule points to, and outlives it."""


def _code(dtype: np.dtype) -> tuple[int, int]:
    if dtype.name in _CODES:
        return _CODES[dtype.name]
    kinds = {"i": _INT, "u": _UINT, "f": _FLOAT}
    if dtype.kind not in kinds:
        raise TypeError(f"arrays of {dtype.name} are not supported by cuTile")
    return kinds[dtype.kind], 8 * dtype.itemsize


class Proxy:
    """A NumPy array as cuTile takes arrays: memory of a GPU, it believes."""

    __slots__ = ("array", "managed", "shape", "strides")

    def __init__(self, array: np.ndarray):
        n, item = array.ndim, array.itemsize
        if not array.dtype.isnative:
            raise TypeError("arrays of another byte order are not supported")
        if any(s % item for s in array.strides):
            raise ValueError("a stride of the array is no multiple of its element's size")
        self.array = array
        self.shape = (c.c_int64 * max(1, n))(*array.shape)
        self.strides = (c.c_int64 * max(1, n))(*(s // item for s in array.strides))
        code, bits = _code(array.dtype)
        self.managed = _Managed(array.ctypes.data, _CUDA, 0, n, _DataType(code, bits, 1), self.shape, self.strides, 0,
                                None, c.cast(_nothing, c.c_void_p).value)

    def __dlpack__(self, stream=None, **_):
        return _new_capsule(c.addressof(self.managed), b"dltensor", None)

    def __dlpack_device__(self):
        return _CUDA, 0


def wrap(value, depth: int = 0):
    """Returns an argument with its NumPy arrays as proxies."""
    if isinstance(value, np.ndarray):
        return Proxy(value)
    if type(value) in (tuple, list) and depth < 16:
        out = [wrap(v, depth + 1) for v in value]
        if any(a is not b for a, b in zip(out, value)):
            return type(value)(out)
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and depth < 16:
        changed = {}
        for f in dataclasses.fields(value):
            old = getattr(value, f.name)
            new = wrap(old, depth + 1)
            if new is not old:
                changed[f.name] = new
        return dataclasses.replace(value, **changed) if changed else value
    if type(value).__module__.startswith("jax") and hasattr(value, "__array__"):
        array = np.asarray(value)
        array.flags.writeable = False  # as in JAX: what a kernel is to write must be another argument
        return Proxy(array)
    return value


def patch_torch() -> None:
    """Makes tensors of the CPU ones that cuTile takes: it asks for their DLPack capsules, which say where they are."""
    import torch
    from torch.multiprocessing.reductions import StorageWeakRef

    original = torch._C._to_dlpack
    if getattr(original, "_tilewright", False):
        return

    def to_dlpack(tensor, *args, **kwargs):
        capsule = original(tensor, *args, **kwargs)
        if tensor.device.type == "cpu":
            _Managed.from_address(_capsule_pointer(capsule, b"dltensor")).device = _CUDA
            found = of_tensor(tensor)
            if found is not None:
                seen.add(found, StorageWeakRef(tensor.untyped_storage()).expired)
        return capsule

    to_dlpack._tilewright = True
    torch._C._to_dlpack = to_dlpack
