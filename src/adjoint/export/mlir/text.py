"""The reader of StableHLO's text, as `engines/xla` writes it: text -> operations with VHLO's attributes.

Operations stand in it in MLIR's short forms (`stablehlo.add %0, %1 : tensor<2xf32>`) or in the general one
(`"stablehlo.sort"(%0) <{...}> ({...}) : (...) -> ...`). A table says what the words between operands and types mean.
Lengths of axes may be expressions, in brackets.

Tests: `tests/export/mlir/test_bytecode.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .elements import dense_of
from .ir import (
    Accuracy,
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
    Unit,
    Value,
)
from .lexer import Lexer
from .vhlo import PROPERTIES

__all__ = ["read_text"]


def integer(value: int, of: str = "i64") -> Integer:
    return Integer(value, of)


class _Function:
    """A function that is read: the values that its words name."""

    def __init__(self, lexer: Lexer, values: dict[str, Value]):
        self.lexer, self.values = lexer, values

    def inner(self) -> _Function:
        return _Function(self.lexer, dict(self.values))

    def operand(self) -> Value:
        lexer = self.lexer
        if lexer.kind != "value" or lexer.word not in self.values:
            raise lexer.error("a value")
        return self.values[lexer.advance()]

    def block(self, arguments: list[Value] | None = None) -> Block:
        """Operations up to the brace that ends them."""
        lexer, operations = self.lexer, []
        while lexer.word != "}":
            operations.append(self.operation())
        return Block(arguments or [], operations)

    def region(self) -> list[Block]:
        """`{ ^bb0(%a: type): operations }`"""
        lexer, inner = self.lexer, self.inner()
        lexer.take("{")
        arguments: list[Value] = []
        if lexer.word.startswith("^"):
            lexer.advance()
            arguments = lexer.several(inner.argument, "(", ")")
            lexer.take(":")
        found = inner.block(arguments)
        lexer.take("}")
        return [found]

    def argument(self) -> Value:
        lexer = self.lexer
        name = lexer.advance()
        lexer.take(":")
        value = self.values[name] = Value(lexer.type())
        return value

    # ---- operations

    def operation(self) -> Operation:
        lexer, names, count = self.lexer, "", 1
        if lexer.kind == "value":
            names = lexer.advance()
            if lexer.has(":"):
                count = int(lexer.advance())
            lexer.take("=")
        if lexer.kind == "string":
            op = self._general(lexer.string().partition(".")[2])
        else:
            word = lexer.advance()
            name = word.removeprefix("stablehlo.").removeprefix("func.")
            op = _FORMS.get(name, _pretty)(self, name)
        if names:
            if len(op.results) != count:
                raise lexer.error(f"{count} results")
            if count == 1:
                self.values[names] = op.results[0]
            else:
                self.values.update({f"{names}#{i}": v for i, v in enumerate(op.results)})
        return op

    def _general(self, name: str) -> Operation:
        """`"stablehlo.name"(operands) <{attributes}> ({regions}) {attributes} : types`"""
        lexer = self.lexer
        operands = lexer.several(self.operand, "(", ")")
        fields = lexer.fields("<{", "}>") if lexer.word == "<{" else {}
        regions = lexer.several(self.region, "(", ")") if lexer.word == "(" else []
        more = lexer.fields() if lexer.word == "{" else {}
        return self.typed(name, operands, self._attributes(name, {**fields, **more}), regions)

    def typed(self, name: str, operands, attributes=None, regions=(), said=()) -> Operation:
        """Return the operation, whose types come next."""
        lexer = self.lexer
        lexer.take(":")
        first = lexer.types()
        outs = lexer.types() if lexer.has("->") else first[:1]
        return Operation(name, operands, [Value(t) for t in outs], attributes or {}, regions, said)

    def _attributes(self, name: str, fields: dict[str, Any]) -> dict[str, Any]:
        """Attributes of the general form, as VHLO has them."""
        found: dict[str, Any] = {}
        for key, value in fields.items():
            if key in ("dimension_numbers", "scatter_dimension_numbers"):
                found |= {k: Numbers(v) if isinstance(v, tuple) else integer(v) for k, v in value.items()}
            elif key == "channel_handle":
                found["channel_id"] = integer(value["handle"])
            elif isinstance(value, Unit):
                found[key] = True
            else:
                found[key] = value
        if name in ("gather", "scatter"):
            for key in PROPERTIES[name]:
                found.setdefault(key, integer(0) if key == "index_vector_dim" else Numbers(()))
        if name.startswith("all_") or name == "reduce_scatter":
            found.setdefault("use_global_device_ids", False)
        return found


def _pretty(f: _Function, name: str) -> Operation:
    """`stablehlo.name %0, %1, name = value : types`"""
    lexer, operands, fields = f.lexer, [], {}
    while lexer.word != ":":
        if lexer.kind == "value":
            operands.append(f.operand())
        else:
            key = lexer.advance()
            lexer.take("=")
            fields[key] = lexer.lengths() if lexer.word == "[" else lexer.advance()
        lexer.has(",")
    return f.typed(name, operands, _pretty_attributes(name, fields))


def _pretty_attributes(name: str, fields: dict[str, Any]) -> dict[str, Any]:
    if "result_accuracy" in PROPERTIES.get(name, ()):
        return {"result_accuracy": Accuracy()}
    if name == "broadcast_in_dim":
        return {"broadcast_dimensions": Numbers(fields["dims"])}
    if name in ("transpose", "reverse"):
        return {"permutation" if name == "transpose" else "dimensions": Numbers(fields["dims"])}
    if name in ("iota", "concatenate"):
        return {"iota_dimension" if name == "iota" else "dimension": integer(int(fields["dim"]))}
    if name == "pad":
        return {f"{long}_padding" if long == "interior" else f"edge_padding_{long}": Numbers(fields[long])
                for long in ("low", "high", "interior")}
    if name == "dynamic_slice":
        return {"slice_sizes": Numbers(fields["sizes"])}
    if name == "fft":
        return {"fft_type": Enum("fft", fields["type"]), "fft_length": Numbers(fields["length"])}
    if name == "reduce_precision":
        exponent, mantissa = fields["format"][1:].split("m")
        return {"exponent_bits": integer(int(exponent), "i32"), "mantissa_bits": integer(int(mantissa), "i32")}
    if name == "rng_bit_generator":
        return {"rng_algorithm": Enum("algorithm", fields["algorithm"])}
    return {}


def _constant(f: _Function, name: str) -> Operation:
    value = f.lexer.dense()
    if isinstance(value, Numbers):
        raise f.lexer.error("a constant")
    return Operation("constant", [], [Value(value.type)], {"value": value})


def _compare(f: _Function, name: str) -> Operation:
    lexer = f.lexer
    direction, operands = lexer.advance(), []
    while lexer.has(","):
        if lexer.kind == "value":
            operands.append(f.operand())
        else:
            kind = lexer.advance()
    return f.typed(name, operands, {"comparison_direction": Enum("direction", direction),
                                    "compare_type": Enum("comparison", kind)})


def _slice(f: _Function, name: str) -> Operation:
    operand = f.operand()
    ranges = f.lexer.several(lambda: _range(f.lexer))
    starts, limits, strides = zip(*ranges) if ranges else ((), (), ())
    return f.typed(name, [operand], {"start_indices": Numbers(starts), "limit_indices": Numbers(limits),
                                     "strides": Numbers(strides)})


def _range(lexer: Lexer) -> tuple:
    start = lexer.length(":")
    lexer.take(":")
    limit = lexer.length(",]:")
    return start, limit, lexer.length(",]") if lexer.has(":") else 1


def _select(f: _Function, name: str) -> Operation:
    lexer = f.lexer
    operands = [f.operand()]
    while lexer.has(","):
        operands.append(f.operand())
    lexer.take(":")
    lexer.type()
    lexer.take(",")
    return Operation(name, operands, [Value(lexer.type())])


def _dot(f: _Function, name: str) -> Operation:
    lexer = f.lexer
    operands, lists, precision = [f.operand()], {}, ("DEFAULT", "DEFAULT")
    while lexer.has(","):
        if lexer.kind == "value":
            operands.append(f.operand())
            continue
        key = lexer.advance()
        lexer.take("=")
        if key == "precision":
            precision = tuple(lexer.several(lexer.advance))
        else:
            left = lexer.lengths()
            lexer.take("x")
            lists[key.removesuffix("_dims")] = left, lexer.lengths()
    nothing = TypeOf(None)
    attributes: dict[str, Any] = {"precision_config": tuple([Enum("precision", p) for p in precision])}
    for side, i in (("lhs", 0), ("rhs", 1)):
        attributes[f"{side}_batching_dimensions"] = Numbers(lists.get("batching", ((), ()))[i])
        attributes[f"{side}_contracting_dimensions"] = Numbers(lists.get("contracting", ((), ()))[i])
        attributes |= {f"{side}_component_count": nothing, f"{side}_precision_type": nothing}
    attributes |= dict.fromkeys(
        ("accumulation_type", "allow_imprecise_accumulation", "num_primitive_operations"), nothing)
    return f.typed(name, operands, attributes)


def _reduce(f: _Function, name: str) -> Operation:
    """`reduce(%0 init: %1) applies stablehlo.add across dimensions = [0] : types`"""
    lexer = f.lexer
    lexer.take("(")
    operand = f.operand()
    for word in ("init", ":"):
        lexer.take(word)
    init = f.operand()
    for word in (")", "applies"):
        lexer.take(word)
    inner = lexer.advance().removeprefix("stablehlo.")
    for word in ("across", "dimensions", "="):
        lexer.take(word)
    dimensions = lexer.lengths()
    op = f.typed(name, [operand, init], {"dimensions": Numbers(dimensions)})
    scalar = TensorType((), op.results[0].type.element)
    pair = [Value(scalar), Value(scalar)]
    one = Operation(inner, pair, [Value(scalar)])
    op.regions = [[Block(pair, [one, Operation("return", one.results)])]]
    return op


def _while(f: _Function, name: str) -> Operation:
    """`while(%a = %0, ...) : types cond {...} do {...}`"""
    lexer, names, operands = f.lexer, [], []
    lexer.take("(")
    while not lexer.has(")"):
        names.append(lexer.advance())
        lexer.take("=")
        operands.append(f.operand())
        lexer.has(",")
    lexer.take(":")
    types = [lexer.type()]
    while lexer.has(","):
        types.append(lexer.type())
    regions = []
    for word in ("cond", "do"):
        lexer.take(word)
        lexer.take("{")
        inner = f.inner()
        arguments = [Value(t) for t in types]
        inner.values.update(zip(names, arguments))
        regions.append([inner.block(arguments)])
        lexer.take("}")
    return Operation(name, operands, [Value(t) for t in types], {}, regions)


def _custom_call(f: _Function, name: str) -> Operation:
    lexer = f.lexer
    target = lexer.symbol()
    operands = lexer.several(f.operand, "(", ")")
    fields = lexer.fields() if lexer.word == "{" else {}
    version = fields.pop("api_version", Integer(1, "i32")).value
    config = fields.pop("backend_config", Fields() if version == 4 else "")
    layouts = {key: tuple([x if isinstance(x, Dense | Numbers) else Numbers(x, "index") for x in fields.pop(key, ())])
               for key in ("operand_layouts", "result_layouts")}
    attributes = {
        "call_target_name": target, "has_side_effect": fields.pop("has_side_effect", False) is True,
        "backend_config": config, "api_version": Enum("api", _API[version]), "called_computations": (),
        "output_operand_aliases": fields.pop("output_operand_aliases", ()), **layouts,
    }
    said = Fields(fields.items())
    return f.typed(name, operands, attributes, said=said)


_API = {1: "ORIGINAL", 2: "STATUS_RETURNING", 3: "STATUS_RETURNING_UNIFIED", 4: "TYPED_FFI"}


def _dimension(f: _Function, name: str) -> Operation:
    """`adjoint.dimension "2*b" : tensor<i32>`"""
    return f.typed("dimension", [], {"value": f.lexer.dimension(f.lexer.string())})


def _composite(f: _Function, name: str) -> Operation:
    lexer = f.lexer
    called = lexer.string()
    operands = []
    while lexer.kind == "value":
        operands.append(f.operand())
        lexer.has(",")
    fields = lexer.fields()
    return f.typed(name, operands, {
        "name": called, "decomposition": fields["decomposition"].name,
        "version": fields.get("version", Integer(0, "i32")),
        "composite_attributes": fields.get("composite_attributes", Fields()),
    })


def _call(f: _Function, name: str) -> Operation:
    callee = f.lexer.symbol()
    return f.typed(name, f.lexer.several(f.operand, "(", ")"), {"callee": callee})


def _return(f: _Function, name: str) -> Operation:
    lexer, operands = f.lexer, []
    while lexer.kind == "value":
        operands.append(f.operand())
        if not lexer.has(","):
            break
    if operands:
        lexer.take(":")
        for i, _ in enumerate(operands):
            if i:
                lexer.take(",")
            lexer.type()
    return Operation(name, operands)


def _barrier(f: _Function, name: str) -> Operation:
    op = _return(f, name)
    op.results = [Value(v.type) for v in op.operands]
    return op


def _convolution(f: _Function, name: str) -> Operation:
    """`convolution(%0, %1) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {...} {...} : types`"""
    lexer = f.lexer
    operands = lexer.several(f.operand, "(", ")")
    for word in ("dim_numbers", "="):
        lexer.take(word)
    specs = [lexer.several(lexer.advance)]
    lexer.take("x")
    specs.append(lexer.several(lexer.advance))
    lexer.take("->")
    specs.append(lexer.several(lexer.advance))
    for word in (",", "window", "="):
        lexer.take(word)
    window = dict(lexer.several(lambda: _window(lexer), "{", "}"))
    fields = lexer.fields()
    attributes: dict[str, Any] = {
        "padding": padding(window["pad"]), "window_strides": Numbers(window["stride"]),
        "lhs_dilation": Numbers(window["lhs_dilate"]), "rhs_dilation": Numbers(window["rhs_dilate"]),
        "window_reversal": Numbers(tuple([x == "true" for x in window["reverse"]]), "i1"),
        **{key: fields[key] for key in ("batch_group_count", "feature_group_count", "precision_config")},
    }
    for spec, side, (first, second), names in zip(
            specs, ("input", "kernel", "output"), (("b", "f"), ("o", "i"), ("b", "f")),
            (("batch", "feature"), ("output_feature", "input_feature"), ("batch", "feature"))):
        attributes[f"{side}_{names[0]}_dimension"] = integer(spec.index(first))
        attributes[f"{side}_{names[1]}_dimension"] = integer(spec.index(second))
        places = tuple([spec.index(str(i)) for i in range(len(spec) - 2)])
        attributes[f"{side}_spatial_dimensions"] = Numbers(places)
    return f.typed(name, operands, attributes)


def padding(rows: tuple) -> Dense | tuple:
    """Return pairs of numbers as a constant; as they are, where some are expressions."""
    if all([isinstance(n, int) for row in rows for n in row]):
        return dense_of(np.array(rows, np.int64).reshape(len(rows), 2))
    return rows


def _window(lexer: Lexer) -> tuple[str, Any]:
    key = lexer.advance()
    lexer.take("=")
    if key == "reverse":
        return key, lexer.several(lexer.advance)
    return key, tuple(lexer.several(lexer.lengths)) if key == "pad" else lexer.lengths()


def _top_k(f: _Function, name: str) -> Operation:
    """`chlo.top_k(%0, k = 2) : type -> (type, type)`"""
    lexer = f.lexer
    lexer.take("(")
    operand = f.operand()
    for word in (",", "k", "="):
        lexer.take(word)
    k = lexer.length(")")
    lexer.take(")")
    return f.typed(name, [operand], {"k": k})


def _chlo(f: _Function, name: str) -> Operation:
    """`chlo.name %0, %1 : type, type -> type`"""
    lexer = f.lexer
    operands = [f.operand()]
    while lexer.has(","):
        operands.append(f.operand())
    lexer.take(":")
    lexer.type()
    while lexer.has(","):
        lexer.type()
    lexer.take("->")
    return Operation(name, operands, [Value(lexer.type())])


_FORMS: dict[str, Callable[[_Function, str], Operation]] = {
    "constant": _constant, "compare": _compare, "slice": _slice, "select": _select, "dot_general": _dot,
    "reduce": _reduce, "while": _while, "custom_call": _custom_call, "composite": _composite, "call": _call,
    "return": _return, "optimization_barrier": _barrier, "convolution": _convolution, "chlo.top_k": _top_k,
    "adjoint.dimension": _dimension,
    **{f"chlo.{name}": _chlo for name in (
        "acos acosh asin asinh atan atanh cosh sinh tan erf erfc erf_inv digamma lgamma bessel_i1e next_after "
        "polygamma zeta").split()},
}


def _function(lexer: Lexer) -> Operation:
    """`func.func public @main(%arg0: type {...}) -> (type {...}) { ... }`"""
    lexer.take("func.func")
    visibility = lexer.advance()
    name = lexer.symbol()
    f = _Function(lexer, {})
    marks: list[list[Fields]] = [[], []]

    def marked(found, into):
        into.append(Fields(lexer.fields().items()) if lexer.word == "{" else Fields())
        return found

    arguments = lexer.several(lambda: marked(f.argument(), marks[0]), "(", ")")
    outs = []
    if lexer.has("->"):
        one = lambda: marked(lexer.type(), marks[1])
        outs = lexer.several(one, "(", ")") if lexer.word == "(" else [lexer.type()]
    lexer.take("{")
    body = f.block(arguments)
    lexer.take("}")
    kind = FunctionType(tuple([v.type for v in arguments]), tuple(outs))
    ins, results = [tuple(part) if any(part) else () for part in marks]
    return Operation("func", regions=[[body]], attributes={
        "sym_name": name, "sym_visibility": visibility, "function_type": TypeOf(kind),
        "arg_attrs": ins, "res_attrs": results,
    })


def read_text(text: str, dimension: Callable[[str], Any] = int, constants: Sequence[np.ndarray] = ()) -> Operation:
    """Return the module of a text.

    Args:
      dimension: reads lengths of axes that are expressions.
      constants: what the text names by their number.

    Raises:
      ValueError: the text is not of the form that `engines/xla` writes.
    """
    lexer = Lexer(text, dimension, constants)
    lexer.take("module")
    name = lexer.symbol() if lexer.kind == "symbol" else None
    said = Fields()
    if lexer.has("attributes"):
        said = Fields(lexer.fields().items())
    lexer.take("{")
    functions = []
    while not lexer.has("}"):
        functions.append(_function(lexer))
    attributes = {"sym_name": name} if name else {}
    return Operation("builtin.module", regions=[[Block([], functions)]], attributes=attributes, said=said)
