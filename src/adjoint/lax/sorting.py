"""Sorting and the greatest elements.

Tests: `tests/lax/test_reductions.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence

from ..core.messages.errors import message
from ..core.types import Array, aval_of
from ..core.values.dimension import as_length
from ..prims import sorting
from ..prims.approximate import approx_top_k
from ..transforms.jit.replay import WORTH, replayed
from .shape import canonical_axis, flag

__all__ = ["approx_max_k", "approx_min_k", "sort", "sort_key_val", "top_k"]


@replayed(compiles_after=WORTH)
def sort(operand, dimension: int = -1, is_stable: bool = True, num_keys: int = 1):
    """Sort along one axis, ascending, NaNs last.

    Args:
      operand: an array, or a sequence of arrays of equal shape that are sorted together.
      dimension: the axis.
      is_stable: keep the order of equal elements.
      num_keys: how many of the arrays, from the first, are compared; a later one where the earlier
        ones are equal.
    Returns:
      A new array, or a tuple with as many arrays as were given, all in the order of the keys.
    Raises:
      TypeError: no array was given, or their shapes differ.
      ValueError: the axis or `num_keys` is out of range.

    >>> lax.sort((jnp.array([2, 1]), jnp.array([10., 20.])))
    (Array([1, 2], dtype=int32), Array([20., 10.], dtype=float32))
    """
    together = isinstance(operand, Sequence)
    xs = tuple(operand) if together else (operand,)
    if not xs:
        raise TypeError(message("Sort requires at least one operand", fix="lax.sort(x)"))
    if not 1 <= num_keys <= len(xs):
        many, one = f"be between 1 and len(operand)={len(xs)}", "equal 1 for a single operand."
        raise ValueError(f"num_keys={num_keys} must {many if together else one}")
    axis = canonical_axis(dimension, aval_of(xs[0]).ndim)
    outs = sorting.sort(*xs, dimension=axis, is_stable=flag("is_stable", is_stable), num_keys=num_keys)
    return tuple(outs) if together else outs[0]


def sort_key_val(keys, values, dimension: int = -1, is_stable: bool = True) -> tuple[Array, Array]:
    """Sort `keys` along one axis, ascending and NaNs last, and `values` with them.

    Args:
      keys, values: arrays of equal shape.
      dimension: the axis.
      is_stable: keep the order of equal keys.
    Returns:
      The pair of both, in the new order.
    Raises:
      TypeError: the shapes differ.
      ValueError: the axis is out of range.

    >>> lax.sort_key_val(jnp.array([2, 1]), jnp.array([10., 20.]))
    (Array([1, 2], dtype=int32), Array([20., 10.], dtype=float32))
    """
    return sort((keys, values), dimension=dimension, is_stable=is_stable, num_keys=1)


@replayed(compiles_after=WORTH)
def top_k(operand, k: int, *, axis: int = -1) -> list[Array]:
    """Return the `k` greatest elements along an axis, the greatest first, and their positions.

    Of equal elements the first comes first; NaN is greater than all numbers.

    Args:
      operand: array (bool, integer, floating).
      k: how many, at most the length of the axis.
      axis: the axis along which the largest are found; negative ones count from the last.
    Returns:
      [values, positions as int32], both with length `k` along `axis`.
    Raises:
      ValueError: `k` or `axis` is out of range, or `operand` is complex.

    >>> lax.top_k(jnp.array([3, 1, 4]), 2)
    [Array([4, 3], dtype=int32), Array([2, 0], dtype=int32)]
    """
    return sorting.top_k(operand, k=as_length(k), axis=canonical_axis(axis, aval_of(operand).ndim))


def approx_max_k(
    operand, k: int, reduction_dimension: int = -1, recall_target: float = 0.95,
    reduction_input_size_override: int = -1, aggregate_to_topk: bool = True,
) -> list[Array]:
    """Return the `k` greatest floats, as `top_k` does; accelerators that trade recall for speed may miss some.

    Args:
      operand: array (floating).
      k: how many, at most the length of the axis.
      reduction_dimension: the axis.
      recall_target: the share of the `k` greatest that is found, at least, in the mean.
      reduction_input_size_override: the length of the whole axis, if this is a part of it.
      aggregate_to_topk: take the `k` best of what is found; otherwise there may be more, and results are longer.
    Returns:
      [values, positions as int32], both with length `k` along the axis.
    Raises:
      ValueError: the dtype is not a float; `k` is not positive or larger than the axis.

    >>> lax.approx_max_k(jnp.array([3., 1., 4.]), 2)
    [Array([4., 3.], dtype=float32), Array([2, 0], dtype=int32)]
    """
    return _approximate(
        operand, k, reduction_dimension, recall_target, True, reduction_input_size_override, aggregate_to_topk
    )


def approx_min_k(
    operand, k: int, reduction_dimension: int = -1, recall_target: float = 0.95,
    reduction_input_size_override: int = -1, aggregate_to_topk: bool = True,
) -> list[Array]:
    """Return the `k` least floats along an axis, the least first, and their positions.

    Accelerators that trade recall for speed may miss some; on the CPU all are found.

    Args:
      operand: array (floating).
      k: how many, at most the length of the axis.
      reduction_dimension: the axis.
      recall_target: the share of the `k` least that is found, at least, in the mean.
      reduction_input_size_override: the length of the whole axis, if this is a part of it.
      aggregate_to_topk: take the `k` best of what is found; otherwise there may be more, and results are longer.
    Returns:
      [values, positions as int32], both with length `k` along the axis.
    Raises:
      ValueError: the dtype is not a float; `k` is not positive or larger than the axis.

    >>> lax.approx_min_k(jnp.array([3., 1., 4.]), 2)
    [Array([1., 3.], dtype=float32), Array([1, 0], dtype=int32)]
    """
    return _approximate(
        operand, k, reduction_dimension, recall_target, False, reduction_input_size_override, aggregate_to_topk
    )


def _approximate(operand, k, axis, recall_target, is_max_k, size, aggregate) -> list[Array]:
    k = operator.index(k)
    if not 0.0 < recall_target <= 1.0:
        raise ValueError(
            message(f"recall_target must be between 0 and 1, got {recall_target}", fix="recall_target=0.95")
        )
    if 0 <= size < k:
        raise ValueError(f"reduction_input_size_override must not be smaller than k, got {size} and {k}")
    return approx_top_k(
        operand, k=k, reduction_dimension=axis, recall_target=recall_target, is_max_k=is_max_k,
        reduction_input_size_override=size, aggregate_to_topk=aggregate,
    )
