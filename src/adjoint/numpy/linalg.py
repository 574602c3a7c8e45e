"""`adjoint.numpy.linalg`: norms and products of matrices and vectors.

Factorizations are in `decompositions.py`, solutions of linear systems in `systems.py`.

Tests: `tests/linalg/test_linalg.py`.
"""

from __future__ import annotations

import operator

import numpy as np

from .. import lax
from ..core import dtypes
from ..core.messages.boundaries import public
from ..core.messages.errors import message
from ..core.types import Array
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import AT_ONCE, MANY, replayed
from . import contractions, diagonals, products, reductions, shapes, ufuncs
from .axes import canonical_axes
from .creation import asarray, eye
from .decompositions import cholesky, eig, eigh, eigvals, eigvalsh, qr, svd, svdvals
from .promotion import check_arraylike, convert, promote_inexact, strong
from .selection import where
from .systems import det, inv, lstsq, matrix_rank, pinv, slogdet, solve, tensorinv, tensorsolve

__all__ = [
    "cholesky", "cond", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv", "lstsq", "matmul",
    "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "multi_dot", "norm", "outer", "pinv", "qr",
    "slogdet", "solve", "svd", "svdvals", "tensordot", "tensorinv", "tensorsolve", "trace", "vecdot", "vector_norm",
]

vecdot = products.vecdot
matrix_transpose = shapes.matrix_transpose


def matmul(x1, x2, /, *, precision=None, preferred_element_type=None) -> Array:
    """Return the matrix product, as `jnp.matmul` does; batches broadcast.

    Args:
      x1: `[..., n, k]`, or a vector.
      x2: `[..., k, m]`, or a vector.
      precision: of the multiplication: a `lax.Precision` or its name.
      preferred_element_type: the dtype to accumulate in and to return.
    Returns:
      `[..., n, m]`, without the axis that a vector lacks. The dtype is the one to which those of the arrays promote.
    Raises:
      ValueError: an operand is a scalar.
      TypeError: the lengths `k` differ.

    >>> jnp.linalg.matmul(jnp.ones((2, 3)), jnp.ones((3, 4))).shape
    (2, 4)
    """
    check_arraylike("jnp.linalg.matmul", x1, x2)
    return products.matmul(
        x1, x2, precision=precision, preferred_element_type=preferred_element_type
    )


def tensordot(
    x1, x2, /, *, axes=2, precision=None, preferred_element_type=None, out_sharding=None
) -> Array:
    """Return the sum of products over several axes, as `jnp.tensordot` does.

    Args:
      x1, x2: arrays.
      axes: how many last axes of `x1` and first ones of `x2`, or a pair of axes or sequences of axes.
      precision: of the multiplication: a `lax.Precision` or its name.
      preferred_element_type: the dtype to accumulate in and to return.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      The sums of products, in an array with the other axes of `x1`, then those of `x2`.
      The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: `x1` is not an array or scalar, or shapes do not fit together; lists are not converted.

    >>> jnp.linalg.tensordot(jnp.ones((2, 3)), jnp.ones((3, 4)), axes=1).shape
    (2, 4)
    """
    return products.tensordot(
        x1, x2, axes, precision=precision, preferred_element_type=preferred_element_type
    )


def _numpy_norm(x):
    return np.asarray(np.sqrt(np.add.reduce(x * x, axis=None)))


def _is_of_all(args, kwargs) -> bool:
    return len(args) == 1 and not kwargs and args[0].dtype in (np.float32, np.float64)


@replayed(numpy=_numpy_norm, suits=_is_of_all, compiles_after=AT_ONCE, sizes=MANY)
@inner_jit(static_argnames=("ord", "axis", "keepdims"))
def norm(x, ord=None, axis=None, keepdims=False) -> Array:
    """Return the norm of vectors or matrices.

    Args:
      x: array; inexact after promotion.
      ord: for vectors a number, inf or -inf; for matrices "fro", 1, -1, inf, -inf, or of the singular values
        "nuc" (their sum), 2 (the largest) or -2 (the least). Default: the root of the sum of squares.
      axis: one axis for vectors, two for matrices; None is all.
      keepdims: keep the reduced axes with length 1.
    Returns:
      An array without these axes, real. The dtype is float, also of complex matrices.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
    See also: `linalg.vector_norm`, `linalg.matrix_norm`, `nn.standardize`.

    >>> norm(jnp.array([3., 4.]))
    Array(5., dtype=float32)
    """
    check_arraylike("jnp.linalg.norm", x)
    x = asarray(promote_inexact("jnp.linalg.norm", x)[0])
    ndim = x.ndim
    if axis is None:
        if ord is None:  # the vector norm of everything, whatever the rank
            return ufuncs.sqrt(reductions.sum(_square(x), keepdims=keepdims))
        axes = tuple(range(ndim))
    else:
        axes = canonical_axes(axis, ndim)
    if len(axes) == 1:
        return _vector(x, ord, axes, keepdims)
    if len(axes) == 2:
        return _matrix(x, ord, axes, keepdims)
    raise ValueError(
        message(
            f"Improper number of axes for norm: axis={axes}. Pass one axis to compute a vector-norm, "
            "or two axes to compute a matrix-norm.",
            fix="axis=-1 for vectors, axis=(-2, -1) for matrices",
        )
    )


