"""Linearization: run a function now and write down its derivative as a linear program.

`linearize` is `jvp` whose tangents are variables of a tape. While a rule runs, an operation on known values
goes to the trace below and an operation on tangents goes to the tape. The tape is a linear jaxpr; its
constants are the residuals. Evaluating it is forward mode again; transposing it is reverse mode.
"""

from __future__ import annotations

import numpy as np

from ..array.array import as_array
from ..array.sharded_array import ShardedArray, beside
from ..core.jaxpr import Jaxpr
from ..core.messages.frames import user_code
from ..core.passes import live_eqns
from ..core.placement import placements
from ..core.primitive import primitives
from ..core.trace import DynamicJaxprTrace, DynamicJaxprTracer, Trace, current, eval_jaxpr, state
from ..core.types import aval_of
from ..core.values.zeros import Zero
from ..prims.family import Elementwise
from ..sharding.device import are_several
from .jvp import JVP, JVPTrace, JVPTracer, apply_rule

__all__ = ["Linear", "LinearizeTrace", "PartialTrace", "linearize_flat"]


_SCALARS = frozenset((bool, int, float, complex))


class PartialTrace(Trace):
    """Operations on the tape's variables go to the tape, all others to the parent.

    Attributes:
      tape: where operations on unknown values are written.
      opened: names of calls with known and unknown operands that are decided inside, for each equation.
    """

    __slots__ = ("tape",)
    opened = ("jit", "custom_jvp_call")

    def __init__(self, parent, tape):
        super().__init__(parent)
        self.tape = tape

    def process(self, p, args, params):
        if self.is_checked:
            args = placements.rules.aligned(p, args, params)
        target = self.parent
        for a in args:
            if type(a) is DynamicJaxprTracer and a._trace is self.tape:
                if p.name in self.opened:
                    return p.stepwise_rule(args, params)
                if p.prune_rule is not None:
                    return self.divide(p, args, params)
                target = self.tape
                break
        if type(target) is DynamicJaxprTrace and p.stage_rule is None and not target.is_checked:
            return target.emit(p, args, params)  # without a look at the current trace
        before = state.trace
        state.trace = target
        try:
            return target.process(p, args, params)
        finally:
            state.trace = before

    def divide(self, p, args, params) -> list:
        """Run the part of a program on known and unknown values whose results are known; the rest goes to the tape."""
        unknown = [type(a) is DynamicJaxprTracer and a._trace is self.tape for a in args]
        count = len(p.infer(tuple(map(aval_of, args)), params))
        everything = (True,) * len(args), (True,) * count

        def pruned(used):
            new, kept, stay = p.prune_rule(params, used)
            return (params, *everything) if new is params else (new, kept, stay)

        needs = [pruned(tuple([i == j for j in range(count)]))[1] for i in range(count)]
        known = tuple([not any([u and k for u, k in zip(unknown, kept)]) for kept in needs])
        outs: list = [None] * count
        for target, chosen in ((self.parent, known), (self.tape, tuple([not k for k in known]))):
            if not any(chosen):
                continue
            new, kept, stay = pruned(chosen)
            with current(target):
                found = target.process(p, tuple([a for a, k in zip(args, kept) if k]), new)
            for i, out in zip([i for i, s in enumerate(stay) if s], found, strict=True):
                if chosen[i]:
                    outs[i] = out
        return outs


class LinearizeTracer(JVPTracer):
    """A primal, and its tangent as a variable of a tape."""

    __slots__ = ()


