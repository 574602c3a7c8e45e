"""Factorizations in finitely many steps: Cholesky's, LU and QR, by LAPACK.

Those that iterate (eigenvalues, singular values) are in `spectral.py`. A matrix that cannot be factored gives
NaN, because no error can be raised from inside a compiled program.

Derivatives: Giles, "Collected matrix derivative results for forward and reverse mode algorithmic
differentiation" (2008), and for QR Walter and Lehmann, "Algorithmic differentiation of linear algebra
functions" (2010).
"""

from __future__ import annotations

import numpy as np

from ..core import dtypes
from ..core.primitive import Primitive
from ..core.types import ShapedArray, aval_of
from ..core.values.dimension import lesser
from ..core.values.zeros import Zero
from ..sharding import rules
from .arithmetic import add, div, mul, real, sub
from .conversion import convert_element_type, strong_beside
from .domains import FLOATS, INEXACT, check_dtype
from .family import check_same_dtypes, like
from .matrices import (
    adjoint_of,
    batch_in_front,
    check_matrices,
    check_ranks_of_batches,
    check_square,
    each,
    identity,
    lengths_of,
    lower_part,
    missing,
    product,
    routine,
    rows_at,
    swapped,
    typed,
    upper_part,
    workspace,
)
from .shape import concatenate
from .slicing import pad, slice_
from .triangular import triangular_solve

__all__ = [
    "cholesky", "cholesky_update", "geqrf", "householder_product", "lu", "lu_pivots_to_permutation", "ormqr", "qr",
]

_f32, _c64, _i32 = dtypes.float32, dtypes.complex64, dtypes.int32


def _none(aval) -> Zero:
    return Zero(aval.to_tangent_aval())


def _is_complex(x) -> bool:
    return dtypes.issubdtype(aval_of(x).dtype, np.complexfloating)


def _solve(a, b, **flags):
    """Return `triangular_solve` with the flags that differ from its defaults."""
    flags = {**dict.fromkeys(("left_side", "lower", "transpose_a", "conjugate_a", "unit_diagonal"), False), **flags}
    return triangular_solve(a, b, **flags)


# ---- Cholesky ------------------------------------------------------------------------------------

cholesky = Primitive("cholesky")
cholesky.sharding(rules.batched)


@typed(cholesky)
def _(x):
    check_square("cholesky", x)
    return ShapedArray(x.shape, x.dtype)


@each(cholesky, 2)
def _(x):
    """The factor is in the lower half; the upper half is that of `x`."""
    if not x.size:
        return x
    factor, info = routine("potrf", x.dtype)(x, lower=1, clean=0)
    return factor if info == 0 else np.full_like(x, missing(x.dtype))


@cholesky.jvp
def _(primals, tangents):
    """L_dot = L phi(L^-1 A_dot L^-H), where phi takes the lower half with half the diagonal."""
    (x,), (t,) = primals, tangents
    factor = lower_part(cholesky(x))
    inner = _solve(factor, t, lower=True, transpose_a=True, conjugate_a=_is_complex(x))
    inner = lower_part(_solve(factor, inner, left_side=True, lower=True))
    twice = add(identity(x, x.shape[-1]), like(x, 1))
    half = div(strong_beside(inner, twice), twice)
    return factor, lower_part(product(factor, half))


cholesky.batch(batch_in_front(cholesky))
_definite = np.array([[4, 0.9, 2.2], [1, 5, 3.1], [2, 3, 6]], np.float32)  # the upper half is not read
_hermitian = _definite + 1j * np.array([[0, 1, -0.5], [-1, 0, 0.3], [0.5, -0.3, 0]], np.float32)
cholesky.examples(
    _definite, np.stack([_definite, 1.7 * _definite]), _hermitian.astype(np.complex64),
    ShapedArray((0, 0), _f32),
)

cholesky_update = Primitive("cholesky_update")


