"""How kernels run: what the environment says, and what install() and with-statements change."""

from __future__ import annotations

import contextlib
import dataclasses
import os

from ._errors import TilewrightError

ENGINES = ("interp", "ptx", "both")
MATH = ("cuda", "exact")
TUNERS = ("estimate", "run")
WHY = ("tma", "mma", "pipeline", "spill", "vector")  # what Compiled.why answers
_INTERPRETED = ("races", "strict", "ordered")  # what the interpreter alone can do


@dataclasses.dataclass
class Config:
    """How kernels run.

    Attributes:
        engine: "interp" runs the tiles of the kernel as the front end wrote them; "ptx" compiles for `gpu`, and
            emulates that; "both" does both and compares. (TILEWRIGHT_ENGINE)
        gpu: the GPU that programs see, and that kernels are compiled for. (TILEWRIGHT_GPU)
        math: how compiled code computes functions of float32: "cuda", within the bounds that CUDA publishes, or
            "exact", nearly always rounded correctly. (TILEWRIGHT_MATH)
        strict: whether what the specification leaves undefined is an error though NVIDIA's compiler gives it a
            meaning. (TILEWRIGHT_STRICT)
        races: whether accesses that nothing orders are errors. Tile blocks then run one after the other.
            (TILEWRIGHT_RACES)
        sync_check: whether compiled code with races, missing fences or waits, or barriers that do not add up is an
            error. (TILEWRIGHT_SYNC_CHECK)
        ordered: whether tile blocks of kernels with atomics run in the order of the grid, so that sums of floats are
            the same each time. (TILEWRIGHT_ORDERED)
        timeout: seconds that a launch may take; 0 for no limit. (TILEWRIGHT_TIMEOUT)
        workers: how many tile blocks run at once; 0 for as many as there are processors. (TILEWRIGHT_WORKERS)
        replay: whether a slow launch that repeats an earlier one, with the same arguments on memory with the same
            contents, is answered by what that one left. Loops that measure then take no longer than a few launches.
            (TILEWRIGHT_REPLAY)
        tuner: how ct.tune.exhaustive_search times configurations: "estimate", as tilewright.tune does, or "run", by the
            time that the engine takes, which says nothing about a GPU. (TILEWRIGHT_TUNER)
        rtol, atol: how far apart the results of engine "both" may be; None for what their types allow.
    """

    engine: str = "interp"
    gpu: str = "sm_100"
    math: str = "cuda"
    strict: bool = False
    races: bool = False
    sync_check: bool = False
    ordered: bool = False
    timeout: float = 0.0
    workers: int = 0
    replay: bool = True
    tuner: str = "estimate"
    rtol: float | None = None
    atol: float | None = None

    def check(self) -> None:
        """Raises TilewrightError for values that make no sense, or do not go together."""
        __tracebackhide__ = True
        if self.engine not in ENGINES:
            raise TilewrightError(f"unknown engine {self.engine!r}, expected one of {', '.join(ENGINES)}")
        if self.math not in MATH:
            raise TilewrightError(f"unknown math {self.math!r}, expected one of {', '.join(MATH)}")
        if self.tuner not in TUNERS:
            raise TilewrightError(f"unknown tuner {self.tuner!r}, expected one of {', '.join(TUNERS)}")
        capability(self.gpu)
        for field, engine, others in (("sync_check", "interp", "ptx and both"), *((f, "ptx", "interp and both") for f in _INTERPRETED)):
            if getattr(self, field) and self.engine == engine:
                raise TilewrightError(f"{field} is for the engines {others}, but the engine is {engine}")
        if not 0 <= self.timeout <= 1e9:
            raise TilewrightError(f"a timeout of {self.timeout} seconds makes no sense")
        if self.workers < 0:
            raise TilewrightError(f"{self.workers} workers make no sense")

    def options(self) -> dict:
        """What the engine's protocol calls these."""
        out = {"engine": self.engine, "gpu": self.gpu, "math": self.math}
        for key in ("strict", "races", "sync_check", "ordered", "workers"):
            if getattr(self, key):
                out[key] = getattr(self, key)
        if not self.replay:
            out["again"] = True
        if self.timeout:
            out["timeout_ms"] = max(1, int(self.timeout * 1000))
        if self.rtol is not None:
            out["rtol"] = self.rtol
        if self.atol is not None:
            out["atol"] = self.atol
        return out


def capability(gpu: str) -> tuple[int, int]:
    """Returns the compute capability of a GPU, as in "sm_90"."""
    number = gpu.removeprefix("sm_")
    if number == gpu or not number.isdigit() or len(number) < 2:
        raise TilewrightError(f"{gpu!r} is no GPU, expected a name such as sm_90")
    return int(number[:-1]), int(number[-1])


def _from_environment() -> Config:
    c = Config()
    for field in dataclasses.fields(Config):
        text = os.environ.get("TILEWRIGHT_" + field.name.upper())
        if not text:
            continue
        old = getattr(c, field.name)
        try:
            if isinstance(old, bool):
                if text.lower() not in ("0", "1", "true", "false", "yes", "no", "on", "off"):
                    raise ValueError
                value = text.lower() in ("1", "true", "yes", "on")
            elif isinstance(old, int):
                value = int(text)
            elif isinstance(old, str):
                value = text
            else:
                value = float(text)
        except ValueError:
            raise TilewrightError(f"TILEWRIGHT_{field.name.upper()} is {text!r}, which makes no sense") from None
        setattr(c, field.name, value)
    c.check()
    return c


_config: Config | None = None


def config() -> Config:
    """Returns the configuration of this program, which may be changed."""
    global _config
    if _config is None:
        _config = _from_environment()
    return _config


@contextlib.contextmanager
def options(**changes):
    """Changes the configuration for the body of a with-statement, in all threads.

        with tilewright.options(engine="both", gpu="sm_90"):
            ct.launch(...)

    Args:
        changes: attributes of Config. A change to engine "ptx" leaves out races, strict and ordered of the
            configuration around, which only the interpreter can do; to name one of them beside it is an error.

    Raises:
        TilewrightError: a value makes no sense, or the engine cannot do it.
    """
    c = config()
    before = dataclasses.replace(c)
    if changes.get("engine") == "ptx":
        changes = {**dict.fromkeys(_INTERPRETED, False), **changes}
    if changes.get("engine") == "interp":
        changes = {"sync_check": False, **changes}
    configure(**changes)
    try:
        yield c
    finally:
        c.__dict__.update(before.__dict__)


def configure(**changes) -> None:
    """Changes the configuration; None leaves a value as it is."""
    c = config()
    __tracebackhide__ = True
    new = dataclasses.replace(c, **{k: v for k, v in changes.items() if v is not None})
    new.check()
    c.__dict__.update(new.__dict__)
