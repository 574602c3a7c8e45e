"""Polynomials as arrays of their coefficients, the highest power first.

Scalars are not polynomials here: JAX wants an array, `jnp.array([2.])`.
"""

from __future__ import annotations

import operator

import numpy as np

from .. import lax
from ..core import dtypes
from ..core.messages.errors import message
from ..core.types import Array, aval_of
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import AT_ONCE, replayed
from . import linalg, products, reductions, ufuncs
from .axes import operand
from .conversion import array, asarray
from .convolutions import convolve
from .diagonals import diag
from .fills import full, full_like, ones, zeros
from .insertion import trim_zeros
from .joining import concatenate
from .promotion import broadcast_shape, check_arraylike, convert, known, of_one_inexact_dtype, promote_inexact
from .ranges import arange
from .reductions import argmin
from .rotations import roll
from .searching import known_values
from .shapes import atleast_1d

__all__ = [
    "poly", "polyadd", "polyder", "polydiv", "polyfit", "polyint", "polymul", "polysub", "polyval", "roots", "vander",
]


def _of_one_dtype(name: str, *args) -> list[Array]:
    """Return operands of their common dtype, with the shapes that they have."""
    check_arraylike(name, *args)
    dtype, weak = dtypes.lattice_result_type(*args)
    return [convert(operand(name, x), dtype, weak) for x in args]


def _of_one_inexact_dtype(name: str, *args) -> list[Array]:
    return of_one_inexact_dtype(name, *[operand(name, x) for x in args])


# ---- arithmetic ---------------------------------------------------------------------------------


@replayed(compiles_after=AT_ONCE)
@inner_jit
def polyadd(a1, a2) -> Array:
    """Return the sum of two polynomials.

    Args:
      a1, a2: coefficients, those of the highest powers first.
    Returns:
      The coefficients of the sum, as many as the longer one has.
    Raises:
      TypeError: `a1` is not an array or scalar; lists are not converted.

    >>> jnp.polyadd(jnp.array([1, 2]), jnp.array([1, 0, 0]))
    Array([1, 1, 2], dtype=int32)
    """
    return _sum(*_of_one_dtype("polyadd", a1, a2))


def _sum(a1, a2):
    long, short = (a1, a2) if a2.shape[0] <= a1.shape[0] else (a2, a1)
    return long.at[-short.shape[0] :].add(short)


@replayed(compiles_after=AT_ONCE)
@inner_jit
def polysub(a1, a2) -> Array:
    """Return the difference of two polynomials.

    Args:
      a1, a2: coefficients, those of the highest powers first.
    Returns:
      The coefficients of ``a1 - a2``, as many as the longer one has.
    Raises:
      TypeError: `a1` is not an array or scalar; lists are not converted.

    >>> jnp.polysub(jnp.array([1, 2]), jnp.array([1, 0, 0]))
    Array([-1,  1,  2], dtype=int32)
    """
    a1, a2 = _of_one_dtype("polysub", a1, a2)
    return polyadd(a1, -a2)


@replayed
def polymul(a1, a2, *, trim_leading_zeros: bool = False) -> Array:
    """Return the product of two polynomials.

    Args:
      a1, a2: coefficients.
      trim_leading_zeros: without the zeros in front of each, as NumPy does; the values must be known.
    Returns:
      The coefficients of the product.
    Raises:
      TypeError: `a1` is not an array or scalar; lists are not converted.

    >>> jnp.polymul(jnp.array([1., 2.]), jnp.array([1., -2.]))
    Array([ 1.,  0., -4.], dtype=float32)
    """
    a1, a2 = _of_one_inexact_dtype("polymul", a1, a2)
    if trim_leading_zeros and (len(a1) > 1 or len(a2) > 1):
        a1, a2 = trim_zeros(a1, trim="f"), trim_zeros(a2, trim="f")
    a1, a2 = (x if len(x) else zeros(1, x.dtype) for x in (a1, a2))
    return convolve(a1, a2, mode="full")


