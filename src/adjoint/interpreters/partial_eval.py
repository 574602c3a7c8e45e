"""Staging and dead code, as libraries use them: flat functions to jaxprs.

Tests: `tests/extend/test_interpreters.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core import passes
from ..core.jaxpr import ClosedJaxpr, Jaxpr, JaxprEqn
from ..core.messages.boundaries import explain_missing as _explain_missing
from ..core.primitive import Primitive
from ..core.trace import DynamicJaxprTrace, DynamicJaxprTracer, current, stage, state
from ..core.types import AbstractValue, aval_of
from ..core.values.refs import wrapped
from ..extend.linear_util import WrappedFun
from ..transforms.linearize import PartialTrace

__all__ = [
    "DynamicJaxprTracer", "JaxprTracer", "PartialVal", "custom_partial_eval_rules", "dce_jaxpr",
    "dce_jaxpr_call_rule", "dce_jaxpr_closed_call_rule", "dce_jaxpr_consts", "dce_rules",
    "partial_eval_jaxpr_custom_rules", "trace_to_jaxpr_dynamic", "trace_to_jaxpr_nounits",
]

JaxprTracer = DynamicJaxprTracer

# Registered by libraries for JAX's partial evaluator. Here linearization splits programs by itself.
custom_partial_eval_rules: dict[Primitive, Callable] = {}
partial_eval_jaxpr_custom_rules: dict[Primitive, Callable] = {}
dce_rules: dict[Primitive, Callable] = {}


class PartialVal(tuple):
    """A value that is known, (None, value), or of which only the type is, (aval, None).

    Args:
      xs: the pair.

    >>> PartialVal.known(2.)
    (None, 2.0)
    """

    def __new__(cls, xs: tuple[AbstractValue | None, Any]):
        return tuple.__new__(cls, xs)

    @classmethod
    def known(cls, const) -> PartialVal:
        return cls((None, const))

    @classmethod
    def unknown(cls, aval) -> PartialVal:
        return cls((aval, None))

    def is_known(self) -> bool:
        return self[0] is None

    def get_known(self):
        """The value, or None."""
        return self[1] if self[0] is None else None

    def get_aval(self):
        """The type."""
        return aval_of(self[1]) if self[0] is None else self[0]


def trace_to_jaxpr_dynamic(
    fun: WrappedFun, in_avals: Sequence, *, keep_inputs: list[bool] | None = None, lower: bool = False,
    auto_dce: bool = False,
) -> tuple[Jaxpr, list, list]:
    """Trace a wrapped function of flat lists: (jaxpr, types of the results, values of its constvars).

    Args:
      fun: a `WrappedFun` that returns a list.
      in_avals: the types of its arguments.
      keep_inputs: one bool for each argument, whether it is an input of the program; default all.
      lower: accepted for compatibility.
      auto_dce: drop what no result needs.
    Returns:
      (the program, the types of its results, the values of its `constvars`)

    >>> from adjoint.extend import linear_util as lu
    >>> from adjoint.interpreters import partial_eval
    >>> partial_eval.trace_to_jaxpr_dynamic(lu.wrap_init(lambda x: [jnp.sin(x)]), [typeof(1.)])[0]
    { lambda ; a:f32[]. let b:f32[] = sin a in (b,) }
    """
    jaxpr, consts = stage(lambda *args: fun.call_wrapped(*wrapped(args)), list(in_avals))
    if auto_dce:
        jaxpr, _ = dce_jaxpr(jaxpr, [True] * len(jaxpr.outvars), instantiate=True)
    return jaxpr, jaxpr.out_avals, consts


class _KnownOrStaged(PartialTrace):
    """Operations on unknown values are written down, all others go on; calls, loops and branches are divided.

    What has an effect happens once: a call is opened for it, and a loop is written down as a whole.
    """

    __slots__ = ()
    opened = ("custom_jvp_call",)

    def divide(self, p, args, params):
        if p.effects_rule is None or not p.effects_rule(params):
            return super().divide(p, args, params)
        if p.name == "jit":
            return p.stepwise_rule(args, params)
        with current(self.tape):
            return self.tape.process(p, args, params)


def trace_to_jaxpr_nounits(
    fun: WrappedFun, pvals: Sequence[PartialVal], instantiate: bool | Sequence[bool] = False
) -> tuple[Jaxpr, list[PartialVal], list]:
    """Run a wrapped function as far as its arguments are known and trace the rest.

    Args:
      fun: a `WrappedFun` that returns a list.
      pvals: a `PartialVal` for each argument, known or unknown.
      instantiate: which results are to be in the program although they are known; a bool, or one for each.
    Returns:
      (jaxpr of the unknown arguments, a `PartialVal` for each result, values of the jaxpr's constvars).
      The jaxpr has the unknown results, and all that `instantiate` names.

    >>> from adjoint.extend import linear_util as lu
    >>> from adjoint.interpreters.partial_eval import PartialVal, trace_to_jaxpr_nounits
    >>> values = [PartialVal.known(1.), PartialVal.unknown(typeof(1.))]
    >>> trace_to_jaxpr_nounits(lu.wrap_init(lambda x, y: [x + y]), values)[0]
    { lambda ; a:f32[]. let b:f32[] = add 1.0:f32[] a in (b,) }
    """
    parent = state.trace
    tape = DynamicJaxprTrace(parent)
    trace = _KnownOrStaged(parent, tape)
    args = [p.get_known() if p.is_known() else tape.input(p.get_aval()) for p in pvals]
    try:
        with current(trace):
            outs = list(fun.call_wrapped(*args))
        wanted = [instantiate] * len(outs) if isinstance(instantiate, bool) else instantiate
        staged = [
            w or (type(x) is DynamicJaxprTracer and x._trace is tape) for x, w in zip(outs, wanted, strict=True)
        ]
        jaxpr, consts = tape.finish([x for x, s in zip(outs, staged) if s])
    finally:
        trace.active = tape.active = False
    results = [PartialVal.unknown(aval_of(x)) if s else PartialVal.known(x) for x, s in zip(outs, staged)]
    return jaxpr, results, consts


def dce_jaxpr(
    jaxpr: Jaxpr, used_outputs: Sequence[bool], instantiate: bool | Sequence[bool] = False
) -> tuple[Jaxpr, list[bool]]:
    """Drop what `used_outputs` do not need, inside of loops, branches and calls too.

    Args:
      jaxpr: a program.
      used_outputs: one bool for each result.
      instantiate: whether inputs stay that nothing reads; a bool, or one for each input.
    Returns:
      (the smaller jaxpr, which inputs it still has)

    >>> from adjoint.interpreters import partial_eval
    >>> jaxpr = make_jaxpr(lambda x, y: (jnp.sin(x), jnp.cos(y)))(1., 2.).jaxpr
    >>> partial_eval.dce_jaxpr(jaxpr, [True, False])
    ({ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }, [True, False])
    """
    keep = instantiate if isinstance(instantiate, bool) else list(instantiate)
    return passes.dce_jaxpr(jaxpr, used_outputs, keep, inside=True)


def dce_jaxpr_consts(
    jaxpr: Jaxpr, used_outputs: Sequence[bool], instantiate: bool | Sequence[bool] = False
) -> tuple[Jaxpr, list[bool], list[bool]]:
    """Return `dce_jaxpr` that drops constvars as well: (jaxpr, which constvars, which invars it still has).

    Args:
      jaxpr: a program.
      used_outputs: one bool for each result.
      instantiate: whether inputs stay that nothing reads; a bool, or one for each input.

    >>> from adjoint.interpreters import partial_eval
    >>> jaxpr = make_jaxpr(lambda x, y: (jnp.sin(x), jnp.cos(y)))(1., 2.).jaxpr
    >>> partial_eval.dce_jaxpr_consts(jaxpr, [True, False])[1:]
    ([], [True, False])
    """
    n = len(jaxpr.constvars)
    keep = [instantiate] * len(jaxpr.invars) if isinstance(instantiate, bool) else list(instantiate)
    whole = jaxpr.replace(constvars=[], invars=jaxpr.constvars + jaxpr.invars)
    smaller, used = dce_jaxpr(whole, used_outputs, [False] * n + keep)
    k = sum(used[:n])
    smaller = smaller.replace(constvars=smaller.invars[:k], invars=smaller.invars[k:])
    return smaller, used[:n], used[n:]


def dce_jaxpr_call_rule(used_outputs: list[bool], eqn: JaxprEqn) -> tuple[list[bool], JaxprEqn | None]:
    """Return a rule for `dce_rules`: (which operands are needed, the smaller equation or None) of a call.

    The parameter `call_jaxpr` is the program.

    Args:
      used_outputs: for each result, whether it is needed.
      eqn: the equation of the call.
    Returns:
      (for each operand, whether it is needed; the smaller equation, or None)

    >>> from adjoint.extend import core
    >>> from adjoint.extend.core import primitives
    >>> from adjoint.interpreters import partial_eval as pe
    >>> inner = make_jaxpr(lambda x, y: (x + 1, y + 1))(1., 2.).jaxpr
    >>> eqn = core.new_jaxpr_eqn(inner.invars, inner.outvars, primitives.call_p, {"call_jaxpr": inner}, core.no_effects)
    >>> pe.dce_jaxpr_call_rule([False, True], eqn)[0]
    [False, True]
    """
    return _smaller_call(used_outputs, eqn, eqn.params["call_jaxpr"], lambda jaxpr: jaxpr)


def dce_jaxpr_closed_call_rule(used_outputs: list[bool], eqn: JaxprEqn) -> tuple[list[bool], JaxprEqn | None]:
    """Return the same for a program with its constants.

    Args:
      used_outputs: for each result, whether it is needed.
      eqn: the equation of the call.
    Returns:
      (for each operand, whether it is needed; the smaller equation, or None)

    >>> from adjoint.extend import core
    >>> from adjoint.extend.core import primitives
    >>> from adjoint.interpreters import partial_eval as pe
    >>> inner = make_jaxpr(lambda x, y: (x + 1, y + 1))(1., 2.)
    >>> eqn = core.new_jaxpr_eqn(
    ...     inner.jaxpr.invars, inner.jaxpr.outvars, primitives.closed_call_p, {"call_jaxpr": inner}, core.no_effects)
    >>> pe.dce_jaxpr_closed_call_rule([False, True], eqn)[0]
    [False, True]
    """
    closed: ClosedJaxpr = eqn.params["call_jaxpr"]
    return _smaller_call(used_outputs, eqn, closed.jaxpr, lambda jaxpr: ClosedJaxpr(jaxpr, closed.consts))


def _smaller_call(used_outputs, eqn, jaxpr, close) -> tuple[list[bool], JaxprEqn | None]:
    if not any(used_outputs) and not eqn.effects:
        return [False] * len(eqn.invars), None
    smaller, used = dce_jaxpr(jaxpr, used_outputs)
    return used, eqn.replace(
        params={**eqn.params, "call_jaxpr": close(smaller)},
        invars=[v for v, u in zip(eqn.invars, used) if u],
        outvars=[v for v, u in zip(eqn.outvars, used_outputs) if u],
    )

_explain_missing(globals())
