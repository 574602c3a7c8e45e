"""Questions about numbers: what kind they are, and whether arrays are equal or close.

Tests: `tests/numpy/test_ufuncs.py`.
"""

from __future__ import annotations

import numpy as np

from ..core import dtypes
from ..core.messages.errors import TypePromotionError, message
from ..core.types import Array, aval_of, type_of
from ..core.values.dimension import broadcast_shapes as broadcast_lengths
from ..prims import arithmetic
from ..prims.arithmetic import abs_, add, mul, sub
from ..prims.logic import and_, eq, is_finite, le, ne, or_
from ..prims.reduction import reduce_and
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import replayed
from .conversion import asarray
from .elementary import equal, imag
from .fills import filled
from .promotion import check_arraylike, constant, of_one_rank, promote, promote_inexact
from .shortcuts import quick

__all__ = [
    "allclose", "array_equal", "array_equiv", "isclose", "iscomplex", "iscomplexobj", "isfinite", "isinf",
    "isnan", "isneginf", "isposinf", "isreal", "isrealobj", "isscalar",
]


def _answer(x, value: bool) -> Array:
    """Return the same answer for every element of `x`."""
    aval = aval_of(x)
    return filled(aval.shape, value, dtypes.bool_)


# ---- infinite, not a number ---------------------------------------------------------------------


@quick(fec=np.isnan)
def isnan(x, /):
    """Return whether x is not a number.

    Args:
      x: array or scalar.
    Returns:
      An array of booleans of the shape of `x`; of a complex number, whether one of the parts is so.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.isnan(jnp.array([1., jnp.nan]))
    Array([False,  True], dtype=bool)
    """
    (x,) = promote("isnan", x)
    return ne(x, x)


@quick(fec=np.isfinite)
def isfinite(x, /):
    """Return whether x is neither infinite nor NaN.

    Args:
      x: array or scalar.
    Returns:
      An array of booleans of the shape of `x`; of a complex number, whether both parts are so.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.isfinite(jnp.array([1., jnp.inf, jnp.nan]))
    Array([ True, False, False], dtype=bool)
    """
    (x,) = promote("isfinite", x)
    dtype = aval_of(x).dtype
    if dtypes.issubdtype(dtype, np.floating):
        return is_finite(x)
    if dtypes.issubdtype(dtype, np.complexfloating):
        return and_(is_finite(arithmetic.real(x)), is_finite(arithmetic.imag(x)))
    return _answer(x, True)


@quick(fec=np.isinf)
@inner_jit
def isinf(x, /):
    """Return whether x is infinite, of either sign.

    Args:
      x: array or scalar.
    Returns:
      An array of booleans of the shape of `x`; of a complex number, whether one of the parts is so.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.isinf(jnp.array([1., -jnp.inf, jnp.nan]))
    Array([False,  True, False], dtype=bool)
    """
    (x,) = promote("isinf", x)
    dtype = aval_of(x).dtype
    if dtypes.issubdtype(dtype, np.floating):
        return _is_infinite(x)
    if dtypes.issubdtype(dtype, np.complexfloating):
        re, im = arithmetic.real(x), arithmetic.imag(x)
        return or_(_is_infinite(re), _is_infinite(im))
    return _answer(x, False)


def _is_infinite(x):
    return eq(abs_(x), _infinity(x))


def _infinity(x, sign: int = 1):
    return aval_of(x).dtype.type(sign * np.inf)


@replayed(scalars=True)
def isposinf(x, /, out=None):
    """Return whether x is positive infinity.

    Args:
      x: real array or scalar.
      out: must be None.
    Returns:
      An array of booleans of the shape of `x`.
    Raises:
      ValueError: `x` is complex.

    >>> jnp.isposinf(jnp.array([jnp.inf, -jnp.inf]))
    Array([ True, False], dtype=bool)
    """
    return _is_this_infinity("isposinf", x, out, 1)


