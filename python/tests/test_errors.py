"""What a kernel does wrong is an exception that points at its line."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import cuda.tile as ct
import kernels
import tilewright
from tilewright import _arrays, _driver, _engine, _explain


def at(error, mark):
    file, line, *_ = error.location
    assert os.path.basename(file) == "kernels.py" and line == kernels.line_of(mark), (error.location, mark)
    assert f'kernels.py", line {line}' in str(error)


@pytest.mark.parametrize("engine", ["interp", "ptx"])
def test_out_of_bounds(engine):
    x = np.zeros(100, np.int32)
    with tilewright.options(engine=engine), pytest.raises(tilewright.OutOfBoundsError, match=r"x\[100\] is out of bounds: x has shape \(100,\), tile block \(0,0,0\)") as e:
        ct.launch(0, (1,), kernels.beyond, (x, 128))
    at(e.value, "beyond")
    assert e.value.array == "x" and e.value.index == (100,) and "0x" in e.value.detail
    assert str(e.value).startswith(f"{os.path.relpath(kernels.__file__)}:{kernels.line_of('beyond')}: x[100]")
    assert e.value.block == (0, 0, 0) and e.value.kind == "out-of-bounds"
    if engine == "interp":
        assert e.value.element == (100,)
    assert isinstance(e.value, IndexError)


def test_views_of_arrays():
    """Memory around a view is there, unless the engine is strict."""
    whole = np.zeros(200, np.int32)
    ct.launch(0, (1,), kernels.beyond, (whole[10:100], 128))
    with tilewright.options(strict=True), pytest.raises(tilewright.OutOfBoundsError):
        ct.launch(0, (1,), kernels.beyond, (whole[10:100], 128))


@pytest.mark.parametrize("engine", ["interp", "ptx"])
def test_callers(engine):
    with tilewright.options(engine=engine), pytest.raises(tilewright.OutOfBoundsError) as e:
        ct.launch(0, (1,), kernels.nested, (np.zeros(100, np.int32), 128))
    at(e.value, "inner")
    lines = [w[1] for w in e.value.where if w[0].endswith("kernels.py")]
    assert lines == [kernels.line_of("inner"), kernels.line_of("outer")]


def test_view_costs_its_span(monkeypatch):
    """The engine gets what a view spans; the rest of the array only if the kernel goes there."""
    sizes = []
    launch = _engine.Engine.launch

    def spy(self, module, entry, grid, args, segments, **options):
        sizes.append(sum(s[1] for s in segments))
        return launch(self, module, entry, grid, args, segments, **options)

    monkeypatch.setattr(_engine.Engine, "launch", spy)
    whole = np.zeros((1000, 100), np.float32)
    x = whole[3:5, 10:26]
    ct.launch(0, (1,), kernels.softmax, (x, x, 2, 16))
    assert sizes == [(100 + 16) * 4]
    backwards = np.arange(100, dtype=np.int32)[40:10:-1]
    assert _arrays.of_numpy(backwards).data == backwards.ctypes.data and _arrays.of_numpy(backwards).size == 30 * 4
    ct.launch(0, (1,), kernels.beyond, (np.zeros(200, np.int32)[10:100], 128))
    assert sizes[1:] == [90 * 4, 200 * 4]


def test_elements():
    """Which element an address is, of views of all kinds."""
    def at(a, address):
        e = _explain.locate(address, [_arrays.of_numpy(a, "a")])
        return str(e) if e else None

    for a in (np.zeros((4, 6), np.float32), np.zeros((6, 4), np.float32).T, np.zeros((9, 40), np.int16)[1:5, 3:15:2]):
        for i in np.ndindex(a.shape):
            assert at(a, a.ctypes.data + sum(x * s for x, s in zip(i, a.strides))) == \
                f"a[{i[0]}, {i[1]}]"
    x = np.zeros((4, 6), np.float32)
    assert at(x, x.ctypes.data + 96) == "a[4, 0]" and at(x, x.ctypes.data - 4) == "a[-1, 5]"
    assert at(x, x.ctypes.data + (1 << 40)) is None and at(np.zeros((), np.int32), 1) is None
    back = np.zeros(8, np.int32)[::-1]
    assert at(back, back.ctypes.data - 8) == "a[2]"


def test_warned_of_once():
    """A tile wholly outside is warned of once for each line, with the array."""
    _driver._warned.clear()
    x = np.zeros(32, np.int32)
    with pytest.warns(tilewright.OutsideWarning) as w:
        for _ in range(2):
            ct.launch(0, (3,), kernels.add, (x, x, x, 16))
    texts = [str(v.message) for v in w]
    assert len(texts) == 3 and all(t.startswith("tile (2,) of a is wholly outside: a has shape (32,)") for t in texts), texts
    assert {os.path.basename(v.filename) for v in w} == {"kernels.py"}
    empty = np.zeros(0, np.int32)
    ct.launch(0, (1,), kernels.add, (empty, empty, empty, 16))


def test_negative_stride():
    x = np.arange(16, dtype=np.int32)
    with pytest.raises(ValueError, match=r"b has a negative stride, .* launch with b.copy\(\)"):
        ct.launch(0, (1,), kernels.add, (x, x[::-1], x, 16))


def test_frames_of_plain_python(tmp_path):
    """Without the command, too, the traceback of a wrong argument ends at the program's line."""
    program = tmp_path / "prog.py"
    program.write_text(f"import sys\nsys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})\nimport numpy as np, tilewright.cutile\n"
                       "tilewright.cutile.install()\nimport cuda.tile as ct, kernels\nx = np.zeros(16, np.int32)\n"
                       "ct.launch(0, (1,), kernels.add, (x, x[::-1], x, 16))\n")
    p = subprocess.run([sys.executable, str(program)], capture_output=True, text=True)
    lines = p.stderr.splitlines()
    assert p.returncode == 1 and [line.split(",")[0] for line in lines if line.startswith("  File")] == [f'  File "{program}"'], p.stderr
    assert lines[-1].startswith("ValueError: b has a negative stride"), p.stderr


