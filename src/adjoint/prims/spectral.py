"""Eigenvalues and singular values, and the reductions on the way to them, by LAPACK.

A matrix with NaN, or one for which the iteration does not converge, gives NaN. Eigenvectors are determined up to
a factor, and derivatives choose one: they have no component along the vector itself, but for what keeps a
component of complex ones real.

Derivatives: Giles, "Collected matrix derivative results for forward and reverse mode algorithmic
differentiation" (2008); with equal eigenvalues or singular values, those of the vectors are not finite.
"""

from __future__ import annotations

import enum

import numpy as np

from ..core import dtypes
from ..core.primitive import Primitive
from ..core.types import ShapedArray
from ..core.values.dimension import lesser
from ..sharding import rules
from .arithmetic import abs_, add, div, imag, integer_pow, mul, real, sub
from .conversion import convert_element_type, strong_beside
from .factorizations import lu
from .family import like
from .logic import eq
from .matrices import (
    adjoint_of,
    batch_in_front,
    check_matrices,
    check_square,
    column_of,
    conjugated,
    each,
    identity,
    nan_like,
    product,
    routine,
    row_of,
    rows_at,
    typed,
    workspace,
)
from .reduction import argmax
from .shape import iota, reduce_sum
from .triangular import triangular_solve

__all__ = ["eig", "eigh", "hessenberg", "schur", "svd", "tridiagonal"]

_f32, _c64 = dtypes.float32, dtypes.complex64


class EigImplementation(enum.Enum):
    """The library that computes `eig`: on the CPU, LAPACK.

    >>> lax.linalg.EigImplementation.LAPACK
    <EigImplementation.LAPACK: 'lapack'>
    """

    CUSOLVER = "cusolver"
    MAGMA = "magma"
    LAPACK = "lapack"


class EighImplementation(enum.Enum):
    """The algorithm of `eigh`: on the CPU, QR iteration.

    >>> lax.linalg.EighImplementation.QR
    <EighImplementation.QR: 'qr'>
    """

    QR = "qr"
    JACOBI = "jacobi"
    QDWH = "qdwh"


class SvdAlgorithm(enum.Enum):
    """The algorithm of `svd`: on the CPU, QR iteration or divide and conquer.

    >>> lax.linalg.SvdAlgorithm.QR
    <SvdAlgorithm.QR: 'QR'>
    """

    DEFAULT = "default"
    QR = "QR"
    JACOBI = "Jacobi"
    POLAR = "polar"
    DIVIDE_AND_CONQUER = "divide_and_conquer"


def _diagonal(x):
    """Return the diagonals of square matrices."""
    n, weak = x.shape[-1], x.aval.weak_type
    out = reduce_sum(mul(x, identity(x, n)), axes=(x.ndim - 2,), out_sharding=None)
    return convert_element_type(out, new_dtype=x.dtype, weak_type=True, sharding=None) if weak else out


def _diagonal_matrix(x):
    return mul(row_of(x), identity(row_of(x), x.shape[-1]))


def _as_dtype(x, y):
    """Return `x` in the dtype of `y`."""
    return convert_element_type(x, new_dtype=y.dtype, weak_type=False, sharding=None)


def _complex_of(dtype):
    return dtypes.complex128 if dtype in (dtypes.float64, dtypes.complex128) else dtypes.complex64


def _real_of(dtype):
    return dtype.type(0).real.dtype if dtype.kind == "c" else dtype


# ---- symmetric eigenvalues -----------------------------------------------------------------------

eigh = Primitive("eigh", multiple_results=True)
eigh.sharding(rules.batched)


@typed(eigh)
def _(x, *, lower, sort_eigenvalues, subset_by_index, algorithm=None):
    text = "Argument to symmetric eigendecomposition must have shape [..., n, n], got shape {}"
    batch, n = check_square("eigh", x, text)
    k = n if subset_by_index is None else subset_by_index[1] - subset_by_index[0]
    return [ShapedArray((*batch, n, k), x.dtype), ShapedArray((*batch, k), _real_of(x.dtype))]


@each(eigh, 2)
def _(x, *, lower, sort_eigenvalues, subset_by_index, algorithm=None):
    if algorithm is EighImplementation.JACOBI:
        raise NotImplementedError("Jacobi implementation is not supported on CPU")
    if algorithm is EighImplementation.QDWH:
        raise NotImplementedError("QDWH implementation is only supported on TPU")
    n = x.shape[0]
    if subset_by_index not in (None, (0, n)):
        raise NotImplementedError("subset_by_index not supported on CPU and GPU")
    if not n:
        return x, np.empty(0, _real_of(x.dtype))
    w, v, info = routine("syevd", x.dtype)(x, lower=lower)
    return (v, w) if info == 0 else nan_like(v, w)


