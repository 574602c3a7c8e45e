"""Calls with a label: a program that is run as it is, and a note about it that no rule reads.

The call stays a call however it is transformed, so the note reaches the compiler.

Tests: `tests/experimental/test_small_modules.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from ...core.jaxpr import ClosedJaxpr
from ...core.passes import prune_program
from ...core.primitive import Primitive, UndefinedPrimal
from ...core.trace import stage
from ...core.tree.tree import tree_flatten, tree_unflatten
from ...core.types import aval_of
from ...core.values.zeros import Zero
from ..calls import call_primitive
from ..flat import FlatFun, check_callable, debug_info, wraps
from ..programs import batch_at, fill_zeros, hoist, jvp_program, linearize_program, transpose_program

__all__ = ["labelled", "labelled_call"]


def labelled_call(name: str, changed: Callable[[dict, ClosedJaxpr], dict] = lambda params, _: params) -> Primitive:
    """Return a primitive that runs the program `jaxpr`; `changed(params, program)` has the notes for another program.
    """
    p = call_primitive(name)

    def params_of(params: dict, program: ClosedJaxpr) -> dict:
        return {**changed(params, program), "jaxpr": program}

    @p.jvp
    def _(primals, tangents, **params):
        jaxpr = params["jaxpr"]
        program, nonzero = jvp_program(jaxpr, tuple([type(t) is not Zero for t in tangents]))
        outs = p.bind(*primals, *[t for t in tangents if type(t) is not Zero], **params_of(params, program))
        n = len(jaxpr.out_avals)
        return outs[:n], fill_zeros(outs[n:], nonzero, jaxpr.out_avals)

    @p.linearize
    def _(tape, primals, tangents, params):
        jaxpr = params["jaxpr"]
        split = linearize_program(jaxpr, tuple([type(t) is not Zero for t in tangents]))
        outs = p.bind(*primals, **params_of(params, split.primal))
        pool = [*primals, *outs]
        given = [t for t in tangents if type(t) is not Zero]
        ts = tape.emit(p, [*[pool[i] for i in split.sources], *given], params_of(params, split.linear))
        return outs[: len(jaxpr.out_avals)], fill_zeros(ts, split.nonzero_out, jaxpr.out_avals)

    @p.transpose
    def _(cts, *args, **params):
        linear = tuple([type(x) is UndefinedPrimal for x in args])
        program, nonzero = transpose_program(params["jaxpr"], linear, tuple([type(c) is not Zero for c in cts]))
        known = [x for x in args if type(x) is not UndefinedPrimal]
        outs = iter(p.bind(*known, *[c for c in cts if type(c) is not Zero], **params_of(params, program)))
        present = iter(nonzero)
        return [(next(outs) if next(present) else Zero(x.aval)) if lin else None for x, lin in zip(args, linear)]

    @p.batch_axis
    def _(axis, args, dims, params):
        program, out_dims = batch_at(params["jaxpr"], axis, tuple(dims))
        return p.bind(*args, **params_of(params, program)), out_dims

    @p.prune
    def _(params, used):
        program, kept = prune_program(params["jaxpr"], used)
        return (params if program is params["jaxpr"] else params_of(params, program)), kept, used

    return p


def labelled(p: Primitive, fun: Callable, label: Callable[[ClosedJaxpr, object], dict], purpose: str) -> Callable:
    """Return `fun` as a call of `p` whose notes are `label(program, tree of the result)`."""
    check_callable(fun, purpose)

    def call(*args, **kwargs):
        leaves, in_tree = tree_flatten((args, kwargs))
        flat = FlatFun(fun, in_tree, purpose)
        program, captured = hoist(*stage(flat, [aval_of(x) for x in leaves], debug_info(purpose, fun, in_tree)))
        outs = p.bind(*captured, *leaves, jaxpr=program, **label(program, flat.out_tree))
        return tree_unflatten(flat.out_tree, outs)

    return wraps(fun)(call)
