"""tile judge on programs: their launches are recorded, and compared with a reference in NumPy."""

import json
import subprocess
import sys

import pytest

from tilewright import _tools

PROGRAM = """
import numpy as np
import cuda.tile as ct

@ct.kernel
def softmax(x, y, rows: ct.Constant[int], cols: ct.Constant[int]):
    i = ct.bid(0)
    t = ct.load(x, (i, 0), (rows, cols))
    e = ct.exp(t - ct.max(t, axis=1, keepdims=True))
    ct.store(y, (i, 0), e / ct.sum(e, axis=1, keepdims=True))

@ct.kernel
def product(x, y, z, n: ct.Constant[int]):
    a = ct.load(x, (ct.bid(0), 0), (n, n))
    ct.store(z, (ct.bid(0), ct.bid(1)), ct.mma(a, ct.load(y, (0, ct.bid(1)), (n, n)), ct.zeros((n, n), ct.float32)))

def reference(x, y, rows, cols):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    y[...] = e / e.sum(axis=1, keepdims=True)

def matmul(x, y, z, n):
    z[...] = x @ y

r = np.random.default_rng(0)
x = r.standard_normal((8, 64)).astype(np.float32)
y = np.empty_like(x)
"""
SOFTMAX = "for _ in range(2):\n    ct.launch(None, (2,), softmax, (x, y, 4, 64))\n"
PRODUCT = "a, b = r.standard_normal((32, 16)).astype(np.float16), r.standard_normal((16, 48)).astype(np.float16)\n" \
          "c = np.empty((32, 48), np.float32)\nct.launch(None, (2, 3), product, (a, b, c, 16))\n"

# The mistake, what it replaces, the launch, the reference, the check that finds it ("": it is right) and a part of its words.
CASES = [
    ("", "", SOFTMAX, "reference", "", "follows from types and lengths of sums"),
    ("", "", PRODUCT, "matmul", "", "bit for bit: nothing is rounded"),
    ("ct.sum(e, axis=1", "ct.sum(e, axis=0", SOFTMAX, "reference", "reference", "is unlike 'reference'"),
    ("e / ct.sum(", "e * 0.125 + 0 * ct.sum(", SOFTMAX, "reference", "reference", "is unlike 'reference'"),
    ("e / ct.sum(e, axis=1, keepdims=True)", "ct.load(y, (i, 0), (rows, cols)) + e", SOFTMAX, "", "defined", "never written"),
    ("ct.store(y, (i, 0)", "ct.store(y, (0, 0)", SOFTMAX, "", "defined", "races with"),
    ("(ct.bid(0), 0), (n, n)", "(0, 0), (n, n)", PRODUCT, "matmul", "reference", "is unlike 'matmul'"),
    ("ct.mma(a, ct.load(y, (0", "ct.mma(a, ct.load(y, (1", PRODUCT, "matmul", "", "is unlike 'matmul'"),
    ("r = np", "raise ValueError('so')\nr = np", SOFTMAX, "", "runs", "ValueError: so"),
    ("r = np", "SystemExit(0)\nr = np", "", "", "runs", "launches no kernel"),
    ("", "", SOFTMAX, "nobody", "runs", "there is no function 'nobody'"),
]


@pytest.mark.parametrize("old, new, launches, reference, found, words", CASES, ids=lambda v: None if isinstance(v, str) and len(v) > 24 else v)
def test_judge(tmp_path, old, new, launches, reference, found, words):
    path = tmp_path / "prog.py"
    path.write_text((PROGRAM.replace(old, new) if old else PROGRAM) + launches + "print('printed')\n")
    command = [*_tools.tool("tile"), "judge", "--json", "--python", sys.executable, "--gpu-name=sm_90", "--launches=3", "--seed=7", str(path)]
    if reference:
        command.append("--reference=" + reference)
    p = subprocess.run(command, capture_output=True, text=True)
    verdicts = json.loads(p.stdout)
    bad = [c for v in verdicts for c in v["checks"] if c["result"] != "ok"]
    assert (p.returncode == 0) == (not bad) == all(v["right"] for v in verdicts), (verdicts, p.stderr)
    if found:
        assert [c for c in bad if c["name"] == found and words in c["detail"]], (verdicts, p.stderr)
    elif words.startswith("is unlike"):
        assert bad, verdicts  # by which check depends on what a tile outside of the array is
    else:
        assert not bad and [c for v in verdicts for c in v["checks"] if words in c["detail"]], (verdicts, p.stderr)
        assert "printed" in p.stderr


def test_record(tmp_path):
    """A program that uses a list of arrays keeps their addresses, and cases can be run by tile-run."""
    path = tmp_path / "prog.py"
    path.write_text("""
import numpy as np
import cuda.tile as ct

@ct.kernel
def total(arrays, out, n: ct.Constant[int]):
    t = ct.zeros((n,), dtype=out.dtype)
    for i in range(len(arrays)):
        t = t + ct.load(arrays[i], (0,), (n,))
    ct.store(out, (0,), t)

arrays = [np.full(16, i, np.int32) for i in range(5)]
out = np.zeros(16, np.int32)
ct.launch(None, (1,), total, (arrays, out, 16))
assert (out == 10).all()
""")
    folder = tmp_path / "cases"
    subprocess.run([sys.executable, "-m", "tilewright", "record", "--out", str(folder), str(path)], check=True)
    (case,) = [d for d in folder.iterdir() if d.is_dir()]
    assert "segments" in json.loads((case / "case.json").read_text())
    subprocess.run([*_tools.tool("tile-run"), "--diff-engines=interp,ptx", "--gpu-name=sm_90", str(case)], check=True)
    assert json.loads((folder / "launches.json").read_text()) == {"launches": 1, "different": 1, "left_out": 0}
