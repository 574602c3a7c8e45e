"""Jaxprs as text, letter for letter as JAX prints them.

Printing has two steps: a jaxpr becomes a document of texts, possible line breaks and groups, and the document
is laid out in 80 columns: a group goes on one line if it fits. Programs that occur more than once, or are
long, are printed once in front under a name. Variables are named in the order in which they are printed.
Remarks stand to the right of all lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from . import dtypes
from .atoms import DropVar, Literal, Program, Var, sub_jaxprs
from .process.records import NamedTuple

if TYPE_CHECKING:
    from .jaxpr import Jaxpr, JaxprEqn

__all__ = [
    "JaxprPpContext", "JaxprPpSettings", "equation_doc", "print_eqn", "print_jaxpr", "program_doc",
]

CHARACTERS_PER_LINE = 80
MAX_EQUATIONS_INLINE = 10  # equations; longer programs inside others are printed in front


class JaxprPpSettings(NamedTuple):
    """The options of `Jaxpr.pretty_print`: which parts of a program are printed.

    Args:
      print_shapes: the types of variables.
      source_info: the user's line of each equation, to the right of it.
      name_stack: the named scopes of each equation, to the right of it.
      custom_pp_eqn_rules: leave out of equations what follows from the rest, and print references as indexed.
      print_effects: the effects of each program, behind it.

    >>> print(make_jaxpr(jnp.sin)(1.).pretty_print(print_shapes=False))
    { lambda ; a. let b = sin a in (b,) }
    >>> core.JaxprPpSettings(print_shapes=False).source_info
    False
    """

    print_shapes: bool = True
    source_info: bool = False
    name_stack: bool = False
    custom_pp_eqn_rules: bool = True
    print_effects: bool = False


_PLAIN = JaxprPpSettings()

# ---- documents -----------------------------------------------------------------------------------

# A document is a string, a tuple of documents, a Break, a Nest, a Group or a Remark.


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
    """A document that is printed on one line if that fits."""

    __slots__ = ("doc",)

    def __init__(self, doc):
        self.doc = doc


class Remark:
    """A text to the right of the line that it is on; it takes no room."""

    __slots__ = ("text",)

    def __init__(self, text: str):
        self.text = text


def join(separator, docs: Iterable) -> tuple:
    out: list = []
    for d in docs:
        if out:
            out.append(separator)
        out.append(d)
    return tuple(out)


def layout(doc) -> str:
    """Return the text of a document. Iterative: programs may be nested deeply."""
    out: list[str] = []
    column = 0
    remarks: dict[int, list[str]] = {}  # by the piece of `out` at which they stand
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
        elif isinstance(d, Remark):
            remarks.setdefault(len(out), []).append(d.text)
        else:
            stack.append((indent, flat or _fits(d.doc, CHARACTERS_PER_LINE - column), d.doc))
    return _beside(out, remarks) if remarks else "".join(out)


def _beside(pieces: list[str], remarks: dict[int, list[str]]) -> str:
    """Return the text of the pieces, with the remarks in one column to the right of it; further ones on lines of their
    own.
    """
    found: dict[int, list[str]] = {}
    line = 0
    for i, piece in enumerate(pieces):
        found.setdefault(line, []).extend(remarks.get(i, ()))
        line += piece.count("\n")
    lines = "".join(pieces).split("\n")
    width = max(map(len, lines))
    out = []
    for i, text in enumerate(lines):
        for left, remark in zip_longest([text], found.get(i) or [None], fillvalue=""):
            out.append(left if remark is None else f"{left:{width}} # {remark}")
    return "\n".join(out)


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
        elif not isinstance(d, Remark):
            stack.append(d.doc)
    return room >= 0


# ---- names ---------------------------------------------------------------------------------------


class JaxprPpContext:
    """Names of variables and of shared programs in one printed text.

    Args:
      var_names: names of variables that have one; others get letters in order.

    >>> x = extend.core.Var(core.ShapedArray((), jnp.float32))
    >>> core.JaxprPpContext({x: "weight"}).of(x)
    'weight'
    """

    def __init__(self, var_names: dict[Var, str] | None = None):
        self.var_names: dict[Var, str] = dict(var_names or {})
        self.shared_jaxprs: dict[Jaxpr, str] = {}
        self.shared_jaxpr_names: set[str] = set()  # which no variable gets
        self.dropped: set[Var] = set()
        self.count = 0

    def drop_unread(self, jaxpr: Jaxpr) -> None:
        """Print results that nothing reads later as `_` in the outermost program, as JAX; inside others they are named.

        Args:
          jaxpr: the program.
        """
        read = {v for v in jaxpr.outvars if isinstance(v, Var)}
        for eqn in reversed(jaxpr.eqns):
            self.dropped.update(v for v in eqn.outvars if v not in read)
            read.update(v for v in eqn.invars if isinstance(v, Var))

    def of(self, v: Var) -> str:
        if v in self.dropped:
            return "_"
        name = self.var_names.get(v)
        while name is None:
            name, self.count = _letters(self.count), self.count + 1
            name = None if name in self.shared_jaxpr_names else self.var_names.setdefault(v, name)
        return name

    def atom(self, v: Var | Literal) -> str:
        return v.text if isinstance(v, Literal) else self.of(v)

    def share(self, jaxpr: Jaxpr, name: str) -> None:
        name = name.strip("<>") or "jaxpr"
        taken = self.shared_jaxpr_names
        number = next(i for i in range(len(taken) + 1) if f"{name}{i or ''}" not in taken)
        self.shared_jaxprs[jaxpr] = f"{name}{number or ''}"
        taken.add(self.shared_jaxprs[jaxpr])


def _letters(i: int) -> str:
    text = ""
    while True:
        i, digit = divmod(i, 26)
        text = chr(97 + digit) + text
        if not i:
            return text


def _find_shared(jaxpr: Jaxpr, names: JaxprPpContext) -> None:
    """Name the programs inside that occur more than once or are long, in order of occurrence.

    What is inside of a program occurs as often as the program does.
    """
    inside: dict[Jaxpr, list[Jaxpr]] = {}
    label: dict[Jaxpr, str] = {}
    found = [jaxpr]
    for outer in found:
        inner = inside[outer] = []
        for eqn in outer.eqns:
            name = eqn.params["name"] if eqn.primitive.name == "jit" else "jaxpr"
            for sub in sub_jaxprs(eqn.params):
                inner.append(sub)
                if sub not in label:
                    label[sub] = name
                    found.append(sub)
    times = dict.fromkeys(found, 0) | {jaxpr: 1}
    waiting = Counter(sub for inner in inside.values() for sub in inner)
    ready = [jaxpr]
    while ready:  # programs all of whose occurrences are counted
        outer = ready.pop()
        for sub in inside[outer]:
            times[sub] = min(times[sub] + times[outer], 2)
            waiting[sub] -= 1
            if not waiting[sub]:
                ready.append(sub)
    for sub, name in label.items():
        if times[sub] > 1 or len(sub.eqns) > MAX_EQUATIONS_INLINE:
            names.share(sub, name)


# ---- programs ------------------------------------------------------------------------------------


def print_jaxpr(jaxpr: Jaxpr, settings: JaxprPpSettings = _PLAIN, context: JaxprPpContext | None = None) -> str:
    """Return the text of a program."""
    names = context or JaxprPpContext()
    names.drop_unread(jaxpr)
    _find_shared(jaxpr, names)
    parts = []
    for sub, name in names.shared_jaxprs.items():
        parts += [f"let {name} = ", program_doc(sub, names, settings), " in\n"]
    return layout((*parts, program_doc(jaxpr, names, settings)))


def print_eqn(eqn: JaxprEqn, names: JaxprPpContext | None = None) -> str:
    """Return the text of an equation, with the names of its program if these are given."""
    if names is None:
        names = JaxprPpContext()
        names.dropped.update(v for v in eqn.outvars if isinstance(v, DropVar))
    return layout(equation_doc(eqn, names, _PLAIN))


def program_doc(jaxpr: Jaxpr, names: JaxprPpContext, settings: JaxprPpSettings):
    """Return a program as a document."""
    head = (
        "{ lambda ", Nest(4, _fill(_typed(v, names, settings) for v in jaxpr.constvars)), "; ",
        Nest(4, _fill(_typed(v, names, settings) for v in jaxpr.invars)), ". let",
    )
    eqns = [equation_doc(e, names, settings) for e in jaxpr.eqns]
    outs = [names.atom(v) for v in jaxpr.outvars]
    if len(outs) == 1:
        outs = [outs[0] + ","]
    else:
        outs = [o + "," for o in outs[:-1]] + outs[-1:]
    body = Nest(4, (Break(), join(Break("; "), eqns)))
    end = ")"
    if settings.print_effects:
        end += f" : {{ {', '.join(sorted(map(str, jaxpr.effects)))} }}"
    return Group((head, body, Nest(2, (Break(), "in (")), Nest(4, _fill(outs)), f"{end} }}"))


def _fill(docs: Iterable):
    """Put as many documents on each line as fit: every break decides for itself."""
    return join(Group(Break()), docs)


def _typed(v: Var, names: JaxprPpContext, settings: JaxprPpSettings) -> str:
    return f"{names.of(v)}:{v.aval.str_short(True)}" if settings.print_shapes else names.of(v)


def equation_doc(eqn: JaxprEqn, names: JaxprPpContext, settings: JaxprPpSettings):
    """Return an equation as a document."""
    name, brief = eqn.primitive.name, settings.custom_pp_eqn_rules
    inside = _inline_names(eqn, names) if name == "jit" and brief else None
    left = Nest(2, _fill(_typed(v, names, settings) for v in eqn.outvars))
    remarks = _remarks(eqn, settings) if settings.source_info or settings.name_stack else ()
    if brief and eqn.primitive.print_rule is not None:
        return Nest(0, (*remarks, *eqn.primitive.print_rule(eqn, names, left)))
    params = [
        (f"{key}=", _value(name, key, value, names, settings))
        for key, value in (_shown(name, eqn.params) if brief else sorted(eqn.params.items()))
    ]
    if inside is not None:
        names.var_names.update(inside)
    right = [names.atom(v) for v in eqn.invars]
    box = Group(("[", Nest(2, (Break(""), join(Break(), params))), Break(""), "]")) if params else ""
    operands = Nest(2, (" ", _fill(right)))
    return Nest(0, (*remarks, left, " = " if eqn.outvars else "", name, box, operands))


def _remarks(eqn: JaxprEqn, settings: JaxprPpSettings) -> list[Remark]:
    """Return the user's line, and the named scopes."""
    info = eqn.source_info
    texts = [info.summary()] if settings.source_info else []
    return [Remark(t) for t in [*texts, *([f"[{info.name_stack}]"] if settings.name_stack else [])]]


