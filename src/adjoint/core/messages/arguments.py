"""Arguments of a wrong kind: which one it is, where an error of Python's own says only what kind it met.

`'str' object cannot be interpreted as an integer` is about one of the values that the user gave. The function that was
called has them in its frame: the one whose type the text names is told, and the user's line written with it mended.

Tests: `tests/core/test_arguments.py`.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import FrameType
from typing import Any

import numpy as np

from . import advice
from .errors import shorten

__all__ = ["is_of_arrays", "wrong_argument"]

_NO_ARRAY = r"'([\w.]+)' object has no attribute '(?:shape|dtype|ndim|size|aval|astype)'$"
# What Python says, with the type of what it met, and what is wanted in its place.
_TEXTS = (
    (r"'([\w.]+)' object cannot be interpreted as an integer$", "an int"),
    (r"int\(\) argument must be .* not '([\w.]+)'$", "an int"),
    (r"(?:list|tuple|slice|range) indices must be integers .*not ([\w.]+)$", "an int"),
    (r"'([\w.]+)' object is not iterable$", "several values"),
    (r"object of type '([\w.]+)' has no len\(\)$", "several values"),
    (r"cannot unpack non-iterable ([\w.]+) object$", "several values"),
    (r"'([\w.]+)' object is not subscriptable$", "several values"),
    (r"'([\w.]+)' object is not callable$", "a function"),
    (r"unhashable type: '([\w.]+)'$", "something hashable"),
    (_NO_ARRAY, "an array"),
    (r"'[<>]=?' not supported between instances of '([\w.]+)' and '([\w.]+)'$", "a number"),
    (r"unsupported operand type\(s\) for \S+: '([\w.]+)' and '([\w.]+)'$", "a number"),
    (r"(?:Cannot interpret '.*' as a data type|data type .* not understood)$", "a dtype"),
)
_NUMBERS = frozenset(("int", "float", "complex", "bool"))


def is_of_arrays(text: str) -> bool:
    """Return whether an error of Python's says that something has not what arrays have.

    >>> is_of_arrays("'float' object has no attribute 'ndim'")
    True
    """
    return re.match(_NO_ARRAY, text) is not None


def wrong_argument(text: str, frame: FrameType, place: advice.Place) -> str | None:
    """Return why a call failed and what to write, for a text of Python's; None where it names no argument.

    Args:
      text: what Python says.
      frame: the function that was called, with its arguments.
      place: where the user's program calls it.
    """
    matches = ((re.match(pattern, text), wanted) for pattern, wanted in _TEXTS)
    found, wanted = next((match for match in matches if match[0]), (None, ""))
    if found is None:
        return None
    kinds = {kind.rpartition(".")[2] for kind in found.groups()}
    if wanted == "a number":
        kinds -= _NUMBERS
    elif wanted == "an array" and kinds & _NUMBERS:  # which an int became on the way, is not known
        kinds |= _NUMBERS
    given = list(_given(frame, place))
    suspects = [x for x in given if (type(x[1]).__name__ in kinds if kinds else _is_named(x[1], text))]
    if not suspects and wanted in _OF_ELEMENTS:
        suspects = [x for x in given if _holds(x[1], kinds)]
    if len(suspects) > 1 and wanted in _OF_ELEMENTS:  # the first argument is what is worked on, and the others say how
        suspects = [x for x in suspects if x is not given[0]]
    if len(suspects) != 1:
        return None
    name, value, node = suspects[0]
    are = "are" if wanted == "several values" else "is"
    why = f"{name} is {shorten(value, 40)} where {wanted} {are} needed."
    is_counted = "unpack" in text or "subscriptable" in text  # how many values there are is not known
    mended = None if is_counted else _mended(wanted, name, value, node, place)
    fix = place.line(node, mended) if mended else f"{wanted} for {name}{_SUCH.get(wanted, '')}"
    return f"  {why}\n  Try: {fix}"


# Of what a container may be, where its elements are at fault; and arguments that are tuples of ints.
_OF_ELEMENTS = ("an int", "something hashable")
_LENGTHS_AND_AXES = ("axes", "axis", "dimensions", "permutation", "shape", "s")
_SUCH = {
    "a dtype": ", such as jnp.float32", "a function": ", such as lambda x: x",
    "several values": ", in a tuple or a list",
    "something hashable": ": numbers, texts and tuples of them are",
}


def _is_named(value: Any, text: str) -> bool:
    """Return whether an error is about the value that it shows."""
    return str(value) in text


def _holds(value: Any, kinds: set[str]) -> bool:
    """Return whether a value is a container of one whose type has one of these names."""
    return isinstance(value, (tuple, list)) and any([type(v).__name__ in kinds for v in value])


def _given(frame: FrameType, place: advice.Place) -> Iterator[tuple[str, Any, Any]]:
    """Yield the arguments that the user gave: the name, the value, and its node in the user's line if it is known."""
    code, values = frame.f_code, frame.f_locals
    call = place.nodes[0]
    if not isinstance(call, ast.Call) or any([isinstance(a, ast.Starred) for a in call.args]):
        return
    count = code.co_argcount + code.co_kwonlyargcount
    before = code.co_varnames[:1] == ("self",)  # how many parameters stand before the user's
    names = list(code.co_varnames[before : code.co_argcount])
    found = {name: values[name] for name in code.co_varnames[before:count] if name in values}
    if code.co_flags & CO_VARARGS:
        rest = values.get(code.co_varnames[count], ())
        named = _parameters(place, call)[len(names) :]
        more = [named[i] if i < len(named) else f"argument {len(names) + i + 1}" for i in range(len(rest))]
        names += more
        found |= dict(zip(more, rest))
    if code.co_flags & CO_VARKEYWORDS:
        found |= values.get(code.co_varnames[count + bool(code.co_flags & CO_VARARGS)], {})
    nodes: dict[str, Any] = dict(zip(names, call.args)) | {k.arg: k.value for k in call.keywords if k.arg}
    for name, node in nodes.items():
        if name in found:
            yield name, found[name], node


