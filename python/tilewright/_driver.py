"""A CUDA driver whose device is the engine, as far as cuTile's launcher calls one.

cuTile gets every function of the driver by one lookup, whose address it takes from a module of its own. With this
module in its place all of cuTile runs as NVIDIA wrote it: launcher, caches, streams, lists and tuples of arrays.
What a program launches finishes before the call returns, so that streams and events have nothing to wait for.

Each function below has the C signature of its namesake; those that a program could call but cuTile does not are
missing, and the lookup says so.
"""

from __future__ import annotations

import collections
import ctypes as c
import itertools
import os
import struct
import sys
import threading
import time
import warnings

from . import _arrays, _device, _engine, _explain, _progress
from ._config import capability, config
from ._device import memory, state
from ._engine import engine
from ._errors import EngineError, KernelAssertionError, OutOfBoundsError, OutsideWarning, TilewrightError
from ._source import own

SUCCESS, INVALID_VALUE, NOT_FOUND, NOT_SUPPORTED, LAUNCH_FAILED, UNKNOWN = 0, 1, 500, 801, 719, 999

MAGIC = b"TWIMAGE1"  # of what stands for a cubin: magic, length, bytecode

_P, _Z, _I, _U, _Q = c.c_void_p, c.c_size_t, c.c_int, c.c_uint, c.c_ulonglong


def image(bytecode: bytes) -> bytes:
    """Returns what cuTile takes for a cubin. It hands a pointer to the driver, so the length is in it."""
    return MAGIC + struct.pack("<Q", len(bytecode)) + bytecode


class _Objects:
    """Handles of the driver's objects."""

    def __init__(self):
        self.lock = threading.RLock()  # a destructor may call a driver function at any point
        self.next = itertools.count(0x1000, 16)
        self.all: dict[int, object] = {}

    def add(self, o) -> int:
        with self.lock:
            h = next(self.next)
            self.all[h] = o
        return h

    def get(self, h):
        return self.all[h or 0]

    def drop(self, h) -> None:
        with self.lock:
            o = self.all.pop(h or 0, None)
        del o  # not under the lock: what it owns is dropped with it


objects = _Objects()


class _Library:
    """A module. The engine has the ones used latest; of others the bytecode is loaded again when they are launched."""

    LIMIT = 2048
    latest: collections.OrderedDict = collections.OrderedDict()
    lock = threading.RLock()

    def __init__(self, data: bytes):
        self.data, self.engine, self.module = data, None, None

    def on(self, e):
        """Returns the module in an engine: the one before may have ended."""
        with self.lock:
            module = self.module
            if module is not None and self.engine is e:
                self.latest.move_to_end(id(self))
                return module
        module = e.load("kernel", self.data)
        old = []
        with self.lock:
            self.module, self.engine = module, e
            self.latest[id(self)] = self
            while len(self.latest) > self.LIMIT:
                _, library = self.latest.popitem(last=False)
                if library.engine is e:
                    old.append(library.module)
                library.module = library.engine = None
        for m in old:
            m.unload()
        return module


class _Kernel:
    def __init__(self, library: _Library, name: str):
        self.library, self.name = library, name


class _Event:
    def __init__(self):
        self.at = time.perf_counter()


_functions: dict[str, object] = {}  # by name; also keeps the callbacks alive


def _function(*types):
    """Makes a Python function one of the driver. An exception becomes an error code, and is kept for launch()."""

    def make(f):
        def call(*args):
            try:
                return f(*args) or SUCCESS
            except TilewrightError as e:
                state.error = e
                return LAUNCH_FAILED
            except BaseException as e:  # nothing may pass through C
                # The first error counts: cuTile cleans up while its own exception is raised, and those calls fail too.
                if getattr(state, "error", None) is None:
                    state.error = e
                return UNKNOWN

        _functions[f.__name__] = c.CFUNCTYPE(_I, *types)(call)
        return f

    return make


