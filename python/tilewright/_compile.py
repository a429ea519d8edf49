"""What a kernel becomes: levels, PTX, cubin, remarks and what it takes, as objects."""

from __future__ import annotations

import dataclasses
import functools
import html
import io
import json
import os
import re
import tempfile

import numpy as np

from . import _arrays
from ._config import config
from ._errors import CompileError
from ._tools import run

LEVELS = ("cuda_tile", "tileaa", "tileas", "nvvm")


def bytecode(kernel, args) -> bytes:
    """Returns the bytecode that cuTile makes of a kernel for these arguments."""
    from .cutile import install

    install()
    import cuda.tile as ct
    from cuda.tile.compilation import CallingConvention, KernelSignature, export_kernel

    kernel = kernel if isinstance(kernel, ct.kernel) else ct.kernel(kernel)
    convention = CallingConvention.cutile_python_v1()
    signature = KernelSignature.from_kernel_args(kernel, _arrays.wrap(tuple(args)), convention)
    out = io.BytesIO()
    export_kernel(kernel, [signature], out, gpu_code=config().gpu, output_format="tileir_bytecode")
    return out.getvalue()


@dataclasses.dataclass(frozen=True)
class Remark:
    """What a pass decided."""

    message: str
    file: str
    line: int

    def __str__(self):
        return f"{self.file}:{self.line}: {self.message}"


class Compiled:
    """A kernel compiled for a GPU. What it becomes at each stage is made when it is asked for."""

    def __init__(self, data: bytes, gpu: str, opt_level: int = 3):
        self.bytecode, self.gpu, self.opt_level = data, gpu, opt_level

    def _run(self, tool: str, *args: str) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kernel.tileirbc")
            with open(path, "wb") as f:
                f.write(self.bytecode)
            return run(tool, *args, path).stdout

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
        with tempfile.TemporaryDirectory() as folder:
            return self._emit(folder, "kernel.ptx", "--emit=ptx").decode()

    @functools.cached_property
    def cubin(self) -> bytes:
        """The machine code, which NVIDIA's ptxas assembles: it must be there."""
        with tempfile.TemporaryDirectory() as folder:
            return self._emit(folder, "kernel.cubin")

    def _emit(self, folder: str, name: str, *flags: str) -> bytes:
        out = os.path.join(folder, name)
        self._run("tilec", f"--gpu-name={self.gpu}", f"-O{self.opt_level}", "--lineinfo", *flags, "-o", out)
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


def compile(kernel, args, *, gpu: str | None = None, opt_level: int = 3) -> Compiled:
    """Compiles a cuTile kernel for arguments such as a launch would have.

    Args:
        kernel: a ct.kernel, or bytecode of Tile IR.
        gpu: as in "sm_90"; tilewright.config().gpu if it is left out.
    """
    data = kernel if isinstance(kernel, (bytes, bytearray)) else bytecode(kernel, args)
    return Compiled(bytes(data), gpu or config().gpu, opt_level)


def check(kernel, grid, args, *, gpu: str | None = None, engines=("interp", "ptx"), races: bool = True,
          strict: bool = False, rtol: float | None = None, atol: float | None = None) -> tuple:
    """Launches a kernel on copies of its arrays, on each engine, and returns the arguments as the first one left them.

    What the kernel does wrong is raised: a race, an access out of bounds, a result that differs between the engines, ...
    """
    from . import options
    from .cutile import install

    install()
    import cuda.tile as ct

    first = None
    for engine in engines:
        copies = _copy(tuple(args))
        with options(engine=engine, gpu=gpu, races=races and engine == "interp", strict=strict):
            ct.launch(0, tuple(grid), kernel, copies)
        if first is None:
            first = copies
        else:
            _same(first, copies, engines[0], engine, rtol, atol)
    return first


def _copy(value):
    if isinstance(value, np.ndarray):
        return value.copy()
    if type(value) in (tuple, list):
        return type(value)(_copy(v) for v in value)
    return value.clone() if hasattr(value, "clone") else value


def _same(a, b, first: str, second: str, rtol, atol) -> None:
    from ._errors import MismatchError

    if type(a) in (tuple, list):
        for x, y in zip(a, b):
            _same(x, y, first, second, rtol, atol)
        return
    size = getattr(getattr(a, "dtype", None), "itemsize", 0)  # of what the engines computed: below, small floats become float32
    if hasattr(a, "detach"):
        a, b = (t.detach().float().numpy() if t.is_floating_point() else t.detach().numpy() for t in (a, b))
    if not isinstance(a, np.ndarray) or a.dtype.kind not in "fiubV":
        return
    if a.dtype.kind != "f":
        if a.dtype.kind == "V":
            a, b = a.astype(np.float32), b.astype(np.float32)
        elif not np.array_equal(a, b):
            raise MismatchError(f"engines {first} and {second} leave different integers in an array of shape {a.shape}", "mismatch")
    default = {1: (0.26, 2e-2), 2: (5e-2, 1e-2), 4: (1e-3, 1e-5)}.get(size, (1e-9, 1e-12))
    near = np.isclose(a, b, rtol=default[0] if rtol is None else rtol, atol=default[1] if atol is None else atol, equal_nan=True)
    if not near.all():
        at = tuple(int(i) for i in np.argwhere(~near)[0])
        raise MismatchError(f"engines {first} and {second} differ at {at}: {a[at]} and {b[at]}", "mismatch", element=at)


__all__ = ["Compiled", "CompileError", "Remark", "bytecode", "check", "compile"]