def _parameters(place: advice.Place, call: ast.Call) -> list[str]:
    """Return the names of the positional parameters of the function that a line calls, as its signature has them."""
    try:
        parameters = inspect.signature(advice.meant(place.names, call.func)).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


def _mended(wanted: str, name: str, value: Any, node: ast.AST, place: advice.Place) -> str | None:
    """Return what to write for an argument, so that it is of the kind that is wanted; None where nothing is known."""
    text, jnp = place.text(node), advice.alias(place.names, ".numpy")
    is_array = hasattr(type(value), "aval") or isinstance(value, (np.ndarray, np.generic))
    if wanted == "an int":
        if isinstance(value, float) and isinstance(node, ast.Constant) and value.is_integer():
            return str(int(value))
        if isinstance(value, float) or is_array and np.size(value) == 1 or isinstance(value, str) and value.isdigit():
            return f"int({text})"
        if isinstance(value, (list, tuple)) and len(value) == 1 and type(value[0]) is int:
            return place.text(node.elts[0]) if isinstance(node, (ast.List, ast.Tuple)) else f"{text}[0]"
    if wanted == "several values" and type(value) is int and name in _LENGTHS_AND_AXES:
        return f"({text},)"
    if wanted == "an array" and isinstance(value, (list, tuple)) and _is_numbers(value):
        return f"{jnp}.asarray({text})"
    if wanted == "something hashable" and isinstance(value, list) and all([type(v) in (int, str) for v in value]):
        return f"tuple({text})"
    is_of_ints = is_array and str(value.dtype).startswith(("int", "uint"))
    if wanted == "something hashable" and is_of_ints and np.shape(value) == (1,) and name == "axis":
        return f"int({text}[0])"
    if wanted == "something hashable" and is_of_ints and np.ndim(value) < 2 and np.size(value):
        return f"tuple({text}.tolist())" if np.ndim(value) else f"{text}.item()"
    return None


def _is_numbers(value: Any) -> bool:
    """Return whether a value is a number, or lists or tuples of numbers."""
    if isinstance(value, (list, tuple)):
        return all([_is_numbers(v) for v in value])
    return isinstance(value, (int, float, complex))