def _put(pointer, kind, value) -> None:
    c.cast(pointer, c.POINTER(kind))[0] = value


# The device.

_ATTRIBUTES = {1: 1024, 2: 1024, 3: 1024, 4: 64, 5: 2**31 - 1, 6: 65535, 7: 65535, 8: 49152, 10: 32, 12: 65536,
               13: 1_000_000, 16: 16, 38: 0, 39: 2048, 81: 233472, 82: 65536, 97: 232448}


@_function(_U)
def cuInit(flags):
    pass


@_function(_P)
def cuDriverGetVersion(out):
    _put(out, _I, 13040)


@_function(_P)
def cuDeviceGetCount(out):
    _put(out, _I, 1)


@_function(_P, _I)
def cuDeviceGet(out, ordinal):
    if ordinal:
        return INVALID_VALUE
    _put(out, _I, 0)


@_function(_P, _I, _I)
def cuDeviceGetAttribute(out, attribute, device):
    major, minor = capability(config().gpu)
    _put(out, _I, {75: major, 76: minor}.get(attribute, _ATTRIBUTES.get(attribute, 0)))


_CONTEXT = 0x100


@_function(_P, _I)
def cuDevicePrimaryCtxRetain(out, device):
    _put(out, _P, _CONTEXT)


@_function(_P)
def cuCtxGetCurrent(out):
    _put(out, _P, _CONTEXT)


@_function(_P)
def cuCtxSetCurrent(context):
    pass


@_function(_P)
def cuCtxPushCurrent(context):
    pass


@_function(_P)
def cuCtxPopCurrent(out):
    _put(out, _P, _CONTEXT)


@_function(_P)
def cuCtxGetDevice(out):
    _put(out, _I, 0)


@_function(_P, _P)
def cuCtxGetDevice_v2(out, context):
    _put(out, _I, 0)


@_function(_P, _P)
def cuCtxGetId(context, out):
    _put(out, _Q, 1)


@_function()
def cuCtxSynchronize():
    pass


# Streams and events.


@_function(_P, _U)
def cuStreamCreate(out, flags):
    _put(out, _P, objects.add("stream"))


@_function(_P)
def cuStreamDestroy(stream):
    objects.drop(stream)


@_function(_P, _P)
def cuStreamGetCtx(stream, out):
    _put(out, _P, _CONTEXT)


@_function(_P, _P)
def cuStreamGetId(stream, out):
    _put(out, _Q, stream or 0)


@_function(_P, _P)
def cuStreamIsCapturing(stream, out):
    _put(out, _I, 0 if getattr(state, "capture", None) is None else 1)


@_function(_P)
def cuStreamSynchronize(stream):
    pass


@_function(_P, _P, _U)
def cuStreamWaitEvent(stream, event, flags):
    pass


@_function(_P, _U)
def cuEventCreate(out, flags):
    _put(out, _P, objects.add(_Event()))


@_function(_P)
def cuEventDestroy(event):
    objects.drop(event)


@_function(_P)
def cuEventQuery(event):
    pass


@_function(_P, _P)
def cuEventRecord(event, stream):
    objects.get(event).at = time.perf_counter()


@_function(_P, _P, _P)
def cuEventElapsedTime(out, first, last):
    _put(out, c.c_float, (objects.get(last).at - objects.get(first).at) * 1e3)


# Memory.


@_function(_P, _Z)
def cuMemAlloc(out, size):
    _put(out, _Q, memory.allocate(size))


@_function(_P, _Z)
def cuMemAllocHost(out, size):
    _put(out, _Q, memory.allocate(size))


@_function(_Q)
def cuMemFree(at):
    return SUCCESS if memory.free(at) else INVALID_VALUE


@_function(_P)
def cuMemFreeHost(at):
    return SUCCESS if memory.free(at or 0) else INVALID_VALUE


