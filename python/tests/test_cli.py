"""The console script: commands on programs, and what it says of wrong input. It never shows a traceback of ours."""

import json
import os
import subprocess
import sys

import pytest

import tilewright
from tilewright import _cli

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = """
import numpy as np
import cuda.tile as ct

@ct.kernel
def scale(x, y):
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (16,)) + ct.load(x, (i,), (16,)))

@ct.kernel
def matmul(a, b, c):
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((64, 64), ct.float32)
    for k in range(ct.num_tiles(a, 1, (64, 64))):
        acc = ct.mma(ct.load(a, (i, k), (64, 64)), ct.load(b, (k, j), (64, 64)), acc)
    ct.store(c, (i, j), acc.astype(c.dtype))

x, y = np.ones(64, np.float32), np.zeros(64, np.float32)
ct.launch(None, (4,), scale, (x, y))
ct.launch(None, (4,), scale, (x.astype(np.float16), y.astype(np.float16)))
a, b, c = np.ones((64, 128), np.float16), np.ones((128, 99), np.float16), np.zeros((64, 99), np.float16)
ct.launch(None, (1, 2), matmul, (a, b, c))
assert y[0] == 2, "kernels did not run"
print("done")
"""


def call(*args, cwd=None, **env):
    return subprocess.run([sys.executable, "-m", "tilewright", *args], capture_output=True, text=True, cwd=cwd, timeout=120,
                          env={**os.environ, "PYTHONPATH": os.path.dirname(HERE), **env})


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "prog.py").write_text(PROGRAM)
    return tmp_path


def test_why(folder):
    """The cure speaks of the array's argument, not of a parameter of Tile IR."""
    p = call("why", "--about=tma", "--gpu=sm_90", "prog.py", cwd=folder)
    assert p.returncode == 0, p.stderr
    assert "kernel 'matmul'" in p.stdout and "parameter" not in p.stdout and "assume" not in p.stdout
    assert "ct.load of `b` cannot use TMA" in p.stdout
    assert "cure:   row stride of `b` (99) is no multiple of 8: pad to 104, as in b = np.pad(b, ((0, 0), (0, 5)))" in p.stdout
    assert "the program ended with AssertionError after it had launched 3" in p.stderr and "done" not in p.stdout
    p = call("why", "--gpu=sm_90", "--kernel=matmul", "prog.py", cwd=folder)
    assert p.returncode == 0 and "assume" not in p.stdout and "pipeline: loops" in p.stdout, p.stdout + p.stderr
    p = call("why", "--about=tma", "--kernel=scale", "prog.py", cwd=folder)
    assert p.returncode == 0 and "matmul" not in p.stdout


def test_check_and_judge(folder):
    p = call("check", "prog.py", cwd=folder)
    assert p.returncode == 0 and p.stdout == "done\n", p.stderr
    assert p.stderr == "tilewright: right: 3 launches of 2 kernels: matmul, scale\n"
    p = call("judge", "--kernel=scale", "--gpu=sm_90", "prog.py", cwd=folder)
    assert p.returncode == 0 and "scale: right" in p.stdout and "scale_2: right" in p.stdout, p.stdout + p.stderr


def test_export_and_view(folder):
    # Modules without a file, as PyTorch has some.
    (folder / "prog.py").write_text("import sys, types\nsys.modules['c'] = types.ModuleType('c')\nsys.modules['c'].__file__ = '_classes.py'\n" + PROGRAM)
    p = call("export", "-o", "out", "--cases", "prog.py", cwd=folder)
    assert p.returncode == 0, p.stderr
    assert sorted(os.listdir(folder / "out")) == ["arguments.json", "cases.txt", "kernels.tileirbc", "launches.json", "matmul", "scale", "scale_2", "sources.txt"]
    assert (folder / "out" / "sources.txt").read_text().split() == [str(folder / "prog.py")]
    kernels = json.loads((folder / "out" / "arguments.json").read_text())
    assert sorted(k["name"] for k in kernels.values()) == ["matmul", "scale", "scale"]
    b = [a for k in kernels.values() if k["name"] == "matmul" for a in k["parameters"] if a["name"] == "b"]
    assert [(a["role"], a.get("dim"), a["value"]) for a in b[1:]] == [("shape", 0, 128), ("shape", 1, 99), ("stride", 0, 99), ("stride", 1, 1)]
    launches = json.loads((folder / "out" / "launches.json").read_text())["configurations"]
    assert sorted((c["name"], c["entry"]) for c in launches) == sorted((k["name"], e) for e, k in kernels.items())
    p = call("view", "--html=k.html", "prog.py", cwd=folder)
    assert p.returncode == 0 and (folder / "k.html").read_text().startswith("<!DOCTYPE html>"[:2]), p.stderr
    for to, files in (("pages", ["000-scale.html", "001-scale.html", "002-matmul.html"]), ("all.html", None)):
        p = call("run", "prog.py", cwd=folder, TILEWRIGHT_REPORT=to)
        assert p.returncode == 0 and p.stdout == "done\n" and not p.stderr, p.stderr
        assert files is None and (folder / to).stat().st_size > 10000 or files == sorted(os.listdir(folder / to))


