"""tilewright.tune and `tilewright tune`: the same result by any executor, and what is rejected."""

import concurrent.futures
import json
import os
import subprocess
import sys

import numpy as np
import pytest

import cuda.tile as ct
import kernels
import tilewright
from tilewright import _record, _tune

HERE = os.path.dirname(os.path.abspath(__file__))
A, B, C = np.empty((1024, 128), np.float16), np.empty((128, 1024), np.float16), np.empty((1024, 1024), np.float16)
SPACE = [dict(zip(("BM", "BN", "BK"), tile)) for tile in ((64, 64, 32), (16, 16, 16), (64, 128, 32), (64, 100, 32))]


def search(space=SPACE, **how):
    return tilewright.tune(space, lambda c: (ct.cdiv(1024, c["BM"]), ct.cdiv(1024, c["BN"])), kernels.matmul,
                           lambda c: (A, B, C, c["BM"], c["BN"], c["BK"]), **{"device": "H100 SXM5", **how})


def test_tune():
    r = search(flags=["--all"])
    assert r.best.config in (SPACE[0], SPACE[2]) and r.best.num_samples == 0 and r.best.mean_us > 0
    assert [m.config for m in r.successes][-1] == SPACE[1], "tiles of 16 x 16 are the slowest"
    ((failed, kind, message),) = r.failures
    assert failed == SPACE[3] and issubclass(kind, Exception) and "power of two" in message.lower(), message
    classes = {m.config["BM"]: m.numerics for m in r.successes}
    assert classes[64] != classes[16], "another matrix instruction makes other sums"
    assert "BM=64 BN=64 BK=32" in str(r) and "by estimate" in r.summary(top_k=3)


@pytest.mark.parametrize("pool", [concurrent.futures.ThreadPoolExecutor, concurrent.futures.ProcessPoolExecutor])
def test_executor(pool, tmp_path):
    """Executors, workers and a cache leave no trace in the result."""
    want = search(workers=1)
    with pool(2) as executor:
        assert search(executor=executor) == want
    for _ in range(2):
        assert search(cache=str(tmp_path), workers=2) == want
    assert os.listdir(tmp_path), "nothing was kept"


