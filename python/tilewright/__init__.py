"""Tilewright: CUDA Tile kernels without a GPU.

    import tilewright.cutile
    tilewright.cutile.install()

makes the launches of a cuTile program run on this machine, checked; `tilewright.compile` shows what a kernel becomes.
"""

from ._config import Config, config, options
from ._errors import (AssumptionError, CompileError, EngineError, KernelAssertionError, KernelError,
                      KernelOverflowError, KernelZeroDivisionError, LaunchTimeoutError, MisalignedAddressError,
                      MismatchError, OutOfBoundsError, RaceError, ReadOnlyError, TilewrightError,
                      UnspecifiedValueError)

__version__ = "0.1.0"
