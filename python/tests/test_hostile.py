"""Every command with wrong programs, arguments and files. Each ends with one clear error: no traceback of ours, no signal,
no file that is half written, nothing left behind, and nothing that a terminal would obey."""

import contextlib
import os
import re
import signal
import sys
import traceback

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
KERNEL = """
import numpy as np
import cuda.tile as ct

@ct.kernel
def scale(x, y):
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (16,)) * 2)

x, y = np.ones(64, np.float32), np.zeros(64, np.float32)
"""
# Programs that are wrong, and one that is right.
PROGRAMS = {
    "good.py": KERNEL + "ct.launch(None, (4,), scale, (x, y))\n",
    "empty.py": "",
    "syntax.py": "def f(:\n",
    "bytes.py": b"\xff\xfe\x00\x01",
    "nul.py": b"x = 1\x00\n",
    "encoding.py": b"# coding: martian\nx = 1\n",
    "raises.py": "raise ValueError('red')\n",
    "deep.py": "def f(): f()\nf()\n",
    "exits.py": "import sys; sys.exit('enough')\n",
    "status.py": "import sys; sys.exit(77)\n",
    "base.py": "class E(BaseException): pass\nraise E('odd')\n",
    "imports.py": "import a_module_that_is_not_there\n",
    "closes.py": "import sys; sys.stdout.close()\n" + KERNEL + "ct.launch(None, (4,), scale, (x, y))\n",
    "args.py": KERNEL + "ct.launch(None, (4,), scale, (x,))\n",
    "object.py": KERNEL + "ct.launch(None, (4,), scale, (x, object()))\n",
    "objects.py": KERNEL + "ct.launch(None, (4,), scale, (x, y.astype(object)))\n",
    "frozen.py": KERNEL + "y.flags.writeable = False\nct.launch(None, (4,), scale, (x, y))\n",
    "grid.py": KERNEL + "ct.launch(None, (-4,), scale, (x, y))\n",
    "gridtype.py": KERNEL + "ct.launch(None, 'abc', scale, (x, y))\n",
    "gridhuge.py": KERNEL + "ct.launch(None, (1 << 70,), scale, (x, y))\n",
    "function.py": KERNEL + "ct.launch(None, (4,), print, (x, y))\n",
    "bounds.py": KERNEL + "ct.launch(None, (4,), scale, (x[:0], y))\n",
    "compile.py": KERNEL + "@ct.kernel\ndef bad(x):\n    ct.store(x, (0,), ct.load(x, (0,), (3,)))\nct.launch(None, (1,), bad, (x,))\n",
    "endless.py": KERNEL + "@ct.kernel\ndef loop(x):\n    while True:\n        ct.store(x, (0,), ct.load(x, (0,), (16,)) + 1)\n"
                           "ct.launch(None, (1,), loop, (x,))\n",
    "folder": None,
}
# For each command what makes it end, and files that it writes.
COMMANDS = {
    "run": ["--timeout=1"], "check": ["--timeout=1"], "view": ["--html=out.html"], "why": [], "judge": ["--timeout=1"],
    "record": ["--timeout=1", "--out=out"], "export": ["--timeout=1", "-o", "out"], "debug": [],
    "tune": ["--try=occupancy=1", "--jobs=1"],
}
OPTIONS = {
    "*": ["--gpu=sm_1", "--gpu=", "--gpu=sm_90\n", "--gpu=\x1b[31m", "--timeout=nan", "--timeout=-1", "--timeout=abc", "--timeout=1e999", "--timeout=0",
          "--strict=1", "--unknown", "--\x1b[31m", "-m"],
    "run": ["--engine=abacus", "--engine=", "--engine=cuda", "--engine=ptx", "--races=2", "--sync-check"],
    "check": ["--kernel=none", "--kernel=", "--kernel=\x1b[31m"],
    "why": ["--kernel=none", "--about=life", "--about=", "--kernel=\n"],
    "judge": ["--kernel=none", "--kernel=../.."],
    "view": ["--kernel=none", "--html=missing/out.html", "--html=folder", "--html=", "--html=/dev/full", "--port=-1"],
    "record": ["--out=folder", "--out=missing/out", "--out=", "--draws=-1", "--draws=x", "--seed=-1", "--seed=99999999999999999999999", "--reference=none",
               "--reference=\x1b[31m", "--reference=scale"],
    "export": ["--kernel=none", "--output=good.py", "--output=/dev/null", "--output=", "--output=/dev/full/x"],
    "tune": ["--kernel=none", "--try=", "--try=\x1b[31m=1", "--try=x=1", "--try=occupancy=-1", "--grid=1/0", "--grid=()", "--device=none", "--device=\x1b[31m",
             "--jobs=-1", "--jobs=x", "--measure=-1", "--measure=1", "--exact=1"],
    "debug": ["--listen=martian", "--listen=:99999999", "--listen=", "--tile-block=1,2", "--tile-block=x", "--tile-block=-1,0,0", "--kernel="],
}
LINES = [
    [], [""], ["--help"], ["-h"], ["--version"], ["frobnicate"], ["\x1b[31m"], ["--gpu"], ["run"], ["run", ""], ["run", "\udcff.py"], ["run", "/dev/null"],
    ["run", "missing.py"], ["run", "-"], ["run", "--", "good.py"], ["run", "-m", "..."], ["run", "-m", "a..b"], ["run", "-m", ""], ["run", "-m", "os.path"],
    ["run", "-m", "\x1b[31m"], ["run", "-m", "good.py"], ["check"], ["why"], ["view"], ["judge"], ["record"], ["record", "good.py"], ["export"],
    ["export", "good.py"], ["debug", "missing.py"], ["tool"], ["tool", ""], ["tool", "rm"], ["tool", "../../bin/sh"], ["tool", "tilec"],
    ["tool", "tilec", "missing.mlir"], ["tool", "tilec", "good.py"], ["tool", "tile-opt", "--unknown"], ["tool", "tile"], ["tool", "tile", "frobnicate"],
    ["doctor", "--unknown"], ["doctor", "extra"], ["run", "x" * 5000], ["run", "good.py", *["a"] * 2000],
]


