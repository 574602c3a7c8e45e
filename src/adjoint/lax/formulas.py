"""Formulas of JAX 0.11 and later: `log2`, `one_minus_square` and `polynomial`, each with a derivative of its own form.

Tests: `tests/lax/test_formulas.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from ..core import dtypes
from ..core.messages.boundaries import public
from ..core.types import Array, aval_of
from ..prims.family import like
from ..transforms.custom.custom_jvp import custom_jvp
from .conversion import convert_element_type
from .flow.loops import scan
from .operators import add, div, log, mul, sub
from .shape import broadcast_shapes, full, stack

__all__ = ["log2", "one_minus_square", "polynomial"]

_MOST_TERMS = 8  # terms that are written one by one


def log2(x, *, accuracy=None) -> Array:
    """Return the logarithm to base 2, elementwise; -inf at 0, NaN for negative real numbers.

    Args:
      x: array or scalar (floating, complexfloating).
      accuracy: a `Tolerance` or an `AccuracyMode`, for accelerators; on the CPU it changes nothing.
    Returns:
      An array of the shape and dtype of `x`.
    Raises:
      TypeError: `x` is of another kind.

    >>> lax.log2(8.)
    Array(3., dtype=float32, weak_type=True)
    """
    dtype = aval_of(x).dtype
    if not dtypes.issubdtype(dtype, np.inexact):
        raise TypeError(
            f"log2 does not accept dtype {dtype.name}. Accepted dtypes are subtypes of floating, complexfloating.\n"
            "  Try: jnp.log2(x), which converts integers"
        )
    return div(log(x, accuracy=accuracy), log(like(x, 2), accuracy=accuracy))


@custom_jvp
def one_minus_square(x) -> Array:
    """Return 1 - x * x, exact where x is near 1 or -1.

    Args:
      x: array or scalar (integer, floating, complexfloating).
    Returns:
      An array of its shape and dtype.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> lax.one_minus_square(0.5)
    Array(0.75, dtype=float32, weak_type=True)
    """
    one = like(x, 1)
    return mul(add(one, x), sub(one, x))


@one_minus_square.defjvp
def _(primals, tangents):
    (x,), (t,) = primals, tangents
    return one_minus_square(x), mul(t, mul(like(x, -2), x))


def polynomial(x, coeffs: Sequence, *, unroll: int | None = None) -> Array:
    """Return the polynomial with these coefficients, that of 1 first, by Horner's rule.

    Args:
      x: array or scalar.
      coeffs: numbers, or arrays that broadcast with `x`; none is the polynomial 0.
      unroll: the greatest number of terms that are written one by one; a loop runs over more. 8 by default.
    Returns:
      An array of the shape to which `x` and the coefficients broadcast, in the dtype to which they promote.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> lax.polynomial(3., [1., 5., 2.])
    Array(34., dtype=float32, weak_type=True)
    """
    coeffs = list(coeffs)
    dtype = dtypes.result_type(x, *coeffs)
    typed = lambda v: convert_element_type(v, dtype) if aval_of(v).dtype != dtype else v
    x, coeffs = typed(x), [typed(c) for c in coeffs]
    shape = broadcast_shapes(aval_of(x).shape, *[aval_of(c).shape for c in coeffs])
    if not coeffs:
        return mul(x, like(x, 0))
    if len(coeffs) <= (_MOST_TERMS if unroll is None else unroll) or len({aval_of(c).shape for c in coeffs}) > 1:
        return reduce(lambda total, c: add(mul(total, x), c), reversed(coeffs[:-1]), _spread(coeffs[-1], x, shape))
    first = _spread(coeffs[-1], x, shape)
    total, _ = scan(lambda total, c: (add(mul(total, x), c), None), first, stack(coeffs[:-1]), reverse=True)
    return total


def _spread(c, x, shape):
    """Return the coefficient of the highest power in the shape of the result."""
    return c if aval_of(c).shape == shape else add(full(shape, 0, aval_of(c).dtype), c)


public(globals())
