"""Products of groups of rows, as kernels of TPUs have them; here ragged products, for any device.

Tests: `tests/experimental/test_pallas_operations.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ......core.messages.boundaries import public
from ......core.messages.errors import message
from ......core.types import Array
from ......lax import RaggedDotDimensionNumbers
from ......lax import ragged_dot as _ragged_dot
from ......lax import ragged_dot_general as _ragged_dot_general
from ......numpy.conversion import asarray
from ......numpy.joining import concatenate
from ......numpy.ranges import arange
from ......numpy.reductions import sum as total
from ......numpy.rotations import roll
from ......numpy.selection import where

__all__ = ["gmm", "tgmm"]

_FLOAT32 = np.dtype("float32")
_CONTRACTED = RaggedDotDimensionNumbers((((1,), (0,)), ((), ())), (1,), ())


def gmm(
    lhs: Any, rhs: Any, group_sizes: Any, preferred_element_type: Any = _FLOAT32, tiling: Any = (128, 128, 128),
    group_offset: Any = None, existing_out: Any = None, transpose_rhs: bool = False, interpret: bool = False,
) -> Array:
    """Return products of consecutive groups of rows of `lhs`, each with its own matrix of `rhs`.

    Args:
      lhs: ``[m, k]``, of which the first `group_sizes[0]` rows belong to group 0, and so on.
      rhs: ``[groups, k, n]``.
      group_sizes: integers, which may be of more groups than `rhs` has matrices.
      preferred_element_type: the dtype of the result.
      group_offset: the group to which the first matrix belongs.
      existing_out: ``[m, n]``: what rows have whose group has no matrix; zeros by default.
      transpose_rhs: whether `rhs` is ``[groups, n, k]``.
      tiling, interpret: for TPUs; they change nothing here.
    Raises:
      ValueError: the shapes or dtypes do not fit.

    >>> from adjoint.experimental.pallas.ops.tpu.megablox import gmm
    >>> gmm(jnp.ones((3, 2)), jnp.array([[[1.], [1.]], [[2.], [2.]]]), jnp.array([1, 2], "int32"))[:, 0]
    Array([2., 4., 4.], dtype=float32)
    """
    lhs, rhs, sizes = _operands(lhs, rhs, group_sizes, 3, "rhs")
    rhs = rhs.swapaxes(1, 2) if transpose_rhs else rhs
    if lhs.shape[1] != rhs.shape[1]:
        raise ValueError(message(
            f"Rows of {lhs.shape[1]} elements cannot be multiplied with matrices of {rhs.shape[1]}.",
            fix="transpose_rhs=True" if lhs.shape[1] == rhs.shape[2] else "matrices with a row for each element",
        ))
    first, sizes = _local(sizes, group_offset, rhs.shape[0])
    out = _ragged_dot(roll(lhs, -first, 0), rhs, sizes, preferred_element_type=_FLOAT32)
    out = roll(out, first, 0).astype(preferred_element_type)
    if existing_out is None:
        return out
    if np.shape(existing_out) != out.shape:
        raise ValueError(message(f"existing_out has shape {np.shape(existing_out)}.", fix=f"shape {out.shape}"))
    rows = arange(out.shape[0])[:, None]
    return where((rows >= first) & (rows < first + total(sizes)), out, asarray(existing_out).astype(out.dtype))


def tgmm(
    lhs: Any, rhs: Any, group_sizes: Any, preferred_element_type: Any = _FLOAT32, tiling: Any = (128, 128, 128),
    group_offset: Any = None, num_actual_groups: int | None = None, existing_out: Any = None, interpret: bool = False,
) -> Array:
    """Return the products of consecutive groups of columns of `lhs` with the rows of `rhs` of the same places.

    Args:
      lhs: ``[k, m]``, of which the first `group_sizes[0]` columns belong to group 0, and so on.
      rhs: ``[m, n]``.
      group_sizes: integers.
      preferred_element_type: the dtype of the result.
      group_offset, num_actual_groups: the first group whose product is returned, and how many are; all by default.
      existing_out: what the result is added to.
      tiling, interpret: for TPUs; they change nothing here.
    Returns:
      ``[groups, k, n]``.
    Raises:
      ValueError: the shapes or dtypes do not fit.

    >>> from adjoint.experimental.pallas.ops.tpu.megablox.gmm import tgmm
    >>> tgmm(jnp.ones((1, 3)), jnp.array([[1.], [2.], [3.]]), jnp.array([1, 2], "int32"))[:, 0, 0]
    Array([1., 5.], dtype=float32)
    """
    lhs, rhs, sizes = _operands(lhs, rhs, group_sizes, 2, "rhs")
    if lhs.shape[1] != rhs.shape[0]:
        raise ValueError(message(
            f"{lhs.shape[1]} columns cannot be multiplied with {rhs.shape[0]} rows.", fix="as many rows as columns"
        ))
    first, sizes = _local(sizes, group_offset, num_actual_groups or sizes.shape[0])
    out = _ragged_dot_general(
        roll(lhs, -first, 1), roll(rhs, -first, 0), sizes, _CONTRACTED, preferred_element_type=_FLOAT32
    )
    if existing_out is not None:
        out = out + asarray(existing_out).astype(out.dtype)
    return out.astype(preferred_element_type)


def _operands(lhs: Any, rhs: Any, group_sizes: Any, axes: int, name: str) -> tuple[Array, Array, Array]:
    lhs, rhs, sizes = map(asarray, (lhs, rhs, group_sizes))
    if lhs.ndim != 2:
        raise ValueError(f"Expected 2-tensor for 'lhs' but got {lhs.ndim}-tensor.")
    if rhs.ndim != axes:
        raise ValueError(f"Expected {axes}-tensor for '{name}' but got {rhs.ndim}-tensor.")
    if sizes.dtype != np.dtype("int32"):
        raise ValueError(f"Expected 32-bit integer 'group_sizes' but got {sizes.dtype}.")
    return lhs, rhs, sizes


def _local(sizes: Array, offset: Any, count: int) -> tuple[Any, Array]:
    """Return the first row, and the sizes, of `count` groups from an offset on."""
    if offset is None:
        return 0, sizes[:count]
    groups = asarray(offset).reshape(()) + arange(count)
    before = total(where(arange(sizes.shape[0]) < groups[0], sizes, 0))
    padded = concatenate([sizes, sizes[:1] * 0])
    return before, padded[groups]


public(globals())
