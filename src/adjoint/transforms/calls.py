"""Primitives that call a program: what they share, however they are differentiated and batched.

Tests: `tests/transforms/test_composition.py`.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from ..array.array import ArrayImpl, Float0Array, Pending, as_array, deleted, make_array
from ..core import dtypes
from ..core.jaxpr import ClosedJaxpr, effects_inside
from ..core.messages.errors import UnexpectedTracerError
from ..core.primitive import Primitive
from ..core.process.memo import fact, of_closed
from ..core.trace import DynamicJaxprTracer, Tracer, eval_jaxpr, stage_closed, staged_reference, staged_scalar, state
from ..core.types import Array, aval_of
from ..core.values.refs import AbstractRef, Ref
from ..engines import compiled
from ..engines.interface import Executable
from ..engines.numpy import program
from ..engines.placed.dispatch import placed_program
from ..engines.placed.propagate import PLACES, states_shardings

__all__ = [
    "PLACES", "axes_of", "call_primitive", "derivatives", "operand", "results", "run_executable", "run_program",
    "without_tracers",
]


def operand(x):
    """Return a scalar as an array, unless it goes into a program, where it is a literal."""
    if isinstance(x, Array) or state.trace.stages or getattr(x, "dtype", None) == dtypes.float0:
        return x
    return as_array(x)


def results(values) -> list:
    """Return what the user gets: arrays."""
    return [operand(x) for x in values]


def derivatives(values) -> list:
    """Return tangents or cotangents as the user gets them: arrays, in a program too, where zeros are literals."""
    if not state.trace.stages:
        return results(values)
    return [x if isinstance(x, Array) or aval_of(x).dtype == dtypes.float0 else staged_scalar(x) for x in values]


def call_primitive(name: str, key: str = "jaxpr") -> Primitive:
    """Return a primitive whose results are those of the program in the parameter `key`."""
    p = Primitive(name, multiple_results=True, program=True)
    p.called = key
    p.type(lambda *_, **params: params[key].out_avals)
    p.evaluate(lambda *buffers, **params: program(params[key])(*buffers))
    p.eager(lambda args, params: run_program(params[key], args, params))
    p.stepwise(lambda args, params: eval_jaxpr(params[key].jaxpr, params[key].consts, *args))
    p.axes(lambda params: axes_of(params[key].jaxpr))
    p.opened(lambda args, params: _opened(key, args, params))
    p.effects(effects_inside)
    return p


def _opened(key: str, args, params):
    program, captured = opened_call(params[key], args)
    return ([*captured, *args], {**params, key: program}) if captured is not None else (args, params)


def opened_call(closed: ClosedJaxpr, args) -> tuple[ClosedJaxpr, list | None]:
    """Return a program and what its first operands are, beside `args`; None for these if it holds nothing of that
    kind.

    A reference that the program holds may be an operand too, and becomes that one.
    """
    program, captured = without_tracers(closed)
    if not captured:
        return closed, None
    there = {key: i for i, x in enumerate(args) if (key := _reference(x)) is not None}
    places = [there.get(_reference(x)) for x in captured]
    if places.count(None) == len(places):
        return program, captured
    free = [i for i, place in enumerate(places) if place is None]
    n, k = len(captured), len(free)

    def run(*operands):
        given = iter(operands[:k])
        first = [next(given) if place is None else operands[k + place] for place in places]
        return eval_jaxpr(program.jaxpr, program.consts, *first, *operands[k:])

    avals = [*[program.in_avals[i] for i in free], *program.in_avals[n:]]
    return stage_closed(run, avals, program.debug_info), [captured[i] for i in free]


def _reference(x) -> int | None:
    """Return what tells references apart: two tracers may stand for one."""
    x = staged_reference(x) if type(x) is Ref else x
    if type(x) is not Ref and (type(x) is not DynamicJaxprTracer or type(x.aval) is not AbstractRef):
        return None
    return id(x._var if type(x) is DynamicJaxprTracer else x)


def without_tracers(closed: ClosedJaxpr) -> tuple[ClosedJaxpr, list]:
    """Return a program that holds no tracers and no references, and those that it held, which are its first operands.

    Rules of the user's are run when a program is differentiated; they may close over values of transformations outside.
    """
    captured = tuple([isinstance(c, (Tracer, Ref)) for c in closed.consts])
    if True not in captured:
        return closed, []
    return _with_operands(closed, captured), [x for x, c in zip(closed.consts, captured) if c]


@of_closed
def _with_operands(closed: ClosedJaxpr, captured: tuple[bool, ...]) -> ClosedJaxpr:
    """Return the program whose constants that are captured are its first operands."""
    jaxpr = closed.jaxpr
    kept = [v for v, c in zip(jaxpr.constvars, captured) if not c]
    moved = [v for v, c in zip(jaxpr.constvars, captured) if c]
    consts = [x for x, c in zip(closed.consts, captured) if not c]
    return ClosedJaxpr(jaxpr.replace(constvars=kept, invars=moved + jaxpr.invars), consts)


def run_program(closed: ClosedJaxpr, args, params: dict[str, Any] | None = None) -> list:
    """Compile a program, unless it is compiled already, and run it on concrete values.

    `params` are those of the call, which may say where operands and results are.
    """
    params = params or {}
    if states_shardings(closed.jaxpr) or not params.keys().isdisjoint(PLACES):
        return placed_program(partial(_run, closed), closed, args, params)
    for a in args:
        if isinstance(a, ArrayImpl) and type(a) not in (ArrayImpl, Pending):
            return placed_program(partial(_run, closed), closed, args, params)
    return _run(closed, *args)


def _run(closed: ClosedJaxpr, *args) -> list:
    outs = run_executable(compiled(closed), args, closed.out_avals)
    assert outs is not None  # places were looked at before
    return outs


def run_executable(run: Executable, args, out_avals) -> list | None:
    """Run an executable on concrete values; None if one of them has a place of its own."""
    if run.arrays is not None:
        return run.arrays(args)
    buffers = []
    for a in args:
        if type(a) is not ArrayImpl:
            if isinstance(a, Tracer):
                raise UnexpectedTracerError(a)
            a = as_array(a)
            if type(a) is not ArrayImpl and type(a) is not Float0Array:
                return None
        if a._buffer is None:  # type: ignore[attr-defined]
            raise deleted(a)
        buffers.append(a._buffer)
    return [make_array(b, aval) for b, aval in zip(run(*buffers), out_avals)]


@fact
def axes_of(jaxpr) -> frozenset:
    """Return names of the mapped axes that a program reads, at any depth."""
    return frozenset().union(*[
        eqn.primitive.axes_rule(eqn.params) for eqn in jaxpr.eqns if eqn.primitive.axes_rule is not None
    ])
