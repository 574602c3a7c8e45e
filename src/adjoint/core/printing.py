"""Jaxprs as text, letter for letter as JAX prints them.

Printing has two steps: a jaxpr becomes a document of texts, possible line breaks and groups, and the document
is laid out in 80 columns: a group goes on one line if it fits. Programs that occur more than once, or are
long, are printed once in front under a name. Variables are named in the order in which they are printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from . import dtypes
from .jaxpr import ClosedJaxpr, DropVar, Jaxpr, JaxprEqn, Literal, Var, sub_jaxprs
from .types import short_aval

__all__ = ["literal_text", "print_eqn", "print_jaxpr"]

WIDTH = 80
LONG = 10  # equations; longer programs inside others are printed in front

# ---- documents -----------------------------------------------------------------------------------

# A document is a string, a tuple of documents, a Break, a Nest or a Group.


class Break:
    """A line break, or `flat` where the group is on one line."""

    __slots__ = ("flat",)

    def __init__(self, flat: str = " "):
        self.flat = flat


class Nest:
    """Breaks inside are indented by `n` more columns."""

    __slots__ = ("doc", "n")

    def __init__(self, n: int, doc):
        self.n = n
        self.doc = doc


class Group:
    """On one line if that fits."""

    __slots__ = ("doc",)

    def __init__(self, doc):
        self.doc = doc


def join(separator, docs: Iterable) -> tuple:
    out: list = []
    for d in docs:
        if out:
            out.append(separator)
        out.append(d)
    return tuple(out)


def layout(doc) -> str:
    """The text of a document. Iterative: programs may be nested deeply."""
    out: list[str] = []
    column = 0
    stack: list = [(0, False, doc)]  # indentation, on one line?, document
    while stack:
        indent, flat, d = stack.pop()
        if isinstance(d, str):
            out.append(d)
            column = len(d) - d.rindex("\n") - 1 if "\n" in d else column + len(d)
        elif isinstance(d, tuple):
            stack.extend((indent, flat, x) for x in reversed(d))
        elif isinstance(d, Break):
            if flat:
                out.append(d.flat)
                column += len(d.flat)
            else:
                out.append("\n" + " " * indent)
                column = indent
        elif isinstance(d, Nest):
            stack.append((indent + d.n, flat, d.doc))
        else:
            stack.append((indent, flat or _fits(d.doc, WIDTH - column), d.doc))
    return "".join(out)


def _fits(doc, room: int) -> bool:
    stack = [doc]
    while stack and room >= 0:
        d = stack.pop()
        if isinstance(d, str):
            room -= len(d)
        elif isinstance(d, tuple):
            stack.extend(reversed(d))
        elif isinstance(d, Break):
            room -= len(d.flat)
        else:
            stack.append(d.doc)
    return room >= 0


# ---- names ---------------------------------------------------------------------------------------


class _Names:
    """Names of variables and of shared programs in one printed text."""

    def __init__(self, eqns: Iterable[JaxprEqn] = ()):
        # Results that nobody reads are `_` in the outermost program, as in JAX, and named inside others.
        self.dropped = {v for e in eqns for v in e.outvars if isinstance(v, DropVar)}
        self.vars: dict[Var, str] = {}
        self.count = 0
        self.shared: dict[Jaxpr, str] = {}

    def of(self, v: Var) -> str:
        if v in self.dropped:
            return "_"
        name = self.vars.get(v)
        if name is None:
            name = self.vars[v] = _letters(self.count)
            self.count += 1
        return name

    def share(self, jaxpr: Jaxpr, name: str) -> None:
        name = name.strip("<>") or "jaxpr"
        taken = set(self.shared.values())
        number = next(i for i in range(len(taken) + 1) if f"{name}{i or ''}" not in taken)
        self.shared[jaxpr] = f"{name}{number or ''}"


def _letters(i: int) -> str:
    text = ""
    while True:
        i, digit = divmod(i, 26)
        text = chr(97 + digit) + text
        if not i:
            return text


def _find_shared(jaxpr: Jaxpr, names: _Names) -> None:
    """Name the programs inside that occur more than once or are long, in order of occurrence."""
    count: dict[Jaxpr, int] = {}
    label: dict[Jaxpr, str] = {}
    stack = [iter([jaxpr])]
    seen = set()
    while stack:
        found = next(stack[-1], None)
        if found is None:
            stack.pop()
        elif found not in seen:
            seen.add(found)
            inner = []
            for eqn in found.eqns:
                name = eqn.params["name"] if eqn.primitive.name == "jit" else "jaxpr"
                for sub in sub_jaxprs(eqn.params):
                    count[sub] = count.get(sub, 0) + 1
                    label.setdefault(sub, name)
                    inner.append(sub)
            stack.append(iter(inner))
    for sub, n in count.items():
        if n > 1 or len(sub.eqns) > LONG:
            names.share(sub, label[sub])


# ---- programs ------------------------------------------------------------------------------------


def print_jaxpr(jaxpr: Jaxpr, *, source_info: bool = False, use_color: bool = False, **_) -> str:
    """The text of a program; `source_info` adds the user's line to every equation."""
    names = _Names(jaxpr.eqns)
    _find_shared(jaxpr, names)
    parts = []
    for sub, name in names.shared.items():
        parts += [f"let {name} = ", _jaxpr(sub, names, source_info), " in\n"]
    return layout((*parts, _jaxpr(jaxpr, names, source_info)))


