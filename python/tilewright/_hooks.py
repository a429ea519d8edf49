"""What makes cuTile launch kernels on an engine: its driver, its compiler and its launch functions are replaced.

Everything up to the driver is NVIDIA's own code. `tilewright.cutile` is for programs, and has its search too.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
import threading
import time

from . import _arrays, _traceback
from ._config import options
from ._errors import CompileError, LaunchTimeoutError, TilewrightError

_hooked = False
_lock = threading.Lock()


def hook() -> None:
    """Makes ct.launch run kernels here, once."""
    global _hooked
    with _lock:
        if not _hooked:
            _replace()
            _traceback.hook()
            _hooked = True


def _replace() -> None:
    if "cuda.tile._load_libcuda" in sys.modules and not hasattr(sys.modules["cuda.tile._load_libcuda"], "MAGIC"):
        raise TilewrightError("cuTile has a CUDA driver already: call tilewright.cutile.install() before the program "
                              "launches a kernel")
    from . import _driver

    sys.modules["cuda.tile._load_libcuda"] = _driver
    if "torch" in sys.modules:
        _arrays.patch_torch()
    else:
        sys.meta_path.insert(0, _WhenImported("torch", _arrays.patch_torch))
    ct = importlib.import_module("cuda.tile")
    cext = importlib.import_module("cuda.tile._cext")
    _patch_compiler(importlib.import_module("cuda.tile._compile"))
    original = ct.launch
    wrapped = _launcher(original)
    for module in (ct, cext):
        module.launch = wrapped
    # Modules that have the function under a name of their own.
    for name, module in list(sys.modules.items()):
        if name.startswith("cuda.tile") and getattr(module, "launch", None) is original:
            module.launch = wrapped
    for name in ("launch_extended", "_benchmark"):
        f = getattr(cext, name, None)
        if f is not None:
            replaced = _launcher(f)
            for other, module in list(sys.modules.items()):
                if other.startswith("cuda.tile") and getattr(module, name, None) is f:
                    setattr(module, name, replaced)
    try:
        tune = importlib.import_module("cuda.tile.tune._tune_utils")
    except ImportError:  # another version of cuTile, which has none
        return
    if all(hasattr(tune, n) for n in ("_benchmark", "_export_ipc_benchmark_payload", "_get_timed_benchmark_runner", "TileLaunchTimeoutError")):
        _patch_tuner(tune)


def _patch_tuner(tune) -> None:
    """cuTile measures with a time limit in another process, with which it shares the memory of a GPU.

    The engine is such a process, and gets the limit.
    """
    benchmark = tune._benchmark

    class Runner:
        def run(self, payload, seconds):
            start = time.perf_counter()
            try:
                with options(timeout=seconds, replay=False):
                    return benchmark(*payload), time.perf_counter() - start
            except LaunchTimeoutError as e:
                raise tune.TileLaunchTimeoutError(f"CUDA kernel launch exceeded timeout of {seconds} s") from e

        def terminate(self, **_):
            pass

    runner = Runner()
    tune._export_ipc_benchmark_payload = lambda *payload: payload
    tune._get_timed_benchmark_runner = lambda: runner


class _WhenImported:
    """Calls a function when a module has been imported, if that ever happens."""

    def __init__(self, name, then):
        self.name, self.then, self.busy = name, then, False

    def find_spec(self, name, path=None, target=None):
        if name != self.name or self.busy:
            return None
        self.busy = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self.busy = False
        if spec is None or spec.loader is None:
            return None
        run = spec.loader.exec_module

        def exec_module(module):
            run(module)
            sys.meta_path.remove(self)
            self.then()

        spec.loader.exec_module = exec_module
        return spec


@functools.lru_cache(1024)  # by the function, which the cache keeps: an id would be another kernel's when this one is gone
def names(function) -> tuple[str, ...]:
    """Returns the names of a kernel's parameters, for messages."""
    try:
        return tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError):  # no kernel
        return ()


