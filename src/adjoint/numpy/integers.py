"""Functions of integers: common divisors and multiples; bits packed into bytes, and bytes unpacked into bits.

Tests: `tests/numpy/test_windows.py`, `tests/numpy/test_ufuncs.py`.
"""

from __future__ import annotations

import numpy as np

from .. import lax
from ..core import dtypes
from ..core.messages.errors import message
from ..core.types import Array, aval_of
from ..prims.arithmetic import mul, rem
from ..prims.logic import eq, lt, ne
from ..prims.reduction import reduce_or
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import replayed
from . import reductions
from .axes import canonical_axis, operand
from .conversion import asarray
from .division import floor_divide, promote_integers
from .fills import stretched_together
from .padding import pad
from .promotion import broadcast_shape, constant, convert, of_one_rank
from .ranges import arange
from .selection import where
from .shapes import ravel, reshape, swapaxes
from .shortcuts import quick

__all__ = ["gcd", "lcm", "packbits", "unpackbits"]


def _check_order(bitorder: str) -> None:
    if bitorder not in ("little", "big"):
        raise ValueError(f"'order' must be either 'little' or 'big'\n  Got bitorder={bitorder!r}.")


@replayed(numpy=np.packbits)
@inner_jit(static_argnames=("axis", "bitorder"))
def packbits(a, axis: int | None = None, bitorder: str = "big") -> Array:
    """Return bits packed into bytes.

    Args:
      a: integers or booleans; those that are not 0 are bits that are set.
      axis: along which axis; None packs the flat array.
      bitorder: "big" takes the first bit for the highest, "little" for the lowest.
    Returns:
      uint8, with an eighth of the length along the axis, rounded up; missing bits are 0.
    Raises:
      TypeError: `a` holds floats.

    >>> jnp.packbits(jnp.array([1, 0, 0, 0, 0, 0, 1, 1]))
    Array([131], dtype=uint8)
    """
    a = operand("packbits", a)
    if not (dtypes.issubdtype(a.dtype, np.integer) or a.dtype == dtypes.bool_):
        raise TypeError(
            message("Expected an input array of integer or boolean data type", fix="x.astype(bool), or x > 0")
        )
    _check_order(bitorder)
    a = convert(a != a.dtype.type(0), dtypes.uint8)
    places = arange(8, dtype=dtypes.uint8)
    places = places[::-1] if bitorder == "big" else places
    if axis is None:
        a, axis = ravel(a), -1
    a = swapaxes(a, axis, -1)
    missing = -a.shape[-1] % 8
    if missing:
        a = lax.pad(a, np.uint8(0), [(0, 0, 0)] * (a.ndim - 1) + [(0, missing, 0)])
    a = reshape(a, (*a.shape[:-1], a.shape[-1] // 8, 8))
    packed = convert(reductions.sum(a << lax.broadcast_to_rank(places, a.ndim), axis=-1), dtypes.uint8)
    return swapaxes(packed, axis, -1)


@replayed(numpy=np.unpackbits)
@inner_jit(static_argnames=("axis", "count", "bitorder"))
def unpackbits(a, axis: int | None = None, count: int | None = None, bitorder: str = "big") -> Array:
    """Return the bits of bytes.

    Args:
      a: uint8.
      axis: along which axis; None unpacks the flat array.
      count: how many bits to return, from the first on, with zeros for those that are missing; if negative, how
        many to leave out at the end.
      bitorder: "big" gives the highest bit first, "little" the lowest.
    Returns:
      uint8, 0 or 1.
    Raises:
      TypeError: `a` is not uint8.

    >>> jnp.unpackbits(jnp.array([131], dtype=jnp.uint8))
    Array([1, 0, 0, 0, 0, 0, 1, 1], dtype=uint8)
    """
    a = operand("unpackbits", a)
    if a.dtype != dtypes.uint8:
        raise TypeError(message("Expected an input array of unsigned byte data type", fix="x.astype(jnp.uint8)"))
    _check_order(bitorder)
    masks = np.uint8(1) << arange(8, dtype=dtypes.uint8)
    masks = masks[::-1] if bitorder == "big" else masks
    if axis is None:
        a, axis = ravel(a), 0
    a = swapaxes(a, canonical_axis(axis, a.ndim), -1)
    bits = convert((a[..., None] & lax.broadcast_to_rank(masks, a.ndim + 1)) > np.uint8(0), dtypes.uint8)
    bits = reshape(bits, (*a.shape[:-1], 8 * a.shape[-1]))
    if count is not None:
        more = count - bits.shape[-1]
        bits = pad(bits, [(0, 0)] * (bits.ndim - 1) + [(0, more)]) if more > 0 else bits[..., :count]
    return swapaxes(bits, axis, -1)


# ---- divisors ------------------------------------------------------------------------------------


@quick(iu=np.gcd)
@inner_jit
def gcd(x1, x2):
    """Return the greatest common divisor; of 0 and x it is abs(x).

    Args:
      x1, x2: integer arrays or scalars; shapes broadcast and dtypes promote.
    Returns:
      The numbers, not negative, in an array of the shape to which they broadcast.
      The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: `x1` is not an array or scalar; lists are not converted.

    >>> jnp.gcd(jnp.array([12, 18]), 8)
    Array([4, 2], dtype=int32)
    """
    x1, x2 = promote_integers("gcd", *of_one_rank(x1, x2))
    shape = broadcast_shape(aval_of(x1).shape, aval_of(x2).shape)
    pair = tuple(stretched_together([asarray(x) for x in (x1, x2)], shape))
    return lax.while_loop(_any_left, _euclid, pair)[0]


def _any_left(pair):
    nonzero = ne(pair[1], constant(pair[1], 0))
    return reduce_or(nonzero, axes=tuple(range(nonzero.ndim)))


def _euclid(pair):
    """Do one step of Euclid's algorithm, where one is left, with the larger number first."""
    x1, x2 = pair
    zero = constant(x1, 0)
    larger = where(ne(x2, zero), x2, x1)
    smaller = where(ne(x2, zero), rem(x1, x2), zero)
    return (
        where(lt(larger, smaller), smaller, larger),
        where(lt(larger, smaller), larger, smaller),
    )


@replayed(scalars=True)
@inner_jit
def lcm(x1, x2):
    """Return the least common multiple; 0 if one is 0.

    Args:
      x1, x2: integer arrays or scalars; shapes broadcast and dtypes promote.
    Returns:
      The numbers, not negative, in an array of the shape to which they broadcast.
      The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: `x1` is not an array or scalar; lists are not converted.

    >>> jnp.lcm(jnp.array([4, 6]), 10)
    Array([20, 30], dtype=int32)
    """
    x1, x2 = promote_integers("lcm", x1, x2)
    divisor = gcd(x1, x2)
    zero = constant(divisor, 0)
    return where(eq(divisor, zero), zero, mul(x1, floor_divide(x2, divisor)))
