"""Rules of primitives that hold programs: the programs become programs of values and terms.

A program takes its operands, then the terms of those that have some, and gives likewise. In loops all numbers of the
carry that may have terms have them. The other primitives with programs have the rule for all, which differentiates
their programs.

Tests: `tests/experimental/test_jet.py`.
"""

from __future__ import annotations

import numpy as np

from ...control_flow.carry import interleaved, parts
from ...control_flow.cond import cond_p
from ...control_flow.scan import scan_p
from ...control_flow.while_loop import while_p
from ...core.dtypes import issubdtype
from ...core.jaxpr import ClosedJaxpr
from ...core.trace import eval_jaxpr, stage_closed
from ...core.types import aval_of
from ...transforms.custom.remat import remat_p
from ...transforms.jit.primitive import call_params, jit_p
from ...transforms.programs import add_unused_operands, permute, remembered
from .trace import jet_flat, real_series, zero_series

__all__ = ["PROGRAM_RULES", "jet_program"]


@remembered
def jet_program(closed: ClosedJaxpr, moving: tuple[bool, ...], order: int, wanted: tuple[bool, ...] | None = None):
    """Return (program of *operands, *terms of those that move -> *results, *terms of those that do; which do).

    `wanted` says whose results are to have terms, if not those that have some.
    """
    n, found = len(closed.in_avals), []

    def fun(*args):
        given = iter(args[n:])
        series = [[next(given) for _ in range(order)] if m else zero_series for m in moving]
        run = lambda *xs: eval_jaxpr(closed.jaxpr, closed.consts, *xs)
        outs, terms = jet_flat(run, args[:n], series, order)
        found[:] = [s is not zero_series for s in terms] if wanted is None else wanted
        flat = [t for x, s, m in zip(outs, terms, found) if m for t in real_series(x, s, order)]
        return outs + flat

    avals = [a.to_tangent_aval() for a, m in zip(closed.in_avals, moving) if m for _ in range(order)]
    return stage_closed(fun, [*closed.in_avals, *avals], closed.debug_info), tuple(found)


def _moving(series) -> tuple[bool, ...]:
    return tuple([s is not zero_series for s in series])


def _flat(series) -> list:
    return [t for s in series if s is not zero_series for t in s]


def _split(outs, num_outs: int, moving, order: int):
    terms = iter(outs[num_outs:])
    return outs[:num_outs], [[next(terms) for _ in range(order)] if m else zero_series for m in moving]


def _order(series) -> int:
    return len(next(s for s in series if s is not zero_series))


def _inexact(avals) -> tuple[bool, ...]:
    return tuple([issubdtype(a.dtype, np.inexact) for a in avals])


def _jit_rule(primals, series, *, jaxpr, **params):
    order = _order(series)
    program, moving = jet_program(jaxpr, _moving(series), order)
    outs = jit_p.bind(*primals, *_flat(series), **call_params(params, program))
    return _split(outs, len(jaxpr.out_avals), moving, order)


def _remat_rule(primals, series, *, jaxpr, **params):
    order = _order(series)
    program, moving = jet_program(jaxpr, _moving(series), order)
    outs = remat_p.bind(*primals, *_flat(series), jaxpr=program, **params)
    return _split(outs, len(jaxpr.out_avals), moving, order)


def _cond_rule(primals, series, *, branches):
    order, (index, *operands) = _order(series), primals
    moving, wanted = _moving(series[1:]), _inexact(branches[0].out_avals)
    programs = tuple([jet_program(b, moving, order, wanted)[0] for b in branches])
    outs = cond_p.bind(index, *operands, *_flat(series), branches=programs)
    return _split(outs, len(wanted), wanted, order)


def _carried(primals, series, jaxpr: ClosedJaxpr, order: int, at: int, n: int) -> list:
    """Return the series of operands, where all numbers among the `n` from `at` on have terms."""
    wanted = _inexact(jaxpr.out_avals[:n])
    return [
        real_series(x, s, order) if at <= i < at + n and wanted[i - at] else s
        for i, (x, s) in enumerate(zip(primals, series))
    ]


def _scan_rule(primals, series, *, jaxpr, num_consts, num_carry, **params):
    order = _order(series)
    series = _carried(primals, series, jaxpr, order, num_consts, num_carry)
    wanted = _inexact(jaxpr.out_avals)
    body, _ = jet_program(jaxpr, _moving(series), order, wanted)
    groups = parts(series, num_consts, num_carry)
    counts = [len(_flat(g)) for g in groups]
    sizes, num_ys = [num_consts, num_carry, len(primals) - num_consts - num_carry], len(wanted) - num_carry
    terms_out = [order * sum(wanted[:num_carry]), order * sum(wanted[num_carry:])]
    body = permute(body, interleaved(sizes, counts), interleaved([num_carry, num_ys], terms_out))
    operands = [x for xs, g in zip(parts(primals, num_consts, num_carry), groups) for x in (*xs, *_flat(g))]
    out = scan_p.bind(
        *operands, jaxpr=body, num_consts=num_consts + counts[0], num_carry=num_carry + counts[1], **params
    )
    carry, t_carry, ys, t_ys = parts(out, num_carry, terms_out[0], num_ys)
    return _split([*carry, *ys, *t_carry, *t_ys], len(wanted), wanted, order)


def _while_rule(primals, series, *, cond_jaxpr, body_jaxpr, cond_nconsts, body_nconsts, **params):
    order, n, m = _order(series), cond_nconsts, body_nconsts
    num_carry = len(body_jaxpr.out_avals)
    series = _carried(primals, series, body_jaxpr, order, n + m, num_carry)
    wanted = _inexact(body_jaxpr.out_avals)
    body, _ = jet_program(body_jaxpr, _moving(series[n:]), order, wanted)
    consts, carry = _flat(series[n : n + m]), _flat(series[n + m :])
    body = permute(body, interleaved([m, num_carry], [len(consts), len(carry)]), tuple(range(len(body.out_avals))))
    test = add_unused_operands(cond_jaxpr, tuple([aval_of(t) for t in carry]))
    outs = while_p.bind(
        *primals[: n + m], *consts, *primals[n + m :], *carry, cond_jaxpr=test, body_jaxpr=body,
        cond_nconsts=n, body_nconsts=m + len(consts), **params,
    )
    return _split(outs, num_carry, wanted, order)


PROGRAM_RULES = {jit_p: _jit_rule, remat_p: _remat_rule, cond_p: _cond_rule, scan_p: _scan_rule, while_p: _while_rule}
for _rule in PROGRAM_RULES.values():
    _rule.takes_zero_series = True
