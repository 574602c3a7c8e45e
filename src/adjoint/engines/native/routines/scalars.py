"""Programs of scalars, such as a user gives to `reduce` or a scatter: for registers, for arrays and for kernels.

A program is read by the rules of whole programs (graph/graph.py) on values of rank 0, so that its calls are opened, and
complex numbers are two operands and two results each. `load`, `store` and `place` know elements of complex arrays,
whose parts are side by side.

Tests: `tests/engines/native/routines/test_user_reductions.py`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ....core.jaxpr import ClosedJaxpr
from ....core.process.records import NamedTuple
from ....core.trace import stage_closed
from ..graph.graph import Graph, Node
from ..graph.kernel import Op
from ..graph.views import Pair, Type, View, kind_of, physical
from ..kernels.vectors import apply
from ..text.builder import SUPPORTED, Builder, Value, register_dtype
from .base import Code
from .cumulative import lanes_for, load_vector, shuffled, store_vector

__all__ = ["Registers", "Scalars", "lanes_of", "load", "parts_of", "place", "program_of", "read", "store"]


class Scalars(NamedTuple):
    """Operations; operands and results are ("in", i), ("op", i) or ("const", dtype, bytes)."""

    ops: tuple[Op, ...]
    outs: tuple[tuple, ...]

    def __call__(self, b: Builder, operands) -> list[Value]:
        """Return the results in registers."""
        made: list[Value] = []
        constant = lambda dtype, value: b.const(np.frombuffer(value, dtype)[0], dtype)
        for op in self.ops:
            made.append(apply(b, op, [_chosen(x, operands, made, constant) for x in op.operands]))
        return [_chosen(x, operands, made, constant) for x in self.outs]

    def elementwise(self, graph: Graph, shape, operands) -> list[View]:
        """Return the results for each element of real arrays of a shape."""
        made: list[View] = []
        constant = lambda dtype, value: graph.number(np.frombuffer(value, dtype)[0], dtype, shape)
        for op in self.ops:
            given = [_chosen(x, operands, made, constant) for x in op.operands]
            made.append(graph.elementwise(op.name, shape, op.dtype, given, op.params))
        return [_chosen(x, operands, made, constant) for x in self.outs]


def _chosen(x: tuple, operands, made, constant: Callable):
    return constant(*x[1:]) if x[0] == "const" else (operands if x[0] == "in" else made)[x[1]]


def parts_of(dtype) -> tuple:
    """Return the dtypes of an element's parts."""
    shape, part = physical((), dtype)
    return (part,) * (shape[0] if shape else 1)


def program_of(function: Callable, types) -> Scalars | None:
    """Return `function(graph, values) -> values` of scalars of some dtypes; None if not all of it is element-wise."""
    if any([kind_of(t) not in ("real", "complex", "small") for t in types]):
        return None
    graph = Graph(stage_closed(list, []))
    given: list[Node] = []
    values = []
    for t in types:
        parts = [graph._held("input", Type((), part)) for part in parts_of(t)]
        given += parts
        values.append(Pair(*map(graph.whole, parts)) if len(parts) > 1 else graph.whole(parts[0]))
    outs = function(graph, values)
    if outs is None:
        return None
    places: dict[Node, tuple] = {n: ("in", i) for i, n in enumerate(given)}
    ops: list[Op] = []

    def operand(view: View) -> tuple | None:
        base = view.base
        if base.kind == "constant" and base.size == 1 and base.dtype in SUPPORTED:
            return "const", base.dtype, base.value.tobytes()
        return places.get(base) if type(view) is View else None

    for item in graph.items:
        found = tuple([operand(v) for v in item.operands])
        if type(item) is not Node or item.kind != "elementwise" or item.size != 1 or None in found:
            return None
        places[item] = "op", len(ops)
        ops.append(Op(item.op, item.params, item.dtype, found, 0, None))
    parts = [v for x in outs for v in ((x.re, x.im) if isinstance(x, Pair) else (x,))]
    found = tuple([operand(v) for v in parts])
    return None if None in found else Scalars(tuple(ops), found)


def read(closed: ClosedJaxpr) -> Scalars | None:
    """Return a program of scalars; None if not all of it is element-wise."""
    avals = [*closed.in_avals, *closed.out_avals]
    if any([a.shape for a in avals]):
        return None
    return program_of(lambda graph, values: graph._run(closed, values), [a.dtype for a in closed.in_avals])


# ---- elements in memory --------------------------------------------------------------------------


def lanes_of(dtypes, n: int) -> int:
    """Return how many lanes a loop of n turns over arrays of these dtypes should have."""
    return min([lanes_for(part, n) for d in dtypes for part in parts_of(d)])


def place(code: Code, address: str, index: Value, dtype) -> str:
    """Return an element's address."""
    part, *others = parts_of(dtype)
    return code.at(address, index * 2 if others else index, part)


def load(b: Builder, address: str, dtype) -> list[Value]:
    """Return the parts of the elements from an address on."""
    part, *others = parts_of(dtype)
    if not others:
        return [load_vector(b, address, part)]
    both = Builder(b.module, 2 * b.lanes, b.lines)
    raw = load_vector(both, address, part)
    if b.lanes == 1:
        return [b.new(f"extractelement {both.type(part)} {raw.text}, i32 {k}", part) for k in (0, 1)]
    return [shuffled(both, raw, "poison", range(k, 2 * b.lanes, 2)) for k in (0, 1)]


def store(b: Builder, values: list[Value], address: str, dtype) -> None:
    part, *others = parts_of(dtype)
    if not others:
        store_vector(b, values[0], address, part)
    elif b.lanes == 1:
        store_vector(b, values[0], address, part)
        store_vector(b, values[1], b.new(f"getelementptr {b.type(part)}, ptr {address}, i64 1").text, part)
    else:
        order = [k for i in range(b.lanes) for k in (i, b.lanes + i)]
        store_vector(
            Builder(b.module, 2 * b.lanes, b.lines), shuffled(b, values[0], values[1].text, order), address, part
        )


class Registers:
    """Local variables for the parts of some elements."""

    def __init__(self, b: Builder, values: list[Value]):
        self.b = b
        self.types = [v.dtype for v in values]
        self.places = [b.module.fresh("acc") for _ in values]
        for name, v in zip(self.places, values):
            b.module.allocas.append(f"  {name} = alloca {b.type(v.dtype)}, align 64")
        self.set(values)

    def get(self) -> list[Value]:
        b = self.b
        return [b.new(f"load {b.type(t)}, ptr {p}", register_dtype(t)) for p, t in zip(self.places, self.types)]

    def set(self, values: list[Value]) -> None:
        for name, value in zip(self.places, values):
            self.b.line(f"store {self.b.type(value.dtype)} {value.text}, ptr {name}")