@typed(cholesky_update)
def _(r, w):
    for i, (x, rank) in enumerate(((r, 2), (w, 1))):
        if x.ndim < rank:
            raise TypeError(
                f"Input {i} to cholesky_update must have a rank of exactly {rank}, but got shape={x.shape}"
            )
    if r.shape != (*w.shape, w.shape[-1]):
        raise ValueError(
            "Rank-1 update to Cholesky decomposition takes a square matrix and a vector of the same size as "
            f"input. Got shapes {r.shape} and {w.shape} instead"
        )
    for i, x in enumerate((r, w)):
        check_dtype("cholesky_update", FLOATS, x.dtype, i)
    check_same_dtypes("cholesky_update", (r, w))
    return ShapedArray(r.shape, r.dtype)


@cholesky_update.evaluate
def _(r, w):
    """Rotations take the vector, row by row, into the factor: Golub and Van Loan, 6.5.4."""
    dtype = r.dtype
    r, w = (np.array(x, np.float32 if dtype.itemsize < 4 else dtype) for x in (r, w))
    for k in range(w.shape[-1]):
        length = np.hypot(r[..., k, k], w[..., k])
        safe = np.where(length == 0, 1, length)
        c = np.where(length == 0, 1, r[..., k, k] / safe)[..., None]
        s = np.where(length == 0, 0, w[..., k] / safe)[..., None]
        row = r[..., k, :].copy()
        r[..., k, :], w = c * row + s * w, c * w - s * row
    return np.triu(r).astype(dtype, copy=False)


cholesky_update.batch(batch_in_front(cholesky_update))
cholesky_update.examples((np.triu(_definite), ShapedArray((3,), _f32)))


# ---- LU ------------------------------------------------------------------------------------------

lu = Primitive("lu", multiple_results=True)
lu.sharding(rules.batched)


@typed(lu)
def _(x):
    batch, n, m = check_matrices("lu", x)
    return [
        ShapedArray(x.shape, x.dtype), ShapedArray((*batch, lesser(n, m)), _i32), ShapedArray((*batch, n), _i32)
    ]


@each(lu, 2)
def _(x):
    n = x.shape[0]
    if not x.size:
        return x, np.empty(min(x.shape), np.int32), np.arange(n, dtype=np.int32)
    factors, pivots, _ = routine("getrf", x.dtype)(x)
    return factors, pivots, _permutation(pivots, n)


def _permutation(pivots, n: int):
    """Return the order of rows after exchanging row i with row pivots[i], for each i in turn.

    Negative pivots count from the end; of those outside, the nearest row is read and none is written.
    """
    order = list(range(n))
    for i, p in enumerate(pivots.tolist()):
        p = p + n if p < 0 else p
        here, order[i] = order[i], order[min(max(p, 0), n - 1)]
        if 0 <= p < n:
            order[p] = here
    return np.array(order, np.int32)


@lu.jvp
def _(primals, tangents):
    """Return, with X = L^-1 P A_dot U^-1,  L_dot = L tril(X, -1),  U_dot = triu(X) U.

    L and U are made square by the identity, for matrices that are not.
    """
    (x,), (t,) = primals, tangents
    factors, pivots, order = lu(x)
    n, m = x.shape[-2:]
    k = min(n, m)
    low = add(_padded(lower_part(_block(factors, n, k), -1), (0, n - k), -1), identity(x, n))
    high = _padded(upper_part(_block(factors, k, m)), (0, m - k), -2)
    if m > k:
        corner = identity(x, m - k)
        high = add(high, _padded(_padded(corner, (k, 0), -1), (k, 0), -2))
    inner = _solve(low, rows_at(t, order), left_side=True, lower=True, unit_diagonal=True)
    inner = _solve(high, inner)
    moved = add(product(low, lower_part(inner, -1)), product(upper_part(inner), high))
    return [factors, pivots, order], [moved, _none(pivots.aval), _none(order.aval)]


