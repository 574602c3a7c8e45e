"""The reader of MLIR's bytecode: bytes -> operations.

The form is that of <https://mlir.llvm.org/docs/BytecodeFormat/>, versions 0 to 6: sections of strings, dialects,
attributes and types (each of which may point to others), properties, and the operations. Nothing is run while it is
read: every length and every index is checked against what there is, and what is wrong is an `ArtifactError`.

Tests: `tests/export/mlir/test_bytecode.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from . import vhlo
from .ir import (
    UNKNOWN,
    Accuracy,
    Alias,
    ArtifactError,
    Block,
    Dense,
    Enum,
    Fields,
    Float,
    FunctionType,
    Integer,
    Opaque,
    Operation,
    Symbol,
    TensorType,
    TokenType,
    TupleType,
    TypeOf,
    Unit,
    Value,
)

__all__ = ["MAGIC", "read_module"]

MAGIC = b"ML\xefR"
NEWEST = 6  # version of the form
_DEPTH = 64  # of regions in regions, and of attributes in attributes
_UNKNOWN_LENGTH = -1 << 63
_T = TypeVar("_T")


class Bytes:
    """Bytes, and how far they are read."""

    __slots__ = ("data", "end", "place")

    def __init__(self, data: bytes, place: int = 0, end: int | None = None):
        self.data, self.place, self.end = data, place, len(data) if end is None else end

    def byte(self) -> int:
        place = self.place
        if place >= self.end:
            raise ArtifactError("The program ends in the middle of a value.")
        self.place = place + 1
        return self.data[place]

    def number(self) -> int:
        """Return a number in 1 to 9 bytes, of which the low bits of the first say how many."""
        first = self.byte()
        if first & 1:
            return first >> 1
        more = (first & -first).bit_length() - 1 if first else 8
        place = self.place
        if place + more > self.end:
            raise ArtifactError("The program ends in the middle of a number.")
        self.place = place + more
        rest = int.from_bytes(self.data[place : self.place], "little")
        return (first | rest << 8) >> (more + 1) if first else rest

    def signed(self) -> int:
        number = self.number()
        return (number >> 1) ^ -(number & 1)

    def take(self, count: int) -> bytes:
        place = self.place
        if count > self.end - place:
            raise ArtifactError(f"The program ends within {count} bytes that belong together.")
        self.place = place + count
        return self.data[place : self.place]

    def count(self) -> int:
        """Return the length of a list, each item of which takes a byte at least."""
        count = self.number()
        if count > self.end - self.place:
            raise ArtifactError(f"A list of {count} is longer than what is left of the program.")
        return count

    def list(self, item: Callable[[], _T]) -> list[_T]:
        return [item() for _ in range(self.count())]

    def section(self) -> tuple[int, Bytes]:
        """Return the number of a section and its bytes."""
        kind, length = self.byte(), self.number()
        if kind & 0x80:
            alignment = self.number()
            if not 0 < alignment <= 1 << 20:
                raise ArtifactError(f"A section is aligned to {alignment} bytes.")
            while self.place % alignment:
                self.byte()
        place = self.place
        if length > self.end - place:
            raise ArtifactError("The program is cut off: a section is longer than what is left.")
        self.place = place + length
        return kind & 0x7F, Bytes(self.data, place, self.place)


def at(items: list, index: int, what: str) -> Any:
    if index >= len(items):
        raise ArtifactError(f"The program asks for {what} {index} of {len(items)}.")
    return items[index]


class _Entry:
    """An attribute or a type that has not been read, or is read now."""

    __slots__ = ("data", "dialect", "has_form", "value")

    def __init__(self, dialect: str, data: Bytes, has_form: bool):
        self.dialect, self.data, self.has_form = dialect, data, has_form


_UNREAD: Any = object()


class _Scope:
    """The values of a region: numbered from `place` on, after all those of the regions around it."""

    __slots__ = ("place", "values")

    def __init__(self, values: list, count: int):
        self.place, self.values = len(values), values
        values += [None] * count

    def define(self, found: list[Value]) -> None:
        end = self.place + len(found)
        if end > len(self.values):
            raise ArtifactError("A region of the program has more values than it announces.")
        self.values[self.place : end] = found
        self.place = end

    def value(self, index: int) -> Value:
        found = at(self.values, index, "value")
        if found is None:
            raise ArtifactError(f"The program uses value {index} before it is computed.")
        return found


class Module:
    """The tables of a program, and what reads its operations from them."""

    def __init__(self, data: bytes):
        top = Bytes(data)
        if data[:4] != MAGIC:
            raise ArtifactError("These bytes are no program of MLIR: they do not begin with its mark.")
        top.place = 4
        self.version = top.number()
        if self.version > NEWEST:
            raise ArtifactError(
                f"The program is written in version {self.version} of MLIR's bytecode, and {NEWEST} is the newest "
                "that is known here."
            )
        end = data.find(b"\0", top.place)
        if end < 0:
            raise ArtifactError("The program is cut off in its head.")
        self.producer = data[top.place : end].decode("utf8", "replace")
        top.place = end + 1
        self.sections: dict[int, Bytes] = {}
        while top.place < top.end:
            kind, section = top.section()
            self.sections[kind] = section
        missing = [name for kind, name in ((0, "strings"), (1, "dialects"), (2, "attributes"), (3, "offsets"),
                                           (4, "operations")) if kind not in self.sections]
        if missing:
            raise ArtifactError(f"The program is cut off: it has no section of {missing[0]}.")
        self.strings = self._strings(self.sections[0])
        self.dialects: list[str] = []
        self.names: list[str] = []
        self._dialects(self.sections[1])
        self.attributes, self.types = self._entries(self.sections[3], self.sections[2])
        self.properties = self._properties(self.sections[8]) if 8 in self.sections else []
        self.depth = 0

    # ---- tables

    def _strings(self, section: Bytes) -> list[str]:
        lengths = section.list(section.number)[::-1]
        return [section.take(n)[:-1].decode("utf8", "surrogateescape") for n in lengths]

    def _dialects(self, section: Bytes) -> None:
        for _ in range(section.count()):
            word = section.number()
            if self.version >= 1 and word & 1:
                section.section()
            self.dialects.append(at(self.strings, word >> 1 if self.version >= 1 else word, "string"))
        if self.version >= 4:
            section.number()
        while section.place < section.end:
            dialect = at(self.dialects, section.number(), "dialect")
            for _ in range(section.count()):
                word = section.number()
                name = at(self.strings, word >> 1 if self.version >= 5 else word, "string")
                self.names.append(f"{dialect}.{name}")

    def _entries(self, offsets: Bytes, data: Bytes) -> tuple[list, list]:
        attributes, total = offsets.number(), 0
        total = attributes + offsets.number()
        entries: list[_Entry] = []
        while offsets.place < offsets.end:
            dialect = at(self.dialects, offsets.number(), "dialect")
            for _ in range(offsets.count()):
                word = offsets.number()
                start = data.place
                data.take(word >> 1)
                entries.append(_Entry(dialect, Bytes(data.data, start, data.place), bool(word & 1)))
        if len(entries) != total:
            raise ArtifactError(f"The program announces {total} attributes and types and has {len(entries)}.")
        for entry in entries:
            entry.value = _UNREAD
        return entries[:attributes], entries[attributes:]

    def _properties(self, section: Bytes) -> list[Bytes]:
        found = []
        for _ in range(section.count()):
            length, start = section.number(), section.place
            section.take(length)
            found.append(Bytes(section.data, start, start + length))
        return found

    # ---- attributes and types

    def attribute(self, index: int) -> Any:
        return self._read(at(self.attributes, index, "attribute"), self._vhlo_attribute, self._builtin_attribute)

    def type(self, index: int) -> Any:
        return self._read(at(self.types, index, "type"), self._vhlo_type, self._builtin_type)

    def _read(self, entry: _Entry, of_vhlo, of_builtin) -> Any:
        if entry.value is not _UNREAD:
            if entry.value is entry:
                raise ArtifactError("An attribute of the program contains itself.")
            return entry.value
        if self.depth > _DEPTH:
            raise ArtifactError("The attributes of the program are nested too deeply.")
        read = of_vhlo if entry.dialect == "vhlo" else of_builtin if entry.dialect == "builtin" else None
        data = entry.data
        if read is None or not entry.has_form:
            entry.value = Opaque(entry.dialect, data.data[data.place : data.end].rstrip(b"\0"))
            return entry.value
        entry.value, self.depth = entry, self.depth + 1
        entry.value = read(Bytes(data.data, data.place, data.end))
        self.depth -= 1
        return entry.value

    def _vhlo_type(self, data: Bytes) -> Any:
        code, codes = data.number(), vhlo.TYPES
        if code in vhlo.ELEMENTS:
            return vhlo.ELEMENTS[code]
        if code == codes["tensor"]:
            shape = tuple(data.list(lambda: self._length(data)))
            return TensorType(shape, self._element(data))
        if code == codes["encoded"]:
            encoding = self.attribute(data.number())
            shape = tuple(data.list(lambda: self._length(data)))
            return TensorType(shape, self._element(data), encoding)
        if code == codes["complex"]:
            return f"complex<{self._element(data)}>"
        if code == codes["function"]:
            ins = tuple(data.list(lambda: self.type(data.number())))
            return FunctionType(ins, tuple(data.list(lambda: self.type(data.number()))))
        if code == codes["none"]:
            return None
        if code == codes["token"]:
            return TokenType()
        if code == codes["tuple"]:
            return TupleType(tuple(data.list(lambda: self.type(data.number()))))
        return Opaque("vhlo", data.data[data.place : data.end])

    def _element(self, data: Bytes) -> str:
        found = self.type(data.number())
        if isinstance(found, Opaque):  # quantized elements and the like, which are an error where they are used
            return f"!{found.dialect}"
        if not isinstance(found, str):
            raise ArtifactError(f"An array of the program has elements of type {found}.")
        return found

    def _length(self, data: Bytes) -> int | None:
        length = data.signed()
        if length == _UNKNOWN_LENGTH:
            return None
        if length < 0:
            raise ArtifactError(f"An array of the program has an axis of length {length}.")
        return length

    def _builtin_type(self, data: Bytes) -> Any:
        code = data.number()
        if code == 0:
            word = data.number()
            return f"{('i', 'i', 'ui')[word & 3]}{word >> 2}" if word & 3 < 3 else "i1"
        if code in (1, 3, 4, 5, 6):
            return {1: "index", 3: "bf16", 4: "f16", 5: "f32", 6: "f64"}[code]
        if code == 2:
            ins = tuple(data.list(lambda: self.type(data.number())))
            return FunctionType(ins, tuple(data.list(lambda: self.type(data.number()))))
        if code == 13:
            shape = tuple(data.list(lambda: self._length(data)))
            return TensorType(shape, self._element(data))
        return Opaque("builtin", data.data[data.place : data.end])

    def _text(self, data: Bytes) -> str:
        return at(self.strings, data.number(), "string")

    def _vhlo_attribute(self, data: Bytes) -> Any:
        code, codes = data.number(), vhlo.ATTRIBUTES
        if code == codes["string"]:
            return self._text(data)
        if code == codes["array"]:
            return tuple(data.list(lambda: self.attribute(data.number())))
        if code == codes["boolean"]:
            return bool(data.number())
        if code == codes["dictionary"]:
            pairs = [(self.attribute(data.number()), self.attribute(data.number())) for _ in range(data.count())]
            return Fields(pairs)
        if code == codes["integer"]:
            return self._integer(self.type(data.number()), data)
        if code == codes["float"]:
            return self._float(self.type(data.number()), data)
        if code == codes["tensor"]:
            found = self.type(data.number())
            if not isinstance(found, TensorType):
                raise ArtifactError(f"A constant of the program has type {found}.")
            return Dense(found, data.take(data.number()))
        if code == codes["type"]:
            return TypeOf(self.type(data.number()))
        if code == codes["accuracy"]:
            atol, rtol, ulps = data.signed(), data.signed(), data.signed()
            mode = self.attribute(data.number())
            return Accuracy(atol, rtol, ulps, mode.name if isinstance(mode, Enum) else "DEFAULT")
        if code == codes["alias"]:
            output = tuple(data.list(data.signed))
            operand = data.signed()
            return Alias(output, operand, tuple(data.list(data.signed)))
        if code in vhlo.ENUMS:
            kind, names = vhlo.ENUMS[code]
            return Enum(kind, at(list(names), data.number(), kind))
        return Opaque("vhlo", data.data[data.place : data.end])

    def _integer(self, of, data: Bytes) -> Integer:
        if not isinstance(of, str):
            raise ArtifactError(f"A number of the program has type {of}.")
        narrow = of.lstrip("ui") in ("1", "2", "4", "8") and of != "index"
        if not narrow:
            return Integer(data.signed(), of)
        value, bits = data.byte(), int(of.lstrip("ui"))
        if not of.startswith("u") and of != "i1" and value >> (bits - 1) & 1:
            value -= 1 << bits
        return Integer(value, of)

    def _float(self, of, data: Bytes) -> Float:
        bits = data.byte() if of in ("f8E4M3FN", "f8E5M2") else data.signed()
        return Float(bits, str(of))

    def _builtin_attribute(self, data: Bytes) -> Any:
        code = data.number()
        if code == 0:
            return tuple(data.list(lambda: self.attribute(data.number())))
        if code == 1:
            return Fields([(self.attribute(data.number()), self.attribute(data.number()))
                           for _ in range(data.count())])
        if code in (2, 3):
            return self._text(data)
        if code == 4:
            return Symbol(str(self.attribute(data.number())))
        if code == 6:
            return TypeOf(self.type(data.number()))
        if code == 7:
            return Unit()
        if code == 8:
            return self._integer(self.type(data.number()), data)
        if code == 9:
            return self._float(self.type(data.number()), data)
        if code == 15:
            return UNKNOWN
        if code == 18:
            found = self.type(data.number())
            if not isinstance(found, TensorType):
                raise ArtifactError(f"A constant of the program has type {found}.")
            return Dense(found, data.take(data.number()))
        return Opaque("builtin", data.data[data.place : data.end])

    # ---- operations

    def operations(self) -> list[Operation]:
        section = self.sections[4]
        return self._block(Bytes(section.data, section.place, section.end), _Scope([], 0), 0).operations

    def _block(self, data: Bytes, scope: _Scope, depth: int) -> Block:
        word = data.number()
        arguments: list[Value] = []
        if word & 1:
            for _ in range(data.count()):
                typed = data.number()
                if self.version < 4 or typed & 1:
                    data.number()
                arguments.append(Value(self.type(typed >> 1 if self.version >= 4 else typed)))
            scope.define(arguments)
            if self.version >= 3 and data.byte():
                self._skip_orders(data, len(arguments))
        if word >> 1 > data.end - data.place:
            raise ArtifactError("The program is cut off within its operations.")
        return Block(arguments, [self._operation(data, scope, depth) for _ in range(word >> 1)])

    def _operation(self, data: Bytes, scope: _Scope, depth: int) -> Operation:
        stored = at(self.names, data.number(), "operation")
        mask = data.byte()
        data.number()  # where it comes from
        said = self.attribute(data.number()) if mask & 1 else ()
        properties = at(self.properties, data.number(), "properties") if mask & 64 else None
        results = [Value(self.type(data.number())) for _ in range(data.count())] if mask & 2 else []
        operands = [scope.value(data.number()) for _ in range(data.count())] if mask & 4 else []
        if mask & 8:
            raise ArtifactError(f"The operation {stored} jumps to other blocks, which no program of StableHLO does.")
        scope.define(results)
        if mask & 32:
            self._skip_orders(data, len(results))
        op = Operation(stored[5:].rpartition("_v")[0] if stored.startswith("vhlo.") else stored, operands, results,
                       self._attributes(stored, properties, said), said=said)
        if mask & 16:
            self._regions(op, data, scope, depth)
        return op

    def _regions(self, op: Operation, data: Bytes, scope: _Scope, depth: int) -> None:
        if depth > _DEPTH:
            raise ArtifactError("The regions of the program are nested too deeply.")
        word = data.number()
        if word >> 1 > data.end - data.place:
            raise ArtifactError("The program is cut off within its regions.")
        values = scope.values
        if word & 1:  # nothing is read from around it
            values = []
            if self.version >= 2:
                data = data.section()[1]
        known = len(values)
        for _ in range(word >> 1):
            op.regions.append(self._region(data, values, depth + 1))
            del values[known:]

    def _region(self, data: Bytes, values: list, depth: int) -> list[Block]:
        blocks = data.number()
        if not blocks:
            return []
        count = data.count()  # of values
        if blocks != 1:
            raise ArtifactError(f"A region of the program has {blocks} blocks; those of StableHLO have one.")
        return [self._block(data, _Scope(values, count), depth)]

    def _skip_orders(self, data: Bytes, values: int) -> None:
        """Pass over the orders in which the uses of values stood in memory."""
        for _ in range(1 if values == 1 else data.count()):
            if values != 1:
                data.number()
            for _ in range(data.number() >> 1):
                data.number()

    def _attributes(self, stored: str, properties: Bytes | None, said) -> dict[str, Any]:
        if properties is None:
            return dict(said) if isinstance(said, Fields) else {}
        data = Bytes(properties.data, properties.place, properties.end)
        if stored == "builtin.module":
            words = [data.number(), data.number()]
            found = {name: self.attribute(word >> 1) for name, word in
                     zip(("sym_name", "sym_visibility"), words) if word & 1}
            return {**(dict(said) if isinstance(said, Fields) else {}), **found}
        if stored.startswith("sdy."):  # how values are divided, which is a hint
            return {}
        if not stored.startswith("vhlo."):
            raise ArtifactError(f"The program has an operation {stored}, which is not one of StableHLO.")
        names = vhlo.properties_of(stored[5:])
        numbers = []
        while data.place < data.end:
            numbers.append(data.number())
        if len(numbers) != len(names):
            raise ArtifactError(
                f"The operation {stored} has {len(numbers)} attributes, and {len(names)} are known here: the program "
                f"was written by a version that is too new ({self.producer})."
            )
        return dict(zip(names, [self.attribute(n) for n in numbers]))


def read_module(data: bytes) -> Operation:
    """Return the module that bytes hold; its attributes say `producer` too.

    Raises:
      ArtifactError: the bytes are damaged, of something else, or of a version that is too new.
    """
    try:
        module = Module(bytes(data))
        operations = module.operations()
    except RecursionError:
        raise ArtifactError("The program is nested too deeply.") from None
    if len(operations) != 1 or operations[0].name != "builtin.module" or not operations[0].regions:
        raise ArtifactError("The program is no module.")
    operations[0].attributes["producer"] = module.producer
    return operations[0]
