"""Arrays and positions written with brackets: `r_`, `c_`, `s_`, and the positions of triangles.

`r_[1:3, 0, x]` joins ranges, scalars and arrays along an axis. A text in front, "axis,ndmin,start", says along
which axis, how many axes each item has at least, and at which axis those begin that an item had.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .. import lax
from ..core import dtypes
from ..core.messages.errors import message
from ..core.types import Array
from ..core.values.dimension import Dimension, as_length, greater, lesser
from .conversion import asarray
from .fills import ones, tril, triu
from .joining import concatenate
from .promotion import check_arraylike, convert, known, shape_of
from .ranges import spanned
from .searching import nonzero
from .shapes import atleast_2d, transpose

__all__ = [
    "c_", "index_exp", "mask_indices", "r_", "s_", "tril_indices", "tril_indices_from", "triu_indices",
    "triu_indices_from",
]

s_, index_exp = np.s_, np.index_exp


# ---- joined items -------------------------------------------------------------------------------


class _Joiner:
    """The base of `r_` and `c_`; `_settings` is what a text in front can replace: axis, ndmin and start."""

    _name: str
    _settings: tuple[int, int, int]

    def __getitem__(self, key) -> Array:
        items = list(key) if isinstance(key, tuple) else [key]
        axis, ndmin, start = self._settings
        matrix = None
        if isinstance(items[0], str):
            directive = items.pop(0)
            if directive in ("r", "c"):
                matrix = directive
            else:
                axis, ndmin, start = self._parsed(directive)
        arrays = [self._item(x, ndmin, start) for x in items]
        if not arrays:
            raise ValueError("Need at least one array to concatenate.")
        dtype, weak = dtypes.lattice_result_type(*arrays)
        out = concatenate([convert(x, dtype, weak) for x in arrays], axis=axis)
        if matrix is None:
            return out
        return atleast_2d(out).T if matrix == "c" and out.ndim == 1 else atleast_2d(out)

    def _parsed(self, directive: str) -> tuple:
        try:
            given = [int(part) for part in directive.split(",")][:3]
        except ValueError:
            raise ValueError(
                f"could not understand directive {directive!r}\n"
                f'  Try: jnp.{self._name}["0,2", ...] for axis 0 of items with 2 axes at least, or "r" or "c"'
            ) from None
        return (*given, *self._settings[len(given) :])

    def _item(self, x, ndmin: int, start: int) -> Array:
        if isinstance(x, str):
            raise ValueError("string directive must be placed at the beginning")
        x = spanned(x, self._name) if isinstance(x, slice) else x
        out = asarray(x)
        if out.ndim < ndmin:
            out = lax.expand_dims(out, range(ndmin - out.ndim))
            out = transpose(out, tuple(np.roll(range(ndmin), start + 1).tolist()))
        return out

    def __len__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return f"jnp.{self._name}"


class RClass(_Joiner):
    """Ranges, scalars and arrays joined along the first axis.

    >>> jnp.r_[1:3, 0, jnp.array([5, 6])]
    Array([1, 2, 0, 5, 6], dtype=int32)
    >>> jnp.r_["0,2", [1, 2], [3, 4]]
    Array([[1, 2],
           [3, 4]], dtype=int32)
    """

    _name, _settings = "r_", (0, 1, -1)


class CClass(_Joiner):
    """Ranges, scalars and arrays joined as columns.

    >>> jnp.c_[1:3, jnp.array([5, 6])]
    Array([[1, 5],
           [2, 6]], dtype=int32)
    """

    _name, _settings = "c_", (-1, 2, 0)


r_, c_ = RClass(), CClass()


# ---- positions of triangles ---------------------------------------------------------------------


def _lengths(name: str, n, k, m) -> tuple[int, int, int]:
    n, k, m = [
        x if isinstance(x, Dimension) else as_length(known(x, f"{letter} argument of jnp.{name}"))
        for x, letter in ((n, "n"), (k, "k"), (n if m is None else m, "m"))
    ]
    return n, k, m


def _on_or_above(n: int, k: int, m: int) -> int:
    """Return the number of elements of an n x m matrix on and above the k-th diagonal; lengths may be expressions."""
    whole = lesser(n, greater(-k, 0))  # rows of which all elements count
    part = greater(lesser(n, m - k) - whole, 0)  # rows below these, with one element less each
    return whole * m + part * m - part * (whole + k) - part * part + (part * part + part) // 2


def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Array, Array]:
    """Return the positions on and below a diagonal of an n x m matrix.

    Args:
      n, m: rows and columns; `m` is `n` by default.
      k: which diagonal, counted from the main one upwards.
    Returns:
      The rows and the columns of the positions, in order.
    Raises:
      TypeError: `n` is not an integer.

    >>> jnp.tril_indices(2)
    (Array([0, 1, 1], dtype=int32), Array([0, 0, 1], dtype=int32))
    """
    n, k, m = _lengths("tril_indices", n, k, m)
    return nonzero(tril(ones((n, m)), k=k), size=_on_or_above(m, -k, n))  # type: ignore[return-value]


def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Array, Array]:
    """Return the positions on and above a diagonal of an n x m matrix.

    Args:
      n, m: rows and columns; `m` is `n` by default.
      k: the first diagonal that is taken, counted from the main one upwards.
    Returns:
      The rows and the columns of the positions, in order.
    Raises:
      TypeError: `n` is not an integer.

    >>> jnp.triu_indices(2)
    (Array([0, 0, 1], dtype=int32), Array([0, 1, 1], dtype=int32))
    """
    n, k, m = _lengths("triu_indices", n, k, m)
    return nonzero(triu(ones((n, m)), k=k), size=_on_or_above(n, k, m))  # type: ignore[return-value]


def _matrix_shape(name: str, arr) -> tuple[int, int]:
    check_arraylike(name, arr)
    shape = shape_of(arr)
    if len(shape) != 2:
        raise ValueError(
            message(
                f"Only 2-D inputs are accepted\n  Got the shape {shape}.",
                fix="x[:, None] for a column, x[None] for a row",
            )
        )
    return shape


def tril_indices_from(arr, k: int = 0) -> tuple[Array, Array]:
    """Return the positions on and below a diagonal of a matrix.

    Args:
      arr: a matrix, ``[n, m]``; only its shape counts.
      k: the last diagonal that is taken, counted from the main one upwards.
    Returns:
      The rows and the columns of the positions, in order: an index of `arr`.
    Raises:
      ValueError: `arr` has not two axes.

    >>> jnp.tril_indices_from(jnp.ones((2, 2)))
    (Array([0, 1, 1], dtype=int32), Array([0, 0, 1], dtype=int32))
    """
    n, m = _matrix_shape("tril_indices_from", arr)
    return tril_indices(n, k=k, m=m)


def triu_indices_from(arr, k: int = 0) -> tuple[Array, Array]:
    """Return the positions on and above a diagonal of a matrix.

    Args:
      arr: a matrix, ``[n, m]``; only its shape counts.
      k: the first diagonal that is taken, counted from the main one upwards.
    Returns:
      The rows and the columns of the positions, in order: an index of `arr`.
    Raises:
      ValueError: `arr` has not two axes.

    >>> jnp.triu_indices_from(jnp.ones((2, 2)))
    (Array([0, 0, 1], dtype=int32), Array([0, 1, 1], dtype=int32))
    """
    n, m = _matrix_shape("triu_indices_from", arr)
    return triu_indices(n, k=k, m=m)


def mask_indices(
    n: int, mask_func: Callable[..., Array], k: int = 0, *, size: int | None = None
) -> tuple[Array, Array]:
    """Return the positions of an n x n matrix that a function does not set to 0.

    Args:
      n: rows and columns.
      mask_func: such as `jnp.triu`: takes a matrix of ones, and `k`.
      k: for `mask_func`.
      size: how many positions to return; needed where the mask is traced.
    Returns:
      The rows and the columns of the positions, in order, int32.
    Raises:
      TypeError: `n` is not an integer.

    >>> jnp.mask_indices(2, jnp.triu)
    (Array([0, 0, 1], dtype=int32), Array([0, 1, 1], dtype=int32))
    """
    return nonzero(mask_func(ones((n, n)), k), size=size)  # type: ignore[return-value]
