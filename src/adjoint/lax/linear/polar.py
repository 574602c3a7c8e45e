"""The polar decomposition, `qdwh`: a rational iteration that drives singular values to 1.

Tests: `tests/scipy/test_linalg.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import dtypes
from ...prims.factorizations import cholesky, qr
from ...prims.matrices import adjoint_of, identity, lower_part, product
from ...prims.reduction import reduce_max
from ...prims.shape import reduce_sum
from ...prims.triangular import triangular_solve
from ...transforms.jit.jit import lowerable
from ..flow.branches import cond
from ..flow.loops import while_loop
from ..operators import abs as abs_
from ..operators import add, bitwise_and, div, gt, le, lt, max, min, mul, pow, select, sqrt, sub
from ..shape import broadcasted_iota, concatenate, full_like, operand_of
from ..slicing import slice_in_dim

__all__ = ["qdwh"]


@lowerable(static_argnames=("is_hermitian", "max_iterations", "eps"))
def qdwh(
    x, *, is_hermitian: bool = False, max_iterations: int | None = None, eps: float | None = None,
    dynamic_shape: tuple[int, int] | None = None,
) -> Any:
    """Return x = U H with orthonormal columns of U and positive semidefinite H.

    Args:
      x: a matrix `[n, m]` with n >= m.
      is_hermitian: x is Hermitian; H commutes with it.
      max_iterations: default 10.
      eps: how far singular values may be from 1, relative; default the resolution of the dtype.
      dynamic_shape: the part of x that is used; the rest is taken for zeros.
    Returns:
      (U, H, the number of iterations, whether they converged)
    Raises:
      ValueError: x has more columns than rows.

    Nakatsukasa, Bai and Gygi, "Optimizing Halley's iteration for computing the matrix polar decomposition"
    (SIAM J. Matrix Anal. Appl., 2010).

    >>> lax.linalg.qdwh(jnp.array([[-2.]]))[0].round(3)
    Array([[-1.]], dtype=float32)
    """
    x = operand_of("qdwh", x)
    if dtypes.finfo(x.dtype).bits < 32:  # the bound and the weights of the iteration leave the range of half floats
        eps = float(dtypes.finfo(x.dtype).eps) if eps is None else eps
        u, h, *rest = qdwh(
            x.astype(np.float32), is_hermitian=is_hermitian, max_iterations=max_iterations, eps=eps,
            dynamic_shape=dynamic_shape,
        )
        return u.astype(x.dtype), h.astype(x.dtype), *rest
    n, m = x.shape
    if n < m:
        raise ValueError("The input matrix of shape M x N must have M >= N.")
    if dynamic_shape is not None:
        x = _masked(x, dynamic_shape)
    limit = 10 if max_iterations is None else max_iterations
    dtype = np.dtype(x.dtype.type(0).real.dtype)
    resolution = dtypes.finfo(dtype).eps if eps is None else eps
    number = dtype.type

    # The square root of the product of the 1-norm and the inf-norm bounds the largest singular value.
    size = abs_(x)
    sums = [reduce_sum(size, axes=(axis,), out_sharding=None) for axis in (0, 1)]
    largest = [max(reduce_max(s, axes=(0,)), number(0)) for s in sums]  # of an empty matrix, -inf
    bound = max(mul(*[sqrt(s) for s in largest]), number(dtypes.finfo(dtype).tiny))
    close, exact = number((4 * resolution) ** (1 / 3)), number(5 * resolution)

    def unfinished(state):
        _, low, moved, k = state
        going = gt(moved, close) | gt(abs_(sub(number(1), low)), exact)
        return bitwise_and(going, lt(k, limit))

    def turn(state):
        u, low, _, k = state
        low = min(low, number(1))  # rounding can leave it a little above
        square = mul(low, low)
        d = pow(div(mul(number(4), sub(number(1), square)), mul(square, square)), number(1 / 3))
        root = sqrt(add(number(1), d))
        inner = add(sub(number(8), mul(number(4), d)),
                    div(mul(number(8), sub(number(2), square)), mul(square, root)))
        a = add(root, mul(number(0.5), sqrt(max(inner, number(0)))))
        b = mul(number(0.25), mul(sub(a, number(1)), sub(a, number(1))))
        c = sub(add(a, b), number(1))
        new = cond(gt(c, number(100)), _by_qr, _by_cholesky, u, a, b, c)
        difference = abs_(sub(new, u))
        moved = sqrt(reduce_sum(mul(difference, difference), axes=(0, 1), out_sharding=None))
        low = div(mul(low, add(a, mul(b, square))), add(number(1), mul(c, square)))
        return new, low, moved, add(k, 1)

    start = div(x, _cast(bound, x)), number(resolution), number(np.inf), 0
    u, low, moved, count = while_loop(unfinished, turn, start)
    # One step of Newton and Schulz removes what rounding left.
    u = sub(mul(_number(u, 1.5), u), mul(_number(u, 0.5), product(u, product(adjoint_of(u), u))))
    h = product(adjoint_of(u), x)
    h = div(add(h, adjoint_of(h)), _number(h, 2))
    converged = bitwise_and(le(moved, close), le(abs_(sub(number(1), low)), exact))
    return u, h, count, converged


def _number(x, value):
    return x.dtype.type(value)


def _cast(scalar, x):
    return scalar.astype(x.dtype)


def _masked(x, shape):
    rows, columns = shape
    inside = bitwise_and(
        lt(broadcasted_iota(np.int32, x.shape, 0), full_like(x, rows, np.int32)),
        lt(broadcasted_iota(np.int32, x.shape, 1), full_like(x, columns, np.int32)),
    )
    return select(inside, x, full_like(x, 0))


def _combined(u, a, b, c, y):
    """Return (b/c) u + (a - b/c) y"""
    ratio = div(b, c)
    return add(mul(_cast(ratio, u), u), mul(_cast(sub(a, ratio), u), y))


def _by_qr(u, a, b, c):
    n, m = u.shape
    root = sqrt(c)
    tall = concatenate([mul(_cast(root, u), u), identity(u, m)], 0)
    q, _ = qr(tall, pivoting=False, full_matrices=False, use_magma=None)
    q1, q2 = slice_in_dim(q, 0, n), slice_in_dim(q, n, n + m)
    return _combined(u, a, b, c, div(product(q1, adjoint_of(q2)), _cast(root, u)))


def _by_cholesky(u, a, b, c):
    z = add(identity(u, u.shape[-1]), mul(_cast(c, u), product(adjoint_of(u), u)))
    factor = lower_part(cholesky(z))
    flags = dict(left_side=False, lower=True, unit_diagonal=False)
    y = triangular_solve(factor, u, transpose_a=True, conjugate_a=True, **flags)
    y = triangular_solve(factor, y, transpose_a=False, conjugate_a=False, **flags)
    return _combined(u, a, b, c, y)
