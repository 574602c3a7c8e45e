"""Programs with references as programs on values.

A reference among the operands becomes its value, and the value that it has at the end one more result; those that
are made inside are gone. So transformations and engines, whose rules are about values, meet no references.

Tests: `tests/transforms/test_references.py`.
"""

from __future__ import annotations

from ..core.jaxpr import ClosedJaxpr, sub_jaxprs
from ..core.options.config import local
from ..core.passes import uses_refs
from ..core.process.memo import of_closed
from ..core.trace import Trace, current, eval_jaxpr, stage_closed, state
from ..core.values.refs import AbstractRef, Ref
from .references import store

__all__ = ["discharge_refs", "store_last", "values_of", "without_refs"]


class _ValueTrace(Trace):
    """Stands on a trace that writes a jaxpr, so that references inside hold values."""

    __slots__ = ()

    def process_seen_refs(self, p, args, params):
        return p.discharge_rule(args, params)

    def process(self, p, args, params):
        call = params.get("call_jaxpr")
        if Ref in map(type, args):  # what is differentiated, or mapped, is the program with references
            with current(self):
                return eval_jaxpr(call.jaxpr, call.consts, *args)
        if params and any(map(uses_refs, sub_jaxprs(params))):  # programs that make references of their own
            if p.discharge_rule is not None:
                return p.discharge_rule(args, params)
            params = {name: _on_values(value) for name, value in params.items()}
        with current(self.parent) as trace:
            return trace.process(p, args, params)


def _on_values(param):
    """Return a parameter of an equation, with its programs on values."""
    if isinstance(param, ClosedJaxpr):
        return discharge_refs(param) if uses_refs(param.jaxpr) else param
    return tuple(map(_on_values, param)) if isinstance(param, tuple) and not hasattr(param, "_fields") else param


def discharge_refs(closed: ClosedJaxpr, wanted: tuple[bool, ...] | None = None) -> ClosedJaxpr:
    """Return the program with values in place of references: *values -> *outs, *values of the references at the end.

    Made once for each program, set of named axes and options. References that are not `wanted` stay what they are.
    """
    return _discharged(closed, wanted, state.axis_env, local.trace_context)


@of_closed
def _discharged(closed: ClosedJaxpr, wanted, axis_env, trace_context) -> ClosedJaxpr:
    is_ref = [type(a) is AbstractRef and (wanted is None or wanted[i]) for i, a in enumerate(closed.in_avals)]

    def run(*values):
        trace = _ValueTrace(state.trace)
        args = [Ref(a, x, trace) if r else x for a, x, r in zip(closed.in_avals, values, is_ref)]
        with current(trace):
            outs = eval_jaxpr(closed.jaxpr, closed.consts, *args)
        return outs + [x._refs for x in args if type(x) is Ref]

    avals = [a.inner_aval if r else a for a, r in zip(closed.in_avals, is_ref)]
    return stage_closed(run, avals, closed.debug_info)


def without_refs(closed: ClosedJaxpr) -> ClosedJaxpr:
    """Return the program as engines are given it: what it does to references that it makes is done to values."""
    if not uses_refs(closed.jaxpr):
        return closed
    with current(state.bottom):
        return discharge_refs(closed)


def values_of(args) -> list:
    """Return the operands with values in place of references."""
    return [x._refs if type(x) is Ref else x for x in args]


def store_last(args, values) -> None:
    """Put the last values into the references among the operands."""
    for ref, x in zip([x for x in args if type(x) is Ref], values, strict=True):
        store(ref, x)
