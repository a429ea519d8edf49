"""Tracebacks without frames of ours.

A mistake of a kernel is in the kernel and in the program that launched it. Frames of this package, of cuTile and of
Python's runner between them say nothing to the one who reads. TILEWRIGHT_TRACEBACK=full shows them.
"""

from __future__ import annotations

import os
import sys
import traceback

from . import _source
from ._errors import KernelError, LaunchInterrupted, TilewrightError

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_STDLIB = os.path.dirname(os.__file__) + os.sep


def full() -> bool:
    """Tells whether all frames are to be shown."""
    return os.environ.get("TILEWRIGHT_TRACEBACK") == "full"


def _foreign(file: str) -> bool:
    """Tells whether a frame's file is of this package, of cuTile or of what runs programs."""
    return file.startswith((_HERE, "<frozen runpy>", "<frozen importlib")) or \
        os.path.basename(file) == "runpy.py" and file.startswith(_STDLIB) or _source.is_library(file)


def is_installed(file: str) -> bool:
    """Tells whether a source file is a library's or Python's, and not of the program."""
    path = os.path.abspath(file)
    return path.startswith((_HERE, _STDLIB, sys.prefix + os.sep)) or f"{os.sep}site-packages{os.sep}" in path


def is_programs(tb) -> bool:
    """Tells whether an exception went through the program's own code."""
    while tb is not None:
        file = tb.tb_frame.f_code.co_filename
        if not file.startswith("<frozen") and not _foreign(file) and not is_installed(file):
            return True
        tb = tb.tb_next
    return False


def stripped(tb):
    """Returns a traceback without the frames that are not the user's; None if nothing is left."""
    frames, foreign = [], False
    while tb is not None:
        file = tb.tb_frame.f_code.co_filename
        foreign = _foreign(file) or foreign and file.startswith(_STDLIB)  # as contextlib between two of ours
        if not foreign:
            frames.append(tb)
        tb = tb.tb_next
    out = None
    for tb in reversed(frames):
        out = type(tb)(out, tb.tb_frame, tb.tb_lasti, tb.tb_lineno)
    return out


def is_ours(error: BaseException) -> bool:
    """Tells whether an exception is about a kernel: this package's, or cuTile's of a kernel that does not compile."""
    return isinstance(error, (TilewrightError, LaunchInterrupted)) or type(error).__module__.startswith("cuda.tile")


def report(error: BaseException, to=None) -> None:
    """Writes an exception for people: of a kernel's mistake first what it is, then where the launch was."""
    to = to or sys.stderr
    if full():
        traceback.print_exception(error, file=to)
        return
    tb = stripped(error.__traceback__)
    if not is_ours(error):
        traceback.print_exception(type(error), error, tb, file=to)
        return
    kind = type(error)
    # A kernel's mistake ends the program at the launch: that it came from an error of the driver is no news.
    name = f"{kind.__module__}.{kind.__qualname__}" if kind.__module__ == "tilewright" else kind.__qualname__
    text = str(error).rstrip()
    print(f"{name}: {text}" if text else name, file=to)
    if tb is not None:
        print("  launched from" if isinstance(error, (KernelError, LaunchInterrupted)) else "  raised in", file=to)
        print("".join(traceback.format_tb(tb)), end="", file=to)


def hook() -> None:
    """Makes Python print exceptions about kernels so, when they end the program."""
    before = sys.excepthook
    if getattr(before, "_tilewright", False):
        return

    def excepthook(kind, error, tb):
        if full():
            before(kind, error, tb)
        elif is_ours(error):
            report(error.with_traceback(tb))
        else:  # as a wrong argument, which is found below the program's call
            left = stripped(tb) or tb
            before(kind, error.with_traceback(left), left)

    excepthook._tilewright = True  # type: ignore[attr-defined]
    sys.excepthook = excepthook


__all__ = ["full", "hook", "is_ours", "report", "stripped"]