@eigh.jvp
def _(primals, tangents, *, subset_by_index, **params):
    """Return, with C = V^H A_dot V,  w_dot = diag(C),  V_dot = V (C_ij / (w_j - w_i), off the diagonal)."""
    (x,), (t,) = primals, tangents
    n = x.shape[-1]
    if subset_by_index not in (None, (0, n)):
        raise NotImplementedError("Derivatives not defined for partial eigen decomposition.")
    half = div(add(x, adjoint_of(x)), like(x, 2))
    v, w = eigh(half, subset_by_index=subset_by_index, **params)
    ones = identity(row_of(w), n)
    gaps = sub(integer_pow(sub(add(ones, row_of(w)), column_of(w)), y=-1), ones)
    inner = product(product(adjoint_of(v), t), v)
    v_dot = product(v, mul(_as_dtype(gaps, inner), inner))
    diagonal = _diagonal(inner)
    return [v, w], [v_dot, real(diagonal) if dtypes.issubdtype(x.dtype, np.complexfloating) else diagonal]


eigh.batch(batch_in_front(eigh))
_symmetric = np.array([[1, -0.5, 2], [-0.5, 3, 0.7], [2, 0.7, -2]], np.float32)
_hermitian = (_symmetric + 1j * np.array([[0, 1, -0.5], [-1, 0, 0.3], [0.5, -0.3, 0]])).astype(np.complex64)
_plain = dict(lower=True, sort_eigenvalues=True, subset_by_index=None, algorithm=None)
eigh.examples(
    (_symmetric, _plain), (np.stack([_symmetric, 2 * _symmetric]), {**_plain, "subset_by_index": (0, 3)}),
    (_hermitian, {**_plain, "lower": False}),
    (ShapedArray((0, 0), _f32), _plain),
)


# ---- eigenvalues ---------------------------------------------------------------------------------

eig = Primitive("eig", multiple_results=True)
eig.sharding(rules.batched)


@typed(eig)
def _(x, *, compute_left_eigenvectors, compute_right_eigenvectors, enable_eigvec_derivs=False, implementation=None):
    batch, n = check_square("eig", x)
    dtype = _complex_of(x.dtype)
    vectors = [ShapedArray((*batch, n, n), dtype)] * (compute_left_eigenvectors + compute_right_eigenvectors)
    return [ShapedArray((*batch, n), dtype), *vectors]


@each(eig, 2)
def _(x, *, compute_left_eigenvectors, compute_right_eigenvectors, enable_eigvec_derivs=False, implementation=None):
    if implementation not in (None, EigImplementation.LAPACK):
        raise ValueError("Only the lapack implementation is supported on CPU.")
    left, right = compute_left_eigenvectors, compute_right_eigenvectors
    n, dtype = x.shape[0], _complex_of(x.dtype)
    outs = [np.full((n,), np.nan * (1 + 1j), dtype)] + [np.full((n, n), np.nan * (1 + 1j), dtype)] * (left + right)
    if not n or not np.isfinite(x).all():
        return outs
    lwork = workspace(routine("geev_lwork", x.dtype)(n, compute_vl=left, compute_vr=right))
    found = routine("geev", x.dtype)(x, compute_vl=left, compute_vr=right, lwork=lwork)
    *w, vl, vr, info = found
    if info:
        return outs
    w = w[0] if len(w) == 1 else w[0] + 1j * w[1]
    vectors = [v for v, wanted in ((vl, left), (vr, right)) if wanted]
    return [w, *[_unpacked(v, w) if x.dtype.kind == "f" else v for v in vectors]]


def _unpacked(v, w):
    """Return the eigenvectors of a real matrix: two columns hold the parts of a conjugate pair."""
    out = v.astype(_complex_of(v.dtype))
    for j in np.flatnonzero(w.imag > 0):
        out[:, j] = v[:, j] + 1j * v[:, j + 1]
        out[:, j + 1] = out[:, j].conj()
    return out


