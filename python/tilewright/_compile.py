"""What a kernel becomes: levels, PTX, cubin, remarks and what it takes, as objects."""

from __future__ import annotations

import dataclasses
import functools
import html
import json
import os
import re
import tempfile

import numpy as np

from ._config import WHY, config
from ._errors import CompileError, TilewrightError
from ._tools import run

LEVELS = ("cuda_tile", "tileaa", "tileas", "nvvm")


def bytecode(kernel, args) -> bytes:
    """Returns the bytecode of Tile IR that cuTile makes of a kernel for a launch with these arguments."""
    return _recorded(kernel, args, None).data


def _recorded(kernel, args, gpu: str | None, grid=(1, 1, 1), memory: bool = False, files=None):
    """Returns what cuTile makes of a launch, which does not run."""
    from . import _hooks, _record, options

    _hooks.hook()
    import cuda.tile as ct

    kernel = kernel if isinstance(kernel, ct.kernel) else ct.kernel(kernel)
    with _record.recording(_record.Recorder(run=False, memory=memory, files=files)) as r, options(gpu=gpu):
        ct.launch(None, tuple(grid), kernel, tuple(args))
    return next(iter(r.kernels.values()))


@dataclasses.dataclass(frozen=True)
class Remark:
    """What a pass decided, and at which line."""

    message: str
    file: str
    line: int

    def __str__(self):
        return f"{self.file}:{self.line}: {self.message}"


class Compiled:
    """A kernel compiled for a GPU. What it becomes at each stage is made when it is asked for.

    Attributes:
        bytecode: bytes, the Tile IR that cuTile made.
        gpu: str, as in "sm_90".
        opt_level: int, 0 to 3.
    """

    def __init__(self, data: bytes, gpu: str, opt_level: int = 3, kernels=(), launch=None):
        self.bytecode, self.gpu, self.opt_level = data, gpu, opt_level
        self._kernels, self._launch = list(kernels), launch

    def _run(self, tool: str, *args: str) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kernel.tileirbc")
            with open(path, "wb") as f:
                f.write(self.bytecode)
            return run(tool, *args, path).stdout

    def _tilec(self, *args: str) -> bytes:
        return self._run("tilec", f"--gpu-name={self.gpu}", f"-O{self.opt_level}", "--lineinfo", *args)

    def why(self, topic: str = "tma") -> str:
        """Returns why the code is as it is: what was not done, what is missing, the cure, and what that is worth.

        Args:
            topic: "tma", "mma", "pipeline", "spill" or "vector".

        Raises:
            CompileError: the kernel does not compile.
            ValueError: there is no such topic.
        """
        if topic not in WHY:
            raise ValueError(f"unknown topic {topic!r}, expected one of {', '.join(WHY)}")
        with tempfile.TemporaryDirectory() as folder:
            return self._tilec("--emit=ptx", f"--why={topic}", *self._arguments(folder)).decode("utf-8", "replace")

    def _arguments(self, folder: str) -> list[str]:
        """The flag by which tilec knows what the parameters are in Python."""
        if not self._kernels:
            return []
        from . import _record

        return ["--arguments", _record.save_arguments(self._kernels, os.path.join(folder, "arguments.json"))]

    def report(self, path, grid=None) -> str:
        """Writes an HTML page that shows the kernel from source to machine code, and returns its path.

        Args:
            path: str or os.PathLike, as in "k.html".
            grid: up to three numbers of tile blocks; the page then has the time of this launch, an estimate.

        Raises:
            TilewrightError: there is a grid, but the kernel was compiled from bytecode, so there are no arguments.
        """
        from . import _record

        path = os.fspath(path)
        with tempfile.TemporaryDirectory() as folder:
            more = []
            if grid is not None:
                files = _record.Files()
                recorded = _recorded(*self._arranged(), self.gpu, (*grid, 1, 1)[:3], files=files)
                with open(os.path.join(folder, "launched.tileirbc"), "wb") as f:
                    f.write(recorded.data)
                launches = _record.save_launches([recorded], "launched.tileirbc", files, folder)
                more = ["--launches", launches] if launches else []
            self._tilec("--emit=ptx", f"--report={path}", *self._arguments(folder), *more, "-o", os.devnull)
        return path

    def _arranged(self) -> tuple:
        """Returns the kernel and the arguments of a launch."""
        if self._launch is None:
            raise TilewrightError("a kernel made from bytecode has no arguments to be launched with")
        return self._launch

    def profile(self, grid=(1, 1, 1)) -> dict:
        """Runs a launch in the emulator and returns what it executed: docs/profile.md describes the fields.

        The arrays of the launch stay as they are. Counts are exact, times are estimates.

        Args:
            grid: up to three numbers of tile blocks.

        Raises:
            TilewrightError: the kernel was compiled from bytecode, so there are no arguments to launch it with.
        """
        grid = (*grid, 1, 1)[:3]
        with tempfile.TemporaryDirectory() as folder:
            case = _recorded(*self._arranged(), self.gpu, grid, memory=True).case.write(os.path.join(folder, "case"))
            text = run("tile-run", "--engine=ptx", f"--gpu-name={self.gpu}", f"-O{self.opt_level}", "--profile=json", case).stdout
        return json.loads(text)[0]

    @functools.cached_property
    def tile_ir(self) -> str:
        """The kernel as the front end wrote it."""
        return run("tile-translate", "--cudatilebc-to-mlir", "-", input=self.bytecode).stdout.decode()

    @functools.cached_property
    def levels(self) -> dict[str, str]:
        """The kernel at each level of the compiler, as text."""
        out = {"cuda_tile": self.tile_ir}
        for level in LEVELS[1:]:
            out[level] = self._run("tile-opt", f"--lower-to={level}", f"--gpu-name={self.gpu}", f"-O{self.opt_level}").decode()
        out["ptx"] = self.ptx
        return out

    @functools.cached_property
    def ptx(self) -> str:
        """The PTX, with lines of the source."""
        with tempfile.TemporaryDirectory() as folder:
            return self._emit(folder, "kernel.ptx", "--emit=ptx").decode()

    @functools.cached_property
    def cubin(self) -> bytes:
        """The machine code, which NVIDIA's ptxas assembles: it must be there."""
        with tempfile.TemporaryDirectory() as folder:
            return self._emit(folder, "kernel.cubin")

    def _emit(self, folder: str, name: str, *flags: str) -> bytes:
        out = os.path.join(folder, name)
        self._tilec(*flags, "-o", out)
        with open(out, "rb") as f:
            return f.read()

    @functools.cached_property
    def remarks(self) -> list[Remark]:
        """What passes decided: what is pipelined, and what is not and why."""
        text = run("tile-opt", "--lower-to=ptx", f"--gpu-name={self.gpu}", f"-O{self.opt_level}", "--remarks", "-o", os.devnull, "-",
                   input=self.bytecode).stderr.decode("utf-8", "replace")
        return [Remark(m[3], m[1], int(m[2])) for m in re.finditer(r"^(.*?):(\d+):\d+: remark: (.*)$", text, re.M)]

    @functools.cached_property
    def resources(self) -> dict:
        """The threads and static shared memory that a tile block takes, and the number of instructions, by the PTX."""
        out = {}
        for m in re.finditer(r"\.visible \.entry ([\w$]+)\(.*?(?=\.visible \.entry|\Z)", self.ptx, re.S):
            body = m[0]
            threads = re.search(r"\.reqntid (\d+)", body)
            shared = sum(int(s) for s in re.findall(r"^\s*\.shared .*?\[(\d+)\];", self.ptx, re.M))
            out[m[1]] = {"threads": int(threads[1]) if threads else None, "static_shared": shared,
                         "instructions": len(re.findall(r"^\t[@\w].*;$", body, re.M))}
        return out

    def __repr__(self):
        return f"<kernel compiled for {self.gpu}: {', '.join(self.resources)}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: each level, to be opened."""
        parts = [f"<b>{html.escape(repr(self))}</b>"]
        for name, text in self.levels.items():
            parts.append(f"<details><summary>{name}</summary><pre>{html.escape(text)}</pre></details>")
        if self.remarks:
            items = "".join(f"<li>{html.escape(str(r))}</li>" for r in self.remarks)
            parts.append(f"<details><summary>remarks</summary><ul>{items}</ul></details>")
        return "\n".join(parts)


