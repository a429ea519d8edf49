"""What is said of work that takes long."""

import builtins
import contextlib
import os
import re
import sys
import time

import numpy as np
import pytest

import cuda.tile as ct

import kernels
import tilewright
from tilewright import _progress, _tools


@pytest.fixture
def soon(monkeypatch):
    monkeypatch.setattr(_progress, "AFTER", 0.05)


def launch_long():
    with tilewright.options(timeout=0.5), pytest.raises(tilewright.LaunchTimeoutError):
        ct.launch(0, (1,), kernels.endless, (np.zeros(4, np.int32),))


def test_launch(monkeypatch, capfd, soon):
    """A launch of some seconds says how far it is, and takes that away."""
    monkeypatch.setenv("TILEWRIGHT_PROGRESS", "1")
    launch_long()
    err = capfd.readouterr().err
    assert "endless: 0 of 1 tile blocks, 0 s" in err and err.endswith("\r\033[K"), err


def test_nobody_reads(monkeypatch, capfd, soon):
    monkeypatch.setenv("TILEWRIGHT_PROGRESS", "0")
    launch_long()
    with _progress.working("compiling"):
        time.sleep(0.2)
    assert capfd.readouterr().err == ""


def test_short(monkeypatch, capfd):
    monkeypatch.setenv("TILEWRIGHT_PROGRESS", "1")
    x = np.zeros(16, np.float32)
    ct.launch(0, (1,), kernels.add, (x, x, x, 16))
    with _progress.working("compiling"):
        pass
    assert capfd.readouterr().err == ""


def test_tools(monkeypatch, capfd, soon):
    """A tool that takes long is named by what it does."""
    monkeypatch.setenv("TILEWRIGHT_PROGRESS", "1")
    monkeypatch.setattr(_tools, "tool", lambda name: [sys.executable, "-c", "import time; time.sleep(0.3)"])
    _tools.run("tilec")
    err = capfd.readouterr().err
    assert "compiling: 0 s" in err and err.endswith("\r\033[K"), err


@pytest.mark.parametrize("rich", [True, False])
def test_terminal(monkeypatch, soon, rich):
    """With rich a terminal shows a bar, without it a line."""
    pty = pytest.importorskip("pty")
    if rich:
        # The one that pip has in it will do.
        pip = pytest.importorskip("pip._vendor.rich")
        import pip._vendor.rich.console
        import pip._vendor.rich.progress

        for name, module in {"rich": pip._vendor.rich, "rich.console": pip._vendor.rich.console, "rich.progress": pip._vendor.rich.progress}.items():
            monkeypatch.setitem(sys.modules, name, module)
    else:
        monkeypatch.setitem(sys.modules, "rich", None)
    monkeypatch.delenv("TILEWRIGHT_PROGRESS", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    ours, theirs = pty.openpty()
    with builtins.open(theirs, "w", encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        launch_long()
        monkeypatch.undo()
    parts = []
    with contextlib.suppress(OSError):  # which ends what a terminal has that nobody holds open
        while part := os.read(ours, 1 << 16):
            parts.append(part)
    os.close(ours)
    said = b"".join(parts).decode()
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", said)
    assert "endless" in text and "0 of 1 tile blocks" in text, said
    assert ("\u2501" in text) == rich, said  # the bar
    assert said.rstrip("\r\n").endswith(("\x1b[K", "\x1b[2K")), said
