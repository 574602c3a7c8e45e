"""Docstrings of primitives: their operands and results, from their rules and their first example.

A class of primitives keeps its own docstring; `Described` gives each of its objects another one when that is read.
What holds programs, or is inside of a mapped axis, shows a program that holds it: those are in `programs.py`.

Tests: `tests/extend/test_primitives.py`.
"""

from __future__ import annotations

import sys
from enum import Enum
from importlib import import_module
from typing import Any

from ..messages.errors import shorten
from ..types import aval_of

__all__ = ["Described"]

_RULES = ("jvp", "linearize", "transpose", "batch", "batch_axis")
_PLAIN = (bool, int, float, str, type(None))
_MAX_COLUMNS = 88
_PACKAGE = __name__.partition(".")[0]


class Described:
    """The docstring of a class of primitives, and of its objects, which say what they are themselves.

    Args:
      text: the docstring of the class.
    """

    def __init__(self, text: str | None):
        self.text = text

    def __get__(self, primitive: Any, owner: type | None = None) -> str | None:
        return self.text if primitive is None or not hasattr(primitive, "example_calls") else _description(primitive)


def _description(p: Any) -> str:
    """Return the docstring of a primitive."""
    lax = sys.modules.get(f"{_PACKAGE}.lax")
    function = getattr(lax, p.name, None)
    linear = ", linear in its operands" if p.linear else ""
    written = import_module(".programs", __package__).WRITTEN  # 50 kB, which only docstrings need
    sentence, program = written.get(p.name, ("", ""))
    lines = [f"Bind `{p.name}`: a primitive{linear}, which programs hold as an equation."]
    lines += [sentence, ""] if sentence else [""]
    examples = [e for e in p.example_calls if e[0]] or p.example_calls
    operands, params = examples[0] if examples else ((), {})
    types = [_type(x) for x in operands]
    lines += ["Args:", f"  args: its operands{', for example ' + ', '.join(types) if types else ''}."]
    lines += [f"  {name}: a parameter, for example {shorten(value, 80).rstrip('.')}." for name, value in params.items()]
    results = _results(p, operands, params)
    what = "A list of results" if p.multiple_results else "The result"
    lines += ["  params: its parameters."] * (not examples)
    lines += ["Returns:", f"  {what}{', here ' + results if results else ''}."]
    lines += ["Raises:", f"  TypeError: {_refused(p)}."]
    lines += [f"Rules: {', '.join(name for name in _RULES if getattr(p, name + '_rule') is not None) or 'none'}."]
    if callable(function):
        lines.append(f"See also: `lax.{p.name}`, the function that binds it.")
    name = f"{p.name}_p"
    if program:
        lines += ["", program.rstrip()]
    elif results and getattr(lax, name, None) is p and (call := _call(operands, params)) is not None:
        shown = "[x.aval for x in {}]" if p.multiple_results else "{}.aval"
        avals = p.infer(tuple(map(_aval, operands)), params)
        lines += ["", f">>> {shown.format(_written(f'lax.{name}.bind', call))}", repr(avals)]
    return "\n".join(lines)


def _aval(x: Any) -> Any:
    """Return the type of an operand of an example, which is a type or an array."""
    return x if hasattr(x, "str_short") else aval_of(x)


def _type(x: Any) -> str:
    aval = _aval(x)
    return aval.str_short(True) if hasattr(aval, "str_short") else type(x).__name__


def _results(p: Any, operands: tuple, params: dict[str, Any]) -> str | None:
    """Return the types of the results of an example; None where there is none, or where that is inside of a mesh."""
    if not p.example_calls or p.axes_rule is not None or p.runs_programs:
        return None
    found = p.infer(tuple(map(_aval, operands)), params)
    return ", ".join(map(_type, found)) if p.multiple_results else _type(found)


def _refused(p: Any) -> str:
    """Return which operands a primitive refuses, in words."""
    domains = getattr(p, "domains", None)
    if not domains:
        return "an operand is of a type that the operation is not defined for"
    kinds = " or ".join(kind.__name__ for kind in domains[0])
    return f"an operand is of no dtype that is {kinds}" + ", or dtypes or shapes differ" * (len(domains) > 1)


def _call(operands: tuple, params: dict[str, Any]) -> list[str] | None:
    """Return the arguments of an example as code; None where that is not short."""
    texts = [_array(x) for x in operands] + [(value := _value(v)) and f"{name}={value}" for name, v in params.items()]
    return None if None in texts else texts  # type: ignore[return-value]


def _written(function: str, arguments: list[str]) -> str:
    """Return a call as code, in one line if that is short, or else with a line for each argument."""
    line = f"{function}({', '.join(arguments)})"
    if len(line) <= _MAX_COLUMNS:
        return line
    return "\n...     ".join([f"{function}(", *(f"{argument}," for argument in arguments)]) + "\n... )"


def _array(x: Any) -> str | None:
    """Return an operand of an example as code, in whose type the values do not count; None where that is not plain."""
    x = _aval(x)
    plain = getattr(x, "placement", 0) is None and not x.weak_type
    return f"jnp.ones({x.shape}, {x.dtype.name!r})" if plain and x.dtype.kind in "fciub" else None


def _value(x: Any) -> str | None:
    """Return a parameter as code; None for what is no plain value."""
    if type(x) in _PLAIN:
        return repr(x)
    lax = sys.modules.get(f"{_PACKAGE}.lax")
    if hasattr(x, "example_calls"):
        return f"lax.{x.name}_p" if getattr(lax, f"{x.name}_p", None) is x else None
    if getattr(lax, type(x).__name__, None) is type(x) and isinstance(x, (Enum, tuple)):
        written = f"lax.{type(x).__name__}"
        return f"{written}.{x.name}" if isinstance(x, Enum) else _named(written, x)
    if type(x) is tuple:
        parts = [_value(part) for part in x]
        return None if None in parts else f"({', '.join(parts)}{',' * (len(parts) == 1)})"  # type: ignore[arg-type]
    return f"np.dtype({x.name!r})" if hasattr(x, "itemsize") and hasattr(x, "kind") else None


def _named(written: str, x: Any) -> str | None:
    """Return a named tuple as code, but for fields that have their defaults; None where a field is no plain value."""
    fields = {name: value for name, value in zip(x._fields, x) if x._field_defaults.get(name, x) != value}
    parts = [(text := _value(value)) and f"{name}={text}" for name, value in fields.items()]
    return None if None in parts else f"{written}({', '.join(parts)})"  # type: ignore[arg-type]