def invocations():
    yield from LINES
    for command, ends in COMMANDS.items():
        for program in PROGRAMS:
            yield [command, *ends, program]
        for option in OPTIONS["*"] + OPTIONS.get(command, []):
            yield [command, *ends, option, "good.py"]
            yield [command, *ends, option, "missing.py"]


@pytest.fixture(scope="module")
def warm():
    """Imports what every command needs, so that a forked child starts at once."""
    import cuda.tile  # noqa: F401

    import tilewright.cutile  # noqa: F401


def invoke(argv, folder):
    """Runs a command line in a forked child. Returns its exit status, or minus the signal that ended it, and what it said."""
    out, err = folder / "stdout", folder / "stderr"
    sys.stdout.flush(), sys.stderr.flush()
    child = os.fork()
    if child == 0:
        status = 99  # of an exception that main lets through, which only a traceback of ours explains
        with contextlib.suppress(BaseException):
            os.setsid()
            signal.alarm(60)
            for fd, path, flags in ((0, "/dev/null", os.O_RDONLY), (1, out, os.O_WRONLY | os.O_CREAT), (2, err, os.O_WRONLY | os.O_CREAT)):
                os.dup2(os.open(path, flags, 0o666), fd)
            sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", errors="surrogateescape")
            os.chdir(folder / "work")
            os.environ["TMPDIR"] = str(folder / "temp")
            import tempfile

            tempfile.tempdir = None
            from tilewright._cli import main

            try:
                status = main(argv)
            except SystemExit as e:
                status = 0 if e.code is None else e.code if isinstance(e.code, int) else 1
                if isinstance(e.code, str):
                    print(e.code, file=sys.stderr)
            except BaseException:
                traceback.print_exc()
            with contextlib.suppress(Exception):
                sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)
    _, state = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(state), out.read_bytes(), err.read_bytes()


FRAME = re.compile(rb'File ".*?/tilewright/[^"]*"')
CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")


@pytest.mark.parametrize("part", range(8))
def test_invocations(part, warm, tmp_path):
    wrong = []
    lines = list(invocations())
    assert len(lines) > 400
    for number, argv in enumerate(lines):
        if number % 8 != part:
            continue
        folder = tmp_path / str(number)
        for name in ("work", "temp"):
            (folder / name).mkdir(parents=True)
        for name, text in PROGRAMS.items():
            path = folder / "work" / name
            path.mkdir() if text is None else path.write_bytes(text if isinstance(text, bytes) else text.encode())
        before = set(os.listdir(folder / "work"))
        status, out, err = invoke(argv, folder)

        def complain(what):
            wrong.append(f"{argv!r:.200}: {what}; status {status}\n{err.decode(errors='replace')[-600:]}")

        if status not in (0, 1, 2, 77):
            complain("ended in an unusual way")
        if status == 77 and "status.py" not in argv:
            complain("a status that nothing asked for")
        if FRAME.search(err):
            complain("frames of ours")
        if status not in (0, 77) and not err.strip() and not out.strip():
            complain("said nothing")
        if CONTROL.search(err):
            complain("control characters")
        if os.listdir(folder / "temp"):
            complain(f"left {os.listdir(folder / 'temp')}")
        made = set(os.listdir(folder / "work")) - before - {"__pycache__"}
        if not made <= {"out", "out.html", "missing"}:
            complain(f"made {made}")
        page = folder / "work" / "out.html"
        if page.exists() and not page.read_text().rstrip().endswith("</html>"):
            complain("half a page")
    assert not wrong, f"{len(wrong)} of {len(lines) // 8}:\n" + "\n".join(wrong)
