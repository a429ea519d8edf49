"""Where the tools are: beside this file in a wheel, where TILEWRIGHT_BIN says, or in PATH."""

from __future__ import annotations

import os
import shutil
import subprocess

from ._errors import EngineError

_EXE = ".exe" if os.name == "nt" else ""


def tool(name: str) -> str:
    """Returns the path of a tool, as in tool("tilec")."""
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", name + _EXE)
    folder = os.environ.get("TILEWRIGHT_BIN")
    if folder:
        path = os.path.join(folder, name + _EXE)
        if not os.access(path, os.X_OK):
            raise EngineError(f"TILEWRIGHT_BIN is '{folder}', but there is no '{name}' that can be run")
        return path
    if os.access(here, os.X_OK):
        return here
    path = shutil.which(name)
    if path is None:
        raise EngineError(f"'{name}' is neither in the package, nor where TILEWRIGHT_BIN says, nor in PATH")
    return path


def run(name: str, *args: str, input: bytes | None = None, check: bool = True) -> subprocess.CompletedProcess:
    """Runs a tool to its end."""
    p = subprocess.run([tool(name), *args], input=input, capture_output=True)
    if check and p.returncode:
        from ._errors import CompileError
        raise CompileError(p.stderr.decode("utf-8", "replace").strip() or f"{name} failed with status {p.returncode}")
    return p
