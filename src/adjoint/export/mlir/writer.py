"""The writer of MLIR's bytecode: operations -> bytes, as `reader.py` reads them.

Operations are written in VHLO's form. Every string, type and attribute stands once in a table; a type or attribute is
put there before what contains it is encoded.

Tests: `tests/export/mlir/test_bytecode.py`.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

from . import vhlo
from .ir import (
    UNKNOWN,
    Accuracy,
    Alias,
    Block,
    Dense,
    Enum,
    Fields,
    Float,
    FunctionType,
    Integer,
    Numbers,
    Opaque,
    Operation,
    TensorType,
    TokenType,
    TupleType,
    TypeOf,
    Unit,
    Value,
)
from .reader import MAGIC, NEWEST

__all__ = ["write_module"]

_ELEMENTS = {name: code for code, name in vhlo.ELEMENTS.items()}
_ENUMS = {kind: (code, names) for code, (kind, names) in vhlo.ENUMS.items()}
# Operations whose regions read nothing from around them.
_APART = {"builtin.module", "func", "reduce", "reduce_window", "scatter", "select_and_scatter", "map", "all_reduce",
          "reduce_scatter"}
_BUILTIN = "builtin"


def number(value: int) -> bytes:
    """Return a number below 2**64 in 1 to 9 bytes."""
    if value < 0 or value >> 64:
        raise OverflowError(f"{value} has no place in a program of MLIR")
    bits = value.bit_length()
    if bits > 56:
        return b"\0" + value.to_bytes(8, "little")
    more = max(0, (bits - 1) // 7) if bits else 0
    return ((value << 1 | 1) << more).to_bytes(more + 1, "little")


def signed(value: int) -> bytes:
    return number(value << 1 if value >= 0 else (-value << 1) - 1)


def _zigzag64(bits: int) -> bytes:
    """Return the bits of a number as if they were those of an integer with a sign, of 64 bits."""
    value = bits - (1 << 64) if bits >> 63 else bits
    return signed(value)


def _packed(items: list[bytes]) -> bytes:
    return number(len(items)) + b"".join(items)


class _Tables:
    """The strings, types, attributes, names and properties of a module."""

    def __init__(self):
        self.strings: dict[str, int] = {}
        self.entries: dict[str, dict[Any, int]] = {"attributes": {}, "types": {}}
        self.encoded: dict[str, list[tuple[str, bytes]]] = {"attributes": [], "types": []}
        self.names: dict[str, int] = {}
        self.properties: dict[bytes, int] = {}

    def string(self, text: str) -> int:
        return self.strings.setdefault(text, len(self.strings))

    def type(self, t: Any) -> int:
        return self._entry("types", t, "vhlo", self._type)

    def attribute(self, a: Any) -> int:
        return self._entry("attributes", (type(a), a), "vhlo", lambda key: self._attribute(key[1]))

    def builtin(self, a: Any) -> int:
        return self._entry("attributes", (_BUILTIN, type(a), a), _BUILTIN, lambda key: self._builtin(key[2]))

    def builtin_type(self, t: Any) -> int:
        return self._entry("types", (_BUILTIN, t), _BUILTIN, lambda key: self._builtin_type(key[1]))

    def _entry(self, kind: str, key: Any, dialect: str, encode) -> int:
        found = self.entries[kind].get(key)
        if found is None:
            data = encode(key)
            found = self.entries[kind][key] = len(self.encoded[kind])
            self.encoded[kind].append((dialect, data))
        return found

    def _type(self, t: Any) -> bytes:
        codes = vhlo.TYPES
        if isinstance(t, str):
            if t.startswith("complex<"):
                return number(codes["complex"]) + self._type_at(t[8:-1])
            if t not in _ELEMENTS:
                raise NotImplementedError(f"StableHLO cannot store elements of type {t}.")
            return number(_ELEMENTS[t])
        if isinstance(t, TensorType):
            shape = _packed([signed(-1 << 63) if d is None else signed(d) for d in t.shape])
            return number(codes["tensor"]) + shape + self._type_at(t.element)
        if isinstance(t, TokenType):
            return number(codes["token"])
        if isinstance(t, FunctionType):
            return number(codes["function"]) + b"".join(
                [_packed([self._type_at(x) for x in part]) for part in (t.ins, t.outs)])
        if isinstance(t, TupleType):
            return number(codes["tuple"]) + _packed([self._type_at(x) for x in t.items])
        raise NotImplementedError(f"StableHLO cannot store values of type {t}.")

    def _type_at(self, t: Any) -> bytes:
        return number(self.type(t))

    def _attribute_at(self, a: Any) -> bytes:
        return number(self.attribute(a))

    def _attribute(self, a: Any) -> bytes:
        codes = vhlo.ATTRIBUTES
        if isinstance(a, bool):
            return number(codes["boolean"]) + number(a)
        if isinstance(a, str):
            return number(codes["string"]) + number(self.string(a))
        if isinstance(a, Integer):
            return number(codes["integer"]) + self._type_at(a.type) + _integer(a)
        if isinstance(a, Float):
            return number(codes["float"]) + self._type_at(a.type) + _zigzag64(a.bits)
        if isinstance(a, Enum):
            code, names = _ENUMS[a.kind]
            return number(code) + number(len(names) - 1 - names[::-1].index(a.name))
        if isinstance(a, Numbers):
            return self._attribute(_dense(a))
        if isinstance(a, Dense):
            return number(codes["tensor"]) + self._type_at(a.type) + number(len(a.data)) + a.data
        if isinstance(a, TypeOf):
            return number(codes["type"]) + (self._type_at(a.type) if a.type is not None else self._no_type())
        if isinstance(a, Accuracy):
            numbers = b"".join([signed(a.atol), signed(a.rtol), signed(a.ulps)])
            return number(codes["accuracy"]) + numbers + self._attribute_at(Enum("mode", a.mode))
        if isinstance(a, Alias):
            lists = [_packed([signed(i) for i in part]) for part in (a.output, a.inside)]
            return number(codes["alias"]) + lists[0] + signed(a.operand) + lists[1]
        if isinstance(a, Fields):
            pairs = [self._attribute_at(k) + self._attribute_at(v) for k, v in a]
            return number(codes["dictionary"]) + _packed(pairs)
        if isinstance(a, tuple):
            return number(codes["array"]) + _packed([self._attribute_at(x) for x in a])
        raise NotImplementedError(f"StableHLO cannot store {a!r}.")

    def _no_type(self) -> bytes:
        return number(self._entry("types", None, "vhlo", lambda _: number(vhlo.TYPES["none"])))

    def _builtin_type(self, t: Any) -> bytes:
        if isinstance(t, TensorType):
            shape = _packed([signed(n) for n in t.shape])
            return number(13) + shape + number(self.builtin_type(t.element))
        if t.startswith(("i", "ui")) and t.lstrip("ui").isdigit():
            return number(0) + number(int(t.lstrip("ui")) << 2 | (2 if t.startswith("u") else 0))
        return number({"index": 1, "bf16": 3, "f16": 4, "f32": 5, "f64": 6}[t])

    def _builtin(self, a: Any) -> bytes:
        if a is UNKNOWN:
            return number(15)
        if isinstance(a, bool):
            return number(8) + number(self.builtin_type("i1")) + bytes([a])
        if isinstance(a, str):
            return number(2) + number(self.string(a))
        if isinstance(a, Integer):
            return number(8) + number(self.builtin_type(a.type)) + _integer(a)
        if isinstance(a, Unit):
            return number(7)
        if isinstance(a, Dense):
            return number(18) + number(self.builtin_type(a.type)) + number(len(a.data)) + a.data
        if isinstance(a, Fields):
            return number(1) + _packed([number(self.builtin(k)) + number(self.builtin(v)) for k, v in a])
        if isinstance(a, Opaque) and a.dialect == _BUILTIN:
            return a.data
        if isinstance(a, tuple):
            return number(0) + _packed([number(self.builtin(x)) for x in a])
        raise NotImplementedError(f"{a!r} cannot be stored beside an operation.")

    def name(self, full: str) -> int:
        return self.names.setdefault(full, len(self.names))

    def property(self, data: bytes) -> int:
        return self.properties.setdefault(data, len(self.properties))


def _integer(a: Integer) -> bytes:
    bits = 64 if a.type == "index" else int(a.type.lstrip("ui"))
    if bits <= 8:
        return bytes([a.value & ((1 << bits) - 1)])
    return _zigzag64(a.value & ((1 << 64) - 1)) if a.value >= 0 else signed(a.value)


def _dense(a: Numbers) -> Dense:
    """Return a list of numbers as a constant; where all are equal, one is kept."""
    values = a.values[:1] if len(a.values) > 1 and len(set(a.values)) == 1 else a.values
    kind = TensorType((len(a.values),), a.element)
    if a.element == "i1":
        if len(values) == 1:
            return Dense(kind, b"\xff" if values[0] and len(a.values) > 1 else bytes([bool(values[0])]))
        packed = sum([bool(v) << i for i, v in enumerate(values)])
        return Dense(kind, packed.to_bytes((len(values) + 7) // 8, "little"))
    return Dense(kind, b"".join([v.to_bytes(8, "little", signed=True) for v in values]))


class _Writer:
    def __init__(self):
        self.tables = _Tables()
        self.unknown = number(self.tables.builtin(UNKNOWN))

    def block(self, block: Block, numbers: dict[Value, int], place: int, end: int) -> bytes:
        """Return a block, whose values are numbered from `place` on; those of regions inside from `end` on."""
        has_arguments = bool(block.arguments)
        parts = [number(len(block.operations) << 1 | has_arguments)]
        if has_arguments:
            parts.append(number(len(block.arguments)))
            for value in block.arguments:
                numbers[value] = place
                place += 1
                parts.append(number(self.tables.type(value.type) << 1))
            parts.append(b"\0")
        for op in block.operations:
            parts.append(self.operation(op, numbers, place, end))
            place += len(op.results)
        return b"".join(parts)

    def operation(self, op: Operation, numbers: dict[Value, int], place: int, end: int) -> bytes:
        tables = self.tables
        stored = op.name if "." in op.name else f"vhlo.{op.name}_v{vhlo.VERSIONS.get(op.name, 1)}"
        properties = self._properties(op)
        mask = (1 if op.said else 0) | (2 if op.results else 0) | (4 if op.operands else 0)
        mask |= (16 if op.regions else 0) | (64 if properties is not None else 0)
        parts = [number(tables.name(stored)), bytes([mask]), self.unknown]
        if op.said:
            parts.append(number(tables.builtin(Fields(sorted(op.said)))))
        if properties is not None:
            parts.append(number(tables.property(properties)))
        if op.results:
            parts.append(_packed([number(tables.type(v.type)) for v in op.results]))
        if op.operands:
            parts.append(_packed([number(numbers[v]) for v in op.operands]))
        for i, value in enumerate(op.results):
            numbers[value] = place + i
        if op.regions:
            apart = op.name in _APART
            data = b"".join([self.region(region, numbers, 0 if apart else end) for region in op.regions])
            parts.append(number(len(op.regions) << 1 | apart))
            parts.append(_section(4, data) if apart else data)
        return b"".join(parts)

    def region(self, region: list[Block], numbers: dict[Value, int], start: int) -> bytes:
        (block,) = region
        count = len(block.arguments) + sum([len(op.results) for op in block.operations])
        return number(1) + number(count) + self.block(block, numbers, start, start + count)

    def _properties(self, op: Operation) -> bytes | None:
        tables = self.tables
        if op.name == "builtin.module":
            name = op.attributes.get("sym_name")
            return (number(tables.builtin(name) << 1 | 1) if name else number(0)) + number(0)
        names = vhlo.PROPERTIES.get(op.name, ())
        if not names:
            return None
        return b"".join([number(tables.attribute(op.attributes[name])) for name in names])


def _section(kind: int, data: bytes) -> bytes:
    return bytes([kind]) + number(len(data)) + data


def write_module(module: Operation) -> bytes:
    """Return the bytes of a module of VHLO's operations."""
    writer = _Writer()
    operations = writer.block(Block([], [module]), {}, 0, 0)
    tables = writer.tables
    dialects = ["builtin", "vhlo"]
    heads = [tables.string(d) for d in dialects]

    names = _groups([full.split(".", 1) for full in tables.names], dialects,
                    lambda name: number(tables.string(name) << 1 | 1))
    offsets = number(len(tables.encoded["attributes"])) + number(len(tables.encoded["types"]))
    data = b""
    for encoded in tables.encoded.values():
        offsets += _groups(encoded, dialects, lambda one: number(len(one) << 1 | 1))
        data += b"".join([one for _, one in encoded])
    head = _packed([number(i << 1) for i in heads]) + number(len(tables.names)) + names
    strings = [text.encode("utf8", "surrogateescape") + b"\0" for text in tables.strings]
    lengths = [number(len(text)) for text in reversed(strings)]
    sections = [
        (1, head), (3, offsets), (2, data), (4, operations), (6, number(0)), (5, b""),
        (0, _packed(lengths) + b"".join(strings)),
        (8, _packed([number(len(p)) + p for p in tables.properties])),
    ]
    mark = MAGIC + number(NEWEST) + vhlo.PRODUCER.encode() + b"\0"
    return mark + b"".join([_section(kind, part) for kind, part in sections])


def _groups(items, dialects: list[str], encode) -> bytes:
    """Return items in their order, those of one dialect that stand together as a group."""
    return b"".join([
        number(dialects.index(dialect)) + _packed([encode(item) for _, item in group])
        for dialect, group in groupby(items, key=lambda pair: pair[0])
    ])
