"""Keeps the bytecode of all modules that a suite compiles, each once, for tests that compile them with other tools.

TestExports of tests/dropin takes the folder. Nothing is launched: what a test would find wrong then says nothing.
"""

import hashlib
import os
import tempfile

import torch

from tilewright import _engine, _hooks


def install(folder: str) -> None:
    compile = _hooks._Compiler.run

    def run(self, args, flags, timeout_sec=None):
        with open(args[0], "rb") as f:
            data = f.read()
        path = os.path.join(folder, hashlib.sha256(data).hexdigest()[:16] + ".tileirbc")
        if len(data) > 64 and not os.path.exists(path):  # what is shorter asks for the version only
            fd, name = tempfile.mkstemp(dir=folder)
            with open(fd, "wb") as f:
                f.write(data)
            os.replace(name, path)
        return compile(self, args, flags, timeout_sec)

    _hooks._Compiler.run = run
    _engine.Engine.launch = lambda self, *a, **k: None
    torch.testing.assert_close = lambda *a, **k: None  # what follows may compile more
