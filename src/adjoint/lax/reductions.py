"""Reductions over axes, positions of extrema, and running sums, products and extrema.

`reduce` recognises the computations that have a primitive; any other becomes a program that the
primitive `reduce` holds (control_flow/folds.py).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..array.array import as_array
from ..control_flow.folds import combination, fold_axes, reduce_p
from ..core import dtypes
from ..core.messages.errors import message
from ..core.primitive import Primitive
from ..core.tree.tree import tree_flatten, tree_unflatten
from ..core.types import Array, aval_of
from ..prims import cumulative, reduction
from ..prims import shape as shapes
from ..sharding.explicit import told_sharding
from ..transforms.jit.replay import replayed
from . import operators
from .conversion import convert_element_type
from .shape import ints

__all__ = [
    "argmax", "argmin", "cumlogsumexp", "cummax", "cummin", "cumprod", "cumsum", "reduce",
    "reduce_and", "reduce_max", "reduce_min", "reduce_or", "reduce_prod", "reduce_sum",
    "reduce_xor",
]


# ---- reductions by a primitive ------------------------------------------------------------------


def reduce_sum(operand, axes: Sequence[int], *, out_sharding=None) -> Array:
    """Return the sum over `axes`; 0 of an empty axis.

    Args:
      operand: array or scalar (integer, floating, complexfloating).
      axes: the axes to sum over, at least 0.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      The sums, in the operand's dtype (integers wrap around), in an array without these axes.
    Raises:
      ValueError: an axis occurs twice or is out of range.

    >>> lax.reduce_sum(jnp.array([[1, 2], [3, 4]]), [0])
    Array([4, 6], dtype=int32)
    """
    return shapes.reduce_sum(operand, axes=ints(axes), out_sharding=told_sharding("reduce_sum", out_sharding))


def _reduction(p: Primitive, what: str, example: str, result: str) -> Callable:
    def function(operand, axes):
        return p.bind(operand, axes=ints(axes))

    function.__name__ = function.__qualname__ = p.name
    function.__doc__ = (
        f"{what}\n\nArgs:\n  operand: array or scalar.\n  axes: the axes to reduce, at least 0.\n"
        "Returns:\n  That value for each index of the other axes: an array of the operand's dtype without these axes.\n"
        "Raises:\n  TypeError: the operation is none of the dtype.\n"
        "  ValueError: an axis occurs twice or is out of range.\n\n"
        f">>> lax.{p.name}(jnp.array({example}), [0])\n{result}\n"
    )
    return function


reduce_prod = _reduction(
    cumulative.reduce_prod, "Return the product over `axes`; 1 of an empty axis.",
    "[2, 3, 4]", "Array(24, dtype=int32)",
)
reduce_max = _reduction(
    reduction.reduce_max, "Return the greatest element over `axes`; the least number of an empty axis.",
    "[2, 3, 1]", "Array(3, dtype=int32)",
)
reduce_min = _reduction(
    reduction.reduce_min, "Return the least element over `axes`; the greatest number of an empty axis.",
    "[2, 3, 1]", "Array(1, dtype=int32)",
)
reduce_and = _reduction(
    reduction.reduce_and, "Return the bits that all elements over `axes` have; whether all are true.",
    "[True, False]", "Array(False, dtype=bool)",
)
reduce_or = _reduction(
    reduction.reduce_or, "Return the bits that any element over `axes` has; whether any is true.",
    "[True, False]", "Array(True, dtype=bool)",
)
reduce_xor = _reduction(
    reduction.reduce_xor, "Return the bits that an odd number of elements over `axes` have.",
    "[7, 1, 2]", "Array(4, dtype=int32)",
)


# ---- reductions by any computation --------------------------------------------------------------

# Computations that have a reduction, and their neutral elements.
_KNOWN = {
    operators.add: (reduce_sum, lambda dtype: 0),
    operators.mul: (reduce_prod, lambda dtype: 1),
    operators.max: (reduce_max, reduction.lowest),
    operators.min: (reduce_min, reduction.highest),
    operators.bitwise_and: (reduce_and, lambda dtype: True if dtype == np.bool_ else -1),
    operators.bitwise_or: (reduce_or, lambda dtype: 0),
    operators.bitwise_xor: (reduce_xor, lambda dtype: 0),
}


def reduce(
    operands: Any, init_values: Any, computation: Callable[[Any, Any], Any],
    dimensions: Sequence[int], out_sharding=None,
) -> Any:
    """Combine all elements along `dimensions` by a computation of your own.

    Args:
      operands: a tree of arrays of equal shape.
      init_values: a tree of scalars to start from; neutral elements of `computation`.
      computation: (tree of elements, tree of elements) -> tree of elements. It must be associative:
        the grouping is not defined.
      dimensions: the axes to reduce.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      A tree of arrays without those axes, of the dtypes of the operands.
    Raises:
      ValueError: the trees differ, or an initial value is not a scalar.

    >>> lax.reduce(jnp.array([3., 4.]), 0., jnp.hypot, [0])
    Array(5., dtype=float32)
    """
    xs, tree = tree_flatten(operands)
    inits, init_tree = tree_flatten(init_values)
    if tree != init_tree:
        raise ValueError(
            "Operands must have the same tree structure as init_values: "
            f"{tree} vs. {init_tree}"
        )
    given = [aval_of(x).shape for x in xs]
    if len(set(given)) > 1:
        raise ValueError(f"All input arrays to reduce must have the same shape, got {given}.")
    if any(aval_of(i).shape for i in inits):
        raise ValueError(
            message(
                f"reduce found non-scalar initial value: {[aval_of(i).shape for i in inits]}",
                fix="lax.reduce(x, 0.0, lax.add, (0,)), with a number where nothing was added yet",
            )
        )
    axes = ints(dimensions)
    if len(xs) == 1 and computation in _KNOWN:
        reducer, neutral = _KNOWN[computation]
        init = aval_of(inits[0])
        fits = init.dtype.kind in "iub" or reducer not in (reduce_and, reduce_or, reduce_xor)
        if fits and is_known(inits[0], neutral(init.dtype)):
            out = reducer(xs[0], axes)
            out = out if init.weak_type else convert_element_type(out, aval_of(out).dtype)
            return tree_unflatten(tree, [out])
    shapes.check_axes("reduce", aval_of(xs[0]), axes)
    avals, init_avals = ([aval_of(v) for v in values] for values in (xs, inits))
    if any(a.dtype != b.dtype for a, b in zip(avals, init_avals)):
        raise TypeError(
            "reduce operand dtypes should match corresponding initial value dtypes, got "
            f"operands={avals} and initial_values={init_avals}"
        )
    program, captured = combination(computation, tree, inits, "reduce")
    xs = [x if isinstance(x, Array) else as_array(x) for x in xs]
    if captured:
        outs = fold_axes(xs, inits, program, axes, with_init=True)
    else:
        outs = reduce_p.bind(
            *xs, *inits, computation=computation, dimensions=axes, jaxpr=program
        )
    return tree_unflatten(tree, outs)


def is_known(x, value) -> bool:
    """Return whether a scalar is known to be `value`."""
    if isinstance(x, Array):
        x = x.concrete()
    if x is None or aval_of(x).shape:
        return False
    return bool(np.asarray(getattr(x, "_buffer", x)) == value)


# ---- positions ----------------------------------------------------------------------------------


def argmax(operand, axis: int, index_dtype) -> Array:
    """Return the position of the greatest element along an axis: the first of them, or of the first NaN.

    Args:
      operand: array (integer, floating, bool).
      axis: an axis of length at least 1, counted from 0.
      index_dtype: the integer dtype of the result.
    Returns:
      Positions from 0 on, in an array of the operand's shape without the axis. The dtype is `index_dtype`.
    Raises:
      ValueError: the axis is out of range or empty.
      TypeError: `index_dtype` is no integer dtype.

    >>> lax.argmax(jnp.array([1, 3, 2]), 0, "int32")
    Array(1, dtype=int32)
    """
    return _position(reduction.argmax, operand, axis, index_dtype)


def argmin(operand, axis: int, index_dtype) -> Array:
    """Return the position of the least element along an axis: the first of them, or of the first NaN.

    Args:
      operand: array (integer, floating, bool).
      axis: an axis of length at least 1, counted from 0.
      index_dtype: the integer dtype of the result.
    Returns:
      Positions from 0 on, in an array of the operand's shape without the axis. The dtype is `index_dtype`.
    Raises:
      ValueError: the axis is out of range or empty.
      TypeError: `index_dtype` is no integer dtype.

    >>> lax.argmin(jnp.array([1, 3, 2]), 0, "int32")
    Array(0, dtype=int32)
    """
    return _position(reduction.argmin, operand, axis, index_dtype)


def _position(p, operand, axis, index_dtype):
    dtype = dtypes.check_user_dtype_supported(index_dtype, p.name)
    return p(operand, axes=(operator.index(axis),), index_dtype=dtype)


# ---- running sums, products, extrema ------------------------------------------------------------


def _cumulative(p: Primitive, what: str, example: str, result: str) -> Callable:
    @replayed(exact=True)
    def function(operand, axis: int = 0, reverse: bool = False):
        return p.bind(operand, axis=int(axis), reverse=bool(reverse))

    function.__name__ = function.__qualname__ = p.name
    function.__doc__ = (
        f"{what}\n\nArgs:\n  operand: array (integer, floating, complexfloating).\n"
        "  axis: along which axis, at least 0.\n  reverse: start at the last element.\n"
        "Returns:\n  An array of the operand's shape and dtype: position i along the axis is that of elements\n"
        "  0 to i, or with `reverse` of element i to the last.\n"
        "Raises:\n  TypeError: the operation is none of the dtype.\n  ValueError: the axis is out of range.\n\n"
        f">>> lax.{p.name}(jnp.array({example}))\n{result}\n"
    )
    return function


cumsum = _cumulative(
    cumulative.cumsum, "Return running sums.", "[1, 2, 3]", "Array([1, 3, 6], dtype=int32)"
)
cumprod = _cumulative(
    cumulative.cumprod, "Return running products.", "[1, 2, 3]", "Array([1, 2, 6], dtype=int32)"
)
cummax = _cumulative(
    cumulative.cummax, "Return the greatest element so far.", "[1, 3, 2]", "Array([1, 3, 3], dtype=int32)"
)
cummin = _cumulative(
    cumulative.cummin, "Return the least element so far.", "[3, 1, 2]", "Array([3, 1, 1], dtype=int32)"
)
cumlogsumexp = _cumulative(
    cumulative.cumlogsumexp, "Return logarithms of running sums of exponentials, without overflow.",
    "[0., -jnp.inf]", "Array([0., 0.], dtype=float32)",
)
