"""What is said on a terminal of work that takes more than two seconds: how far it is, in one line that goes with its end.

With the package rich it is a bar. TILEWRIGHT_PROGRESS=1 says it where standard error is no terminal too, 0 nowhere.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time

AFTER = 2.0  # seconds of silence


def wanted() -> bool:
    """Tells whether somebody reads it."""
    said = os.environ.get("TILEWRIGHT_PROGRESS")
    if said is not None:
        return said == "1"
    return sys.stderr is not None and sys.stderr.isatty()


class Progress:
    """How far one piece of work is."""

    def __init__(self, name: str, unit: str = "tile blocks"):
        self.name, self.unit, self.start = name, unit, time.perf_counter()
        self._line = None

    def show(self, done: int, total: int) -> None:
        """Says that so many of so many units are done; of none, that it goes on."""
        if self._line is None:
            self._line = _bar(self) or _Plain(self)
        self._line.show(done, total)

    def end(self) -> None:
        """Takes away what was said."""
        if self._line is not None:
            self._line.end()
            self._line = None


class _Plain:
    def __init__(self, of: Progress):
        self.of = of

    def show(self, done: int, total: int) -> None:
        far = f"{done} of {total} {self.of.unit}, " if total else ""
        print(f"\r\033[K{self.of.name}: {far}{time.perf_counter() - self.of.start:.0f} s", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def _bar(of: Progress):
    """Returns a bar of rich; None if it is not installed, or standard error is no terminal."""
    try:
        from rich import console, progress
    except ImportError:
        return None
    to = console.Console(file=sys.stderr)
    return _Bar(of, to, progress) if to.is_terminal else None


class _Bar:
    def __init__(self, of: Progress, to, progress):
        self.bar = progress.Progress(
            progress.TextColumn("{task.description}"), progress.BarColumn(), progress.TextColumn("{task.fields[far]}"),
            progress.TimeRemainingColumn(), progress.TimeElapsedColumn(), console=to, transient=True)
        self.unit = of.unit
        self.task = self.bar.add_task(of.name, total=None, far="")
        self.bar.tasks[0].start_time -= time.perf_counter() - of.start  # it began before it was shown
        self.bar.start()

    def show(self, done: int, total: int) -> None:
        self.bar.update(self.task, completed=done, total=total or None, far=f"{done} of {total} {self.unit}" if total else "")

    def end(self) -> None:
        self.bar.stop()


@contextlib.contextmanager
def working(name: str):
    """Says that the body of a with-statement goes on, if it takes longer than AFTER seconds."""
    if not wanted():
        yield
        return
    p, ended = Progress(name), threading.Event()

    def tell():
        pause = AFTER
        while not ended.wait(pause):
            p.show(0, 0)
            pause = 1
        p.end()

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()
