"""`ds`: a slice of a known size from a start that may be traced, for indexing.

Tests: `tests/numpy/test_indexing.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..messages.errors import message
from ..trace import Tracer
from ..tree.tree import register_pytree_node
from ..types import Array

__all__ = ["Slice", "ds"]


@dataclass
class Slice:
    """`size` elements from `start` on, in steps of `stride`.

    Args:
      start: the first position, an int or an integer scalar.
      size: how many elements, an int; traced for blocks of pipelines alone.
      stride: the step, an int.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.ds(2, 3)
    Slice(start=2, size=3, stride=1)
    """

    start: Any
    size: Any
    stride: int = 1

    @property
    def is_dynamic_start(self) -> bool:
        """Return whether the start is an array."""
        return not isinstance(self.start, (int, np.integer))

    @property
    def is_dynamic_size(self) -> bool:
        """Return whether the size is an array, as only the blocks of a pipeline may have it."""
        return isinstance(self.size, Array)

    def checked(self) -> Slice:
        """Return the slice, whose size must be known.

        Raises:
          TypeError: it is an array.
        """
        if not isinstance(self.size, (int, np.integer)):
            raise TypeError(
                message(
                    f"The size of ds is {self.size!r}, which is not an int.",
                    why="The shape of what it selects has to be known while tracing.",
                    fix="an int, and a traced start: ds(i, 2)",
                )
            )
        return self

    def static(self) -> slice:
        """Return the slice of Python that means the same, if the start is known."""
        return slice(int(self.start), int(self.start) + (self.size - 1) * self.stride + 1, self.stride)


register_pytree_node(
    Slice,
    lambda s: ((s.start,), (None, s.size, s.stride)) if s.is_dynamic_start else ((), (s.start, s.size, s.stride)),
    lambda aux, children: Slice(children[0] if children else aux[0], *aux[1:]),
)


def ds(start, size=None, stride: int | None = None) -> slice | Slice:
    """Return an index for `size` elements from `start` on, where `start` may be traced.

    `ds(n)` is `ds(0, n)`, and `ds(None)` everything.

    Args:
      start: the first index, an integer or a scalar array; of a lone argument it is the size.
      size: how many elements, an int: shapes are known while tracing. Only for a block of a pipeline of kernels it may
        be traced.
      stride: the distance between two of them; 1 by default.
    Returns:
      An index, for `x[ds(i, 2)]`, `x.at[ds(i, 2)]` and references. One that would go beyond the end is moved back.
    Raises:
      TypeError: the size is not an int; for a traced size, when it is used as an index.

    >>> x = jnp.arange(10)
    >>> jit(lambda x, i: x[ds(i, 2)])(x, 4)
    Array([4, 5], dtype=int32)
    """
    if start is None:
        return slice(None)
    if size is None:
        start, size = 0, start
    if isinstance(size, Array) and size.ndim == 0 and size.dtype.kind in "iu":
        size = size if isinstance(size, Tracer) else int(size)  # type: ignore[arg-type]
        return Slice(start, size, 1 if stride is None else stride)
    Slice(start, size).checked()
    return Slice(start, int(size), 1 if stride is None else stride)
