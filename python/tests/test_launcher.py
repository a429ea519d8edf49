"""docs/examples/launch.py, which docs/launch.md quotes, on the stand-in for NVIDIA's driver."""

import os
import runpy
import shutil
import sys

import pytest

from tilewright import _driver, _tools

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, "docs")


class Driver:
    """The driver's library, as ctypes.CDLL would return it. It notes what is called."""

    def __init__(self):
        self.called = []

    def __getattr__(self, name):
        self.called.append(name)
        return _driver._functions[name.removesuffix("_v2")]


@pytest.mark.skipif(os.name == "nt", reason="tilec on PATH is a shell script here")
def test_launcher(tmp_path, monkeypatch, capsys):
    driver = Driver()
    monkeypatch.setattr("ctypes.CDLL", lambda name: driver)
    monkeypatch.chdir(tmp_path)
    shutil.copy(os.path.join(DOCS, "examples", "add.mlir"), tmp_path)
    tilec = tmp_path / "tilec"
    tilec.write_text(f'#!/bin/sh\nexec {" ".join(_tools.tool("tilec"))} "$@"\n')
    tilec.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    runpy.run_path(os.path.join(DOCS, "examples", "launch.py"), run_name="__main__")
    assert capsys.readouterr().out == "right\n"
    assert "cuLaunchKernel" in driver.called and "cuMemcpyDtoH_v2" in driver.called
    sys.stdout.flush()


def test_page_quotes_it():
    with open(os.path.join(DOCS, "examples", "launch.py"), encoding="utf-8") as f:
        code = f.read()
    with open(os.path.join(DOCS, "launch.md"), encoding="utf-8") as f:
        assert "```python\n" + code + "```\n" in f.read()