@eig.jvp
def _(primals, tangents, *, compute_left_eigenvectors, compute_right_eigenvectors, enable_eigvec_derivs=False,
      implementation=None):
    """Return, with C = V^-1 A_dot V,  w_dot = diag(C),  V_dot = V (C_ij / (w_j - w_i), off the diagonal)."""
    left, right = compute_left_eigenvectors, compute_right_eigenvectors
    if (left or right) and not enable_eigvec_derivs:
        raise NotImplementedError(
            "Derivatives of non-symmetric eigenvectors are only valid under assumptions on the input that "
            "JAX cannot check (see the enable_eigvec_derivs argument to jax.lax.linalg.eig). Pass "
            "enable_eigvec_derivs=True to jax.lax.linalg.eig to opt in. See "
            "https://github.com/jax-ml/jax/issues/2748 for discussion.\n"
            "  The eigenvectors are determined up to a factor, of which a loss must not depend.\n"
            "  Try: lax.linalg.eig(x, enable_eigvec_derivs=True)"
        )
    (x,), (t,) = primals, tangents
    options = dict(enable_eigvec_derivs=enable_eigvec_derivs, implementation=implementation)
    w, *vectors = eig(x, compute_left_eigenvectors=left, compute_right_eigenvectors=True, **options)
    v = vectors[-1]
    t = _as_dtype(t, v)
    inner = product(_solved(v, t), v)
    moved = [_diagonal(inner)]
    if left:
        # Left eigenvectors are the right ones of A^H, with the conjugate eigenvalues.
        u = vectors[0]
        moved.append(_moved(u, conjugated(w), product(_solved(u, adjoint_of(t)), u)))
    if right:
        moved.append(_moved(v, w, inner))
    else:
        vectors = vectors[:-1]
    return [w, *vectors], moved


def _solved(a, b):
    """a^-1 b"""
    factors, _, order = lu(a)
    flags = dict(left_side=True, transpose_a=False, conjugate_a=False)
    half = triangular_solve(factors, rows_at(b, order), lower=True, unit_diagonal=True, **flags)
    return triangular_solve(factors, half, lower=False, unit_diagonal=False, **flags)


def _moved(v, w, inner):
    """Return the tangent of eigenvectors of length 1 whose largest component stays real, as LAPACK has them."""
    ones = identity(inner, w.shape[-1])
    gaps = sub(integer_pow(add(sub(row_of(w), column_of(w)), ones), y=-1), ones)
    v_dot = product(v, mul(gaps, inner))
    rows = v.ndim - 2
    total = lambda x: row_of(reduce_sum(x, axes=(rows,), out_sharding=None))
    v_dot = sub(v_dot, mul(v, total(mul(conjugated(v), v_dot))))
    largest = row_of(argmax(abs_(v), axes=(rows,), index_dtype=np.dtype("int32")))
    places = iota(dtype=np.dtype("int32"), shape=v.shape, dimension=rows, sharding=None)
    mask = _as_dtype(eq(places, largest), v)
    turn = imag(div(total(mul(mask, v_dot)), total(mul(mask, v))))
    return sub(v_dot, mul(v, mul(_as_dtype(turn, v), like(v, 1j))))


eig.batch(batch_in_front(eig))
_values = dict(compute_left_eigenvectors=False, compute_right_eigenvectors=False, enable_eigvec_derivs=True,
               implementation=None)
_skewed = np.array([[1, 2, -0.5], [-1.5, 0.3, 1], [0.2, 0.4, -2]], np.float32)
eig.examples(
    (_skewed, _values), (np.stack([_skewed, -_skewed]), _values),
    ((_skewed * np.exp(1j * _skewed)).astype(np.complex64), _values),
)


# ---- singular values -----------------------------------------------------------------------------

svd = Primitive("svd", multiple_results=True)
svd.sharding(rules.batched)


@typed(svd)
def _(x, *, full_matrices, compute_uv, subset_by_index=None, algorithm=None):
    batch, n, m = check_matrices("svd", x)
    k = lesser(n, m)
    if subset_by_index is not None and _is_partial(k, subset_by_index, full_matrices):
        k = min(k, subset_by_index[1] - subset_by_index[0])
    s = ShapedArray((*batch, k), _real_of(x.dtype))
    if not compute_uv:
        return [s]
    u, vt = ((n, n), (m, m)) if full_matrices else ((n, k), (k, m))
    return [s, ShapedArray((*batch, *u), x.dtype), ShapedArray((*batch, *vt), x.dtype)]


def _is_partial(k, subset_by_index, full_matrices) -> bool:
    """Return whether only some of k singular values are wanted; ValueError if all vectors are wanted then."""
    partial = subset_by_index not in (None, (0, k))
    if partial and full_matrices:
        raise ValueError("full_matrices and subset_by_index cannot both be set")
    return partial


