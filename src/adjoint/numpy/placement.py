"""`place` and `put`: arrays with elements of the flat array replaced.

Tests: `tests/numpy/test_index_tricks.py`.
"""

from __future__ import annotations

from ..core.messages.advice import updated
from ..core.messages.errors import advise, message
from ..core.types import Array
from ..transforms.jit.replay import replayed
from . import ufuncs
from .axes import operand
from .indexing import unravel_index
from .promotion import check_arraylike
from .repetition import tile
from .searching import flatnonzero
from .shapes import ravel, reshape

__all__ = ["place", "put"]


def _refuse_inplace(name: str, inplace: bool) -> None:
    if inplace:
        raise ValueError(
            message(
                f"jax.numpy.{name} cannot modify arrays in-place, because JAX arrays are immutable. "
                "Pass inplace=False to instead return an updated array.",
                fix=advise(updated, f"x = jnp.{name}(x, ..., inplace=False)"),
            )
        )


def _of_size(values: Array, n: int) -> Array:
    """Return the first n values, which begin again after the last."""
    repeats = -(-n // values.size)
    values = tile(values, repeats) if repeats > 1 else values
    return values[:n] if values.size > n else values


@replayed
def place(arr, mask, vals, *, inplace: bool = True) -> Array:
    """Return the array with values in the places of a mask, one after the other.

    Args:
      arr: array.
      mask: booleans, as many as `arr` has elements.
      vals: the values; too many are left out, and if there are too few, they begin again.
      inplace: must be False: arrays do not change.
    Returns:
      A new array of the shape and dtype of `arr`, in which elements are replaced where the mask is true.
    Raises:
      ValueError: `inplace`; the sizes differ; there are no values.

    >>> jnp.place(jnp.array([1, 2, 3]), jnp.array([True, False, True]), jnp.array([7, 8]), inplace=False)
    Array([7, 2, 8], dtype=int32)
    """
    check_arraylike("place", arr, mask, vals)
    _refuse_inplace("place", inplace)
    arr, mask, vals = operand("place", arr), operand("place", mask), ravel(operand("place", vals))
    if arr.size != mask.size:
        raise ValueError(
            message(
                f"place: arr and mask must be the same size\n  Got {arr.size} and {mask.size} elements.",
                fix="jnp.broadcast_to(mask, arr.shape)",
            )
        )
    if not vals.size:
        raise ValueError(message("Cannot place values from an empty array", fix="jnp.zeros(1), or the array as it is"))
    if not arr.size:
        return arr
    at = flatnonzero(mask, size=mask.size, fill_value=arr.size)
    return reshape(ravel(arr).at[at].set(_of_size(vals, arr.size), mode="drop"), arr.shape)


@replayed
def put(a, ind, v, mode: str | None = None, *, inplace: bool = True) -> Array:
    """Return the array with values at positions of the flat array.

    Args:
      a: array.
      ind: positions, integers.
      v: the values; too many are left out, and if there are too few, they begin again.
      mode: what to do with positions out of range: None and "clip" move them inside, and None counts negative
        ones from the end; "wrap" begins again.
      inplace: must be False: arrays do not change.
    Returns:
      A new array of the shape and dtype of `a`, in which elements of the flat array are replaced.
    Raises:
      ValueError: `inplace`; an unknown mode.
      NotImplementedError: the mode "raise", which would depend on values.

    >>> jnp.put(jnp.zeros(3), jnp.array([0, 2]), 5., inplace=False)
    Array([5., 0., 5.], dtype=float32)
    """
    check_arraylike("put", a, ind, v)
    _refuse_inplace("put", inplace)
    a, at, values = operand("put", a), ravel(operand("put", ind)), ravel(operand("put", v))
    if not a.size or not at.size or not values.size:
        return a
    values = _of_size(values, at.size)
    if mode == "wrap":
        at = ufuncs.remainder(at, a.size)
    elif mode == "clip":
        at = ufuncs.clip(at, 0, a.size - 1)
    elif mode == "raise":
        raise NotImplementedError("The 'raise' mode to jnp.put is not supported.\n  Try: mode='clip'")
    elif mode is not None:
        raise ValueError(f"mode should be one of 'wrap' or 'clip'; got {mode=}")
    return a.at[unravel_index(at, a.shape)].set(values, mode="promise_in_bounds" if mode else "drop")
