"""Parts of the rules of special functions: double precision, polynomials, loops that end with convergence.

Continued fractions need the range of float64, and sums its digits: results are rounded to their type at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ....core import dtypes
from ....core.options.config import enable_x64
from ....prims.conversion import convert_element_type
from ....prims.logic import select_n
from ....prims.reduction import reduce_or
from ....prims.shape import full
from ..rules import lower
from ..stablehlo import Value, Writer
from .lowerings import while_loop

_MAX_TURNS = 10_000  # of a loop that does not converge


def where(which, x, y):
    """Return `x` where `which` holds, else `y`; one of them may be a number."""
    dtype = x.dtype if hasattr(x, "dtype") else y.dtype
    of_shape = lambda v: v if hasattr(v, "dtype") else full(which.shape, v, dtype)
    return select_n(which, of_shape(y), of_shape(x))


def filled(x, value):
    """Return an array like `x` of one value, whose dtype is known for scalars too."""
    return full(x.shape, value, x.dtype)


def as_dtype(x, dtype):
    return convert_element_type(x, new_dtype=np.dtype(dtype), weak_type=False, sharding=None)


def _any(x):
    return reduce_or(x, axes=tuple(range(x.ndim))) if x.ndim else x


def written(w: Writer, fun: Callable, operands: Sequence[Value]) -> list[Value]:
    """Return the program of a function of arrays, in place, with types of 64 bits."""
    with enable_x64(True):
        return w.written(lambda *xs: list(fun(*xs)), operands)


def loop(w: Writer, body: Callable, carry: Sequence[Value]) -> list[Value]:
    """Return `carry` after as many steps as it takes.

    `body` writes one: [number of the step, which elements go on, *carry] -> [which go on, *next carry].
    """
    first, flags = carry[0].aval, w.splat(True, carry[0].aval.update(dtype=dtypes.bool_))
    n = w.constant(np.float64(0), first.update(shape=(), dtype=dtypes.float64))

    def next_values(values):
        (n,) = written(w, lambda n: [n + 1], values[:1])
        return [n, *body([n, *values[1:]])]

    go_on = lambda values: written(w, lambda n, more: [_any(more) & (n < _MAX_TURNS)], values[:2])[0]
    return while_loop(w, [n, flags, *carry], go_on, next_values)[2:]


def until_done(w: Writer, step: Callable, carry: Sequence[Value]) -> list[Value]:
    """Return the same where a step is a function of arrays. An element that was done once stays so, whatever rounding
    does.
    """

    def kept(n, more, *xs):
        again, *xs = step(n, more, *xs)
        return more & again, *xs

    return loop(w, lambda values: written(w, kept, values), carry)


def in_double(name: str):
    """Register a rule `(writer, *operands) -> result` on float64 operands of equal shapes."""

    def register(rule):
        @lower(name)
        def _(w, eqn, operands):
            out = eqn.outvars[0].aval
            wide = out.update(dtype=dtypes.float64)
            operands = [w.broadcast(x, out.shape) for x in operands]
            operands = [x if x.aval.dtype == dtypes.float64 else w.op("stablehlo.convert", [x], wide)
                        for x in operands]
            (found,) = rule(w, *operands, **eqn.params)
            return found if out.dtype == dtypes.float64 else w.op("stablehlo.convert", [found], out)

        return rule

    return register


def polynomial(coefficients: Sequence[float], x):
    """c0 + c1 x + c2 x^2 + ..."""
    total = filled(x, coefficients[-1])
    for c in reversed(coefficients[:-1]):
        total = total * x + c
    return total
