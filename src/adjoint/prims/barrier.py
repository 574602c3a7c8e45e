"""`optimization_barrier`: values that no optimisation may move across; the identity otherwise."""

from __future__ import annotations

from ..core import dtypes
from ..core.primitive import Primitive
from ..core.types import ShapedArray
from ..core.values.zeros import Zero
from ..sharding import rules, sums
from .shape import full

__all__ = ["optimization_barrier"]

optimization_barrier = Primitive("optimization_barrier", multiple_results=True)
optimization_barrier.sharding(rules.of_operands)
optimization_barrier.sums(sums.kept)
optimization_barrier.type(lambda *xs: list(xs))
optimization_barrier.evaluate(lambda *xs: list(xs))
optimization_barrier.batch(lambda args, dims: (optimization_barrier(*args), list(dims)))
optimization_barrier.examples(
    (ShapedArray((2, 3), dtypes.float32), ShapedArray((), dtypes.int32)),
    (ShapedArray((0,), dtypes.complex64),),
)


def _real(t):
    return full(t.aval.shape, 0, t.aval.dtype) if type(t) is Zero else t


@optimization_barrier.jvp
def _(primals, tangents):
    given = [i for i, t in enumerate(tangents) if type(t) is not Zero]
    outs, tangents_out = optimization_barrier(*primals), list(tangents)
    for i, t in zip(given, optimization_barrier(*[tangents[i] for i in given]) if given else ()):
        tangents_out[i] = t
    return outs, tangents_out


@optimization_barrier.transpose
def _(cts, *xs):
    return optimization_barrier(*map(_real, cts))