@_function(_P, _P, _Q)
def cuMemGetAddressRange(base, size, at):
    found = memory.around(at) or _arrays.seen.around(at)
    if found is None:
        return INVALID_VALUE
    if base:
        _put(base, _Q, found[0])
    if size:
        _put(size, _Z, found[1])


@_function(_Q, _P, _Z, _P)
def cuMemcpyHtoDAsync(to, source, size, stream):
    c.memmove(to, source, size)


@_function(_Q, _P, _Z)
def cuMemcpyHtoD(to, source, size):
    c.memmove(to, source, size)


@_function(_P, _Q, _Z)
def cuMemcpyDtoH(to, source, size):
    c.memmove(to, source, size)


@_function(_P, _I, _Q)
def cuPointerGetAttribute(out, attribute, at):
    if attribute != 1:  # CU_POINTER_ATTRIBUTE_CONTEXT
        return NOT_SUPPORTED
    _put(out, _P, _CONTEXT)


# Modules and kernels.


@_function(_P, _P, _P, _P, _U, _P, _P, _U)
def cuLibraryLoadData(out, code, *options):
    if c.string_at(code, len(MAGIC)) != MAGIC:
        raise EngineError("the code is for a GPU: it was compiled before tilewright.cutile.install() was called")
    (n,) = struct.unpack("<Q", c.string_at(code + len(MAGIC), 8))
    _put(out, _P, objects.add(_Library(c.string_at(code + len(MAGIC) + 8, n))))


@_function(_P, _P)
def cuModuleLoadData(out, code):
    """Takes PTX, which the emulator runs. Cubins are for GPUs."""
    text = c.string_at(code)
    if b".version" not in text:
        raise EngineError("only PTX runs without a GPU")
    _put(out, _P, objects.add(_Library(text)))


@_function(_P, _P, c.c_char_p)
def cuModuleGetFunction(out, module, name):
    return cuLibraryGetKernel(out, module, name)


@_function(_P, _I, _I)
def cuFuncSetAttribute(function, attribute, value):
    pass


@_function(_P, _P, c.c_char_p)
def cuLibraryGetKernel(out, library, name):
    found = objects.get(library)
    if name.decode() not in found.on(engine()).entries:
        return NOT_FOUND
    _put(out, _P, objects.add(_Kernel(found, name.decode())))


@_function(_P, _P)
def cuKernelGetFunction(out, kernel):
    _put(out, _P, kernel)


@_function(_P, _I, _P, _I)
def cuKernelGetAttribute(out, attribute, kernel, device):
    _put(out, _I, 0)


@_function(_I, _I, _P, _I)
def cuKernelSetAttribute(attribute, value, kernel, device):
    pass


_READERS = {1: c.c_uint8, 2: c.c_uint16, 4: c.c_uint32, 8: c.c_uint64}


def _arguments(kernel: _Kernel, params) -> list[int]:
    module = kernel.library.on(engine())
    pointers = c.cast(params, c.POINTER(_P))
    return [_READERS[p["bytes"]].from_address(pointers[i]).value
            for i, p in enumerate(module.entries[kernel.name])]


def _run(kernel: _Kernel, grid, args: list[int]) -> None:
    if getattr(state, "capture", None) is not None:
        arrays = _arrays.current()

        def again():
            with _arrays.using(arrays):
                _run(kernel, grid, args)

        state.capture.append(again)
        return
    e = engine()
    module = kernel.library.on(e)
    parameters = module.entries[kernel.name]
    is_ptx = any(p["kind"] == "bits" for p in parameters)  # which does not say what is a pointer
    pointers = [a for a, p in zip(args, parameters) if p["kind"] == "pointer" or is_ptx and p["bytes"] == 8]
    if _device.recorder is not None and not _device.recorder.launched(kernel, grid, args, pointers, parameters):
        return
    options = config().options()
    if is_ptx:
        options = {k: v for k, v in options.items() if k not in ("races", "strict", "ordered")} | {"engine": "ptx"}
    try:
        answer = _launch(e, module, kernel.name, grid, args, pointers, options)
        if answer and "outside" in answer:
            _warn(answer["outside"])
    except KernelAssertionError as error:
        # A GPU prints what does not hold, and the error that follows says nothing of it.
        sys.stdout.flush()
        os.write(1, error.message.replace("\n", " ").encode() + b"\n")
        raise


