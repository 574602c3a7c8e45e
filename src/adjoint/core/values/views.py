"""Parts of references, and what they hold in another shape or dtype: read and written like references of their own.

Tests: `tests/transforms/test_reference_views.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..messages.errors import message

__all__ = ["RefView", "Viewed", "bits_by_rows"]


class Viewed:
    """A base of what is read and written by an index."""

    __slots__ = ()

    shape: Any
    dtype: Any
    ndim: Any

    def __getitem__(self, index: Any) -> Any:
        raise NotImplementedError

    def __setitem__(self, index: Any, value: Any) -> None:
        raise NotImplementedError

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

    def reshape(self, *shape: Any) -> _Rearranged:
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
        return _Rearranged(self, lambda x: x.reshape(wanted), lambda x: x.reshape(given))

    def bitcast(self, dtype: Any) -> _Rearranged:
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
        return _Rearranged(self, lambda x: bits_by_rows(x, new), lambda x: bits_by_rows(x, old))


class _At:
    """The parts of something, which an index names."""

    __slots__ = ("_of",)

    def __init__(self, of: Viewed):
        self._of = of

    def __getitem__(self, index: Any) -> RefView:
        return RefView(self._of, index)


class _View(Viewed):
    """A base of what reads and writes another."""

    __slots__ = ("_of",)

    def __init__(self, of: Viewed):
        self._of = of

    def _read(self) -> Any:
        raise NotImplementedError

    def _write(self, value: Any) -> None:
        raise NotImplementedError

    shape = property(lambda self: self._read().shape, doc="Return the lengths of the axes.")
    dtype = property(lambda self: self._of.dtype, doc="Return the dtype of the elements.")
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


class RefView(_View):
    """A part of a reference, `ref.at[index]`.

    Args:
      of: the reference, or a part of it.
      index: an index into it.
    """

    __slots__ = ("_index",)

    def __init__(self, of: Viewed, index: Any):
        super().__init__(of)
        self._index = index

    def _read(self) -> Any:
        return self._of[self._index]

    def _write(self, value: Any) -> None:
        self._of[self._index] = value


class _Rearranged(_View):
    """A view of what a reference holds, in another shape or dtype.

    Args:
      of: the reference, or a part of it.
      there, back: functions of an array that rearrange it, and undo that.
    """

    __slots__ = ("_back", "_there")

    def __init__(self, of: Viewed, there: Callable, back: Callable):
        super().__init__(of)
        self._there, self._back = there, back

    dtype = property(lambda self: self._read().dtype, doc="Return the dtype of the elements.")

    def _read(self) -> Any:
        return self._there(self._of[...])

    def _write(self, value: Any) -> None:
        self._of[...] = self._back(value)


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
