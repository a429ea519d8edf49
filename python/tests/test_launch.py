"""Launches of cuTile kernels: arguments of all kinds, on all engines."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import cuda.tile as ct
import kernels
import tilewright
from tilewright import _engine

ENGINES = [("interp", "sm_100"), ("ptx", "sm_80"), ("ptx", "sm_120"), ("both", "sm_90")]


@pytest.fixture(params=ENGINES, ids=lambda e: "-".join(e))
def engine(request):
    with tilewright.options(engine=request.param[0]):
        yield request.param


def test_add(engine):
    a, b, c = np.arange(1000, dtype=np.float32), np.ones(1000, np.float32), np.zeros(1000, np.float32)
    with tilewright.options(gpu=engine[1]):
        ct.launch(0, (8,), kernels.add, (a, b, c, 128))
    np.testing.assert_array_equal(c, a + b)


def test_softmax(engine):
    x = np.random.default_rng(0).standard_normal((8, 64)).astype(np.float32)
    y = np.zeros_like(x)
    ct.launch(None, (2,), kernels.softmax, (x, y, 4, 64))
    e = np.exp(x - x.max(axis=1, keepdims=True))
    np.testing.assert_allclose(y, e / e.sum(axis=1, keepdims=True), rtol=1e-5)


def test_views(engine):
    """Views into one array, with an offset, a stride and in another order of dimensions."""
    whole = np.arange(400, dtype=np.int32)
    before = whole.copy()
    a, b, c = whole[3:131], whole[131:387:2], whole[270:398]
    want = a + b
    c_before = c.copy()
    a, b, out = a.copy(), whole[131:387:2], whole[3:131]
    ct.launch(0, (1,), kernels.add, (whole[3:131], b, out, 128))
    np.testing.assert_array_equal(out, want)
    np.testing.assert_array_equal(whole[131:], before[131:])
    np.testing.assert_array_equal(c, c_before)
    x = np.asfortranarray(np.random.default_rng(1).standard_normal((4, 64)).astype(np.float32))
    y = np.zeros((64, 4), np.float32).T
    ct.launch(0, (1,), kernels.softmax, (x, y, 4, 64))
    np.testing.assert_allclose(y.sum(axis=1), 1, rtol=1e-5)


def test_same_array_twice(engine):
    a = np.arange(128, dtype=np.int32)
    ct.launch(0, (1,), kernels.add, (a, a, a, 128))
    np.testing.assert_array_equal(a, 2 * np.arange(128))


def test_lists_and_tuples(engine):
    arrays = [np.full(16, i, np.int32) for i in range(5)]
    out = np.zeros(16, np.int32)
    ct.launch(0, (1,), kernels.total, (arrays, out, 16))
    np.testing.assert_array_equal(out, 10)
    ct.launch(0, (1,), kernels.pair, ((arrays[4], arrays[1]), out, 16))
    np.testing.assert_array_equal(out, 3)


@pytest.mark.parametrize("dtype", ["float16", "float64", "int8", "int64", "uint32"])
def test_types(dtype):
    a = np.arange(16).astype(dtype)
    c = np.zeros(16, dtype)
    ct.launch(0, (1,), kernels.add, (a, a, c, 16))
    np.testing.assert_array_equal(c, a + a)


def test_bfloat16():
    import ml_dtypes

    a = np.arange(16).astype(ml_dtypes.bfloat16)
    c = np.zeros(16, ml_dtypes.bfloat16)
    ct.launch(0, (1,), kernels.add, (a, a, c, 16))
    np.testing.assert_array_equal(c.astype(np.float32), 2 * np.arange(16))


@pytest.mark.parametrize("factor", [3, -2.5])
def test_scalars(engine, factor):
    x, y = np.arange(16, dtype=np.float32), np.zeros(16, np.float32)
    ct.launch(0, (1,), kernels.scale, (x, y, factor, 16))
    np.testing.assert_array_equal(y, x * np.float32(factor))


def test_empty_and_zero_strides():
    x, y = np.broadcast_to(np.float32(7), (16,)), np.zeros(16, np.float32)
    ct.launch(0, (1,), kernels.scale, (x, y, 2.0, 16))
    np.testing.assert_array_equal(y, 14)
    empty = np.zeros(0, np.float32)
    ct.launch(0, (1,), kernels.scale, (empty, empty, 2.0, 16))


def test_torch():
    torch = pytest.importorskip("torch")
    a, c = torch.arange(128, dtype=torch.bfloat16), torch.zeros(128, dtype=torch.bfloat16)
    ct.launch(0, (1,), kernels.add, (a, a, c, 128))
    assert torch.equal(c, a + a)
    whole = torch.zeros(8, 64)
    x = torch.randn(4, 64)
    ct.launch(0, (1,), kernels.softmax, (x, whole[2:6], 4, 64))
    torch.testing.assert_close(whole[2:6], x.softmax(1))
    assert not whole[:2].any() and not whole[6:].any()


@pytest.mark.parametrize("replay", [True, False])
def test_repeated_launches(replay):
    """Slow launches that repeat earlier ones leave what those left, and others run."""
    n = 20_000
    x = np.arange(n * 16, dtype=np.float32)
    with tilewright.options(replay=replay, workers=1):
        for k in range(6):
            if k == 4:
                x += 1
            y = np.full_like(x, k // 2)
            ct.launch(0, (n,), kernels.scale, (x, y, 2.0, 16))
            np.testing.assert_array_equal(y, 2 * x)
        for k in range(4):  # each launch changes what the next one reads
            ct.launch(0, (n,), kernels.scale, (y, y, 2.0, 16))
        np.testing.assert_array_equal(y, 32 * x)


def test_threads():
    def run(k):
        for i in range(20):
            a, c = np.full(16, i, np.int32), np.zeros(16, np.int32)
            ct.launch(0, (1,), kernels.add, (a, np.full(16, k, np.int32), c, 16))
            if not (c == i + k).all():
                wrong.append((i, k, c))

    wrong = []
    threads = [threading.Thread(target=run, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_engine_that_dies():
    """The engine is another process. When it is gone, the next launch starts a new one, which loads its kernels again."""
    a, c = np.ones(16, np.int32), np.zeros(16, np.int32)
    ct.launch(0, (1,), kernels.add, (a, a, c, 16))
    old = _engine.engine()
    old.process.kill()
    old.process.wait()
    c[:] = 0
    ct.launch(0, (1,), kernels.add, (a, a, c, 16))
    assert (c == 2).all() and _engine.engine() is not old


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_fork():
    """A forked process has an engine of its own, and the parent's is as it was."""
    a, c = np.ones(16, np.int32), np.zeros(16, np.int32)
    ct.launch(0, (1,), kernels.add, (a, a, c, 16))
    pid = os.fork()
    if pid == 0:
        try:
            ct.launch(0, (1,), kernels.add, (c, c, c, 16))
            os._exit(0 if (c == 4).all() else 1)
        except BaseException:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    ct.launch(0, (1,), kernels.add, (a, c, c, 16))
    assert (c == 3).all()