def _block(x, n: int, m: int):
    """Return the first n rows and m columns."""
    if x.shape[-2:] == (n, m):
        return x
    limits = (*x.shape[:-2], n, m)
    return slice_(x, start_indices=(0,) * x.ndim, limit_indices=limits, strides=None)


def _padded(x, width: tuple[int, int], axis: int):
    """Zeros before and after along an axis."""
    if not any(width):
        return x
    config = [(0, 0, 0)] * x.ndim
    config[axis] = (*width, 0)
    return pad(x, like(x, 0), padding_config=tuple(config))


lu.batch(batch_in_front(lu))
_general = np.array([[0.5, -1.2, 0.7, 2.1], [2, 0.3, -0.4, 1.3], [-1, 1.6, 0.9, 0.2]], np.float32)
_phased = (_general * np.exp(1j * _general)).astype(np.complex64)
_shapes = (
    _general, _general.T.copy(), _general[:, :3].copy(), np.stack([_general, 2 * _general[::-1]]), _phased,
    _phased[:, :3].copy(),
)
lu.examples(*_shapes, ShapedArray((0, 2), _f32), ShapedArray((2, 0), _f32))

lu_pivots_to_permutation = Primitive("lu_pivots_to_permutation")


@typed(lu_pivots_to_permutation)
def _(pivots, *, permutation_size):
    name = "lu_pivots_to_permutation"
    check_dtype(name, (np.int32,), pivots.dtype, 0)
    if not pivots.ndim:
        raise TypeError(f"Input 0 to {name} must have rank at least 1, but got shape={pivots.shape}")
    if permutation_size < pivots.shape[-1]:
        raise ValueError(
            f"Output permutation size {permutation_size} has to exceed the trailing dimension of the pivots. "
            f"Got pivots size {pivots.shape[-1]}"
        )
    return ShapedArray((*pivots.shape[:-1], permutation_size), pivots.dtype)


@each(lu_pivots_to_permutation, 1)
def _(pivots, *, permutation_size):
    return _permutation(pivots, permutation_size)


lu_pivots_to_permutation.batch(batch_in_front(lu_pivots_to_permutation))
lu_pivots_to_permutation.examples(
    (np.array([2, 2, 3], np.int32), dict(permutation_size=5)),
    (np.array([-4, 3, -1], np.int32), dict(permutation_size=3)),
    (np.array([[1, 1], [0, 1]], np.int32), dict(permutation_size=2)),
)


# ---- QR ------------------------------------------------------------------------------------------

qr = Primitive("qr", multiple_results=True)
qr.sharding(rules.batched)


@typed(qr)
def _(x, *, pivoting, full_matrices, use_magma=None):
    batch, n, m = check_matrices("qr", x)
    k = n if full_matrices else lesser(n, m)
    out = [ShapedArray((*batch, n, k), x.dtype), ShapedArray((*batch, k, m), x.dtype)]
    return [*out, ShapedArray((*batch, m), _i32)] if pivoting else out


@each(qr, 2)
def _(x, *, pivoting, full_matrices, use_magma=None):
    n, m = x.shape
    k = n if full_matrices else min(n, m)
    if not x.size:
        return np.eye(n, k, dtype=x.dtype), np.zeros((k, m), x.dtype), *(
            [np.arange(m, dtype=np.int32)] if pivoting else []
        )
    order = ()
    if pivoting:
        lwork = workspace(routine("geqp3", x.dtype)(x, lwork=-1)[-2])
        packed, places, taus, *_ = routine("geqp3", x.dtype)(x, lwork=lwork)
        order = (places - 1,)
    else:
        packed, taus = _reduced(x)
    reflectors = np.zeros((n, k), x.dtype, order="F")
    reflectors[:, : min(m, k)] = packed[:, : min(m, k)]
    return _orthogonal(reflectors, taus), np.triu(packed[:k]), *order