@replayed
def polydiv(u, v, *, trim_leading_zeros: bool = False) -> tuple[Array, Array]:
    """Return the quotient and the remainder of two polynomials.

    Args:
      u, v: coefficients; the first of `v` is not 0.
      trim_leading_zeros: a remainder without the zeros in front, as NumPy gives it; the values must be known.
        Else it is as long as `u`.
    Returns:
      The coefficients of both: ``u = quotient * v + remainder``.
    Raises:
      TypeError: `u` is not an array or scalar; lists are not converted.

    >>> jnp.polydiv(jnp.array([1., 0., -3.]), jnp.array([1., -2.]))
    (Array([1., 2.], dtype=float32), Array([0., 0., 1.], dtype=float32))
    """
    u, v = _of_one_inexact_dtype("polydiv", u, v)
    if not len(v):
        raise IndexError("index is out of bounds for axis 0 with size 0\n  polydiv by a polynomial of no coefficients")
    m, n = len(u) - 1, len(v) - 1
    scale = 1.0 / v[0]
    quotient = zeros(max(m - n + 1, 1), u.dtype)
    for k in range(m - n + 1):
        factor = scale * u[k]
        quotient = quotient.at[k].set(factor)
        u = u.at[k : k + n + 1].add(-factor * v)
    if trim_leading_zeros:
        u = _without_small(u, np.sqrt(dtypes.finfo(u.dtype).eps))
    return quotient, u


def _without_small(u, tolerance) -> Array:
    """Drop the elements in front that are not above the tolerance; NaN stays."""
    small = known_values(ufuncs.abs(u) <= tolerance, "The values decide the shape of the result of jnp.polydiv.")
    return u[len(small) if small.all() else int(np.argmin(small)) :]


# ---- derivatives and integrals ------------------------------------------------------------------


def _falling(powers, m: int, dtype):
    """powers, powers - 1, ..., for each power: m rows."""
    return powers[None, :] - arange(m, dtype=dtype)[:, None]


@replayed
@inner_jit(static_argnames=("m",))
def polyder(p, m: int = 1) -> Array:
    """Return the m-th derivative of a polynomial.

    Args:
      p: coefficients, those of the highest powers first.
      m: how often it is differentiated.
    Returns:
      The coefficients of the derivative, `m` fewer.
    Raises:
      ValueError: `m` is negative.

    >>> jnp.polyder(jnp.array([3., 2., 1.]))
    Array([6., 2.], dtype=float32)
    """
    (p,) = _of_one_inexact_dtype("polyder", p)
    m = operator.index(known(m, "m argument of jnp.polyder"))
    if m < 0:
        raise ValueError(f"Order of derivative must be positive\n  polyder got m={m}.")
    if not m:
        return p
    factors = reductions.prod(_falling(arange(m, len(p), dtype=p.dtype), m, p.dtype), axis=0)
    return p[:-m] * factors[::-1]


@replayed
@inner_jit(static_argnames=("m",))
def polyint(p, m: int = 1, k=None) -> Array:
    """Return the m-th antiderivative of a polynomial.

    Args:
      p: coefficients.
      m: how often to integrate.
      k: the constant of each integration, or one for all; default 0.
    Returns:
      The coefficients.
    Raises:
      ValueError: `m` is negative, or there are not as many constants.

    >>> jnp.polyint(jnp.array([6., 2.]), k=5)
    Array([3., 2., 5.], dtype=float32)
    """
    p, k = _of_one_inexact_dtype("polyint", p, 0 if k is None else k)
    m = operator.index(known(m, "m argument of jnp.polyint"))
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    k = atleast_1d(k)
    if len(k) == 1:
        k = full((m,), k[0])
    if k.shape != (m,):
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or m.")
    if not m:
        return p
    powers = arange(len(p) + m, dtype=p.dtype)
    factors = reductions.prod(ufuncs.maximum(1, _falling(powers, m, p.dtype)), axis=0)[::-1]
    return ufuncs.true_divide(concatenate((p, k)), factors)


# ---- values and roots ---------------------------------------------------------------------------


def _numpy_polyval(p, x, *, unroll=16):
    return np.polyval(p, x)


@replayed(numpy=_numpy_polyval, compiles_after=AT_ONCE)
@inner_jit(static_argnames=("unroll",))
def polyval(p, x, *, unroll: int = 16) -> Array:
    """Return the values of a polynomial, by Horner's rule.

    Args:
      p: coefficients, `[degree + 1]`; more axes broadcast with `x`.
      x: where.
      unroll: how many steps of the loop to write out in compiled programs.
    Returns:
      The values at `x`, in an array of its shape and of the dtype to which `p` and `x` promote.
    Raises:
      TypeError: `p` is not an array or scalar; lists are not converted.

    >>> jnp.polyval(jnp.array([1., 0., -2.]), jnp.array([2., 3.]))
    Array([2., 7.], dtype=float32)
    """
    p, x = _of_one_dtype("polyval", p, x)
    if not p.ndim:
        raise IndexError("tuple index out of range\n  polyval got a scalar for coefficients.\n  Try: jnp.array([p])")
    shape = broadcast_shape(p.shape[1:], x.shape)
    start = full_like(x, 0, shape=shape, dtype=x.dtype)
    return lax.scan(lambda y, c: (y * x + c, None), start, p, unroll=unroll)[0]


