"""Errors in terms of the program: `k.py:6: x[64] is out of bounds: x has shape (64,), tile block (3,0,0)`.

The engine names addresses and operations of Tile IR. The arrays of the launch tell which element an address is.
"""

from __future__ import annotations

import dataclasses

from . import _source

_FAR = 1 << 32  # bytes: an address further away from an array has nothing to do with it


@dataclasses.dataclass(frozen=True)
class Element:
    """An element of an array, or where it would be."""

    array: str
    index: tuple[int, ...]
    shape: tuple[int, ...]
    odd: int  # bytes between the element's begin and the address

    def __str__(self):
        return f"{self.array}[{', '.join(map(str, self.index))}]" if self.shape else self.array


def locate(address: int, arrays) -> Element | None:
    """Returns the element at an address, of the array that it is in or next to; None where no array is near."""
    best, least = None, _FAR
    for a in arrays:
        if not a.size and not a.shape:
            continue
        low, high = a.address, a.address + a.size
        distance = 0 if low <= address < high else low - address if address < low else address - high + 1
        if distance < least:
            best, least = a, distance
    if best is None:
        return None
    rest = address - best.data
    index = [0] * len(best.shape)
    order = sorted((d for d, s in enumerate(best.strides) if s), key=lambda d: -abs(best.strides[d]))
    for k, d in enumerate(order):
        stride = best.strides[d]
        n = rest // stride
        if k and stride < 0:
            n = -(-rest // -stride) if rest < 0 else 0
        index[d] = n
        rest -= n * stride
    if not order:
        return Element(best.name, tuple(index), tuple(best.shape), 0)
    return Element(best.name, tuple(index), tuple(best.shape), rest)


def shape_of(shape) -> str:
    """Returns a shape as NumPy prints it."""
    return str(tuple(int(n) for n in shape))


def block_of(block) -> str:
    return "({},{},{})".format(*block)


_VERBS = (("atomic", "updated"), ("store", "written"), ("st.", "written"), ("load", "read"), ("ld.", "read"))


def _verb(op: str) -> str:
    return next((v for k, v in _VERBS if k in op), "accessed")


def _place(p) -> str:
    return f"{_source.short(p[0])}:{p[1]}"


def places(list_) -> tuple:
    """Returns the places of an answer as (file, line, column, function)."""
    return tuple((p["file"], p["line"], p["column"], p.get("function", "")) for p in list_ or ())


class Story:
    """What an error of the engine says, in terms of arrays."""

    def __init__(self, error: dict, arrays):
        self.error, self.kind = error, error["kind"]
        self.where = places(error.get("where"))
        self.block = tuple(error["block"]) if error.get("block") else None
        self.element = tuple(error["element"]) if error.get("element") is not None else None
        self.stands = (error.get("standing") or {}).get("at") or []
        if not self.where and self.stands:
            self.where = places(self.stands[0].get("where"))
        address = error.get("address")
        self.at = locate(address, arrays) if address is not None else None
        self.array, self.index = (self.at.array, self.at.index) if self.at else (None, None)

    def headline(self) -> str:
        """Returns the line that comes first."""
        parts = [self._what()]
        if self.block and self.kind != "synchronization":
            parts.append(f"tile block {block_of(self.block)}")
        if self.element and self.kind not in ("division", "overflow", "assumption") and f"element {list(self.element)}" not in parts[0]:
            parts.append(f"element {list(self.element)} of the tile")
        user = _source.own(self.where)
        return (_place(user) + ": " if user else "") + _source.printable(", ".join(parts))

    def _what(self) -> str:
        say = getattr(self, "_" + self.kind.replace("-", "_"), None)
        return say and say() or self._plain()

    def _plain(self) -> str:
        """The engine's own words, without the place and the tile block, which the line has anyway."""
        text = self.error.get("detail") or self.error["message"].split("\n")[0]
        op = self.error.get("op", "").removeprefix("cuda_tile.")
        return f"'{op}' {text}" if op and self.error.get("detail") else text

    def _out_of_bounds(self):
        if self.at is None:
            if self.error.get("address") is not None:
                return f"an access is out of bounds: no array of the launch is at or near {self.error['address']:#x}"
            return None
        return f"{self.at} is out of bounds: {self.at.array} has shape {shape_of(self.at.shape)}"

    def _misaligned(self):
        return self.at and f"{self.at} is accessed {self.at.odd} bytes after its begin, which is not aligned"

    def _read_only(self):
        return self.at and f"{self.at} is written, but {self.at.array} is read-only"

    def _race(self):
        other = self.error.get("other")
        if not other or not self.at:
            return None
        verb, theirs = _verb(self.error.get("op", "")), _verb(other.get("op", ""))
        place = _source.own(places(other.get("where")))
        mine = _source.own(self.where)
        same = place and mine and place[:2] == mine[:2]
        where = "here too" if same else f"at {_place(place)}" if place else "elsewhere"
        if other.get("block"):
            return f"race on {self.at}: {verb} here, {theirs} {where} by tile block {block_of(other['block'])}, and nothing orders them"
        if same:
            return f"race on {self.at}: {verb} here by two elements of one tile"
        return f"race on {self.at}: {verb} here, {theirs} {where}, and nothing orders them"

    def _unspecified(self):
        what = "the tile that is stored" if "stores an" in self.error.get("detail", "") else "a tile that is used"
        at = f"element {list(self.element)} of " if self.element else ""
        return f"{at}{what} has no value: it was read out of bounds without padding, masked off, or never written"

    def _division(self):
        _, _, element = self.error.get("detail", "").partition("divides by zero: ")
        return "integer division by zero" + (f" in {element}" if element else "")

    def _assert(self):
        _, _, text = self.error.get("detail", "").partition(': "')
        return f"assertion failed: {text[:-1]}" if text else None

    def _timeout(self):
        return self.error["message"].split("\n")[0] + self._stood()

    def _canceled(self):
        return "interrupted" + self._stood()

    def _stood(self) -> str:
        s = self.error.get("standing")
        if not s:
            return ""
        at = f"; {self.stands[0]['who'].replace(', ', ',')} stood here" if self.stands else ""
        return f"{at}; {s['ended']} of {s['blocks']} tile blocks had ended"


def outside(entry: dict, arrays) -> str:
    """Returns the text of a warning about a tile outside its array."""
    found = next((a for a in arrays if a.data == entry["address"]), None) or \
        next((a for a in arrays if a.address <= entry["address"] < a.address + max(1, a.size)), None)
    name = found.name if found else "the array"
    index, tile, sizes = (shape_of(entry[k]) for k in ("index", "tile", "sizes"))
    effect = "nothing is written" if _verb(entry["op"]) == "written" else "the tile is padding"
    return _source.printable(f"tile {index} of {name} is wholly outside: {name} has shape {sizes}, tiles {tile}; {effect}, "
                             f"tile block {block_of(entry['block'])}")
