"""Reductions: primitives that combine all elements along some axes.

All take `axes`, a tuple. Extrema come first, then logical reductions and positions of extrema. The sum is in
`shape.py`, as the transpose of a broadcast, and the product, which running products derive, in `cumulative.py`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..core import dtypes
from ..core.messages.errors import message
from ..core.primitive import Primitive
from ..core.types import ShapedArray, aval_of
from ..core.values.zeros import Zero
from ..sharding import rules
from .arithmetic import div, max_, min_, mul
from .conversion import convert_element_type
from .domains import ANY, BITS, ORDERED, check_dtype, highest, lowest
from .logic import and_, eq, or_, xor
from .shape import (
    batch_reduction,
    check_axes,
    reduce_sum,
    reduction_calls,
    reshape,
)
from .summation import ACCUMULATED_IN, accumulated

__all__ = [
    "argmax", "argmin", "reduce_and", "reduce_max", "reduce_min", "reduce_or", "reduce_xor",
]


# ---- what they share ----------------------------------------------------------------------------


def reshaped(x, shape):
    """Return `x` in another shape."""
    return reshape(x, new_sizes=shape, dimensions=None, sharding=None)


def keep_axes(out, shape: tuple[int, ...], axes):
    """Return `out` with the reduced axes of `shape` put back with length 1."""
    return reshaped(out, tuple([1 if i in axes else n for i, n in enumerate(shape)]))


def constant(p):
    """Return the jvp rule of a primitive whose result does not vary smoothly: no tangent."""

    def rule(primals, _, **params):
        out = p.bind(*primals, **params)
        return out, Zero(aval_of(out).to_tangent_aval())

    return rule


def reduction(
    name: str, domain: tuple, evaluate: Callable, operation: Primitive
) -> Primitive:
    """Return a primitive that reduces the axes `axes` of an array with a dtype in `domain` by an operation of two
    elements.
    """
    p = Primitive(name)
    p.sharding(rules.reduced("axes"))
    p.combines(operation)

    @p.type
    def _(x, *, axes):
        shape = check_axes(name, x, axes)
        check_dtype(name, domain, x.dtype)
        return ShapedArray(shape, x.dtype, x.weak_type)

    p.evaluate(evaluate)
    p.batch(batch_reduction(p))
    return p


_f32 = dtypes.float32
_i32 = dtypes.int32


# ---- extrema ------------------------------------------------------------------------------------


def extremum(ufunc, identity):
    """Evaluation of a maximum or minimum; `identity` gives the result of an empty one."""

    def evaluate(x, *, axes):
        if not axes:
            return x
        wide = ACCUMULATED_IN.get(x.dtype)
        if x.size and wide is None:
            return ufunc.reduce(x, axis=axes)
        out = ufunc.reduce(x.astype(wide or x.dtype), axis=axes, initial=identity(x.dtype))
        return out.astype(x.dtype)

    return evaluate


reduce_max = reduction("reduce_max", ANY, extremum(np.maximum, lowest), max_)
reduce_min = reduction("reduce_min", ANY, extremum(np.minimum, highest), min_)
reduce_max.exact("biuf")
reduce_min.exact("biuf")


def extremum_jvp(p, total):
    """Return the jvp rule of a maximum or minimum: the mean of the tangents where it is reached.

    `total` sums over `axes`, which may hold names of axes beside positions.
    """

    def rule(primals, tangents, *, axes, **params):
        (x,), (t,) = primals, tangents
        out = p(x, axes=axes, **params)
        if not x.size:
            return out, Zero(out.aval)
        positions = [a for a in axes if isinstance(a, int)]
        reached = convert_element_type(
            eq(x, keep_axes(out, x.shape, positions)),
            new_dtype=aval_of(out).dtype, weak_type=False, sharding=None,
        )
        count = total(reached, axes)
        return out, div(total(mul(t, reached), axes), count)

    return rule


for p in (reduce_max, reduce_min):
    p.jvp(extremum_jvp(p, lambda y, axes: reduce_sum(y, axes=axes, out_sharding=None)))
    p.examples(*[c for c in reduction_calls(_f32) if c[0].size], *reduction_calls(_i32, dtypes.bool_))


# ---- logical reductions -------------------------------------------------------------------------


def _logical(name, ufunc, operation):
    evaluate = lambda x, *, axes: accumulated(ufunc.reduce, x, axes)
    p = reduction(name, BITS, evaluate, operation)
    infer = p.type_rule

    @p.type
    def _(x, *, axes):
        if not dtypes.issubdtype(x.dtype, np.integer) and x.dtype != dtypes.bool_:
            raise TypeError(
                f"logical reduction requires operand dtype bool or int, got {x.dtype.name}.\n"
                f"  Try: lax.{name}(x != 0, axes)"
            )
        return infer(x, axes=axes).strip_weak_type()

    p.jvp(constant(p))
    p.examples(*reduction_calls(dtypes.bool_, _i32, dtypes.uint8))
    return p


reduce_and = _logical("reduce_and", np.bitwise_and, and_)
reduce_or = _logical("reduce_or", np.bitwise_or, or_)
reduce_and.exact("biuf")
reduce_or.exact("biuf")
reduce_xor = _logical("reduce_xor", np.bitwise_xor, xor)
reduce_xor.exact("biu")


# ---- positions ----------------------------------------------------------------------------------


def _position(name, find):
    """Return the first position of an extremum along the one axis in `axes`; NaN wins."""
    p = Primitive(name)
    p.sharding(rules.reduced("axes"))

    @p.type
    def _(x, *, axes, index_dtype):
        (axis,) = axes
        if not 0 <= axis < x.ndim:
            raise np.exceptions.AxisError(  # JAX parity: an IndexError under `vmap`
                message(f"Invalid axis {axis} for operand shape {x.shape}", fix=f"an axis from 0 to {x.ndim - 1}")
            )
        check_dtype(name, ORDERED, x.dtype)
        if not dtypes.issubdtype(index_dtype, np.integer):
            given = np.dtype(index_dtype).name
            raise TypeError(f"index_dtype must be an integer type, but got {given}")
        if not x.shape[axis]:
            raise ValueError(
                "argmin and argmax require non-empty reduced dimension. "
                f"operand.shape={x.shape} axis={axis}"
            )
        return ShapedArray(x.shape[:axis] + x.shape[axis + 1 :], index_dtype)

    @p.evaluate
    def _(x, *, axes, index_dtype):
        wide = ACCUMULATED_IN.get(x.dtype)
        return find(x if wide is None else x.astype(wide), axes[0]).astype(index_dtype)

    p.jvp(constant(p))
    p.batch(batch_reduction(p))
    p.examples(
        *[
            (ShapedArray(shape, dtype), dict(axes=(axis,), index_dtype=index))
            for dtype in (_f32, _i32, dtypes.bool_, dtypes.bfloat16)
            for shape, axis, index in (
                ((2, 3), 1, _i32), ((2, 3), 0, dtypes.uint8), ((4,), 0, _i32)
            )
        ]
    )
    return p


argmax = _position("argmax", lambda x, axis: x.argmax(axis))
argmin = _position("argmin", lambda x, axis: x.argmin(axis))
argmax.exact("biuf")
argmin.exact("biuf")