def _numpy_poly(roots):
    out = np.zeros(roots.size + 1, roots.dtype)
    out[0] = 1
    for k, root in enumerate(roots, 1):
        out[1 : k + 1] -= root * out[:k]
    return out


def _is_row_of_floats(args, kwargs) -> bool:
    aval = aval_of(args[0]) if args else None
    return aval is not None and aval.ndim == 1 and aval.size > 0 and aval.dtype in (np.float32, np.float64)


@replayed(numpy=_numpy_poly, suits=_is_row_of_floats)
@inner_jit
def poly(seq_of_zeros) -> Array:
    """Return the polynomial with these roots, or the characteristic polynomial of a matrix.

    Args:
      seq_of_zeros: the roots, `[n]`, or a matrix, `[n, n]`.
    Returns:
      Coefficients, `[n + 1]`, the first 1; complex ones of a matrix.
    Raises:
      ValueError: another shape.

    >>> jnp.poly(jnp.array([1., -1.]))
    Array([ 1.,  0., -1.], dtype=float32)
    """
    check_arraylike("poly", seq_of_zeros)
    zeros_ = atleast_1d(*promote_inexact("poly", seq_of_zeros))
    shape = zeros_.shape
    if len(shape) == 2 and shape[0] == shape[1] and shape[0]:
        zeros_ = linalg.eigvals(zeros_)
    elif len(shape) != 1:
        raise ValueError(f"input must be 1d or non-empty square 2d array.\n  poly got the shape {shape}.")
    dtype = zeros_.dtype
    if not zeros_.size:
        return ones((), dtype)
    out = ones((1,), dtype)
    for k in range(len(zeros_)):
        out = convolve(out, array([1, -zeros_[k]], dtype=dtype), mode="full")
    return out


def roots(p, *, strip_zeros: bool = True) -> Array:
    """Return the roots of a polynomial, the eigenvalues of its companion matrix.

    Args:
      p: coefficients, `[n]`.
      strip_zeros: leave out zeros in front, of which the number must be known. Without it, each of them makes a
        root NaN, and the function can be traced.
    Returns:
      Complex numbers, `[n - 1]` or less. The dtype is complex.
    Raises:
      TypeError: `p` is not an array or scalar; lists are not converted.

    >>> jnp.roots(jnp.array([1., -3., 2.])).real.sort()
    Array([1., 2.], dtype=float32)
    """
    check_arraylike("roots", p)
    p = atleast_1d(*promote_inexact("roots", p))
    if p.ndim != 1:
        raise ValueError(message(f"Input must be a rank-1 array.\n  roots got the shape {p.shape}.", fix="p.ravel()"))
    if p.size < 2:
        return asarray(np.zeros(0, dtypes.to_complex_dtype(p.dtype)))
    leading = ufuncs.where(reductions.all(p == 0), len(p), argmin(p == 0))
    if not strip_zeros:
        return _roots_with_zeros(p, leading)
    n = known(
        leading,
        "The error occurred in the jnp.roots() function. To use this within a JIT-compiled context, pass "
        "strip_zeros=False, but be aware that leading zeros will result in some returned roots being set to NaN.",
    )
    return _roots_no_zeros(p[n:])


@replayed
@inner_jit
def _roots_no_zeros(p):
    if p.size < 2:
        return asarray(np.zeros(0, dtypes.to_complex_dtype(p.dtype)))
    companion = diag(ones((p.size - 2,), p.dtype), k=-1)
    return linalg.eigvals(companion.at[0, :].set(-p[1:] / p[0]))


@replayed
@inner_jit
def _roots_with_zeros(p, leading):
    p = ufuncs.where(leading == len(p), 1.0, p)
    found = _roots_no_zeros(roll(p, -leading))
    found = lax.sort_key_val(found == 0, found)[1]  # those of the zeros that went to the end
    n = found.shape[0]
    return ufuncs.where(arange(n) < n - leading, found, complex(np.nan, np.nan))


# ---- fits ---------------------------------------------------------------------------------------