def compile(kernel, args=(), *, gpu: str | None = None, opt_level: int = 3) -> Compiled:
    """Compiles a cuTile kernel for arguments such as a launch would have.

    Args:
        kernel: a ct.kernel or its function; or bytes, the bytecode of Tile IR.
        args: tuple of what ct.launch would get. Arrays are NumPy's, PyTorch's or JAX's; their types, ranks and strides
            decide the code, and their contents do not count.
        gpu: as in "sm_90"; tilewright.config().gpu if it is left out.
        opt_level: 0 to 3.

    Raises:
        CompileError: what the Compiled is asked for cannot be made.
        cuda.tile.TileError: cuTile rejects the kernel.
    """
    if isinstance(kernel, (bytes, bytearray)):
        return Compiled(bytes(kernel), gpu or config().gpu, opt_level)
    recorded = _recorded(kernel, args, gpu)
    return Compiled(recorded.data, gpu or config().gpu, opt_level, [recorded], (kernel, tuple(args)))


def check(kernel, grid, args, *, gpu: str | None = None, races: bool = True,
          strict: bool = False, rtol: float | None = None, atol: float | None = None) -> tuple:
    """Launches a kernel on copies of its arrays, on both engines, and returns the arguments as the interpreter left them.

    Args:
        kernel: a ct.kernel.
        grid: tuple of up to three numbers of tile blocks.
        args: tuple of what ct.launch would get.
        gpu: what compiled code is for, as in "sm_90".
        races: whether accesses that nothing orders are errors, in the interpreter.
        strict: whether what the specification leaves undefined is an error, in the interpreter.
        rtol, atol: how far apart floats of two engines may be; None for what their types allow.

    Raises:
        KernelError: the first mistake: a race, an access out of bounds, a result that differs between engines, ...
    """
    from . import _hooks, options

    _hooks.hook()
    import cuda.tile as ct

    copies = _copy(tuple(args))
    with options(engine="both", gpu=gpu, races=races, strict=strict, rtol=rtol, atol=atol):
        ct.launch(0, tuple(grid), kernel, copies)
    return copies


def _copy(value):
    if isinstance(value, np.ndarray):
        return value.copy()
    if type(value) in (tuple, list):
        return type(value)(_copy(v) for v in value)
    return value.clone() if hasattr(value, "clone") else value


__all__ = ["Compiled", "CompileError", "Remark", "bytecode", "check", "compile"]
