"""Jaxprs as StableHLO: the text that XLA compilers read.

`Writer` holds the text of one function and names its values. How a primitive is written is its `lower`
rule, `(writer, equation, operands) -> results`, in the table of `rules.py`. A called program becomes a
private function, written once however often it is called. What has effects in the order of the program is tied
together by a token, which goes through the program beside its values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from math import copysign, isfinite
from typing import Any

import numpy as np

from ...array.array import ArrayImpl
from ...core import dtypes
from ...core.effects import OrderedDebugEffect, OrderedIOEffect
from ...core.jaxpr import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, sub_jaxprs
from ...core.messages.errors import message
from ...core.messages.frames import locate
from ...core.process.memo import memoized
from ...core.process.records import NamedTuple
from ...core.trace import current, stage_closed, state
from ...core.types import ShapedArray
from ...core.values.dimension import Dimension
from ...prims.explicit_sharding import asked_of
from ...prims.tokens import abstract_token
from ...sharding.device import SingleDeviceSharding
from ...sharding.mesh import AxisType, PartitionSpec, names_of
from ...sharding.named_sharding import NamedSharding
from ..numpy.program import evaluation, expanded
from ..placed.program_layout import Layout
from .meshes import Meshes, on_one_device
from .names import named
from .rules import KEY_RULES, RULES

__all__ = [
    "HostStep", "Module", "Value", "Writer", "is_ordered", "lowering_of", "refused_order", "symbol", "tensor",
    "write_function",
]

_ELEMENTS = {
    "bool": "i1", "bfloat16": "bf16", "float16": "f16", "float32": "f32", "float64": "f64",
    "complex64": "complex<f32>", "complex128": "complex<f64>",
    **{f"int{n}": f"i{n}" for n in (2, 4, 8, 16, 32, 64)},
    **{f"uint{n}": f"ui{n}" for n in (2, 4, 8, 16, 32, 64)},
}


def physical(aval: ShapedArray) -> ShapedArray:
    """Keys are stored as their words, in further axes; what has no derivatives as booleans."""
    if isinstance(aval.dtype, dtypes.ExtendedDType):
        words = aval.dtype._impl.key_shape
        return ShapedArray((*aval.shape, *words), dtypes.uint32)
    return aval.update(dtype=np.dtype(bool)) if aval.dtype == dtypes.float0 else aval


@cache
def element(dtype) -> str:
    name = dtype.name
    if name in _ELEMENTS:
        return _ELEMENTS[name]
    if name.startswith(("float8", "float4")):
        return name.replace("float", "f").replace("_", "").upper().replace("F", "f", 1).replace("FN", "FN")
    raise NotImplementedError(f"StableHLO has no element type for dtype {name}.")


@memoized(4096)
def tensor(aval: ShapedArray) -> str:
    """`tensor<2x3xf32>`"""
    if aval is abstract_token:
        return "!stablehlo.token"
    aval = physical(aval)
    lengths = [f"{n}x" if type(n) is int else f"[{n}]x" for n in aval.shape]  # symbolic ones are for exports
    return f"tensor<{''.join(lengths)}{element(aval.dtype)}>"


class Value:
    """A named value of the text and its type."""

    __slots__ = ("aval", "name")

    def __init__(self, name: str, aval: ShapedArray):
        self.name = name
        self.aval = physical(aval)

    @property
    def type(self) -> str:
        return tensor(self.aval)


_MAX_ELEMENTS_WRITTEN_OUT = 100  # elements of a constant that are numbers in the text; those of a larger one are bytes
FUNCTION_INDENT = 4  # of the lines of a function that are in no region


class HostStep(NamedTuple):
    """An operation that the program asks Python for: NumPy buffers -> list of buffers."""

    run: Callable
    in_avals: list[ShapedArray]
    out_avals: list[ShapedArray]
    is_ordered: bool = False  # then it is given a token first, and gives one back


def is_ordered(jaxpr: Jaxpr) -> bool:
    """Return whether a program has effects that happen in its order."""
    return any([isinstance(e, OrderedDebugEffect | OrderedIOEffect) for e in jaxpr.effects])


def refused_order(devices: int) -> ValueError:
    """Return the error of a program that shows values in order on several devices."""
    return ValueError(
        message(
            "The following ordered effects are not supported for more than 1 device: [OrderedDebug]",
            why=f"The function runs on {devices} devices at once, which are in no order.",
            fix="ordered=False",
        )
    )


class Module:
    """The functions of a module, and the names of programs that are written already."""

    def __init__(
        self, layout: Layout | None, donated: tuple, locations: bool, platform: str, paths: Sequence[str] = (),
        kept: list[np.ndarray] | None = None, stated: tuple[tuple, tuple] | None = None, called: str = "",
    ):
        self.steps: list[HostStep] = []
        self.functions: list[str] = []
        self.names: dict[tuple, str] = {}  # as symbols
        self.taken = {"main"}
        self.repeated = 0  # the number that a name gets that is taken
        self.platform = platform
        self.layout = layout
        self.locations = locations  # whether operations say where they come from
        self.donated = donated  # positions of operands whose memory results may take
        self.kept = kept  # large constants, which the text names by their number, if the caller wants them so
        self.stated = stated  # where operands and results are said to be, in text that users read
        self.called = called  # what the user calls the function
        self.paths = paths  # where in the caller's tree results are; their positions if there are none
        self.meshes = None if layout is None else Meshes(layout.mesh)
        self.mesh: Any = None  # of the manual computation that is being written, and which of its axes are manual
        self.manual_axes: frozenset = frozenset()
        self.channels = 0  # for collectives, each has its own
        self.groups = 0  # of values that are divided alike

    def function(self, closed: ClosedJaxpr, name: str, asked: tuple[tuple, tuple] = ((), ())) -> str:
        """Return the symbol of the private function of a program; it is written the first time.

        Args:
          asked: how its operands and results are to be divided, None for those of which the call does not say it.
        """
        key = closed.jaxpr, self.mesh, self.manual_axes, asked
        found = self.names.get(key)
        if found is None:
            found = base = name or "f"
            while found in self.taken:
                found = f"{base}_{self.repeated}"
                self.repeated += 1
            self.taken.add(found)
            found = self.names[key] = symbol(found)
            place = len(self.functions)
            self.functions.append("")  # it comes before those that it calls
            self.functions[place] = write_function(self, closed, found, "private", asked)
        return found


# Primitives whose rules say themselves how results are divided, or whose programs do.
_DIVIDED_BY_RULES = {"jit", "reshard", "sharding_constraint"}
# JAX parity: primitives of whose results the text says nothing over explicit mesh axes.
_UNTOLD = {"eq", "ne", "lt", "le", "gt", "ge"}


class Writer:
    """The lines of one function under construction."""

    def __init__(self, module: Module):
        self.module = module
        self.lines: list[str] = []
        self.around: tuple[str, ...] = ()  # what names where operations come from, around the scopes of an equation
        self.count = 0
        self.indent = FUNCTION_INDENT
        self.told: set[str] = set()  # names of values that are said to be divided as their types are
        self.token = Value("", abstract_token)  # after the last ordered effect, where there are some

    def fresh(self, aval: ShapedArray) -> Value:
        return Value(self.label(), aval)

    def label(self, kind: str = "") -> str:
        """Return a new name, for a value of this kind; `names.py` knows which name it has in the end."""
        self.count += 1
        return f"%{kind}.{self.count}" if kind else f"%{self.count}"

    def line(self, text: str) -> None:
        self.lines.append(" " * self.indent + text)

    def op(self, name: str, operands: Sequence[Value], out: ShapedArray, attributes: str = "",
           pretty: bool = False) -> Value:
        """Write one operation with one result; `pretty` operations have operands of the result's type."""
        value = self.fresh(out)
        args = ", ".join(v.name for v in operands)
        types = value.type if pretty else f"({', '.join(v.type for v in operands)}) -> {value.type}"
        self.line(f"{value.name} = {name}{' ' + args if args else ''}{attributes} : {types}")
        return value

    def constant(self, array, aval: ShapedArray) -> Value:
        value = Value(self.label("cst" if dtypes.issubdtype(physical(aval).dtype, np.inexact) else "c"), aval)
        array, kept = np.asarray(array), self.module.kept
        if kept is not None and array.size > _MAX_ELEMENTS_WRITTEN_OUT:
            text = f'dense<"#{len(kept)}"> : {value.type}'
            kept.append(typed(array, value.aval))
        else:
            text = dense(array, value.aval)
        self.line(f"{value.name} = stablehlo.constant {text}")
        return value

    def broadcast(self, x: Value, shape: tuple[int, ...]) -> Value:
        """Return `x`, of equal rank or rank 0, stretched to `shape`."""
        if x.aval.shape == shape:
            return x
        dims = list(range(len(shape))) if x.aval.shape else []
        out = x.aval.update(shape=shape)
        return self.op("stablehlo.broadcast_in_dim", [x], out, f", dims = {dims}")

    def stretched(self, x: Value, eqn: JaxprEqn) -> Value:
        """Return an operand, stretched to the shape of the result of an operation, and divided as that is."""
        aval = eqn.outvars[0].aval
        wide = self.broadcast(x, aval.shape)
        if wide is x:
            return x
        return self._divided(Value(wide.name, wide.aval.update(explicit_sharding=aval.explicit_sharding)), eqn, None)

    def number(self, n, aval: ShapedArray) -> Value:
        """Return an integer, or a length that is an expression, as a value."""
        if isinstance(n, Dimension):
            value = Value(self.label("c"), aval)
            self.line(f"{value.name} = adjoint.dimension {quoted(str(n))} : {value.type}")
            return value
        return self.constant(np.asarray(n, aval.dtype), aval)

    def splat(self, value, aval: ShapedArray) -> Value:
        """Return an array full of one value."""
        one = self.constant(np.asarray(value).astype(aval.dtype), aval.update(shape=()))
        return self.broadcast(one, aval.shape)

    def compare(self, direction: str, x: Value, y: Value, kind: str = "") -> Value:
        value = self.fresh(x.aval.update(dtype=dtypes.bool_))
        self.line(f"{value.name} = stablehlo.compare {direction}, {x.name}, {y.name}, "
                  f"{kind or comparison(x.aval.dtype)} : ({x.type}, {y.type}) -> {value.type}")
        return value

    def select(self, which: Value, x: Value, y: Value) -> Value:
        """Return `x` where `which` holds, else `y`."""
        value = self.fresh(x.aval)
        self.line(f"{value.name} = stablehlo.select {which.name}, {x.name}, {y.name} : {which.type}, {value.type}")
        return value

    def written(self, fun: Callable, operands: Sequence[Value]) -> list[Value]:
        """Return the program of a function of arrays that returns a list, in place."""
        before, state.is_again = state.is_again, True  # its mesh is that of the operands: inside of `shard_map`, say
        try:
            with current(state.bottom):
                closed = stage_closed(fun, [x.aval for x in operands])
        finally:
            state.is_again = before
        return self.program(closed, operands)

    def custom_call(self, target: str, operands: Sequence[Value], outs: Sequence[ShapedArray], *attributes: str):
        """Return a call of a function that the runtime knows by its name -> its results."""
        left, results = self.results(outs)
        types, found = ", ".join(x.type for x in operands), ", ".join(x.type for x in results)
        self.line(
            f"{left}stablehlo.custom_call @{target}({', '.join(x.name for x in operands)}) "
            f"{{{', '.join(attributes)}}} : ({types}) -> {found if len(outs) == 1 else f'({found})'}"
        )
        return results

    def new_token(self) -> Value:
        """Return the token that a row of ordered effects begins with."""
        token = self.fresh(abstract_token)
        self.line(f"{token.name} = stablehlo.create_token : {token.type}")
        return token

    def chlo(self, name: str, operands: Sequence[Value], out: ShapedArray) -> Value:
        """Return a special function."""
        value = self.fresh(out)
        types = ", ".join(x.type for x in operands)
        self.line(f"{value.name} = chlo.{name} {', '.join(x.name for x in operands)} : {types} -> {value.type}")
        return value

    def program(self, closed: ClosedJaxpr, operands: Sequence[Value], part: str = "") -> list[Value]:
        """Return the equations of a program in place, which is this part of the equation that is written."""
        around = self.around
        self.around = (*around, part) if part else around
        env: dict = {}
        for v, c in zip(closed.jaxpr.constvars, closed.consts):
            env[v] = self.constant(c._buffer if isinstance(c, ArrayImpl) else c, v.aval)
        env.update(zip(closed.jaxpr.invars, operands, strict=True))

        def read(v):
            return self.constant(np.asarray(v.val, v.aval.dtype), v.aval) if isinstance(v, Literal) else env[v]

        for eqn in closed.jaxpr.eqns:
            env.update(zip(eqn.outvars, self.equation(eqn, [read(v) for v in eqn.invars]), strict=True))
        self.around = around
        return [read(v) for v in closed.jaxpr.outvars]

    def equation(self, eqn: JaxprEqn, operands: list[Value]) -> list[Value]:
        if not self.module.locations:
            return self._equation(eqn, operands)
        start, around = len(self.lines), self.around
        self.around = (*around, *filter(None, [eqn.source_info.name_stack]))
        out = self._equation(eqn, operands)
        text, self.around = _location(eqn, self.around), around
        for i in range(start, len(self.lines)):
            line = self.lines[i]
            if line.lstrip().startswith("%") and not line.endswith("{") and " loc(" not in line:
                self.lines[i] = line + text
        return out

    def _equation(self, eqn: JaxprEqn, operands: list[Value]) -> list[Value]:
        rule = lowering_of(eqn)
        if rule is None and eqn.primitive.expand_rule is not None:
            return self.program(expanded(eqn), operands)
        if rule is None:
            return self.on_host(eqn, operands)
        out = rule(self, eqn, operands)
        asked = asked_of(eqn.primitive, eqn.params)
        return [x if x in operands else self._divided(x, eqn, asked) for x in (out if isinstance(out, list) else [out])]

    def _divided(self, x: Value, eqn: JaxprEqn, asked) -> Value:
        """Return a result; where the compiler divides along other mesh axes, it is told what the type says.

        Text that users read says it of all results, as JAX's does: a module for them has the paths of its results.
        """
        explicit = getattr(x.aval, "explicit_sharding", None)
        explicit = asked if explicit is None else explicit
        p = eqn.primitive
        if not isinstance(explicit, NamedSharding) or p.per_device_rule is not None or p.name in _DIVIDED_BY_RULES:
            return x
        kinds = explicit.mesh.axis_types
        if AxisType.Explicit not in kinds:
            return x
        if AxisType.Auto not in kinds and (not self.module.paths or p.name in _UNTOLD and x.aval.dtype == dtypes.bool_):
            return x
        out = self.constrained(x, explicit, AxisType.Auto in kinds)
        self.told.add(out.name)
        return out

    def constrained(self, x: Value, sharding, is_open: bool = False) -> Value:
        """Return a value, divided as a sharding says it; if it is open, the compiler may divide it further."""
        if self.module.meshes is None or not isinstance(sharding, NamedSharding):
            return x
        out = self.fresh(x.aval)
        mesh, used = sharding.mesh, {n for entry in sharding.spec for n in names_of(entry)}
        closed = [n for n in mesh.explicit_axes if n not in used] if is_open else ()
        text = self.module.meshes.sharding(mesh, sharding.spec, x.aval, self.module.manual_axes, is_open, closed)
        self.line(f"{out.name} = sdy.sharding_constraint {x.name} {text} : {x.type}")
        return out

    def results(self, avals: Sequence[ShapedArray]) -> tuple[str, list[Value]]:
        """Return the left side of an operation with results of these types, and the results."""
        label = self.label()
        if len(avals) == 1:
            return f"{label} = ", [Value(label, avals[0])]
        return f"{label}:{len(avals)} = " if avals else "", [Value(f"{label}#{i}", a) for i, a in enumerate(avals)]

    def on_host(self, eqn: JaxprEqn, operands: list[Value]) -> list[Value]:
        """Return the equation evaluated in Python; what it does beside that happens once, and in order if it must."""
        run, several = evaluation(eqn), eqn.primitive.multiple_results
        out_avals = [v.aval for v in eqn.outvars]
        rule = eqn.primitive.effects_rule
        effects = rule(eqn.params) if rule else ()
        ordered = any([isinstance(e, OrderedDebugEffect | OrderedIOEffect) for e in effects])
        step = HostStep(
            run if several else lambda *xs: [run(*xs)], [v.aval for v in eqn.invars], out_avals, ordered
        )
        self.module.steps.append(step)
        attributes = ["api_version = 4 : i32", f"backend_config = {{index = {len(self.module.steps) - 1} : ui64}}"]
        if effects:
            attributes.append("has_side_effect = true")
        if eqn.primitive.calls_python and self.module.meshes is not None and not self.module.manual_axes:
            attributes.append(self._on_one(eqn, len(out_avals) + ordered))
        device = "gpu" if self.module.platform in ("cuda", "rocm") else "cpu"
        kind = ""
        in_parts = eqn.params.get("partitioned") and operands and self.module.meshes is not None
        if in_parts and not self.module.manual_axes:
            if ordered:
                raise refused_order(self.module.meshes.size)
            kind = "partitioned_"  # each device calls, with its part
            ranks = [x.aval.ndim for x in operands]
            layouts = [f"dense<{[*reversed(range(n))] or ''}> : tensor<{n}xindex>" for n in ranks]
            attributes.append(f"operand_layouts = [{', '.join(layouts)}], result_layouts = []")
        target = f"xla_ffi_{kind}python_{device}_callback"  # how the runtime calls Python
        if not ordered:
            return self.custom_call(target, operands, out_avals, *attributes)
        self.token, *outs = self.custom_call(
            target, [self.token, *operands], [abstract_token, *out_avals], *attributes
        )
        return outs

    def _on_one(self, eqn: JaxprEqn, count: int) -> str:
        """Return the attribute of a call that one device of the mesh makes, for all, with whole operands."""
        place = eqn.params.get("sharding")
        number = 0 if place is None else self.module.meshes.number(*place.device_set)
        one = f"<@{self.module.meshes.name_of_one(number)}, []>"
        return f"sdy.sharding = #sdy.sharding_per_value<[{', '.join([one] * max(count, 1))}]>"

    def returned(self, values: Sequence[Value], op: str = "stablehlo.return") -> None:
        names, types = ", ".join(v.name for v in values), ", ".join(v.type for v in values)
        self.line(f"{op} {names} : {types}" if values else op)