def print_eqn(eqn: JaxprEqn) -> str:
    return layout(_eqn(eqn, _Names([eqn]), False))


def _jaxpr(jaxpr: Jaxpr, names: _Names, source_info: bool):
    head = (
        "{ lambda ", Nest(4, _fill(_typed(v, names) for v in jaxpr.constvars)), "; ",
        Nest(4, _fill(_typed(v, names) for v in jaxpr.invars)), ". let",
    )
    eqns = [_eqn(e, names, source_info) for e in jaxpr.eqns]
    outs = [_atom(v, names) for v in jaxpr.outvars]
    if len(outs) == 1:
        outs = [outs[0] + ","]
    else:
        outs = [o + "," for o in outs[:-1]] + outs[-1:]
    body = Nest(4, (Break(), join(Break("; "), eqns)))
    return Group((head, body, Nest(2, (Break(), "in (")), Nest(4, _fill(outs)), ") }"))


def _fill(docs: Iterable):
    """As many on each line as fit: every break decides for itself."""
    return join(Group(Break()), docs)


def _typed(v: Var, names: _Names) -> str:
    return f"{names.of(v)}:{short_aval(v.aval)}"


def _atom(v, names: _Names) -> str:
    return literal_text(v) if isinstance(v, Literal) else names.of(v)


_PYTHON = {"b": bool, "i": int, "u": int, "f": float, "c": complex}


def literal_text(v: Literal) -> str:
    """A literal with its type, such as `1.0:f32[]`; Python's scalars as they are, others in their precision."""
    value: Any = v.val
    if not isinstance(v.aval.dtype, dtypes.ExtendedDType) and type(value) is not _PYTHON.get(v.aval.dtype.kind):
        value = np.asarray(value, v.aval.dtype).item()
    return f"{value}:{short_aval(v.aval)}"


def _eqn(eqn: JaxprEqn, names: _Names, source_info: bool):
    name = eqn.primitive.name
    inside = _inline_names(eqn, names) if name == "jit" else None
    left = Nest(2, _fill(_typed(v, names) for v in eqn.outvars))
    if name in ("addupdate", "get", "swap"):
        return Nest(0, _about_ref(eqn, names, left))
    params = [
        (f"{key}=", _value(name, key, value, names, source_info))
        for key, value in _shown(name, eqn.params)
    ]
    if inside is not None:
        names.vars.update(inside)
    right = [_atom(v, names) for v in eqn.invars]
    box = Group(("[", Nest(2, (Break(""), join(Break(), params))), Break(""), "]")) if params else ""
    operands = Nest(2, (" ", _fill(right)))
    comment = f" # {eqn.source_info}" if source_info else ""
    return Nest(0, (left, " = " if eqn.outvars else "", name, box, operands, comment))


def _about_ref(eqn: JaxprEqn, names: _Names, left):
    """How reads and writes of references are printed."""
    ref, *rest = eqn.invars
    value = () if eqn.primitive.name == "get" else (_atom(rest.pop(0), names),)
    arrays = [str(v.val) if isinstance(v, Literal) else names.of(v) for v in rest]
    place = f"{names.of(ref)}[{_index(eqn.params['tree'], arrays, ref.aval.shape)}]"
    if eqn.primitive.name == "addupdate":
        return place, " += ", *value
    if eqn.primitive.name == "get":
        return left, " <- ", place
    if eqn.outvars[0] in names.dropped:
        return place, " <- ", *value
    return left, ", ", place, " <- ", place, ", ", *value


