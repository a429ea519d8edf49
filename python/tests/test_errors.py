"""What a kernel does wrong is an exception that points at its line."""

import os

import numpy as np
import pytest

import cuda.tile as ct
import kernels
import tilewright


def at(error, mark):
    file, line, *_ = error.location
    assert os.path.basename(file) == "kernels.py" and line == kernels.line_of(mark), (error.location, mark)
    assert f'kernels.py", line {line}' in str(error)


@pytest.mark.parametrize("engine", ["interp", "ptx"])
def test_out_of_bounds(engine):
    x = np.zeros(100, np.int32)
    with tilewright.options(engine=engine), pytest.raises(tilewright.OutOfBoundsError, match="'x'") as e:
        ct.launch(0, (1,), kernels.beyond, (x, 128))
    at(e.value, "beyond")
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
        with tilewright.options(engine="ptx", races=True):
            raise KeyError
    assert tilewright.config().engine == "interp" and not tilewright.config().races
