"""The first program of README, as it stands there."""

import os
import re

import numpy as np

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def test_first_program(tmp_path):
    with open(os.path.join(HERE, "README.md"), encoding="utf-8") as f:
        program = re.search(r"```python\n(.*?)```", f.read(), re.S)[1]
    path = tmp_path / "prog.py"
    path.write_text(program)
    names = {}
    exec(compile(program, str(path), "exec"), names)
    q, k, v = (names[n].astype(np.float32) for n in "qkv")
    p = np.exp(q @ k.T / 8)
    np.testing.assert_allclose(names["out"], p / p.sum(axis=1, keepdims=True) @ v, atol=2e-3)