@replayed
@inner_jit(static_argnames=("N", "increasing"))
def vander(x, N: int | None = None, increasing: bool = False) -> Array:
    """Return the matrix of the powers of each element, the highest first.

    Args:
      x: `[n]`.
      N: how many powers; default n.
      increasing: the lowest first.
    Returns:
      `[n, N]`. The dtype is that of `x`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.vander(jnp.array([2, 3]), 3)
    Array([[4, 2, 1],
           [9, 3, 1]], dtype=int32)
    """
    x = operand("vander", x)
    if x.ndim != 1:
        raise ValueError(
            message(f"x must be a one-dimensional array\n  vander got the shape {x.shape}.", fix="x.ravel()")
        )
    N = x.shape[0] if N is None else operator.index(known(N, "N argument of jnp.vander()"))
    if N < 0:
        raise ValueError(f"N must be nonnegative\n  vander got N={N}.")
    powers = arange(N, dtype=x.dtype)
    powers = powers if increasing else N - 1 - powers
    return ufuncs.power(x[:, None], powers[None, :])


@replayed(compiles_after=AT_ONCE)
@inner_jit(static_argnames=("deg", "rcond", "full", "cov"))
def polyfit(x, y, deg: int, rcond: float | None = None, full: bool = False, w=None, cov: bool = False):
    """Return the polynomial with the least squared distance from points.

    Args:
      x, y: the points, floats `[n]`; `y` may be `[n, k]`, for k polynomials.
      deg: the degree.
      rcond: singular values below this part of the largest count as 0; default n times the precision.
      full: also return the squared distances, and rank, singular values and `rcond` of the powers of `x`.
      w: the weight of each distance, `[n]`.
      cov: also return the covariances of the coefficients; "unscaled" takes the weights for exact.
    Returns:
      Coefficients, `[deg + 1]` or `[deg + 1, k]`; a tuple with `full` or `cov`.
    Raises:
      TypeError: shapes that do not fit.
      ValueError: a negative degree, or too few points for covariances.

    >>> jnp.polyfit(jnp.array([0., 1., 2.]), jnp.array([1., 3., 5.]), 1).round(3)
    Array([2., 1.], dtype=float32)
    """
    check_arraylike("polyfit", x, y)
    x, y = operand("polyfit", x), operand("polyfit", y)
    order = operator.index(known(deg, "deg must be int")) + 1
    if order < 1:
        raise ValueError(message(f"expected deg >= 0\n  polyfit got deg={deg}.", fix="deg=1 for a straight line"))
    _check_points(x, y)
    if rcond is None:
        rcond = len(x) * float(dtypes.finfo(x.dtype).eps)
    rcond = known(rcond, "rcond must be float")
    left, right = vander(x, order), y
    if w is not None:
        w = operand("polyfit", w)
        if w.ndim != 1:
            raise TypeError(f"expected a 1-d array for weights\n  polyfit got the shape {w.shape}.")
        if w.shape[0] != y.shape[0]:
            raise TypeError(message("expected w and y to have the same length", fix="w=jnp.ones(len(y))"))
        left = left * w[:, None]
        right = right * (w[:, None] if right.ndim == 2 else w)
    scale = ufuncs.sqrt(reductions.sum(left * left, axis=0))
    left = left / scale[None, :]
    c, distances, rank, s = linalg.lstsq(left, right, rcond)
    c = c / (scale if c.ndim == 1 else scale[:, None])
    if full:
        return c, distances, rank, s, asarray(rcond)
    if not cov:
        return c
    covariance = linalg.inv(products.dot(left.T, left)) / products.outer(scale, scale)
    if y.ndim == 2:
        covariance = covariance[:, :, None]
    if cov == "unscaled":
        return c, covariance
    if len(x) <= order:
        raise ValueError("the number of data points must exceed order to scale the covariance matrix")
    factor = distances / (len(x) - order)
    return c, covariance * (factor[0] if y.ndim == 1 else factor[None, None])


def _check_points(x, y) -> None:
    shapes = f"\n  polyfit got x of shape {aval_of(x).shape} and y of shape {aval_of(y).shape}."
    if x.ndim != 1:
        raise TypeError(message("expected 1D vector for x" + shapes, fix="x.ravel()"))
    if not x.size:
        raise TypeError("expected non-empty vector for x" + shapes)
    if y.ndim not in (1, 2):
        raise TypeError(message("expected 1D or 2D array for y" + shapes, fix="y.reshape(len(x), -1)"))
    if x.shape[0] != y.shape[0]:
        raise TypeError("expected x and y to have same length" + shapes + "\n  Try: y.T, if its rows are the points")