def _square(x):
    return ufuncs.real(x * ufuncs.conj(x)) if dtypes.issubdtype(x.dtype, np.complexfloating) else x * x


def _vector(x, ord, axes, keepdims):
    if ord is None or ord == 2:
        return ufuncs.sqrt(reductions.sum(_square(x), axis=axes, keepdims=keepdims))
    if isinstance(ord, str):
        raise ValueError(message(f"Invalid order '{ord}' for vector norm.", fix="a number, or jnp.inf or -jnp.inf"))
    if ord == 0:
        ones = lax.convert_element_type(x != 0, dtypes.int32)
        ones = lax.convert_element_type(ones, dtypes.finfo(x.dtype).dtype)
        return reductions.sum(ones, axis=axes, keepdims=keepdims)
    size = ufuncs.abs(x)
    if ord == np.inf:
        return reductions.max(size, axis=axes, keepdims=keepdims, initial=0)
    if ord == -np.inf:
        return reductions.min(size, axis=axes, keepdims=keepdims)
    if ord == 1:
        return reductions.sum(size, axis=axes, keepdims=keepdims)
    size = convert(size, size.dtype)
    total = reductions.sum(lax.pow(size, strong(size, ord)), axis=axes, keepdims=keepdims)
    return lax.pow(total, strong(size, 1.0 / ord))


def _matrix(x, ord, axes, keepdims):
    row, column = axes
    if ord is None or ord in ("f", "fro"):
        return ufuncs.sqrt(reductions.sum(_square(x), axis=axes, keepdims=keepdims))
    if ord in (1, -1, np.inf, -np.inf):
        summed, over = (row, column) if abs(ord) == 1 else (column, row)
        sums = reductions.sum(ufuncs.abs(x), axis=summed, keepdims=keepdims)
        over -= not keepdims and over > summed
        if ord > 0:
            return reductions.max(sums, axis=over, keepdims=keepdims, initial=0)
        return reductions.min(sums, axis=over, keepdims=keepdims)
    if ord in ("nuc", 2, -2):
        values = svd(shapes.moveaxis(x, axes, (-2, -1)), compute_uv=False)
        if ord == "nuc":
            out = reductions.sum(values, axis=-1)
        elif ord == 2:
            out = reductions.max(values, axis=-1, initial=0)
        else:
            out = reductions.min(values, axis=-1)
        return lax.expand_dims(out, axes) if keepdims else out
    raise ValueError(
        message(f"Invalid order '{ord}' for matrix norm.", fix="'fro', 'nuc', 1, -1, 2, -2, jnp.inf or -jnp.inf")
    )


@replayed
def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """Return the norm of vectors along axes.

    Args:
      x: array.
      axis: an axis, a tuple of axes, or None for all elements.
      keepdims: keep these axes with length 1.
      ord: p for the p-th root of the sum of p-th powers of sizes; inf and -inf for the largest and the smallest size, 0
        for the number of elements that are not zero.
    Returns:
      Real floats, in an array without these axes; of integers and booleans the orders 1, inf and -inf give integers.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> jnp.linalg.vector_norm(jnp.array([3., 4.]))
    Array(5., dtype=float32)
    """
    check_arraylike("jnp.linalg.vector_norm", x)
    x = asarray(x)
    if ord not in (1, np.inf, -np.inf) and not dtypes.issubdtype(x.dtype, np.inexact):
        x = convert(x, dtypes.to_inexact_dtype(dtypes.default_int()))  # JAX parity: that of a sum
    return _vector(x, ord, canonical_axes(axis, x.ndim), keepdims)


@replayed
def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """Return the norm of matrices in the last two axes.

    Args:
      x: `[..., n, m]`.
      keepdims: keep these axes with length 1.
      ord: "fro" for the root of the sum of squares, "nuc" for the sum of singular values, 2 and -2 for the largest and
        the smallest of these, 1 and -1 for the largest and smallest sum of sizes in a column, inf and -inf in a row.
    Returns:
      `[...]`, real floats.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.linalg.matrix_norm(jnp.array([[3., 0.], [0., 4.]]))
    Array(5., dtype=float32)
    """
    return norm(x, ord=ord, axis=(-2, -1), keepdims=keepdims)


