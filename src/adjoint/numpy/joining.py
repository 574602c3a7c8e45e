"""Functions that join arrays and take them apart.

Tests: `tests/numpy/test_manipulation.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence

import numpy as np

from .. import lax
from ..core import dtypes
from ..core.messages.advice import listed
from ..core.messages.errors import advise, message
from ..core.types import Array
from ..core.values.deferred import Deferred
from ..core.values.dimension import Dimension
from ..transforms.jit.jit import inner_jit, lowerable
from ..transforms.jit.replay import FEW, WORTH, replayed
from .axes import canonical_axis, operand, refuse_out, static_axis
from .promotion import check_arraylike, convert, known, shape_of
from .shapes import atleast_1d, atleast_2d, atleast_3d, moveaxis, ravel

__all__ = [
    "append", "array_split", "block", "column_stack", "concat", "concatenate", "dsplit", "dstack", "hsplit",
    "hstack", "split", "stack", "unstack", "vsplit", "vstack",
]


# ---- joining ------------------------------------------------------------------------------------


@replayed(compiles_after=WORTH, sizes=FEW)
def concatenate(arrays, axis: int | None = 0, dtype=None) -> Array:
    """Return arrays one after the other along an axis that they have.

    Args:
      arrays: a sequence of arrays, or an array whose rows are meant.
      axis: None flattens the arrays first.
      dtype: of the result; default what the dtypes of the arrays promote to.
    Returns:
      An array with the elements of the first along the axis, then those of the second, and so on.
      The dtype is the one to which those of the arrays promote.
    Raises:
      ValueError: there is no array, or one has no axes.
      TypeError: lengths of the other axes differ.
    See also: `stack` along a new axis, `append`, `split`.

    >>> jnp.concatenate([jnp.zeros(1), jnp.ones(2)])
    Array([0., 1., 1.], dtype=float32)
    """
    if (deferred := _deferred_among(arrays)) is not None:
        return deferred.given_to(concatenate, (arrays, axis, dtype), {})
    if isinstance(arrays, (Array, np.ndarray)) and arrays.ndim > 1 and len(arrays) and axis is not None:
        a = operand("concatenate", arrays)  # rows that are one array already
        axis = canonical_axis(axis, a.ndim - 1)
        a = lax.collapse(moveaxis(a, 0, axis), axis, axis + 2)
        return _of_one_dtype("concatenate", [a], dtype)[0]
    parts = _parts("concatenate", arrays)
    if axis is None:
        parts, axis = [ravel(p) for p in parts], 0
    if not parts[0].ndim:
        why = "The arrays are one argument, a list." if isinstance(axis, Array) else None
        fix = advise(listed, "jnp.stack(arrays), or jnp.array(values)")
        raise ValueError(message("Zero-dimensional arrays cannot be concatenated.", why=why, fix=fix))
    axis = canonical_axis(axis, parts[0].ndim)
    return lax.concatenate(_of_one_dtype("concatenate", parts, dtype), axis)


def _deferred_among(arrays) -> Deferred | None:
    """Return the first of the arrays that is none, and says itself what is joined to it."""
    return next((v for v in arrays if isinstance(v, Deferred)), None) if isinstance(arrays, (list, tuple)) else None


def _parts(name: str, arrays) -> list[Array]:
    """Return the arrays of a sequence, or the rows of one array."""
    if isinstance(arrays, (Array, np.ndarray)):
        parts = list(operand(name, arrays)) if arrays.ndim or name == "stack" else []
    elif isinstance(arrays, Sequence):
        check_arraylike(name, *arrays)
        parts = [operand(name, x) for x in arrays]
    elif arrays == {}:
        parts = []
    else:
        raise TypeError(
            message(
                f"jnp.{name} needs a sequence of arrays, got {type(arrays).__name__}.",
                fix=f"jnp.{name}(list(...))",
            )
        )
    if not parts:
        raise ValueError(
            message(
                f"Need at least one array to {'stack' if name == 'stack' else 'concatenate'}.",
                why="From no arrays neither shape nor dtype of the result follow."
                if isinstance(arrays, (list, tuple)) else "The argument is no sequence of arrays, and has no axis.",
                fix=f"jnp.{name}(arrays) if arrays else jnp.zeros((0, n))"
                if isinstance(arrays, (list, tuple)) else f"jnp.{name}([x, y])",
            )
        )
    return parts


def _of_one_dtype(name, parts, dtype) -> list[Array]:
    weak = False
    if dtype is not None:
        dtype = dtypes.check_user_dtype_supported(dtype, name)
    elif all([p.aval.dtype == parts[0].aval.dtype for p in parts]):
        dtype, weak = parts[0].aval.dtype, all([p.aval.weak_type for p in parts])
    else:
        dtype, weak = dtypes.lattice_result_type(*parts)
    return [convert(p, dtype, weak) for p in parts]


@replayed(compiles_after=WORTH, sizes=FEW)
def concat(arrays, /, *, axis: int | None = 0) -> Array:
    """Return arrays one after the other along an axis that they have: `concatenate` under the array API's name.

    Args:
      arrays: a sequence of arrays, or an array whose rows are meant.
      axis: None flattens the arrays first.
    Returns:
      An array with the elements of the first along the axis, then those of the second, and so on.
      The dtype is the one to which those of the arrays promote.
    Raises:
      ValueError: there is no array, or one has no axes.
      TypeError: lengths of the other axes differ.

    >>> jnp.concat([jnp.zeros(1), jnp.ones(2)])
    Array([0., 1., 1.], dtype=float32)
    """
    return concatenate(arrays, axis)


@replayed(compiles_after=WORTH, sizes=FEW)
def stack(arrays, axis: int = 0, out=None, dtype=None) -> Array:
    """Return arrays of one shape along a new axis.

    Args:
      arrays: a sequence of arrays, or an array whose rows are meant.
      axis: where the new axis is in the result.
      out: must be None.
      dtype: of the result; default what the dtypes of the arrays promote to.
    Returns:
      An array with a new axis, along which position i is array i.
      The dtype is the one to which those of the arrays promote.
    Raises:
      ValueError: there is no array, or shapes differ.
    See also: `concatenate` along an axis that is there, `vstack`, `hstack`.

    >>> jnp.stack([jnp.zeros(2), jnp.ones(2)])
    Array([[0., 0.],
           [1., 1.]], dtype=float32)
    """
    refuse_out("stack", out)
    if isinstance(arrays, (Array, np.ndarray)) and arrays.ndim and len(arrays):
        a = operand("stack", arrays)  # stacked already
        return _of_one_dtype("stack", [moveaxis(a, 0, canonical_axis(axis, a.ndim))], dtype)[0]
    parts = _parts("stack", arrays)
    shape = parts[0].shape
    if any([p.shape != shape for p in parts]):
        shown = ", ".join([str(shape_of(p)) for p in parts[:8]]) + (", ..." if len(parts) > 8 else "")
        alike = all([p.ndim == len(shape) for p in parts])
        raise ValueError(
            message(
                f"All input arrays must have the same shape. Got {shown}." if alike else
                f"Cannot stack arrays with different numbers of dimensions: got {shown}.",
                fix="jnp.concatenate to join arrays of different lengths, or jnp.pad",
            )
        )
    axis = canonical_axis(axis, len(shape) + 1)
    return lax.stack(_of_one_dtype("stack", parts, dtype), axis)


@replayed(compiles_after=WORTH, sizes=FEW)
def vstack(tup, dtype=None) -> Array:
    """Return arrays one below the other, along axis 0; those with one axis are rows.

    Args:
      tup: a sequence of arrays, or an array whose rows are meant.
      dtype: of the result; default what the dtypes of the arrays promote to.
    Returns:
      An array with two axes at least. The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: one of `tup` is not an array or scalar.

    >>> jnp.vstack([jnp.zeros(2), jnp.ones(2)])
    Array([[0., 0.],
           [1., 1.]], dtype=float32)
    """
    return concatenate([atleast_2d(p) for p in _parts("vstack", tup)], 0, dtype)


@replayed(compiles_after=WORTH, sizes=FEW)
def hstack(tup, dtype=None) -> Array:
    """Return arrays side by side: along axis 1, or axis 0 if they have one.

    Args:
      tup: a sequence of arrays, or an array whose rows are meant.
      dtype: of the result; default what the dtypes of the arrays promote to.
    Returns:
      An array with as many axes as they have, at least one.
      The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: one of `tup` is not an array or scalar.

    >>> jnp.hstack([jnp.zeros(1), jnp.ones(2)])
    Array([0., 1., 1.], dtype=float32)
    """
    if (deferred := _deferred_among(tup)) is not None:
        return deferred.given_to(hstack, (tup, dtype), {})
    parts = [atleast_1d(p) for p in _parts("hstack", tup)]
    return concatenate(parts, 0 if parts[0].ndim == 1 else 1, dtype)


@replayed(compiles_after=WORTH, sizes=FEW)
def dstack(tup, dtype=None) -> Array:
    """Return arrays one behind the other, along axis 2.

    Args:
      tup: a sequence of arrays, or an array whose rows are meant.
      dtype: of the result; default what the dtypes of the arrays promote to.
    Returns:
      An array with three axes at least: those of ``[n]`` are ``[1, n, k]``, those of ``[n, m]`` are ``[n, m, k]``.
      The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: one of `tup` is not an array or scalar.

    >>> jnp.dstack([jnp.zeros(2), jnp.ones(2)]).shape
    (1, 2, 2)
    """
    return concatenate([atleast_3d(p) for p in _parts("dstack", tup)], 2, dtype)


@replayed(compiles_after=WORTH, sizes=FEW)
def column_stack(tup) -> Array:
    """Return arrays side by side; those with one axis are columns.

    Args:
      tup: a sequence of arrays, or an array whose rows are meant.
    Returns:
      An array with two axes, of the dtype to which theirs promote.
    Raises:
      TypeError: one of `tup` is not an array or scalar.

    >>> jnp.column_stack([jnp.zeros(2), jnp.ones(2)])
    Array([[0., 1.],
           [0., 1.]], dtype=float32)
    """
    parts = _parts("column_stack", tup)
    return concatenate([atleast_2d(p).T if p.ndim < 2 else p for p in parts], 1)


@inner_jit
def block(arrays) -> Array:
    """Return an array put together from nested lists of blocks: the innermost lists along the last axis, and so on.

    Args:
      arrays: an array, or a list of lists, all of one depth, of arrays.
    Returns:
      An array of the dtype to which theirs promote.
    Raises:
      ValueError: lists differ in depth, or one is empty.
      TypeError: a tuple, or lengths that do not fit.

    >>> jnp.block([[jnp.ones(1), jnp.zeros(1)], [jnp.zeros(1), jnp.ones(1)]])
    Array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    if isinstance(arrays, tuple):
        raise ValueError("jax.numpy.block does not allow tuples, got {}.\n  Try: a list")
    return _joined(arrays)[0]


