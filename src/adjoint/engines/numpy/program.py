"""A jaxpr as a list of steps over numbered slots: how a jitted program runs on this engine.

Equations are evaluated in order; a value is dropped after its last reader, so memory is what the program
needs and not what it ever made. Sub-programs (`jit`, `scan`, ...) are made once and kept on their jaxpr.

Tests: `tests/engines/native/test_engine.py`.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from ...array.array import ArrayImpl, make_array
from ...core.jaxpr import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var
from ...core.passes import live_eqns
from ...core.process.memo import fact
from ...core.trace import current, stage_closed, state
from ...core.types import ShapedArray
from ...prims.arithmetic import mul
from ...prims.conversion import convert_element_type
from ...prims.discharge import without_refs
from ...prims.shape import broadcast_in_dim, reshape
from ..interface import Executable
from .floating import quiet
from .memory import exhausted

__all__ = ["Program", "as_buffer", "evaluation", "program"]


class Program(Executable):
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
        masks: set = set()
        for eqn in live_eqns(jaxpr.eqns, jaxpr.outvars, inside=True)[0]:
            ins = [slot(v) for v in eqn.invars]
            outs = [slot(v) for v in eqn.outvars]
            run = _choice(eqn, masks) or evaluation(eqn)
            steps.append((run, ins, outs if eqn.primitive.multiple_results else outs[0]))
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
        except MemoryError as error:
            raise exhausted(error, "a program") from None
        finally:
            quiet.leave(token)
        return [values[i] for i in self._outputs]


def _choice(eqn: JaxprEqn, masks: set):
    """Return what evaluates a product with booleans: as in XLA it is a choice, 0 for inf and NaN. None for others.

    `masks` are the variables whose floats were booleans, to which a result of this equation is added.
    """
    p, out = eqn.primitive, eqn.outvars[0].aval if eqn.outvars else None
    if p is mul and out.dtype.kind == "f":
        for i, v in enumerate(eqn.invars):
            if type(v) is Var and v in masks and v.aval.shape == out.shape:
                return _first_chooses if i == 0 else _second_chooses
    x = eqn.invars[0] if eqn.invars else None
    is_made = p is convert_element_type and x.aval.dtype == np.bool_
    is_moved = p in (reshape, broadcast_in_dim) and type(x) is Var and x in masks and x.aval.size == out.size
    if is_made or is_moved:
        masks.add(eqn.outvars[0])
    return None


def _first_chooses(mask, x):
    return np.where(mask != 0, x, mask.dtype.type(0))


def _second_chooses(x, mask):
    return _first_chooses(mask, x)


def _with_frees(steps, kept, initial):
    """Return each step with the slots that are not read after it."""
    seen = set(kept)
    found = []
    for run, ins, outs in reversed(steps):
        made = (outs,) if type(outs) is int else outs
        frees = [i for i in {*ins, *made} if i not in seen and initial[i] is None]
        seen.update(frees)
        found.append((run, ins, outs, frees))
    return found[::-1]


class _Bound(partial, Executable):
    """A program with its constants."""

    __slots__ = ()


@fact
def _program(jaxpr: Jaxpr) -> Program:
    return Program(jaxpr)


def program(closed: ClosedJaxpr) -> Executable:
    """Return the program of a closed jaxpr, with its constants bound; made once."""
    closed = without_refs(closed)
    made = _program(closed.jaxpr)
    if not closed.consts:
        return made
    avals = [v.aval for v in closed.jaxpr.constvars]
    return _Bound(made, *map(as_buffer, closed.consts, avals))


def evaluation(eqn: JaxprEqn):
    """Return the evaluation rule of an equation with its parameters bound."""
    p, run = eqn.primitive, eqn.primitive.evaluate_rule
    avals = [v.aval for v in eqn.invars]
    if p.specialize_rule is not None and (made := p.specialize_rule(*avals, **eqn.params)) is not None:
        return made
    if run is not None:
        return partial(run, **eqn.params) if eqn.params else run
    if p.expand_rule is not None:
        run = program(expanded(eqn))
        return run if p.multiple_results else lambda *buffers: run(*buffers)[0]
    if p.eager_rule is not None:
        return _on_arrays(eqn)
    raise NotImplementedError(f"Evaluation rule for '{p}' not implemented on the NumPy engine")


def expanded(eqn: JaxprEqn) -> ClosedJaxpr:
    """Return the program of other primitives that an equation stands for."""
    p = eqn.primitive

    def run(*args):
        out = p.expand_rule(*args, **eqn.params)
        return list(out) if p.multiple_results else [out]

    with current(state.bottom):
        return stage_closed(run, [v.aval for v in eqn.invars])


def _on_arrays(eqn: JaxprEqn):
    """Return a rule on arrays, which is all that a primitive from outside may have, as one on buffers."""
    p, avals, outvars = eqn.primitive, [v.aval for v in eqn.invars], eqn.outvars

    def run(*buffers):
        with current(state.bottom):
            out = p.eager_rule([make_array(b, a) for b, a in zip(buffers, avals)], eqn.params)
        if p.multiple_results:
            return [as_buffer(x, v.aval) for x, v in zip(out, outvars, strict=True)]
        return as_buffer(out, outvars[0].aval)

    return run


def as_buffer(c, aval: ShapedArray):
    """Return the buffer of a constant; NumPy's 64-bit defaults take the dtype of the program."""
    return c._buffer if isinstance(c, ArrayImpl) else np.asarray(c, aval.dtype)
