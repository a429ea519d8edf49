"""What the driver shares with those who call it and those who watch its launches."""

from __future__ import annotations

import ctypes as c
import threading
from typing import Protocol


class Memory:
    """Memory that the driver allocated, by address."""

    def __init__(self):
        self.lock = threading.RLock()  # a destructor may call a driver function at any point
        self.blocks: dict[int, tuple[int, object]] = {}

    def allocate(self, size: int) -> int:
        room = c.create_string_buffer(size + 256)
        at = (c.addressof(room) + 255) // 256 * 256
        with self.lock:
            self.blocks[at] = (size, room)
        return at

    def free(self, at: int) -> bool:
        with self.lock:
            return self.blocks.pop(at, None) is not None

    def around(self, address: int):
        """Returns (address, size) of the block that an address is in, or None."""
        with self.lock:
            for at, (size, _) in self.blocks.items():
                if at <= address <= at + size:
                    return at, size
        return None


memory = Memory()

# Of a thread: error, what went wrong in the latest call; capture, the list of what a CUDA graph in the making is to do;
# call and function, what ct.launch was called with, and the name of the kernel's function.
state = threading.local()


class Watcher(Protocol):
    """What is to know of launches."""

    def launched(self, kernel, grid, values: list[int], pointers: list[int], parameters: list[dict]) -> bool:
        """Notes a launch. Returns whether it shall run."""


recorder: Watcher | None = None
