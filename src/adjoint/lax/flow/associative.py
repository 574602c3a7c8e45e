"""`associative_scan`: all prefix sums of an associative function, in a logarithmic number of steps.

Blelloch, "Prefix sums and their applications" (1990): combine neighbours, scan the half as many results,
and combine those with what stands between them. The function works on whole slices, so every step is one
parallel operation; there is no loop in the program.

Tests: `tests/control_flow/test_jaxprs.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...control_flow.functions.bodies import check_callable, operands_of
from ...core.messages.errors import describe, message
from ...core.tree.tree import tree_flatten, tree_unflatten
from ...prims.arithmetic import add
from ...prims.logic import or_
from ...prims.shape import concatenate, full, rev
from ...prims.slicing import pad, slice_

__all__ = ["associative_scan"]


def associative_scan(fn: Callable, elems: Any, reverse: bool = False, axis: int = 0) -> Any:
    """Return the results of combining the first 1, 2, 3, ... elements along an axis.

    `scan` computes the same in order; this is for functions that are cheap on whole arrays.

    Args:
      fn: (a, b) -> c on trees like `elems`, associative, applied to slices of any length along `axis`.
      elems: a tree of arrays of equal length along `axis`.
      reverse: combine from the end.
      axis: the axis of the elements; negative counts from the end.
    Returns:
      A tree like `elems`, with the same shapes: position i along the axis is the combination of elements 0 to i.
    Raises:
      TypeError: `fn` is not a function.
      ValueError: lengths differ, the axis is out of range, or `fn` returns another number of arrays.

    >>> lax.associative_scan(jnp.add, jnp.arange(5))
    Array([ 0,  1,  3,  6, 10], dtype=int32)
    """
    check_callable(
        "lax.associative_scan: fn argument should be callable.", fn, fix="lax.associative_scan(fn, elems)")
    arrays, tree = operands_of("associative_scan", elems)
    axis = _check_axis(arrays, axis)

    def combine(a: list, b: list) -> list:
        out, out_tree = tree_flatten(fn(tree_unflatten(tree, a), tree_unflatten(tree, b)))
        if len(out) != len(a):  # a tuple may stand for a named one: the values count, in their order
            raise ValueError(
                message(
                    f"associative_scan fn must return a tree like its arguments, {tree}, "
                    f"but returned {out_tree}.",
                    why="It joins two neighbours into one element of the same kind.",
                    fix="fn(a, b) that returns one value where a is one, and a pair where a is a pair",
                )
            )
        return out

    if reverse:
        arrays = [rev(x, dimensions=(axis,)) for x in arrays]
    arrays = _prefixes(combine, arrays, axis)
    if reverse:
        arrays = [rev(x, dimensions=(axis,)) for x in arrays]
    return tree_unflatten(tree, arrays)


def _check_axis(arrays, axis: int) -> int:
    """Return the axis, not negative; all arrays are equally long along it."""
    if not arrays:
        raise ValueError(message("associative_scan got no arrays.", fix="an array, or a tree with one"))
    ndims = [getattr(x, "ndim", 0) for x in arrays]
    for x, ndim in zip(arrays, ndims):
        if not -ndim <= axis < ndim:
            raise ValueError(
                message(
                    f"axis {axis} is out of bounds for array of dimension {ndim}",
                    why=f"associative_scan was given {describe(x)}.",
                    fix="jnp.asarray(...) of a list of numbers, which is a tree of them; or another axis",
                )
            )
    axis %= ndims[0]
    if len({x.shape[axis] for x in arrays}) > 1:
        shapes = [x.shape for x in arrays]
        raise ValueError(
            message(
                f"Array inputs to associative_scan must have the same first dimension. (saw: {shapes})",
                why=f"The axis that is scanned is {axis}.",
            )
        )
    return axis


def _prefixes(combine, arrays: list, axis: int) -> list:
    n = arrays[0].shape[axis]
    if n < 2:
        return arrays
    part = lambda xs, *bounds: [_slice(x, axis, *bounds) for x in xs]
    pairs = combine(part(arrays, 0, n - 1, 2), part(arrays, 1, n, 2))
    odd = _prefixes(combine, pairs, axis)  # the results at 1, 3, 5, ...
    before = odd if n % 2 else part(odd, 0, n // 2 - 1, 1)
    even = combine(before, part(arrays, 2, n, 2))
    even = [
        concatenate(_slice(x, axis, 0, 1, 1), e, dimension=axis) for x, e in zip(arrays, even)
    ]
    return [_interleave(e, o, axis) for e, o in zip(even, odd)]


def _slice(x, axis: int, start: int, stop: int, step: int):
    at = lambda value, others: tuple([value if i == axis else n for i, n in enumerate(others)])
    return slice_(
        x, start_indices=at(start, [0] * x.ndim), limit_indices=at(stop, x.shape),
        strides=at(step, [1] * x.ndim),
    )


def _interleave(even, odd, axis: int):
    """even[0], odd[0], even[1], odd[1], ...: each spread out with zeros, and added."""
    same = even.shape[axis] == odd.shape[axis]
    zero = full((), 0, even.dtype)

    def spread(x, low: int, high: int):
        config = tuple([(low, high, 1) if i == axis else (0, 0, 0) for i in range(x.ndim)])
        return pad(x, zero, padding_config=config)

    join = or_ if even.dtype == np.bool_ else add
    return join(spread(even, 0, int(same)), spread(odd, 1, int(not same)))