def _launcher(original):
    """Wraps ct.launch(stream, grid, kernel, args, ...)."""
    from ._device import state

    @functools.wraps(original)
    def launch(*call, **kwargs):
        __tracebackhide__ = True  # for pytest
        # The original rejects whatever does not look like a launch.
        at = next((i for i in range(2, len(call)) if isinstance(call[i], tuple)), None)
        if at is None:
            at = kwargs.get("kernel_args")
            args = at if isinstance(at, tuple) else ()
            kernel = kwargs.get("kernel", call[2] if len(call) > 2 else None)
        else:
            args, kernel = call[at], kwargs.get("kernel", call[2])
        arrays: list[_arrays.Array] = []
        if kernel is not None:
            known = names(getattr(kernel, "_pyfunc", None))
            for i, a in enumerate(args):
                _arrays.collect(a, known[i] if i < len(known) else f"argument {i}", arrays)
        for a in arrays:
            if any(s < 0 for s in a.strides):
                raise ValueError(f"{a.name} has a negative stride, which arrays of cuTile cannot have: launch with {a.name}.copy()")
        wrapped = _arrays.wrap(args) if args else args
        if isinstance(at, int):
            call = (*call[:at], wrapped, *call[at + 1:])
        elif args:
            kwargs["kernel_args"] = wrapped
        if call and call[0] is None:
            call = (0, *call[1:])
        state.call = kernel, args
        state.error, state.function = None, getattr(getattr(kernel, "_pyfunc", None), "__name__", None)
        with _arrays.using(arrays):
            try:
                return original(*call, **kwargs)
            except BaseException as e:
                error = e
                # cuTile raises these for errors of the driver, the latter where it cleans up with calls of the driver.
                if isinstance(e, (RuntimeError, SystemError, KeyboardInterrupt)) and state.error is not None:
                    error, state.error = state.error, None
                if _traceback.is_ours(error) and not _traceback.full():
                    error.__traceback__ = None
                    raise error from None
                if error is e:
                    raise
                raise error from None

    return launch


class _Compiler:
    """Stands for the compiler's binary: what it leaves is what the driver takes, the bytecode itself."""

    pass_cuda_home_var = False

    def __init__(self):
        self.path = self.bin_path = self.ld_path = ""

    def run(self, args, flags, timeout_sec=None):
        from ._driver import image
        from ._engine import engine

        with open(args[0], "rb") as f:
            bytecode = f.read()
        if len(bytecode) > 64:  # what is shorter asks for the version only
            try:
                engine().load("kernel", bytecode).unload()
            except CompileError as e:
                raise _rejected(str(e), flags) from e
        with open(args[args.index("-o") + 1], "wb") as f:
            f.write(image(bytecode))
        for flag in flags:
            if flag.startswith("--remarks-output-file="):
                with open(flag.partition("=")[2], "w", encoding="utf-8"):
                    pass


def _rejected(message: str, flags) -> Exception:
    """Returns the error that cuTile has for a compiler that fails, whose arguments differ between versions."""
    kind = importlib.import_module("cuda.tile._compile").TileCompilerExecutionError
    known = {"return_code": 1, "message": message, "stderr": message, "compiler_flags": " ".join(flags),
             "compiler_version": version(), "loc": importlib.import_module("cuda.tile._exception").Loc.unknown()}
    names = [n for n in inspect.signature(kind.__init__).parameters if n != "self"]
    return kind(*(known.get(n, "") for n in names))


def version() -> str:
    """Returns what cuTile's cache of compiled kernels takes for the version of the compiler."""
    from . import __version__

    return f"tilewright {__version__}, no GPU"


def _patch_compiler(compile_module) -> None:
    compiler = _Compiler()
    compile_module._find_compiler_bin = functools.cache(lambda: compiler)
    compile_module._try_get_compiler_version = lambda binary: version()