def test_interrupt(tmp_path):
    """Ctrl-C says where the kernel stood, ends the launch, and leaves no engine behind."""
    program = tmp_path / "prog.py"
    program.write_text(f"import sys\nsys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})\n"
                       "import numpy as np, cuda.tile as ct, kernels\nprint('begins', flush=True)\n"
                       "ct.launch(None, (1,), kernels.endless, (np.zeros(4, np.int32),))\n")
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    p = subprocess.Popen([sys.executable, "-m", "tilewright", "run", str(program)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         text=True, env={**os.environ, "PYTHONPATH": here},
                         # A job in the background inherits that the signal is ignored.
                         preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    assert p.stdout.readline() == "begins\n"
    time.sleep(1)
    p.send_signal(signal.SIGINT)
    err = p.communicate(timeout=20)[1]
    assert p.returncode == 130, err
    assert err.startswith("tilewright.LaunchInterrupted: ") and "kernels.py:" in err.split("\n")[0] and "tile block (0,0,0) stood here" in err, err


def test_race():
    x = np.zeros(16, np.int32)
    with tilewright.options(races=True), pytest.raises(tilewright.RaceError) as e:
        ct.launch(0, (4,), kernels.racing, (x,))
    at(e.value, "racing")
    assert e.value.block == (1, 0, 0)


def test_synchronization():
    x = np.zeros(16, np.int32)
    with tilewright.options(engine="ptx", sync_check=True):
        with pytest.raises(tilewright.SynchronizationError, match="an order between") as e:
            ct.launch(0, (4,), kernels.racing, (x,))
        assert e.value.kind == "synchronization" and "for all schedules" in str(e.value)
        ct.launch(0, (1,), kernels.racing, (x,))
    with pytest.raises(tilewright.TilewrightError, match="engines ptx and both"):
        with tilewright.options(sync_check=True):
            pass
    for flag in "races", "strict", "ordered":
        with pytest.raises(tilewright.TilewrightError, match="engines interp and both"):
            with tilewright.options(engine="ptx", **{flag: True}):
                pass
    with tilewright.options(races=True), tilewright.options(engine="ptx") as c:
        assert not c.races


def test_division():
    with pytest.raises(tilewright.KernelZeroDivisionError) as e:
        ct.launch(0, (1,), kernels.dividing, (np.ones(4, np.int32), np.array([1, 2, 0, 4], np.int32)))
    at(e.value, "dividing")
    assert isinstance(e.value, ZeroDivisionError)


@pytest.mark.parametrize("engine", ["interp", "ptx"])
def test_assert(engine, capfd):
    with tilewright.options(engine=engine), pytest.raises(tilewright.KernelAssertionError, match="too large"):
        ct.launch(0, (1,), kernels.asserting, (np.arange(4, dtype=np.int32),))
    assert capfd.readouterr().out.count("too large") == 1


@pytest.mark.parametrize("engine", ["interp", "ptx"])
def test_print(engine, capfd):
    with tilewright.options(engine=engine):
        ct.launch(0, (1,), kernels.saying, (np.arange(4, dtype=np.int32),))
    assert capfd.readouterr().out == "t = [0, 1, 2, 3]\n"


def test_read_only():
    a, c = np.zeros(16, np.int32), np.zeros(16, np.int32)
    c.flags.writeable = False
    with pytest.raises(tilewright.ReadOnlyError):
        ct.launch(0, (1,), kernels.add, (a, a, c, 16))
    assert not c.any()


@pytest.mark.parametrize("engine", ["interp", "ptx"])
def test_timeout(engine):
    x = np.zeros(4, np.int32)
    with tilewright.options(engine=engine, timeout=0.2), pytest.raises(tilewright.LaunchTimeoutError):
        ct.launch(0, (1,), kernels.endless, (x,))
    a, c = np.ones(16, np.int32), np.zeros(16, np.int32)
    ct.launch(0, (1,), kernels.add, (a, a, c, 16))
    assert (c == 2).all()


def test_errors_of_the_front_end_are_its_own():
    with pytest.raises(TypeError):
        ct.launch(0, (1,), kernels.add, ("x", "y", "z", 16))
    with pytest.raises(TypeError):
        ct.launch(0)
    with pytest.raises(tilewright.TilewrightError, match="no GPU"):
        with tilewright.options(gpu="gtx"):
            pass
    with pytest.raises(tilewright.TilewrightError, match="unknown math"):
        with tilewright.options(math="fast"):
            pass
    for wrong in ({"timeout": -1}, {"timeout": float("nan")}, {"workers": -1}):
        with pytest.raises(tilewright.TilewrightError, match="makes? no sense"):
            with tilewright.options(**wrong):
                pass


def test_options_come_back():
    with pytest.raises(KeyError):
        with tilewright.options(engine="both", races=True):
            raise KeyError
    assert tilewright.config().engine == "interp" and not tilewright.config().races
