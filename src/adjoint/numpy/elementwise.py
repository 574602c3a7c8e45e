"""Declarations of functions that are one element-wise primitive: a row in a table for each.

`unary` and `binary` make the function that promotes its operands and binds the primitive, with the short
cuts of `shortcuts.py` and a docstring from one line and an example.

Tests: `tests/numpy/test_ufuncs.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature

import numpy as np

from ..core import dtypes
from ..core.trace import state
from ..core.types import Array, aval_of
from ..prims.domains import ANY, accepts
from ..prims.family import Elementwise, is_narrow
from ..transforms.jit.jit import lowerable
from ..transforms.jit.replay import replayed
from .conversion import settled
from .promotion import promote, promote_inexact
from .shortcuts import shortened

__all__ = ["binary", "documented", "evaluation", "unary", "wrong_operand"]

_NATIVE = "fciub"  # the kinds of dtypes that NumPy computes with itself
# What the rule is for operands of a kind.
_UFUNCS = {("div", "f"): np.true_divide, **{("mul", kind): np.multiply for kind in _NATIVE}}


def unary(
    name: str,
    p: Elementwise,
    summary: str,
    example: str,
    promotion: Callable = promote,
    unchanged: tuple = (),
    dtype: str = "",
) -> Callable:
    """The function of one operand that promotes and binds `p`; dtype kinds it leaves `unchanged`."""

    def general(x, /):
        (x,) = promotion(name, x)
        return settled(x) if unchanged and accepts(unchanged, aval_of(x).dtype) else p.bind(x)

    function = shortened(replayed(general, scalars=True), _own_rule(p, promotion), 1)
    return documented(
        function, name, summary, example, floats=promotion is promote_inexact, dtype=dtype, domain=p.domains[0])


def binary(
    name: str,
    p: Elementwise,
    summary: str,
    example: str,
    promotion: Callable = promote,
    for_bool: Elementwise | None = None,
    names: tuple[str, str] = ("x", "y"),
    dtype: str = "",
    masked: Callable | None = None,
) -> Callable:
    """The function of two operands that promotes and binds `p`, or `for_bool` where they are booleans.

    `masked(mask, x, product)` is what an engine makes of a float and booleans of its shape, in the program of an eager
    call too; `product()` is what it is otherwise.
    """

    def general(x, y, /):
        given = x, y
        x, y = promotion(name, x, y)
        if masked is not None and not state.trace.stages:
            for mask, other, out in ((given[1], given[0], x), (given[0], given[1], y)):
                if _are_mask_and_floats(mask, other) and mask.shape == out.shape:
                    return masked(mask, out, lambda: p.bind(x, y))
        if for_bool is not None and aval_of(x).dtype == dtypes.bool_:
            return for_bool.bind(x, y)
        return p.bind(x, y)

    function = shortened(replayed(general, scalars=True), _own_rule(p, promotion), 2)
    return documented(
        function, name, summary, example, names, promotion is promote_inexact, dtype,
        ANY if for_bool else p.domains[0])


def _are_mask_and_floats(mask, x) -> bool:
    if not isinstance(mask, (Array, np.ndarray)) or not isinstance(x, (Array, np.ndarray)):
        return False
    return mask.dtype == np.bool_ and x.dtype.kind == "f"


def _own_rule(p: Elementwise, promotion: Callable) -> Callable:
    """Return operands of a dtype that `p` takes and the promotion keeps: `p`'s evaluation is the short cut."""
    kinds = "fc" if promotion is promote_inexact else _NATIVE

    def rule(dtype):
        return evaluation(p, dtype) if dtype.kind in kinds and accepts(p.domains[0], dtype) else None

    return rule


def evaluation(p: Elementwise, dtype) -> Callable:
    """The function that evaluates `p` for operands of a dtype."""
    rule = p.evaluate_rule
    if is_narrow(dtype):
        return rule
    return _UFUNCS.get((p.name, dtype.kind)) or getattr(rule, "unwidened", rule)  # type: ignore[return-value]


def documented(
    function: Callable, name: str, summary: str, example: str, names: tuple[str, ...] = (), floats: bool = False,
    dtype: str = "", domain: tuple = ANY,
) -> Callable:
    """Name a generated function, and write its docstring from one line and an example.

    `example` is the call and the printed result, with an arrow between: `sin(0.) -> Array(0., ...)`.
    `names` are those of the operands, where they are not x and y. `floats`: integers become floats. `dtype` is that of
    the result, in words, where it is not the one of the operands. `domain` holds the kinds of dtypes that are taken.
    """
    call, result = example.split(" -> ")
    names = names or ("x", "y")[: function.__code__.co_posonlyargcount]
    if len(names) == 1:
        operands, shape, dtype = "array or scalar", f"the shape of `{names[0]}`", dtype or "of its dtype"
    else:
        operands = "arrays or scalars; shapes broadcast, dtypes promote"
        shape, dtype = "the shape to which they broadcast", dtype or "of the dtype to which they promote"
    if floats:
        dtype = f"{dtype}; integers and booleans become floats before"
    function.__name__ = function.__qualname__ = name
    function.__module__ = "adjoint.numpy"
    function.__doc__ = (
        f"{summary}\n\n    Args:\n      {', '.join(names)}: {operands}.\n"
        f"    Returns:\n      An array with that value for each element, of {shape}\n      and {dtype}.\n"
        f"    Raises:\n      TypeError: {wrong_operand(names, domain, floats)}.\n\n"
        f"    >>> jnp.{call}\n    {result}\n    "
    )
    only = Parameter.POSITIONAL_ONLY
    function.__signature__ = Signature([Parameter(n, only) for n in names])  # type: ignore
    return lowerable(function)


def wrong_operand(names: tuple[str, ...], domain: tuple, floats: bool) -> str:
    """Return in words what an operand is that such a function does not take."""
    who = f"`{names[0]}`" if len(names) == 1 else "an operand"
    not_taken = "not an array or scalar"
    if not accepts(domain, np.dtype("float32")):
        not_taken = "not of integers" + " or booleans" * accepts(domain, np.dtype(bool))
    elif not accepts(domain, np.dtype("complex64")):
        not_taken = f"complex, or {not_taken}"
    elif not floats and not accepts(domain, np.dtype(bool)):
        not_taken = f"boolean, or {not_taken}"
    shapes = ", or shapes do not broadcast" * (len(names) > 1)
    return f"{who} is {not_taken}{shapes}; lists are not converted"
