"""A jaxpr as a list of steps over numbered slots: how a jitted program runs on this engine.

Equations are evaluated in order; a value is dropped after its last reader, so memory is what the program
needs and not what it ever made. Sub-programs (`jit`, `scan`, ...) are planned once and kept on their jaxpr.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from ...array.array import ArrayImpl
from ...core.jaxpr import ClosedJaxpr, Jaxpr, JaxprEqn, Literal
from ...core.types import ShapedArray
from .floating import quiet

__all__ = ["Program", "as_buffer", "evaluation", "program"]


class Program:
    """Callable on NumPy buffers: consts, then arguments -> list of result buffers."""

    __slots__ = ("_frees", "_initial", "_inputs", "_outputs", "_steps")

    def __init__(self, jaxpr: Jaxpr):
        slots: dict = {}
        initial: list = []

        def slot(v):
            if type(v) is Literal:
                initial.append(np.asarray(v.val, v.aval.dtype))
                return len(initial) - 1
            if v not in slots:
                slots[v] = len(initial)
                initial.append(None)
            return slots[v]

        self._inputs = [slot(v) for v in (*jaxpr.constvars, *jaxpr.invars)]
        steps = []
        for eqn in jaxpr.eqns:
            ins = [slot(v) for v in eqn.invars]
            outs = [slot(v) for v in eqn.outvars]
            steps.append((evaluation(eqn), ins, outs if eqn.primitive.multiple_results else outs[0]))
        self._outputs = [slot(v) for v in jaxpr.outvars]
        self._initial = initial
        self._steps = _with_frees(steps, set(self._outputs), initial)

    def __call__(self, *buffers) -> list:
        values = self._initial.copy()
        for i, b in zip(self._inputs, buffers, strict=True):
            values[i] = b
        token = quiet.enter()
        try:
            for run, ins, outs, frees in self._steps:
                result = run(*[values[i] for i in ins])
                if type(outs) is int:
                    values[outs] = result
                else:
                    for i, r in zip(outs, result):
                        values[i] = r
                for i in frees:
                    values[i] = None
        finally:
            quiet.leave(token)
        return [values[i] for i in self._outputs]


def _with_frees(steps, kept, initial):
    """Each step with the slots that nobody reads after it."""
    seen = set(kept)
    planned = []
    for run, ins, outs in reversed(steps):
        made = (outs,) if type(outs) is int else outs
        frees = [i for i in {*ins, *made} if i not in seen and initial[i] is None]
        seen.update(frees)
        planned.append((run, ins, outs, frees))
    return planned[::-1]


def program(closed: ClosedJaxpr):
    """The planned program of a closed jaxpr, with its constants bound; made once."""
    planned = closed.jaxpr.cache.get(Program)
    if planned is None:
        planned = closed.jaxpr.cache[Program] = Program(closed.jaxpr)
    if not closed.consts:
        return planned
    avals = [v.aval for v in closed.jaxpr.constvars]
    return partial(planned, *map(as_buffer, closed.consts, avals))


def evaluation(eqn: JaxprEqn):
    """The evaluation rule of an equation with its parameters bound."""
    run = eqn.primitive.evaluate_rule
    if run is None:
        raise NotImplementedError(
            f"Evaluation rule for '{eqn.primitive}' not implemented on the NumPy engine"
        )
    return partial(run, **eqn.params) if eqn.params else run


def as_buffer(c, aval: ShapedArray):
    """The buffer of a constant; NumPy's 64-bit defaults take the dtype of the program."""
    return c._buffer if type(c) is ArrayImpl else np.asarray(c, aval.dtype)