def _reduced(x):
    """R in the upper half, below it the Householder reflectors of Q; and their factors."""
    lwork = workspace(routine("geqrf_lwork", x.dtype)(*x.shape))
    packed, taus, *_ = routine("geqrf", x.dtype)(x, lwork=lwork)
    return packed, taus


def _orthogonal(reflectors, taus):
    """Return the product of Householder reflections, as many columns as are given."""
    generate = routine("orgqr", reflectors.dtype)
    lwork = workspace(generate(reflectors, taus, lwork=-1)[-2])
    return generate(reflectors, taus, lwork=lwork)[0]


@qr.jvp
def _(primals, tangents, **params):
    """Q_dot = Q W + what leaves the span of Q, R_dot = Q^H A_dot - W R, W skew.

    The strictly lower half of W is that of Q^H A_dot R^-1; its diagonal is imaginary, so that the diagonal of
    R stays real. For wide matrices all of this is about their first columns, for complete ones about Q's.
    """
    (x,), (t,) = primals, tangents
    q, r, *order = qr(x, **params)
    n, m = x.shape[-2:]
    k = min(n, m)
    if order:
        t = _columns_at(t, order[0])
    q1, r1 = _block(q, n, k), _block(r, k, m)
    scaled = _solve(_block(r1, k, k), _block(t, n, k))
    inner = product(adjoint_of(q1), scaled)
    lower = lower_part(inner, -1)
    skew = sub(lower, adjoint_of(lower))
    if _is_complex(x):
        skew = add(skew, mul(identity(x, k), sub(inner, _real_part(inner))))
    q_dot = product(q1, skew)
    if n > k:
        q_dot = add(q_dot, sub(scaled, product(q1, inner)))
    r_dot = upper_part(sub(product(adjoint_of(q1), t), product(skew, r1)))
    if q.shape[-1] > k:
        q_dot = concatenate(q_dot, _completed(q1, q_dot), dimension=x.ndim - 1)
        r_dot = _padded(r_dot, (0, n - k), -2)
    return [q, r, *order], [q_dot, r_dot, *[_none(p.aval) for p in order]]


def _completed(q, q_dot):
    """Return the tangent of the columns that make Q square, where Q is a product of Householder reflections.

    With E the first columns of the identity, D = E^H Q - 1 and W the rows of Q below times D^-1, those columns
    are (Q - E) W^H + the other columns of the identity.
    """
    n, k = q.shape[-2:]
    factors, _, order = lu(sub(_block(q, k, k), identity(q, k)))
    exchanged = rows_at(identity(q, k), order)

    def divided(x):  # x D^-1
        half = _solve(factors, _solve(factors, x), lower=True, unit_diagonal=True)
        return product(half, exchanged)

    below = lambda x: slice_(x, start_indices=(*(0,) * (x.ndim - 2), k, 0), limit_indices=x.shape, strides=None)
    w = divided(below(q))
    w_dot = divided(sub(below(q_dot), product(w, _block(q_dot, k, k))))
    moved = product(sub(q, identity(q, n, k)), adjoint_of(w_dot))
    return add(product(q_dot, adjoint_of(w)), moved)


def _real_part(x):
    return convert_element_type(real(x), new_dtype=x.dtype, weak_type=False, sharding=None)


def _columns_at(x, order):
    return swapped(rows_at(swapped(x), order))


qr.batch(batch_in_front(qr))
qr.examples(
    *[
        (x, dict(pivoting=pivoting, full_matrices=full, use_magma=None))
        for x in _shapes
        for pivoting, full in ((False, False), (False, True))
    ],
    (_general, dict(pivoting=True, full_matrices=False, use_magma=None)),
    (_general.T.copy(), dict(pivoting=True, full_matrices=True, use_magma=None)),
    (ShapedArray((3, 0), _f32), dict(pivoting=False, full_matrices=True, use_magma=None)),
)