def _inline_names(eqn: JaxprEqn, names: JaxprPpContext):
    """Inside a call that is printed in place, operands and results have their names of outside."""
    sub = eqn.params["jaxpr"].jaxpr
    if sub in names.shared_jaxprs:
        return None
    before = dict(names.var_names)
    used, named = set(), set()
    for inner, outer in zip(sub.invars, eqn.invars):
        if isinstance(outer, Var) and outer not in used:
            used.add(outer)
            named.add(inner)
            names.var_names[inner] = names.of(outer)
        else:
            names.var_names.pop(inner, None)
    for inner, outer in zip(sub.outvars, eqn.outvars):
        if isinstance(inner, Var) and inner not in named:
            named.add(inner)
            names.var_names[inner] = names.of(outer)
    return before


# ---- parameters ----------------------------------------------------------------------------------

# Parameters that are not printed while they have these values.
_HIDDEN: dict[str, dict[str, Any]] = {
    "broadcast_in_dim": {"shape": ..., "sharding": ..., "broadcast_dimensions": ()},
    "check": {"err_tree": ...},
    "convert_element_type": {"sharding": None},
    "dot_general": {"precision": None, "preferred_element_type": None, "out_sharding": ...},
    "mul": {"out_dtype": None},
    "random_bits": {"partitionable": ...},
    "random_gamma": {"partitionable": ...},
    "random_split": {"partitionable": ...},
    "reshard": {"dst_sharding": ..., "concrete_mesh": ...},
    "while": {"lanes": ...},
}
_CALLS = {
    "custom_jvp_call": {"jvp_jaxpr_fun": "jvp"},
    "custom_vjp_call": {"fwd_jaxpr_thunk": "fwd"},
}