def _location(eqn: JaxprEqn, scopes: Sequence[str]) -> str:
    """Return where an equation comes from: the scopes, and the line of the user."""
    info, own = eqn.source_info, eqn.primitive.name
    name = quoted("/".join([*scopes, f"jit({eqn.params['name']})" if own == "jit" else own]))
    if info.code is None:
        return f" loc({name})"
    frame = locate(info.code, info.offset)
    return f" loc({name}({quoted(frame.file)}:{frame.line}:0))"


def lowering_of(eqn: JaxprEqn) -> Callable | None:
    """Return what writes an operation."""
    if _on_keys(eqn):
        return KEY_RULES.get(eqn.primitive.name)
    return eqn.primitive.lower_rule or RULES.get(eqn.primitive.name)


def _on_keys(eqn: JaxprEqn) -> bool:
    """Return whether an operation is on random keys, whose words are further axes that its parameters do not know."""
    keys = any([isinstance(v.aval.dtype, dtypes.ExtendedDType) for v in (*eqn.invars, *eqn.outvars)])
    return keys and not any(True for _ in sub_jaxprs(eqn.params))


def comparison(dtype) -> str:
    """Return how elements are compared."""
    if dtypes.issubdtype(dtype, np.inexact):
        return "FLOAT"
    return "SIGNED" if dtypes.issubdtype(dtype, np.signedinteger) else "UNSIGNED"


