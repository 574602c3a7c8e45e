"""Functions and classes as they stand in a stub: signatures and members, typed by `types_as_text.py`.

The types of parameters that the source leaves open come from the tables of `parameters.py`.
"""

from __future__ import annotations

import enum
import inspect
import math
import re
import sys
from collections.abc import Callable
from functools import cached_property
from inspect import Parameter
from typing import Any

import parameters
from types_as_text import Scope

_SPECIAL = {
    "__call__": None, "__enter__": None, "__getitem__": None, "__add__": None, "__sub__": None, "__mul__": None,
    "__matmul__": None, "__radd__": None, "__rsub__": None, "__rmul__": None, "__rmatmul__": None, "__neg__": None,
    "__truediv__": None, "__getattr__": None, "__exit__": "None", "__setitem__": "None", "__len__": "int",
    "__iter__": "Iterator[Any]", "__contains__": "bool", "__lt__": "bool", "__le__": "bool", "__gt__": "bool",
    "__ge__": "bool",
}
_NAMES = re.compile(r"\b(Any|Callable|Sequence|Iterator|AbstractContextManager|ArrayLike|DTypeLike|Array|_T)\b")
_BUILTINS = re.compile(r"(?<![.\w])(bool|int|float|complex|str|list|tuple|dict|type|slice|set)\b")
_PLACES = {
    "Any": "typing", "Callable": "collections.abc", "Sequence": "collections.abc", "Iterator": "collections.abc",
    "AbstractContextManager": "contextlib", "ArrayLike": "adjoint.typing", "DTypeLike": "adjoint.typing",
    "Array": "adjoint",
}


def known(scope: Scope, text: str) -> str:
    """A type of the tables, with what it needs imported."""

    def placed(found: re.Match) -> str:
        name = found[1]
        if name == "_T":
            make = scope.imported("typing_extensions", "TypeVar")
            scope.variables["_T"] = f'_T = {make}("_T")'
            return name
        return name if _PLACES[name] == scope.module else scope.imported(_PLACES[name], name)

    return _NAMES.sub(placed, _BUILTINS.sub(lambda found: scope.builtin(found[1]), text))


