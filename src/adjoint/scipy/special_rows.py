"""Rows of special functions: promotion of their arguments, and what their docstrings say.

A function that is one primitive is a `row`; `described` gives sections to the docstrings of the others.

Tests: `tests/scipy/test_special.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import Parameter, Signature, unwrap
from typing import Any

import numpy as np

from .. import numpy as jnp
from ..core import dtypes
from ..core.messages.errors import message
from ..numpy.promotion import convert, dtype_of, promote_inexact

__all__ = ["check_real", "described", "named", "row", "take_float", "take_integral", "take_real", "take_strong"]


def take_real(name: str, *args) -> list:
    """The operands in one float dtype; ValueError if they are complex."""
    return check_real(f"{name} does not support complex-valued inputs.", *promote_inexact(name, *args))


def check_real(text: str, *args) -> list:
    """The operands; ValueError with this text if they are complex."""
    if any(dtypes.issubdtype(dtype_of(x), np.complexfloating) for x in args):
        raise ValueError(message(text, fix="x.real, or jnp.abs(x), if that is what is meant"))
    return list(args)


def take_strong(*args) -> list:
    """The operands as arrays that are not weakly typed."""
    return [convert(x, dtype_of(x)) for x in args]


def take_integral(name: str, *args) -> list:
    """The operands in one float dtype, not weakly typed; ValueError if they are complex."""
    return take_strong(*take_real(name, *args))


def take_float(x, text: str = "x.dtype={} is not supported, see docstring for supported types."):
    """The operand as an array of float32 or float64; TypeError if it is none."""
    x = jnp.asarray(x)
    if x.dtype not in (dtypes.float32, dtypes.float64):
        raise TypeError(message(
            text.format(x.dtype.name), why="It is computed for float32 and float64 only.",
            fix="x.astype(jnp.float32)",
        ))
    return convert(x, x.dtype)


def row(
    name: str, primitive, what: str, example: str, result: str, *, arity: int = 1, operands: Callable = promote_inexact
):
    """A function of the primitive with promotion and a docstring."""
    call = f">>> print({name}({example}))\n    {result}\n"

    def function(*args):
        return primitive(*operands(name, *args))

    parameters = (("x",), ("x", "y"), ("a", "b", "x"))[arity - 1]
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{what}\n\n    {call}    "
    return named(function, *parameters)


def named(function, *names: str):
    """The function with these names of its parameters."""
    signature = Signature([Parameter(n, Parameter.POSITIONAL_OR_KEYWORD) for n in names])

    def named(*args, **kwargs):
        return function(*signature.bind(*args, **kwargs).args)

    named.__name__ = named.__qualname__ = function.__name__
    named.__doc__, named.__signature__ = function.__doc__, signature
    return named


_OPERAND = "array or scalar; integers become floats."
_RETURNS = "That value for each element, in an array of the shape to which they broadcast and of the dtype of all."


def described(names: dict[str, Any], **texts: dict[str, str]) -> None:
    """Give the functions of a module docstrings with sections, where they have none.

    Args:
      names: the module's `globals()`.
      texts: for functions what their parameters are, where they are no arrays of any float; and `returns`, where it is
        no array of such values.
    """
    for name in names["__all__"]:
        function = names[name]
        if "Args:" in (doc := function.__doc__ or ""):
            continue
        found = re.search("\n( *)>>> ", doc)  # since Python 3.13, texts in a source lose their indentation
        assert found, name
        pad = found[1]
        own, errors = texts.get(name, {}), doc.find(f"\n{pad}Raises:")
        start = found.start() if errors < 0 else errors
        parameters = own or Signature.from_callable(unwrap(function)).parameters
        arguments = [f"{pad}  {n}: {own.get(n) or _OPERAND}" for n in parameters if n != "returns"]
        sections = [f"{pad}Args:", *arguments, f"{pad}Returns:", f"{pad}  {own.get('returns') or _RETURNS}"]
        function.__doc__ = "\n".join([doc[:start], *sections, doc[start:].lstrip("\n") if errors >= 0 else doc[start:]])
