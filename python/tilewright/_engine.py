"""The engine: a `tile-run --serve` process for this program, and memory that both share.

docs/serve.md describes the protocol. One process serves all threads: a thread that waits for an answer reads
frames for the others too while it does, so that no thread is needed to read.
"""

from __future__ import annotations

import atexit
import ctypes
import json
import mmap
import os
import struct
import subprocess
import sys
import tempfile
import threading
import weakref

import numpy as np

from . import _arrays, _progress
from ._errors import EngineError, LaunchInterrupted, fault_of
from ._tools import tool

_MAGIC = 0x31535754
_HEAD = struct.Struct("<IIQ")
_PAGE = mmap.PAGESIZE
_FIRST_CHUNK = 1 << 24
_KEEP = 1 << 28  # bytes of a chunk whose pages stay with us between launches
_STEP = 1 << 21
_PATIENCE = 2  # seconds that a launch has to end after Ctrl-C


class _Chunk:
    """A piece of the shared memory, which grows by pieces."""

    def __init__(self, fd: int, at: int, size: int):
        self.at, self.size = at, size
        self.map = mmap.mmap(fd, size, offset=at)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self.map))
        self.free = [(0, size)]  # by place, none next to another

    def take(self, size: int) -> int | None:
        for i, (at, room) in enumerate(self.free):
            if room >= size:
                if room == size:
                    del self.free[i]
                else:
                    self.free[i] = (at + size, room - size)
                return at
        return None

    def give(self, at: int, size: int) -> None:
        self.free.append((at, size))
        self.free.sort()
        joined = []
        for a, n in self.free:
            if joined and joined[-1][0] + joined[-1][1] == a:
                joined[-1] = (joined[-1][0], joined[-1][1] + n)
            else:
                joined.append((a, n))
        self.free = joined
        if size > _KEEP and hasattr(mmap, "MADV_REMOVE"):
            self.map.madvise(mmap.MADV_REMOVE, at, size)


