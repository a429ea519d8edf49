"""A pytest plugin that runs a suite of cuTile tests on the engine and records the result of each test.

If asked, it runs a random sample of the suite.

It is loaded by run.py before the suite's own conftest, which looks at the GPU when it is imported.
"""

import contextlib
import gc
import json
import os
import random
import resource
import time

import pytest

import tilewright
import tilewright.cutile
from tilewright import _config, _engine

# Tests that compare functions of float32 to the last bit with the library that NVIDIA's compiler has. All others take
# what users have by default.
LAST_BIT = ("test_array_log", "test_array_trig")

_report = open(os.environ["TILEWRIGHT_SUITE_REPORT"], "a", buffering=1)
_launches = 0


def pytest_load_initial_conftests(early_config, parser, args):
    import torch
    torch.set_num_threads(1)
    gigabytes = int(os.environ.get("TILEWRIGHT_SUITE_MEMORY") or 4)
    resource.setrlimit(resource.RLIMIT_DATA, (gigabytes << 30, gigabytes << 30))  # a test allocates 16
    tilewright.cutile.install(fake_cuda=True)
    launch = _engine.Engine.launch

    def counted(self, *a, **k):
        global _launches
        _launches += 1
        return launch(self, *a, **k)

    _engine.Engine.launch = counted


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    wanted = os.environ.get("TILEWRIGHT_SUITE_TESTS")
    if wanted:
        with open(wanted, encoding="utf-8") as f:
            names = set(f.read().split("\n"))
        items[:] = [i for i in items if i.nodeid in names]
    n = int(os.environ.get("TILEWRIGHT_SUITE_SAMPLE") or 0)
    if n and n < len(items):
        chosen = set(random.Random(int(os.environ.get("TILEWRIGHT_SUITE_SEED") or 0)).sample(range(len(items)), n))
        items[:] = [item for i, item in enumerate(items) if i in chosen]
    part, parts = (int(x) for x in (os.environ.get("TILEWRIGHT_SUITE_PART") or "0/1").split("/"))
    items[:] = items[part::parts]


def pytest_collection_finish(session):
    gc.collect()
    gc.freeze()  # the tests themselves: each collection went through them


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item, nextitem):
    global _launches
    before, start = _launches, time.time()
    item._tilewright = {"test": item.nodeid, "outcome": "passed", "why": ""}
    with tilewright.options(math="exact") if item.originalname in LAST_BIT else contextlib.nullcontext():
        out = yield
    r = item._tilewright
    r["launches"], r["seconds"] = _launches - before, round(time.time() - start, 3)
    r["engine"], r["gpu"] = _config.config().engine, _config.config().gpu
    _report.write(json.dumps(r) + "\n")
    return out


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    r = item._tilewright
    if report.outcome != "passed" and r["outcome"] == "passed":
        r["outcome"] = report.outcome
        if hasattr(report, "wasxfail"):
            r["outcome"] = "xfailed"
        if call.excinfo is not None:
            r["why"] = f"{call.excinfo.type.__name__}: {call.excinfo.value}"[:2000]
    return report