def _index(tokens, arrays: list[str], shape) -> str:
    if all([t == ("slice", None) for t in tokens]):
        return "..."
    left, axes, texts = iter(arrays), iter(shape), []
    for token in tokens:
        n = None if token == ("new",) else next(axes)
        if type(token) is int:
            texts.append(str(token))
        elif token[0] == "new":
            texts.append("None")
        elif token[0] == "window":
            start = next(left)
            texts.append(f"{start}:{start}+{token[1]}")
        elif token[0] != "slice":
            texts.append(next(left))
        elif token[1] is None:
            texts.append(":")
        else:
            start, size, step = token[1:]
            stop = start + size * step
            texts.append(f"{start or ''}:{'' if stop == n else stop}{'' if step == 1 else f':{step}'}")
    return ",".join(texts)


def _inline_names(eqn: JaxprEqn, names: _Names):
    """Inside a call that is printed in place, operands and results have their names of outside."""
    sub = eqn.params["jaxpr"].jaxpr
    if sub in names.shared:
        return None
    before = dict(names.vars)
    used, named = set(), set()
    for inner, outer in zip(sub.invars, eqn.invars):
        if isinstance(outer, Var) and outer not in used:
            used.add(outer)
            named.add(inner)
            names.vars[inner] = names.of(outer)
        else:
            names.vars.pop(inner, None)
    for inner, outer in zip(sub.outvars, eqn.outvars):
        if isinstance(inner, Var) and inner not in named:
            named.add(inner)
            names.vars[inner] = names.of(outer)
    return before


# ---- parameters ----------------------------------------------------------------------------------

# Parameters that are not printed while they have these values.
_HIDDEN: dict[str, dict[str, Any]] = {
    "broadcast_in_dim": {"shape": ..., "sharding": ..., "broadcast_dimensions": ()},
    "convert_element_type": {"sharding": None},
    "dot_general": {"precision": None, "preferred_element_type": None, "out_sharding": ...},
    "mul": {"out_dtype": None},
    "reshard": {"dst_sharding": ..., "concrete_mesh": ...},
}
_CALLS = {
    "custom_jvp_call": {"jvp_jaxpr_fun": "jvp"},
    "custom_vjp_call": {"fwd_jaxpr_thunk": "fwd"},
}


def _shown(name: str, params: dict) -> list[tuple[str, Any]]:
    """The parameters to print, in order."""
    if name == "jit":
        shown = {"jaxpr": params["jaxpr"]}
        if any(params["donated_invars"]):
            shown["donated_invars"] = params["donated_invars"]
        for key in ("in_shardings", "out_shardings"):
            if key in params:
                given = ["UnspecifiedValue" if s is None else str(s) for s in params[key]]
                shown[key] = f"({', '.join(given)}{',' if len(given) == 1 else ''})"
        for flag in ("keep_unused", "inline"):
            if params[flag]:
                shown[flag] = True
        return [("name", params["name"]), *sorted(shown.items())]
    if name in _CALLS:
        shown = {_CALLS[name].get(k, k): v for k, v in params.items() if k != "num_consts"}
        rule = params.get("jvp_jaxpr_fun") or params["bwd"]
        return [("name", rule.name), *sorted(shown.items())]
    hidden = _HIDDEN.get(name, {"accuracy": None})
    return sorted(
        (k, v) for k, v in params.items() if not (k in hidden and (hidden[k] is ... or hidden[k] == v))
    )


def _value(name: str, key: str, value: Any, names: _Names, source_info: bool):
    if isinstance(value, ClosedJaxpr):
        value = value.jaxpr
    if isinstance(value, Jaxpr):
        if value in names.shared:
            return names.shared[value]
        return _jaxpr(value, names, source_info)
    if type(value) in (tuple, list) and value and isinstance(value[0], (ClosedJaxpr, Jaxpr)):
        docs = [_value(name, key, v, names, source_info) for v in value]
        return Group(("(", Nest(2, (Break(""), join(Break(), docs))), Break(""), ")"))
    if key == "dimension_numbers" and name == "dot_general":
        return str(tuple(tuple(list(axes) for axes in pair) for pair in value))
    if isinstance(value, (np.dtype, dtypes.ExtendedDType)):
        return value.name
    if isinstance(value, str):
        return value
    if isinstance(value, frozenset):
        return f"frozenset({{{', '.join(sorted(map(repr, value)))}}})"
    if key == "computation":  # JAX parity: the function itself, test_jaxprs_of_reduce
        return re.sub("0x[0-9a-f]+", "0xXXXXXXXXXXXX", repr(value))
    if key == "policy" and hasattr(value, "__name__"):
        return f"<function {value.__name__} at 0xXXXXXXXXXXXX>"
    if callable(value) and hasattr(value, "__name__") and key not in ("rule", "transpose_thunk"):
        return value.__name__
    return _ADDRESS.sub("at 0xXXXXXXXXXXXX>", str(value))


_ADDRESS = re.compile(r"at 0x[0-9a-f]+>")  # texts of equal programs are equal
