"""Windows for signals: weights that fall to the ends, as arrays of the default float; `i0`, which one is made of."""

from __future__ import annotations

import numpy as np

from ..core import dtypes
from ..core.messages.errors import message
from ..core.types import Array, aval_of
from ..prims.arithmetic import abs_, mul
from ..prims.logic import eq
from ..prims.special import bessel_i0e
from ..prims.transcendental import exp
from ..transforms.custom.custom_jvp import custom_jvp
from ..transforms.derivatives.grad import jvp
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import AT_ONCE, replayed
from . import ufuncs
from .fills import ones
from .promotion import check_arraylike, constant, known, promote_inexact
from .ranges import arange

__all__ = ["bartlett", "blackman", "hamming", "hanning", "i0", "kaiser"]


def _places(name: str, M) -> tuple[Array | None, int]:
    """0, 1, ..., M - 1 as floats, and M; None for the places where the window is 1 throughout."""
    M = int(known(M, f"M argument of jnp.{name}"))
    if M < 0:
        raise TypeError(message(f"jnp.{name} wants a length of at least 0, got {M}.", fix=f"jnp.{name}(0)"))
    return (arange(M, dtype=dtypes.default_float()) if M > 1 else None), M


def _cosines(n: Array, M: int, k: int) -> Array:
    return ufuncs.cos(ufuncs.multiply(2 * k * np.pi, n) / (M - 1))


def bartlett(M: int) -> Array:
    """Return the Bartlett window of length M: a triangle that is 0 at the ends.

    Args:
      M: the number of points.
    Returns:
      An array of `M` floats, symmetric.
    Raises:
      TypeError: `M` is not an integer.

    >>> jnp.bartlett(5)
    Array([0. , 0.5, 1. , 0.5, 0. ], dtype=float32)
    """
    n, M = _places("bartlett", M)
    return ones(M) if n is None else 1 - ufuncs.abs(2 * n + 1 - M) / (M - 1)


def blackman(M: int) -> Array:
    """Return the Blackman window of length M: a constant and two cosines, near 0 at the ends.

    Args:
      M: the number of points.
    Returns:
      An array of `M` floats, symmetric.
    Raises:
      TypeError: `M` is not an integer.

    >>> jnp.blackman(5).round(2)
    Array([-0.  ,  0.34,  1.  ,  0.34, -0.  ], dtype=float32)
    """
    n, M = _places("blackman", M)
    return ones(M) if n is None else 0.42 - 0.5 * _cosines(n, M, 1) + 0.08 * _cosines(n, M, 2)


def hamming(M: int) -> Array:
    """Return the Hamming window of length M: a raised cosine, 0.08 at the ends.

    Args:
      M: the number of points.
    Returns:
      An array of `M` floats, symmetric.
    Raises:
      TypeError: `M` is not an integer.

    >>> jnp.hamming(5).round(2)
    Array([0.08, 0.54, 1.  , 0.54, 0.08], dtype=float32)
    """
    n, M = _places("hamming", M)
    return ones(M) if n is None else 0.54 - 0.46 * _cosines(n, M, 1)


def hanning(M: int) -> Array:
    """Return the Hann window of length M: a raised cosine, 0 at the ends.

    Args:
      M: the number of points.
    Returns:
      An array of `M` floats, symmetric.
    Raises:
      TypeError: `M` is not an integer.

    >>> jnp.hanning(5)
    Array([0. , 0.5, 1. , 0.5, 0. ], dtype=float32)
    """
    n, M = _places("hanning", M)
    return ones(M) if n is None else 0.5 * (1 - _cosines(n, M, 1))


@replayed(scalars=True, compiles_after=AT_ONCE)
@inner_jit
def i0(x):
    """Return the modified Bessel function of the first kind, of order 0, elementwise.

    Args:
      x: real array or scalar.
    Returns:
      An array of the shape of `x` and of its dtype; integers become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: `x` is complex.

    >>> jnp.i0(jnp.array([0., 1.]))
    Array([1.       , 1.2660658], dtype=float32)
    """
    check_arraylike("i0", x)
    dtype = aval_of(x).dtype
    if dtypes.issubdtype(dtype, np.complexfloating):
        raise ValueError(f"Unsupported input type to jax.numpy.i0: {dtype}")
    (x,) = promote_inexact("i0", x)
    return _i0(x)


def _i0_formula(x):
    x = abs_(x)
    return mul(exp(x), bessel_i0e(x))


@custom_jvp
def _i0(x):
    return _i0_formula(x)


@_i0.defjvp
def _i0_jvp(primals, tangents):
    out, t = jvp(_i0_formula, primals, tangents)
    (x,) = primals
    return out, ufuncs.where(eq(x, constant(x, 0)), 0.0, t)


def kaiser(M: int, beta) -> Array:
    """Return the Kaiser window of length M: a Bessel function of a half ellipse.

    Args:
      M: the length.
      beta: a scalar; the window is the narrower, the larger it is.
    Returns:
      An array of `M` floats.
    Raises:
      TypeError: `M` is not an integer.

    >>> jnp.kaiser(5, 2.).round(2)
    Array([0.44, 0.83, 1.  , 0.83, 0.44], dtype=float32)
    """
    n, M = _places("kaiser", M)
    if n is None:
        return ones(M)
    half = 0.5 * (M - 1)
    return i0(beta * ufuncs.sqrt(1 - ((n - half) / half) ** 2)) / i0(beta)
