"""Source maps, which say where lines of generated code come from: `jax._src.sourcemap`.

A segment is `(column,)` or `(column, source, line, column there)`, perhaps with the index of a name, each but the
first column relative to the segment before; a group of segments is a line. They are written as numbers of base 64, of
five bits and a bit that says that more follow, the sign in the lowest (https://tc39.es/source-map).

Tests: `tests/compat/test_lowered.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = [
    "Mappings", "MappingsGenerator", "Segment", "SourceMap", "decode_segment", "decode_vlq", "deserialize_mappings",
    "encode_segment", "encode_vlq", "serialize_mappings",
]

Segment = tuple[int] | tuple[int, int, int, int] | tuple[int, int, int, int, int]
Mappings = Sequence[Sequence[Segment]]

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUES = {byte: value for value, byte in enumerate(_ALPHABET)}
_BITS = 5
_MORE, _REST = 1 << _BITS, (1 << _BITS) - 1


def encode_vlq(value: int) -> bytes:
    """Return an integer in base 64.

    >>> encode_vlq(16), encode_vlq(-1)
    (b'gB', b'D')
    """
    left = -value << 1 | 1 if value < 0 else value << 1
    out = bytearray()
    while True:
        part, left = left & _REST, left >> _BITS
        out.append(_ALPHABET[part | _MORE if left else part])
        if not left:
            return bytes(out)


def decode_vlq(enc: Iterable[int]) -> int:
    """Return the integer that the next bytes are.

    Args:
      enc: an iterator over bytes, of which those of the integer are taken.
    Raises:
      StopIteration: it ends before the integer does.
      TypeError: a byte is no digit.
    """
    digits = iter(enc)
    value = shift = 0
    while True:
        byte = next(digits)
        if byte not in _VALUES:
            raise TypeError(f"{bytes([byte])!r} is no digit of base 64.")
        value |= (_VALUES[byte] & _REST) << shift
        shift += _BITS
        if not _VALUES[byte] & _MORE:
            return -(value >> 1) if value & 1 else value >> 1


def encode_segment(seg: Segment) -> bytes:
    """Return the numbers of a segment in base 64."""
    return b"".join(map(encode_vlq, seg))


def decode_segment(enc: Iterable[int]) -> Segment:
    """Return the segment that bytes are."""
    digits, numbers = iter(enc), []
    while True:
        try:
            numbers.append(decode_vlq(digits))
        except StopIteration:
            return tuple(numbers)


def serialize_mappings(mappings: Mappings) -> str:
    """Return groups of segments as a text.

    >>> serialize_mappings([[(0, 0, 0, 0), (4, 0, 1, 2)], [], [(1,)]])
    'AAAA,IACE;;C'
    """
    return b";".join([b",".join(map(encode_segment, group)) for group in mappings]).decode()


def deserialize_mappings(mappings_str: str) -> Mappings:
    """Return the groups of segments of a text."""
    return [
        [decode_segment(segment.encode()) for segment in group.split(",") if segment]
        for group in mappings_str.split(";")
    ]


@dataclass(frozen=True)
class SourceMap:
    """A map from code to where it comes from: the sources, names in them, and the segments of each line."""

    version: int
    sources: Sequence[str]
    sources_content: Sequence[str]
    names: Sequence[str]
    mappings: Mappings

    def to_json(self) -> str:
        """Return it as JSON."""
        return json.dumps({
            "version": self.version, "sources": self.sources, "sourcesContent": self.sources_content,
            "names": self.names, "mappings": serialize_mappings(self.mappings),
        })

    @classmethod
    def from_json(cls, json_data: str) -> SourceMap:
        """Return what JSON says.

        Args:
          json_data: what `to_json` returned.
        """
        data = json.loads(json_data)
        return cls(data["version"], data["sources"], data["sourcesContent"], data["names"],
                   deserialize_mappings(data["mappings"]))


class MappingsGenerator:
    """Makes groups of segments from numbers that are not relative."""

    def __init__(self):
        self._groups: list[list[Segment]] = []
        self._column = 0
        self._others = [0, 0, 0, 0]  # source, line, column, name

    def new_group(self) -> None:
        """Begin a line."""
        self._groups.append([])
        self._column = 0

    def new_segment(self, *seg: int) -> None:
        """Add a segment to the line.

        Raises:
          RuntimeError: no line was begun.
        """
        if not self._groups:
            raise RuntimeError("No current group. Forgot to call new_group()?")
        column, *others = seg
        relative = [x - before for x, before in zip(others, self._others)]
        self._groups[-1].append((column - self._column, *relative))
        self._column, self._others[: len(others)] = column, others

    def mappings(self) -> Mappings:
        """Return what was added."""
        return self._groups
