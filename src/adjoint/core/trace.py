"""Traces: what interprets a primitive now.

Each thread has one current trace, `state.trace`. `Primitive.bind` hands it the call; there is no search.
A trace knows its parent, interprets a primitive by one of the primitive's rules, and runs that rule with
its parent as the current trace. A tracer belongs to one trace; to every other trace it is a constant,
which is what keeps nested derivatives from being confused.

`DynamicJaxprTrace` writes what it is given into a jaxpr. The evaluating trace at the bottom lives in the
NumPy engine; the traces of the transformations live with them.

Tests: `tests/transforms/test_confusion.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from . import dtypes
from .definitions import LibraryTrace
from .jaxpr import ClosedJaxpr, DropVar, Jaxpr, JaxprEqn, Literal, Var, sub_jaxprs
from .messages import leaks
from .messages.boundaries import guarded
from .messages.errors import UnexpectedTracerError, message
from .messages.frames import user_code
from .options.config import local
from .passes import check_jaxpr, rules_see_refs
from .placement import checked_axes_of, placements
from .state import current, state
from .tree.paths import result_paths
from .types import Array, ShapedArray, aval_of
from .values.dimension import Dimension
from .values.refs import Ref

__all__ = [
    "DynamicJaxprTrace", "DynamicJaxprTracer", "Trace", "Tracer", "current", "stage", "staged_reference", "state",
    "writer",
]


class Trace(LibraryTrace):
    """An interpreter of primitives: each trace defines `process`.

    Args:
      parent: the trace below, whose values its tracers hold; None for the one that computes.

    >>> traces = []
    >>> _ = jvp(lambda x: traces.append(x._trace) or x, (1.,), (1.,))
    >>> isinstance(traces[0], core.Trace), traces[0]
    (True, JVPTrace)
    """

    __slots__ = ("__weakref__", "active", "is_checked", "parent", "stages")

    maps = False  # does it add an axis to everything?
    runs_programs = False  # are calls of programs on values left to the engine?
    runs_again = False  # may what ran over several devices run again on arrays that lie alike, without a look?
    guards = False  # are transfers looked at?
    evaluates_known = False  # is what is made of known values known, though a level below writes a jaxpr?
    takes_parts = True  # is a part of a plain array one that NumPy takes?

    def __new__(cls, *_, **__):
        # Traces of libraries need not call our `__init__`.
        trace = object.__new__(cls)
        trace.parent, trace.active = None, True
        trace.is_checked = bool(state.axis_env) and bool(checked_axes_of(state.axis_env))
        trace.stages = state.trace is not None and state.trace.stages
        return trace

    def __init__(self, parent: Trace | None = None):
        self.parent = parent
        self.stages = parent is not None and parent.stages  # does any level below write a jaxpr?

    def __repr__(self):
        return type(self).__name__

    def process_with_refs(self, p, args: tuple, params: dict):
        """Run a primitive with programs, some of whose operands are references that hold values.

        Args:
          p: the primitive.
          args: its operands.
          params: its parameters.
        """
        if self.parent is not None and any(map(rules_see_refs, sub_jaxprs(params))):
            return self.process_seen_refs(p, args, params)
        if p.discharge_rule is None:
            raise NotImplementedError(f"{p} with references among its operands cannot be transformed")
        return p.discharge_rule(args, params)

    def process_seen_refs(self, p, args: tuple, params: dict):
        """Run such a primitive where rules of the user's are given the references, which they may read and write.

        Args:
          p: the primitive.
          args: its operands.
          params: its parameters.
        """
        return p.stepwise_rule(args, params)


@guarded
def eval_jaxpr(jaxpr: Jaxpr, consts: Sequence, *args, propagate_source_info: bool = True) -> list:
    """Run the equations one by one through the current trace.

    With `propagate_source_info`, what becomes of an equation has the equation's place in the program.

    Args:
      jaxpr: the program.
      consts: values of its `constvars`.
      *args: its arguments, one for each of `invars`.
      propagate_source_info: give what becomes of an equation the place of the equation in the user's program.
    Returns:
      A list of the results.

    >>> program = make_jaxpr(lambda x: 2 * x + 1)(1.)
    >>> core.eval_jaxpr(program.jaxpr, program.consts, 3.)
    [Array(7., dtype=float32, weak_type=True)]
    """
    env: dict[Any, Any] = dict(zip(jaxpr.constvars, consts))
    env.update(zip(jaxpr.invars, args, strict=True))
    before = state.source, state.is_again
    state.is_again = True
    try:
        for eqn in jaxpr.eqns:
            operands = [v.operand if type(v) is Literal else env[v] for v in eqn.invars]
            if propagate_source_info:
                state.source = eqn._source
            out = eqn.primitive.bind(*operands, **eqn.params)
            if eqn.primitive.multiple_results:
                env.update(zip(eqn.outvars, out))
            else:
                env[eqn.outvars[0]] = out
    finally:
        state.source, state.is_again = before
    return [v.operand if type(v) is Literal else env[v] for v in jaxpr.outvars]


class Tracer(Array):
    """Stands for an array inside a transformation; has its type, and its value only if that is known.

    Made by transformations, which call functions with them.

    >>> jit(lambda x: print(x, isinstance(x, core.Tracer)))(1.)
    JitTracer(~float32[]) True
    """

    __slots__ = ("_trace", "aval")

    _trace: Any
    aval: ShapedArray

    def __init__(self, trace=None, aval=None):
        self._trace = trace
        if aval is not None:
            Tracer.aval.__set__(self, aval)  # type: ignore[attr-defined]

    def concrete(self):
        """Return the concrete array behind this tracer, or None."""
        return None

    def full_lower(self):
        """Return the simplest value that stands for the same: the tracer itself, unless a library's knows better."""
        return self

    def origin(self) -> str:
        """Return where the value came from, for messages."""
        return ""

    def describe(self) -> str:
        """Return how the tracer is printed."""
        return f"{type(self).__name__}({self.aval})"