def _joined(x) -> tuple[Array, int]:
    """Return the array of nested lists, and how deep these are."""
    if not isinstance(x, list):
        return operand("block", x), 0
    if not x:
        raise ValueError("jax.numpy.block does not allow empty list arguments")
    parts, depths = zip(*map(_joined, x))
    if len(set(depths)) > 1:
        raise ValueError("Mismatched list depths in jax.numpy.block: every block must be nested equally deep.")
    depth = 1 + depths[0]
    rank = max(depth, *[part.ndim for part in parts])
    return concatenate([lax.expand_dims(part, range(rank - part.ndim)) for part in parts], axis=-depth), depth


@replayed(compiles_after=WORTH, sizes=FEW)
@inner_jit(static_argnames=("axis",))
def append(arr, values, axis: int | None = None) -> Array:
    """Return `values` after `arr`: flat, or along an axis.

    Args:
      arr: array.
      values: array, with the lengths of `arr` along the other axes if there is an axis.
      axis: None flattens both first.
    Returns:
      A new array; NumPy's and this function copy both every time.
      The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: ranks, or lengths of the other axes, differ.

    >>> jnp.append(jnp.array([1, 2]), 3)
    Array([1, 2, 3], dtype=int32)
    """
    if axis is None:
        return concatenate([ravel(arr), ravel(values)], 0)
    return concatenate([operand("append", arr), operand("append", values)], axis)


