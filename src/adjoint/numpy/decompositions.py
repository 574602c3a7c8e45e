"""Factorizations and eigenvalues with NumPy's names and results: `cholesky`, `qr`, `svd`, `eig`, `eigh`, ...

Tests: `tests/linalg/test_linalg.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import lax
from ..core.messages.errors import message
from ..core.process.records import NamedTuple
from ..core.types import Array
from ..lax import linalg as lax_linalg
from ..prims import factorizations
from ..prims.matrices import adjoint_of, swapped
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import WORTH, replayed
from . import indexing, ufuncs
from .conversion import asarray
from .promotion import check_arraylike, promote_inexact

__all__ = ["cholesky", "eig", "eigh", "eigvals", "eigvalsh", "qr", "svd", "svdvals"]


class EigResult(NamedTuple):
    """The result of `eig`."""

    eigenvalues: Array
    eigenvectors: Array


class EighResult(NamedTuple):
    """The result of `eigh`."""

    eigenvalues: Array
    eigenvectors: Array


class QRResult(NamedTuple):
    """The result of `qr`."""

    Q: Array
    R: Array


class SVDResult(NamedTuple):
    """The result of `svd`."""

    U: Array
    S: Array
    Vh: Array


def inexact(name: str, a) -> Any:
    """Return one operand as floats; lists are refused."""
    name = f"jnp.linalg.{name}"
    check_arraylike(name, a)
    return asarray(promote_inexact(name, a)[0])


@replayed(compiles_after=WORTH)
@inner_jit(static_argnames=("upper", "symmetrize_input"))
def cholesky(a, *, upper: bool = False, symmetrize_input: bool = True) -> Array:
    """Return the triangular factor L of Hermitian positive definite matrices, a = L L^H.

    Args:
      a: `[..., n, n]`.
      upper: return L^H instead.
      symmetrize_input: take the mean of `a` and its adjoint first.
    Returns:
      `[..., n, n]`; NaN where a matrix is not positive definite.
      The dtype is that of `a`; integers and booleans become floats.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.linalg.cholesky(jnp.array([[4., 2.], [2., 5.]]))
    Array([[2., 0.],
           [1., 2.]], dtype=float32)
    """
    factor = lax_linalg.cholesky(inexact("cholesky", a), symmetrize_input=symmetrize_input)
    return adjoint_of(factor) if upper else factor


@replayed(compiles_after=WORTH)
@inner_jit(static_argnames=("mode",))
def qr(a, mode: str = "reduced") -> Any:
    """Return a = Q R with orthonormal columns of Q and upper triangular R.

    Args:
      a: `[..., n, m]`.
      mode: "reduced" or "full" (Q has min(n, m) columns), "complete" (n columns), "r" (only R), or "raw"
        (Householder reflectors, transposed, and their factors).
    Returns:
      QRResult(Q, R), or R.
    Raises:
      ValueError: another mode.

    >>> jnp.linalg.qr(jnp.array([[3., 0.], [4., 5.]])).R
    Array([[-5., -4.],
           [ 0.,  3.]], dtype=float32)
    """
    x = inexact("qr", a)
    if mode == "raw":
        packed, taus = factorizations.geqrf(x)
        return QRResult(swapped(packed), taus)
    if mode not in ("reduced", "r", "full", "complete"):
        raise ValueError(message(f"Unsupported QR decomposition mode '{mode}'", fix="mode='reduced'"))
    q, r = lax_linalg.qr(x, pivoting=False, full_matrices=mode == "complete")
    return r if mode == "r" else QRResult(q, r)


# ---- eigenvalues ---------------------------------------------------------------------------------


@replayed
def eig(a) -> EigResult:
    """Return eigenvalues and right eigenvectors of general matrices, always complex.

    Args:
      a: `[..., n, n]`.
    Returns:
      EigResult(eigenvalues `[..., n]`, eigenvectors in columns `[..., n, n]`)
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.linalg.eig(jnp.array([[0., 1.], [-1., 0.]])).eigenvalues
    Array([0.+1.j, 0.-1.j], dtype=complex64)
    """
    w, v = lax_linalg.eig(inexact("eig", a), compute_left_eigenvectors=False)
    return EigResult(w, v)


@replayed
@inner_jit
def eigvals(a) -> Array:
    """Return eigenvalues of general matrices.

    Args:
      a: `[..., n, n]`.
    Returns:
      `[..., n]`, always complex, in no particular order.
    Raises:
      ValueError: the matrices are not square.
    See also: `eig`, with eigenvectors; `eigvalsh`, for Hermitian matrices.

    >>> jnp.linalg.eigvals(jnp.array([[1., 2.], [0., 3.]]))
    Array([1.+0.j, 3.+0.j], dtype=complex64)
    """
    return lax_linalg.eig(
        inexact("eigvals", a), compute_left_eigenvectors=False, compute_right_eigenvectors=False
    )[0]


@replayed(compiles_after=WORTH)
@inner_jit(static_argnames=("UPLO", "symmetrize_input"))
def eigh(a, UPLO: str | None = None, symmetrize_input: bool = True) -> EighResult:
    """Return eigenvalues and eigenvectors of Hermitian matrices.

    Args:
      a: `[..., n, n]`.
      UPLO: "L" (default) or "U": which half is read, if the input is not symmetrized.
      symmetrize_input: take the mean of `a` and its adjoint first.
    Returns:
      EighResult(ascending real eigenvalues `[..., n]`, eigenvectors in columns `[..., n, n]`).
      Eigenvalues are real floats, also of complex matrices; vectors have the dtype of the matrix.
    Raises:
      ValueError: another UPLO.

    >>> jnp.linalg.eigh(jnp.array([[2., 0.], [0., 1.]])).eigenvalues
    Array([1., 2.], dtype=float32)
    """
    x = inexact("eigh", a)
    if UPLO not in (None, "L", "U"):
        raise ValueError(message(f"UPLO must be one of None, 'L', or 'U', got {UPLO}", fix="UPLO='L'"))
    v, w = lax_linalg.eigh(x, lower=UPLO != "U", symmetrize_input=symmetrize_input)
    return EighResult(w, v)


@replayed(compiles_after=WORTH)
@inner_jit(static_argnames=("UPLO", "symmetrize_input"))
def eigvalsh(a, UPLO: str | None = "L", *, symmetrize_input: bool = True) -> Array:
    """Return ascending eigenvalues of Hermitian matrices.

    Args:
      a: `[..., n, n]`.
      UPLO: which triangle is read, "L" or "U".
      symmetrize_input: take the mean of the matrix and its conjugate transpose before.
    Returns:
      `[..., n]`, real, going up. The dtype is float, also of complex matrices.
    Raises:
      ValueError: the matrices are not square, or `UPLO` is none of both.
    See also: `eigh`, with eigenvectors.

    >>> jnp.linalg.eigvalsh(jnp.array([[2., 0.], [0., 1.]]))
    Array([1., 2.], dtype=float32)
    """
    check_arraylike("jnp.linalg.eigvalsh", a)
    return eigh(a, UPLO, symmetrize_input=symmetrize_input)[0]


# ---- singular values -----------------------------------------------------------------------------


@replayed(compiles_after=WORTH)
@inner_jit(static_argnames=("full_matrices", "compute_uv", "hermitian", "subset_by_index"))
def svd(
    a, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False,
    subset_by_index: tuple[int, int] | None = None,
) -> Any:
    """Return a = U diag(S) Vh with orthonormal columns of U, orthonormal rows of Vh, and descending S >= 0.

    Args:
      a: `[..., n, m]`.
      full_matrices: U is n x n and Vh is m x m, else they have min(n, m) columns and rows.
      compute_uv: return the vectors, too.
      hermitian: the matrices are Hermitian, so that `eigh` will do.
      subset_by_index: on the CPU, all singular values.
    Returns:
      SVDResult(U, S, Vh), or S.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.linalg.svd(jnp.array([[0., 2.], [1., 0.]]), compute_uv=False)
    Array([2., 1.], dtype=float32)
    """
    x = inexact("svd", a)
    if hermitian:
        return _by_eigh(x, compute_uv)
    out = lax_linalg.svd(
        x, full_matrices=full_matrices, compute_uv=compute_uv, subset_by_index=subset_by_index
    )
    return SVDResult(*out) if compute_uv else out


def _by_eigh(x, compute_uv: bool):
    """Singular values are the sizes of eigenvalues, whose signs go into V."""
    v, w = lax_linalg.eigh(x)
    size = ufuncs.abs(w)
    last = (w.ndim - 1,)
    if not compute_uv:
        return lax.rev(lax.sort(size), last)
    places = lax.broadcasted_iota(np.dtype("uint32"), w.shape, w.ndim - 1)
    s, order, sign = (lax.rev(y, last) for y in lax.sort((size, places, lax.sign(w)), dimension=w.ndim - 1))
    u = indexing.take_along_axis(v, order[..., None, :], axis=-1)
    vh = adjoint_of(u * lax.convert_element_type(sign, u.dtype)[..., None, :])
    return SVDResult(u, s, vh)


@replayed(compiles_after=WORTH)
def svdvals(x, /) -> Array:
    """Return singular values of matrices.

    Args:
      x: `[..., n, m]`.
    Returns:
      `[..., min(n, m)]`, real, not negative, going down. The dtype is float, also of complex matrices.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
    See also: `svd`, with singular vectors.

    >>> jnp.linalg.svdvals(jnp.array([[0., 2.], [1., 0.]]))
    Array([2., 1.], dtype=float32)
    """
    check_arraylike("jnp.linalg.svdvals", x)
    return svd(x, compute_uv=False, hermitian=False)