def test_answers_folder(tmp_path, monkeypatch):
    """Answers are kept in the user's folder, and taken from there. TILEWRIGHT_CACHE names another one, or none."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.setattr(sys, "platform", "linux")
    want = search(SPACE[:2], cache="")
    assert not os.listdir(tmp_path)
    monkeypatch.delenv("TILEWRIGHT_CACHE")
    assert search(SPACE[:2]) == want
    kept = sorted((tmp_path / "caches" / "tilewright" / "answers").rglob("*"))
    assert len(kept) > 4
    assert search(SPACE[:2]) == want
    assert sorted((tmp_path / "caches" / "tilewright" / "answers").rglob("*")) == kept, "the questions were answered anew"
    monkeypatch.setenv("XDG_CACHE_HOME", __file__)  # no folder
    assert _tune.answers_folder() == "" and search(SPACE[:2]) == want
    monkeypatch.setenv("TILEWRIGHT_CACHE", str(tmp_path / "mine"))
    assert search(SPACE[:2]) == want and os.listdir(tmp_path / "mine")


def test_exact():
    r = search(exact=True)
    assert {m.numerics for m in r.successes} == {r.best.numerics}
    assert any(c == SPACE[1] and "numerics class" in why for c, why in r.pruned), r.pruned


def test_hints_and_integers():
    """Hints become another kernel. Integers that decide where a kernel goes go along."""
    order = np.arange(4, dtype=np.int32)[::-1].copy()
    x, y = np.empty((4, 64), np.float32), np.empty((4, 64), np.float32)
    r = tilewright.tune([1, 2], lambda c: (4,), kernels.permute, lambda c: (x, order, y, 64), lambda c: {"occupancy": c}, device="H100 SXM5")
    assert r.best.config in (1, 2) and len(r.rows) == 2
    files = _record.Files()
    e = _tune.configuration(kernels.permute, (4,), (x, order, y, 64), {}, files, "a")
    assert sum(a.endswith(".npy") for a in e["args"]) == 1 and "f32[256]=uninitialized" in e["args"]
    again = _tune.configuration(kernels.permute, (4,), (x, order, x, 64), {}, files, "b")
    assert "@0" in again["args"], "memory that is passed twice is one memory"


def test_errors():
    with pytest.raises(ValueError, match="Search space is empty"):
        search([])
    with pytest.raises(tilewright.TilewrightError, match="unknown device 'H101'"):
        search(device="H101")
    with pytest.raises(ValueError, match="No valid config"):
        search([SPACE[3]])
    with pytest.raises(ValueError, match="lists of arrays"):
        tilewright.tune([16], lambda c: (1,), kernels.total, lambda c: ([np.ones(16, np.float32)] * 2, np.zeros(16, np.float32), c), device="H100 SXM5")
    with pytest.raises(tilewright.TilewrightError, match="registers|PTX|shared|slack|--slack"):
        search(slack=7)


PROGRAM = """
import numpy as np, cuda.tile as ct, kernels
a, b, c = np.empty((256, 128), np.float16), np.empty((128, 256), np.float16), np.empty((256, 256), np.float16)
ct.launch(None, (4, 4), kernels.matmul, (a, b, c, 64, 64, 32))
assert False, "results of kernels that did not run"
"""
SEARCH = """
import numpy as np, cuda.tile as ct, kernels
a, b, c = np.empty((256, 128), np.float16), np.empty((128, 256), np.float16), np.empty((256, 256), np.float16)
r = ct.tune.exhaustive_search([64, 128], None, lambda m: (ct.cdiv(256, m), 4), kernels.matmul, lambda m: (a, b, c, m, 64, 32), lambda m: {"occupancy": 1})
assert r.best.config in (64, 128) and r.best.mean_us > 0
print("not seen: what a program prints while kernels do not run")
"""
LISTS = """
import numpy as np, cuda.tile as ct, kernels
x, out = [np.ones(16, np.float32)] * 2, np.zeros(16, np.float32)
r = ct.tune.exhaustive_search([16], None, lambda n: (1,), kernels.total, lambda n: (x, out, n))
assert r.best.config == 16 and r.best.num_samples >= 5 and out[0] == 2
"""
GRID = "cdiv(c.shape[0], BM), cdiv(c.shape[1], BN)"


def call(folder, text, *args):
    (folder / "prog.py").write_text(text)
    return subprocess.run([sys.executable, "-m", "tilewright", "tune", "--gpu=sm_90", *args, "prog.py"], capture_output=True, text=True,
                          cwd=folder, timeout=120, env={**os.environ, "PYTHONPATH": os.pathsep.join((os.path.dirname(HERE), HERE))})


def test_command(tmp_path):
    p = call(tmp_path, PROGRAM, "--try=BM=64,128", "--try=occupancy=1,2", "--grid", GRID.replace("BN", "64"))
    assert p.returncode == 0, p.stderr
    assert "on H100 SXM5 at 1830 MHz, by estimate" in p.stdout and p.stdout.count("occupancy=") == 5, p.stdout
    p = call(tmp_path, PROGRAM, "--try=BM=128,64", "--grid", GRID.replace("BN", "64"), "--exact", "--json")
    assert p.returncode == 0 and len(json.loads(p.stdout)) == 2, p.stderr
    p = call(tmp_path, SEARCH)
    assert p.returncode == 0 and "by estimate" in p.stdout and "not seen" not in p.stdout, p.stderr


def run(folder, text, **env):
    (folder / "prog.py").write_text(text)
    return subprocess.run([sys.executable, "-m", "tilewright", "run", "--gpu=sm_90", "prog.py"], capture_output=True, text=True, cwd=folder,
                          timeout=120, env={**os.environ, "PYTHONPATH": os.pathsep.join((os.path.dirname(HERE), HERE)), **env})


def test_search_of_a_program(tmp_path):
    """A program that searches gets estimates, unless it is to run configurations, or its kernel has no estimate."""
    p = run(tmp_path, SEARCH + "assert r.best.num_samples == 0")
    assert p.returncode == 0 and "on H100 SXM5 at 1830 MHz, by estimate" in p.stdout, p.stderr
    p = run(tmp_path, SEARCH + "assert r.best.num_samples >= 5", TILEWRIGHT_TUNER="run")
    assert p.returncode == 0 and "by estimate" not in p.stdout, p.stderr
    p = run(tmp_path, LISTS)
    assert p.returncode == 0 and "by estimate" not in p.stdout and "warning: no estimates, so that each configuration is run: " in p.stderr, p.stderr
    p = run(tmp_path, SEARCH, TILEWRIGHT_TUNER="guess")
    assert p.returncode == 1 and p.stderr.strip().endswith("unknown tuner 'guess', expected one of estimate, run"), p.stderr


@pytest.mark.parametrize("args, want", [
    (("--try=BM",), "--try: 'BM' is not of the form NAME=VALUE,VALUE"),
    (("--try=BM=x",), "--try: 'x' in 'BM=x' is no number"),
    (("--try=BM=64",), "--try of a parameter needs --grid"),
    (("--try=BL=64", "--grid=1"), "kernel 'matmul' has no parameter 'BL'"),
    (("--try=BM=64", "--grid=open('x')"), "--grid: NameError: name 'open' is not defined"),
    (("--grid=1",), "--grid needs --try"),
    (("--kernel=other", "--try=BM=64", "--grid=1"), "the program launches no kernel 'other'; it launches matmul"),
    ((), "AssertionError"),
])
def test_wrong(tmp_path, args, want):
    p = call(tmp_path, PROGRAM, *args)
    assert p.returncode != 0 and want in p.stderr, p.stderr
    assert "_tune.py" not in p.stderr