def typed(array: np.ndarray, aval: ShapedArray) -> np.ndarray:
    """Return a constant's elements in the order of its axes; those of keys are words."""
    if array.dtype.kind == "V" and aval.dtype == dtypes.uint32:
        array = array.reshape(-1).view(np.uint32).reshape(aval.shape)  # a single key has no axis to view
    return np.ascontiguousarray(array, aval.dtype)


def dense(array: np.ndarray, aval: ShapedArray) -> str:
    """Return a constant's attribute and type; short where all elements are equal, bytes in hex otherwise."""
    array = typed(array, aval)
    if array.size == 0:
        return f"dense<> : {tensor(aval)}"
    first = array.reshape(-1)[:1]
    if array.size == 1 or (array.reshape(-1).view(f"V{array.itemsize}") == first.view(f"V{array.itemsize}")).all():
        return f"dense<{scalar_text(first[0])}> : {tensor(aval)}"
    if array.size <= _MAX_ELEMENTS_WRITTEN_OUT:
        return f"dense<{_list_text(array)}> : {tensor(aval)}"
    return f'dense<"0x{array.tobytes().hex().upper()}"> : {tensor(aval)}'


def _list_text(array: np.ndarray) -> str:
    return f"[{', '.join([_list_text(a) if array.ndim > 1 else scalar_text(a) for a in array])}]"