@each(svd, 2)
def _(x, *, full_matrices, compute_uv, subset_by_index=None, algorithm=None):
    if algorithm in (SvdAlgorithm.JACOBI, SvdAlgorithm.POLAR):
        raise NotImplementedError("The SVD Jacobi and Polar algorithms are not implemented on CPU.")
    n, m = x.shape
    if subset_by_index not in (None, (0, min(n, m))):
        raise NotImplementedError("subset_by_index not implemented for CPU and GPU")
    if not x.size:
        s = np.empty(0, _real_of(x.dtype))
        shapes = ((n, n), (m, m)) if full_matrices else ((n, 0), (0, m))
        return [s, *[np.eye(*shape, dtype=x.dtype) for shape in shapes]] if compute_uv else [s]
    name = "gesvd" if algorithm is SvdAlgorithm.QR else "gesdd"
    flags = dict(compute_uv=compute_uv, full_matrices=full_matrices)
    lwork = workspace(routine(f"{name}_lwork", x.dtype)(n, m, **flags))
    is_finite = np.isfinite(x).all()  # LAPACK does not come to an end where an element is infinite
    u, s, vt, info = routine(name, x.dtype)(x if is_finite else np.zeros_like(x), lwork=lwork, **flags)
    outs = [s, u, vt] if compute_uv else [s]
    return outs if is_finite and info == 0 and np.isfinite(s).all() else nan_like(*outs)


@svd.jvp
def _(primals, tangents, *, full_matrices, compute_uv, subset_by_index=None, algorithm=None):
    """Return, with C = U^H A_dot V,  s_dot = diag(C), and with F_ij = 1 / (s_j^2 - s_i^2) off the diagonal

        U_dot = U (F o (C S + S C^H)) + (1 - U U^H) A_dot V / S
        V_dot = V (F o (S C + C^H S)) + (1 - V V^H) A_dot^H U / S

    The phases of complex vectors turn so that U_dot takes what is imaginary in the diagonal of C.
    """
    (x,), (t,) = primals, tangents
    _, n, m = check_matrices("svd", x)
    k = min(n, m)
    partial = _is_partial(k, subset_by_index, full_matrices)
    if compute_uv and full_matrices and n != m:
        raise NotImplementedError("Singular value decomposition JVP not implemented for full matrices")
    if partial:
        raise NotImplementedError("Singular value decomposition JVP not implemented for subsets")
    s, u, vt = svd(x, full_matrices=False, compute_uv=True, subset_by_index=subset_by_index, algorithm=algorithm)
    v = adjoint_of(vt)
    inner = product(product(adjoint_of(u), t), v)
    s_dot = _diagonal(inner)
    if dtypes.issubdtype(x.dtype, np.complexfloating):
        s_dot = real(s_dot)
    if not compute_uv:
        return [s], [s_dot]
    row, column = row_of(s), column_of(s)
    ones = identity(row, k)
    gaps = sub(integer_pow(add(mul(add(row, column), sub(row, column)), ones), y=-1), ones)
    gaps = _as_dtype(gaps, inner)
    inner = strong_beside(inner, gaps)
    wide_row, wide_column = _as_dtype(row, inner), _as_dtype(column, inner)
    right, left = mul(wide_row, inner), mul(wide_column, inner)  # C S and S C
    u_inner = mul(gaps, add(right, adjoint_of(right)))
    v_inner = mul(gaps, add(left, adjoint_of(left)))
    zeros = _as_dtype(eq(s, like(s, 0)), s)
    inverse = sub(integer_pow(add(s, zeros), y=-1), zeros)
    phases = mul(sub(inner, adjoint_of(inner)), like(inner, 0.5))
    u_inner = add(u_inner, mul(phases, _as_dtype(_diagonal_matrix(inverse), inner)))
    u_dot, v_dot = product(u, u_inner), product(v, v_inner)
    if n > m:
        outside = product(t, v)
        outside = sub(outside, product(u, product(adjoint_of(u), outside)))
        u_dot = add(u_dot, div(outside, wide_row))
    if m > n:
        outside = product(adjoint_of(t), u)
        outside = sub(outside, product(v, product(vt, outside)))
        v_dot = add(v_dot, div(outside, wide_row))
    return [s, u, vt], [s_dot, u_dot, adjoint_of(v_dot)]


