"""Where the tools are: beside this file in a wheel, where TILEWRIGHT_BIN says, or in PATH.

A wheel has them all as one program, whose first argument is the tool's name.
"""

from __future__ import annotations

import functools
import glob
import os
import shutil
import signal
import subprocess
import sys

from . import _progress
from ._errors import CompileError, EngineError

_EXE = ".exe" if os.name == "nt" else ""
_ALL = "tile-tools"
_NAMES = {"tilec": "compiling"}  # what a tool does, for those who wait


def tool(name: str) -> list[str]:
    """Returns the command that runs a tool, as in tool("tilec").

    Raises:
        EngineError: it is nowhere.
    """
    folder = os.environ.get("TILEWRIGHT_BIN")
    for where in (folder,) if folder else (os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin"),):
        for program, more in ((name, []), (_ALL, [name])):
            path = os.path.join(where, program + _EXE)
            if os.access(path, os.X_OK) and os.path.isfile(path):
                return [path, *more]
    if folder:
        raise EngineError(f"TILEWRIGHT_BIN is '{folder}', but there is no '{name}' that can be run")
    for program, more in ((name, []), (_ALL, [name])):
        found = shutil.which(program)
        if found is not None:
            return [found, *more]
    raise EngineError(f"'{name}' is neither in the package, nor where TILEWRIGHT_BIN says, nor in PATH")


@functools.cache
def environment() -> dict[str, str]:
    """Returns the environment of the tools: they take ptxas from this Python's packages if nothing names another one."""
    env = dict(os.environ)
    if not env.get("TILEWRIGHT_PTXAS") and not shutil.which("ptxas"):
        for folder in sys.path:
            found = sorted(glob.glob(os.path.join(glob.escape(folder), "nvidia", "*", "bin", "ptxas" + _EXE)))
            if found:
                env["TILEWRIGHT_PTXAS"] = found[-1]
                break
    return env


def call(name: str, *args: str) -> int:
    """Runs a tool with the terminal of this program, and returns its exit status.

    It is called in the main thread. An interrupt is for the tool, which gets it too and ends.
    """
    # A KeyboardInterrupt inside of Popen.wait can leave its lock held, so that waiting again never ends (CPython 3.11).
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:  # that is inherited
        signal.signal(signal.SIGINT, lambda *_: None)
    try:
        return subprocess.run([*tool(name), *args], env=environment()).returncode
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)


def run(name: str, *args: str, input: bytes | None = None) -> subprocess.CompletedProcess:
    """Runs a tool to its end.

    Raises:
        CompileError: it failed. The message is what the tool said.
    """
    with _progress.working(_NAMES.get(name, name)):
        p = subprocess.run([*tool(name), *args], input=input, capture_output=True, env=environment())
    if p.returncode:
        raise CompileError(p.stderr.decode("utf-8", "replace").strip() or f"{name} failed with status {p.returncode}")
    return p
