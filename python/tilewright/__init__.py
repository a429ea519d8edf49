"""CUDA Tile kernels without a GPU: run, check, explain and compile cuTile programs on this machine.

    import tilewright.cutile
    tilewright.cutile.install()                 # before the first launch; `tilewright run prog.py` does it for you

    tilewright.check(kernel, grid, args)        # both engines, races: raises the first mistake
    k = tilewright.compile(kernel, args)        # .ptx, .levels, .remarks, .why("tma"), .report("k.html"), .profile()
    tilewright.tune(space, grid_fn, kernel, args_fn)  # the fastest configuration, by estimates
    with tilewright.options(engine="both"):     # how launches run, for a while
        ct.launch(None, grid, kernel, args)

A mistake of a kernel raises a subclass of KernelError. Its message begins with one line such as

    k.py:6: x[64] is out of bounds: x has shape (64,), tile block (3,0,0)
"""

from ._config import Config, config, options
from ._errors import (AssumptionError, CompileError, EngineError, KernelAssertionError, KernelError,
                      KernelOverflowError, KernelZeroDivisionError, LaunchInterrupted, LaunchTimeoutError,
                      MisalignedAddressError, MismatchError, OutOfBoundsError, OutsideWarning, RaceError,
                      ReadOnlyError, SynchronizationError, TilewrightError, UnspecifiedValueError)

__version__ = "0.1.0"

_LATER = {"Compiled": "_compile", "Remark": "_compile", "bytecode": "_compile", "check": "_compile", "compile": "_compile",
          "Measurement": "_tune", "Tuning": "_tune", "tune": "_tune"}

__all__ = ["AssumptionError", "CompileError", "Config", "EngineError", "KernelAssertionError", "KernelError",
           "KernelOverflowError", "KernelZeroDivisionError", "LaunchInterrupted", "LaunchTimeoutError",
           "MisalignedAddressError", "MismatchError", "OutOfBoundsError", "OutsideWarning", "RaceError",
           "ReadOnlyError", "SynchronizationError", "TilewrightError", "UnspecifiedValueError", "config", "options",
           *_LATER]


def __getattr__(name):
    # These need NumPy; the rest of the package is there without.
    if name in _LATER:
        import importlib

        return getattr(importlib.import_module(f".{_LATER[name]}", __name__), name)
    raise AttributeError(f"module 'tilewright' has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__})
