"""docs/examples/launch.py, which docs/launch.md quotes, on the stand-in for NVIDIA's driver."""

import os
import shutil
import subprocess
import sys

import pytest

from tilewright import _tools

HERE = os.path.dirname(os.path.abspath(__file__))
DOCS = os.path.join(HERE, os.pardir, os.pardir, "docs")

# cuda-python loads libcuda.so.1 and asks it for each function. This one asks the stand-in.
LIBRARY = """
#include <stdint.h>
int (*lookup)(const char *name, void **function, int version, uint64_t flags, void *status);
int cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, void *status) {
  return lookup(name, function, version, flags, status);
}
"""

# A library that is loaded already is found by its name.
PROGRAM = """
import ctypes as c, runpy, sys
from tilewright import _driver
library = c.CDLL(sys.argv[1])
c.c_void_p.in_dll(library, "lookup").value = c.cast(_driver._functions["cuGetProcAddress_v2"], c.c_void_p).value
runpy.run_path(sys.argv[2], run_name="__main__")
"""


@pytest.mark.skipif(not sys.platform.startswith("linux") or shutil.which("cc") is None, reason="makes a library of Linux with cc")
def test_launcher(tmp_path):
    if not os.environ.get("CI"):
        pytest.importorskip("cuda.bindings.driver")
    library, program, tilec = tmp_path / "libcuda.so.1", tmp_path / "run.py", tmp_path / "tilec"
    subprocess.run(["cc", "-shared", "-fPIC", f"-Wl,-soname,{library.name}", "-x", "c", "-", "-o", library], input=LIBRARY, text=True, check=True)
    program.write_text(PROGRAM)
    shutil.copy(os.path.join(DOCS, "examples", "add.mlir"), tmp_path)
    tilec.write_text(f'#!/bin/sh\nexec {" ".join(_tools.tool("tilec"))} "$@"\n')
    tilec.chmod(0o755)
    env = dict(os.environ, PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}", PYTHONPATH=os.path.dirname(HERE))
    run = subprocess.run([sys.executable, program, library, os.path.abspath(os.path.join(DOCS, "examples", "launch.py"))],
                         cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300)
    assert (run.returncode, run.stdout) == (0, "right\n"), run.stderr


def test_page_quotes_it():
    with open(os.path.join(DOCS, "examples", "launch.py"), encoding="utf-8") as f:
        code = f.read()
    with open(os.path.join(DOCS, "launch.md"), encoding="utf-8") as f:
        assert "```python\n" + code + "```\n" in f.read()
