"""Records of compiled programs by the keys of program_keys.py, in memory and on disk; see `executable.Record`.

On disk a record is data alone: a list of numbers, in which texts and arrays are numbers of rows of two tables, and the
bytes of these. Reading it runs nothing, and what does not fit together counts as absent. That the bytes are those that
were written is for `engines/cache.py` to say, which keeps a checksum of them.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ....core.process.locks import tables
from ....core.process.memo import Memo
from ..graph.views import Node, View
from ..runtime import objects
from ..text.builder import SUPPORTED
from .executable import Record

__all__ = ["from_bytes", "load", "store", "to_bytes"]

_MAX_RECORDS = 256
_MAX_KNOWN_BYTES = 16 << 20  # bytes of the texts of all records in memory
_MAX_RECORD_BYTES = 8 << 20  # bytes of a record on disk
_MAX_RANK = 65  # axes, and one
_MAX_LENGTH = 1 << 62  # elements of an axis

_MAGIC = b"adjoint record 1"
_WORD = 8  # bytes of a number
_DTYPES = sorted([*SUPPORTED, np.dtype("c8"), np.dtype("c16")], key=lambda dtype: dtype.name)
_OWNERS = __name__.removesuffix("program.saved_programs")  # the beginning of the names of modules that have functions
_NONE = -1  # in place of the number of a row

_known: Memo = Memo(_MAX_RECORDS)


def load(name: str) -> Record | None:
    """Return the record, or None; one that cannot be read counts as absent."""
    found = _known.get(name)
    if found is None:
        content = objects.load(name)
        try:
            found = None if content is None else from_bytes(content)
        except ValueError:  # of another form: it is replaced
            return None
        if found is not None:
            _keep(name, found)
    return found


def store(name: str, record: Record | None) -> None:
    """Keep a record, if there is one."""
    if record is None:
        return
    _keep(name, record)
    if objects.folder() is None:
        return
    try:
        content = to_bytes(record)
    except KeyError:  # something that the form has no place for
        return
    if len(content) <= _MAX_RECORD_BYTES:
        objects.store(name, content)


def _keep(name: str, record: Record) -> None:
    with tables:
        while _known and sum(map(_size, _known.values())) + _size(record) > _MAX_KNOWN_BYTES:
            del _known[next(iter(_known))]
        _known.keep(name, record)


def _size(record: Record) -> int:
    return sum([len(text) for text, _ in record.modules])


# ---- writing -------------------------------------------------------------------------------------


class _Written:
    """Numbers, and tables of the texts and arrays that they speak of."""

    def __init__(self):
        self.numbers: list[int] = []
        self._rows: dict[Any, int] = {}
        self._kept: list[Any] = []  # what the rows are of, so that no other array gets its place
        self._described: list[int] = []  # the kind of each row, and its length or type
        self._data: list[bytes] = []

    def several(self, numbers) -> None:
        found = [*numbers]
        self.numbers += [len(found), *found]

    def columns(self, count: int, rows) -> None:
        """Write rows of so many numbers each, column after column."""
        rows = [*rows]
        for i in range(count):
            self.several([row[i] for row in rows])

    def shapes(self, shapes) -> None:
        self.several([len(shape) for shape in shapes])
        self.several([n for shape in shapes for n in shape])

    def types(self, types) -> None:
        self.several([_number_of_dtype[dtype] for _, dtype in types])
        self.shapes([shape for shape, _ in types])

    def text(self, text: str) -> int:
        """Return the row of a text."""
        if text not in self._rows:
            data = text.encode()
            self._add(text, text, [0, len(data)], data)
        return self._rows[text]

    def array(self, array: np.ndarray | None) -> int:
        """Return the row of an array, or what stands for none."""
        if array is None:
            return _NONE
        if id(array) not in self._rows:
            self._add(id(array), array, [1, *_typed(array.shape, array.dtype)], array.tobytes())
        return self._rows[id(array)]

    def _add(self, key: Any, row: Any, described: list[int], data: bytes) -> None:
        self._rows[key] = len(self._rows)
        self._kept.append(row)
        self._described += described
        self._data.append(data)

    def content(self) -> bytes:
        numbers = [len(self._rows), *self._described, *self.numbers]
        return b"".join([_MAGIC, np.array([len(numbers), *numbers], np.int64).tobytes(), *self._data])


_number_of_dtype = {dtype: i for i, dtype in enumerate(_DTYPES)}


def _typed(shape, dtype) -> list[int]:
    return [_number_of_dtype[dtype], len(shape), *shape]


def to_bytes(record: Record) -> bytes:
    """Return a record as bytes. KeyError for a dtype that their form does not have."""
    out = _Written()
    out.numbers.append(len(record.modules))
    for text, names in record.modules:
        out.several([out.text(text), *map(out.text, names)])
    out.several(map(out.text, record.owners))
    argv, in_arena, rows, size, patches, runs = record.template
    out.numbers += [out.array(argv.view(np.int64)), out.array(in_arena), size, out.array(patches)]
    out.columns(3, [(i, out.text(name), argument) for i, name, argument in rows])
    out.columns(4, runs)
    out.several(record.inputs)
    out.several([out.array(None if value is None else np.asarray(value)) for value in record.initial])
    out.columns(2, [(number, len(makers)) for _, makers, number in record.actions])
    made = [maker for _, makers, _ in record.actions for maker in makers]
    out.several([slot for slot, _, _ in made])
    out.types([(shape, dtype) for _, shape, dtype in made])
    nodes = [*dict.fromkeys([*record.operands, *[v.base for v in record.results], *record.slots])]
    out.columns(5, [
        (out.text(n.kind), n.order, n.is_packed, out.array(n.value), record.slots.get(n, _NONE)) for n in nodes
    ])
    out.types([(n.shape, n.dtype) for n in nodes])
    place = {node: i for i, node in enumerate(nodes)}
    out.several([place[node] for node in record.operands])
    out.columns(2, [(place[view.base], view.offset) for view in record.results])
    out.shapes([view.shape for view in record.results])
    out.shapes([view.strides for view in record.results])
    out.columns(2, record.given.items())
    out.numbers += np.array([record.own, record.operations], np.float64).view(np.int64).tolist()
    return out.content()


# ---- reading -------------------------------------------------------------------------------------


class _Read:
    """The numbers one after the other; ValueError where they are not what is asked for."""

    def __init__(self, content: bytes):
        start = len(_MAGIC) + _WORD
        if content[: len(_MAGIC)] != _MAGIC or len(content) < start:
            raise ValueError("no record of this form")
        count = int.from_bytes(content[len(_MAGIC) : start], "little", signed=True)
        if not 0 <= count <= (len(content) - start) // _WORD:
            raise ValueError("it ends too early")
        self._numbers = np.frombuffer(content, np.int64, count, start).tolist()
        self._at = 0
        data = memoryview(content)[start + _WORD * count :]
        self._rows: list[str | np.ndarray] = []
        for _ in range(self.below(count)):
            if self.below(2):
                shape, dtype = self.type()
                size = prod(shape) * dtype.itemsize
                row = np.frombuffer(bytearray(self._part(data, size)), dtype).reshape(shape)
            else:
                size = self.below(len(data) + 1)
                row = str(self._part(data, size), "utf8")
            self._rows.append(row)
            data = data[size:]
        if data:
            raise ValueError("it is too long")

    def _part(self, data: memoryview, size: int) -> memoryview:
        if size > len(data):
            raise ValueError("it ends too early")
        return data[:size]

    def number(self) -> int:
        return self.exactly(1)[0]

    def below(self, end: int) -> int:
        return _below(self.exactly(1), end)[0]

    def exactly(self, count: int) -> list[int]:
        found = self._numbers[self._at : self._at + count]
        if count < 0 or len(found) != count:
            raise ValueError("it ends too early")
        self._at += count
        return found

    def several(self) -> list[int]:
        return self.exactly(self.number())

    def columns(self, count: int) -> list[list[int]]:
        """Return columns of numbers, which are equally long."""
        columns = [self.several() for _ in range(count)]
        if len({len(column) for column in columns}) > 1:
            raise ValueError("a row is not whole")
        return columns

    def type(self) -> tuple[tuple[int, ...], np.dtype]:
        dtype = _DTYPES[self.below(len(_DTYPES))]
        return tuple(_below(self.exactly(self.below(_MAX_RANK)), _MAX_LENGTH)), dtype

    def shapes(self) -> list[tuple[int, ...]]:
        ranks, numbers, at, found = self.several(), self.several(), 0, []
        for rank in _below(ranks, _MAX_RANK):
            found.append(tuple(numbers[at : at + rank]))
            at += rank
        if at != len(numbers):
            raise ValueError("shapes have other lengths than ranks")
        return found

    def types(self) -> list[tuple[tuple[int, ...], np.dtype]]:
        dtypes, shapes = [_DTYPES[i] for i in _below(self.several(), len(_DTYPES))], self.shapes()
        _below([n for shape in shapes for n in shape], _MAX_LENGTH)
        return list(zip(shapes, dtypes, strict=True))

    def row(self, number: int, kind: type) -> Any:
        """Return a text or an array."""
        if not 0 <= number < len(self._rows) or type(self._rows[number]) is not kind:
            raise ValueError(f"it has no {kind.__name__} of number {number}")
        return self._rows[number]

    def array(self, rank: int) -> np.ndarray:
        """Return an array of numbers."""
        found = self.row(self.number(), np.ndarray)
        if found.dtype != np.int64 or found.ndim != rank:
            raise ValueError("an array is of another type")
        return found

    def array_or_none(self, number: int) -> np.ndarray | None:
        return None if number == _NONE else self.row(number, np.ndarray)

    def end(self) -> None:
        if self._at != len(self._numbers):
            raise ValueError("it is too long")


def from_bytes(content: bytes) -> Record:
    """Return the record of `to_bytes`. ValueError if the bytes are something else, or do not fit together."""
    read = _Read(content)
    modules = []
    for _ in range(read.number()):
        text, *names = [read.row(number, str) for number in read.several()]
        modules.append((text, names))
    owners = [read.row(number, str) for number in read.several()]
    if not all([owner.startswith(_OWNERS) for owner in owners]):
        raise ValueError("it names a module that is not of this engine")
    argv, in_arena, size, patches = read.array(1), read.array(1), read.number(), read.array(2)
    places, names, arguments = read.columns(3)
    rows = list(zip(places, [read.row(name, str) for name in names], arguments))
    runs = list(zip(*read.columns(4)))
    inputs = read.several()
    initial = [read.array_or_none(number) for number in read.several()]
    numbers, counts = read.columns(2)
    makers = [(slot, *made) for slot, made in zip(read.several(), read.types(), strict=True)]
    actions = []
    for number, count in zip(_below(numbers, len(runs)), _below(counts, len(makers) + 1)):
        actions.append((None, makers[:count], number))
        makers = makers[count:]
    kinds, orders, packed, values, held = read.columns(5)
    nodes = [Node(read.row(kind, str), *made, order) for kind, order, made in zip(kinds, orders, read.types())]
    for node, is_packed, value in zip(nodes, packed, values, strict=True):
        node.is_packed, node.value = bool(is_packed), read.array_or_none(value)
    slots = {node: slot for node, slot in zip(nodes, held) if slot != _NONE}
    operands = [nodes[i] for i in _below(read.several(), len(nodes))]
    bases, offsets = read.columns(2)
    parts = zip(_below(bases, len(nodes)), read.shapes(), offsets, read.shapes(), strict=True)
    results = [View(nodes[base], shape, offset, strides) for base, shape, offset, strides in parts]
    receivers, givers = read.columns(2)
    given = dict(zip(receivers, givers))
    own, operations = np.array(read.exactly(2), np.int64).view(np.float64).tolist()
    read.end()
    _below([*inputs, *receivers, *givers, *slots.values(), *[m[0] for _, ms, _ in actions for m in ms]], len(initial))
    _check_table(modules, argv, in_arena, size, patches, rows, runs, len(initial))
    template = argv.view(np.uint64), in_arena, rows, size, patches, runs
    return Record(modules, owners, template, inputs, initial, actions, operands, results, slots, given, own, operations)


def _below(numbers: Any, end: int) -> Any:
    """Return numbers that are all from 0 to below an end."""
    if len(numbers) and not (min(numbers) >= 0 and max(numbers) < end):
        raise ValueError(f"a number is not from 0 to {end}")
    return numbers


def _check_table(modules, argv, in_arena, size: int, patches, rows, runs, slots: int) -> None:
    """Raise ValueError if code would read addresses outside of the tables, or be given places outside of the arena."""
    if patches.shape[1:] != (3,) or any([name not in modules[i][1] for i, name, _ in rows if 0 <= i < len(modules)]):
        raise ValueError("a row is not whole")
    _below([i for i, _, _ in rows], len(modules))
    _below([argument for _, _, argument in rows], len(argv) + 1)
    _below(in_arena.tolist(), len(argv))
    _below(argv.tolist(), size + 1)
    _below(patches[:, 0].tolist(), len(argv))
    _below(patches[:, 1].tolist(), slots)
    for first, patch, last, last_patch in runs:
        if not (0 <= first <= last <= len(rows) and 0 <= patch <= last_patch <= len(patches)):
            raise ValueError("a run is not in the table")