def test_test(folder):
    (folder / "test_it.py").write_text("import numpy as np, cuda.tile as ct, kernels\n"
                                       "def test_race():\n    ct.launch(0, (2,), kernels.racing, (np.zeros(16, np.int32),))\n")
    p = call("test", "-q", "-p", "no:cacheprovider", "test_it.py", cwd=folder, PYTHONPATH=os.pathsep.join([HERE, os.path.dirname(HERE)]))
    assert p.returncode == 1 and "tilewright.RaceError: " in p.stdout, p.stdout + p.stderr


WRONG = [
    # arguments, exit status, what standard error begins with or contains
    ([], 2, "usage: tilewright"),
    (["fly", "prog.py"], 2, "invalid choice: 'fly'"),
    *([[c, "nosuch.py"], 2, "tilewright: error: there is no program 'nosuch.py'\n"] for c in ("run", "check", "why", "judge")),
    (["view", "nosuch.py"], 2, "tilewright: error: there is no program 'nosuch.py'\n"),
    (["view", "--html=k.html", "nosuch.py"], 2, "tilewright: error: there is no program 'nosuch.py'\n"),
    (["export", "-o", "out", "nosuch.py"], 2, "tilewright: error: there is no program 'nosuch.py'\n"),
    (["run", "-m", "no.such.module"], 2, "tilewright: error: there is no module 'no.such.module'\n"),
    (["run", "folder"], 2, "tilewright: error: 'folder' is a folder, expected a program\n"),
    (["run", "\x1b[31m.py"], 2, "tilewright: error: there is no program '\\x1b[31m.py'\n"),
    (["run", "x" * 5000], 2, "tilewright: error: there is no program 'xxx"),
    (["run", "--races", "--engine=ptx", "prog.py"], 1, "tilewright: error: races is for the engines interp and both"),
    (["run", "--strict", "--engine=ptx", "prog.py"], 1, "tilewright: error: strict is for the engines interp and both"),
    (["run", "--ordered", "--engine=ptx", "prog.py"], 1, "tilewright: error: ordered is for the engines interp and both"),
    (["run", "--sync-check", "prog.py"], 1, "tilewright: error: sync_check is for the engines ptx and both"),
    (["run", "--gpu=gtx", "prog.py"], 1, "tilewright: error: 'gtx' is no GPU"),
    (["run", "--gpu=sm_99", "prog.py"], 1, "sm_99"),
    (["run", "--timeout=-1", "prog.py"], 1, "tilewright: error: a timeout of -1.0 seconds makes no sense\n"),
    (["run", "--timeout=nan", "prog.py"], 1, "tilewright: error: a timeout of nan seconds makes no sense\n"),
    (["run", "--timeout=x", "prog.py"], 2, "invalid float value"),
    (["run", "--engine=steam", "prog.py"], 2, "invalid choice"),
    (["why", "--about=x", "prog.py"], 2, "invalid choice"),
    (["why", "--kernel=nosuch", "prog.py"], 2, "tilewright: error: the program launches no kernel 'nosuch'; it launches matmul, scale\n"),
    (["check", "--kernel=nosuch", "prog.py"], 2, "tilewright: error: the program launches no kernel 'nosuch'"),
    (["why", "--gpu=sm_99", "prog.py"], 2, "sm_99"),
    (["why", "empty.py"], 1, "tilewright: error: 'empty.py' launched no kernel\n"),
    (["judge", "empty.py"], 1, "tilewright: error: 'empty.py' launched no kernel\n"),
    (["check", "empty.py"], 0, "tilewright: the program launched no kernel\n"),
    (["run", "syntax.py"], 1, "SyntaxError"),
    (["why", "syntax.py"], 1, "SyntaxError"),
    (["run", "binary.py"], 1, "null bytes"),
    (["run", "raising.py"], 1, "ZeroDivisionError: "),
    (["why", "raising.py"], 1, "ZeroDivisionError: "),
    (["run", "exit.py"], 7, ""),
    (["judge", "exit.py"], 7, ""),
    (["export", "-o", "prog.py", "prog.py"], 1, "tilewright: error: "),
    (["view", "--html=none/k.html", "prog.py"], 1, "tilewright: error: "),
    (["view", "--port=-1", "prog.py"], 2, "--port must be 0 to 65535"),
    (["view", "--port=x", "prog.py"], 2, "--port"),
    (["tool", "nosuch"], 2, "the first argument names a tool"),
    (["doctor", "--nosuch"], 2, "--nosuch"),
    (["test", "nosuch_test.py"], 4, ""),
    (["run", "loop.py"], 1, "LaunchTimeoutError: loop.py:"),
]