# ---- staging -----------------------------------------------------------------------------------


class DynamicJaxprTracer(Tracer):
    """A variable of a jaxpr under construction.

    Made by `jit` and `make_jaxpr`, which call functions with them.

    >>> jit(lambda x: print(x))(1.)
    JitTracer(~float32[])
    """

    __slots__ = ("_var", "source")

    def concrete(self):
        return self._trace.known(self._var)

    @property
    def is_argument(self) -> bool:
        """Return whether the program is given this value, and does not compute it."""
        return any([v is self._var for v in self._trace.invars])

    def origin(self) -> str:
        return self._trace.origin(self)

    def describe(self) -> str:
        return f"JitTracer({self.aval})"


_SCALARS = (bool, int, float, complex)
_new = object.__new__


class DynamicJaxprTrace(Trace):
    """Writes each primitive as an equation. Values from outside become constants of the jaxpr."""

    __slots__ = ("constants", "debug", "eqns", "invars", "num_scopes")

    def __init__(self, parent, debug=None):
        super().__init__(parent)
        self.stages = True
        self.eqns: list[JaxprEqn] = []
        self.invars: list[Var] = []
        self.constants: dict[int, tuple[Var, Any]] = {}  # by id of the value, which is kept alive
        self.debug = debug
        self.num_scopes = len(state.scopes)  # around the program, which are not those of its equations

    def tracer(self, var: Var | Literal, source=None) -> DynamicJaxprTracer:
        t = _new(DynamicJaxprTracer)
        t._trace, t.aval, t._var, t.source = self, var.aval, var, source
        return t

    def input(self, aval: ShapedArray) -> DynamicJaxprTracer:
        var = Var(aval)
        self.invars.append(var)
        return self.tracer(var)

    def new_arg(self, aval: ShapedArray, source_info=None) -> DynamicJaxprTracer:
        """Return a further argument of the program, as libraries ask for one that find a variable from outside."""
        return self.input(aval)

    def literal(self, x) -> DynamicJaxprTracer:
        """A Python scalar as a tracer, for functions that ask for its shape or dtype."""
        return self.tracer(Literal(x, aval_of(x)))

    def atom(self, x) -> Var | Literal:
        """The variable or literal that stands for `x` in the jaxpr."""
        if type(x) is DynamicJaxprTracer and x._trace is self:
            return x._var
        if isinstance(x, _SCALARS) or isinstance(x, np.generic):
            return Literal(x, aval_of(x))
        if isinstance(x, np.ndarray) and not x.ndim and x.dtype != dtypes.float0:
            return Literal(x[()], aval_of(x))
        if type(x) is Ref and x.is_traced:
            return self.atom(x._refs)
        found = self.constants.get(id(x))
        if found is None:
            if isinstance(x, Tracer) and not x._trace.active:
                raise UnexpectedTracerError(x)
            if isinstance(x, Dimension):
                return self.atom(x.dimension_as_value())
            found = self.constants[id(x)] = Var(aval_of(x)), x
        return found[0]

    def constant(self, x, aval: ShapedArray) -> DynamicJaxprTracer:
        """Something from outside as a value of this type."""
        var, _ = self.constants.setdefault(id(x), (Var(aval), x))
        return self.tracer(var)

    def known(self, var: Var | Literal) -> Array | None:
        """Return the array that a variable of the program stands for, if that is a constant of it."""
        found = next((x for v, x in self.constants.values() if v is var), None)
        return found if isinstance(found, Array) and not isinstance(found, Tracer) else None

    def process_with_refs(self, p, args, params):
        return self.process(p, args, params)

    def process(self, p, args, params):
        if self.is_checked:
            args = placements.rules.aligned(p, args, params)
        if p.stage_rule is not None:
            return p.stage_rule(self, args, params)
        return self.emit(p, args, params)

    def emit(self, p, args, params):
        """Append the equation and return tracers of its results."""
        invars, avals = [], []
        for a in args:
            v = a._var if type(a) is DynamicJaxprTracer and a._trace is self else self.atom(a)
            invars.append(v)
            avals.append(v.aval)
        out = p.infer(tuple(avals), params)
        source = state.source or user_code()
        if len(state.scopes) > self.num_scopes:
            scopes = state.scopes[self.num_scopes :]
            code, place, *inner = source or (None, 0)
            source = (code, place, (*scopes, *inner[0]) if inner else scopes)
        if p.multiple_results:
            outvars = [Var(a) for a in out]
            self.eqns.append(JaxprEqn(invars, outvars, p, params, None, source))
            return [self.tracer(v, source) for v in outvars]
        var = Var(out)
        self.eqns.append(JaxprEqn(invars, [var], p, params, None, source))
        t = _new(DynamicJaxprTracer)
        t._trace, t.aval, t._var, t.source = self, out, var, source
        return t

    def finish(self, outs) -> tuple[Jaxpr, list]:
        """The jaxpr with results `outs`, and the values of its constvars."""
        outvars = [self.atom(x) for x in outs]
        return self.program(outvars)

    def program(self, outvars) -> tuple[Jaxpr, list]:
        used = {v for eqn in self.eqns for v in eqn.invars if type(v) is Var}
        used.update(v for v in outvars if type(v) is Var)
        pairs = [pair for pair in self.constants.values() if pair[0] in used]
        _mark_unused(self.eqns, used)
        jaxpr = Jaxpr([v for v, _ in pairs], self.invars, outvars, self.eqns, debug_info=self.debug)
        return jaxpr, [value for _, value in pairs]

    def origin(self, tracer) -> str:
        return "" if self.debug is None else self.debug.dependence(self, tracer._var)


