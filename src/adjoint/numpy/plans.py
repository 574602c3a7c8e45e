"""Eager calls replayed: what a function did for operands of some types is planned once and then repeated.

`replayed` stands around functions whose result depends only on the values of arrays and on settings (axes,
dtypes, modes). Called with concrete arrays the third time for the same types and settings, the function is
traced, and from then on the NumPy engine runs the few steps that are left: no promotion, no checks, no axes
to normalise; what does not depend on the operands is computed in advance. A function whose result depends on
values otherwise (`nonzero`) cannot be traced and simply runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..array.array import ArrayImpl, deleted, make_array
from ..core import dtypes
from ..core.config import local
from ..core.jaxpr import ClosedJaxpr, Jaxpr, Literal, dce_jaxpr
from ..core.trace import StagingTrace, state
from ..core.tree import tree_flatten, tree_unflatten
from ..core.types import Array, aval_of
from ..engines.numpy import eval_trace, program
from ..engines.numpy.floating import quiet
from ..engines.numpy.program import as_buffer, evaluation
from ..transforms.flat import wraps

__all__ = ["replayed"]

_KEPT = 256  # combinations of operand types and settings that one function remembers
_FOLDED = 4096  # elements: larger intermediate results are not kept
_SCALARS = frozenset((bool, int, float, complex, *(d.type for d in dtypes.all_dtypes)))
_SIGNED = frozenset((float, complex))
_new = object.__new__
_enter, _leave = quiet.enter, quiet.leave


def replayed(
    general: Callable | None = None, /, *, numpy: Callable | None = None, scalars: bool = False,
    static: tuple[int, ...] = (),
) -> Callable:
    """A function with eager calls replayed. Its arguments are arrays, lists of them, and hashable settings.

    `numpy` takes the same arguments, with NumPy arrays of one dtype, and has the same values: where NumPy has a
    function for what is otherwise a long program. With `scalars`, Python's and NumPy's scalars in all positions
    but those in `static` are operands; else they are settings.
    """
    if general is None:
        return lambda f: replayed(f, numpy=numpy, scalars=scalars, static=static)
    plans: dict[tuple, Any] = {}
    operands = _SCALARS if scalars else ()

    def function(*args, **kwargs):
        if state.trace is not eval_trace:
            return general(*args, **kwargs)
        values: list[Any] = []  # of the operands
        key: list[Any] = [local.trace_context, tuple(kwargs)]
        given = len(args)
        for i, a in enumerate((*args, *kwargs.values()) if kwargs else args):
            kind = type(a)
            if kind is ArrayImpl:
                values.append(a)
                key.append(a.aval)
            elif kind is list or kind is tuple:
                key.append(_of_list(a, values))
            elif kind in operands and i < given and i not in static:
                values.append(a)
                key.append(kind)
            else:
                key.append(kind)  # 1 and True are equal
                key.append(a if kind not in _SIGNED else str(a))  # and so are 0.0 and -0.0
        try:
            plan = plans.get(tuple(key), 0)
        except TypeError:  # a setting that is not hashable
            return general(*args, **kwargs)
        if type(plan) is not int:
            return plan(values)
        out = general(*args, **kwargs)
        if values and plan >= 0:
            if len(plans) >= _KEPT:
                plans.clear()
            if plan == 0:
                plan = 1
            elif numpy is not None and type(out) is ArrayImpl and _is_native(values):
                plan = _numpy_plan(numpy, args, kwargs, out.aval)
            else:
                chosen = [i for i, a in enumerate(args) if type(a) in operands and i not in static]
                plan = _plan(general, args, kwargs, values, chosen)
            plans[tuple(key)] = plan
        return out

    function.plans = plans  # type: ignore[attr-defined]
    return wraps(general)(function)


def _of_list(xs, values) -> tuple:
    """The part of the key that stands for a list; its arrays are collected."""
    key: list[Any] = [type(xs)]
    for x in xs:
        kind = type(x)
        if kind is ArrayImpl:
            values.append(x)
            key.append(x.aval)
        else:
            key += (kind, x if kind not in _SIGNED else str(x))
    return tuple(key)


def _plan(general, args, kwargs, values, chosen) -> Callable | int:
    """A function of the operands that does what the call did; -1 if there is none."""
    trace = StagingTrace(eval_trace)
    trace.stages = False  # library functions are not calls here, and filled arrays are constants
    state.trace = trace
    try:
        tracers = iter([trace.input(aval_of(x)) for x in values])
        args, kwargs = _with(args, kwargs, tracers, chosen)
        outs, tree = tree_flatten(general(*args, **kwargs))
        if not outs or not all([isinstance(x, Array) for x in outs]):
            return -1
        jaxpr, consts = trace.finish(outs)
    except Exception:  # the result depends on values otherwise: there is no program for it
        return -1
    finally:
        state.trace = eval_trace
        trace.active = False
    jaxpr, consts = _folded(jaxpr, consts)
    single = len(outs) == 1 and isinstance(tree_unflatten(tree, outs), Array)
    takes = [_buffer if type(x) is ArrayImpl else aval_of(x).dtype.type for x in values]
    if single and len(jaxpr.eqns) == 1 and all([take is _buffer for take in takes]):
        (eqn,) = jaxpr.eqns
        if eqn.invars == jaxpr.invars and jaxpr.outvars == eqn.outvars:
            return _one_step(evaluation(eqn), eqn.primitive.multiple_results, jaxpr.outvars[0].aval)
    run, avals = program(ClosedJaxpr(jaxpr, consts)), jaxpr.out_avals

    def replay(values):
        buffers = run(*[take(x) for take, x in zip(takes, values)])
        return tree_unflatten(tree, [make_array(b, a) for b, a in zip(buffers, avals)])

    def replay_one(values):
        (buffer,) = run(*[take(x) for take, x in zip(takes, values)])
        return make_array(buffer, avals[0])

    return replay_one if single else replay


def _is_native(values) -> bool:
    """Whether NumPy itself computes with these operands, and need not promote."""
    if not all([type(x) is ArrayImpl for x in values]):
        return False
    dtype = values[0].aval.dtype
    return dtype.kind in "fiub" and all([x.aval.dtype == dtype for x in values])


def _numpy_plan(function, args, kwargs, aval) -> Callable:
    dtype = aval.dtype

    def replay(arrays):
        full, named = _with(args, kwargs, iter([_buffer(a) for a in arrays]))
        token = _enter()
        try:
            out = function(*full, **named)
        finally:
            _leave(token)
        return make_array(out if out.dtype == dtype else out.astype(dtype), aval)

    return replay


def _with(args, kwargs, values, chosen=()):
    """The arguments with other values in place of arrays and of the scalars at `chosen` positions, in order."""

    def put(a, i=None):
        if type(a) is ArrayImpl or i in chosen:
            return next(values)
        return type(a)(map(put, a)) if type(a) in (list, tuple) else a

    return [put(a, i) for i, a in enumerate(args)], {name: put(a) for name, a in kwargs.items()}


def _folded(jaxpr: Jaxpr, consts) -> tuple[Jaxpr, list]:
    """The program without what nobody needs, and with small results that need no operand as constants."""
    jaxpr, _ = dce_jaxpr(jaxpr, [True] * len(jaxpr.outvars), instantiate=True)
    known = {v: as_buffer(c, v.aval) for v, c in zip(jaxpr.constvars, consts)}
    eqns = []
    for eqn in jaxpr.eqns:
        fixed = all([type(v) is Literal or v in known for v in eqn.invars])
        if fixed and sum([v.aval.size for v in eqn.outvars]) <= _FOLDED:
            values = [np.asarray(v.val, v.aval.dtype) if type(v) is Literal else known[v] for v in eqn.invars]
            token = _enter()
            try:
                out = evaluation(eqn)(*values)
            finally:
                _leave(token)
            known.update(zip(eqn.outvars, out if eqn.primitive.multiple_results else [out]))
        else:
            eqns.append(eqn)
    jaxpr = jaxpr.replace(constvars=list(known), eqns=eqns, debug_info=None)
    return jaxpr, [make_array(b, v.aval) for v, b in known.items()]


def _one_step(run, several: bool, aval) -> Callable:
    """The replay of one equation whose operands are the arrays in order."""

    def replay(arrays):
        buffers = [a._buffer for a in arrays]
        if any([b is None for b in buffers]):
            raise deleted(next(a for a in arrays if a._buffer is None))
        token = _enter()
        try:
            buffer = run(*buffers)
        finally:
            _leave(token)
        a = _new(ArrayImpl)
        a._buffer = buffer[0] if several else buffer
        a._device = None
        a.aval = aval
        return a

    return replay


def _buffer(a: ArrayImpl):
    if a._buffer is None:
        raise deleted(a)
    return a._buffer