@pytest.mark.parametrize("args,status,says", WRONG, ids=lambda v: " ".join(v)[:40] if isinstance(v, list) else None)
def test_wrong(args, status, says, folder):
    (folder / "folder").mkdir()
    (folder / "empty.py").write_text("pass\n")
    (folder / "syntax.py").write_text("x = = 1\n")
    (folder / "binary.py").write_bytes(b"\0\1\2")
    (folder / "raising.py").write_text("def f():\n    return 1 // 0\nf()\n")
    (folder / "exit.py").write_text("raise SystemExit(7)\n")
    (folder / "loop.py").write_text("import numpy as np, cuda.tile as ct\n@ct.kernel\ndef endless(x):\n"
                                    "    while ct.atomic_add(x, 1, 0) == 0:\n        pass\n"
                                    "ct.launch(None, (1,), endless, (np.zeros(4, np.int32),))\n")
    before = sorted(os.listdir(folder))
    p = call(*args, cwd=folder, **({"TILEWRIGHT_TIMEOUT": "0.2"} if "loop.py" in args else {}))
    assert p.returncode == status, (p.returncode, p.stdout, p.stderr)
    assert says in p.stderr, p.stderr
    assert "tilewright/_" not in p.stderr and "runpy" not in p.stderr and "cuda/tile/" not in p.stderr, p.stderr
    assert "\x1b" not in p.stderr
    left = set(os.listdir(folder)) - set(before) - {"__pycache__", ".pytest_cache", "out"}
    assert not left, left


@pytest.mark.parametrize("variable,value", [("TILEWRIGHT_ENGINE", "steam"), ("TILEWRIGHT_GPU", "x"), ("TILEWRIGHT_TIMEOUT", "x"),
                                            ("TILEWRIGHT_RACES", "maybe"), ("TILEWRIGHT_WORKERS", "-1"), ("TILEWRIGHT_MATH", "new")])
def test_wrong_environment(variable, value, folder):
    p = call("run", "prog.py", cwd=folder, **{variable: value})
    assert p.returncode == 1 and p.stderr.startswith("tilewright: error: ") and p.stderr.count("\n") == 1, p.stderr


def test_traceback_on_request(folder):
    (folder / "prog.py").write_text(PROGRAM.replace("(4,), scale, (x, y)", "(4,), scale, (x, y, 1)"))
    p = call("run", "--traceback", "prog.py", cwd=folder)
    assert p.returncode == 1 and "tilewright/_hooks.py" in p.stderr.replace(os.sep, "/")
    p = call("run", "prog.py", cwd=folder)
    assert p.returncode == 1 and "tilewright/_hooks.py" not in p.stderr.replace(os.sep, "/") and 'File "prog.py", line 19' in p.stderr, p.stderr


def test_help_is_complete():
    """Every public name has a docstring, and help() shows it."""
    import pydoc

    text = pydoc.plain(pydoc.render_doc(tilewright))
    for name in tilewright.__all__:
        assert getattr(tilewright, name).__doc__, name
        assert name in text, name
    for name in ("why", "report", "profile", "ptx", "levels", "remarks", "resources", "cubin"):
        assert getattr(tilewright.Compiled, name).__doc__, name
    commands = next(a for a in _cli.parser()._actions if a.choices)
    assert all(c.description for c in commands.choices.values())