@replayed(compiles_after=AT_ONCE)
@inner_jit(static_argnames=("p",))
def cond(x, p=None) -> Array:
    """Return the condition number of matrices: the norm times that of the inverse.

    Args:
      x: `[..., n, m]`; square, unless `p` is None, 2 or -2.
      p: the `ord` of the norm; None and 2 give the ratio of the extreme singular values.
    Returns:
      `[...]`; infinite where a matrix is singular. The dtype is float, also of complex matrices.
    Raises:
      ValueError: the shape does not fit.

    >>> cond(jnp.array([[4., 0.], [0., 2.]]))
    Array(2., dtype=float32)
    """
    check_arraylike("cond", x)
    x = asarray(x)
    if x.ndim < 2:
        raise ValueError(
            message(
                f"jnp.linalg.cond: input array must be at least 2D; got arr.shape={x.shape}",
                fix="x[:, None] for a column, x[None] for a row",
            )
        )
    if not x.shape[-1] or not x.shape[-2]:
        raise ValueError(f"jnp.linalg.cond: input array must not be empty; got arr.shape={x.shape}")
    if p is None or p in (2, -2):
        s = svd(x, compute_uv=False)
        return s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    if x.shape[-1] != x.shape[-2]:
        raise ValueError(
            message(
                f"jnp.linalg.cond: for p={p!r}, array must be square; got arr.shape={x.shape}",
                fix="p=2, or None, for matrices that are not square",
            )
        )
    out = norm(x, ord=p, axis=(-2, -1)) * norm(inv(x), ord=p, axis=(-2, -1))
    unknown = ufuncs.isnan(out) & ~reductions.any(ufuncs.isnan(x), axis=(-2, -1))
    return where(unknown, np.inf, out)