class _Shared:
    """Memory that the engine sees: a file without a name. It is gone when both processes are."""

    def __init__(self):
        if hasattr(os, "memfd_create"):
            self.fd = os.memfd_create("tilewright", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        else:
            self.fd, path = tempfile.mkstemp(prefix="tilewright")
            os.unlink(path)
        weakref.finalize(self, os.close, self.fd)
        self.size = 0
        self.chunks: list[_Chunk] = []
        self.lock = threading.Lock()

    def take(self, size: int) -> tuple[_Chunk, int, int]:
        """Reserves bytes; returns the chunk, the place in it and how many were taken."""
        size = max(64, (size + 63) // 64 * 64)
        if size > _KEEP:
            size = (size + _PAGE - 1) // _PAGE * _PAGE
        with self.lock:
            for c in self.chunks:
                at = c.take(size)
                if at is not None:
                    return c, at, size
            n = _FIRST_CHUNK
            while n < size or n < self.size:
                n *= 2
            if n > (1 << 31) and size <= n // 4:
                n = max(1 << 31, (size + _PAGE - 1) // _PAGE * _PAGE)
            os.ftruncate(self.fd, self.size + n)
            c = _Chunk(self.fd, self.size, n)
            self.size += n
            self.chunks.append(c)
            return c, c.take(size), size

    def give(self, c: _Chunk, at: int, size: int) -> None:
        with self.lock:
            c.give(at, size)

    def write(self, c: _Chunk, at: int, address: int, size: int) -> None:
        """Copies memory of this process to a place.

        Large memory is often zero for the most part. Its zeros are left out: a fresh place of that size reads as zero.
        """
        if size <= _KEEP:
            ctypes.memmove(c.address + at, address, size)
            return
        for first in range(0, size, _STEP):
            n = min(_STEP, size - first)
            piece = np.frombuffer((ctypes.c_char * n).from_address(address + first), np.uint8)
            if piece.any():
                ctypes.memmove(c.address + at + first, address + first, n)

    def read(self, c: _Chunk, at: int, address: int, size: int) -> None:
        """Copies a place to memory of this process; of much memory, what has pages of its own."""
        if size <= _KEEP or not hasattr(os, "SEEK_DATA"):
            ctypes.memmove(address, c.address + at, size)
            return
        start = c.at + at
        with self.lock:  # the position of the descriptor is used by one at a time
            found = start
            while found < start + size:
                try:
                    found = os.lseek(self.fd, found, os.SEEK_DATA)
                except OSError:  # none is left
                    break
                end = min(os.lseek(self.fd, found, os.SEEK_HOLE), start + size)
                if found < end:
                    ctypes.memmove(address + found - start, c.address + at + found - start, end - found)
                found = max(end, found + 1)


class _Waiting:
    __slots__ = ("done", "header", "payload", "output", "progress")

    def __init__(self, output, progress=None):
        self.done, self.header, self.payload, self.output, self.progress = False, None, None, output, progress


class Module:
    """A module that the engine has loaded."""

    def __init__(self, engine: "Engine", number: int, entries: list):
        self.engine, self.number = engine, number
        self.entries = {e["name"]: e["params"] for e in entries}

    def unload(self) -> None:
        if not self.engine.closed:
            self.engine.call({"op": "unload", "module": self.number})


class Engine:
    """A `tile-run --serve` process. Any number of threads may use it at once."""

    def __init__(self):
        self.shared = _Shared() if os.name == "posix" else None
        command = [*tool("tile-run"), "--serve"]
        fds = ()
        if self.shared:
            command += ["--shm-fd", str(self.shared.fd)]
            fds = (self.shared.fd,)
        # A session of its own: an interrupt from the terminal is for this program, which then tells the engine.
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
                                        pass_fds=fds, start_new_session=os.name == "posix")
        self.closed = False
        self._write = threading.Lock()
        self._turn = threading.Condition()
        self._reading = False
        self._inside = False  # a frame has been read in part
        self._waiting: dict[int, _Waiting] = {}
        self._next = 0
        self.about = self.call({"op": "hello", "version": 1, "parent": os.getpid()})[0]

    # Frames.

    def _read_exactly(self, n: int) -> bytearray:
        out = bytearray(n)
        view = memoryview(out)
        while n:
            got = self.process.stdout.readinto(view[-n:])
            if not got:
                raise EngineError("the engine has ended (exit status %s)" % self.process.poll())
            n -= got
            self._inside = True
        return out

    def _read(self) -> None:
        """Reads one frame, and hands it to the thread that waits for it."""
        self._inside = False
        magic, header, payload = _HEAD.unpack(self._read_exactly(_HEAD.size))
        if magic != _MAGIC:
            raise EngineError("the engine sent what is no frame")
        h = json.loads(self._read_exactly(header))
        p = self._read_exactly(payload)
        w = self._waiting.get(h["id"])
        self._inside = False
        if w is None:
            if h["id"] == 0 and "error" in h:
                raise EngineError(h["error"]["message"])
            return
        if h.get("event") == "output":
            w.output(bytes(p))
            return
        if h.get("event") == "progress":
            if w.progress:
                w.progress(h["done"], h["total"])
            return
        w.header, w.payload = h, p
        w.done = True

    def _send(self, header: dict, payload) -> None:
        h = json.dumps(header, separators=(",", ":")).encode()
        n = sum(len(p) for p in payload)
        data = _HEAD.pack(_MAGIC, len(h), n) + h
        with self._write:
            try:
                for part in (data, *payload):
                    view = memoryview(part)
                    while len(view):
                        view = view[self.process.stdin.write(view):]
            except (BrokenPipeError, ValueError, OSError) as e:
                raise EngineError("the engine has ended (exit status %s)" % self.process.poll()) from e

    def call(self, header: dict, payload=(), output=None, progress=None) -> tuple[dict, bytearray]:
        """Sends a request and returns its answer; an error in it is raised."""
        w = _Waiting(output or to_stdout, progress)
        with self._turn:
            if self.closed:
                raise EngineError("the engine was closed")
            self._next += 1
            number = self._next
            self._waiting[number] = w
        header["id"] = number
        try:
            self._send(header, payload)
            self._wait(w, number)
        finally:
            with self._turn:
                self._waiting.pop(number, None)
        error = w.header.get("error")
        if error:
            raise fault_of(error, _arrays.current())
        return w.header, w.payload

    def _wait(self, w: _Waiting, number: int) -> None:
        while True:
            try:
                with self._turn:
                    while not w.done and self._reading:
                        self._turn.wait()
                    if w.done:
                        break
                    self._reading = True
                try:
                    while not w.done:
                        self._read()
                        if len(self._waiting) > 1:
                            with self._turn:
                                self._turn.notify_all()
                except EngineError:
                    self.closed = True
                    raise
                finally:
                    with self._turn:
                        self._reading = False
                        self._turn.notify_all()
                break
            except KeyboardInterrupt as interrupt:
                raise self._interrupted(w, number) or interrupt from None

    def _interrupted(self, w: _Waiting, number: int) -> LaunchInterrupted | None:
        """Ends a request after Ctrl-C, and returns what says where the launch stood; None if it cannot be told.

        The launch must not go on in memory that we are about to free. What was read in part is lost with the
        connection, so an interrupt in the middle of a frame ends the engine, and so does another interrupt.
        """
        try:
            if not self._inside and not self.closed:
                self._send({"id": 0, "op": "cancel", "target": number}, ())
                deadline = threading.Timer(_PATIENCE, self.process.kill)
                deadline.start()
                try:
                    self._wait(w, number)
                finally:
                    deadline.cancel()
                error = w.header.get("error") or {}
                if error.get("kind") == "canceled":
                    return LaunchInterrupted(str(fault_of(error, _arrays.current())))
                return None
        except (EngineError, KeyboardInterrupt):
            pass
        self.close()
        return None

    # Requests.

    def load(self, name: str, data: bytes) -> Module:
        h, _ = self.call({"op": "load", "name": name}, (data,))
        return Module(self, h["module"], h.get("entries") or [])

    def launch(self, module: Module, entry: str, grid, args, segments, *, output=None, progress=None, **options) -> dict:
        """Launches a kernel.

        Args:
            args: the bits of the arguments, pointers as addresses.
            segments: (address, bytes, read-only, name, type) of memory of this process, none overlapping another.
            output: gets what the kernel prints.
            progress: gets how many tile blocks of how many have ended, of a launch that takes some seconds.
        """
        header = {"op": "launch", "module": module.number, "entry": entry, "grid": list(grid), "args": args}
        header.update(options)
        if progress:
            header["progress_ms"] = int(_progress.AFTER * 1000)
        if self.shared is None:
            return self._launch_inline(header, segments, output, progress)
        taken = []
        specs = []
        try:
            for address, size, readonly, name, dtype in segments:
                c, at, n = self.shared.take(size + 64)
                taken.append((c, at, n))
                at += (address - c.address - at) % 64  # words are aligned there as they are here
                taken[-1] += (at,)
                self.shared.write(c, at, address, size)
                specs.append(_spec(address, size, readonly, name, dtype, c.at + at))
            header["segments"] = specs
            answer, _ = self.call(header, output=output, progress=progress)
            for i in answer.get("written") or ():
                address, size, *_ = segments[i]
                self.shared.read(taken[i][0], taken[i][3], address, size)
            return answer
        finally:
            if not self.closed:
                for t in taken:
                    self.shared.give(*t[:3])

    def _launch_inline(self, header, segments, output, progress):
        header["segments"] = [_spec(*s, None) for s in segments]
        payload = [(ctypes.c_char * s[1]).from_address(s[0]) for s in segments if s[1]]
        answer, data = self.call(header, payload, output, progress)
        view = memoryview(data)
        for i in answer.get("written") or ():
            address, size = segments[i][:2]
            ctypes.memmove(address, bytes(view[:size]), size)
            view = view[size:]
        return answer

    def close(self) -> None:
        self.closed = True
        for f in (self.process.stdin, self.process.stdout):
            try:
                f.close()
            except OSError:
                pass
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _spec(address, size, readonly, name, dtype, at):
    s = {"address": address, "bytes": size}
    if at is not None:
        s["at"] = at
    if readonly:
        s["readonly"] = True
    if name:
        s["name"] = name
    if dtype:
        s["dtype"] = dtype
    return s


def to_stdout(data: bytes) -> None:
    """What kernels print goes where a GPU's driver prints it: to the descriptor of standard output."""
    sys.stdout.flush()
    try:
        os.write(1, data)
    except OSError:
        pass


_lock = threading.Lock()
_current: Engine | None = None


def engine() -> Engine:
    """Returns the engine of this program, which it starts if there is none."""
    global _current
    with _lock:
        if _current is None or _current.closed or _current.process.poll() is not None:
            _current = Engine()
        return _current


def shutdown() -> None:
    global _current
    with _lock:
        if _current is not None:
            _current.close()
            _current = None


def _forget() -> None:
    """A forked child shares the pipes with its parent, whose answers it must not read."""
    global _current, _lock
    _lock = threading.Lock()
    if _current is not None:
        _current.closed = True
        _current = None


atexit.register(shutdown)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