# ---- taking apart -------------------------------------------------------------------------------


@lowerable(static_argnames=("axis",))
@replayed
def unstack(x, /, *, axis: int = 0) -> tuple[Array, ...]:
    """Return the parts of an array along an axis, without that axis.

    Args:
      x: array with an axis at least.
      axis: the axis that is cut; negative ones count from the last.
    Returns:
      A tuple with an array for each position along the axis. The dtype is that of `x`.
    Raises:
      ValueError: `x` has no axes, or the axis is out of range.

    >>> jnp.unstack(jnp.arange(2))
    (Array(0, dtype=int32), Array(1, dtype=int32))
    """
    x = operand("unstack", x)
    if not x.ndim:
        raise ValueError(
            message(
                "Unstack requires arrays with rank > 0, however a scalar array was passed.",
                fix="jnp.atleast_1d(x)",
            )
        )
    return lax.unstack(x, canonical_axis(axis, x.ndim))


def _split(name, ary, indices_or_sections, axis, even) -> list[Array]:
    a = operand(name, ary)
    axis = canonical_axis(static_axis(axis), a.ndim)
    cuts = _cuts(name, a.shape[axis], indices_or_sections, even)
    return list(lax.split(a, [j - i for i, j in zip(cuts, cuts[1:])], axis))


