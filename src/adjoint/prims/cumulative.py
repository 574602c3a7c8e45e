"""Running sums, products and extrema along one axis, from either end, and the product of all, which they derive.

The derivatives of those that are not linear run a tree of pairwise combinations over values and
tangents together: no division, so zeros and infinities are harmless.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ..core import dtypes
from ..core.messages.errors import message
from ..core.primitive import Primitive
from ..core.types import ShapedArray, aval_of
from ..sharding import rules
from .arithmetic import add, div, max_, min_, mul, real, sub
from .conversion import convert_element_type
from .domains import INEXACT, NUMBER, check_dtype
from .family import add_any, like
from .logic import eq, ge, ne, select_n
from .reduction import reduction, reshaped
from .shape import broadcast_in_dim, concatenate, full, inverse, reduce_sum, reduction_calls, rev, transpose
from .slicing import pad, slice_
from .summation import accumulated, running
from .transcendental import exp, log1p

__all__ = ["cumlogsumexp", "cummax", "cummin", "cumprod", "cumsum", "reduce_prod"]


def cumulative(
    name: str, accumulate: Callable, operation: Primitive | None, combine: Callable | None = None,
    domain: tuple = NUMBER,
) -> Primitive:
    """Return a primitive with parameters `axis` and `reverse`.

    Args:
      accumulate: (x, axis) -> the running result from the front.
      operation: that of two elements, if it is a primitive.
      combine: (a, a_dot, b, b_dot) -> two elements combined, and the tangent; None if linear.
    """
    p = Primitive(name, linear=combine is None)
    p.sharding(rules.scanned_over)
    p.combines(operation)

    @p.type
    def _(x, *, axis, reverse):
        if axis < 0:
            raise ValueError(
                f"XLA operations do not allow negative axes\n  lax.{name} got axis={axis}.\n"
                "  Try: axis % x.ndim"
            )
        if axis >= x.ndim:
            what = f"axis {axis} is out of bounds for array of shape {x.shape}"
            raise ValueError(message(what, fix=f"axis={x.ndim - 1} for the last one" if x.ndim else "jnp.ravel(x)"))
        check_dtype(name, domain, x.dtype)
        return x

    @p.evaluate
    def _(x, *, axis, reverse):
        if not reverse:
            return accumulate(x, axis)
        return np.flip(accumulate(np.flip(x, axis), axis), axis)

    @p.batch
    def _(args, dims, *, axis, reverse):
        (x,), (d,) = args, dims
        return p(x, axis=axis + (axis >= d), reverse=reverse), d

    if combine is not None:

        @p.jvp
        def _(primals, tangents, *, axis, reverse):
            (x,), (t,) = primals, tangents
            flip = (lambda y: rev(y, dimensions=(axis,))) if reverse else (lambda y: y)
            flipped, t = flip(x), flip(t)
            axis += aval_of(x).ndim if -aval_of(x).ndim <= axis < 0 else 0  # JAX parity: counted from the end here
            out = _strong(p(x, axis=axis, reverse=reverse))
            return out, flip(_dual_scan(combine, flipped, t, axis)[1])

    f32 = dtypes.float32
    p.examples(
        (ShapedArray((5,), f32), dict(axis=0, reverse=False)),
        (ShapedArray((2, 3), f32), dict(axis=1, reverse=True)),
        (ShapedArray((3, 2), f32), dict(axis=0, reverse=False)),
        (ShapedArray((0, 2), f32), dict(axis=0, reverse=False)),
        (ShapedArray((4,), dtypes.bfloat16), dict(axis=0, reverse=False)),
    )
    return p


def _strong(x):
    aval = aval_of(x)
    return convert_element_type(x, new_dtype=aval.dtype) if aval.weak_type else x


# ---- derivatives --------------------------------------------------------------------------------


def _dual_scan(combine, x, t, axis):
    """Running combination of (x, t) pairs along `axis`, in a tree of logarithmic depth.

    Neighbours are combined; the running result of the pairs belongs at the odd positions, and each
    even position is one combination away from the odd one before it. (Ladner and Fischer 1980.)
    """
    n = x.shape[axis]
    if n < 2:
        return x, t

    def part(y, start, stop, step):
        starts, stops, steps = [0] * y.ndim, list(y.shape), [1] * y.ndim
        starts[axis], stops[axis], steps[axis] = start, stop, step
        return slice_(
            y, start_indices=tuple(starts), limit_indices=tuple(stops), strides=tuple(steps)
        )

    def spread(y, low, high):  # zeros between the elements
        config = [(0, 0, 0)] * y.ndim
        config[axis] = (low, high, 1)
        return pad(y, full((), 0, aval_of(y).dtype), padding_config=tuple(config))

    def interleave(even, odd):
        m = even.shape[axis] - odd.shape[axis]
        return add(spread(even, 0, 1 - m), spread(odd, 1, m))

    firsts, seconds = ([part(y, i, n - 1 + i, 2) for y in (x, t)] for i in (0, 1))
    odd = _dual_scan(combine, *combine(*firsts, *seconds), axis)
    if n == 2:
        even = part(x, 0, 1, 1), part(t, 0, 1, 1)
    else:
        before = [part(y, 0, y.shape[axis] - (n % 2 == 0), 1) for y in odd]
        rest = combine(*before, part(x, 2, n, 2), part(t, 2, n, 2))
        even = [
            concatenate(part(first, 0, 1, 1), y, dimension=axis) for first, y in zip((x, t), rest)
        ]
    return tuple([interleave(e, o) for e, o in zip(even, odd)])


def _product(a, a_dot, b, b_dot):
    return mul(a, b), add_any(mul(a_dot, b), mul(a, b_dot))


def _extremum(choose):
    """Return the tangent of the operand that is chosen; the mean of both where they are equal."""

    def combine(a, a_dot, b, b_dot):
        out = choose(a, b)
        return out, add_any(mul(a_dot, _share(a, b, out)), mul(b_dot, _share(b, a, out)))

    return combine


def _share(x, y, out):
    """1 where `x` alone is the result, 1/2 where `y` is too, 0 elsewhere."""
    zero, one, two = (_filled(x, value) for value in (0, 1, 2))
    return div(select_n(eq(x, out), zero, one), select_n(eq(y, out), one, two))


def _filled(x, value):
    """An array of one value, divided as `x` is."""
    explicit = aval_of(x).explicit_sharding
    if explicit is None or not explicit.is_divided:
        return full(x.shape, value, x.dtype)
    scalar = full((), value, x.dtype)
    return broadcast_in_dim(scalar, shape=x.shape, broadcast_dimensions=(), sharding=explicit)


def _logaddexp(a, a_dot, b, b_dot):
    """out = log(e^a + e^b), out_dot = a_dot e^(a - out) + b_dot e^(b - out)."""
    gap, order = sub(a, b), real if aval_of(a).dtype.kind == "c" else lambda x: x
    first = ge(order(a), order(b))  # where both are equal, this has all derivatives, and max and abs have not
    larger, smaller = select_n(first, b, a), select_n(first, a, b)
    out = add(larger, log1p(exp(sub(smaller, larger))))
    out = select_n(ne(gap, gap), out, add(a, b))  # inf - inf

    def finite(x):  # so that inf - inf counts as 0
        return select_n(eq(x, like(x, np.inf)), x, _filled(x, 0))

    weight = lambda x: exp(sub(finite(x), finite(out)))
    return out, add(mul(a_dot, weight(a)), mul(b_dot, weight(b)))


# ---- the primitives -----------------------------------------------------------------------------


def _running_logsumexp(x, axis):
    if x.dtype.kind == "c":
        shift = np.max(x.real, axis=axis, keepdims=True, initial=-np.inf)
        shift = np.where(np.isfinite(shift), shift, 0).astype(x.real.dtype)
        return np.log(running(np.add, np.exp(x - shift), axis)) + shift
    return accumulated(partial(running, np.logaddexp), x, axis) + x.dtype.type(0)  # the logarithm of one has no sign


def _by(ufunc):
    return lambda x, axis: accumulated(ufunc.accumulate, x, axis)


cumsum = cumulative("cumsum", lambda x, axis: accumulated(partial(running, np.add), x, axis), add)
cumprod = cumulative("cumprod", _by(np.multiply), mul, _product)
cumsum.exact("biu")
cumprod.exact("biu")
cummax = cumulative("cummax", _by(np.maximum), max_, _extremum(max_))
cummin = cumulative("cummin", _by(np.minimum), min_, _extremum(min_))
cummax.exact("biuf")
cummin.exact("biuf")
cumlogsumexp = cumulative("cumlogsumexp", _running_logsumexp, None, _logaddexp, INEXACT)


# The adjoint of a running sum is the running sum from the other end.
@cumsum.transpose
def _(ct, x, *, axis, reverse):
    return [cumsum(ct, axis=axis, reverse=not reverse)]


# ---- the product ---------------------------------------------------------------------------------

reduce_prod = reduction(
    "reduce_prod", NUMBER, lambda x, *, axes: accumulated(np.multiply.reduce, x, axes), mul
)
reduce_prod.exact("biu")
reduce_prod.examples(*reduction_calls(dtypes.float32, dtypes.int32, dtypes.complex64))


@reduce_prod.jvp
def _(primals, tangents, *, axes):
    (x,), (t,) = primals, tangents
    out = reduce_prod(x, axes=axes)
    if not axes:
        return out, t
    return out, reduce_sum(mul(t, _others(x, axes)), axes=axes, out_sharding=None)


def _others(x, axes):
    """Return for each element the product of all others along `axes`; zeros are harmless."""
    shape, axis = x.shape, axes[0]
    if len(axes) > 1:
        order = tuple([i for i in range(len(shape)) if i not in axes]) + tuple(axes)
        kept = tuple([shape[i] for i in order[: -len(axes)]])
        axis = len(kept)
        rest = int(np.prod([shape[i] for i in axes]))
        x = reshaped(transpose(x, permutation=order), (*kept, rest))
    if not x.shape[axis]:
        return reshaped(x, shape)

    def shifted(y, low, high):  # the running product without the element itself
        config = tuple([(low, high, 0) if i == axis else (0, 0, 0) for i in range(y.ndim)])
        return pad(y, like(y, 1), padding_config=config)

    out = mul(
        shifted(cumprod(x, axis=axis, reverse=False), 1, -1),
        shifted(cumprod(x, axis=axis, reverse=True), -1, 1),
    )
    if len(axes) > 1:
        out = transpose(
            reshaped(out, tuple([shape[i] for i in order])), permutation=inverse(order)
        )
    return out