def _launch(e, module, name: str, grid, args, pointers, options) -> dict:
    """Launches a kernel on the memory of its arrays. One that uses memory around a view gets that too, and runs again."""
    printed = 0
    progress = _progress.Progress(getattr(state, "function", None) or name)
    show = progress.show if _progress.wanted() else None

    def output(data: bytes) -> None:
        nonlocal printed
        printed += len(data)
        _engine.to_stdout(data)

    try:
        return e.launch(module, name, grid, args, _arrays.segments(pointers, memory), output=output, progress=show, **options)
    except OutOfBoundsError as error:
        if config().strict or error.address is None or not _arrays.around(error.address):
            raise
    finally:
        progress.end()
    left = printed

    def rest(data: bytes) -> None:  # without what the first run has printed
        nonlocal left
        skip = min(left, len(data))
        left -= skip
        if skip < len(data):
            _engine.to_stdout(data[skip:])

    try:
        return e.launch(module, name, grid, args, _arrays.segments(pointers, memory, entire=True), output=rest, progress=show,
                        **options)
    finally:
        progress.end()


_warned: set[tuple] = set()


def _warn(found: list[dict]) -> None:
    """Warns of tiles outside their arrays, once for each place of a program."""
    for entry in found:
        if 0 in entry["sizes"]:  # an empty array has no tile at all
            continue
        key = tuple((p["file"], p["line"], p["column"]) for p in entry.get("where") or ())
        if key not in _warned:
            _warned.add(key)
            at = own(_explain.places(entry.get("where"))) or ("<kernel>", 0)
            warnings.warn_explicit(_explain.outside(entry, _arrays.current()), OutsideWarning, at[0], at[1])


class _LaunchConfig(c.Structure):
    _fields_ = [("grid", _U * 3), ("block", _U * 3), ("shared", _U), ("stream", _P), ("attrs", _P), ("n", _U)]


@_function(_P, _P, _P, _P)
def cuLaunchKernelEx(launch, kernel, params, extra):
    k = objects.get(kernel)
    _run(k, list(_LaunchConfig.from_address(launch).grid), _arguments(k, params))


@_function(_P, _U, _U, _U, _U, _U, _U, _U, _P, _P, _P)
def cuLaunchKernel(kernel, x, y, z, bx, by, bz, shared, stream, params, extra):
    k = objects.get(kernel)
    _run(k, [x, y, z], _arguments(k, params))


# Graphs: lists of what to do, in the order in which it was added, which depends on nothing that comes later.


class _Graph(list):
    pass


class _KernelNode(c.Structure):
    _fields_ = [("func", _P), ("grid", _U * 3), ("block", _U * 3), ("shared", _U), ("params", _P), ("extra", _P),
                ("kernel", _P), ("context", _P)]


class _AllocNode(c.Structure):
    _fields_ = [("pool", c.c_char * 88), ("access", _P), ("accesses", _Z), ("size", _Z), ("at", _Q)]


class _MemsetNode(c.Structure):
    _fields_ = [("to", _Q), ("pitch", _Z), ("value", _U), ("element", _U), ("width", _Z), ("height", _Z)]


@_function(_P, _U)
def cuGraphCreate(out, flags):
    _put(out, _P, objects.add(_Graph()))


@_function(_P)
def cuGraphDestroy(graph):
    objects.drop(graph)


@_function(_P, _P, _P, _Z, _P)
def cuGraphAddEventRecordNode(out, graph, after, n, event):
    objects.get(graph).append(lambda: cuEventRecord(event, None))


