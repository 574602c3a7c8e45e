"""Nodes of the graph, views by which they are read, and the parts of numbers that machines do not know.

A `View` is a base with an offset and a stride for each axis, in elements. Numbers of less than 16 bits that are no
integers of 8 are bytes (narrow_dtypes.py). Complex arrays are stored as real ones
with one more axis, of length 2, and random keys as arrays of their words; inside a graph a complex value is a
`Pair` of real ones, which stand in memory side by side or are two results of their own.

Tests: `tests/engines/native/test_operations.py`.
"""

from __future__ import annotations

from functools import cache
from math import prod
from typing import Any

import numpy as np

from ....core import dtypes
from ....core.dtypes import KeyDType
from ....core.process.memo import memoized
from ..text.builder import SUPPORTED

__all__ = ["Node", "Pair", "Source", "Type", "View", "contiguous", "kind_of", "logical", "physical", "supported"]

_BYTES = frozenset((
    *dtypes.small_ints, dtypes.float8_e3m4, dtypes.float8_e4m3, dtypes.float8_e4m3b11fnuz, dtypes.float8_e4m3fn,
    dtypes.float8_e4m3fnuz, dtypes.float8_e5m2, dtypes.float8_e5m2fnuz, dtypes.float8_e8m0fnu, dtypes.float4_e2m1fn,
))
_U8 = np.dtype("u1")
_PARTS = {np.dtype("c8"): np.dtype("f4"), np.dtype("c16"): np.dtype("f8")}


def physical(shape, dtype) -> tuple[tuple[int, ...], object]:
    """Return the shape and dtype in which generated code sees an array."""
    if dtype in _PARTS:
        return (*shape, 2), _PARTS[dtype]
    if dtype in _BYTES:
        return shape, _U8
    if isinstance(dtype, KeyDType):
        return (*shape, *dtype._impl.key_shape), np.dtype("u4")
    return shape, dtype


def logical(array, shape, dtype):
    """Return a buffer as Python knows arrays of this type, from one of either form."""
    dtype = getattr(dtype, "buffer_dtype", dtype)
    if array.dtype == dtype and array.shape == shape:
        return array
    return np.ndarray(shape, dtype, np.ascontiguousarray(array))


def supported(aval) -> bool:
    """Return whether generated code can hold arrays of this type."""
    return kind_of(aval.dtype) != ""


@cache
def kind_of(dtype) -> str:
    """Return how code holds such arrays: as `real`, `small` or `complex` numbers or `keys`; empty if it cannot.
    """
    held = physical((), dtype)[1]
    if not isinstance(held, np.dtype) or held not in SUPPORTED:
        return ""
    if dtype in _BYTES:
        return "small"
    return "complex" if dtype.kind == "c" else "keys" if isinstance(dtype, KeyDType) else "real"


@memoized(4096)
def contiguous(shape) -> tuple[int, ...]:
    """Return the strides of an array in row-major order."""
    strides, n = [], 1
    for d in reversed(shape):
        strides.append(n)
        n *= d
    return tuple(strides[::-1])


class Node:
    """An array of the graph: `kind` says how it is made.

    input, constant (`value`), iota (one axis), elementwise (`op`, `params`), reduce (`op`, `axes`), part (like
    an element-wise copy, into a region of the array of `step`), result (of `step`).
    """

    __slots__ = (
        "axes", "dtype", "into", "is_packed", "kind", "op", "operands", "order", "params", "shape", "size", "source",
        "step", "value",
    )

    def __init__(self, kind, shape, dtype, order, op=None, operands=(), params=()):
        self.kind: str = kind
        self.shape: tuple[int, ...] = shape
        self.size: int = prod(shape)
        self.dtype = dtype
        self.order: int = order
        self.op = op
        self.operands: tuple[View, ...] = operands
        self.params: tuple = params
        self.axes: tuple[int, ...] = ()
        self.step: Any = None  # a step of graph.py
        self.value: Any = None
        self.into: View | None = None
        self.source: tuple | None = None  # the place in the program of the equation
        self.is_packed = False  # whether Python's array of it has complex numbers or keys for elements

    def __repr__(self):
        return f"{self.kind}{self.order}:{self.op or ''}{list(self.shape)}"


