"""Matrix products: `dot`, `batch_matmul` and, behind all of them, `dot_general`."""

from __future__ import annotations

import operator
from collections.abc import Sequence

from ...core import dtypes
from ...core.messages.errors import message
from ...core.types import Array, aval_of
from ...prims import dot as dot_prims
from ...prims import ragged_dot as ragged_prims
from ...prims.conversion import convert_element_type
from ...prims.precision import canonicalize_precision
from ...prims.ragged_dot import RaggedDotDimensionNumbers
from ...prims.shape import full
from ...sharding.explicit import told_sharding

__all__ = [
    "DotDimensionNumbers", "RaggedDotDimensionNumbers", "batch_matmul", "dot", "dot_general", "ragged_dot",
    "ragged_dot_general", "scaled_dot",
]

DotDimensionNumbers = tuple[
    tuple[Sequence[int], Sequence[int]], tuple[Sequence[int], Sequence[int]]
]


def dot_general(
    lhs, rhs, dimension_numbers: DotDimensionNumbers, precision=None, preferred_element_type=None,
    *, out_sharding=None,
) -> Array:
    """Return sums of products over contracted axes, for each index of the batch axes.

    Args:
      lhs, rhs: arrays; unequal dtypes promote.
      dimension_numbers: ((axes of lhs to contract, axes of rhs), (batch axes of lhs, of rhs)), each a
        number or a sequence; axes that belong together have equal lengths.
      precision: see `Precision`.
      preferred_element_type: the dtype of the result, and of the sums if it is wider.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array with the batch axes, then the other axes of `lhs`, then those of `rhs`; in the dtype to which theirs
      promote, or in `preferred_element_type`.
    Raises:
      TypeError: lengths differ, or an axis is out of range or occurs twice.

    >>> a, b = jnp.ones((5, 2, 3)), jnp.ones((5, 3, 4))
    >>> lax.dot_general(a, b, (([2], [1]), ([0], [0]))).shape
    (5, 2, 4)
    """
    if preferred_element_type is not None:
        preferred_element_type = dtypes.check_user_dtype_supported(preferred_element_type, "dot")
    return dot_prims.dot_general(
        lhs,
        rhs,
        dimension_numbers=_as_tuples(dimension_numbers),
        precision=canonicalize_precision(precision),
        preferred_element_type=preferred_element_type,
        out_sharding=told_sharding("dot_general", out_sharding),
    )


_LAST_BY_FIRST = tuple([(((i,), (0,)), ((), ())) for i in (0, 1)])
_USUAL = {numbers: numbers for numbers in _LAST_BY_FIRST}


def _as_tuples(numbers):
    try:
        return _USUAL[numbers]
    except (KeyError, TypeError):  # lists
        (a, b), (c, d) = numbers
    ints = lambda axes: (axes,) if isinstance(axes, int) else tuple([operator.index(i) for i in axes])
    return (ints(a), ints(b)), (ints(c), ints(d))