svd.batch(batch_in_front(svd))
_tall = np.array([[0.5, -1.2, 0.7], [2, 0.3, -0.4], [-1, 1.6, 0.9], [2.1, 1.3, 0.2]], np.float32)
_thin = dict(full_matrices=False, compute_uv=True, subset_by_index=None, algorithm=None)
_complex_tall = (_tall * np.exp(1j * _tall)).astype(np.complex64)
svd.examples(
    (_tall, _thin), (_tall.T.copy(), _thin), (_tall[:3], {**_thin, "full_matrices": True}),
    (np.stack([_tall, 2 * _tall]), {**_thin, "algorithm": None}),
    (_tall, {**_thin, "compute_uv": False}), (_complex_tall, {**_thin, "compute_uv": False}),
    (ShapedArray((3, 0), _f32), _thin),
)


# ---- reductions ----------------------------------------------------------------------------------


schur = Primitive("schur", multiple_results=True)
schur.sharding(rules.batched)


@typed(schur)
def _(x, *, compute_schur_vectors, sort_eig_vals, select_callable=None):
    check_square("schur", x)
    out = ShapedArray(x.shape, x.dtype)
    return [out, out] if compute_schur_vectors else [out]


@each(schur, 2)
def _(x, *, compute_schur_vectors, sort_eig_vals, select_callable=None):
    if sort_eig_vals:
        raise NotImplementedError("The sort feature of LAPACK's gees routine is not implemented.")
    count = 1 + compute_schur_vectors
    if not x.size:
        return [x] * count
    gees = routine("gees", x.dtype)
    unsorted = lambda *_: None
    lwork = workspace(gees(unsorted, x, compute_v=compute_schur_vectors, lwork=-1)[-2])
    t, *_, vectors, _, info = gees(unsorted, x, compute_v=compute_schur_vectors, lwork=lwork)
    outs = [t, vectors][:count]
    return outs if info == 0 else nan_like(*outs)


schur.batch(batch_in_front(schur))
_with_vectors = dict(compute_schur_vectors=True, sort_eig_vals=False, select_callable=None)
schur.examples(
    (_skewed, _with_vectors), (np.stack([_skewed, -_skewed]), {**_with_vectors, "compute_schur_vectors": False}),
    (_hermitian, _with_vectors),
)

hessenberg = Primitive("hessenberg", multiple_results=True)
hessenberg.sharding(rules.batched)


@typed(hessenberg)
def _(x):
    text = "Argument to Hessenberg reduction must have shape [..., n, n], got shape {}"
    batch, n = check_square("hessenberg", x, text)
    return [ShapedArray(x.shape, x.dtype), ShapedArray((*batch, max(n - 1, 0)), x.dtype)]


@each(hessenberg, 2)
def _(x):
    n = x.shape[0]
    if n < 2:
        return x, np.empty(max(n - 1, 0), x.dtype)
    lwork = workspace(routine("gehrd_lwork", x.dtype)(n))
    packed, taus, info = routine("gehrd", x.dtype)(x, lwork=lwork)
    return (packed, taus) if info == 0 else nan_like(packed, taus)


hessenberg.batch(batch_in_front(hessenberg))
hessenberg.examples(_skewed, np.stack([_skewed, -_skewed]), _hermitian)

tridiagonal = Primitive("tridiagonal", multiple_results=True)
tridiagonal.sharding(rules.batched)


@typed(tridiagonal)
def _(x, *, lower):
    batch, n = check_square("tridiagonal", x)
    if not n:
        raise ValueError(f"The input to tridiagonal must be a square matrix. Got shape {(n, n)}.")
    diagonal = _real_of(x.dtype)
    return [
        ShapedArray(x.shape, x.dtype), ShapedArray((*batch, n), diagonal),
        ShapedArray((*batch, n - 1), diagonal), ShapedArray((*batch, n - 1), x.dtype),
    ]


@each(tridiagonal, 2)
def _(x, *, lower):
    n = x.shape[0]
    if n == 1:
        return x.real.astype(x.dtype), x[0].real, np.empty(0, _real_of(x.dtype)), np.empty(0, x.dtype)
    lwork = workspace(routine("sytrd_lwork", x.dtype)(n, lower=lower))
    packed, d, e, taus, info = routine("sytrd", x.dtype)(x, lower=lower, lwork=lwork)
    outs = packed, d, e, taus
    return outs if info == 0 else nan_like(*outs)


tridiagonal.batch(batch_in_front(tridiagonal))
tridiagonal.examples(
    (_symmetric, dict(lower=True)), (np.stack([_symmetric, -_symmetric]), dict(lower=True)),
    (_hermitian, dict(lower=False)),
)