def quoted(text: str) -> str:
    """Return a string of the text."""
    plain = lambda c: c.isascii() and c.isprintable() and c != '"'
    text = text.replace("\\", "\\\\")
    return '"' + "".join([c if plain(c) else "".join(f"\\{b:02X}" for b in c.encode()) for c in text]) + '"'


def symbol(name: str) -> str:
    """Return a name of the text that is no value's."""
    return f"@{name}" if re.fullmatch(r"[A-Za-z_][\w$.]*", name, re.ASCII) else f"@{quoted(name)}"


def scalar_text(x) -> str:
    """Return a number as constants and attributes have it."""
    kind = x.dtype.kind
    if kind == "b":
        return "true" if x else "false"
    if kind in "iu" or x.dtype.name.startswith(("int", "uint")):
        return str(int(x))
    if kind == "c":
        return f"({scalar_text(x.real)},{scalar_text(x.imag)})"
    return _float_text(x) or "0x" + np.asarray(x).tobytes()[::-1].hex().upper()


def _float_text(x) -> str:
    """Return the form that MLIR prints: six digits where they tell it, else all; empty where it prints the bits."""
    number = float(x)
    if not isfinite(number):
        return ""
    sign = "-" if copysign(1, number) < 0 else ""
    digits, exponent = _decimal(number, 6)
    power = len(digits) - 1 + exponent
    text = f"{sign}{digits[0]}.{digits[1:]:0<6}e{power:+03}"
    if x.dtype.type(float(text)) == x:
        return text
    precision = 2 + (dtypes.finfo(x.dtype).nmant + 1) * 59 // 196
    digits, exponent = _decimal(number, precision)
    power = len(digits) - 1 + exponent
    if -3 <= power and exponent < 0:
        digits = digits.zfill(1 - exponent)
        return f"{sign}{digits[:exponent]}.{digits[exponent:]}"
    if 0 <= exponent <= 3 and power < precision:
        return ""
    return f"{sign}{digits[0]}.{digits[1:] or '0'}E{power:+}"


