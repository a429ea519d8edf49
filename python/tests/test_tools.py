"""compile, check and the pytest plugin."""

import base64
import json
import os
import re
import subprocess
import sys
import zlib

import numpy as np
import pytest

import cuda.tile as ct
import kernels
import tilewright


def args():
    return np.ones((8, 64), np.float32), np.zeros((8, 64), np.float32), 4, 64


def test_compile():
    k = tilewright.compile(kernels.softmax, args(), gpu="sm_90")
    assert ".target sm_90" in k.ptx and ".visible .entry" in k.ptx
    assert list(k.levels) == ["cuda_tile", "tileaa", "tileas", "nvvm", "ptx"]
    assert "entry @" in k.tile_ir and "nv_tileas" in k.levels["tileas"]
    (name, r), = k.resources.items()
    assert r["threads"] in (32, 64, 128, 256) and r["instructions"] > 20, r
    assert name in repr(k) and "<details><summary>ptx</summary>" in k._repr_html_()
    assert tilewright.compile(kernels.softmax, args(), gpu="sm_90", opt_level=0).levels["nvvm"] != k.levels["nvvm"]
    for what in ("ptx", "remarks", "levels", "tile_ir"):
        with pytest.raises(tilewright.CompileError):
            getattr(tilewright.compile(b"no bytecode", ()), what)


def test_remarks():
    loop = tilewright.compile(kernels.total, ([np.ones(16, np.float32)] * 3, np.zeros(16, np.float32), 16), gpu="sm_90")
    found = [r for r in loop.remarks if "pipelined" in r.message]
    assert found and os.path.basename(found[0].file) == "kernels.py" and str(found[0]).endswith(found[0].message), loop.remarks


def page_of(path) -> dict:
    """Returns the data of a report."""
    with open(path, encoding="utf-8") as f:
        packed = re.search(r'<template id="data">(.*?)</template>', f.read())[1]
    return json.loads(zlib.decompress(base64.b64decode(packed), -15))


def test_report(tmp_path):
    """With a grid a report has the time of the launch, also where integers decide where the kernel goes."""
    order = np.arange(4, dtype=np.int32)[::-1].copy()
    k = tilewright.compile(kernels.permute, (np.ones((4, 64), np.float32), order, np.ones((4, 64), np.float32), 64), gpu="sm_90")
    page = page_of(k.report(tmp_path / "k.html"))
    (s,) = page["summaries"]
    assert s["name"] == "permute" and "cycles for one CTA" in s["time"] and "launched" not in s and "profiles" not in page, s
    page = page_of(k.report(tmp_path / "k.html", grid=(4,)))
    (s,), (p,) = page["summaries"], page["profiles"]
    assert s["launched"] and s["time"].endswith(" us") and "4 x 1 x 1 on " in s["basis"] and "estimate" in s["basis"], s
    assert p["kernel"] == s["symbol"] and p["verdict"] and any(os.path.basename(x["place"]).startswith("kernels.py:") for x in p["sources"]), p
    with pytest.raises(tilewright.TilewrightError, match="no arguments"):
        tilewright.compile(k.bytecode).report(tmp_path / "k.html", grid=(1,))


def test_check():
    a = args()
    out = tilewright.check(kernels.softmax, (2,), a)
    assert not a[1].any()
    np.testing.assert_allclose(out[1].sum(axis=1), 1, rtol=1e-5)
    with pytest.raises(tilewright.RaceError):
        tilewright.check(kernels.racing, (2,), (np.zeros(16, np.int32),))


SUITE = """
import sys
sys.path.insert(0, {folder!r})
import numpy as np
import pytest
import cuda.tile as ct
import kernels

def test_good():
    a, c = np.ones(16, np.int32), np.zeros(16, np.int32)
    ct.launch(0, (1,), kernels.add, (a, a, c, 16))
    assert (c == 2).all()

def test_race():
    ct.launch(0, (2,), kernels.racing, (np.zeros(16, np.int32),))
"""


def test_plugin(pytester, monkeypatch):
    here = os.path.dirname(os.path.abspath(__file__))
    pytester.makepyfile(SUITE.format(folder=here))
    monkeypatch.setenv("PYTHONPATH", os.path.dirname(here))
    monkeypatch.setenv("COLUMNS", "200")
    r = pytester.runpytest_subprocess("-p", "tilewright.pytest_plugin", "--tilewright")
    r.assert_outcomes(passed=1, failed=1)
    text = r.stdout.str()
    assert "python/tilewright" not in text.replace(here, "") and "cuda/tile" not in text, "frames of ours"
    summary = next(line for line in text.splitlines() if line.startswith("FAILED"))
    assert "::test_race - tilewright.RaceError: kernels.py:" in summary.replace(os.path.relpath(here) + "/", ""), summary
    r = pytester.runpytest_subprocess("-p", "tilewright.pytest_plugin", "--tilewright", "--tilewright-no-races")
    r.assert_outcomes(passed=2)


def test_interrupted_tool_is_waited_for(tmp_path):
    """Interrupts are for the tool. None stops the wait for it, inside of which one can leave a lock held."""
    program = tmp_path / "p.py"
    program.write_text("""
import os, signal, subprocess, sys, threading, time
from tilewright import _tools

waits = subprocess.Popen._wait

def wait(process, timeout):
    try:
        return waits(process, timeout)
    except KeyboardInterrupt:
        os._exit(99)

subprocess.Popen._wait = wait

_tools.tool = lambda name: [sys.executable, "-c", "import time; time.sleep(2); raise SystemExit(7)"]

def interrupt():
    time.sleep(0.5)
    for _ in range(500):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.001)

threading.Thread(target=interrupt, daemon=True).start()
sys.exit(_tools.call("tile"))
""")
    assert subprocess.run([sys.executable, str(program)], timeout=30).returncode == 7