@_function(_P, _P, _P, _Z, _P)
def cuGraphAddKernelNode(out, graph, after, n, params):
    p = _KernelNode.from_address(params)
    k, grid = objects.get(p.kernel or p.func), list(p.grid)
    args = _arguments(k, p.params)
    arrays = _arrays.current()  # those of the call that builds the graph

    def run():
        with _arrays.using(arrays):
            _run(k, grid, args)

    objects.get(graph).append(run)


@_function(_P, _P, _P, _Z, _P, _P)
def cuGraphAddMemsetNode(out, graph, after, n, params, context):
    p = _MemsetNode.from_address(params)
    to, pitch, width, height, value = p.to, p.pitch, p.width * p.element, p.height, p.value
    pattern = value.to_bytes(4, "little")[:p.element] * (width // max(1, p.element))

    def run():
        for row in range(height):
            c.memmove(to + row * pitch, pattern, width)

    objects.get(graph).append(run)


@_function(_P, _P, _P, _Z, _P)
def cuGraphAddMemAllocNode(out, graph, after, n, params):
    p = _AllocNode.from_address(params)
    p.at = memory.allocate(p.size)


@_function(_P, _P, _P, _Z, _Q)
def cuGraphAddMemFreeNode(out, graph, after, n, at):
    objects.get(graph).append(lambda: memory.free(at))


@_function(_P, _P, _Q)
def cuGraphInstantiateWithFlags(out, graph, flags):
    _put(out, _P, objects.add(_Graph(objects.get(graph))))


@_function(_P)
def cuGraphExecDestroy(graph):
    objects.drop(graph)


@_function(_P, _P)
def cuGraphLaunch(graph, stream):
    for run in objects.get(graph):
        run()


# Errors, and the lookup.

_NAMES = {SUCCESS: b"no error", INVALID_VALUE: b"invalid argument", NOT_FOUND: b"named symbol not found",
          NOT_SUPPORTED: b"operation not supported without a GPU", UNKNOWN: b"unknown error"}


@_function(_I, _P)
def cuGetErrorString(code, out):
    error = getattr(state, "error", None)
    if code in (LAUNCH_FAILED, UNKNOWN) and error is not None:
        state.text = c.create_string_buffer(str(error).encode("utf-8", "replace"))
    else:
        state.text = c.create_string_buffer(_NAMES.get(code, b"error %d" % code))
    _put(out, _P, c.addressof(state.text))


def _missing(name: str):
    """A function that cuTile looks up at its start, whether a program needs it or not."""

    def call():
        state.error = EngineError(f"{name} needs a GPU")
        return NOT_SUPPORTED

    return c.CFUNCTYPE(_I)(call)


_lookup_lock = threading.Lock()


@_function(c.c_char_p, _P, _I, _Q, _P)
def cuGetProcAddress_v2(name, out, version, flags, status):
    key = name.decode()
    if key == "cuCtxGetDevice" and version >= 13000:
        key = "cuCtxGetDevice_v2"
    if key == "cuLibraryUnload":
        _put(out, _P, _UNLOAD)
        return
    with _lookup_lock:
        f = _functions.get(key)
        if f is None:
            f = _functions[key] = _missing(key)
    _put(out, _P, c.cast(f, _P).value)


_entry = c.c_void_p(c.cast(_functions["cuGetProcAddress_v2"], _P).value)

def _native_unload() -> int:
    """cuTile unloads kernels when Python has ended and no Python function can be called.

    Their modules are kept anyway, so a function of the system that takes no argument and returns 0 is enough.
    """
    if os.name == "nt":
        return c.cast(c.windll.kernel32.IsDebuggerPresent, _P).value
    return c.cast(c.CDLL(None).sched_yield, _P).value


_UNLOAD = _native_unload()

# What cuTile imports from the module that this one stands for: the lookup, and where its address is.
_cuGetProcAddress_v2 = _functions["cuGetProcAddress_v2"]
cuGetProcAddress_v2_ptrptr = c.addressof(_entry)
