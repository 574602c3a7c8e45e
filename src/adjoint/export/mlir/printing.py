"""Operations as StableHLO's text, in MLIR's general form: `"stablehlo.add"(%0, %1) : (...) -> ...`.

Tests: `tests/export/mlir/test_bytecode.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .elements import array_of
from .ir import (
    Accuracy,
    Alias,
    Block,
    Dense,
    Enum,
    Fields,
    Float,
    Integer,
    Numbers,
    Opaque,
    Operation,
    Symbol,
    TypeOf,
    Unit,
    Value,
)

__all__ = ["module_text"]

_SHOWN = 16  # elements of a constant that are written out


class _Printer:
    def __init__(self):
        self.lines: list[str] = []
        self.names: dict[Value, str] = {}
        self.count = 0

    def line(self, depth: int, text: str) -> None:
        self.lines.append("  " * depth + text)

    def name(self, value: Value) -> str:
        return self.names[value]

    def define(self, values: list[Value], prefix: str = "") -> str:
        if prefix:
            for value in values:
                self.names[value] = f"%{prefix}{self.count}"
                self.count += 1
            return ", ".join([f"{self.names[v]}: {v.type}" for v in values])
        label = f"%{self.count}"
        self.count += 1
        if len(values) == 1:
            self.names[values[0]] = label
            return f"{label} = "
        self.names.update({v: f"{label}#{i}" for i, v in enumerate(values)})
        return f"{label}:{len(values)} = " if values else ""

    def function(self, op: Operation, depth: int) -> None:
        a, body = op.attributes, op.body
        self.names, self.count = {}, 0
        marks = a.get("arg_attrs") or ((),) * len(body.arguments)
        self.define(body.arguments, "arg")
        self.count = 0
        head = ", ".join([f"{self.name(v)}: {v.type}{_marks(m)}" for v, m in zip(body.arguments, marks)])
        outs = a["function_type"].type.outs
        marks = a.get("res_attrs") or ((),) * len(outs)
        results = ", ".join([f"{t}{_marks(m)}" for t, m in zip(outs, marks)])
        self.line(depth, f"func.func {a['sym_visibility']} @{a['sym_name']}({head}) -> ({results}) {{")
        self.block(body, depth + 1)
        self.line(depth, "}")

    def block(self, block: Block, depth: int) -> None:
        for op in block.operations:
            self.operation(op, depth)

    def operation(self, op: Operation, depth: int) -> None:
        if op.name == "func":
            return self.function(op, depth)
        if op.name == "return":
            types = ", ".join([str(v.type) for v in op.operands])
            names = ", ".join(map(self.name, op.operands))
            word = "return" if depth == 2 else "stablehlo.return"
            return self.line(depth, f"{word} {names} : {types}" if names else word)
        operands = ", ".join(map(self.name, op.operands))
        types = f"({', '.join([str(v.type) for v in op.operands])})"
        left = self.define(op.results) if op.results else ""
        outs = ", ".join([str(v.type) for v in op.results])
        arrow = f"{types} -> {outs if len(op.results) == 1 else f'({outs})'}"
        if op.name == "constant":
            return self.line(depth, f"{left}stablehlo.constant {attribute_text(op.attributes['value'])}")
        if op.name == "call":
            return self.line(depth, f"{left}call @{op.attributes['callee']}({operands}) : {arrow}")
        fields = [f"{name} = {attribute_text(value)}" for name, value in op.attributes.items()
                  if name not in ("result_accuracy",) and not (isinstance(op.said, Fields) and op.said.get(name))]
        words = f" <{{{', '.join(fields)}}}>" if fields else ""
        full = op.name if "." in op.name else f"stablehlo.{op.name}"
        if not op.regions:
            return self.line(depth, f'{left}"{full}"({operands}){words} : {arrow}')
        self.line(depth, f'{left}"{full}"({operands}){words} ({{')
        for i, region in enumerate(op.regions):
            if i:
                self.line(depth, "}, {")
            before = self.count
            for block in region:
                if block.arguments:
                    self.line(depth, f"^bb0({self.define(block.arguments, 'arg_')}):")
                self.block(block, depth + 1)
            self.count = before
        self.line(depth, f"}}) : {arrow}")
        return None


def _marks(fields) -> str:
    if not fields:
        return ""
    return f" {{{', '.join([f'{name} = {attribute_text(value)}' for name, value in fields])}}}"


def _number(x: Any) -> str:
    if x.dtype == bool:
        return str(bool(x)).lower()
    return f"({x.real},{x.imag})" if x.dtype.kind == "c" else str(x)


def attribute_text(a: Any) -> str:
    """Return an attribute as the text has it."""
    if isinstance(a, bool):
        return str(a).lower()
    if isinstance(a, str):
        return '"' + a.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\0A") + '"'
    if isinstance(a, Integer):
        return f"{a.value} : {a.type}"
    if isinstance(a, Float):
        return f"0x{a.bits & ((1 << 64) - 1):X} : {a.type}"
    if isinstance(a, Numbers):
        return f"array<{a.element}: {', '.join(map(str, a.values)).lower()}>"
    if isinstance(a, Dense):
        if "!" in a.type.element or None in a.type.shape:
            return f"dense<...> : {a.type}"
        found = array_of(a)
        if found.size > 1 and len(a.data) <= found.dtype.itemsize and found.dtype != bool:
            return f"dense<{_number(found.reshape(-1)[0])}> : {a.type}"
        if found.size > _SHOWN:
            return f'dense<"0x{a.data.hex().upper()}"> : {a.type}'
        return f"dense<{_nested(found)}> : {a.type}"
    if isinstance(a, Enum):
        return f"#stablehlo<{a.kind} {a.name}>"
    if isinstance(a, TypeOf):
        return str(a.type)
    if isinstance(a, Symbol):
        return f"@{a.name}"
    if isinstance(a, Unit):
        return "unit"
    if isinstance(a, Alias):
        return (f"#stablehlo.output_operand_alias<output_tuple_indices = {list(a.output)}, operand_index = "
                f"{a.operand}, operand_tuple_indices = {list(a.inside)}>")
    if isinstance(a, Accuracy):
        return f"#stablehlo.result_accuracy<mode = {a.mode}>"
    if isinstance(a, Fields):
        return f"{{{', '.join([f'{k} = {attribute_text(v)}' for k, v in a])}}}"
    if isinstance(a, Opaque):
        return f"#{a.dialect}<{a.data.decode('utf8', 'replace')!r}>"
    if isinstance(a, tuple):
        return f"[{', '.join(map(attribute_text, a))}]"
    return str(a)


def _nested(x: np.ndarray) -> str:
    return f"[{', '.join(map(_nested, x))}]" if x.ndim else _number(x[()])


def module_text(module: Operation) -> str:
    """Return the text of a module."""
    printer = _Printer()
    name = module.attributes.get("sym_name")
    said = _marks(module.said)
    printer.line(0, f"module {f'@{name} ' if name else ''}{f'attributes{said} ' if said else ''}{{")
    printer.block(module.body, 1)
    printer.line(0, "}")
    return "\n".join(printer.lines) + "\n"