# ---- Householder reflections ---------------------------------------------------------------------

geqrf = Primitive("geqrf", multiple_results=True)
geqrf.sharding(rules.batched)


@typed(geqrf)
def _(x):
    batch, n, m = check_matrices("geqrf", x)
    return [ShapedArray(x.shape, x.dtype), ShapedArray((*batch, lesser(n, m)), x.dtype)]


@each(geqrf, 2)
def _(x):
    if not x.size:
        return x, np.empty(min(x.shape), x.dtype)
    return _reduced(x)


geqrf.batch(batch_in_front(geqrf))
geqrf.examples(*_shapes)

householder_product = Primitive("householder_product")
householder_product.sharding(rules.batched)


@typed(householder_product)
def _(a, taus):
    name = "householder_product"
    batch, n, m = lengths_of(name, a)
    check_ranks_of_batches(name, a.ndim - 2, taus.ndim - 1)
    if n < m:
        raise ValueError(
            f"The first argument to {name} must have at least as many rows as columns, got shape {(n, m)}"
        )
    check_dtype(name, INEXACT, a.dtype, 0)
    _check_reflections(name, a, taus, batch, n, m)
    return ShapedArray(a.shape, a.dtype)


def _check_reflections(name, a, taus, batch, n, m):
    check_ranks_of_batches(name, a.ndim - 2, taus.ndim - 1)
    check_dtype(name, (np.floating, np.complexfloating), taus.dtype, 1)
    check_same_dtypes(name, (a, taus))
    if taus.shape[:-1] != batch or taus.shape[-1] > min(n, m):
        raise ValueError(
            f"The second argument to {name} must not have more rows than the minimum of the first argument's "
            "rows and columns."
        )


@each(householder_product, 2, 1)
def _(a, taus):
    return _orthogonal(a, taus) if a.size else a


householder_product.batch(batch_in_front(householder_product))
_taus = np.array([1.2, 0.7, 1.5], np.float32)
householder_product.examples(
    (_general.T.copy(), _taus), (_general.T.copy(), _taus[:2]),
    (_phased.T.copy(), _taus.astype(np.complex64)),
)

ormqr = Primitive("ormqr")


@typed(ormqr)
def _(a, taus, c, *, left, transpose):
    batch, n, m = check_matrices("ormqr", a)
    c_batch, _, _ = check_matrices("ormqr", c, position=2)
    check_ranks_of_batches("ormqr", len(batch), taus.ndim - 1, len(c_batch))
    _check_reflections("ormqr", a, taus, batch, n, m)
    check_same_dtypes("ormqr", (a, taus, c))
    if c.shape[:-2] != batch or c.shape[-2 if left else -1] != n:
        side = "rows" if left else "columns"
        raise ValueError(
            f"ormqr with left={left} expects c to have the same number of {side} as the Householder matrix a. "
            f"Got a shape {a.shape} and c shape {c.shape}."
        )
    return ShapedArray(c.shape, c.dtype)


@each(ormqr, 2, 1, 2)
def _(a, taus, c, *, left, transpose):
    if not c.size or not taus.size:
        return c
    apply = routine("ormqr", a.dtype)
    side, form = "L" if left else "R", ("C" if a.dtype.kind == "c" else "T") if transpose else "N"
    a = a[:, : taus.size]
    lwork = workspace(apply(side, form, a, taus, c, -1)[1])
    return apply(side, form, a, taus, c, lwork)[0]


ormqr.batch(batch_in_front(ormqr))
ormqr.examples(
    (_general.T.copy(), _taus, ShapedArray((4, 2), _f32), dict(left=True, transpose=False)),
    (_general.T.copy(), _taus, ShapedArray((2, 4), _f32), dict(left=False, transpose=True)),
    (_phased.T.copy(), _taus.astype(np.complex64), ShapedArray((4, 2), _c64), dict(left=True, transpose=True)),
)