def _mark_unused(eqns, used):
    for eqn in eqns:
        for i, v in enumerate(eqn.outvars):
            if v not in used:
                eqn.outvars[i] = DropVar(v.aval)


def staged_scalar(x) -> DynamicJaxprTracer:
    """A scalar as a constant of the innermost program that is traced."""
    trace = state.trace
    while not isinstance(trace, DynamicJaxprTrace):
        trace = trace.parent
    return trace.literal(x)


def stage(fun, in_avals, debug=None) -> tuple[Jaxpr, list]:
    """Trace `fun` (flat tracers -> flat values) to a jaxpr and the values it closes over."""
    if local.no_tracing and debug is not None:
        raise RuntimeError(
            message(
                f"re-tracing function {debug.func_src_info} for `{debug.traced_for}`, but 'no_tracing' is set",
                why="A function is traced again for arguments of another structure, type or static value.",
                fix=f"with jax.no_tracing(False): {debug.func_name}(...), or call it with these arguments before",
            )
        )
    return _staged(fun, in_avals, debug)


def _staged(fun, in_avals, debug) -> tuple[Jaxpr, list]:
    trace = DynamicJaxprTrace(state.trace, debug)
    before = state.trace
    state.trace = trace
    try:
        jaxpr, consts = trace.finish(fun(*[trace.input(a) for a in in_avals]))
        if debug is not None and (tree := getattr(fun, "out_tree", None)) is not None:
            debug.name_results(partial(result_paths, tree))
        if local.enable_checks:
            check_jaxpr(jaxpr)
    finally:
        state.trace = before
        trace.active = False
    if local.check_tracer_leaks:
        leaks.check(trace)
    return jaxpr, consts


def writer(trace, top):
    """The innermost trace below `trace` that writes a jaxpr, to which a reference made under `top` is a constant."""
    if not trace.stages:
        return None
    while trace is not None and trace is not top:
        if isinstance(trace, DynamicJaxprTrace):
            return trace
        trace = trace.parent
    return None


def staged_reference(ref: Ref):
    """Return what stands for a reference in the jaxpr that is being written; the reference itself if none is."""
    if ref.is_traced:
        return ref._refs
    owner = writer(state.trace, ref.trace)
    return ref if owner is None else owner.constant(ref, ref.aval)


def stage_closed(fun, in_avals, debug=None) -> ClosedJaxpr:
    """Trace a function of the library, which closes over no tracers, as `stage` does; the constants are inside."""
    jaxpr, consts = _staged(fun, in_avals, debug)
    return ClosedJaxpr(jaxpr, consts)