def _cuts(name, n, indices_or_sections, even) -> list[int]:
    """Return where the parts of an axis of length n begin, and where the last one ends."""
    if isinstance(indices_or_sections, (tuple, list)) or getattr(indices_or_sections, "ndim", 0):
        context = f"in jax.numpy.{name} argument 1"
        return [0, *[operator.index(known(i, context)) for i in indices_or_sections], n]
    if isinstance(indices_or_sections, Dimension):
        raise ValueError(message(
            f"jax.numpy.{name} with a symbolic number of sections is not supported",
            why="The number of arrays is part of the program.", fix="a number, or x.reshape(n, -1)",
        ))
    sections = int(known(indices_or_sections, f"in jax.numpy.{name} argument 1"))
    if not sections:
        raise ZeroDivisionError(message("integer division or modulo by zero", why="An axis is cut into 0 sections.",
                                        fix="1 for the whole"))
    if sections < 0:
        raise ValueError(message("number sections must be larger than 0.", fix="1 for the whole"))
    size, left = divmod(n, sections)
    if left and even:
        raise ValueError(
            f"array split does not result in an equal division: rest is {left}\n  An axis of length {n} is cut into "
            f"{sections} parts.\n  Try: jnp.array_split, or jnp.{name} with a list of indices"
        )
    return [i * size + min(i, left) for i in range(sections + 1)]


@replayed
def split(ary, indices_or_sections, axis: int = 0) -> list[Array]:
    """Cut an array into parts along an axis.

    Args:
      ary: array.
      indices_or_sections: the number of equal parts, or the positions where parts begin.
      axis: the axis that is cut; negative ones count from the last.
    Returns:
      A list of arrays: neighbouring parts, which are as `ary` along the other axes. The dtype is that of `ary`.
    Raises:
      ValueError: the axis has no such number of equal parts, or positions do not go up from 0 to its length.

    >>> jnp.split(jnp.arange(4), 2)
    [Array([0, 1], dtype=int32), Array([2, 3], dtype=int32)]
    """
    return _split("split", ary, indices_or_sections, axis, even=True)


@replayed
def array_split(ary, indices_or_sections, axis: int = 0) -> list[Array]:
    """Cut an array along an axis into parts that may differ in length by one.

    Args:
      ary: array.
      indices_or_sections: the number of parts, the longer ones first, or the positions where parts begin.
      axis: the axis that goes away, with an array for each of its elements.
    Returns:
      A list of arrays: neighbouring parts, which are as `ary` along the other axes. The dtype is that of `ary`.
    Raises:
      TypeError: `ary` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> jnp.array_split(jnp.arange(3), 2)
    [Array([0, 1], dtype=int32), Array([2], dtype=int32)]
    """
    return _split("array_split", ary, indices_or_sections, axis, even=False)


@replayed
def vsplit(ary, indices_or_sections) -> list[Array]:
    """Cut an array into parts along axis 0.

    Args:
      ary: array with two axes at least.
      indices_or_sections: the number of equal parts, or the positions where parts begin.
    Returns:
      A list of arrays: neighbouring parts. The dtype is that of `ary`.
    Raises:
      ValueError: the axis has no such number of equal parts, or positions do not go up from 0 to its length.

    >>> [x.shape for x in jnp.vsplit(jnp.ones((4, 2)), 2)]
    [(2, 2), (2, 2)]
    """
    return _split("vsplit", ary, indices_or_sections, 0, even=True)


@replayed
def hsplit(ary, indices_or_sections) -> list[Array]:
    """Cut an array into parts along axis 1, or axis 0 if there is one.

    Args:
      ary: array with an axis at least.
      indices_or_sections: the number of equal parts, or the positions where parts begin.
    Returns:
      A list of arrays: neighbouring parts. The dtype is that of `ary`.
    Raises:
      ValueError: the axis has no such number of equal parts, or positions do not go up from 0 to its length.

    >>> [x.shape for x in jnp.hsplit(jnp.ones((4, 2)), 2)]
    [(4, 1), (4, 1)]
    """
    axis = 0 if operand("hsplit", ary).ndim == 1 else 1
    return _split("hsplit", ary, indices_or_sections, axis, even=True)


@replayed
def dsplit(ary, indices_or_sections) -> list[Array]:
    """Cut an array into parts along axis 2.

    Args:
      ary: array with three axes at least.
      indices_or_sections: the number of equal parts, or the positions where parts begin.
    Returns:
      A list of arrays: neighbouring parts. The dtype is that of `ary`.
    Raises:
      ValueError: the axis has no such number of equal parts, or positions do not go up from 0 to its length.

    >>> [x.shape for x in jnp.dsplit(jnp.ones((1, 2, 4)), 2)]
    [(1, 2, 2), (1, 2, 2)]
    """
    return _split("dsplit", ary, indices_or_sections, 2, even=True)
