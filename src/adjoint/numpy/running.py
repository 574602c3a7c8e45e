"""Running sums and products along an axis.

Tests: `tests/numpy/test_reductions.py`.
"""

from __future__ import annotations

import numpy as np

from ..core import dtypes
from ..core.messages.errors import message
from ..prims import cumulative
from ..prims.shape import concatenate, full
from ..transforms.jit.jit import inner_jit, lowerable
from ..transforms.jit.replay import replayed
from . import ufuncs
from .axes import canonical_axis, operand, refuse_out
from .promotion import constant, convert
from .reductions import at_least_default
from .shapes import ravel

__all__ = ["cumprod", "cumsum", "cumulative_prod", "cumulative_sum", "nancumprod", "nancumsum"]


def _along(p, a, axis, dtype):
    """Return the primitive along an axis, computed in a dtype; of booleans, whether any or all so far are not zero."""
    if dtype != dtypes.bool_:
        return p.bind(convert(a, dtype), axis=axis, reverse=False)
    truth = convert(ufuncs.not_equal(a, constant(a, 0)), dtypes.default_int())
    return convert(p.bind(truth, axis=axis, reverse=False), dtypes.bool_)


def _is_converted(a, dtype) -> bool:
    try:
        return a.weak_type or dtype is not None and np.dtype(dtype) != a.dtype
    except TypeError:  # no dtype, as is said elsewhere
        return False


def _running(name, p, missing, summary, example):
    """Return the function `name` of the primitive `p`; NaNs count as `missing`, unless that is None."""

    @inner_jit(static_argnames=("axis", "dtype"), name=name)
    def run(a, axis, dtype):
        if axis is None:
            a, axis = ravel(a), 0
        axis = canonical_axis(axis, a.ndim)
        if missing is not None and dtypes.issubdtype(a.dtype, np.inexact):
            a = ufuncs.where(ufuncs.isnan(a), constant(a, missing), a)
        if dtype is None and a.dtype == np.bool_:
            dtype = dtypes.default_int()
        dtype = a.dtype if dtype is None else dtypes.check_user_dtype_supported(dtype, name)
        dtypes.warn_of_lost_parts(a.dtype, dtype)
        return _along(p, a, axis, dtype)

    def checked(run):
        def function(a, axis=None, dtype=None, out=None):
            a = operand(name, a)
            refuse_out(name, out)
            if axis is not None and not a.ndim and _is_converted(a, dtype):
                a = ravel(a)  # JAX parity: a number that is converted has an axis, as in NumPy
            return run(a, axis, dtype)

        return function

    function = replayed(exact=True)(checked(run))
    call, result = example.split(" -> ")
    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{summary} along an axis, or of the flat array.\n\n    Args:\n      a: array.\n"
        "      axis: the axis; None flattens the array.\n"
        "      dtype: of the result; default that of `a`, of booleans the default integer.\n      out: must be None.\n"
        "    Returns:\n      An array of the shape of `a`, or flat: position i along the axis is that of\n"
        "      elements 0 to i. The dtype is `dtype`.\n"
        "    Raises:\n      TypeError: `a` is not an array or scalar; lists are not converted.\n"
        "      ValueError: `axis` is out of range.\n      NotImplementedError: `out` is given.\n\n"
        f"    >>> jnp.{name}({call})\n    {result}\n    "
    )
    return lowerable(function, checked(run.fun), static_argnames=("axis", "dtype"))


cumsum = _running(
    "cumsum", cumulative.cumsum, None, "Return running sums",
    "jnp.array([1, 2, 3]) -> Array([1, 3, 6], dtype=int32)",
)
cumprod = _running(
    "cumprod", cumulative.cumprod, None, "Return running products",
    "jnp.array([1, 2, 3]) -> Array([1, 2, 6], dtype=int32)",
)
nancumsum = _running(
    "nancumsum", cumulative.cumsum, 0, "Return running sums, with NaN as 0,",
    "jnp.array([1., jnp.nan, 3.]) -> Array([1., 1., 4.], dtype=float32)",
)
nancumprod = _running(
    "nancumprod", cumulative.cumprod, 1, "Return running products, with NaN as 1,",
    "jnp.array([2., jnp.nan, 3.]) -> Array([2., 2., 6.], dtype=float32)",
)


def _with_start(name, run, neutral, summary, example):
    """Return the array API's function `name`, which can put the neutral element in front."""

    @replayed(exact=True)
    def function(x, /, *, axis=None, dtype=None, include_initial=False):
        x = operand(name, x)
        if x.ndim == 0:
            raise ValueError(
                message("The input must be non-scalar to take a cumulative sum or product.", fix="jnp.atleast_1d(x)")
            )
        if axis is None:
            if x.ndim > 1:
                raise ValueError(
                    message(
                        f"The input array has rank {x.ndim}, however axis was not set to an explicit value. "
                        "The axis argument is only optional for one-dimensional arrays.",
                        fix="axis=0, or x.ravel() for all elements in a row",
                    )
                )
            axis = 0
        axis = canonical_axis(axis, x.ndim)
        if dtype is not None:
            dtype = dtypes.check_user_dtype_supported(dtype, name)
        out = run(x, axis, dtype)
        if not include_initial:
            return out
        shape = (*x.shape[:axis], 1, *x.shape[axis + 1 :])
        return concatenate(full(shape, neutral, out.dtype), out, dimension=axis)

    call, result = example.split(" -> ")
    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{summary} along an axis.\n\n    Args:\n      x: array with one axis at least.\n"
        "      axis: needed unless there is one axis.\n      dtype: of the result.\n"
        f"      include_initial: put {neutral} in front.\n"
        "    Returns:\n      An array of the shape of `x`, with `include_initial` longer by one.\n"
        "    Raises:\n      TypeError: `x` is not an array or scalar; lists are not converted.\n"
        "      ValueError: `axis` is out of range, or left out where there are several axes.\n\n"
        f"    >>> jnp.{name}({call})\n    {result}\n    "
    )
    return function


@inner_jit(static_argnames=("axis", "dtype"))
def _cumsum_with_promotion(x, axis, dtype):
    return _along(cumulative.cumsum, x, axis, at_least_default(x.dtype) if dtype is None else dtype)


def _cumprod_with_promotion(x, axis, dtype):
    return _along(cumulative.cumprod, x, axis, at_least_default(x.dtype) if dtype is None else dtype)


cumulative_sum = _with_start(
    "cumulative_sum", _cumsum_with_promotion, 0, "Return running sums, of small integers as the default one,",
    "jnp.array([1, 2]), include_initial=True -> Array([0, 1, 3], dtype=int32)",
)
cumulative_prod = _with_start(
    "cumulative_prod", _cumprod_with_promotion, 1, "Return running products, of small integers as the default one,",
    "jnp.array([2, 3]), include_initial=True -> Array([1, 2, 6], dtype=int32)",
)