def _shown(name: str, params: dict) -> list[tuple[str, Any]]:
    """Return the parameters to print, in order."""
    if name == "jit":
        shown = {"jaxpr": params["jaxpr"]}
        if "ctx_mesh" in params:
            shown["ctx_mesh"] = params["ctx_mesh"]
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
        (k, v) for k, v in params.items() if not (k in hidden and _is_hidden(hidden[k], v))
    )


def _is_hidden(default: Any, value: Any) -> bool:
    """Return whether a parameter has a value that is not printed; NumPy's default dtype equals None."""
    return default is ... or default is value or default is not None and default == value


def _value(name: str, key: str, value: Any, names: JaxprPpContext, settings: JaxprPpSettings):
    if isinstance(value, Program):
        jaxpr = value._program
        return names.shared_jaxprs[jaxpr] if jaxpr in names.shared_jaxprs else program_doc(jaxpr, names, settings)
    if type(value) in (tuple, list) and value and isinstance(value[0], Program):
        docs = [_value(name, key, v, names, settings) for v in value]
        return Group(("(", Nest(2, (Break(""), join(Break(), docs))), Break(""), ")"))
    if key == "dimension_numbers" and name == "dot_general" and settings.custom_pp_eqn_rules:
        return str(tuple(tuple(list(axes) for axes in pair) for pair in value))
    if isinstance(value, (np.dtype, dtypes.ExtendedDType)):
        return value.name
    if isinstance(value, str):
        return value
    if isinstance(value, frozenset):
        return f"frozenset({{{', '.join(sorted(map(repr, value)))}}})"
    if key == "computation":  # JAX parity: the function itself, test_jaxprs_of_reduce
        return re.sub("0x[0-9a-f]+", "0xXXXXXXXXXXXX", repr(value))
    if key == "policy" and hasattr(value, "__qualname__"):
        return f"<function {value.__qualname__.removeprefix('checkpoint_policies.')} at 0xXXXXXXXXXXXX>"
    if callable(value) and hasattr(value, "__name__") and key not in ("rule", "transpose_thunk", "fun_jaxpr_thunk"):
        return value.__name__
    return _ADDRESS.sub("at 0xXXXXXXXXXXXX>", str(value))


_ADDRESS = re.compile(r"at 0x[0-9a-f]+>")  # texts of equal programs are equal
