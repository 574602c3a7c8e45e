"""The meaning of operations whose shapes are values: what a module computes of lengths of axes is known here.

Tests: `tests/export/test_export.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import lax
from ...core.types import aval_of
from ..mlir.elements import dtype_of
from ..mlir.ir import ArtifactError
from .attributes import integer, integers
from .products import convolved
from .program import known, rule
from .regions import gathered, reduced_windows

__all__ = ["lengths", "windows"]


def lengths(x: Any, op) -> tuple:
    """Return a shape that the module computes."""
    if not known(x):
        raise ArtifactError(f"The shape of the result of {op.name} depends on values of arrays.")
    return tuple([d if not isinstance(d, np.generic | int) else int(d) for d in np.asarray(x).reshape(-1)])


@rule("get_dimension_size")
def _(frame, op, x):
    length, dtype = np.shape(x)[integer(op, "dimension")] if known(x) else aval_of(x).shape[integer(op, "dimension")], \
        dtype_of(op.results[0].type.element)
    return np.asarray(length, dtype if isinstance(length, int) else object)


@rule("set_dimension_size")
def _(frame, op, x, size):
    axis = integer(op, "dimension")
    (n,) = lengths(size, op)
    return x if n == aval_of(x).shape[axis] else lax.slice_in_dim(x, 0, n, axis=axis)


@rule("dynamic_broadcast_in_dim")
def _(frame, op, x, shape):
    return lax.broadcast_in_dim(x, lengths(shape, op), integers(op, "broadcast_dimensions"))


@rule("dynamic_reshape")
def _(frame, op, x, shape):
    return lax.reshape(x, lengths(shape, op))


@rule("dynamic_iota")
def _(frame, op, shape):
    dtype = dtype_of(op.results[0].type.element)
    return lax.broadcasted_iota(dtype, lengths(shape, op), integer(op, "iota_dimension"))


@rule("dynamic_pad")
def _(frame, op, x, value, low, high, interior):
    return lax.pad(x, value, list(zip(lengths(low, op), lengths(high, op), lengths(interior, op))))


@rule("real_dynamic_slice")
def _(frame, op, x, start, limit, strides):
    if known(start) and known(limit):
        return lax.slice(x, lengths(start, op), lengths(limit, op), lengths(strides, op))
    # The start is a value of the program; the length is known from the type, or from a limit that is start + length.
    sizes = [n if n is not None else aval_of(x).shape[d] for d, n in enumerate(op.results[0].type.shape)]
    starts = [lax.index_in_dim(start, d, keepdims=False) for d in range(len(sizes))]
    return lax.dynamic_slice(x, starts, sizes)


@rule("dynamic_gather")
def _(frame, op, x, indices, sizes):
    return gathered(op, x, indices, lengths(sizes, op))


@rule("dynamic_conv")
def _(frame, op, x, kernel, padding):
    rows = lengths(padding, op)
    return convolved(op, x, kernel, list(zip(rows[::2], rows[1::2])))




def windows(frame, op, x, start, *geometry):
    """Return a reduction of windows whose lengths are values."""
    window, strides, base, spread, rows = [lengths(g, op) for g in geometry]
    body = frame.program.function(op.attributes["called_computations"][0]).body
    return reduced_windows(frame, [[body]], x, start, window, strides, base, spread, list(zip(rows[::2], rows[1::2])))