@replayed(scalars=True)
def isneginf(x, /, out=None):
    """Return whether x is negative infinity.

    Args:
      x: real array or scalar.
      out: must be None.
    Returns:
      An array of booleans of the shape of `x`.
    Raises:
      ValueError: `x` is complex.

    >>> jnp.isneginf(jnp.array([jnp.inf, -jnp.inf]))
    Array([False,  True], dtype=bool)
    """
    return _is_this_infinity("isneginf", x, out, -1)


def _is_this_infinity(name, x, out, sign):
    if out is not None:
        raise NotImplementedError(f"The 'out' argument to jnp.{name} is not supported.")
    (x,) = promote(name, x)
    dtype = aval_of(x).dtype
    if dtypes.issubdtype(dtype, np.complexfloating):
        raise ValueError(
            message("isposinf/isneginf are not well defined for complex types", fix="jnp.isinf(x), or x.real")
        )
    if not dtypes.issubdtype(dtype, np.floating):
        return _answer(x, False)
    return eq(x, _infinity(x, sign))


# ---- real, complex ------------------------------------------------------------------------------


@replayed(scalars=True)
@inner_jit
def iscomplex(x):
    """Return whether the imaginary part is not zero.

    Args:
      x: array or scalar.
    Returns:
      An array of booleans of the shape of `x`; False for real numbers.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.iscomplex(jnp.array([1 + 0j, 1j]))
    Array([False,  True], dtype=bool)
    """
    im = imag(x)
    return ne(im, constant(im, 0))


@replayed(scalars=True)
@inner_jit
def isreal(x):
    """Return whether the imaginary part is zero.

    Args:
      x: array or scalar.
    Returns:
      An array of booleans of the shape of `x`; True for real numbers.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.isreal(jnp.array([1 + 0j, 1j]))
    Array([ True, False], dtype=bool)
    """
    im = imag(x)
    return eq(im, constant(im, 0))


def iscomplexobj(x) -> bool:
    """Return whether the dtype of x is complex; x may be a nested list.

    Args:
      x: an array, a scalar, or nested lists of them.
    Returns:
      A bool of Python, known while tracing.
    Raises:
      ValueError: nested lists differ in length.

    >>> jnp.iscomplexobj(jnp.array([1 + 0j]))
    True
    """
    if x is None:
        return False
    dtype = getattr(x, "dtype", None)
    if dtype is None:
        dtype = asarray(x).dtype if isinstance(x, (list, tuple)) else np.asarray(x).dtype
    if dtype == np.object_:
        raise TypeError(
            message(
                f"Value '{x}' with dtype object is not a valid JAX array type. Only arrays of numeric types are "
                "supported by JAX.",
                fix="jax.tree.leaves(x), if it is a tree of arrays",
            )
        )
    return dtypes.issubdtype(dtype, np.complexfloating)


def isrealobj(x) -> bool:
    """Return whether the dtype of x is not complex; x may be a nested list.

    Args:
      x: an array, a scalar, or nested lists of them.
    Returns:
      A bool of Python, known while tracing.
    Raises:
      ValueError: nested lists differ in length.

    >>> jnp.isrealobj(jnp.array([1.]))
    True
    """
    return not iscomplexobj(x)


def isscalar(element) -> bool:
    """Return whether something is a number or a string, or an array of rank 0.

    Args:
      element: any object.
    Returns:
      A bool of Python.

    >>> jnp.isscalar(3), jnp.isscalar(jnp.array(3)), jnp.isscalar([3])
    (True, True, False)
    """
    if isinstance(element, (Array, np.ndarray)) or hasattr(element, "__jax_array__"):
        return np.ndim(element) == 0 if isinstance(element, np.ndarray) else not type_of(element).shape
    return np.isscalar(element)


# ---- equal, close -------------------------------------------------------------------------------


