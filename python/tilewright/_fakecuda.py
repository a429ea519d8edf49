"""Lets programs that allocate on "cuda" work on PyTorch's tensors of the CPU.

A function mode takes "cuda" out of what PyTorch is asked to do, and the parts of torch.cuda that programs call
without a kernel are replaced. A copy between devices stays a copy: what a program has copied to the host before a
launch must not change with it.
"""

from __future__ import annotations

import contextlib
import itertools
import threading
import time

from ._config import capability, config
from ._device import state

# The C library gives a block of more than this many bytes fresh pages, which are zero and take no memory before they are
# used (mallopt, DEFAULT_MMAP_THRESHOLD_MAX).
_RECYCLED = 32 << 20

_installed = False


def install() -> None:
    global _installed
    if _installed:
        return
    _installed = True
    import torch
    import torch.nn.attention
    from torch.overrides import TorchFunctionMode

    def is_cuda(device) -> bool:
        return isinstance(device, (str, torch.device)) and str(device).split(":")[0] == "cuda" or \
            type(device) is int

    def is_device(x) -> bool:
        if isinstance(x, torch.device):
            return True
        return isinstance(x, str) and x.split(":")[0] in ("cuda", "cpu")

    tensor = torch.Tensor

    class OnCPU(TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            kwargs = dict(kwargs or {})
            if func is tensor.to:
                moved = False
                rest = []
                for a in args[1:]:
                    if is_device(a):
                        a, moved = "cpu", True
                    rest.append(a)
                args = (args[0], *rest)
                if is_device(kwargs.get("device")):
                    kwargs["device"], moved = "cpu", True
                out = func(*args, **kwargs)
                return out.clone() if moved and out is args[0] else out
            if func is tensor.cuda or func is tensor.cpu:
                return args[0].clone()
            if func is tensor.pin_memory:
                return args[0]
            if func == tensor.is_cuda.__get__:
                return True
            if is_cuda(kwargs.get("device")):
                kwargs["device"] = "cpu"
            if func in exact and args and isinstance(args[0], tensor) and not args[0].is_complex():
                # PyTorch's functions of the CPU, also sqrt, approximate in other ways than those of a GPU. The latter compute
                # 16-bit types in float32 too.
                to = torch.result_type(*args[:2]) if len(args) > 1 else args[0].dtype
                to = to if to.is_floating_point else torch.get_default_dtype()
                if to in (torch.float32, torch.float16, torch.bfloat16) and not kwargs and not args[0].requires_grad:
                    return func(args[0].double(), *args[1:]).float().to(to)
            if func is torch.mm and "out_dtype" in kwargs:
                to = kwargs.pop("out_dtype")
                args = [a.to(to) for a in args]
            if func in absolute and args[0].dtype == torch.bool:
                return args[0].clone()
            kwargs.pop("pin_memory", None) if kwargs.get("pin_memory") else None
            out = func(*args, **kwargs)
            if func in uninitialized and out.device.type == "cpu" and out.untyped_storage().nbytes() <= _RECYCLED:
                # Results must not depend on what was freed before. As in PyTorch's deterministic mode, floats are NaN.
                out.untyped_storage().fill_(1 if out.dtype == torch.bool else 0xFF)
            if getattr(state, "capture", None) is not None and isinstance(out, tensor) and any(isinstance(a, tensor) for a in args):
                raise NotImplementedError("without a GPU, CUDA graphs capture launches of cuTile only, but PyTorch computes here")
            return out

    names = ("sqrt", "rsqrt", "exp", "exp2", "log", "log2", "sin", "cos", "tan", "sinh", "cosh", "tanh", "atan2")
    exact = {f for n in names for f in (getattr(torch, n), getattr(tensor, n))}

    uninitialized = {torch.empty, torch.empty_like, torch.empty_strided, tensor.new_empty, tensor.new_empty_strided}
    absolute = {torch.abs, tensor.abs, tensor.__abs__}

    # Modes are of a thread.
    start = threading.Thread._bootstrap_inner

    def bootstrap(self):
        with OnCPU():
            return start(self)

    threading.Thread._bootstrap_inner = bootstrap
    OnCPU().__enter__()
    _replace(torch)


def _replace(torch) -> None:
    numbers = itertools.count(1)

    class Stream:
        """A stream: what is launched on it has ended when the launch returns."""

        def __init__(self, device=None, priority=0, **_):
            self.cuda_stream = self.stream_id = next(numbers) * 16
            self.device, self.device_index = torch.device("cpu"), 0

        def synchronize(self):
            pass

        wait_event = wait_stream = lambda self, other: None

        def query(self):
            return True

        def record_event(self, event=None):
            event = event or Event()
            event.record(self)
            return event

        def __eq__(self, other):
            return isinstance(other, Stream) and self.cuda_stream == other.cuda_stream

        def __hash__(self):
            return hash(self.cuda_stream)

        def __enter__(self):
            current.append(self)
            return self

        def __exit__(self, *_):
            current.pop()

    class Event:
        def __init__(self, *_, **__):
            self.at = 0.0

        def record(self, stream=None):
            self.at = time.perf_counter()

        def elapsed_time(self, other):
            return (other.at - self.at) * 1e3

        def synchronize(self):
            pass

        wait = lambda self, stream=None: None

        def query(self):
            return True

    class Graph:
        """Launches of cuTile, to be repeated. What PyTorch computes meanwhile is not captured, and refused."""

        def __init__(self, *_, **__):
            self.launches = []

        def capture_begin(self, *_, **__):
            state.error, state.capture = None, []

        def capture_end(self):
            self.launches, state.capture = state.capture, None

        def reset(self):
            self.launches = []

        def replay(self):
            for run in self.launches:
                run()

    @contextlib.contextmanager
    def graph(g, *_, **__):
        g.capture_begin()
        try:
            yield
        finally:
            g.capture_end()

    class Properties:
        name = "Tilewright"
        total_memory = 1 << 40
        multi_processor_count = 16
        L2_cache_size = 1 << 16
        warp_size = 32

        @property
        def major(self):
            return capability(config().gpu)[0]

        @property
        def minor(self):
            return capability(config().gpu)[1]

    default = Stream()
    default.cuda_stream = 0
    local = threading.local()

    class _Current:
        def append(self, s):
            self.list().append(s)

        def pop(self):
            self.list().pop()

        def list(self):
            if not hasattr(local, "streams"):
                local.streams = [default]
            return local.streams

    current = _Current()

    @contextlib.contextmanager
    def stream(s):
        with s or contextlib.nullcontext():
            yield

    @contextlib.contextmanager
    def nothing(*_, **__):
        yield

    cuda = torch.cuda
    cuda.Stream, cuda.Event, cuda.CUDAGraph, cuda.stream = Stream, Event, Graph, stream
    cuda.graph = graph
    cuda.is_available = cuda.is_initialized = lambda: True
    cuda.device_count = lambda: 1
    cuda.current_device = lambda: 0
    cuda.current_stream = lambda device=None: current.list()[-1]
    cuda.default_stream = lambda device=None: default
    cuda.device = nothing
    cuda.get_device_properties = lambda device=None: Properties()
    cuda.get_device_name = lambda device=None: Properties.name
    cuda.get_device_capability = lambda device=None: capability(config().gpu)
    for name in ("init", "synchronize", "empty_cache", "set_device", "set_stream", "reset_peak_memory_stats", "_lazy_init"):
        setattr(cuda, name, lambda *_, **__: None)
    for name in ("memory_allocated", "max_memory_allocated", "memory_reserved"):
        setattr(cuda, name, lambda *_, **__: 0)
    # Not torch.manual_seed, which calls these.
    cuda.manual_seed = cuda.manual_seed_all = lambda seed: torch.default_generator.manual_seed(int(seed)) and None
    torch.nn.attention.sdpa_kernel = nothing  # which code of a GPU computes attention
