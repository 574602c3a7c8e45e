"""Jaxprs as StableHLO: the text that XLA compilers read.

`Writer` holds the text of one function and names its values. How a primitive is written is its `lower`
rule, `(writer, equation, operands) -> results`, registered in `lowerings.py`. A called program becomes a
private function, written once however often it is called.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ...array.array import ArrayImpl
from ...core import dtypes
from ...core.jaxpr import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, sub_jaxprs
from ...core.types import ShapedArray
from ..numpy.program import evaluation, expanded

__all__ = ["HostStep", "Value", "Writer", "module_and_steps", "module_text", "tensor"]

_ELEMENTS = {
    "bool": "i1", "bfloat16": "bf16", "float16": "f16", "float32": "f32", "float64": "f64",
    "complex64": "complex<f32>", "complex128": "complex<f64>",
    **{f"int{n}": f"i{n}" for n in (2, 4, 8, 16, 32, 64)},
    **{f"uint{n}": f"ui{n}" for n in (2, 4, 8, 16, 32, 64)},
}


def physical(aval: ShapedArray) -> ShapedArray:
    """Keys are stored as their words, in further axes."""
    if isinstance(aval.dtype, dtypes.ExtendedDType):
        words = aval.dtype._impl.key_shape
        return ShapedArray((*aval.shape, *words), dtypes.uint32)
    return aval


def element(dtype) -> str:
    name = dtype.name
    if name in _ELEMENTS:
        return _ELEMENTS[name]
    if name.startswith(("float8", "float4")):
        return name.replace("float", "f").replace("_", "").upper().replace("F", "f", 1).replace("FN", "FN")
    raise NotImplementedError(f"StableHLO has no element type for dtype {name}.")


def tensor(aval: ShapedArray) -> str:
    """`tensor<2x3xf32>`"""
    aval = physical(aval)
    return f"tensor<{''.join(f'{n}x' for n in aval.shape)}{element(aval.dtype)}>"


class Value:
    """A named value of the text and its type."""

    __slots__ = ("aval", "name")

    def __init__(self, name: str, aval: ShapedArray):
        self.name = name
        self.aval = physical(aval)

    @property
    def type(self) -> str:
        return tensor(self.aval)


FUNCTION_INDENT = 4  # of the lines of a function that are in no region


class HostStep(NamedTuple):
    """An operation that the program asks Python for: NumPy buffers -> list of buffers."""

    run: Callable
    in_avals: list[ShapedArray]
    out_avals: list[ShapedArray]


class Module:
    """The functions of a module, and the names of programs that are written already."""

    def __init__(self, rules: dict):
        self.rules = rules
        self.steps: list[HostStep] = []
        self.functions: list[str] = []
        self.names: dict[Jaxpr, str] = {}

    def function(self, closed: ClosedJaxpr, name: str) -> str:
        """The name of the private function of a program; it is written the first time."""
        found = self.names.get(closed.jaxpr)
        if found is None:
            taken = set(self.names.values()) | {"main"}
            base = re.sub(r"\W", "_", name) or "f"
            found = base
            for i in range(len(taken) + 1):
                found = f"{base}_{i}" if i else base
                if found not in taken:
                    break
            self.names[closed.jaxpr] = found
            self.functions.append(write_function(self, closed, found, "private"))
        return found


class Writer:
    """The lines of one function under construction."""

    def __init__(self, module: Module):
        self.module = module
        self.lines: list[str] = []
        self.count = 0
        self.indent = FUNCTION_INDENT

    def fresh(self, aval: ShapedArray) -> Value:
        self.count += 1
        return Value(f"%{self.count - 1}", aval)

    def line(self, text: str) -> None:
        self.lines.append(" " * self.indent + text)

    def op(self, name: str, operands: Sequence[Value], out: ShapedArray, attributes: str = "",
           pretty: bool = False) -> Value:
        """One operation with one result; `pretty` operations have operands of the result's type."""
        value = self.fresh(out)
        args = ", ".join(v.name for v in operands)
        types = value.type if pretty else f"({', '.join(v.type for v in operands)}) -> {value.type}"
        self.line(f"{value.name} = {name} {args}{attributes} : {types}")
        return value

    def constant(self, array, aval: ShapedArray) -> Value:
        value = self.fresh(aval)
        self.line(f"{value.name} = stablehlo.constant {dense(np.asarray(array), value.aval)}")
        return value

    def broadcast(self, x: Value, shape: tuple[int, ...]) -> Value:
        """`x`, of equal rank or rank 0, stretched to `shape`."""
        if x.aval.shape == shape:
            return x
        dims = list(range(len(shape))) if x.aval.shape else []
        out = x.aval.update(shape=shape)
        return self.op("stablehlo.broadcast_in_dim", [x], out, f", dims = {dims}")

    def program(self, closed: ClosedJaxpr, operands: Sequence[Value]) -> list[Value]:
        """The equations of a program in place."""
        env: dict = {}
        for v, c in zip(closed.jaxpr.constvars, closed.consts):
            env[v] = self.constant(c._buffer if isinstance(c, ArrayImpl) else c, v.aval)
        env.update(zip(closed.jaxpr.invars, operands, strict=True))

        def read(v):
            return self.constant(np.asarray(v.val, v.aval.dtype), v.aval) if isinstance(v, Literal) else env[v]

        for eqn in closed.jaxpr.eqns:
            env.update(zip(eqn.outvars, self.equation(eqn, [read(v) for v in eqn.invars]), strict=True))
        return [read(v) for v in closed.jaxpr.outvars]

    def equation(self, eqn: JaxprEqn, operands: list[Value]) -> list[Value]:
        rule = eqn.primitive.lower_rule or self.module.rules.get(eqn.primitive.name)
        if rule is None and eqn.primitive.expand_rule is not None:
            return self.program(expanded(eqn), operands)
        if rule is None or _on_keys(eqn):
            return self.on_host(eqn, operands)
        out = rule(self, eqn, operands)
        return out if isinstance(out, list) else [out]

    def results(self, avals: Sequence[ShapedArray]) -> tuple[str, list[Value]]:
        """The left side of an operation with results of these types, and the results."""
        label = f"%{self.count}"
        self.count += 1
        if len(avals) == 1:
            return f"{label} = ", [Value(label, avals[0])]
        return f"{label}:{len(avals)} = " if avals else "", [Value(f"{label}#{i}", a) for i, a in enumerate(avals)]

    def on_host(self, eqn: JaxprEqn, operands: list[Value]) -> list[Value]:
        """The equation evaluated in Python."""
        run, several = evaluation(eqn), eqn.primitive.multiple_results
        out_avals = [v.aval for v in eqn.outvars]
        step = HostStep(run if several else lambda *xs: [run(*xs)], [v.aval for v in eqn.invars], out_avals)
        self.module.steps.append(step)
        left, outs = self.results(out_avals)
        types, found = ", ".join(x.type for x in operands), ", ".join(x.type for x in outs)
        self.line(
            f"{left}stablehlo.custom_call @xla_ffi_python_cpu_callback({', '.join(x.name for x in operands)}) "
            f"{{api_version = 4 : i32, backend_config = {{index = {len(self.module.steps) - 1} : ui64}}}} : "
            f"({types}) -> {found if len(outs) == 1 else f'({found})'}"
        )
        return outs

    def returned(self, values: Sequence[Value], op: str = "stablehlo.return") -> None:
        names, types = ", ".join(v.name for v in values), ", ".join(v.type for v in values)
        self.line(f"{op} {names} : {types}" if values else op)


