"""tilewright debug, as an editor starts it: messages of the Debug Adapter Protocol on a stream."""

import contextlib
import itertools
import json
import os
import re
import socket
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = """
import numpy as np
import cuda.tile as ct

@ct.kernel
def first(x):
    i = ct.bid(0)
    ct.store(x, (i,), ct.load(x, (i,), (16,)) + 1)  # adds

def index(i):
    return i * 16 + 1 + ct.arange(16, dtype=ct.int32)  # wrong

@ct.kernel
def second(x, y):
    i = ct.bid(0)
    t = ct.load(x, (i,), (16,))
    k = index(i)
    ct.scatter(y, (k,), t, check_bounds=False)  # stores

x, y = np.zeros(64, np.float32), np.zeros(64, np.float32)
ct.launch(None, (4,), first, (x,))
print("first has run:", x[0])
ct.launch(None, (3,), second, (x, y))
ct.launch(None, (4,), second, (x, y))
print("not reached")
"""


def line_of(mark: str) -> int:
    return next(i for i, line in enumerate(PROGRAM.split("\n"), 1) if line.endswith("# " + mark))


class Client:
    """The other end of a debugger."""

    def __init__(self, read, write):
        self.read, self.write, self.numbers, self.events = read, write, itertools.count(1), []

    def _next(self):
        length = 0
        while (line := self.read.readline().strip()) != b"":
            length = int(re.fullmatch(rb"Content-Length: (\d+)", line)[1])
        assert length, "the debugger has ended"
        return json.loads(self.read.read(length))

    def ask(self, command, **arguments):
        n = next(self.numbers)
        data = json.dumps({"seq": n, "type": "request", "command": command, "arguments": arguments}).encode()
        self.write.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.write.flush()
        while True:
            m = self._next()
            if m["type"] == "response" and m["request_seq"] == n:
                assert m["success"], m
                return m.get("body", {})
            self.events.append(m)

    def event(self, name):
        while True:
            for i, m in enumerate(self.events):
                if m.get("event") == name:
                    return self.events.pop(i).get("body", {})
            self.events.append(self._next())

    def stopped(self):
        """Returns why and in which line the kernel has stopped."""
        body = self.event("stopped")
        frames = self.ask("stackTrace", threadId=body["threadId"])["stackFrames"]
        return body["reason"], frames[0]["line"]

    def value(self, text):
        return self.ask("evaluate", expression=text, context="watch")["result"]


def command(*args):
    return [sys.executable, "-m", "tilewright", "debug", *args]


@contextlib.contextmanager
def started(*args, **streams):
    """Runs a debugger, which does not outlive a test that fails."""
    p = subprocess.Popen(command(*args), env=ENV, **streams)
    try:
        yield p
    finally:
        if p.poll() is None:
            p.terminate()
        p.communicate(timeout=20)


ENV = {**os.environ, "PYTHONPATH": os.path.dirname(HERE)}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "prog.py").write_text(PROGRAM)
    return tmp_path


def test_session(folder):
    """Both kernels of a program, the failing launch of one of them, and a step back to the mistake."""
    with started(stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder) as p:
        c = Client(p.stdout, p.stdin)
        assert c.ask("initialize", adapterID="x")["supportsStepBack"]
        c.ask("launch", program="prog.py", cwd=str(folder))
        path = str(folder / "prog.py")
        points = c.ask("setBreakpoints", source={"path": path}, breakpoints=[{"line": line_of("adds"), "condition": "block == (2,)"},
                                                                           {"line": line_of("adds") + 1}])["breakpoints"]
        assert [b["verified"] for b in points] == [True, True] and points[1]["line"] == line_of("wrong")
        c.ask("setExceptionBreakpoints", filters=["errors"])
        c.ask("configurationDone")
        assert "first has run: 1.0" in "".join(m["body"]["output"] for m in c.events if m.get("event") == "output")
        assert c.stopped() == ("breakpoint", line_of("adds")) and c.value("block") == "(2, 0, 0)" and c.value("x[0]") == "1"
        c.ask("continue", threadId=1)
        assert c.stopped() == ("breakpoint", line_of("wrong")) and c.value("y.shape") == "(64,)"
        c.ask("setBreakpoints", source={"path": path}, breakpoints=[])
        c.ask("continue", threadId=1)
        assert c.stopped() == ("exception", line_of("stores")) and c.value("block") == "(3, 0, 0)" and c.value("max(k)") == "64"
        c.ask("stepBack", threadId=4)
        assert c.stopped() == ("step", line_of("stores"))
        c.ask("setBreakpoints", source={"path": path}, breakpoints=[{"line": line_of("wrong")}])
        c.ask("reverseContinue", threadId=4)
        assert c.stopped() == ("breakpoint", line_of("wrong")) and c.value("block") == "(3, 0, 0)"
        c.ask("disconnect")
        assert p.wait(20) == 0


def test_listen(folder):
    """A client at a port may not name another program."""
    with started("--listen", "127.0.0.1:0", "--stop-on-entry", "--kernel", "first", "prog.py", stderr=subprocess.PIPE, cwd=folder) as p:
        port = int(re.search(rb"listening on 127\.0\.0\.1:(\d+)", p.stderr.readline())[1])
        with socket.create_connection(("127.0.0.1", port)) as s:
            c = Client(s.makefile("rb"), s.makefile("wb"))
            c.ask("initialize", adapterID="x")
            c.ask("launch", program="other.py")
            c.ask("configurationDone")
            assert c.stopped()[0] == "entry" and c.value("grid") == "(4, 1, 1)"
            c.ask("disconnect")
        assert p.wait(20) == 0


def test_usage(folder):
    for args in (["nowhere.py"], ["--listen"], ["--listen", "x", "prog.py"], ["--tile-block", "a", "prog.py"]):
        p = subprocess.run(command(*args), capture_output=True, text=True, cwd=folder, env=ENV, stdin=subprocess.DEVNULL, timeout=60)
        assert p.returncode in (1, 2) and "Traceback" not in p.stderr and "error" in p.stderr, p.stderr
