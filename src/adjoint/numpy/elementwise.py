"""Functions that work on each element alone: how they are declared, and their short cut.

`unary` and `binary` make a function from a primitive: it promotes its operands and binds the primitive.
Most of that is in vain when a program runs eagerly: operands are concrete arrays whose dtypes need no
promotion. `shortened` therefore remembers, for each combination of operand types, the NumPy function
to call on the buffers and the type of the result; a call that it knows costs NumPy plus less than a
microsecond. A combination is learnt from its first call, so the short cut never disagrees about types.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature, signature
from typing import Any

import numpy as np

from ..array.array import ArrayImpl, as_array
from ..core import dtypes
from ..core.trace import state
from ..core.types import aval_of
from ..engines.numpy import eval_trace
from ..engines.numpy.floating import quiet
from ..prims.family import Elementwise, accepts
from ..transforms.flat import wraps
from .promotion import promote

__all__ = ["binary", "documented", "quick", "shortened", "unary"]

_KNOWN = 4096  # combinations of operand types that one function remembers
_NATIVE = "fciub"  # the kinds of dtypes that NumPy computes with itself
_new = object.__new__
_enter, _leave = quiet.enter, quiet.leave


# ---- the short cut ------------------------------------------------------------------------------


def shortened(general: Callable, rule: Callable, arity: int) -> Callable:
    """`general`, with a short cut for concrete operands.

    Args:
      general: the function of `arity` array operands.
      rule: the dtype that all operands have -> the NumPy function that does the same, or None.
    """
    function = (_shortened_unary if arity == 1 else _shortened_binary)(general, rule)
    function.rule = rule  # type: ignore[attr-defined]
    return function


def _shortened_unary(general, rule):
    known: dict[Any, Any] = {}

    def learn(x):
        out = general(x)
        if state.trace is eval_trace and type(x) is ArrayImpl and type(out) is ArrayImpl:
            _remember(known, x.aval, rule(x.aval.dtype), out.aval)
        return out

    def function(x, /):
        if type(x) is not ArrayImpl or state.trace is not eval_trace:
            return general(x)
        entry = known.get(x.aval)
        if entry is None or (buffer := x._buffer) is None:
            return learn(x)
        token = _enter()
        try:
            buffer = entry[0](buffer)
        finally:
            _leave(token)
        a = _new(ArrayImpl)
        a._buffer = buffer
        a._device = None
        a.aval = entry[1]
        return a

    return function


def _shortened_binary(general, rule):
    known: dict[Any, Any] = {}

    def learn(x, y):
        out = general(x, y)
        if state.trace is eval_trace and type(out) is ArrayImpl:
            key = tuple([v.aval if type(v) is ArrayImpl else type(v) for v in (x, y)])
            if key not in known:
                _remember(known, key, _on_buffers(rule, x, y), out.aval)
        return out

    def function(x, y, /):
        if type(x) is ArrayImpl:
            kx, bx = x.aval, x._buffer
        else:
            kx, bx = type(x), x
        if type(y) is ArrayImpl:
            ky, by = y.aval, y._buffer
        else:
            ky, by = type(y), y
        entry = known.get((kx, ky))
        if entry is None or state.trace is not eval_trace or bx is None or by is None:
            return learn(x, y)
        token = _enter()
        try:
            buffer = entry[0](bx, by)
        finally:
            _leave(token)
        a = _new(ArrayImpl)
        a._buffer = buffer
        a._device = None
        a.aval = entry[1]
        return a

    return function


def _remember(known, key, function, aval) -> None:
    if len(known) >= _KNOWN:
        known.clear()
    known[key] = None if function is None else (function, aval)


def _on_buffers(rule, x, y):
    """The function for the buffers of concrete arrays of one dtype, or of one and a scalar; or None."""
    arrays = [v.aval for v in (x, y) if type(v) is ArrayImpl]
    if not arrays or any(a.dtype != arrays[0].dtype for a in arrays):
        return None
    if len({a.ndim for a in arrays if a.ndim}) > 1:
        return None  # `jax_numpy_rank_promotion` has a say
    dtype = arrays[0].dtype
    function = rule(dtype)
    if function is None or len(arrays) == 2:
        return function
    scalar = y if type(x) is ArrayImpl else x
    if isinstance(scalar, np.generic):
        return function if scalar.dtype == dtype else None
    convert = _scalar_conversion(function, type(scalar), dtype)
    if convert is None:
        return None
    if convert is _as_is:
        return function
    if scalar is y:
        return lambda x, y: function(x, convert(y))
    return lambda x, y: function(convert(x), y)


def _as_is(x):
    return x


def _scalar_conversion(function, python, dtype):
    """What a Python scalar must go through before `function` can take it beside arrays of `dtype`.

    NumPy's own functions promote Python scalars as JAX does, and raise when an int is too large.
    """
    inexact = dtype.kind in "fc"
    if python is float:
        if not inexact:
            return None
        return _as_is if isinstance(function, np.ufunc) else dtype.type
    if python is not int:
        return None
    if dtype == dtypes.default_int() and isinstance(function, np.ufunc):
        return _as_is
    if inexact or dtype == dtypes.default_int():
        return lambda n: dtype.type(n if -(2**31) <= n < 2**31 else _checked(n))
    return None


def _checked(n: int) -> int:
    aval_of(n)  # OverflowError where an int of this size is one
    return n


def quick(**functions: Callable) -> Callable:
    """Give a formula a short cut: `quick(f=np.fmax)` names the NumPy function for each kind of dtype.

    The kinds are NumPy's letters: f, c, i, u, b.
    """
    by_kind = {kind: function for kinds, function in functions.items() for kind in kinds}

    def decorate(formula):
        arity = len(signature(formula).parameters)
        return wraps(formula)(shortened(formula, lambda dtype: by_kind.get(dtype.kind), arity))

    return decorate


# ---- declaration --------------------------------------------------------------------------------


def unary(
    name: str,
    p: Elementwise,
    summary: str,
    example: str,
    promotion: Callable = promote,
    unchanged: tuple = (),
) -> Callable:
    """The function of one operand that promotes and binds `p`; dtype kinds it leaves `unchanged`."""

    def general(x, /):
        (x,) = promotion(name, x)
        return as_array(x) if unchanged and accepts(unchanged, aval_of(x).dtype) else p.bind(x)

    function = shortened(general, _own_rule(p), 1)
    return documented(function, name, summary, example)


def binary(
    name: str,
    p: Elementwise,
    summary: str,
    example: str,
    promotion: Callable = promote,
    for_bool: Elementwise | None = None,
    names: tuple[str, str] = ("x", "y"),
) -> Callable:
    """The function of two operands that promotes and binds `p`, or `for_bool` where they are booleans."""

    def general(x, y, /):
        x, y = promotion(name, x, y)
        if for_bool is not None and aval_of(x).dtype == dtypes.bool_:
            return for_bool.bind(x, y)
        return p.bind(x, y)

    function = shortened(general, _own_rule(p), 2)
    return documented(function, name, summary, example, names)


def _own_rule(p: Elementwise) -> Callable:
    """Operands whose dtype `p` takes need no promotion: its evaluation rule is the short cut."""

    def rule(dtype):
        return p.evaluate_rule if dtype.kind in _NATIVE and accepts(p.domains[0], dtype) else None

    return rule


def documented(
    function: Callable, name: str, summary: str, example: str, names: tuple[str, ...] = ()
) -> Callable:
    """Name a generated function, and write its docstring from one line and an example.

    `example` is the call and the printed result, with an arrow between: `sin(0.) -> Array(0., ...)`.
    `names` are those of the operands, where they are not x and y.
    """
    call, result = example.split(" -> ")
    names = names or ("x", "y")[: function.__code__.co_argcount]
    operands = "array or scalar" if len(names) == 1 else "arrays or scalars; shapes broadcast"
    function.__name__ = function.__qualname__ = name
    function.__module__ = "adjoint.numpy"
    function.__doc__ = (
        f"{summary}\n\n    Args:\n      {', '.join(names)}: {operands}.\n\n"
        f"    >>> jnp.{call}\n    {result}\n    "
    )
    only = Parameter.POSITIONAL_ONLY
    function.__signature__ = Signature([Parameter(n, only) for n in names])  # type: ignore
    return function