def _on_keys(eqn: JaxprEqn) -> bool:
    """Whether an operation is on random keys, whose words are further axes that its parameters do not know."""
    keys = any([isinstance(v.aval.dtype, dtypes.ExtendedDType) for v in (*eqn.invars, *eqn.outvars)])
    return keys and not any(True for _ in sub_jaxprs(eqn.params))


def dense(array: np.ndarray, aval: ShapedArray) -> str:
    """A constant's attribute and type; short where all elements are equal, bytes in hex otherwise."""
    if array.dtype.kind == "V" and aval.dtype == dtypes.uint32:
        array = array.view(np.uint32).reshape(aval.shape)
    array = np.ascontiguousarray(array, aval.dtype)
    if array.size == 0:
        return f"dense<> : {tensor(aval)}"
    first = array.reshape(-1)[:1]
    if array.size == 1 or (array.reshape(-1).view(f"V{array.itemsize}") == first.view(f"V{array.itemsize}")).all():
        return f"dense<{_scalar(first[0])}> : {tensor(aval)}"
    return f'dense<"0x{array.tobytes().hex().upper()}"> : {tensor(aval)}'


def _scalar(x) -> str:
    kind = x.dtype.kind
    if kind == "b":
        return "true" if x else "false"
    if kind in "iu" or x.dtype.name.startswith(("int", "uint")):
        return str(int(x))
    if kind == "c":
        return f"({_scalar(x.real)},{_scalar(x.imag)})"
    if np.isfinite(x) and x.dtype.name in ("float32", "float64"):
        text = np.format_float_scientific(x)
        return text if "." in text else text.replace("e", ".0e")
    return "0x" + np.asarray(x).tobytes()[::-1].hex().upper()


def write_function(module: Module, closed: ClosedJaxpr, name: str, visibility: str) -> str:
    """The text of a function that runs a program."""
    w = Writer(module)
    arguments = [Value(f"%arg{i}", a) for i, a in enumerate(closed.in_avals)]
    outs = w.program(closed, arguments)
    w.returned(outs, "return")
    head = ", ".join(f"{v.name}: {v.type}" for v in arguments)
    results = [v.type for v in outs]
    if visibility == "public":
        results = [f'{t} {{jax.result_info = "result{i if len(outs) > 1 else ""}"}}'
                   for i, t in enumerate(results)]
    arrow = f" -> ({', '.join(results)})" if results else ""
    body = "\n".join(w.lines)
    return f"  func.func {visibility} @{name}({head}){arrow} {{\n{body}\n  }}"


def module_text(closed: ClosedJaxpr, name: str) -> str:
    """The StableHLO module of a program."""
    return module_and_steps(closed, name)[0]


def module_and_steps(closed: ClosedJaxpr, name: str) -> tuple[str, list[HostStep]]:
    """The StableHLO module of a program, and the steps that it calls on the host, by number."""
    from . import indexed, lowerings, windowed

    module = Module(lowerings.RULES | windowed.RULES | indexed.RULES)
    main = write_function(module, closed, "main", "public")
    label = "jit_" + (re.sub(r"[^\w.$]", "_", name).strip("_") or "f")
    head = f"module @{label} attributes {{mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32}} {{"
    return "\n".join([head, main, *module.functions, "}"]) + "\n", module.steps
