"""Functions of `lax` of whole arrays, over NumPy: shapes, slices, products, windows, reductions, sorts."""

from __future__ import annotations

import builtins
import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....lax import conv_dimension_numbers, padtype_to_pads

__all__ = [
    "broadcast", "broadcast_in_dim", "concatenate", "conv", "conv_general_dilated", "conv_with_general_padding", "dot",
    "dot_general", "dynamic_slice", "dynamic_update_slice", "pad", "padtype_to_pads", "ragged_dot", "reduce",
    "reduce_window", "reshape", "rev", "slice", "sort", "sort_key_val", "squeeze", "sum", "top_k", "transpose",
]

dot, sort, squeeze, sum, transpose = np.dot, np.sort, np.squeeze, np.sum, np.transpose
_range = builtins.slice     # a range of positions; `slice` is the function of `lax` here

# ---- shapes --------------------------------------------------------------------------------------


def broadcast(operand: Any, sizes: Sequence[int]) -> np.ndarray:
    """Return the operand with more axes in front."""
    return np.broadcast_to(operand, (*sizes, *np.shape(operand)))


def broadcast_in_dim(operand: Any, shape: Sequence[int], broadcast_dimensions: Sequence[int]) -> np.ndarray:
    """Return the operand stretched to a shape, in which its axes are at some positions."""
    lengths = [1] * len(shape)
    for n, axis in zip(np.shape(operand), broadcast_dimensions):
        lengths[axis] = n
    return np.broadcast_to(np.reshape(operand, lengths), shape)


def reshape(operand: Any, new_sizes: Sequence[int], dimensions: Sequence[int] | None = None) -> np.ndarray:
    """Return the elements in another shape, read with the axes in some order."""
    return np.reshape(operand if dimensions is None else np.transpose(operand, dimensions), new_sizes)


def rev(operand: Any, dimensions: Sequence[int]) -> np.ndarray:
    """Return the operand with the elements along some axes in reverse order."""
    return np.flip(operand, tuple(dimensions))


def concatenate(operands: Sequence[Any], dimension: int) -> np.ndarray:
    """Return the operands one after the other along an axis."""
    return np.concatenate(operands, dimension)


def pad(operand: Any, padding_value: Any, padding_config: Sequence[tuple[int, int, int]]) -> np.ndarray:
    """Return the operand with elements around it and between its elements; negative numbers cut elements off."""
    operand = np.asarray(operand)
    lows, highs, holes = zip(*padding_config) if padding_config else ((), (), ())
    wide = [n + max(n - 1, 0) * hole for n, hole in zip(operand.shape, holes)]
    out = np.full([max(low, 0) + n + max(high, 0) for low, n, high in zip(lows, wide, highs)], padding_value,
                  operand.dtype)
    out[tuple([_range(max(low, 0), max(low, 0) + n, hole + 1) for low, n, hole in zip(lows, wide, holes)])] = operand
    return out[tuple([_range(max(-low, 0), n - max(-high, 0)) for low, n, high in zip(lows, out.shape, highs)])]


# ---- slices --------------------------------------------------------------------------------------


def slice(
    operand: Any, start_indices: Sequence[int], limit_indices: Sequence[int], strides: Sequence[int] | None = None
) -> np.ndarray:
    """Return the elements between positions."""
    steps = strides or [1] * len(start_indices)
    return operand[tuple([_range(*ends) for ends in zip(start_indices, limit_indices, steps)])]


def dynamic_slice(operand: Any, start_indices: Sequence[int], slice_sizes: Sequence[int]) -> np.ndarray:
    """Return elements from a position on, which is moved so that all of them are in the operand."""
    starts = [min(max(int(i), 0), n - size) for i, n, size in zip(start_indices, operand.shape, slice_sizes)]
    return operand[tuple([_range(i, i + size) for i, size in zip(starts, slice_sizes)])]