def test_memory_is_given_back():
    e = _engine.engine()
    a, c = np.ones(1 << 20, np.int8), np.zeros(1 << 20, np.int8)
    for _ in range(50):
        ct.launch(0, (1,), kernels.add, (a, a, c, 16))
    assert e.shared.size <= 1 << 26
    assert sum(n for chunk in e.shared.chunks for _, n in chunk.free) == e.shared.size


def test_large_arrays_are_sparse():
    """Of an array far larger than a kernel touches, most pages are neither copied nor made."""
    x = np.zeros(1 << 29, np.uint8)
    x[-16:] = 1
    y = np.zeros(16, np.uint8)
    ct.launch(0, (1,), kernels.add, (x[-16:], x[-16:], y, 16))
    assert (y == 2).all()
    ct.launch(0, (1,), kernels.add, (y, y, x[:16], 16))
    assert (x[:16] == 4).all() and x.sum() == 16 * 4 + 16


PROGRAM = """
import sys
import numpy as np
import cuda.tile as ct
sys.path.insert(0, {folder!r})
import kernels
a, c = np.ones(16, np.float32), np.zeros(16, np.float32)
ct.launch(None, (1,), kernels.add, (a, a, c, 16))
print(c.sum(), sys.argv[1:])
"""


def run(*args, **env):
    here = os.path.dirname(os.path.abspath(__file__))
    return subprocess.run([sys.executable, *args], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": os.path.dirname(here), **env})


def test_run(tmp_path):
    program = tmp_path / "prog.py"
    program.write_text(PROGRAM.format(folder=os.path.dirname(os.path.abspath(__file__))))
    p = run("-m", "tilewright", "run", "--engine=ptx", "--gpu=sm_90", str(program), "x", "--y")
    assert p.returncode == 0 and p.stdout == "32.0 ['x', '--y']\n", p.stderr
    p = run("-m", "tilewright", "run", str(program), TILEWRIGHT_ENGINE="steam")
    assert p.returncode == 1 and p.stderr.startswith("tilewright: error: unknown engine 'steam'"), p.stderr
    p = run("-m", "tilewright", "run", str(program), TILEWRIGHT_BIN=str(tmp_path))
    assert p.returncode != 0 and "there is no 'tile-run' that can be run" in p.stderr
    assert run("-m", "tilewright", "--version").stdout == f"tilewright {tilewright.__version__}\n"


def test_fake_cuda(tmp_path):
    pytest.importorskip("torch")
    program = tmp_path / "prog.py"
    program.write_text(f"""
import sys, threading, torch
import cuda.tile as ct
sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})
import kernels
assert torch.cuda.is_available()
a = torch.ones(16, device="cuda")
host = a.cpu()
assert torch.empty(3, device="cuda").isnan().all() and torch.empty_like(a).isnan().all()
assert torch.empty(3, dtype=torch.bool, device="cuda").all() and (torch.empty(3, dtype=torch.int8, device="cuda") == -1).all()
def work():
    c = torch.empty_like(a).to("cuda")
    ct.launch(torch.cuda.current_stream(), (1,), kernels.add, (a, torch.arange(16.0, device="cuda:0"), a, 16))
    torch.cuda.synchronize()
t = threading.Thread(target=work)
t.start()
t.join()
assert a.is_cuda and a.sum().item() == 136 and host.sum().item() == 16, (a, host)
assert torch.exp(torch.zeros(1, dtype=torch.complex64)).is_complex()
torch.manual_seed(1)
x = torch.rand(64, device="cuda")
torch.cuda.manual_seed_all(1)
assert torch.equal(x, torch.rand(64, device="cuda"))
with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.CUDNN_ATTENTION):
    torch.nn.functional.scaled_dot_product_attention(*torch.rand(3, 1, 1, 16, 16, device="cuda"))
assert torch.equal(torch.sqrt(x), x.double().sqrt().float())
assert torch.equal(torch.sinh(x.half()), x.half().double().sinh().float().half())
for a, b in (x.half(), x), (x, x.half()), (x.half(), 2), (x.int(), x):
    assert torch.atan2(a, torch.as_tensor(b)).dtype == torch.result_type(a, torch.as_tensor(b)), (a.dtype, b)
g = torch.cuda.CUDAGraph()
x = torch.ones(16, device="cuda")
with torch.cuda.graph(g):
    ct.launch(torch.cuda.current_stream(), (1,), kernels.add, (x, x, x, 16))
assert x.sum().item() == 16
for _ in range(3):
    g.replay()
assert x.sum().item() == 16 * 8
try:
    with torch.cuda.graph(g):
        x.zero_()
    raise AssertionError("PyTorch's work is captured")
except NotImplementedError:
    pass
""")
    p = run("-m", "tilewright", "run", "--fake-cuda", str(program))
    assert p.returncode == 0, p.stderr


def test_memory_that_is_gone():
    """A pointer leads to memory that exists: freed memory belongs to others, and a launch copies back its arrays."""
    from tilewright import _arrays

    seen, alive = _arrays._Seen(), [True, True]
    seen.add(_arrays.Array(4096, 1024, False, "", ""), lambda: not alive[0])
    seen.add(_arrays.Array(4160, 64, False, "", ""), lambda: not alive[1])
    assert seen.around(4170) == (4160, 64)
    alive[1] = False
    assert seen.around(4170) == (4096, 1024)
    alive[0] = False
    assert seen.around(4170) is None and not seen.arrays


def test_memory_of_a_tensor_that_is_gone():
    torch = pytest.importorskip("torch")
    from tilewright import _arrays

    _arrays.patch_torch()
    t = torch.zeros(1 << 20)
    at = t.data_ptr()
    torch._C._to_dlpack(t)
    view = t[5:]
    del t
    assert _arrays.seen.around(at) == (at, 1 << 22)  # the view keeps the memory
    del view
    assert _arrays.seen.around(at) is None
