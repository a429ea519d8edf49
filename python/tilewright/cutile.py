"""cuTile programs on this machine.

    import tilewright.cutile
    tilewright.cutile.install()

before a program launches its first kernel, or `python -m tilewright run prog.py` for a program as it is. Everything
up to the driver is NVIDIA's own code; kernels run on the engine that `tilewright.config()` names.
"""

from __future__ import annotations

import functools
import importlib

from . import _hooks, _tune
from ._config import configure
from ._hooks import version


def install(*, engine=None, gpu=None, math=None, strict=None, races=None, sync_check=None, ordered=None, timeout=None,
            workers=None, fake_cuda: bool = False) -> None:
    """Makes ct.launch run kernels here. Arguments change `tilewright.config()`.

    Args:
        fake_cuda: lets a program that allocates on "cuda" work on the tensors of the CPU.
    """
    configure(engine=engine, gpu=gpu, math=math, strict=strict, races=races, sync_check=sync_check, ordered=ordered,
              timeout=timeout, workers=workers)
    _hooks.hook()
    _estimate_searches()
    if fake_cuda:
        from . import _fakecuda
        _fakecuda.install()


@functools.cache
def _estimate_searches() -> None:
    """Without a GPU, cuTile's search has no times to go by: it gets estimates, if kernels have some."""
    try:
        tune = importlib.import_module("cuda.tile.tune")
    except ImportError:  # another version of cuTile, which has none
        return
    run = tune.exhaustive_search

    @functools.wraps(run)
    def exhaustive_search(search_space, stream, grid_fn, kernel, args_fn, hints_fn=None, **more):
        space = list(search_space)
        result = _tune.search(space, grid_fn, kernel, args_fn, hints_fn, quiet=more.get("quiet", False))
        return result or run(space, stream, grid_fn, kernel, args_fn, hints_fn, **more)

    tune.exhaustive_search = exhaustive_search


__all__ = ["install", "version"]