class LinearizeTrace(JVPTrace):
    """Carries tangents that are variables of a tape."""

    __slots__ = ("tape",)
    pair = LinearizeTracer

    def __init__(self, parent, tape: DynamicJaxprTrace):
        super().__init__(parent)
        self.tape = tape
        self.rule_trace = PartialTrace(parent, tape)

    def process_seen_refs(self, p, args, params):
        return self.process(p, args, params)  # the derivative keeps them for the backward pass

    def derive(self, p, primals, tangents, params):
        if p.linearize_rule is not None:
            state.trace = self.parent
            return p.linearize_rule(self.tape, primals, tangents, params)
        if are_several() and isinstance(p, Elementwise) and any([type(x) is ShardedArray for x in primals]):
            # The program of the operation spreads a scalar, which is a residual then, over its devices.
            primals = [x if np.ndim(x) else beside(as_array(x), primals) for x in primals]
        state.trace = self.rule_trace
        before = state.source
        if before is None and primitives.get(p.name) is p:  # looked up once for all that our rule writes
            state.source = user_code()
        try:
            out, tangent = apply_rule(p, primals, tangents, params)
        finally:
            state.source = before
        if self.is_unknown(out) or (p.multiple_results and any(map(self.is_unknown, out))):
            # A user's rule computed the result together with the tangent.
            state.trace = self.parent
            out = p.bind(*primals, **params)
        return out, tangent

    def describe(self, primal, tangent) -> str:
        return f"GradTracer(primal={primal}, typeof(tangent)={aval_of(tangent).str_short(True)})"

    def is_unknown(self, x) -> bool:
        return type(x) is DynamicJaxprTracer and x._trace is self.tape


class Linear:
    """A linear program from tangents to tangents: the tape, and which results are not zero."""

    __slots__ = ("consts", "jaxpr", "nonzero", "out_avals")

    def __init__(self, tape: DynamicJaxprTrace, tangents):
        self.nonzero = [type(t) is not Zero for t in tangents]
        self.out_avals = [t.aval if type(t) is Zero else aval_of(t) for t in tangents]
        self.jaxpr, self.consts = tape.finish([t for t in tangents if type(t) is not Zero])

    def _with(self, jaxpr: Jaxpr, consts: list | None) -> Linear:
        other = object.__new__(Linear)
        other.nonzero, other.out_avals, other.jaxpr, other.consts = self.nonzero, self.out_avals, jaxpr, consts
        return other

    def without_consts(self) -> Linear:
        """Return the same program; its residuals are kept elsewhere."""
        return self._with(self.jaxpr, None)

    def pruned(self) -> Linear:
        """Return the same program without what no result needs, nor the residuals of that."""
        eqns, read = live_eqns(self.jaxpr.eqns, self.jaxpr.outvars)
        pairs = [(v, x) for v, x in zip(self.jaxpr.constvars, self.consts, strict=True) if v in read]
        return self._with(self.jaxpr.replace(constvars=[v for v, _ in pairs], eqns=eqns), [x for _, x in pairs])

    def __call__(self, consts, tangents) -> list:
        """Apply to tangents; zeros stay symbolic."""
        outs = iter(eval_jaxpr(self.jaxpr, consts, *tangents))
        return [next(outs) if nz else Zero(a) for nz, a in zip(self.nonzero, self.out_avals)]


def linearize_flat(fun, primals) -> tuple[list, Linear]:
    """Return results of `fun` (flat in, flat out) at `primals`, and its derivative there."""
    parent = state.trace
    tape = DynamicJaxprTrace(parent)
    trace = LinearizeTrace(parent, tape)
    tracers = []
    for x in primals:
        if type(x) in _SCALARS and not parent.stages:
            x = as_array(x)  # it keeps its type where 64-bit mode changes
        aval = aval_of(x)
        tangent_aval = aval.to_tangent_aval()
        tangent = tape.input(tangent_aval)
        tracers.append(trace.tracer(x, tangent) if tangent_aval.dtype == aval.dtype else x)
    before = state.scopes
    state.trace, state.scopes = trace, (*before, JVP)
    try:
        pairs = [trace.split(x) for x in fun(*tracers)]
    finally:
        state.trace, state.scopes = parent, before
        trace.active = tape.active = False
    return [x for x, _ in pairs], Linear(tape, [t for _, t in pairs])
