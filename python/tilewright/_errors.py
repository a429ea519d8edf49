"""What goes wrong: one class for each kind of mistake of a kernel, all of them KernelError."""

from __future__ import annotations

import linecache
import os


class TilewrightError(Exception):
    """Anything that this package raises."""


class EngineError(TilewrightError):
    """The engine did not start, or has ended."""


class CompileError(TilewrightError):
    """A module was rejected or did not compile."""


class KernelError(TilewrightError):
    """A kernel did something wrong.

    Attributes:
        kind: what, as in "race" or "out-of-bounds".
        block: the tile block that did it.
        element: where in the tile, or None.
        where: (file, line, column, function) of the place and of its callers, the innermost first.
        location: of these, the innermost that is the user's own.
    """

    def __init__(self, message: str, kind: str = "launch", block=None, element=None, where=()):
        super().__init__(message)
        self.message, self.kind, self.block, self.element = message, kind, block, element
        self.where = tuple(where)
        self.location = _own(self.where)

    def __str__(self) -> str:
        lines = [self.message]
        for file, line, column, function in reversed(self.where):
            if _is_library(file) and self.location:
                continue
            lines.append(f'  File "{file}", line {line}' + (f", in {function}" if function else ""))
            text = linecache.getline(file, line)
            if text.strip():
                lines.append("    " + text.strip())
        return "\n".join(lines)


class OutOfBoundsError(KernelError, IndexError):
    """An address outside of all arrays, or an index outside of its index space."""


class RaceError(KernelError):
    """Two accesses to the same memory that nothing orders."""


class SynchronizationError(KernelError):
    """Compiled code is right in some schedules only: docs/check.md describes the report."""


class UnspecifiedValueError(KernelError):
    """An element without a value is used where that matters."""


class AssumptionError(KernelError):
    """What the kernel assumes does not hold."""


class KernelZeroDivisionError(KernelError, ZeroDivisionError):
    """An integer is divided by zero."""


class KernelOverflowError(KernelError, OverflowError):
    """An operation overflows that promises not to."""


class KernelAssertionError(KernelError, AssertionError):
    """An assertion of the kernel fails."""


class MisalignedAddressError(KernelError):
    """An address is not a multiple of the size of what is there."""


class ReadOnlyError(KernelError):
    """A kernel writes to an array that cannot be written."""


class MismatchError(KernelError):
    """Two engines, of engine "both", leave different results."""


class LaunchTimeoutError(KernelError, TimeoutError):
    """A launch took longer than it may."""


_KINDS = {
    "out-of-bounds": OutOfBoundsError, "race": RaceError, "unspecified": UnspecifiedValueError,
    "assumption": AssumptionError, "division": KernelZeroDivisionError, "overflow": KernelOverflowError,
    "assert": KernelAssertionError, "misaligned": MisalignedAddressError, "read-only": ReadOnlyError,
    "mismatch": MismatchError, "synchronization": SynchronizationError, "timeout": LaunchTimeoutError,
}


def _is_library(file: str) -> bool:
    """Tells whether a file is cuTile's own, whose lines say nothing to the one who wrote the kernel."""
    return f"{os.sep}cuda{os.sep}tile{os.sep}" in file


def _own(where):
    for place in where:
        if not _is_library(place[0]):
            return place
    return where[0] if where else None


def fault_of(error: dict) -> TilewrightError:
    """Makes an error of the engine's answer an exception."""
    kind, message = error["kind"], error["message"]
    if kind in ("rejected", "compile"):
        return CompileError("\n".join([message, *(error.get("diagnostics") or ())]))
    if kind in ("protocol", "request", "internal"):
        return EngineError(message)
    where = [(p["file"], p["line"], p["column"], p.get("function", "")) for p in error.get("where") or ()]
    block = error.get("block")
    return _KINDS.get(kind, KernelError)(message, kind, tuple(block) if block else None,
                                         tuple(error["element"]) if error.get("element") is not None else None, where)
