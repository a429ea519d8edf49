"""Tilewright: CUDA Tile kernels without a GPU.

    import tilewright.cutile
    tilewright.cutile.install()

makes the launches of a cuTile program run on this machine, checked; `tilewright.compile` shows what a kernel becomes.
"""

from ._config import Config, config, options
from ._errors import (AssumptionError, CompileError, EngineError, KernelAssertionError, KernelError,
                      KernelOverflowError, KernelZeroDivisionError, LaunchTimeoutError, MisalignedAddressError,
                      MismatchError, OutOfBoundsError, RaceError, ReadOnlyError, SynchronizationError,
                      TilewrightError, UnspecifiedValueError)

__version__ = "0.1.0"


def __getattr__(name):
    """compile, check and what belongs to them need NumPy; the rest of the package is there without."""
    if name in ("compile", "check", "Compiled", "bytecode"):
        from . import _compile

        return getattr(_compile, name)
    raise AttributeError(f"module 'tilewright' has no attribute {name!r}")
