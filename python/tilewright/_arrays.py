"""Arrays of a launch: what memory they are, and how cuTile is made to take those of the CPU.

The engine gets the memory from the first to the last element of each array. So views, overlapping arrays and lists of
arrays work, and a slice of a large array costs no more than a small one. A kernel may use the memory around a view, as
it may on a GPU: a launch that does so is launched again with all of the memory that the views are of.
"""

from __future__ import annotations

import atexit
import bisect
import contextlib
import ctypes as c
import dataclasses
import sys
import threading
from collections.abc import Callable

import numpy as np


_DTYPES = {"float16": "f16", "float32": "f32", "float64": "f64", "bfloat16": "bf16", "int8": "i8", "int16": "i16",
           "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
           "bool": "i1", "float8_e4m3fn": "f8e4m3", "float8_e5m2": "f8e5m2", "float8_e8m0fnu": "f8e8m0"}


@dataclasses.dataclass(slots=True)
class Array:
    """Memory of an argument, from its first byte to its last, and how the elements lie there."""

    address: int
    size: int
    readonly: bool
    name: str
    dtype: str
    keep: object = None  # what owns the memory
    data: int = 0  # the address of the element whose indices are 0
    shape: tuple = ()
    strides: tuple = ()  # in bytes

    def entire(self) -> tuple[int, int]:
        """Returns the address and size of all memory that the array is a view of."""
        if isinstance(self.keep, np.ndarray):
            base = self.keep
            while isinstance(base.base, np.ndarray):
                base = base.base
            low, high = _span(base)
        elif self.keep is not None:
            s = self.keep.untyped_storage()
            low, high = s.data_ptr(), s.data_ptr() + s.nbytes()
        else:
            return self.address, self.size
        low, high = min(low, self.address), max(high, self.address + self.size)
        return low, high - low


def _torch():
    return sys.modules.get("torch")


def _span(a: np.ndarray) -> tuple[int, int]:
    """Returns the address of the first byte of an array, and that after its last."""
    at = a.__array_interface__["data"][0]
    if a.flags.c_contiguous or not a.size:
        return at, at + a.nbytes
    low = high = at
    for n, stride in zip(a.shape, a.strides):
        if stride < 0:
            low += (n - 1) * stride
        else:
            high += (n - 1) * stride
    return low, high + a.itemsize


def of_numpy(a: np.ndarray, name: str = "") -> Array:
    """Returns the memory of a NumPy array."""
    low, high = _span(a)
    data = low if a.flags.c_contiguous else a.__array_interface__["data"][0]
    return Array(low, high - low, not a.flags.writeable, name, _DTYPES.get(a.dtype.name, ""), a, data, a.shape, a.strides)


def of_tensor(t, name: str = "") -> Array | None:
    """Returns the memory of a tensor of PyTorch; None for one that has none here."""
    try:
        if t.device.type != "cpu":
            return None
        data, item = t.data_ptr(), t.element_size()
        strides = tuple(s * item for s in t.stride())
        last = sum((n - 1) * stride for n, stride in zip(t.shape, strides)) + item if t.numel() else 0
        return Array(data, last, False, name, _DTYPES.get(str(t.dtype).removeprefix("torch."), ""), t, data, tuple(t.shape), strides)
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


def around(address: int) -> bool:
    """Tells whether an address is in memory that an array of the current launch is a view of, but not in an array."""
    arrays = current()
    if any(a.address <= address < a.address + a.size for a in arrays):
        return False
    return any(low <= address < low + size for low, size in (a.entire() for a in arrays))


def segments(pointers: list[int], memory, entire: bool = False) -> list[tuple]:
    """Returns the memory of a launch as (address, bytes, read-only, name, type), sorted, none overlapping another.

    It is that of the arrays among the arguments, and what the driver allocated where a pointer leads to it, as to the
    list that a list of arrays becomes.

    Args:
        entire: takes all of the memory that the arrays are views of.
    """
    if entire:
        found = [(low, low + size, a.readonly, a.name, a.dtype) for a in current() for low, size in [a.entire()] if size]
    else:
        found = [(a.address, a.address + a.size, a.readonly, a.name, a.dtype) for a in current() if a.size]
    if len(found) > 1:
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
    extra: dict[int, int] = {}
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
    atexit.register(seen.arrays.clear)  # while PyTorch still has what frees weak references
