"""The primitives of sparse arrays: each is a program of dense operations, from which every rule follows.

A sparse primitive is its program on buffers, and which of these it is linear in. The type of its results is that of
the program's; engines run the program; a derivative is a sum of calls with one linear operand replaced by its tangent;
the transpose and batches are those of the program.

Tests: `tests/experimental/sparse/test_primitives.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from ...core import dtypes
from ...core.options.config import config
from ...core.primitive import Primitive, is_undefined_primal
from ...core.process.memo import Memo
from ...core.trace import current, stage_closed, state
from ...core.types import ShapedArray, aval_of
from ...core.values.zeros import Zero
from ...engines import compiled
from ...engines.numpy.program import program
from ...lax import full
from ...numpy import asarray
from ...prims.family import add_any
from ...transforms.derivatives.grad import vjp
from ...transforms.vmap import vmap

__all__ = ["over_batches", "sparse_primitive"]

_MAX_PROGRAMS = 512  # programs remembered, of all primitives
_programs = Memo(_MAX_PROGRAMS)
_MIN_ELEMENTS_TO_COMPILE = 1 << 16  # of the operands: fewer are evaluated sooner than their program is compiled


def sparse_primitive(
    name: str, linear: Sequence[int] = (0,), multiple_results: bool = False, keeps_weak: bool = False
):
    """Make a primitive of a function `(*arrays, **params) -> array`, or a list of arrays.

    Args:
      linear: the operands in each of which it is linear.
      keeps_weak: the first result is weakly typed where the first operand is; no other is.
    """

    def define(fun: Callable) -> Primitive:
        p = Primitive(name, multiple_results=multiple_results)
        p.expand_rule = fun
        p.type(partial(_type, p, keeps_weak))
        p.evaluate(partial(_evaluate, p))
        p.jvp(partial(_jvp, p, tuple(linear)))
        p.transpose(partial(_transpose, p))
        p.batch(partial(_batch, p))
        return p

    return define


def _staged(p: Primitive, avals, params):
    key = p, avals, tuple(params.items()), config.jax_enable_x64
    found = _programs.get(key)
    if found is None:

        def run(*args):
            out = p.expand_rule(*args, **params)
            return list(out) if p.multiple_results else [out]

        with current(state.bottom):
            found = _programs.keep(key, stage_closed(run, avals))
    return found


def _type(p, keeps_weak, *avals, **params):
    outs = [v.aval for v in _staged(p, tuple([ShapedArray(a.shape, a.dtype) for a in avals]), params).jaxpr.outvars]
    outs = [ShapedArray(a.shape, a.dtype, keeps_weak and not i and avals[0].weak_type) for i, a in enumerate(outs)]
    return outs if p.multiple_results else outs[0]


def _evaluate(p, *buffers, **params):
    avals = tuple([ShapedArray(b.shape, b.dtype) for b in buffers])
    closed = _staged(p, avals, params)
    if sum([b.size for b in buffers]) >= _MIN_ELEMENTS_TO_COMPILE:
        run = compiled(closed)
    elif (run := _programs.get(closed)) is None:
        run = _programs.keep(closed, program(closed))
    outs = [np.asarray(x) for x in run(*buffers)]
    return outs if p.multiple_results else outs[0]


def _jvp(p, linear, primals, tangents, **params):
    outs = p.bind(*primals, **params)
    terms = []
    for i in linear:
        if type(tangents[i]) is not Zero:
            term = p.bind(*primals[:i], tangents[i], *primals[i + 1 :], **params)
            terms.append(term if p.multiple_results else [term])
    listed = outs if p.multiple_results else [outs]
    ts = []
    for k, out in enumerate(listed):
        is_number = aval_of(out).dtype.kind in "fcV"
        total = None
        for term in terms if is_number else ():
            total = term[k] if total is None else add_any(total, term[k])
        ts.append(Zero(aval_of(out).to_tangent_aval()) if total is None else total)
    return (outs, ts) if p.multiple_results else (outs, ts[0])


def _transpose(p, ct, *args, **params):
    """Return the transpose in the operands that are not known: the pullback of the program, at zero."""
    places = [i for i, x in enumerate(args) if is_undefined_primal(x)]
    args = [x if i in places else asarray(x) for i, x in enumerate(args)]

    def of_linear(*xs):
        given = dict(zip(places, xs))
        outs = p.expand_rule(*[given.get(i, x) for i, x in enumerate(args)], **params)
        outs = outs if p.multiple_results else [outs]
        return [x for x in outs if aval_of(x).dtype.kind in "fcV"]

    zeros = [full(args[i].aval.shape, 0, args[i].aval.dtype) for i in places]
    outs, pull = vjp(of_linear, *zeros)
    cts = [x for x in (ct if p.multiple_results else [ct]) if dtypes.issubdtype(x.aval.dtype, np.inexact)]
    cts = [full(x.aval.shape, 0, x.aval.dtype) if type(x) is Zero else x for x in cts]
    found = dict(zip(places, pull(cts)))
    return [found.get(i) for i in range(len(args))]


def _batch(p, args, dims, **params):
    out = vmap(lambda *xs: p.expand_rule(*xs, **params), in_axes=tuple(dims))(*map(asarray, args))
    return (list(out), [0] * len(out)) if p.multiple_results else (out, 0)


def over_batches(fun: Callable, n: int, *args):
    """Call a function for every batch: each operand has `n` leading axes, of which those of size 1 are repeated."""
    if not n:
        return fun(*args)
    sizes = {x.shape[0] for x in args} - {1}
    if not sizes:
        outs = over_batches(fun, n - 1, *[x[0] for x in args])
        return tuple([x[None] for x in outs]) if isinstance(outs, (tuple, list)) else outs[None]
    axes = tuple([None if x.shape[0] == 1 else 0 for x in args])
    given = [x[0] if d is None else x for x, d in zip(args, axes)]
    return vmap(lambda *xs: over_batches(fun, n - 1, *xs), in_axes=axes)(*given)
