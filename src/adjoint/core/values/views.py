"""Parts of references, and what they hold in another shape or dtype: read and written like references of their own.

Tests: `tests/transforms/test_reference_views.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..messages.errors import message

__all__ = ["RefView", "Viewed", "bits_by_rows"]


class Viewed:
    """A base of what is read and written by an index."""

    __slots__ = ()

    if TYPE_CHECKING:
        shape: Any
        dtype: Any
        ndim: Any

        def __getitem__(self, index: Any) -> Any: ...

        def __setitem__(self, index: Any, value: Any) -> None: ...

    @property
    def at(self) -> _At:
        """Return what gives parts: `ref.at[index]` is read and written like a reference of its own."""
        return _At(self)

    def get(self, idx: Any = ()) -> Any:
        """Return the elements at an index.

        Args:
          idx: an index; default, all elements.
        """
        return self[... if idx == () else idx]

    def set(self, value: Any, idx: Any = ()) -> None:
        """Replace the elements at an index.

        Args:
          value: an array or a scalar, of the shape of what is there.
          idx: an index; default, all elements.
        """
        self[... if idx == () else idx] = value

    def swap(self, value: Any, idx: Any = ()) -> Any:
        """Replace the elements at an index; return what was there.

        Args:
          value: an array or a scalar, of the shape of what is there.
          idx: an index; default, all elements.
        """
        before = self.get(idx)
        self.set(value, idx)
        return before

    def reshape(self, *shape: Any) -> RefView:
        """Return a reference to what this one holds, in another shape.

        Args:
          shape: the lengths of the axes, or a tuple of them; -1 is what is left.
        Raises:
          ValueError: there would be more or fewer elements.

        >>> ref = new_ref(jnp.zeros((2, 2)))
        >>> ref.reshape(4)[1] = 5.
        >>> ref[...]
        Array([[0., 5.],
               [0., 0.]], dtype=float32)
        """
        given = tuple(self.shape)
        wanted = tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
        try:
            wanted = np.broadcast_to(np.empty(()), given).reshape(wanted).shape
        except ValueError:
            raise ValueError(f"cannot reshape shape {given} into shape {wanted}") from None
        return RefView(
            self.dtype, lambda: self[...].reshape(wanted), lambda x: self.__setitem__(..., x.reshape(given))
        )

    def bitcast(self, dtype: Any) -> RefView:
        """Return a reference to the bits that this one holds, as another dtype: rows share elements, or are split.

        Args:
          dtype: the dtype.
        Raises:
          ValueError: there are less than two axes, or rows are left over.

        >>> ref = new_ref(jnp.ones((1, 2)))
        >>> ref.bitcast("int16")[...]
        Array([[    0,     0],
               [16256, 16256]], dtype=int16)
        """
        old, new = self.dtype, np.dtype(dtype)
        if self.ndim < 2 or self.shape[-2] * old.itemsize % new.itemsize:
            raise ValueError(message(
                "Expected input and output shapes are the same after multiplying the second-minor dimension by the "
                "bitwidths.",
                why=f"The shape is {tuple(self.shape)}, and elements of {old.itemsize} bytes become ones of "
                f"{new.itemsize}.", fix="ref.reshape(...), with as many rows",
            ))
        return RefView(
            new, lambda: bits_by_rows(self[...], new), lambda x: self.__setitem__(..., bits_by_rows(x, old))
        )


class _At:
    """The parts of something, which an index names."""

    __slots__ = ("_of",)

    def __init__(self, of: Viewed):
        self._of = of

    def __getitem__(self, index: Any) -> RefView:
        of = self._of
        return RefView(of.dtype, lambda: of[index], lambda x: of.__setitem__(index, x))


class RefView(Viewed):
    """A part of a reference, or what it holds in another shape or dtype.

    Args:
      dtype: of its elements.
      read, write: functions that return all elements, and replace them.
    """

    __slots__ = ("_read", "_write", "dtype")

    def __init__(self, dtype: Any, read: Callable[[], Any], write: Callable[[Any], None]):
        self.dtype, self._read, self._write = dtype, read, write

    shape = property(lambda self: self._read().shape, doc="Return the lengths of the axes.")
    ndim = property(lambda self: len(self.shape), doc="Return the number of axes.")
    size = property(lambda self: self._read().size, doc="Return the number of elements.")

    def __getitem__(self, index: Any) -> Any:
        value = self._read()
        return value if index is Ellipsis else value[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        self._write(value if index is Ellipsis else self._read().at[index].set(value))

    def __iter__(self):
        return iter(self._read())

    def __len__(self):
        return len(self._read())

    def addupdate(self, value: Any, idx: Any = ()) -> None:
        """Add to the elements at an index.

        Args:
          value: an array or a scalar, of the shape of what is there.
          idx: an index; default, all elements.
        """
        self.set(self.get(idx) + value, idx)


def bits_by_rows(x: Any, dtype: Any) -> Any:
    """Return the bits of an array as another dtype, where neighbours along the last axis but one share an element."""
    new, old = np.dtype(dtype), x.dtype
    if new.itemsize == old.itemsize:
        return x.view(new)
    *batch, rows, columns = x.shape
    if new.itemsize > old.itemsize:
        parts = new.itemsize // old.itemsize
        return x.reshape(*batch, rows // parts, parts, columns).swapaxes(-1, -2).view(new)[..., 0]
    return x[..., None].view(new).swapaxes(-1, -2).reshape(*batch, -1, columns)
