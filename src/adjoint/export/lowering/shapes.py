"""Shapes that are expressions, as values that a module computes.

The text has such lengths in its types and attributes. Here every function is given the dimension variables as its first
operands, what depends on a length becomes an operation that is told it (`dynamic_reshape`), and types say that the
length is not known. The main function finds the variables from the shapes of its arguments, checks these shapes, and
calls the program.

Tests: `tests/export/test_symbolic_shapes.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...core.dimensions.bounds import is_at_least
from ...core.dimensions.expressions import FLOORDIV, MAX, MOD, DimExpr, Factor
from ...core.dimensions.solving import Solution
from ..mlir.elements import dense_of
from ..mlir.ir import (
    Block,
    Dense,
    Enum,
    Fields,
    FunctionType,
    Integer,
    Numbers,
    Operation,
    TensorType,
    TypeOf,
    Value,
    all_operations,
)

__all__ = ["with_known_shapes"]

_I32 = TensorType((), "i32")
_ONE = TensorType((1,), "i32")
_FLAG = TensorType((), "i1")
WRAPPED = "_wrapped_jax_export_main"


def _is_symbolic(shape) -> bool:
    return any([isinstance(d, DimExpr) for d in shape])


class _Writer:
    """Operations that compute lengths."""

    def __init__(self, known: Mapping[str, Value]):
        self.operations: list[Operation] = []
        self.known: dict[Any, Value] = dict(known)  # variables by name, expressions

    def op(self, name: str, operands: Sequence[Value], type=_I32, attributes=None) -> Value:
        value = Value(type)
        self.operations.append(Operation(name, operands, [value], attributes or {}))
        return value

    def constant(self, array) -> Value:
        dense = dense_of(np.asarray(array))
        return self.op("constant", [], dense.type, {"value": dense})

    def scalar(self, d: Any) -> Value:
        """Return a length as a number."""
        key = d if isinstance(d, DimExpr) else int(d)
        if key not in self.known:
            self.known[key] = self._sum(d) if isinstance(d, DimExpr) else self.constant(np.int32(d))
        return self.known[key]

    def _sum(self, d: DimExpr) -> Value:
        total: Value | None = None
        for term, c in d.terms:
            part: Value | None = None
            for f, e in term:
                for _ in range(e):
                    factor = self._factor(f)
                    part = factor if part is None else self.op("multiply", [part, factor])
            if part is None:
                part = self.scalar(c)
            elif c != 1:
                part = self.op("multiply", [part, self.scalar(c)])
            total = part if total is None else self.op("add", [total, part])
        assert total is not None
        return total

    def _factor(self, f: Factor) -> Value:
        if not f.operands:
            return self.known[f.name]
        x, y = [self.scalar(o) for o in f.operands]
        if f.name not in (FLOORDIV, MOD):
            return self.op("maximum" if f.name == MAX else "minimum", [x, y])
        n, d = f.operands
        rest = self.op("remainder", [x, y])
        plain = is_at_least(n, 0) and is_at_least(d, 1)
        if f.name == FLOORDIV:
            quotient = self.op("divide", [x, y])
            return quotient if plain else self._where_signs_differ(
                rest, y, self.op("subtract", [quotient, self.scalar(1)]), quotient)
        return rest if plain else self._where_signs_differ(rest, y, self.op("add", [rest, y]), rest)

    def _where_signs_differ(self, rest: Value, divisor: Value, yes: Value, no: Value) -> Value:
        zero = self.scalar(0)
        nonzero = self.compare("NE", rest, zero)
        signs = [self.compare("LT", v, zero) for v in (rest, divisor)]
        differ = self.compare("NE", *signs, "UNSIGNED")  # in these words XLA computes it while it compiles
        return self.op("select", [self.op("and", [nonzero, differ], _FLAG), yes, no])

    def compare(self, direction: str, x: Value, y: Value, kind: str = "SIGNED") -> Value:
        return self.op("compare", [x, y], _FLAG, {
            "comparison_direction": Enum("direction", direction), "compare_type": Enum("comparison", kind)})

    def vector(self, lengths: Sequence) -> Value:
        """Lengths as an array of one axis."""
        if not _is_symbolic(lengths):
            return self.constant(np.array([int(d) for d in lengths], np.int32))
        parts = [self.op("reshape", [self.scalar(d)], _ONE) for d in lengths]
        return parts[0] if len(parts) == 1 else self.joined(parts)

    def joined(self, parts: Sequence[Value]) -> Value:
        size = sum([v.type.shape[0] for v in parts])
        return self.op("concatenate", parts, TensorType((size,), "i32"), {"dimension": Integer(0, "i64")})


# ---- operations whose results have lengths that are expressions ------------------------------------


def _values(a: Any) -> tuple:
    return a.values if isinstance(a, Numbers) else tuple(a)


_RULES: dict[str, Callable] = {}


def _rule(name: str):
    def register(fun):
        _RULES[name] = fun
        return fun

    return register


@_rule("broadcast_in_dim")
def _(w, op):
    _broadcast(w, op, op.operands[0], op.attributes["broadcast_dimensions"])


def _broadcast(w, op, x, dims):
    nothing = Numbers(())
    op.operands = [x, w.vector(op.results[0].type.shape)]
    op.name, op.attributes = "dynamic_broadcast_in_dim", {
        "broadcast_dimensions": dims, "known_expanding_dimensions": nothing, "known_nonexpanding_dimensions": nothing}


@_rule("constant")
def _(w, op):
    value = op.attributes["value"]
    one = Value(TensorType((), value.type.element))
    data = bytes([value.data[0] & 1]) if value.type.element == "i1" else value.data
    w.operations.append(Operation("constant", [], [one], {"value": Dense(one.type, data)}))
    _broadcast(w, op, one, Numbers(()))


@_rule("iota")
def _(w, op):
    op.name, op.operands = "dynamic_iota", [w.vector(op.results[0].type.shape)]


@_rule("reshape")
def _(w, op):
    op.name, op.operands = "dynamic_reshape", [op.operands[0], w.vector(op.results[0].type.shape)]


@_rule("slice")
def _(w, op):
    parts = [_values(op.attributes[name]) for name in ("start_indices", "limit_indices", "strides")]
    if any(map(_is_symbolic, parts)):
        op.name, op.operands, op.attributes = "real_dynamic_slice", [op.operands[0], *map(w.vector, parts)], {}


@_rule("pad")
def _(w, op):
    parts = [_values(op.attributes[name]) for name in ("edge_padding_low", "edge_padding_high", "interior_padding")]
    if any(map(_is_symbolic, parts)):
        op.name, op.operands, op.attributes = "dynamic_pad", [*op.operands, *map(w.vector, parts)], {}


@_rule("dynamic_slice")
def _(w, op):
    sizes = _values(op.attributes["slice_sizes"])
    if not _is_symbolic(sizes):
        return
    x, *starts = op.operands
    zero, parts = w.scalar(0), []
    for start, size, length in zip(starts, sizes, x.type.shape):
        start = start if start.type == _I32 else w.op("convert", [start])
        last = w.op("subtract", [w.scalar(length), w.scalar(size)])
        parts.append(w.op("reshape", [w.op("clamp", [zero, start, last])], _ONE))
    begin = parts[0] if len(parts) == 1 else w.joined(parts)
    end = w.op("add", [begin, w.vector(sizes)], begin.type)
    op.name, op.attributes = "real_dynamic_slice", {}
    op.operands = [x, begin, end, w.vector([1] * len(sizes))]


@_rule("gather")
def _(w, op):
    sizes = _values(op.attributes["slice_sizes"])
    if _is_symbolic(sizes):
        op.name, op.operands = "dynamic_gather", [*op.operands, w.vector(sizes)]
        op.attributes = {k: v for k, v in op.attributes.items() if k != "slice_sizes"}


@_rule("convolution")
def _(w, op):
    padding = op.attributes["padding"]
    if isinstance(padding, Dense):
        return
    rows = w.op("reshape", [w.vector([n for row in padding for n in row])], TensorType((len(padding), 2), "i32"))
    op.name, op.operands = "dynamic_conv", [*op.operands, rows]
    op.attributes = {k: v for k, v in op.attributes.items() if k != "padding"}


@_rule("reduce_window")
def _(w, op):
    names = ("window_dimensions", "window_strides", "base_dilations", "window_dilations")
    parts = [_values(op.attributes[name]) for name in names]
    padding = op.attributes["padding"]
    if not any(map(_is_symbolic, parts)) and isinstance(padding, Dense):
        return
    numbers = [n for row in padding for n in row] if not isinstance(padding, Dense) else np.frombuffer(
        padding.data, np.int64).tolist()
    rank = len(parts[0])
    numbers = numbers * (2 * rank) if len(numbers) == 1 else numbers
    rows = w.op("reshape", [w.vector(numbers)], TensorType((rank, 2), "i32"))
    op.operands = [*op.operands, *map(w.vector, parts), rows]
    op.name, op.attributes = "custom_call", _call(
        "stablehlo.dynamic_reduce_window", called_computations=(w.function(op.regions[0]),))
    op.regions = []


@_rule("fft")
def _(w, op):
    if _is_symbolic(_values(op.attributes["fft_length"])):
        raise NotImplementedError("FFTs along axes of symbolic length cannot be exported.")


@_rule("custom_call")
def _(w, op):
    symbolic = [i for i, v in enumerate(op.results) if isinstance(v.type, TensorType) and _is_symbolic(v.type.shape)]
    if not symbolic or op.attributes["call_target_name"].startswith("stablehlo."):
        return
    count = len(op.operands)
    shapes = [w.vector(v.type.shape) if v.type.shape else w.constant(np.zeros(0, np.int32)) for v in op.results]
    op.operands = [*op.operands, *shapes]
    layouts = op.attributes["operand_layouts"]
    if layouts:
        op.attributes["operand_layouts"] = (*layouts, *[Numbers((0,), "index")] * len(shapes))
    places = dense_of(np.arange(count, count + len(shapes)))
    op.said = Fields([*op.said, ("indices_of_shape_operands", places)])


def _call(target: str, **more) -> dict[str, Any]:
    return {
        "call_target_name": target, "has_side_effect": False, "backend_config": "",
        "api_version": Enum("api", "STATUS_RETURNING"), "called_computations": (), "output_operand_aliases": (),
        "operand_layouts": (), "result_layouts": (), **more}


# ---- functions -------------------------------------------------------------------------------------


# Composites that XLA knows by their names; the shapes inside of others it does not find.
_READ_AS_FUNCTIONS = {f"chlo.{name}" for name in "acos acosh asin asinh atanh cosh sinh erf top_k".split()}


class _Function(_Writer):
    """A function that is rewritten: operations of its blocks are replaced, one block after the other."""

    def __init__(self, known, functions: list[Operation], names: Sequence[str], count: list[int]):
        super().__init__(known)
        self.functions, self.names, self.count = functions, names, count

    def function(self, region: list[Block]) -> str:
        """Return a region as a function of the module."""
        (block,) = region
        name = f"reducer_{self.count[0]}"
        self.count[0] += 1
        ins, outs = block.arguments, block.operations[-1].operands
        kind = FunctionType(tuple([v.type for v in ins]), tuple([v.type for v in outs]))
        self.functions.append(Operation("func", regions=[region], attributes={
            "sym_name": name, "sym_visibility": "private", "function_type": TypeOf(kind), "arg_attrs": (),
            "res_attrs": (), "is_reducer": True}))
        return name

    def block(self, block: Block) -> None:
        before, known = self.operations, dict(self.known)
        self.operations = []
        for op in block.operations:
            self._operation(op)
        block.operations = self.operations
        self.operations, self.known = before, known

    def _operation(self, op: Operation) -> None:
        if op.name == "dimension":
            found = self.scalar(op.attributes["value"])
            to = op.results[0].type
            op.name, op.operands, op.attributes = ("reshape", [found], {}) if to == _I32 else ("convert", [found], {})
        elif op.name in _RULES and self._is_dynamic(op):
            _RULES[op.name](self, op)
        elif op.name == "composite" and op.attributes["name"] == "chlo.top_k" and isinstance(
                op.attributes["composite_attributes"].get("k").value, DimExpr):
            k = op.attributes["composite_attributes"].get("k").value
            op.name, op.operands = "custom_call", [*op.operands, self.scalar(k)]
            op.attributes = _call("stablehlo.dynamic_top_k")
        elif op.name == "composite" and op.attributes["name"] not in _READ_AS_FUNCTIONS:
            op.name, op.attributes = "call", {"callee": op.attributes["decomposition"]}
        if op.name == "call":
            op.operands = [*[self.known[n] for n in self.names], *op.operands]
        self.operations.append(op)
        for region in op.regions:
            for block in region:
                self.block(block)

    def _is_dynamic(self, op: Operation) -> bool:
        types = [v.type for v in (*op.operands, *op.results)]
        return any([isinstance(t, TensorType) and _is_symbolic(t.shape) for t in types])


def _forgotten(t: Any) -> Any:
    """Return a type that says of lengths that are expressions that they are not known."""
    if isinstance(t, TensorType) and _is_symbolic(t.shape):
        return t._replace(shape=tuple([None if isinstance(d, DimExpr) else d for d in t.shape]))
    if isinstance(t, FunctionType):
        return FunctionType(tuple(map(_forgotten, t.ins)), tuple(map(_forgotten, t.outs)))
    return t


def with_known_shapes(module: Operation, solution: Solution, kept: Sequence[int]) -> None:
    """Give a module's functions what they need to know of shapes.

    `kept` are the arguments, by their number in the solution, that the main function has.
    """
    functions, names, count = module.body.operations, sorted(solution.variables), [0]
    inputs = functions[0].attributes["function_type"].type.ins
    composites = {op.attributes["decomposition"] for f in functions for op in all_operations(f)
                  if op.name == "composite" and op.attributes["name"] in _READ_AS_FUNCTIONS}
    place = 0
    while place < len(functions):
        f = functions[place]
        place += 1
        if f.attributes.pop("is_reducer", False):
            continue
        is_decomposition = f.attributes["sym_name"] in composites
        variables, head = _own_sizes(f) if is_decomposition else ({n: Value(_I32) for n in names}, [])
        writer = _Function(variables, functions, () if is_decomposition else names, count)
        writer.block(f.body)
        f.body.operations[:0] = head
        if not is_decomposition:
            f.body.arguments[:0] = [variables[n] for n in names]
            kind = f.attributes["function_type"].type
            f.attributes["function_type"] = TypeOf(FunctionType((_I32,) * len(names) + kind.ins, kind.outs))
            marks = f.attributes["arg_attrs"] or (Fields(),) * len(kind.ins)
            own = tuple([Fields([("jax.global_constant", n)]) for n in names])
            f.attributes["arg_attrs"] = (*own, *marks)
    for f in functions:
        f.attributes["function_type"] = TypeOf(_forgotten(f.attributes["function_type"].type))
        for op in all_operations(f):
            for v in op.results:
                v.type = _forgotten(v.type)
            for region in op.regions:
                for block in region:
                    for v in block.arguments:
                        v.type = _forgotten(v.type)
    taken = {f.attributes["sym_name"] for f in functions}
    name = WRAPPED
    while name in taken:  # by the program of an artifact that is called
        name += "_"
    functions.insert(0, _main(functions[0], name, inputs, names, solution, kept))


def _own_sizes(f: Operation) -> tuple[dict[Any, Value], list[Operation]]:
    """Return the lengths of the operands of a function that is only given these, and what computes them."""
    found: dict[Any, Value] = {}
    operations: list[Operation] = []
    for v in f.body.arguments:
        for d, n in enumerate(v.type.shape):
            if isinstance(n, DimExpr) and n not in found:
                found[n] = Value(_I32)
                operations.append(Operation("get_dimension_size", [v], [found[n]], {"dimension": Integer(d, "i64")}))
    return found, operations


def _main(
    program: Operation, name: str, inputs: Sequence, names: Sequence[str], solution: Solution, kept: Sequence[int]
) -> Operation:
    """Return the main function: variables from the shapes of the arguments, checks, and a call of the program."""
    marks = program.attributes["arg_attrs"][len(names) :]
    is_index = [bool(m) and m.get("jax.global_constant") == "_platform_index" for m in marks]
    arguments = [Value(_forgotten(t)) for t in inputs]
    shift = sum(is_index)
    w = _Writer({})
    place = {argument: i + shift for i, argument in enumerate(kept)}
    for size, (i, d) in solution.sizes.items():
        if i in place:
            w.known[size] = w.op("get_dimension_size", [arguments[place[i]]], _I32, {"dimension": Integer(d, "i64")})
    known = set(solution.sizes) & w.known.keys()
    for one in solution.checks:
        values = [x for x in one.values if isinstance(x, DimExpr)]
        needed = set().union(*[x.variables() for x in (one.value, *values) if isinstance(x, DimExpr)])
        if not needed <= known or not isinstance(one.value, DimExpr):
            continue
        holds = w.compare("EQ" if one.is_zero else "GE", w.scalar(one.value), w.scalar(0))
        call = _call("shape_assertion", has_side_effect=True)
        w.operations.append(Operation("custom_call", [holds, *[w.scalar(x) for x in one.values]], [], call,
                                      said=Fields([("error_message", one.message)])))
    variables = [w.scalar(solution.variables[n]) for n in names]
    kind = program.attributes["function_type"].type
    outs = [Value(t) for t in kind.outs]
    given = [*arguments[:shift], *arguments[shift:]]
    call = Operation("call", [*variables, *given], outs, {"callee": name})
    attributes = {
        "sym_name": "main", "sym_visibility": "public", "arg_attrs": marks if any(marks) else (),
        "res_attrs": program.attributes["res_attrs"],
        "function_type": TypeOf(FunctionType(tuple([v.type for v in arguments]), kind.outs))}
    program.attributes |= {"sym_name": name, "sym_visibility": "private"}
    return Operation("func", regions=[[Block(arguments, [*w.operations, call, Operation("return", outs)])]],
                     attributes=attributes)


