"""Rows of special functions: promotion of their arguments, and what their docstrings say.

A function that is one primitive is a `row`; `described` gives sections to the docstrings of the others. The series of
`zeta` is here, too, from which its derivative is.

Tests: `tests/scipy/test_special.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import Parameter, Signature, unwrap
from math import factorial as factorial_of
from typing import Any

import numpy as np

from .. import numpy as jnp
from ..core import dtypes
from ..core.messages.errors import message
from ..numpy.elementwise import wrong_operand
from ..numpy.promotion import convert, dtype_of, promote_inexact
from ..prims.domains import ANY, FLOATS

__all__ = [
    "check_real", "described", "named", "row", "take_float", "take_integral", "take_real", "take_strong", "zeta_series",
]


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


def take_float(
    x, text: str = "x.dtype={} is not supported, see docstring for supported types.", is_weak: bool = False
):
    """The operand as an array of float32 or float64, weakly typed if it is so and may be; TypeError if it is none."""
    x = jnp.asarray(x)
    if x.dtype not in (dtypes.float32, dtypes.float64):
        raise TypeError(message(
            text.format(x.dtype.name), why="It is computed for float32 and float64 only.",
            fix="x.astype(jnp.float32)",
        ))
    return x if is_weak else convert(x, x.dtype)


def row(
    name: str, primitive, what: str, example: str, result: str, *, arity: int = 1, operands: Callable = promote_inexact,
    is_complex: bool = False,
):
    """A function of the primitive with promotion and a docstring; `is_complex`: it takes complex numbers."""
    call = f">>> print({name}({example}))\n    {result}\n"

    def function(*args):
        return primitive(*operands(name, *args))

    parameters = (("x",), ("x", "y"), ("a", "b", "x"))[arity - 1]
    function.__name__ = function.__qualname__ = name
    are_checked = operands is not promote_inexact
    domain = ANY if is_complex or are_checked else FLOATS
    wrong = f"    Raises:\n      TypeError: {wrong_operand(parameters, domain, True)}.\n"
    if are_checked:
        wrong += "      ValueError: an operand is complex.\n"
    function.__doc__ = f"{what}\n\n{wrong}\n    {call}    "
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


def described(names: dict[str, Any], errors: dict[str, str], **texts: dict[str, str]) -> None:
    """Give the functions of a module docstrings with sections, where they have none.

    Args:
      names: the module's `globals()`.
      errors: for functions, with spaces between, what they raise; beside that all refuse what is no array or scalar.
      texts: for functions what their parameters are, where they are no arrays of any float; and `returns`, where it is
        no array of such values.
    """
    raised = {name: text for group, text in errors.items() for name in group.split()}
    for name in names["__all__"]:
        function = names[name]
        if function.__module__ == __name__:
            function.__module__ = names["__name__"]  # where it is found, by pickle too
        if "Args:" in (doc := function.__doc__ or ""):
            continue
        found = re.search("\n( *)>>> ", doc)  # since Python 3.13, texts in a source lose their indentation
        assert found, name
        pad = found[1]
        own, written = texts.get(name, {}), doc.find(f"\n{pad}Raises:")
        start = found.start() if written < 0 else written
        parameters = [n for n in own or Signature.from_callable(unwrap(function)).parameters if n != "returns"]
        lines = doc[start : found.start()].split("\n")[2:]
        wrong = [*filter(None, map(str.strip, lines)), *([raised[name]] if name in raised else [])]
        if not any(line.startswith("TypeError") for line in wrong):
            who = "an operand" if len(parameters) > 1 else f"`{parameters[0]}`"
            wrong = [f"TypeError: {who} is not an array or scalar; lists are not converted.", *wrong]
        function.__doc__ = "\n".join([
            doc[:start].rstrip(), "",
            f"{pad}Args:", *[f"{pad}  {n}: {own.get(n) or _OPERAND}" for n in parameters],
            f"{pad}Returns:", f"{pad}  {own.get('returns') or _RETURNS}",
            f"{pad}Raises:", *[f"{pad}  {line}" for line in wrong], doc[found.start():],
        ])


_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)  # of the orders 2, 4, ... 16
_TERMS_BEFORE_EULER_MACLAURIN = 12  # that are summed; the formula of Euler and Maclaurin sums the rest


def zeta_series(x, q):
    """Return what Hurwitz's zeta function is, in steps that have derivatives by x."""
    x, q = convert(x, dtype_of(x)), convert(q, dtype_of(q))
    far = q + _TERMS_BEFORE_EULER_MACLAURIN
    total = sum((q + k) ** -x for k in range(_TERMS_BEFORE_EULER_MACLAURIN)) + far ** (1 - x) / (x - 1) + 0.5 * far**-x
    factor = x * far ** (-x - 1)
    for k, b in enumerate(_BERNOULLI, 1):
        total = total + b / factorial_of(2 * k) * factor
        factor = factor * (x + 2 * k - 1) * (x + 2 * k) / (far * far)
    return total