class View:
    """Elements of `base`: that at index i stands at offset + sum(i * strides)."""

    __slots__ = ("base", "offset", "shape", "strides")

    def __init__(self, base, shape, offset: int, strides):
        self.base = base
        self.shape: tuple[int, ...] = shape
        self.offset = offset
        self.strides: tuple[int, ...] = strides

    @property
    def key(self) -> tuple:
        return id(self.base), self.shape, self.offset, self.strides

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def is_whole(self) -> bool:
        """Return whether this is the base as it is, or with other axes but in the same order."""
        if self.offset or self.shape != self.base.shape and prod(self.shape) != self.base.size:
            return False
        order = contiguous(self.shape)
        return self.strides == order or all([d == 1 or s == c for d, s, c in zip(self.shape, self.strides, order)])

    def broadcast(self, shape, dimensions) -> View:
        strides = [0] * len(shape)
        for i, axis in enumerate(dimensions):
            if self.shape[i] == shape[axis]:
                strides[axis] = self.strides[i]
        return View(self.base, tuple(shape), self.offset, tuple(strides))

    def stretched(self, shape) -> View:
        """Stretch to a shape as element-wise operands are: of rank 0, or with axes of length 1."""
        if self.shape == shape:
            return self
        return self.broadcast(shape, range(len(shape)) if self.shape else ())

    def transpose(self, permutation) -> View:
        return View(
            self.base, tuple([self.shape[i] for i in permutation]), self.offset,
            tuple([self.strides[i] for i in permutation]),
        )

    def squeeze(self, dimensions) -> View:
        kept = [i for i in range(len(self.shape)) if i not in dimensions]
        return self.transpose(kept)

    def reverse(self, dimensions) -> View:
        offset, strides = self.offset, list(self.strides)
        for i in dimensions:
            offset += (self.shape[i] - 1) * strides[i]
            strides[i] = -strides[i]
        return View(self.base, self.shape, offset, tuple(strides))

    def slice(self, starts, limits, steps) -> View:
        shape = tuple([max(0, -(-(stop - start) // step)) for start, stop, step in zip(starts, limits, steps)])
        offset = self.offset + sum([a * s for a, s in zip(starts, self.strides)])
        return View(self.base, shape, offset, tuple([s * k for s, k in zip(self.strides, steps)]))

    def reshape(self, shape) -> View | None:
        """None if the new axes have no strides: the elements must be moved."""
        if self.strides == contiguous(self.shape):
            return View(self.base, shape, self.offset, contiguous(shape))
        if not any([s for s, d in zip(self.strides, self.shape) if d != 1]):
            return View(self.base, shape, self.offset, (0,) * len(shape))
        old = [(d, s) for d, s in zip(self.shape, self.strides) if d != 1]
        strides: list[int] = [0] * len(shape)
        new = [i for i, d in enumerate(shape) if d != 1]
        i = j = 0
        while i < len(old) and j < len(new):
            n, m, last, group = old[i][0], shape[new[j]], i, [new[j]]
            while n != m:
                if n < m:
                    last += 1
                    n *= old[last][0]
                    if old[last - 1][1] != old[last][1] * old[last][0]:
                        return None
                else:
                    j += 1
                    group.append(new[j])
                    m *= shape[new[j]]
            stride = old[last][1]
            for axis in reversed(group):
                strides[axis] = stride
                stride *= shape[axis]
            i, j = last + 1, j + 1
        return View(self.base, shape, self.offset, tuple(strides))


class Source(View):
    """The array of a `take`: the element for index i stands at a computed place from where this view has it."""

    __slots__ = ()


class Type:
    """Shape and dtype, where no equation has an aval."""

    __slots__ = ("dtype", "shape")

    def __init__(self, shape, dtype):
        self.shape, self.dtype = shape, dtype


class Pair:
    """A complex array as its real and imaginary parts."""

    __slots__ = ("im", "re")

    def __init__(self, re: View, im: View):
        self.re = re
        self.im = im

    @property
    def shape(self) -> tuple[int, ...]:
        return self.re.shape

    @staticmethod
    def of(view: View) -> Pair:
        """Return the parts of what stands side by side along the last axis."""
        n, stride = len(view.shape) - 1, view.strides[-1]
        part = lambda k: View(view.base, view.shape[:n], view.offset + k * stride, view.strides[:n])
        return Pair(part(0), part(1))

    def joined(self) -> View | None:
        """Return the view that has the parts side by side, if there is one."""
        re, im = self.re, self.im
        if re.base is not im.base or im.offset != re.offset + 1 or re.strides != im.strides:
            return None
        return View(re.base, (*re.shape, 2), re.offset, (*re.strides, 1))