@replayed(scalars=True, static=(4,))
@inner_jit(static_argnames=("equal_nan",))
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan: bool = False):
    """Return whether `abs(a - b) <= atol + rtol * abs(b)`, for each element.

    Args:
      a, b: arrays or scalars; shapes broadcast and dtypes promote.
      rtol, atol: the relative and the absolute tolerance.
      equal_nan: whether NaN is close to NaN.
    Raises:
      TypeError: `a` is not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.isclose(jnp.array([1., 1.1]), 1.000001)
    Array([ True, False], dtype=bool)
    """
    check_arraylike("isclose", a, b, rtol, atol)
    if any(isinstance(aval_of(x).dtype, dtypes.ExtendedDType) for x in (a, b)):  # keys are close if they are equal
        return equal(a, b)
    a, b = promote_inexact("isclose", a, b)
    dtype = dtypes.to_real_dtype(aval_of(b).dtype)
    rtol, atol = (_tolerance(t, dtype) for t in (rtol, atol))
    both_nan = and_(ne(a, a), ne(b, b))
    finite = isfinite(b)
    distance = abs_(sub(a, b))
    near = le(distance, add(atol, mul(rtol, abs_(b))))
    out = or_(eq(a, b), and_(finite, near))
    return or_(out, both_nan) if equal_nan else out


def _tolerance(t, dtype):
    if isinstance(t, Array):
        return t if t.dtype == dtype and not t.weak_type else t.astype(dtype)
    return np.asarray(t).astype(dtype)[()]


@replayed(scalars=True, static=(4,))
@inner_jit(static_argnames=("equal_nan",))
def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan: bool = False):
    """Return whether all elements are close, as `isclose` says.

    Args:
      a, b, rtol, atol, equal_nan: as for `isclose`.
    Raises:
      TypeError: `a` is not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.allclose(jnp.array([1., 2.]), jnp.array([1., 2.000001]))
    Array(True, dtype=bool)
    """
    check_arraylike("allclose", a, b)
    return _all(isclose(a, b, rtol, atol, equal_nan))


def _all(x):
    x = asarray(x)
    if x.weak_type:
        x = x.astype(dtypes.bool_)
    return reduce_and(x, axes=tuple(range(x.ndim)))


def array_equal(a1, a2, equal_nan: bool = False) -> Array:
    """Return whether two arrays have the same shape and equal elements.

    Args:
      a1, a2: arrays, or what `asarray` takes.
      equal_nan: whether NaN equals NaN.
    Raises:
      TypeError: `a1` is not an array, a number, or a list of them.

    >>> jnp.array_equal(jnp.array([1, 2]), jnp.array([1, 2]))
    Array(True, dtype=bool)
    """
    a1, a2 = asarray(a1), asarray(a2)
    if a1.shape != a2.shape:
        return filled((), False, dtypes.bool_)
    same = equal(a1, a2)
    if equal_nan:
        same = or_(same, and_(isnan(a1), isnan(a2)))
    return _all(same)


def array_equiv(a1, a2) -> Array:
    """Return whether two arrays, broadcast to one shape, have equal elements.

    Args:
      a1, a2: arrays or scalars.
    Returns:
      A boolean scalar array; False if there is a NaN.
    Raises:
      TypeError: the shapes have the same rank and do not broadcast. Those of other ranks are not equivalent.

    >>> jnp.array_equiv(jnp.array([1, 1]), 1)
    Array(True, dtype=bool)
    """
    a1, a2 = asarray(a1), asarray(a2)
    if a1.ndim != a2.ndim:  # JAX parity: only shapes of the same rank that do not broadcast are an error
        try:
            broadcast_lengths(a1.shape, a2.shape)
        except ValueError:
            return filled((), False, dtypes.bool_)
    try:
        equals = equal(*of_one_rank(a1, a2))
    except TypePromotionError:  # JAX parity: dtypes that a strict mode does not compare are not equivalent
        return filled((), False, dtypes.bool_)
    return _all(equals)
