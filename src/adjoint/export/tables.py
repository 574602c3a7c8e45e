"""FlatBuffers: tables whose fields are found by their numbers, <https://flatbuffers.dev/internals>.

`Table` reads: every offset is checked against the bytes, and tables may not be nested without end. `Builder` writes
from the end to the front, as the form asks.

Tests: `tests/export/test_artifact.py`.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import TypeVar

from .mlir.ir import ArtifactError

__all__ = ["Builder", "Table"]

_T = TypeVar("_T")
_DEPTH = 64


class Table:
    """A table in some bytes."""

    __slots__ = ("data", "depth", "ends", "place", "vtable")

    def __init__(self, data: bytes, place: int, depth: int = 0):
        if depth > _DEPTH:
            raise ArtifactError("The artifact is damaged: its tables are nested too deeply.")
        self.data, self.place, self.depth = data, place, depth
        (back,) = self._unpack("<i", place)
        self.vtable = place - back
        self.ends = self._unpack("<H", self.vtable)[0]
        if self.ends < 4 or self.vtable + self.ends > len(data):
            raise self._damaged()

    @classmethod
    def root(cls, data: bytes) -> Table:
        """Return the table that the bytes begin with."""
        if len(data) < 8:
            raise ArtifactError("These bytes are no artifact: they are too few.")
        return cls(data, struct.unpack_from("<I", data, 0)[0])

    def _damaged(self) -> ArtifactError:
        return ArtifactError("The artifact is damaged or cut off, or these bytes are something else.")

    def _unpack(self, form: str, place: int) -> tuple:
        if place < 0 or place + struct.calcsize(form) > len(self.data):
            raise self._damaged()
        return struct.unpack_from(form, self.data, place)

    def _field(self, number: int) -> int | None:
        """Return where a field stands; None if it has its default."""
        slot = 4 + 2 * number
        if slot + 2 > self.ends:
            return None
        (offset,) = self._unpack("<H", self.vtable + slot)
        return self.place + offset if offset else None

    def number(self, field: int, form: str, default: int = 0) -> int:
        place = self._field(field)
        return default if place is None else self._unpack("<" + form, place)[0]

    def _target(self, place: int) -> int:
        return place + self._unpack("<I", place)[0]

    def _bytes_at(self, place: int) -> bytes:
        (length,) = self._unpack("<I", place)
        if length > len(self.data) - place - 4:
            raise self._damaged()
        return self.data[place + 4 : place + 4 + length]

    def _string_at(self, place: int) -> str:
        try:
            return self._bytes_at(place).decode("utf8")
        except UnicodeDecodeError:
            raise self._damaged() from None

    def string(self, field: int) -> str | None:
        place = self._field(field)
        return None if place is None else self._string_at(self._target(place))

    def table(self, field: int) -> Table | None:
        place = self._field(field)
        return None if place is None else Table(self.data, self._target(place), self.depth + 1)

    def bytes(self, field: int) -> bytes | None:
        place = self._field(field)
        return None if place is None else self._bytes_at(self._target(place))

    def _vector(self, field: int, width: int, item: Callable[[int], _T]) -> list[_T]:
        place = self._field(field)
        if place is None:
            return []
        start = self._target(place)
        (length,) = self._unpack("<I", start)
        if length * width > len(self.data) - start - 4:
            raise self._damaged()
        return [item(start + 4 + width * i) for i in range(length)]

    def numbers(self, field: int, form: str) -> list[int]:
        return self._vector(field, struct.calcsize(form), lambda at: self._unpack("<" + form, at)[0])

    def strings(self, field: int) -> list[str]:
        return self._vector(field, 4, lambda at: self._string_at(self._target(at)))

    def tables(self, field: int) -> list[Table]:
        return self._vector(field, 4, lambda at: Table(self.data, self._target(at), self.depth + 1))


class Builder:
    """Bytes that grow to the front: what is referred to is written before what refers to it.

    Places are counted from the end.
    """

    def __init__(self):
        self.parts: list[bytes] = []  # the last one stands first in the end
        self.size = 0

    def _push(self, data: bytes) -> None:
        self.parts.append(data)
        self.size += len(data)

    def _align(self, size: int, more: int) -> None:
        """Fill up so that after `more` bytes the place is a multiple of `size`."""
        self._push(b"\0" * (-(self.size + more) % size))

    def string(self, text: str) -> int:
        return self._data(text.encode("utf8"), ends=True)

    def bytes(self, data: bytes) -> int:
        return self._data(bytes(data))

    def _data(self, data: bytes, ends: bool = False) -> int:
        data = data + b"\0" if ends else data
        self._align(4, len(data))
        self._push(data)
        self._push(struct.pack("<I", len(data) - ends))
        return self.size

    def numbers(self, values: Sequence[int], form: str) -> int:
        data = struct.pack(f"<{len(values)}{form}", *values)
        self._align(4, len(data))
        self._push(data)
        self._push(struct.pack("<I", len(values)))
        return self.size

    def offsets(self, places: Sequence[int]) -> int:
        """Return a list of what was written before."""
        self._align(4, 0)
        for place in reversed(places):
            self._push(struct.pack("<I", self.size + 4 - place))
        self._push(struct.pack("<I", len(places)))
        return self.size

    def table(self, fields: dict[int, tuple[str, int]]) -> int:
        """Return a table; fields are (form, number), or ("offset", place)."""
        order = sorted(fields, key=lambda f: (struct.calcsize(_form(fields[f][0])), f))
        end, places = self.size, {}
        for field in order:
            form, value = fields[field]
            size = struct.calcsize(_form(form))
            self._align(size, size)
            self._push(struct.pack("<" + _form(form), self.size + size - value if form == "offset" else value))
            places[field] = self.size
        self._align(4, 4)
        start = self.size + 4
        count = max(fields, default=-1) + 1
        slots = [start - places[f] if f in places else 0 for f in range(count)]
        vtable = struct.pack(f"<{2 + count}H", 4 + 2 * count, start - end, *slots)
        self._push(struct.pack("<i", len(vtable)))
        self._push(vtable)
        return start

    def finish(self, root: int) -> bytes:
        """Return the bytes, which begin with where the root is."""
        self._align(8, 4)
        self._push(struct.pack("<I", self.size + 4 - root))
        return b"".join(reversed(self.parts))


def _form(form: str) -> str:
    return "I" if form == "offset" else form