@replayed
def outer(x1, x2, /):
    """Return all products of the elements of two vectors.

    Args:
      x1, x2: vectors, `[n]` and `[m]`.
    Returns:
      `[n, m]`, of the dtype to which theirs promote.
    Raises:
      ValueError: they are no vectors.
      TypeError: one is not an array; lists are not converted.

    >>> jnp.linalg.outer(jnp.array([1, 2]), jnp.array([3, 4]))
    Array([[3, 4],
           [6, 8]], dtype=int32)
    """
    check_arraylike("jnp.linalg.outer", x1, x2)
    x1, x2 = asarray(x1), asarray(x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(
            message(
                f"Input arrays must be one-dimensional, but they are {x1.ndim=} {x2.ndim=}",
                fix="jnp.outer(x1, x2), which flattens them; x1[..., :, None] * x2[..., None, :] for batches",
            )
        )
    return x1[:, None] * x2[None, :]


@replayed
def cross(x1, x2, /, *, axis=-1):
    """Return the cross product of vectors of length 3.

    Args:
      x1, x2: arrays of length 3 along the axis; the others broadcast.
      axis: the axis of the vectors, of length 3.
    Returns:
      Vectors at right angles to both, in an array of the shape to which they broadcast.
      The dtype is the one to which those of the arrays promote.
    Raises:
      ValueError: the length is not 3.
      TypeError: an argument is not an array; lists are not converted.

    >>> jnp.linalg.cross(jnp.array([1., 0., 0.]), jnp.array([0., 1., 0.]))
    Array([0., 0., 1.], dtype=float32)
    """
    check_arraylike("jnp.linalg.outer", x1, x2)  # JAX parity: the name
    x1, x2 = asarray(x1), asarray(x2)
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError(
            message(
                f"Both input arrays must be (arrays of) 3-dimensional vectors, but they have {x1.shape[axis]=} "
                f"and {x2.shape[axis]=}",
                fix="jnp.cross(x1, x2) for vectors of length 2; axis=... for vectors along another axis",
            )
        )
    return products.cross(x1, x2, axis=axis)


@replayed
def diagonal(x, /, *, offset=0):
    """Return the diagonals of matrices in the last two axes.

    Args:
      x: `[..., n, m]`.
      offset: which diagonal, counted from the main one upwards.
    Returns:
      An array with the batch axes, then the diagonal. The dtype is that of `x`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.linalg.diagonal(jnp.array([[1, 2], [3, 4]]))
    Array([1, 4], dtype=int32)
    """
    check_arraylike("jnp.linalg.diagonal", x)
    return diagonals.diagonal(x, offset=offset, axis1=-2, axis2=-1)


@replayed
def trace(x, /, *, offset=0, dtype=None):
    """Return the sums of the diagonals of matrices in the last two axes.

    Args:
      x: `[..., n, m]`.
      offset: which diagonal, counted from the main one upwards.
      dtype: of the result; small integers are summed as the default integer.
    Returns:
      `[...]`.
      The dtype is that of `x`; of small integers and booleans the default integer, unless `dtype` says another.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.linalg.trace(jnp.eye(3))
    Array(3., dtype=float32)
    """
    check_arraylike("jnp.linalg.trace", x)
    return diagonals.trace(x, offset=offset, axis1=-2, axis2=-1, dtype=dtype)


@replayed
@inner_jit(static_argnames=("n",))
def matrix_power(a, n: int):
    """Return a square matrix to an integer power, by repeated squaring; of the inverse if that is negative.

    Args:
      a: `[..., n, n]`.
      n: a Python int.
    Returns:
      `[..., n, n]`; the unit matrix for 0.
    Raises:
      TypeError: `n` is not an int, or the matrices are not square.

    >>> jnp.linalg.matrix_power(jnp.array([[1, 1], [0, 1]]), 3)
    Array([[1, 3],
           [0, 1]], dtype=int32)
    """
    check_arraylike("jnp.linalg.matrix_power", a)
    a = asarray(a)
    if a.ndim < 2:
        raise TypeError(
            message(
                f"{a.ndim}-dimensional array given. Array must be at least two-dimensional",
                fix="jnp.diag(x) for the matrix with the diagonal x; x ** n for powers of elements",
            )
        )
    if a.shape[-1] != a.shape[-2]:
        raise TypeError(
            message(
                "Last 2 dimensions of the array must be square", why=f"The matrices have shape {a.shape}.",
                fix="x.mT @ x, which is square",
            )
        )
    try:
        n = operator.index(n)
    except TypeError:
        raise TypeError(
            message(
                f"exponent must be an integer, got {n}",
                fix="int(n); jax.scipy.linalg.expm(n * logarithm) for other powers",
            )
        ) from None
    if n == 0:
        return shapes.broadcast_to(eye(a.shape[-2], dtype=a.dtype), a.shape)
    if n < 0:
        a, n = inv(a), -n
    if n == 3:
        return a @ a @ a
    result = None
    while n:
        if n & 1:
            result = a if result is None else result @ a
        n >>= 1
        a = a @ a if n else a
    return result


@replayed
def multi_dot(arrays, *, precision=None):
    """Return the product of several matrices, in the order that costs least.

    Args:
      arrays: two matrices at least; the first and the last may be vectors.
      precision: of the multiplication: a `lax.Precision` or its name.
    Returns:
      The product, without the axes that vectors lack.
    Raises:
      ValueError: there are fewer than two, or ranks do not fit.

    >>> jnp.linalg.multi_dot([jnp.ones((9, 2)), jnp.ones((2, 9)), jnp.ones(9)])[:2]
    Array([18., 18.], dtype=float32)
    """
    check_arraylike("jnp.linalg.multi_dot", *arrays)
    arrays = [asarray(a) for a in arrays]
    if len(arrays) < 2:
        raise ValueError(
            message(
                f"multi_dot requires at least two arrays; got len(arrays)={len(arrays)}",
                fix="the matrix itself, if it is one",
            )
        )
    shapes = [a.shape for a in arrays]
    ends = len(shapes[0]), len(shapes[-1])
    if not {1, 2} >= {*ends} or any(len(shape) != 2 for shape in shapes[1:-1]):
        raise ValueError(
            "multi_dot: input arrays must all be two-dimensional, except for the first and last array which may be 1 "
            f"or 2 dimensional. Got array shapes {shapes}"
        )
    if any(left[-1] != right[0] for left, right in zip(shapes, shapes[1:])):
        raise ValueError(
            message(
                "multi_dot: last dimension of each array must match first dimension of following array. Got array "
                f"shapes {shapes}",
                fix="x.mT for a matrix that is turned",
            )
        )
    letters = iter("abcdefghijklmnopqrstuvwxyz")
    at = next(letters)
    terms = []
    for a in arrays:
        if a.ndim == 1:
            terms.append(at)
        else:
            following = next(letters)
            terms.append(at + following)
            at = following
    ends = [terms[0][0] if arrays[0].ndim == 2 else "", terms[-1][-1] if arrays[-1].ndim == 2 else ""]
    return contractions.einsum(f"{','.join(terms)}->{''.join(ends)}", *arrays, optimize="auto",
                           precision=precision)

public(globals())
