"""tests/tuning/lists.py writes the lists that docs/measurements/tune.md is made from: 20 seconds, of the long tier."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.mark.skipif(os.environ.get("TILEWRIGHT_TESTS") != "all", reason="of the long tier (TILEWRIGHT_TESTS=all)")
def test_lists(tmp_path):
    pytest.importorskip("cuda.tile")
    where = os.pathsep.join([str(ROOT / "python"), os.environ.get("PYTHONPATH", "")])
    subprocess.run([sys.executable, ROOT / "tests" / "tuning" / "lists.py", tmp_path], env=dict(os.environ, PYTHONPATH=where), check=True, timeout=600)
    for family in "gemm", "attention", "norm":
        lists = sorted((tmp_path / family).glob("*.json"))
        assert len(lists) == 30
        for entry in json.loads(lists[0].read_text())["configurations"]:
            assert (tmp_path / family / entry["module"]).exists()
