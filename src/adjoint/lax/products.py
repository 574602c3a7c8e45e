"""Matrix products: `dot`, `batch_matmul` and, behind all of them, `dot_general`."""

from __future__ import annotations

from collections.abc import Sequence

from ..core import dtypes
from ..core.errors import message
from ..core.types import Array, aval_of
from ..prims import dot as dot_prims
from ..prims.arithmetic import sub
from ..prims.cumulative import cumsum
from ..prims.logic import and_, ge, lt, select_n
from ..prims.shape import broadcast_in_dim, full, iota
from .precision import canonicalize_precision

__all__ = ["DotDimensionNumbers", "batch_matmul", "dot", "dot_general", "ragged_dot"]

DotDimensionNumbers = tuple[
    tuple[Sequence[int], Sequence[int]], tuple[Sequence[int], Sequence[int]]
]


def dot_general(
    lhs, rhs, dimension_numbers: DotDimensionNumbers, precision=None, preferred_element_type=None,
    *, out_sharding=None,
) -> Array:
    """Sums of products over contracted axes, for each index of the batch axes.

    Args:
      lhs, rhs: arrays; unequal dtypes promote.
      dimension_numbers: ((axes of lhs to contract, axes of rhs), (batch axes of lhs, of rhs)); axes
        that belong together have equal lengths.
      precision: see `Precision`.
      preferred_element_type: the dtype of the result, and of the sums if it is wider.
    Returns:
      An array with the batch axes, then the other axes of `lhs`, then those of `rhs`.
    Raises:
      TypeError: lengths differ, or an axis is out of range or occurs twice.

    >>> a, b = jnp.ones((5, 2, 3)), jnp.ones((5, 3, 4))
    >>> lax.dot_general(a, b, (([2], [1]), ([0], [0]))).shape
    (5, 2, 4)
    """
    if preferred_element_type is not None:
        preferred_element_type = dtypes.check_user_dtype_supported(
            preferred_element_type, "dot_general"
        )
    return dot_prims.dot_general(
        lhs,
        rhs,
        dimension_numbers=_as_tuples(dimension_numbers),
        precision=canonicalize_precision(precision),
        preferred_element_type=preferred_element_type,
        out_sharding=out_sharding,
    )


_LAST_BY_FIRST = tuple([(((i,), (0,)), ((), ())) for i in (0, 1)])


def _as_tuples(numbers):
    if numbers in _LAST_BY_FIRST:
        return numbers
    (a, b), (c, d) = numbers
    ints = lambda axes: tuple([i.__index__() for i in axes])
    return (ints(a), ints(b)), (ints(c), ints(d))


def dot(
    lhs, rhs, *, dimension_numbers: DotDimensionNumbers | None = None, precision=None,
    preferred_element_type=None, out_sharding=None,
) -> Array:
    """The product of two vectors, of a matrix and a vector, or of two matrices.

    Args:
      lhs: ``[k]`` or ``[m, k]``.
      rhs: ``[k]`` or ``[k, n]``.
      dimension_numbers: for any other product, see `dot_general`.
      precision: see `Precision`.
      preferred_element_type: the dtype of the result, and of the sums if it is wider.
    Raises:
      ValueError: other ranks, or the lengths `k` differ.

    >>> lax.dot(jnp.array([1., 2.]), jnp.array([[1., 0.], [0., 2.]]))
    Array([1., 4.], dtype=float32)
    """
    if dimension_numbers is None:
        x, y = aval_of(lhs), aval_of(rhs)
        if not (1 <= x.ndim <= 2 and 1 <= y.ndim <= 2 and x.shape[-1] == y.shape[0]):
            raise ValueError(
                message(
                    "jax.lax.dot: dimension_numbers must be specified when not performing simple "
                    "un-batched matrix-matrix, matrix-vector, or vector-vector products; got "
                    f"lhs_shape={x.shape} rhs_shape={y.shape}",
                    fix="jnp.matmul(lhs, rhs), or lax.dot_general with the axes to contract",
                )
            )
        dimension_numbers = _LAST_BY_FIRST[x.ndim - 1]
    return dot_general(
        lhs, rhs, dimension_numbers, precision, preferred_element_type, out_sharding=out_sharding
    )


def batch_matmul(lhs, rhs, precision=None) -> Array:
    """Products of matrices, one for each index of the leading axes.

    Args:
      lhs: ``[..., m, k]``.
      rhs: ``[..., k, n]``, with equal leading axes and an equal dtype.
    Raises:
      ValueError: ranks differ or are below 2.

    >>> lax.batch_matmul(jnp.ones((5, 2, 3)), jnp.ones((5, 3, 4))).shape
    (5, 2, 4)
    """
    x, y = aval_of(lhs), aval_of(rhs)
    if min(x.ndim, y.ndim) < 2:
        raise ValueError(f"Arguments to batch_matmul must be at least 2D, got {x.ndim}, {y.ndim}")
    if x.ndim != y.ndim:
        raise ValueError(
            f"Arguments to batch_matmul must have same ndim, got {x.ndim}, {y.ndim}"
        )
    batch = tuple(range(x.ndim - 2))
    return dot_general(lhs, rhs, (((x.ndim - 1,), (x.ndim - 2,)), (batch, batch)), precision)


def ragged_dot(
    lhs, rhs, group_sizes, precision=None, preferred_element_type=None, group_offset=None,
    out_sharding=None,
) -> Array:
    """Products of consecutive groups of rows of `lhs`, each with its own matrix.

    Args:
      lhs: ``[m, k]``, of which the first `group_sizes[0]` rows belong to group 0, and so on.
      rhs: ``[g, k, n]``, a matrix for each group.
      group_sizes: ``[g]`` integers; rows beyond their sum give zeros.
      precision, preferred_element_type: see `dot_general`.
    Raises:
      NotImplementedError: `group_offset` is given, as in JAX.
      TypeError: ranks or lengths do not fit.

    >>> lax.ragged_dot(jnp.ones((3, 2)), jnp.ones((2, 2, 1)), jnp.array([1, 2]))[:, 0]
    Array([2., 2., 2.], dtype=float32)
    """
    if group_offset is not None:
        raise NotImplementedError("Unimplemented group_offset support.")
    x, y, sizes = aval_of(lhs), aval_of(rhs), aval_of(group_sizes)
    if (x.ndim, y.ndim, sizes.ndim) != (2, 3, 1) or y.shape[0] != sizes.shape[0]:
        raise TypeError(
            "ragged_dot requires lhs [m, k], rhs [g, k, n] and group_sizes [g], got "
            f"{x.str_short(True)}, {y.str_short(True)} and {sizes.str_short(True)}."
        )
    # Copies of lhs, one for each group, with the rows of other groups zero; then one long product.
    shape = (y.shape[0], *x.shape)
    ends = cumsum(group_sizes, axis=0, reverse=False)
    across = dict(shape=shape, broadcast_dimensions=(0,), sharding=None)
    rows = iota(dtype=sizes.dtype, shape=shape, dimension=1, sharding=None)
    ends, starts = (broadcast_in_dim(e, **across) for e in (ends, sub(ends, group_sizes)))
    copies = broadcast_in_dim(lhs, shape=shape, broadcast_dimensions=(1, 2), sharding=None)
    inside = and_(ge(rows, starts), lt(rows, ends))
    copies = select_n(inside, full(shape, 0, x.dtype), copies)
    numbers = (((0, 2), (0, 1)), ((), ()))
    return dot_general(copies, rhs, numbers, precision, preferred_element_type)