def dynamic_update_slice(operand: Any, update: Any, start_indices: Sequence[int]) -> np.ndarray:
    """Return the operand with other elements from a position on."""
    out = np.copy(operand)
    dynamic_slice(out, start_indices, np.shape(update))[...] = update
    return out


# ---- products ------------------------------------------------------------------------------------


def dot_general(lhs: Any, rhs: Any, dimension_numbers: Any) -> np.ndarray:
    """Return sums of products over pairs of axes, one for each position of other pairs."""
    (lhs_summed, rhs_summed), (lhs_batch, rhs_batch) = dimension_numbers
    letters = itertools.count()
    of_lhs = [next(letters) for _ in range(lhs.ndim)]
    of_rhs = [next(letters) for _ in range(rhs.ndim)]
    for i, j in [*zip(lhs_summed, rhs_summed), *zip(lhs_batch, rhs_batch)]:
        of_rhs[j] = of_lhs[i]
    batch = [of_lhs[i] for i in lhs_batch]
    rest = [a for i, a in enumerate(of_lhs) if i not in (*lhs_summed, *lhs_batch)]
    rest += [a for i, a in enumerate(of_rhs) if i not in (*rhs_summed, *rhs_batch)]
    return np.einsum(lhs, of_lhs, rhs, of_rhs, batch + rest).astype(np.result_type(lhs, rhs))


def ragged_dot(lhs: Any, rhs: Any, group_sizes: Sequence[int]) -> np.ndarray:
    """Return products of groups of rows with a matrix each; rows of no group give zeros."""
    out = np.zeros((lhs.shape[0], rhs.shape[2]), lhs.dtype)
    start = 0
    for size, matrix in zip(group_sizes, rhs):
        out[start:start + size] = lhs[start:start + size] @ matrix
        start += size
    return out


def conv(lhs: Any, rhs: Any, window_strides: Sequence[int], padding: Any) -> np.ndarray:
    """Return the convolution of images and filters, whose axes are those of batches and channels first."""
    holes = (1,) * (lhs.ndim - 2)
    return conv_with_general_padding(lhs, rhs, window_strides, padding, holes, holes)


