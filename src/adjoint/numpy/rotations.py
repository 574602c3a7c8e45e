"""Elements in reverse order, turned by 90 degrees, or shifted around.

Tests: `tests/numpy/test_manipulation.py`.
"""

from __future__ import annotations

import numpy as np

from .. import lax
from ..core.messages.errors import message
from ..core.types import Array
from ..core.values.dimension import as_length
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import FEW, WORTH, replayed
from . import ufuncs
from .axes import canonical_axes, operand, repeated_axes, static_axis
from .conversion import asarray
from .promotion import convert
from .shapes import broadcast_to, ravel, reshape

__all__ = ["flip", "fliplr", "flipud", "roll", "rot90"]


@inner_jit(static_argnames=("axis",))
def _flip(m, axis):
    return lax.rev(m, canonical_axes(axis, m.ndim))


@replayed(compiles_after=WORTH, sizes=FEW)
def flip(m, axis=None) -> Array:
    """Reverse the order of the elements along axes.

    Args:
      m: array.
      axis: an axis, a tuple of axes, or None for all.
    Returns:
      An array of the shape and dtype of `m`: position i along these axes is position n - 1 - i before.
    Raises:
      TypeError: `m` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> jnp.flip(jnp.arange(3))
    Array([2, 1, 0], dtype=int32)
    """
    return _flip(operand("flip", m), static_axis(axis))


@replayed(compiles_after=WORTH, sizes=FEW)
def flipud(m) -> Array:
    """Reverse the order along axis 0.

    Args:
      m: array with an axis at least.
    Returns:
      An array of the shape and dtype of `m`: row i is row n - 1 - i before.
    Raises:
      TypeError: `m` is not an array or scalar; lists are not converted.

    >>> jnp.flipud(jnp.arange(3))
    Array([2, 1, 0], dtype=int32)
    """
    return _flip(operand("flipud", m), 0)


@replayed(compiles_after=WORTH, sizes=FEW)
def fliplr(m) -> Array:
    """Reverse the order along axis 1.

    Args:
      m: array with two axes at least.
    Returns:
      An array of the shape and dtype of `m`: column j is column n - 1 - j before.
    Raises:
      TypeError: `m` is not an array or scalar; lists are not converted.

    >>> jnp.fliplr(jnp.array([[1, 2], [3, 4]]))
    Array([[2, 1],
           [4, 3]], dtype=int32)
    """
    return _flip(operand("fliplr", m), 1)


@replayed(compiles_after=WORTH, sizes=FEW)
@inner_jit(static_argnames=("k", "axes"))
def rot90(m, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Array:
    """Turn an array by 90 degrees, `k` times, in the plane of two axes.

    Args:
      m: array with two axes at least.
      k: how often; negative ones turn the other way.
      axes: the two axes; the turn is from the first to the second.
    Returns:
      An array of the dtype of `m`; of odd turns the two lengths are exchanged.
    Raises:
      ValueError: there are not two axes, or they are equal.

    >>> jnp.rot90(jnp.array([[1, 2], [3, 4]]))
    Array([[2, 4],
           [1, 3]], dtype=int32)
    """
    m = operand("rot90", m)
    if m.ndim < 2:
        raise ValueError(
            message(
                f"rot90 requires its first argument to have ndim at least two, but got ndim={m.ndim}.",
                fix="x[None], which has a second axis",
            )
        )
    first, second = axes
    if first == second:
        raise ValueError(message("Axes must be different", why=f"Got {axes}.", fix="axes=(0, 1)"))
    first, second = canonical_axes((first, second), m.ndim)
    order = list(range(m.ndim))
    order[first], order[second] = second, first
    k %= 4
    if k == 1:
        return lax.transpose(flip(m, second), order)
    if k == 2:
        return flip(flip(m, first), second)
    return flip(lax.transpose(m, order), second) if k == 3 else m


# ---- roll ---------------------------------------------------------------------------------------


@inner_jit(static_argnames=("shift", "axis"))
def _roll_static(a, shift, axis):
    for by, i in zip(shift, axis):
        n = a.shape[i]
        cut = -by % n if n else 0
        left = lax.slice_in_dim(a, cut, n, axis=i, stride=1)
        right = lax.slice_in_dim(a, 0, cut, axis=i, stride=1)
        a = lax.concatenate([left, right], i)
    return a


@inner_jit(static_argnames=("axis",))
def _roll_dynamic(a, shift, axis):
    shifts = ravel(shift)
    if shifts.shape != (len(axis),):
        shifts = broadcast_to(shifts, (len(axis),))
    for k, i in enumerate(axis):
        n = a.shape[i]
        by = convert(lax.squeeze(lax.slice(shifts, (k,), (k + 1,), (1,)), (0,)), np.dtype("int32"))
        by = ufuncs.remainder(by, max(n, 1))
        twice = lax.concatenate([a, a], i)
        a = lax.dynamic_slice_in_dim(twice, lax.sub(np.int32(n), by), n, axis=i)
    return a


@replayed(compiles_after=WORTH, sizes=FEW)
def roll(a, shift, axis=None) -> Array:
    """Shift the elements along axes; what leaves at the end enters at the beginning.

    Args:
      a: array.
      shift: how far; ints, or traced values.
      axis: one axis, or as many as there are shifts; None shifts the flat array.
    Returns:
      An array of the shape and dtype of `a`: position i along the axis is position i - shift before.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> jnp.roll(jnp.arange(4), 1)
    Array([3, 0, 1, 2], dtype=int32)
    """
    a = operand("roll", a)
    if axis is None:
        return reshape(roll(ravel(a), shift, 0), a.shape)
    # An axis that occurs twice is shifted twice.
    axes = repeated_axes(axis, a.ndim)
    try:
        shifts = tuple([as_length(s) for s in np.ravel(shift)])
    except TypeError:  # traced
        shift = asarray(shift)
        if shift.ndim > 1 or (shift.ndim and len(axes) not in (1, shift.size) and shift.size != 1):
            raise _unequal(shift.shape, axes) from None
        axes = axes * shift.size if len(axes) == 1 else axes
        return _roll_dynamic(a, shift, axes)
    if len(shifts) != len(axes):
        if 1 not in (len(shifts), len(axes)):
            raise _unequal(np.shape(shift), axes)
        shifts, axes = (x * max(len(shifts), len(axes)) if len(x) == 1 else x for x in (shifts, axes))
    return _roll_static(a, shifts, axes)


def _unequal(shape, axes) -> ValueError:
    return ValueError(
        f"Mismatch between axis and shift: {len(axes)} axes and shifts of shape {shape}.\n"
        "  Try: one shift for each axis, or one for all"
    )
