"""Programs of MLIR in memory: operations with operands, results, attributes and regions.

Types and attributes are values that compare by what they say, so that they can be keys. A type of elements is its
name (`"f32"`, `"i1"`, `"complex<f32>"`); attributes that Python has are Python's (`str`, `bool`, `tuple`, `dict` as
`Fields`), the others stand here.

Tests: `tests/export/mlir/test_bytecode.py`.
"""

from __future__ import annotations

from typing import Any

from ...core.process.records import NamedTuple

__all__ = [
    "Accuracy", "Alias", "ArtifactError", "Block", "Dense", "Enum", "Fields", "Float", "FunctionType", "Integer",
    "Numbers", "Opaque", "Operation", "Symbol", "TensorType", "TokenType", "TupleType", "TypeOf", "UNKNOWN", "Unit",
    "Value", "all_operations",
]


class ArtifactError(ValueError):
    """Bytes that are no artifact, are damaged, or come from a version that is too new."""


# ---- types ----------------------------------------------------------------------------------------


class TensorType(NamedTuple):
    """An array: `None` is a length that is not known; `encoding` is what is said beside (bounds)."""

    shape: tuple
    element: str
    encoding: Any = None

    def __str__(self):
        dims = "".join(f"{'?' if d is None else d}x" for d in self.shape)
        return f"tensor<{dims}{self.element}>"


class TokenType(NamedTuple):
    """The type of what orders effects."""

    kind: str = "token"

    def __str__(self):
        return "!stablehlo.token"


class TupleType(NamedTuple):
    """Several values as one."""

    items: tuple

    def __str__(self):
        return f"tuple<{', '.join(map(str, self.items))}>"


class FunctionType(NamedTuple):
    """The type of a function."""

    ins: tuple
    outs: tuple

    def __str__(self):
        outs = ", ".join(map(str, self.outs))
        many = len(self.outs) != 1
        return f"({', '.join(map(str, self.ins))}) -> {f'({outs})' if many else outs}"


# ---- attributes -----------------------------------------------------------------------------------


class Integer(NamedTuple):
    """A number of a type."""

    value: int
    type: str


class Float(NamedTuple):
    """A number of a type, as its bits."""

    bits: int
    type: str


class Enum(NamedTuple):
    """A name of several; `kind` says of which."""

    kind: str
    name: str


class Dense(NamedTuple):
    """The elements of an array as bytes; those of one element if all are equal."""

    type: TensorType
    data: bytes


class Numbers(NamedTuple):
    """A list of integers (or flags) that is written as an array of one axis."""

    values: tuple
    element: str = "i64"


class TypeOf(NamedTuple):
    """A type as an attribute."""

    type: Any


class Symbol(NamedTuple):
    """The name of a function."""

    name: str


class Unit(NamedTuple):
    """An attribute that is there, and says no more."""

    kind: str = "unit"


class Accuracy(NamedTuple):
    """Demands on the accuracy of a function."""

    atol: int = 0
    rtol: int = 0
    ulps: int = 0
    mode: str = "DEFAULT"


class Alias(NamedTuple):
    """The operand whose memory a result takes."""

    output: tuple
    operand: int
    inside: tuple


class Opaque(NamedTuple):
    """A type or attribute of another dialect, which is not read."""

    dialect: str
    data: bytes


class Fields(tuple):
    """A dictionary as pairs, in order."""

    __slots__ = ()

    def get(self, name, default=None):
        for key, value in self:
            if key == name:
                return value
        return default


# ---- operations -----------------------------------------------------------------------------------


class Value:
    """A result of an operation, or an argument of a block."""

    __slots__ = ("type",)

    def __init__(self, type):
        self.type = type


class Block:
    """Operations one after the other, and what they are given."""

    __slots__ = ("arguments", "operations")

    def __init__(self, arguments: list[Value], operations: list[Operation]):
        self.arguments = arguments
        self.operations = operations


class _Unknown(NamedTuple):
    kind: str = "unknown"


UNKNOWN = _Unknown()


class Operation:
    """An operation. `attributes` holds what belongs to it, `said` what others said of it."""

    __slots__ = ("attributes", "location", "name", "operands", "regions", "results", "said")

    def __init__(self, name: str, operands=(), results=(), attributes=None, regions=(), said=(), location=UNKNOWN):
        self.name = name
        self.operands: list[Value] = list(operands)
        self.results: list[Value] = list(results)
        self.attributes: dict[str, Any] = attributes if attributes is not None else {}
        self.regions: list[list[Block]] = list(regions)
        self.said = said
        self.location = location

    @property
    def body(self) -> Block:
        """Return the first block of the first region."""
        return self.regions[0][0]


def all_operations(op: Operation):
    """Yield every operation inside of an operation, and itself."""
    yield op
    for region in op.regions:
        for block in region:
            for inner in block.operations:
                yield from all_operations(inner)