def dot(
    lhs, rhs, *, dimension_numbers: DotDimensionNumbers | None = None, precision=None,
    preferred_element_type=None, out_sharding=None,
) -> Array:
    """Return the product of two vectors, of a matrix and a vector, or of two matrices.

    Args:
      lhs: ``[k]`` or ``[m, k]``.
      rhs: ``[k]`` or ``[k, n]``.
      dimension_numbers: for any other product, see `dot_general`.
      precision: see `Precision`.
      preferred_element_type: the dtype of the result, and of the sums if it is wider.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      The sums of products over `k`: a scalar, ``[m]``, ``[n]`` or ``[m, n]``.
      The dtype is that of the operands, unless `preferred_element_type` says another.
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
    """Return products of matrices, one for each index of the leading axes.

    Args:
      lhs: ``[..., m, k]``.
      rhs: ``[..., k, n]``, with equal leading axes and an equal dtype.
      precision: see `Precision`.
    Returns:
      ``[..., m, n]``: for each index of the leading axes the product of the two matrices.
      The dtype is that of the operands.
    Raises:
      ValueError: ranks differ or are below 2.

    >>> lax.batch_matmul(jnp.ones((5, 2, 3)), jnp.ones((5, 3, 4))).shape
    (5, 2, 4)
    """
    x, y = aval_of(lhs), aval_of(rhs)
    if min(x.ndim, y.ndim) < 2:
        raise ValueError(
            message(
                f"Arguments to batch_matmul must be at least 2D, got {x.ndim}, {y.ndim}",
                fix="x[None] @ y, or jnp.matmul, which takes vectors",
            )
        )
    if x.ndim != y.ndim:
        raise ValueError(
            message(
                f"Arguments to batch_matmul must have same ndim, got {x.ndim}, {y.ndim}",
                fix="x[None], or jnp.matmul, which broadcasts",
            )
        )
    batch = tuple(range(x.ndim - 2))
    return dot_general(lhs, rhs, (((x.ndim - 1,), (x.ndim - 2,)), (batch, batch)), precision)


def ragged_dot(
    lhs, rhs, group_sizes, precision=None, preferred_element_type=None, group_offset=None,
    out_sharding=None,
) -> Array:
    """Return products of consecutive groups of rows of `lhs`, each with its own matrix.

    Args:
      lhs: ``[m, k]``, of which the first `group_sizes[0]` rows belong to group 0, and so on.
      rhs: ``[g, k, n]``, a matrix for each group.
      group_sizes: ``[g]`` integers; rows beyond their sum give zeros.
      precision: see `Precision`.
      preferred_element_type: the dtype of the result, and of the sums if it is wider.
      group_offset: not supported, as in JAX.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      ``[m, n]``: row i of `lhs` times the matrix of its group.
      The dtype is the one to which those of the operands promote, unless `preferred_element_type` says another.
    Raises:
      NotImplementedError: `group_offset` is given, as in JAX.
      TypeError: ranks or lengths do not fit.

    >>> lax.ragged_dot(jnp.ones((3, 2)), jnp.ones((2, 2, 1)), jnp.array([1, 2]))[:, 0]
    Array([2., 2., 2.], dtype=float32)
    """
    return ragged_dot_general(
        lhs, rhs, group_sizes, _ROWS, precision, preferred_element_type, group_offset, out_sharding
    )


_ROWS = RaggedDotDimensionNumbers((((1,), (1,)), ((), ())), (0,), (0,))


def ragged_dot_general(
    lhs, rhs, group_sizes, ragged_dot_dimension_numbers: RaggedDotDimensionNumbers, precision=None,
    preferred_element_type=None, group_offset=None, out_sharding=None,
) -> Array:
    """Return a product like `dot_general`, of which an axis of `lhs` falls into consecutive groups.

    Args:
      lhs, rhs: arrays; unequal dtypes promote.
      group_sizes: integers ``[g]``, the lengths of the groups along the ragged axis of `lhs`; or ``[b..., x..., g]``,
        where they differ along the batch axes b and the axes x of `lhs` of the ragged axis' kind that come before it.
      ragged_dot_dimension_numbers: the axes. If the ragged axis is free, `rhs` has a group axis and each group its own
        part of `rhs`; positions in no group give zeros. If it is contracted, the result has a group axis in front, with
        the sum over each group. As a batch axis, it makes no difference.
      precision: see `Precision`.
      preferred_element_type: the dtype of the result, and of the sums if it is wider.
      group_offset: not supported, as in JAX.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array with the group axis, if the ragged axis is contracted, then the batch axes, the other axes of `lhs`, and
      those of `rhs`. The dtype is the one to which those of the operands promote, unless `preferred_element_type` says
      another.
    Raises:
      NotImplementedError: `group_offset` is given, as in JAX.
      TypeError: axes, ranks or lengths do not fit.

    >>> numbers = lax.RaggedDotDimensionNumbers((((0,), (0,)), ((), ())), (0,), ())
    >>> lax.ragged_dot_general(jnp.ones((3, 1)), jnp.ones((3, 1)), jnp.array([1, 2]), numbers).ravel()
    Array([1., 2.], dtype=float32)
    """
    if group_offset is not None:
        raise NotImplementedError("Unimplemented group_offset support.")
    if preferred_element_type is not None:
        preferred_element_type = dtypes.check_user_dtype_supported(
            preferred_element_type, "ragged_dot_general"
        )
    return ragged_prims.ragged_dot_general(
        lhs,
        rhs,
        group_sizes,
        ragged_dot_dimension_numbers=ragged_dot_dimension_numbers,
        precision=canonicalize_precision(precision),
        preferred_element_type=preferred_element_type,
        group_offset=None,
        out_sharding=told_sharding("ragged_dot_general", out_sharding),
    )


def scaled_dot(
    lhs, rhs, *, lhs_scale=None, rhs_scale=None, dimension_numbers: DotDimensionNumbers | None = None,
    preferred_element_type=None,
) -> Array:
    """Return the product of two arrays, each times scales for blocks of its elements, as narrow floats have them.

    Args:
      lhs, rhs: ``[m, k]`` and ``[k, n]``, or with a batch axis in front; `dimension_numbers` for any other.
      lhs_scale, rhs_scale: scales of the rank of the operand; along contracted axes one for each
        block of elements, so that its length divides that of the operand. Default: ones.
      dimension_numbers: see `dot_general`.
      preferred_element_type: the dtype of the result, default bfloat16.
    Returns:
      ``[m, n]``, or with the batch axis in front: the sums of products of the scaled operands.
    Raises:
      TypeError: ranks or lengths do not fit.

    It is not differentiable, as in JAX.

    >>> lax.scaled_dot(jnp.ones((1, 4)), jnp.ones((4, 1)), lhs_scale=jnp.array([[1., 2.]]))
    Array([[6]], dtype=bfloat16)
    """
    x, y = aval_of(lhs), aval_of(rhs)
    if dimension_numbers is None:
        batch = tuple(range(x.ndim - 2))
        dimension_numbers = (((x.ndim - 1,), (y.ndim - 2,)), (batch, batch))
    numbers = _as_tuples(dimension_numbers)
    scales = [
        _ones_for(v, contract) if scale is None else scale
        for v, scale, contract in zip((x, y), (lhs_scale, rhs_scale), numbers[0])
    ]
    if preferred_element_type is None:
        preferred_element_type = dtypes.bfloat16
    return ragged_prims.scaled_dot(
        lhs, rhs, *scales, dimension_numbers=numbers,
        preferred_element_type=dtypes.check_user_dtype_supported(preferred_element_type, "scaled_dot"),
    )


def _ones_for(aval, contract):
    """Return one scale of 1 along the contracted axes of an operand."""
    shape = tuple([1 if i in contract else n for i, n in enumerate(aval.shape)])
    ones = full(shape, 1, dtypes.bfloat16)
    return convert_element_type(ones, new_dtype=dtypes.float8_e8m0fnu, weak_type=False, sharding=None)