def conv_with_general_padding(
    lhs: Any, rhs: Any, window_strides: Sequence[int], padding: Any, lhs_dilation: Sequence[int] | None,
    rhs_dilation: Sequence[int] | None,
) -> np.ndarray:
    """Return the convolution of images and filters with holes between their elements."""
    lhs, rhs = (np.asarray(x) for x in (lhs, rhs))
    spatial = lhs.ndim - 2
    lhs, rhs = (_with_holes(x, holes or (1,) * spatial) for x, holes in ((lhs, lhs_dilation), (rhs, rhs_dilation)))
    if isinstance(padding, str):
        padding = padtype_to_pads(lhs.shape[2:], rhs.shape[2:], window_strides, padding)
    lhs = pad(lhs, lhs.dtype.type(0), [(0, 0, 0)] * 2 + [(low, high, 0) for low, high in padding])
    if any([n < size for n, size in zip(lhs.shape[2:], rhs.shape[2:])]):    # there is no window along an axis
        counts = [max(0, (n - size) // s + 1) for n, size, s in zip(lhs.shape[2:], rhs.shape[2:], window_strides)]
        return np.zeros((lhs.shape[0], rhs.shape[0], *counts), np.result_type(lhs, rhs))
    windows = np.lib.stride_tricks.sliding_window_view(lhs, rhs.shape[2:], tuple(range(2, lhs.ndim)))
    windows = windows[(_range(None), _range(None), *[_range(None, None, s) for s in window_strides])]
    places, within = list(range(2, 2 + spatial)), list(range(2 + spatial, 2 + 2 * spatial))
    found = np.einsum(windows, [0, 1, *places, *within], rhs, [50, 1, *within], [0, 50, *places])
    return found.astype(np.result_type(lhs, rhs))


def _with_holes(x: np.ndarray, dilation: Sequence[int]) -> np.ndarray:
    return pad(x, x.dtype.type(0), [(0, 0, 0)] * 2 + [(0, 0, d - 1) for d in dilation])


def conv_general_dilated(
    lhs: Any, rhs: Any, window_strides: Sequence[int], padding: Any, lhs_dilation: Sequence[int] | None,
    rhs_dilation: Sequence[int] | None, dimension_numbers: Any,
) -> np.ndarray:
    """Return the convolution of images and filters whose axes are in a given order."""
    numbers = conv_dimension_numbers(np.shape(lhs), np.shape(rhs), dimension_numbers)
    out = conv_with_general_padding(np.transpose(lhs, numbers.lhs_spec), np.transpose(rhs, numbers.rhs_spec),
                                    window_strides, padding, lhs_dilation, rhs_dilation)
    return np.transpose(out, np.argsort(numbers.out_spec))


# ---- reductions, windows -------------------------------------------------------------------------

_UFUNCS = {"add": np.add, "mul": np.multiply, "multiply": np.multiply, "max": np.maximum, "maximum": np.maximum,
           "min": np.minimum, "minimum": np.minimum, "logical_and": np.logical_and, "logical_or": np.logical_or}


def _combined(x: np.ndarray, axis: int, init_value: Any, computation: Callable) -> np.ndarray:
    """Return what a function of two makes of the elements along one axis, beginning with a value."""
    known = _UFUNCS.get(getattr(computation, "__name__", ""))
    both = known or (lambda a, b: np.asarray(computation(a, b)))
    start = np.full(np.delete(x.shape, axis), init_value, x.dtype)
    return functools.reduce(both, np.moveaxis(x, axis, 0), start).astype(x.dtype)


def reduce(operand: Any, init_value: Any, computation: Callable, dimensions: Sequence[int]) -> np.ndarray:
    """Return what a function of two makes of all elements along some axes, beginning with a value."""
    operand = np.asarray(operand)
    kept = [axis for axis in range(operand.ndim) if axis not in dimensions]
    flat = np.transpose(operand, (*kept, *dimensions)).reshape([operand.shape[axis] for axis in kept] + [-1])
    return _combined(flat, flat.ndim - 1, init_value, computation)


def reduce_window(
    operand: Any, init_value: Any, computation: Callable, window_dimensions: Sequence[int],
    window_strides: Sequence[int], padding: Any, base_dilation: Sequence[int],
) -> np.ndarray:
    """Return what a function of two makes of the elements of each window, beginning with a value."""
    operand = np.asarray(operand)
    operand = pad(operand, init_value, [(0, 0, d - 1) for d in base_dilation])
    if isinstance(padding, str):
        padding = padtype_to_pads(operand.shape, window_dimensions, window_strides, padding)
    operand = pad(operand, init_value, [(low, high, 0) for low, high in padding])
    windows = np.lib.stride_tricks.sliding_window_view(operand, tuple(window_dimensions))
    windows = windows[tuple([_range(None, None, s) for s in window_strides])]
    return reduce(windows, init_value, computation, tuple(range(operand.ndim, 2 * operand.ndim)))


# ---- sorts ---------------------------------------------------------------------------------------


def sort_key_val(keys: Any, values: Any, dimension: int = -1) -> tuple[np.ndarray, np.ndarray]:
    """Return keys in order along an axis, and values in the order of their keys."""
    order = np.argsort(keys, dimension, kind="stable")
    return np.take_along_axis(keys, order, dimension), np.take_along_axis(values, order, dimension)


def top_k(operand: Any, k: int, axis: int = -1) -> tuple[np.ndarray, np.ndarray]:
    """Return the greatest elements along an axis, the greatest first, and their positions."""
    backwards = np.flip(operand, axis)
    order = np.flip(np.argsort(backwards, axis, kind="stable"), axis).take(range(k), axis)
    order = operand.shape[axis] - 1 - order
    return np.take_along_axis(operand, order, axis), order.astype(np.int32)
