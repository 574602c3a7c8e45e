"""Values with a Taylor series, and the trace that carries them.

Tests: `tests/experimental/test_jet.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.dtypes import issubdtype
from ...core.primitive import Primitive, primitives
from ...core.trace import Trace, Tracer, current, eval_jaxpr, state
from ...core.tree.registry import register_pytree_node
from ...core.types import Array, aval_of
from ...core.values.zeros import Zero
from ...prims.arithmetic import div, mul
from ...prims.family import typed_like
from ...prims.shape import full
from ...transforms.custom.custom_jvp import is_closed
from ...transforms.custom.custom_vjp import custom_vjp_call
from ...transforms.jvp import apply_rule

__all__ = [
    "JetTrace", "JetTracer", "ZeroSeries", "ZeroTerm", "by_derivative", "divided", "jet_flat", "jet_rules",
    "real_series", "scalar", "times", "zero_like", "zero_series", "zero_term",
]

jet_rules: dict[Primitive, Callable] = {}
"""Rules by primitive: (primals, series, **params) -> results, series of the results; a series is a list of terms.

A rule of a primitive of one result gives that and its series; one of several gives lists. It is given zeros where an
operand is constant, unless it has the attribute `takes_zero_series`, as the rules of this package have: these are given
`zero_series` for it, and may give it for a result.
"""


class ZeroTerm:
    """A term that is zero.

    >>> from adjoint.experimental import jet
    >>> isinstance(jet.zero_term, jet.ZeroTerm)
    True
    """


class ZeroSeries:
    """A series whose terms are all zero.

    >>> from adjoint.experimental import jet
    >>> isinstance(jet.zero_series, jet.ZeroSeries)
    True
    """


register_pytree_node(ZeroTerm, lambda _: ((), None), lambda *_: zero_term)
register_pytree_node(ZeroSeries, lambda _: ((), None), lambda *_: zero_series)
zero_term = ZeroTerm()
zero_series = ZeroSeries()


class JetTracer(Tracer):
    """A value and the terms of its series.

    Made by `JetTrace.tracer`.

    >>> from adjoint.experimental.jet import jet
    >>> jet(lambda x: print(x) or x, (1.,), ([1., 0.],))
    JetTracer<~float32[]>
    (1.0, [Array(1., dtype=float32, weak_type=True), Array(0., dtype=float32, weak_type=True)])
    """

    __slots__ = ("primal", "terms")

    def __init__(self, trace, primal, terms):
        super().__init__(trace, primal.aval if isinstance(primal, Array) else aval_of(primal))
        self.primal = primal
        self.terms = terms

    def concrete(self):
        p = self.primal
        return p.concrete() if isinstance(p, Array) else p

    def describe(self) -> str:
        return f"JetTracer<{'~' if self.aval.weak_type else ''}{self.aval.str_short()}>"

    def origin(self) -> str:
        return self.primal.origin() if isinstance(self.primal, Tracer) else ""


class JetTrace(Trace):
    """Carries series of `order` terms.

    Args:
      tag: what tells this trace from others.
      parent_trace: the trace that rules run under.
      order: the number of terms.

    >>> from adjoint.experimental.jet import jet
    >>> jet(lambda x: print(x._trace) or x, (1.,), ([1., 0.],))
    JetTrace
    (1.0, [Array(1., dtype=float32, weak_type=True), Array(0., dtype=float32, weak_type=True)])
    """

    __slots__ = ("order", "tag")

    def __init__(self, tag, parent_trace, order: int):
        super().__init__(parent_trace)
        self.tag = tag
        self.order = order

    @property
    def parent_trace(self):
        """Return the trace that rules run under."""
        return self.parent

    def tracer(self, primal, terms):
        """Return the value as a tracer; just the value where its series is zero.

        Args:
          primal: the value.
          terms: the terms of its series.
        """
        return primal if terms is zero_series else JetTracer(self, primal, terms)

    def to_primal_terms_pair(self, val) -> tuple[Any, Any]:
        """Return the value and the terms of any value under this trace.

        Args:
          val: an array or a tracer.
        """
        if isinstance(val, JetTracer) and val._trace is self:
            return val.primal, val.terms
        return val, zero_series

    def process(self, p, args, params):
        """Run a primitive on series, by its rule.

        Args:
          p: the primitive.
          args: its operands.
          params: its parameters.
        """
        pairs = [self.to_primal_terms_pair(x) for x in args]
        if p is custom_vjp_call:  # forward mode knows the function, not its rule
            call = params["call_jaxpr"]
            with current(self):
                return eval_jaxpr(call.jaxpr, call.consts, *args) if is_closed(call) else list(call(*args))
        with current(self.parent):
            if all([terms is zero_series for _, terms in pairs]):
                return self.parent.process(p, args, params)
            out, terms = series_of(p, [x for x, _ in pairs], [s for _, s in pairs], params, self.order)
        if p.multiple_results:
            return [self.tracer(x, s) for x, s in zip(out, terms, strict=True)]
        return self.tracer(out, terms)

    process_primitive = process


def series_of(p: Primitive, primals: list, series: list, params: dict, order: int):
    """Return the results of a primitive and their series, by its rule, term by term if it is linear, or by the rule
    for all.
    """
    rule = jet_rules.get(p)
    if rule is None:
        places = _linear_places(p)
        if all([s is zero_series or i in places for i, s in enumerate(series)]):
            return term_by_term(p, primals, series, params, order)
        return by_derivative(p, primals, series, params, order)
    if not getattr(rule, "takes_zero_series", False):
        series = [real_series(x, s, order) for x, s in zip(primals, series)]
    return rule(primals, series, **params)


# The operands in which primitives are linear, all together.
_LINEAR = {
    "add": (0, 1), "all_gather": (0,), "all_to_all": (0,), "complex": (0, 1), "conj": (0,),
    "convert_element_type": (0,), "cumsum": (0,), "dynamic_slice": (0,), "dynamic_update_slice": (0, 1),
    "gather": (0,), "imag": (0,), "neg": (0,), "ppermute": (0,), "psum": (0,), "psum_invariant": (0,), "pvary": (0,),
    "real": (0,), "reduce_scatter": (0,), "scatter": (0, 2), "scatter-add": (0, 2), "scatter-sub": (0, 2),
    "select_n": range(1, 1 << 16), "sub": (0, 1), "triangular_solve": (1,),
}


def _linear_places(p: Primitive):
    if primitives.get(p.name) is not p:
        return ()
    return range(1 << 16) if p.linear else _LINEAR.get(p.name, ())


def term_by_term(p: Primitive, primals: list, series: list, params: dict, order: int):
    """Return the results of a primitive that is linear, and their series."""
    out, terms = p.bind(*primals, **params), []
    for k in range(order):
        ts = [Zero.from_primal_value(x) if s is zero_series else s[k] for x, s in zip(primals, series)]
        terms.append(apply_rule(p, primals, ts, params)[1])
    if not p.multiple_results:
        return out, zero_series if type(terms[0]) is Zero else terms
    return out, [zero_series if type(column[0]) is Zero else list(column) for column in zip(*terms)]


def real_series(x, series, order: int) -> list:
    """Return a series with its zeros as arrays."""
    if series is zero_series:
        return [zero_like(x)] * order
    return [zero_like(x) if isinstance(s, ZeroTerm) else s for s in series]


def zero_like(x):
    """Return a zero for a term of `x`."""
    aval = aval_of(x)
    dtype = aval.dtype if issubdtype(aval.dtype, np.inexact) else np.dtype(np.float32)
    return full(aval.shape, 0, dtype, aval.weak_type)


def by_derivative(p: Primitive, primals: list, series: list, params: dict, order: int):
    """Return the rule for all primitives: the series of the derivative, one term shorter, is known from the rule of
    `jvp`.
    """
    moving = [i for i, s in enumerate(series) if s is not zero_series]
    n = len(moving)
    zeros: list[bool] = []

    def derivative(*args):
        xs, vs = list(primals), [Zero.from_primal_value(x) for x in primals]
        for i, x, v in zip(moving, args[:n], args[n:]):
            xs[i], vs[i] = x, v
        _, out = apply_rule(p, xs, vs, params)
        out = list(out) if p.multiple_results else [out]
        zeros[:] = [type(t) is Zero for t in out]
        return [t for t in out if type(t) is not Zero]

    rates = [[times(s, k + 1) for k, s in enumerate(series[i])] for i in moving]
    outs = p.bind(*primals, **params)
    first, rest = jet_flat(
        derivative, [*[primals[i] for i in moving], *[r[0] for r in rates]],
        [*[series[i][:-1] for i in moving], *[r[1:] for r in rates]], order - 1,
    )
    found = iter([
        [x, *[divided(s, k) for k, s in enumerate(real_series(x, terms, order - 1), 2)]]
        for x, terms in zip(first, rest)
    ])
    terms = [zero_series if z else next(found) for z in zeros]
    return (outs, terms) if p.multiple_results else (outs, terms[0])


def times(x, n: int):
    """Return `x` times a whole number."""
    return x if n == 1 else mul(x, scalar(x, n))


def divided(x, n: int):
    """Return `x` by a whole number."""
    return x if n == 1 else div(x, scalar(x, n))


def scalar(x, n):
    """Return a number of the type of an element of `x`."""
    return typed_like(x, n)


def jet_flat(fun: Callable, primals, series, order: int) -> tuple[list, list]:
    """Return results of `fun` (flat in, flat out) and their series, given in coefficients; zero_series where they
    are.
    """
    if not order:
        outs = list(fun(*primals))
        return outs, [zero_series] * len(outs)
    trace = JetTrace(object(), state.trace, order)
    with current(trace):
        outs = fun(*[trace.tracer(x, s) for x, s in zip(primals, series, strict=True)])
        pairs = [trace.to_primal_terms_pair(x) for x in outs]
    trace.active = False
    return [x for x, _ in pairs], [s for _, s in pairs]
