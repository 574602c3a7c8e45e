"""Forward mode: `jvp`, and the trace that carries tangents beside primals.

The trace runs a primitive's `jvp` rule with the trace below as the current one, so the arithmetic of the
rule is itself evaluated, staged, batched or differentiated by whatever is outside.

Tests: `tests/transforms/test_composition.py`.
"""

from __future__ import annotations

import numpy as np

from ..array.sharded_array import ShardedArray, beside
from ..core.dtypes import float0
from ..core.messages.places import Transform
from ..core.placement import placements
from ..core.primitive import Primitive
from ..core.trace import Trace, Tracer, state
from ..core.tree.tree import tree_map
from ..core.types import Array, ShapedArray, aval_of, typed_value
from ..core.values.dimension import Dimension
from ..core.values.zeros import Zero
from ..prims.collective import pvary_to
from ..prims.shape import broadcast_in_dim, full, zeros_of
from ..sharding.device import are_several
from ..sharding.explicit import ExplicitSharding
from ..sharding.mesh import AbstractMesh, PartitionSpec, placing_mesh

__all__ = [
    "JVP", "JVPTrace", "JVPTracer", "instantiate", "jvp_flat", "strip_dead_tracers", "zeros_without_mesh",
]


JVP = Transform("jvp")  # around the scopes of what is differentiated


class JVPTracer(Tracer):
    """A primal and its tangent, both values of the trace below.

    Made by `jvp` and `grad`, which call functions with them.

    >>> _ = jvp(lambda x: print(x) or x, (1.,), (2.,))
    JVPTracer(primal=1.0, tangent=2.0)
    """

    __slots__ = ("primal", "tangent")

    def concrete(self):
        p = self.primal
        return p.concrete() if isinstance(p, Array) else p

    def describe(self) -> str:
        return self._trace.describe(self.primal, self.tangent)

    def origin(self) -> str:
        return self.primal.origin() if isinstance(self.primal, Tracer) else ""


class JVPTrace(Trace):
    """Carries tangents forward.

    Args:
      parent: the trace below.

    >>> from adjoint.interpreters import ad
    >>> _ = jvp(lambda x: print(isinstance(x._trace, ad.JVPTrace)) or x, (1.,), (1.,))
    True
    """

    __slots__ = ("rule_trace",)
    pair = JVPTracer  # the class of its tracers

    def __init__(self, parent):
        super().__init__(parent)
        self.rule_trace = parent  # the trace that rules run under

    def tracer(self, primal, tangent):
        """Return the pair as a tracer; just the primal where the tangent is zero."""
        if type(tangent) is Zero:
            return primal
        t = object.__new__(self.pair)
        t._trace, t.primal, t.tangent = self, primal, tangent
        t.aval = primal.aval if isinstance(primal, Array) else typed_value(primal)
        return t

    def describe(self, primal, tangent) -> str:
        """Return how a tracer is printed."""
        return f"JVPTracer(primal={primal}, tangent={tangent})"

    def split(self, x):
        """Return the primal and tangent of any value under this trace."""
        if type(x) is self.pair and x._trace is self:
            return x.primal, x.tangent
        return x, Zero.from_primal_value(x)

    def process(self, p, args, params):
        if self.is_checked:
            args = placements.rules.aligned(p, args, params)
        primals, tangents, active, pair = [], [], False, self.pair
        for a in args:
            if type(a) is pair and a._trace is self:
                primals.append(a.primal)
                tangents.append(a.tangent)
                active = True
            else:
                primals.append(a)
                tangents.append(Zero.from_primal_value(a))
        before = state.trace
        try:
            if not active:
                state.trace = self.parent
                return self.parent.process(p, args, params)
            out, tangent = self.derive(p, primals, tangents, params)
        finally:
            state.trace = before
        if p.multiple_results:
            return [self.tracer(x, t) for x, t in zip(out, tangent, strict=True)]
        return self.tracer(out, tangent)

    def derive(self, p, primals, tangents, params):
        """Return results and their tangents, by the rule of `p`."""
        state.trace = self.rule_trace
        out, tangent = apply_rule(p, primals, tangents, params)
        if are_several() and any([type(x) is ShardedArray for x in primals]):  # the two are one program's results
            tangent = [beside(t, primals) for t in tangent] if p.multiple_results else beside(tangent, primals)
        return out, tangent


def apply_rule(p: Primitive, primals, tangents, params):
    """Run the jvp rule under the current trace; a linear primitive has its own for free."""
    if p.jvp_rule is not None:
        return p.jvp_rule(tuple(primals), tuple(tangents), **params)
    if not p.linear:
        if p.type_rule is not None:
            p.infer(tuple(map(aval_of, primals)), params)  # what is wrong with the operands is said first
        raise NotImplementedError(f"Differentiation rule for '{p}' not implemented")
    out = p.bind(*primals, **params)
    if all(type(t) is Zero for t in tangents):
        return out, Zero.from_primal_value(out)
    return out, p.bind(*[instantiate(t) for t in tangents], **params)


def instantiate(tangent):
    """Return a tangent as a value: zeros are made real.

    Args:
      tangent: a value, or a `Zero`.
    Returns:
      The value, or an array of zeros.

    >>> instantiate(Zero(typeof(jnp.ones(2))))
    Array([0., 0.], dtype=float32)
    """
    if type(tangent) is not Zero:
        return tangent
    aval = tangent.aval
    if aval.dtype == float0:
        if any([isinstance(n, Dimension) for n in aval.shape]):  # which NumPy cannot have: the bits that are stored
            return full(aval.shape, False, np.dtype(bool), False)
        return np.zeros(aval.shape, float0)
    zeros = zeros_of(aval, aval.weak_type)
    if not aval.shape and placing_mesh.value is not None and not isinstance(zeros, Array):
        zeros = _on_mesh(zeros)
    return pvary_to(zeros, aval.vma) if aval.vma else zeros


def _on_mesh(zero):
    """Return a scalar that is computed now as an array that is on all devices of the mesh that is set."""
    return zero if state.trace.stages else broadcast_in_dim(zero, shape=(), broadcast_dimensions=(), sharding=None)


def zeros_without_mesh(aval: ShapedArray):
    """Return zeros of a type that knows no mesh, while one is set: their type knows none either."""
    zero = full((), 0, aval.dtype, aval.weak_type)
    nowhere = ExplicitSharding(AbstractMesh((), ()), PartitionSpec(*[None] * aval.ndim))
    return broadcast_in_dim(zero, shape=aval.shape, broadcast_dimensions=(), sharding=nowhere)


def strip_dead_tracers(tree):
    """Return what a function left on the side, with primals in place of tracers of finished transformations."""
    return tree_map(_strip_dead, tree)


def _strip_dead(x):
    while isinstance(x, JVPTracer) and not x._trace.active:
        x = x.primal
    return x


Zero.instantiate = instantiate  # type: ignore[attr-defined] # for rules of libraries


def jvp_flat(fun, primals, tangents):
    """Return results of `fun` (flat in, flat out) and their tangents, which may be Zero."""
    trace = JVPTrace(state.trace)
    before = state.trace
    state.trace = trace
    try:
        outs = fun(*[trace.tracer(x, t) for x, t in zip(primals, tangents, strict=True)])
        pairs = [trace.split(x) for x in outs]
    finally:
        state.trace = before
        trace.active = False
    return [x for x, _ in pairs], [t for _, t in pairs]
