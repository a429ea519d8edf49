"""What goes wrong: one class for each kind of mistake of a kernel, all of them KernelError."""

from __future__ import annotations

from . import _source
from ._source import own


class TilewrightError(Exception):
    """Anything that this package raises."""


class EngineError(TilewrightError):
    """The engine did not start, or has ended."""


class CompileError(TilewrightError):
    """A module was rejected or did not compile."""


class KernelError(TilewrightError):
    """A kernel did something wrong.

    The message begins with one line in terms of the program: file, line, array and index, tile block. The lines of the
    source follow.

    Attributes:
        message: that first line.
        detail: what the engine said, which names operations and addresses.
        kind: what, as in "race" or "out-of-bounds".
        block: the tile block that did it, three numbers; None where it is not about one.
        element: where in the tile, a tuple of indices, or None.
        array: the name of the array, or None.
        index: the index in that array, or None.
        where: (file, line, column, function) of the place and of its callers, the innermost first.
        location: of these, the innermost that is the user's own.
    """

    def __init__(self, message: str, kind: str = "launch", block=None, element=None, where=(), *, detail: str = "",
                 array: str | None = None, index: tuple | None = None, address: int | None = None):
        super().__init__(message)
        self.message, self.kind, self.block, self.element = message, kind, block, element
        self.detail, self.array, self.index, self.address = detail or message, array, index, address
        self.where = tuple(where)
        self.location = own(self.where)

    def __str__(self) -> str:
        lines = [self.message, *_source.quote(self.where)]
        if self.kind in ("synchronization", "mismatch"):  # whose reports are longer than a line
            lines += [_source.printable(line) for line in self.detail.split("\n")[1:]]
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
    """A launch took longer than it may. It says where the kernel stood."""


class LaunchInterrupted(KeyboardInterrupt):
    """Ctrl-C stopped a launch. The message says where the kernel stood."""


class OutsideWarning(UserWarning):
    """A tile lies wholly outside its array: a load gives padding, a store writes nothing."""


_KINDS = {
    "out-of-bounds": OutOfBoundsError, "race": RaceError, "unspecified": UnspecifiedValueError,
    "assumption": AssumptionError, "division": KernelZeroDivisionError, "overflow": KernelOverflowError,
    "assert": KernelAssertionError, "misaligned": MisalignedAddressError, "read-only": ReadOnlyError,
    "mismatch": MismatchError, "synchronization": SynchronizationError, "timeout": LaunchTimeoutError,
}


def fault_of(error: dict, arrays=()) -> TilewrightError:
    """Makes an error of the engine's answer an exception, in terms of the arrays of the launch."""
    kind, message = error["kind"], error["message"]
    if kind in ("rejected", "compile"):
        return CompileError("\n".join([message, *(error.get("diagnostics") or ())]))
    if kind in ("protocol", "request", "internal"):
        return EngineError(message)
    from ._explain import Story

    story = Story(error, arrays)
    return _KINDS.get(kind, KernelError)(story.headline(), kind, story.block, story.element, story.where, detail=message,
                                         array=story.array, index=story.index, address=error.get("address"))


for _c in list(globals().values()):
    if isinstance(_c, type) and _c.__module__ == __name__:
        _c.__module__ = "tilewright"  # where the documentation names them, and a traceback should
