"""Loops made ready: from the user's functions to the operands of `scan` and `while`.

A loop is traced once for a function and the types of its carry and remembered with the function. It knows
the program, which values the function closes over, which parts of the carry never change (they become
constants) and which are converted at the start, and where the user finds his results: results that are
operands passed through are not computed by the loop at all.

Tests: `tests/control_flow/test_errors.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.jaxpr import ClosedJaxpr, Literal
from ...core.messages.errors import message
from ...core.process.records import NamedTuple
from ...core.types import Array, ShapedArray, aval_of
from ...core.values.refs import Ref
from ...prims.collective import pvary_to
from ...prims.conversion import convert_element_type
from ...transforms.bodies import Body
from ..apart import axes_apart, axes_inside, lacking, with_varying_results
from ..scan import scan_p
from ..while_loop import while_p
from .bodies import promoted
from .mismatches import are_alike, carry_types_differ

__all__ = ["TracedScan", "TracedWhile", "trace_scan", "trace_while", "row_type"]


class TracedScan(NamedTuple):
    """A scan as it is run; positions count leaves of the carry, or of [*loop results, *carry, *xs]."""

    program: ClosedJaxpr
    captured: list
    start: tuple  # for each leaf of the carry the type to bring it to, or None
    fixed: tuple[int, ...]
    moving: tuple[int, ...]
    results: tuple[int, ...]
    out_tree: Any

    def run(self, carry, xs, length: int, reverse: bool, unroll) -> list:
        carry = _started(carry, self.start)
        fixed = [carry[i] for i in self.fixed]
        outs = scan_p.bind(
            *fixed, *self.captured, *[carry[i] for i in self.moving], *xs,
            jaxpr=self.program, length=length, num_carry=len(self.moving),
            num_consts=len(fixed) + len(self.captured), reverse=reverse, unroll=unroll,
        )
        pool = [*outs, *carry, *xs]
        return [pool[i] for i in self.results]


class TracedWhile(NamedTuple):
    """A while loop as it is run; positions count leaves of the carry, or of [*loop results, *carry]."""

    test: ClosedJaxpr
    test_captured: list
    body: ClosedJaxpr
    body_captured: list
    start: tuple
    fixed: tuple[int, ...]
    moving: tuple[int, ...]
    results: tuple[int, ...]

    @property
    def captured(self) -> list:
        return self.test_captured + self.body_captured

    def run(self, carry, **params) -> list:
        carry = _started(carry, self.start)
        body_consts = [*[carry[i] for i in self.fixed], *self.body_captured]
        outs = while_p.bind(
            *self.test_captured, *body_consts, *[carry[i] for i in self.moving],
            body_jaxpr=self.body, body_nconsts=len(body_consts),
            cond_jaxpr=self.test, cond_nconsts=len(self.test_captured), **params,
        )
        pool = [*outs, *carry]
        return [pool[i] for i in self.results]


def trace_scan(trace: Callable[[tuple], Body], avals, names, loop: str) -> TracedScan:
    """Return the scan of the body that `trace` makes for a carry of given types, starting with `avals`.

    `trace` checks the structure of the results; their types are checked here, under the names that
    the thunk `names` gives to the leaves of the carry.
    """
    body, start = _settled(trace, avals, names, loop)
    program, n, k = body.program.jaxpr, len(avals), len(body.captured)
    carry_in, carry_out = program.invars[k : k + n], program.outvars[:n]
    xs, ys = program.invars[k + n :], program.outvars[n:]
    fixed = [i for i in range(n) if carry_out[i] is carry_in[i]]
    moving = [i for i in range(n) if carry_out[i] is not carry_in[i]]
    stacked = [i for i, y in enumerate(ys) if y not in xs]
    at = len(moving) + len(stacked)
    results = [moving.index(i) if i in moving else at + i for i in range(n)]
    for i, y in enumerate(ys):
        if y in xs:
            results.append(at + n + xs.index(y))
        else:
            results.append(len(moving) + stacked.index(i))
    program = program.replace(
        invars=[carry_in[i] for i in fixed] + program.invars[:k] + [carry_in[i] for i in moving] + xs,
        outvars=[carry_out[i] for i in moving] + [ys[i] for i in stacked],
    )
    return TracedScan(
        ClosedJaxpr(program, body.program.consts), body.captured, start, tuple(fixed), tuple(moving),
        tuple(results), body.out_tree,
    )


def trace_while(trace_test, trace_body, avals, names, loop: str) -> TracedWhile:
    """Return the loop whose condition and body are traced for a carry of given types.

    What changes in turns that each device counts for itself varies between them.
    """
    added: tuple = (frozenset(),) * len(avals)
    while True:
        body, start = _settled(trace_body, avals, names, loop, added)
        n, k = len(avals), len(body.captured)
        test = trace_test(tuple(body.program.in_avals[k:]))
        apart = axes_apart(test.out_avals[0], (test.program, body.program), False)
        carry, outs = body.program.jaxpr.invars[k:], body.program.jaxpr.outvars
        more = tuple([
            axes if after is before else axes.union(lacking(before.aval, apart))
            for axes, before, after in zip(added, carry, outs)])
        if more == added:
            break
        added = more
    program, condition = body.program.jaxpr, test.program.jaxpr
    test_carry = condition.invars[len(test.captured) :]
    read = {v for eqn in condition.eqns for v in eqn.invars if type(v) is not Literal}
    read.update(v for v in condition.outvars if type(v) is not Literal)
    carry = program.invars[k:]
    fixed = [i for i in range(n) if program.outvars[i] is carry[i] and test_carry[i] not in read]
    moving = [i for i in range(n) if i not in fixed]
    program = program.replace(
        invars=[carry[i] for i in fixed] + program.invars[:k] + [carry[i] for i in moving],
        outvars=[program.outvars[i] for i in moving],
    )
    condition = condition.replace(
        invars=condition.invars[: len(test.captured)] + [test_carry[i] for i in moving]
    )
    results = tuple([moving.index(i) if i in moving else len(moving) + i for i in range(n)])
    return TracedWhile(
        ClosedJaxpr(condition, test.program.consts), test.captured,
        ClosedJaxpr(program, body.program.consts), body.captured,
        start, tuple(fixed), tuple(moving), results,
    )


def _settled(trace, avals, names, loop: str, added: tuple = ()) -> tuple[Body, tuple]:
    """Return the body for a carry that keeps its types, and the types to which the start is brought.

    A leaf of the carry varies along the mesh axes `added` too, and along those along which devices part in the body.
    """
    added = added or (frozenset(),) * len(avals)
    now = tuple(avals)
    while True:
        given = tuple([a.update(vma=a.vma | axes) if axes else a for a, axes in zip(now, added)])
        body = trace(given)
        out_avals = body.out_avals[: len(now)]
        better, inside = promoted(now, out_avals), axes_inside([body.program])
        more = added
        if inside:
            more = tuple([axes | inside & b.vma - a.vma for axes, a, b in zip(added, given, out_avals)])
        if better == now and more == added:
            break
        now, added = better, more
    if any(added):
        along = [lacking(a, axes) for a, axes in zip(body.out_avals, added)]
        along += [()] * (len(body.out_avals) - len(along))
        body = Body(with_varying_results(body.program, along), body.captured, body.out_tree)
        out_avals = body.out_avals[: len(now)]
    if not all([are_alike(a, b) for a, b in zip(given, out_avals)]):
        raise carry_types_differ(loop, names(), given, out_avals)
    return body, tuple([None if a is b else b for a, b in zip(avals, given)])


def _started(carry, start) -> list:
    """Return the carry with its leaves brought to the types that the traced loop says."""
    return [x if aval is None else _brought(x, aval) for x, aval in zip(carry, start)]


def _brought(x, aval):
    if aval_of(x).dtype != aval.dtype:
        x = _converted(x, aval.dtype)
    return pvary_to(x, aval.vma) if aval.vma else x


def _converted(x, dtype):
    if not isinstance(x, Array) and not aval_of(x).shape:
        return dtype.type(x)
    return convert_element_type(x, new_dtype=dtype, weak_type=False, sharding=None)


def row_type(x) -> ShapedArray:
    """Return the type of one row of an array."""
    if type(x) is Ref:
        return x.aval.update(inner_aval=x.aval.inner_aval.without_axis(0))
    aval = x.aval if isinstance(x, Array) else aval_of(x)
    if aval.explicit_sharding is not None and aval.explicit_sharding.spec[0]:
        raise ValueError(
            message(
                f"0th dimension of all xs should be replicated. Got {aval.explicit_sharding.spec}",
                why=f"scan runs over the rows of {aval.str_short()} one after another, on all devices.",
                fix="xs = jax.sharding.reshard(xs, P(None, ...))",
            )
        )
    return aval.without_axis(0)
