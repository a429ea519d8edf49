"""pytest --tilewright: every cuTile launch of a suite runs here, and is checked."""

from __future__ import annotations


def pytest_addoption(parser):
    g = parser.getgroup("tilewright", "cuTile kernels without a GPU")
    g.addoption("--tilewright", action="store_true", help="run kernels on Tilewright's engine, and look for races")
    g.addoption("--tilewright-engine", metavar="ENGINE", help="interp, ptx or both")
    g.addoption("--tilewright-gpu", metavar="GPU", help="the GPU that tests see, as in sm_90")
    g.addoption("--tilewright-no-races", action="store_true", help="do not look for races, which takes time")
    g.addoption("--tilewright-fake-cuda", action="store_true", help='take tensors of the CPU for those on "cuda"')


def _install(options) -> None:
    if not options.tilewright and not options.tilewright_engine and not options.tilewright_gpu:
        return
    import tilewright.cutile
    from ._errors import TilewrightError

    try:
        engine = options.tilewright_engine or tilewright.config().engine
        tilewright.cutile.install(engine=engine, gpu=options.tilewright_gpu, fake_cuda=options.tilewright_fake_cuda,
                                  races=not options.tilewright_no_races and engine != "ptx")
    except TilewrightError as e:
        import pytest

        raise pytest.UsageError(f"tilewright: {e}") from None


def pytest_load_initial_conftests(early_config, parser, args):
    """Comes before a conftest.py that looks at the GPU when it is imported."""
    _install(early_config.known_args_namespace)


def pytest_configure(config):
    _install(config.option)
