"""Diagonals of matrices: read, made into matrices, summed and replaced.

Tests: `tests/numpy/test_manipulation.py`.
"""

from __future__ import annotations

import operator

import numpy as np

from .. import lax
from ..core import dtypes
from ..core.messages.advice import updated
from ..core.messages.errors import advise, message
from ..core.types import Array
from ..core.values.dimension import greater, lesser
from ..prims.shape import insert_axes
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import replayed
from . import ufuncs
from .axes import operand, refuse_out
from .conversion import asarray
from .promotion import check_arraylike, convert, dtype_of, shape_of
from .ranges import arange
from .reductions import sum
from .repetition import resize
from .shapes import moveaxis, ravel

__all__ = ["diag", "diagflat", "diagonal", "fill_diagonal", "trace"]


@replayed(numpy=np.diagonal)
@inner_jit(static_argnames=("offset", "axis1", "axis2"))
def diagonal(a, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """Return the diagonal over two axes, as the last axis.

    Args:
      a: array with two axes at least.
      offset: which diagonal, counted from the main one upwards.
      axis1, axis2: the axes of the matrices.
    Returns:
      An array without these axes, whose last axis is the diagonal. The dtype is that of `a`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.diagonal(jnp.eye(2))
    Array([1., 1.], dtype=float32)
    """
    a = operand("diagonal", a)
    if a.ndim < 2:
        raise ValueError(message("diagonal requires an array of at least two dimensions.",
                                 why=f"Got shape {a.shape}.", fix="jnp.diag(x) for a matrix with x on its diagonal"))
    a, offset = moveaxis(a, (axis1, axis2), (-2, -1)), operator.index(offset)
    rows, columns = a.shape[-2:]
    size = greater(0, lesser(rows + min(offset, 0), columns - max(offset, 0)))
    i, j = arange(size), arange(abs(offset), abs(offset) + size)
    out = a[..., i, j] if offset >= 0 else a[..., j, i]
    masked = a.ndim == 2 and rows == columns and offset == 0 and size > 0   # JAX parity: a sum, which is strong
    return convert(out, out.dtype, out.weak_type and not masked)


@inner_jit(static_argnames=("k",))
def _diag(v, k):
    if v.ndim == 2:
        return diagonal(v, offset=k)
    zero = convert(0, v.dtype, v.weak_type)
    v = lax.pad(v, zero, ((max(0, -k), max(0, k), 0),))
    on = _on_diagonal((v.shape[0], v.shape[0]), k)
    return ufuncs.where(on, insert_axes(v, (1,)), zero)


def _on_diagonal(shape, k):
    """Return which elements of a matrix are on the k-th diagonal."""
    int_ = dtypes.default_int()
    row, column = lax.broadcasted_iota(int_, shape, 0), lax.broadcasted_iota(int_, shape, 1)
    return lax.eq(lax.add(row, convert(k, int_)), column)


@replayed(numpy=np.diag)
def diag(v, k: int = 0) -> Array:
    """Return the matrix with this diagonal, or the diagonal of this matrix.

    Args:
      v: array with one or two axes.
      k: which diagonal, counted from the main one upwards.
    Returns:
      An array with one axis less, or of one axis, a matrix. The dtype is that of `v`.
    Raises:
      TypeError: `v` is not an array or scalar; lists are not converted.

    >>> jnp.diag(jnp.array([1., 2.]))
    Array([[1., 0.],
           [0., 2.]], dtype=float32)
    """
    v = operand("diag", v)
    if v.ndim not in (1, 2):
        raise ValueError(message(f"diag input must be 1d or 2d, got shape {v.shape}",
                                 fix="jnp.diagonal(x, axis1=-2, axis2=-1) for the diagonal of each matrix, "
                                 "jax.vmap(jnp.diag)(x) to make a matrix of each row"))
    return _diag(v, operator.index(k))


@replayed
def diagflat(v, k: int = 0) -> Array:
    """Return the matrix with the flattened elements as its diagonal, and zeros elsewhere.

    Args:
      v: array or scalar; it is flattened.
      k: which diagonal, counted from the main one upwards.
    Returns:
      ``[n + |k|, n + |k|]``, of the dtype of `v`.
    Raises:
      TypeError: `v` is not an array or scalar; lists are not converted.

    >>> jnp.diagflat(jnp.array([[1., 2.]]))
    Array([[1., 0.],
           [0., 2.]], dtype=float32)
    """
    v = ravel(operand("diagflat", v))
    return diag(convert(v, v.dtype), k)


def _numpy_trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    if a.dtype.itemsize < 4 and a.dtype.kind == "f" or dtype is not None:
        return NotImplemented  # the sum is of a wider dtype
    return a.trace(offset, axis1, axis2)


@replayed(numpy=_numpy_trace, exact=True)
@inner_jit(static_argnames=("axis1", "axis2", "dtype"))
def trace(a, offset=0, axis1: int = 0, axis2: int = 1, dtype=None, out=None) -> Array:
    """Return the sum of the diagonal over two axes.

    Args:
      a: array with two axes at least.
      offset: which diagonal, counted from the main one upwards.
      axis1, axis2: the axes of the matrices.
      dtype: of the result; small integers and booleans are summed as the default integer.
      out: must be None.
    Returns:
      The sums, in an array without these axes.
      The dtype is that of `a`; of small integers and booleans the default integer, unless `dtype` says another.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      NotImplementedError: `out` is given.

    >>> jnp.trace(jnp.eye(3))
    Array(3., dtype=float32)
    """
    refuse_out("trace", out)
    a = operand("trace", a)
    if a.ndim < 2:
        raise ValueError(message(f"trace requires an array of at least two dimensions, got shape {a.shape}",
                                 fix="x.sum(), if x is the diagonal"))
    if shape_of(offset) or not dtypes.issubdtype(dtype_of(offset), np.integer):
        raise ValueError(
            message(f"k must be a scalar integer; got {offset}", fix="k=1 for the diagonal above the main one")
        )
    a = moveaxis(a, (axis1, axis2), (-2, -1))
    on = _on_diagonal(a.shape[-2:], offset)
    return sum(ufuncs.where(on, a, lax.full_like(a, 0)), axis=(-2, -1), dtype=dtype)


@replayed
def fill_diagonal(a, val, wrap: bool = False, *, inplace: bool = True) -> Array:
    """Return the array with another diagonal. Arrays are immutable: pass ``inplace=False``.

    Args:
      a: array with two axes at least, of equal lengths if there are more.
      val: a scalar, or elements that are repeated as often as needed.
      wrap: must be False.
      inplace: must be False: arrays do not change.
    Returns:
      A new array of the shape and dtype of `a`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.fill_diagonal(jnp.zeros((2, 2)), 1., inplace=False)
    Array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    if inplace:
        fix = advise(updated, "x = jnp.fill_diagonal(x, value, inplace=False)")
        raise NotImplementedError(message("JAX arrays are immutable, must use inplace=False", fix=fix))
    if wrap:
        raise NotImplementedError(
            message(
                "wrap=True is not implemented, must use wrap=False",
                fix="wrap=False, and x.at[i].set(v) for the rest of a tall matrix",
            )
        )
    check_arraylike("fill_diagonal", a, val)
    a = operand("fill_diagonal", a)
    if a.ndim < 2:
        raise ValueError(
            message(
                "array must be at least 2-d", why=f"Its shape is {a.shape}.",
                fix="x[:, None], or jnp.diag(x) for a matrix with the diagonal x",
            )
        )
    if a.ndim > 2 and len(set(a.shape)) > 1:
        raise ValueError(f"All dimensions of input must be of equal length, got shape {a.shape}")
    i = arange(min(a.shape))
    val = asarray(val)
    return a.at[(i,) * a.ndim].set(resize(val, i.shape) if val.ndim else val)