def _decimal(number: float, precision: int) -> tuple[str, int]:
    """Return at most so many decimal digits of a number, and the power of ten of the last.

    LLVM first drops what is surely of no use, then rounds halves up.
    """
    if not number:
        return "0", 0
    whole, divisor = abs(number).as_integer_ratio()
    exponent = 1 - divisor.bit_length()
    whole *= 5 ** -exponent
    useless = max(whole.bit_length() - (precision * 196 + 58) // 59, 0) * 59 // 196
    digits = str(whole // 10 ** useless)
    exponent += useless
    if len(digits) > precision:
        exponent += len(digits) - precision
        digits = str(int(digits[:precision]) + (digits[precision] >= "5"))
    kept = digits.rstrip("0")
    return kept, exponent + len(digits) - len(kept)


def write_function(
    module: Module, closed: ClosedJaxpr, name: str, visibility: str, asked: tuple[tuple, tuple] = ((), ()),
) -> str:
    """Return the text of a function that runs a program, whose operands and results are divided as is `asked`."""
    w = Writer(module)
    ordered, public = is_ordered(closed.jaxpr), visibility == "public"
    starts = public and module.meshes is not None  # programs over several devices run one after the other
    ordered_by_caller = ordered and not starts
    arguments = [Value(f"%arg{i}", a) for i, a in enumerate(closed.in_avals, ordered_by_caller)]
    if ordered_by_caller:
        w.token = Value("%arg0", abstract_token)
    elif ordered:
        w.token = w.new_token()
    ins_asked, outs_asked = asked
    if public:
        w.around = (f"jit({module.called})",)
    given = [w.constrained(x, s) for x, s in zip(arguments, ins_asked, strict=True)] if ins_asked else arguments
    outs = w.program(closed, given)
    if outs_asked:
        outs = [w.constrained(x, s) for x, s in zip(outs, outs_asked, strict=True)]
    if public:
        w.told.update([v.name for v in arguments])
        memories = _memories(module, closed)
        outs = _in_memories(w, _by_types(w, closed, outs), memories[1])
    results = [v.type for v in outs]
    head = [f"{v.name}: {v.type}" for v in arguments]
    if public:
        ins, places = _attributes(module, arguments, outs, memories)
        head = [f"{h} {{{a}}}" if a else h for h, a in zip(head, ins)]
        results = [f"{t} {{{a}}}" for t, a in zip(results, places)]
    if ordered_by_caller:
        outs.insert(0, w.token)
        marked = w.token.type + (" {jax.token = true}" if public else "")
        head.insert(0, f"%arg0: {marked}")
        results.insert(0, marked)
    w.returned(outs, "return")
    types = ", ".join(results) if len(results) == 1 and not public else f"({', '.join(results)})"
    arrow = f" -> {types}" if results else ""
    body = "\n".join(named(w.lines, len(head)))
    return f"  func.func {visibility} {name}({', '.join(head)}){arrow} {{\n{body}\n  }}"


def _by_types(w: Writer, closed: ClosedJaxpr, outs: list[Value]) -> list[Value]:
    """Results, divided over explicit mesh axes as their types say, where the compiler may choose along others."""
    layout = w.module.layout
    kinds = () if layout is None else layout.mesh.axis_types
    if layout is None or not {AxisType.Auto, AxisType.Explicit} <= {*kinds}:
        return outs
    spec = lambda aval: () if aval.explicit_sharding is None else aval.explicit_sharding.spec
    typed = layout.typed or (True,) * len(outs)
    return [x if s is not None or x.name in w.told or not is_typed else
            w.constrained(x, NamedSharding(layout.mesh, PartitionSpec(*spec(a))), True)
            for x, a, s, is_typed in zip(outs, closed.out_avals, layout.outs, typed)]


def _memories(module: Module, closed: ClosedJaxpr) -> tuple[list, list]:
    """Return the kinds of memory of operands and results, None for those of which the text says nothing."""
    if module.stated is None:
        return [None] * len(closed.in_avals), [None] * len(closed.out_avals)
    ins, results = module.stated
    kinds = [None if s is None else s.memory_kind for s in ins]
    own = ["device" if a.memory_space is None else "pinned_host" for a in closed.out_avals]
    found = [kind if s is None else s.memory_kind for s, kind in zip(results, own, strict=True)]
    if {*kinds, *found} <= {None, "device"}:
        return [None] * len(kinds), [None] * len(found)
    return kinds, found


def _in_memories(w: Writer, outs: list[Value], kinds: list) -> list[Value]:
    """Return results; the text says of those that the call puts somewhere in which memory, if one is of another kind.
    """
    if w.module.stated is None:
        return outs
    return [x if kind is None or s is None else w.custom_call(
                "annotate_device_placement", [x], [x.aval], 'backend_config = ""', "has_side_effect = true",
                f'mhlo.frontend_attributes = {{_xla_buffer_placement = "{kind}"}}')[0]
            for x, s, kind in zip(outs, w.module.stated[1], kinds)]


def _attributes(module: Module, arguments, outs, memories: tuple[list, list]) -> tuple[list[str], list[str]]:
    """Return what is said of the operands and the results of the main function."""
    ins: list[list[str]] = [[] for _ in arguments]
    paths = module.paths or (["result"] if len(outs) == 1 else [f"result[{i}]" for i in range(len(outs))])
    results = [[f"jax.result_info = {quoted(path)}"] for path in paths]
    donated, said = set(module.donated), None
    for texts, kind in zip([*ins, *results], [*memories[0], *memories[1]]):
        texts += [] if kind is None else [f'mhlo.memory_kind = "{kind}"']
    if module.stated is not None:
        for texts, v, sharding in zip([*ins, *results], [*arguments, *outs], [*module.stated[0], *module.stated[1]]):
            if isinstance(sharding, SingleDeviceSharding):
                texts.append(on_one_device(physical(v.aval)))
    if (layout := module.layout) is not None and module.meshes is not None:
        for texts, v, sharding in zip(ins, arguments, layout.ins, strict=True):
            if isinstance(sharding, NamedSharding):
                texts.append(module.meshes.attribute(sharding, v.aval))
        for texts, v, sharding in zip(results, outs, layout.outs, strict=True):
            if isinstance(sharding, NamedSharding):
                texts.append(module.meshes.attribute(sharding, v.aval))
        donated.update([i for i, is_donated in enumerate(layout.donated) if is_donated])
        said = [(s.spec, s.mesh) if isinstance(s, NamedSharding) else None for s in (*layout.ins, *layout.outs)]
    free = {j: v.aval for j, v in enumerate(outs) if said is None or said[len(arguments) + j] is not None}
    for i in sorted(donated):
        given = arguments[i].aval
        for j, aval in free.items():
            if aval.shape == given.shape and aval.dtype == given.dtype and (
                    said is None or said[i] == said[len(arguments) + j]):
                ins[i].append(f"tf.aliasing_output = {j} : i32")
                del free[j]
                break
        else:
            ins[i].append("jax.buffer_donor = true")
    return [", ".join(sorted(t)) for t in ins], [", ".join(t) for t in results]
