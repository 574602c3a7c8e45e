"""Reductions: primitives that combine all elements along some axes.

All take `axes`, a tuple. Sums and products come first, then extrema, logical reductions and
positions of extrema. Small floats are accumulated in float32 and rounded once.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..core import dtypes
from ..core.primitive import Primitive
from ..core.types import ShapedArray, Zero, aval_of
from .arithmetic import div, mul
from .conversion import convert_element_type
from .family import ANY, BITS, ORDERED, check_dtype, like
from .logic import eq
from .shape import broadcast_in_dim, inverse, pad, reshape, transpose
from .summation import FEW, total

__all__ = [
    "argmax", "argmin", "reduce_and", "reduce_max", "reduce_min", "reduce_or", "reduce_prod",
    "reduce_sum", "reduce_xor",
]


# ---- what they share ----------------------------------------------------------------------------

NUMBER = (np.number,)  # all of them, in a word


def check_axes(name, x, axes, kind: type[Exception] = ValueError) -> tuple[int, ...]:
    """The shape that is left after reducing `axes`; an error of that class for one that is not there."""
    if len(set(axes)) != len(axes):
        raise ValueError(f"duplicate value in 'axes' of reduction: {axes}")
    if any(not 0 <= a < x.ndim for a in axes):
        raise kind(
            f"reduction axes {axes} contains out-of-bounds indices for {x.str_short()}.\n"
            f"  An axis of {name} is at least 0 and less than {x.ndim}.\n  Try: axis % x.ndim"
        )
    return tuple([n for i, n in enumerate(x.shape) if i not in axes])


# The dtype in which a sum or product of such elements is formed.
_WIDE = {
    **dict.fromkeys((dtypes.float16, dtypes.bfloat16, *dtypes.small_floats), dtypes.float32),
    **dict.fromkeys(dtypes.small_ints, dtypes.int32),
}


def accumulated(ufunc_method: Callable, x, axis):
    """A reduction or accumulation, as of a ufunc, in a dtype wide enough, in the dtype of `x`."""
    wide = _WIDE.get(x.dtype)
    if wide is None:
        return ufunc_method(x, axis=axis, dtype=x.dtype)
    return np.asarray(ufunc_method(x.astype(wide), axis=axis)).astype(x.dtype)


def keep_axes(out, shape: tuple[int, ...], axes):
    """`out` with the reduced axes of `shape` put back with length 1."""
    return _reshaped(out, tuple([1 if i in axes else n for i, n in enumerate(shape)]))


def batch_reduction(p):
    """The batch rule of a reduction with parameter `axes`."""

    def rule(args, dims, *, axes, **params):
        (x,), (d,) = args, dims
        inner = tuple([a + (a >= d) for a in axes])
        return p(x, axes=inner, **params), d - sum(a < d for a in inner)

    return rule


def constant(p):
    """The jvp rule of a primitive whose result does not vary smoothly: no tangent."""

    def rule(primals, _, **params):
        out = p.bind(*primals, **params)
        return out, Zero(aval_of(out).to_tangent_aval())

    return rule


def reduction(name: str, domain: tuple, evaluate: Callable, kind: type[Exception] = ValueError) -> Primitive:
    """A primitive that reduces the axes `axes` of an array with a dtype in `domain`."""
    p = Primitive(name)

    @p.type
    def _(x, *, axes):
        shape = check_axes(name, x, axes, kind)
        check_dtype(name, domain, x.dtype)
        return ShapedArray(shape, x.dtype, x.weak_type)

    p.evaluate(evaluate)
    p.batch(batch_reduction(p))
    return p


_f32 = dtypes.float32
_i32 = dtypes.int32


def _calls(*types) -> list:
    """Return calls of each operand type with one axis, all axes, none, and an empty axis."""
    return [
        (ShapedArray(shape, dtype), dict(axes=axes))
        for dtype in types
        for shape, axes in (((2, 3), (1,)), ((2, 3, 2), (0, 2)), ((2, 3), ()), ((0, 3), (0,)))
    ]


# ---- sum and product ----------------------------------------------------------------------------

reduce_sum = Primitive("reduce_sum", linear=True)


@reduce_sum.type
def _(x, *, axes, out_sharding=None):
    shape = check_axes("reduce_sum", x, axes)
    check_dtype("reduce_sum", NUMBER, x.dtype)
    return ShapedArray(shape, x.dtype, x.weak_type)


@reduce_sum.evaluate
def _(x, *, axes, out_sharding=None):
    return accumulated(np.add.reduce if x.size <= FEW else total, x, axes) if axes else x  # 0 + -0 is 0


@reduce_sum.transpose
def _(ct, x, *, axes, out_sharding=None):
    if not x.aval.shape:
        return [ct]
    kept = tuple([i for i in range(x.aval.ndim) if i not in axes])
    return [broadcast_in_dim(ct, shape=x.aval.shape, broadcast_dimensions=kept, sharding=x.aval.explicit_sharding)]


reduce_sum.batch(batch_reduction(reduce_sum))
reduce_sum.examples(*_calls(_f32, _i32, dtypes.complex64, dtypes.bfloat16))

reduce_prod = reduction(
    "reduce_prod", NUMBER, lambda x, *, axes: accumulated(np.multiply.reduce, x, axes)
)
reduce_prod.examples(*_calls(_f32, _i32, dtypes.complex64))


@reduce_prod.jvp
def _(primals, tangents, *, axes):
    (x,), (t,) = primals, tangents
    out = reduce_prod(x, axes=axes)
    if not axes:
        return out, t
    return out, reduce_sum(mul(t, _others(x, axes)), axes=axes, out_sharding=None)


def _others(x, axes):
    """Return for each element the product of all others along `axes`; zeros are harmless."""
    from .cumulative import cumprod

    shape, axis = x.shape, axes[0]
    if len(axes) > 1:
        order = tuple([i for i in range(len(shape)) if i not in axes]) + tuple(axes)
        kept = tuple([shape[i] for i in order[: -len(axes)]])
        axis = len(kept)
        rest = int(np.prod([shape[i] for i in axes]))
        x = _reshaped(transpose(x, permutation=order), (*kept, rest))
    if not x.shape[axis]:
        return _reshaped(x, shape)

    def shifted(y, low, high):  # the running product without the element itself
        config = tuple([(low, high, 0) if i == axis else (0, 0, 0) for i in range(y.ndim)])
        return pad(y, like(y, 1), padding_config=config)

    out = mul(
        shifted(cumprod(x, axis=axis, reverse=False), 1, -1),
        shifted(cumprod(x, axis=axis, reverse=True), -1, 1),
    )
    if len(axes) > 1:
        out = transpose(
            _reshaped(out, tuple([shape[i] for i in order])), permutation=inverse(order)
        )
    return out


def _reshaped(x, shape):
    return reshape(x, new_sizes=shape, dimensions=None, sharding=None)


# ---- extrema ------------------------------------------------------------------------------------


def _extremum(ufunc, identity):
    """Evaluation of a maximum or minimum; `identity` gives the result of an empty one."""

    def evaluate(x, *, axes):
        if not axes:
            return x
        wide = _WIDE.get(x.dtype)
        if x.size and wide is None:
            return ufunc.reduce(x, axis=axes)
        out = ufunc.reduce(x.astype(wide or x.dtype), axis=axes, initial=identity(x.dtype))
        return out.astype(x.dtype)

    return evaluate


def lowest(dtype):
    """The least element of a dtype."""
    if dtype == dtypes.bool_:
        return False
    if dtypes.issubdtype(dtype, np.integer):
        return dtypes.iinfo(dtype).min
    return -np.inf


def highest(dtype):
    """The greatest element of a dtype."""
    if dtype == dtypes.bool_:
        return True
    if dtypes.issubdtype(dtype, np.integer):
        return dtypes.iinfo(dtype).max
    return np.inf


reduce_max = reduction("reduce_max", ANY, _extremum(np.maximum, lowest))
reduce_min = reduction("reduce_min", ANY, _extremum(np.minimum, highest))


def extremum_jvp(p, total):
    """The jvp rule of a maximum or minimum: the mean of the tangents where it is reached.

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
            new_dtype=x.dtype, weak_type=False, sharding=None,
        )
        count = total(reached, axes)
        return out, div(total(mul(t, reached), axes), count)

    return rule


for p in (reduce_max, reduce_min):
    p.jvp(extremum_jvp(p, lambda y, axes: reduce_sum(y, axes=axes, out_sharding=None)))
    p.examples(*[c for c in _calls(_f32) if c[0].size], *_calls(_i32, dtypes.bool_))


# ---- logical reductions -------------------------------------------------------------------------


def _logical(name, ufunc):
    p = reduction(name, BITS, lambda x, *, axes: accumulated(ufunc.reduce, x, axes), np.exceptions.AxisError)
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
    p.examples(*_calls(dtypes.bool_, _i32, dtypes.uint8))
    return p


reduce_and = _logical("reduce_and", np.bitwise_and)
reduce_or = _logical("reduce_or", np.bitwise_or)
reduce_xor = _logical("reduce_xor", np.bitwise_xor)


# ---- positions ----------------------------------------------------------------------------------


def _position(name, find):
    """The first position of an extremum along the one axis in `axes`; NaN wins."""
    p = Primitive(name)

    @p.type
    def _(x, *, axes, index_dtype):
        (axis,) = axes
        if not 0 <= axis < x.ndim:
            raise ValueError(f"Invalid axis {axis} for operand shape {x.shape}")
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
        wide = _WIDE.get(x.dtype)
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