def function(scope: Scope, name: str, value: Callable, method: bool = False, result: str | None = None) -> str | None:
    """The line of a function; None if its signature is not known."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return None
    names = _globals(value)
    texts = _arranged([_parameter(scope, name, p, names) for p in signature.parameters.values()], method)
    return_type = None
    if signature.return_annotation is not signature.empty:
        return_type = scope.annotation(signature.return_annotation, names)
        if return_type is None and not method and _of_arrays(scope) and signature.return_annotation not in ("Any", Any):
            return_type = known(scope, "Any")
    if not method and return_type is None:
        return_type = _listed(scope, parameters.RETURNS, name)
    if return_type is None and result is not None:
        return_type = result
    if return_type is None:
        is_array = not method and _of_arrays(scope) and signature.return_annotation is signature.empty
        return_type = "Array" if is_array else "Any"
    return f"def {name}({', '.join(texts)}) -> {known(scope, return_type)}: ..."


def _globals(value: Any) -> dict[str, Any]:
    inner = inspect.unwrap(value) if callable(value) else value
    while hasattr(inner, "func"):
        inner = inner.func
    return getattr(inner, "__globals__", {})


def _of_arrays(scope: Scope) -> bool:
    return scope.module.split(".")[1:2] != [] and scope.module.split(".")[1] in parameters.OF_ARRAYS


def _listed(scope: Scope, table: dict[str, str], name: str) -> str | None:
    """What a table says of a name, which may say its module too."""
    last = scope.module.rpartition(".")[2]
    found = table.get(f"{last}.{name}")
    if found is None and _of_arrays(scope):
        found = table.get(name)
    return found


def _parameter(scope: Scope, name: str, p: Parameter, names: dict[str, Any]) -> tuple[Parameter, str]:
    kind = None if p.annotation is p.empty else scope.annotation(p.annotation, names)
    optional = p.default is None
    if kind is None:
        kind = _listed(scope, parameters.OF, f"{name}.{p.name}")
        if kind is None and _of_arrays(scope) and p.kind is not p.VAR_KEYWORD:
            kind = parameters.TYPES.get(p.name)
            if kind is None and p.name in parameters.ARRAYS:
                kind = "ArrayLike"
            if kind is None and p.default is not p.empty and type(p.default) in (bool, int, float, str):
                kind = {int: "int", bool: "bool", float: "ArrayLike", str: "str"}[type(p.default)]
        kind = known(scope, kind or "Any")
    if optional and kind != "Any" and "None" not in kind:
        kind += " | None"
    prefix = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
    default = "" if p.default is p.empty else f" = {_default(p.default)}"
    return p, f"{prefix}{p.name}: {kind}{default}"


def _default(value: Any) -> str:
    if value is None or type(value) in (bool, int) or type(value) is str and len(value) < 20:
        return repr(value)
    if type(value) is float and math.isfinite(value):
        return repr(value)
    if type(value) is tuple and all(type(v) is int for v in value):
        return repr(value)
    return "..."


def _arranged(texts: list[tuple[Parameter, str]], method: bool) -> list[str]:
    """The parameters with `/` and `*` where they belong."""
    out: list[str] = []
    is_positional = has_star = False
    for p, text in texts:
        if is_positional and p.kind is not p.POSITIONAL_ONLY:
            out.append("/")
            is_positional = False
        if p.kind is p.POSITIONAL_ONLY:
            is_positional = True
        has_star = has_star or p.kind is p.VAR_POSITIONAL
        if p.kind is p.KEYWORD_ONLY and not has_star:
            out.append("*")
            has_star = True
        out.append(text.partition(":")[0] if method and p.name in ("self", "cls") and not out else text)
    return [*out, "/"] if is_positional else out


def class_(scope: Scope, name: str, cls: Any) -> list[str]:
    """The lines of a class."""
    if issubclass(cls, enum.Enum):
        base = scope.imported("enum", next(b.__name__ for b in cls.__mro__ if b.__module__ == "enum"))
        rows = [f"    {n} = {_default(m.value)}" for n, m in cls.__members__.items()]
        return [f"class {name}({base}):", *rows]
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        notes = next((vars(c)["__annotations__"] for c in cls.__mro__ if "__annotations__" in vars(c)), {})
        names = vars(sys.modules[cls.__module__])
        rows = [f"    {n}: {scope.annotation(notes.get(n, Any), names) or known(scope, 'Any')}" for n in cls._fields]
        return [f"class {name}({scope.imported('typing', 'NamedTuple')}):", *rows, *_members(scope, cls, [tuple])]
    is_protocol = getattr(cls, "_is_protocol", False)
    bases = [b for b in cls.__bases__ if id(b) in scope.homes or b.__module__ == "builtins" and b is not object]
    inside = ", ".join([scope.text(b) for b in bases] + ([scope.imported("typing", "Protocol")] if is_protocol else []))
    rows = _members(scope, cls, bases)
    return [f"class {name}({inside}):" if inside else f"class {name}:", *(rows or ["    ..."])]


def _members(scope: Scope, cls: Any, bases: list[type]) -> list[str]:
    covered = {c for b in bases for c in b.__mro__} | {object}
    own = [c for c in cls.__mro__ if c not in covered and c.__module__.partition(".")[0] == "adjoint"]
    rows: dict[str, list[str]] = {}
    is_tuple = tuple in bases and hasattr(cls, "_fields")
    if not is_tuple and {"__init__", "__new__"} & _defined(own):
        line = function(scope, "__init__", cls, True, "None") if not getattr(cls, "_is_protocol", False) else None
        if line is not None:
            line = re.sub(r"-> .*: \.\.\.$", "-> None: ...", line)
            rows["__init__"] = ["    " + re.sub(r"\((?=.)", "(self, ", line, count=1).replace("(self, )", "(self)")]
    for c in own:
        names = vars(sys.modules[c.__module__])
        for n, note in ({} if is_tuple else vars(c).get("__annotations__", {})).items():
            if not n.startswith("_") and n not in rows:
                rows[n] = [f"    {n}: {scope.annotation(note, names) or known(scope, 'Any')}"]
        for n, value in vars(c).items():
            if is_tuple and (n in cls._fields or n.startswith("_")):
                continue
            if n not in rows and (not n.startswith("_") or n in _SPECIAL):
                is_attribute = any(n in vars(b).get("__annotations__", {}) for b in covered)
                rows[n] = [f"    {n}: {known(scope, 'Any')}"] if is_attribute else _member(scope, n, value)
    return [line for lines in rows.values() for line in lines]


def _defined(classes: list[type]) -> set[str]:
    return {n for c in classes for n in vars(c)}


def _member(scope: Scope, name: str, value: Any) -> list[str]:
    if isinstance(value, (property, cached_property)):
        getter = value.fget if isinstance(value, property) else value.func
        line = function(scope, name, getter, True) if callable(getter) else None
        result = "Any" if line is None else line[line.rindex("->") + 3 : -5]
        return [f"    @{scope.builtin('property')}", f"    def {name}(self) -> {known(scope, result)}: ..."]
    kind = type(value).__name__
    inner = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
    if inspect.isroutine(inner):
        line = function(scope, name, inner, True, _SPECIAL.get(name))
        if line is not None:
            if kind == "function" and not re.match(r"def \w+\((self\b|\w+)", line):
                line = line.replace("(", "(self, ", 1)
            if kind == "function":
                line = re.sub(r"\((\w+)(: \w+)?(?=[,)])", "(self", line, count=1)
            mark = [f"    @{kind}"] if kind in ("staticmethod", "classmethod") else []
            return [*mark, "    " + line]
    return [f"    {name}: {known(scope, 'Any')}"]
