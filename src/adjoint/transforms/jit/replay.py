"""Eager calls replayed: what a function did for operands of some types is traced once and then repeated.

`replayed` stands around functions whose result depends only on the values of arrays and on settings (axes,
dtypes, modes). Called with concrete arrays the second time for the same types and settings, or the first time if
they are large, the function is traced, and from then on the NumPy engine runs the few steps that are left: no
promotion, no checks, no axes to normalise; what does not depend on the operands is computed in advance. Where
NumPy has a function for what is a long program otherwise, that is one step of what is replayed, also in the replays of
functions that call it. A function whose result depends on values otherwise (`nonzero`) cannot be traced and
simply runs, or NumPy does what it would.

A function that `compiles_after` some seconds is compiled once its calls have taken so long: `WORTH`, as long as that
itself does, if it has the same bits compiled, and otherwise `AT_ONCE`, so that calls agree. Programs whose steps are
known to have the same bits (`exactness.py`) are compiled after `WORTH` too. What is compiled answers further calls
without Python, as of a jitted function, where generated code can compare their settings.

Tests: `tests/numpy/test_plans.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from functools import lru_cache, partial
from itertools import repeat
from time import perf_counter
from typing import Any

import numpy as np

from ...array.array import ArrayImpl, as_array, buffer_of, deleted, make_array
from ...core import dtypes
from ...core.jaxpr import ClosedJaxpr, Jaxpr, Literal
from ...core.messages.errors import ConcretizationTypeError, TracerIntegerConversionError
from ...core.options.config import epoch, local
from ...core.passes import dce_jaxpr
from ...core.primitive import Primitive
from ...core.process.memo import Memo
from ...core.trace import DynamicJaxprTrace, Tracer, current, state
from ...core.tree.tree import tree_flatten, tree_structure, tree_unflatten
from ...core.types import AbstractValue, Array, ShapedArray, aval_of
from ...core.values.deferred import Deferred, call_deferred
from ...engines import prepare
from ...engines.called import FastPath
from ...engines.numpy import eval_trace, program
from ...engines.numpy.floating import quiet
from ...engines.numpy.memory import exhausted
from ...engines.numpy.program import as_buffer, evaluation
from ...sharding.device import engine_name
from ..flat import wraps
from .exactness import has_same_bits
from .jit import InnerJit, jit, lowerable

__all__ = ["AT_ONCE", "FEW", "MANY", "WORTH", "CompiledReplay", "replayed"]

_MAX_KEYS_PER_FUNCTION = 256  # combinations of operand types and settings that one function remembers
_MAX_ELEMENTS_TO_FOLD = 4096  # elements: larger intermediate results are not kept
_MIN_ELEMENTS_TO_REPLAY = 2**15  # elements: to trace costs less than one call that is not replayed
AT_ONCE, WORTH = 0.0, 0.05  # seconds: compiling takes about as long
MANY = range(2**18, 2**63)  # elements from which several threads pay
FEW = range(_MIN_ELEMENTS_TO_REPLAY)  # elements that are moved in less time than it takes to say how
_ANY = range(2**63)
_SCALARS = frozenset((bool, int, float, complex, *(d.type for d in dtypes.all_dtypes)))
_SIGNED = frozenset((float, complex))
_COMPARED = frozenset((bool, int, str, type, type(None)))  # of which those that are equal mean the same
_OPERAND = object()  # stands for one
_new = object.__new__
_set, _quiet, _leave = quiet.set, quiet.value, quiet.leave


def replayed(
    general: Callable | None = None, /, *, numpy: Callable | None = None, mixed: bool = False,
    suits: Callable | None = None, scalars: bool = False, static: tuple[int, ...] = (),
    compiles_after: float | None = None, sizes: range = _ANY, exact: bool = False, arrays: int = 1,
    now: Callable | None = None, traced_from: int = _MIN_ELEMENTS_TO_REPLAY, reals: bool = False,
) -> Callable:
    """Return a function with eager calls replayed. Its arguments are arrays, lists of them, and hashable settings.

    `numpy` takes the same arguments, with NumPy arrays of one dtype (of several with `mixed`), and has the same
    values: where NumPy has a function for what is otherwise a long program. It is not for calls that `suits(args,
    kwargs)` says no to, and returns `NotImplemented` for values that it does not handle. With `scalars`, Python's
    and NumPy's scalars in all positions but those in `static` are operands; else they are settings. With
    `compiles_after`, for operands with a number of elements in `sizes` (any, where there is a `numpy` that is not
    for the call and it is `AT_ONCE`), the replay becomes a compiled program after so many seconds, if the engine
    makes such; a replay of few elements does after `WORTH` if all of its steps have the same bits compiled, and
    with `exact`, any replay that makes integers of integers; with `reals`, none of complex numbers, the signs of
    whose zeros would differ. NumPy's arrays are operands too in the first `arrays` positions; elsewhere they are
    settings. `now` is called instead of what cannot be traced, like `numpy`; types of its results are those of its
    arrays. Calls with `traced_from` elements or more are traced at once.
    """
    if general is None:
        return lambda f: replayed(
            f, numpy=numpy, mixed=mixed, suits=suits, scalars=scalars, static=static,
            compiles_after=compiles_after, sizes=sizes, exact=exact, arrays=arrays, now=now, traced_from=traced_from,
            reals=reals,
        )
    # By key: the function that replays, or before there is one the calls so far, or -1 if there can be none.
    replays = Memo(_MAX_KEYS_PER_FUNCTION)
    operands = _SCALARS if scalars else ()
    fast_path: FastPath | None = None  # when there is something compiled

    def start() -> FastPath:
        nonlocal fast_path
        fast_path = fast_path or FastPath()
        return fast_path

    numpys = _NumPys(numpy, mixed, suits, operands)
    first_calls = _FirstCalls(
        general, numpys, now, replays, start, static, compiles_after, sizes, exact, reals, traced_from)

    def function(*args, **kwargs):
        if fast_path is not None and (out := fast_path(*args, **kwargs)) is not None:
            return out
        trace = state.trace
        if trace is not eval_trace:
            for a in args:
                if isinstance(a, Deferred):
                    return call_deferred(function, args, kwargs)
            staged = type(trace) is DynamicJaxprTrace and not trace.stages
            if staged and (chosen := numpys.of(args, kwargs)) is not None:
                return _as_step(trace, general, chosen, mixed, args, kwargs)
            return general(*args, **kwargs)
        if len(args) == 1 and type(args[0]) is ArrayImpl and not kwargs:  # as the usual way, but shorter
            values: list[Any] = [args[0]]
            key: tuple = (local.trace_context, args[0].aval)
        else:
            values, parts = [], [local.trace_context]  # the operands, and one item for each argument
            for a in args:
                kind = type(a)
                if kind is ArrayImpl:
                    values.append(a)
                    parts.append(a.aval)
                elif kind is str:
                    parts.append(a)
                elif kind is np.ndarray and len(parts) <= arrays and a.dtype.kind in "fiubc":
                    return function(*map(_as_operand, args[:arrays]), *args[arrays:], **kwargs)
                elif kind in operands and len(parts) - 1 not in static:
                    values.append(a)
                    parts.append(kind)
                else:
                    parts.append(_part(a, values))
            if kwargs:
                parts.append(None)
                for name, a in kwargs.items():
                    parts += (name, _part(a, values))
            key = tuple(parts)
        try:
            replay = replays.get(key, 0)
        except (TypeError, ValueError):  # a setting that is not hashable, as memory views
            return general(*args, **kwargs)
        if callable(replay):
            return replay(values)
        if not values or replay < 0:
            return general(*args, **kwargs)
        return first_calls.answer(key, replay, values, args, kwargs)

    function.replays = replays  # type: ignore[attr-defined]
    function = wraps(general)(function)
    return lowerable(function) if type(general) is InnerJit else function


class _NumPys:
    """The function that NumPy has for one of ours, if it has one, and the calls that it is for."""

    __slots__ = ("function", "mixed", "operands", "suits")

    def __init__(self, function, mixed, suits, operands):
        self.function, self.mixed, self.suits, self.operands = function, mixed, suits, operands

    def of(self, args, kwargs) -> Callable | None:
        """Return the function for a call; None if it is not for that."""
        if self.function is None or not self.begins(args) or self.suits is not None and not self.suits(args, kwargs):
            return None
        return self.function

    def begins(self, args) -> bool:
        """Return whether the first argument (after a text, if any) is an operand, as NumPy's functions want."""
        rest = [a for a in args[:2] if type(a) is not str]
        return not rest or type(rest[0]) in self.operands or _holds_operand(rest[0])


class _FirstCalls:
    """Answers to the calls of a function that is not replayed yet. The options are those of `replayed`."""

    def __init__(self, general, numpys, now, replays, start, static, compiles_after, sizes, exact, reals, traced_from):
        self.general, self.numpys, self.now, self.replays, self.start = general, numpys, now, replays, start
        self.static, self.traced_from = static, traced_from
        self.compiles_after, self.sizes, self.exact, self.reals = compiles_after, sizes, exact, reals

    def answer(self, key, count, values, args, kwargs):
        """Return the result of a call after `count` others, and keep under its key what answers the next ones."""
        general, numpys, replays = self.general, self.numpys, self.replays
        chosen = [i for i, a in enumerate(args) if type(a) in numpys.operands and i not in self.static]
        total = sum([aval_of(x).size for x in values])
        numpy = numpys.of(args, kwargs) if _is_native(values, numpys.mixed) else None
        compiles = self.compiles(values, total, numpy)
        if compiles and self.compiles_after == AT_ONCE:
            made = replays.keep(key, CompiledReplay(general, args, kwargs, chosen, self.start))
            try:
                return made(values)
            except (ConcretizationTypeError, TracerIntegerConversionError):  # an array that says an axis, say
                replays.keep(key, -1)
                return general(*args, **kwargs)
        if count == 0 and total < self.traced_from:
            replays.keep(key, 1)
            return general(*args, **kwargs)
        made, is_exact = _trace_replay(general, numpy, args, kwargs, values, chosen)
        if made == -1:
            fits = self.now is not None and numpys.begins(args) and _is_native(values, numpys.mixed)
            if fits and not any([aval_of(x).weak_type for x in values]):
                made = _of_values(self.now, general, args, kwargs, len(values), chosen)
            replays.keep(key, made)
            return general(*args, **kwargs)
        out = made(values)
        is_exact = is_exact and _are_few(values, out) or self.exact and _are_integers(values, out)
        if compiles or is_exact and engine_name() == "native":
            seconds = self.compiles_after if compiles else WORTH
            compiled = CompiledReplay(general, args, kwargs, chosen, self.start)
            made = _timed(made, seconds, replays, key, compiled)
        replays.keep(key, made)
        return out

    def compiles(self, values, total: int, numpy) -> bool:
        """Return whether the replay for these operands becomes a compiled program, whatever its bits."""
        if self.compiles_after is None or engine_name() != "native":
            return False
        is_left = self.compiles_after == AT_ONCE and self.numpys.function is not None and numpy is None
        is_complex = self.reals and any([aval_of(x).dtype.kind == "c" for x in values])
        return (total in self.sizes or is_left) and not is_complex


def _are_integers(values, out) -> bool:
    return all([aval_of(x).dtype.kind in "iub" for x in (*values, *tree_flatten(out)[0])])


def _are_few(values, out) -> bool:
    return sum([aval_of(x).size for x in (*values, *tree_flatten(out)[0])]) in FEW


def _as_operand(a):
    return as_array(a) if type(a) is np.ndarray and a.dtype.kind in "fiubc" else a


def _part(x, values):
    """Return what stands in the key for an argument or an item of a list; arrays are collected."""
    kind = type(x)
    if kind is ArrayImpl:
        values.append(x)
        return x.aval
    if kind is list or kind is tuple:
        return (kind, *[_part(i, values) for i in x])
    if kind in _SIGNED:
        return kind, str(x)  # 0.0 and -0.0 are equal
    if kind.__hash__ is object.__hash__ and isinstance(x, Iterator):
        return kind, [x]  # which is not hashable: it can be read once
    return kind, x  # 1 and True are equal


def _trace_replay(general, numpy, args, kwargs, values, chosen) -> tuple[Callable | int, bool]:
    """Return a function of the operands that does what the call would do, and whether it has the same bits compiled.

    There is -1 in place of the function if there is none.
    """
    try:
        jaxpr, consts, tree = _traced(general, args, kwargs, [aval_of(x) for x in values], chosen)
    except Exception:  # an error, or the result depends on values otherwise: there is no program for it
        return -1, False
    avals = jaxpr.out_avals
    single = len(avals) == 1 and isinstance(tree_unflatten(tree, avals), AbstractValue)
    is_exact = numpy is None and has_same_bits(jaxpr)
    takes = [buffer_of if type(x) is ArrayImpl else aval_of(x).dtype.type for x in values]
    if numpy is not None:
        step = _NumPyStep(numpy, args, kwargs, ClosedJaxpr(jaxpr, consts))
        if single:
            return step.replay, False
        run: Any = step.run
    else:
        if single and len(jaxpr.eqns) == 1 and all([take is buffer_of for take in takes]):
            (eqn,) = jaxpr.eqns
            if eqn.invars == jaxpr.invars and jaxpr.outvars == eqn.outvars:
                return _one_step(evaluation(eqn), eqn.primitive.multiple_results, avals[0]), is_exact
        run = program(ClosedJaxpr(jaxpr, consts))

    def replay(values):
        buffers = run(*[take(x) for take, x in zip(takes, values)])
        return tree_unflatten(tree, [make_array(b, a) for b, a in zip(buffers, avals)])

    def replay_one(values):
        (buffer,) = run(*[take(x) for take, x in zip(takes, values)])
        return make_array(buffer, avals[0])

    return replay_one if single else replay, is_exact


def _traced(general, args, kwargs, avals, chosen):
    """Return the program of a call, its constants, and the tree of the results."""
    trace = DynamicJaxprTrace(eval_trace)
    trace.stages = False  # library functions are not calls here, and filled arrays are constants
    try:
        with current(trace):
            args, kwargs = _with(args, kwargs, iter([trace.input(a) for a in avals]), chosen)
            outs, tree = tree_flatten(general(*args, **kwargs))
            if not outs or not all([isinstance(x, Array) for x in outs]):
                raise TypeError("the results are not arrays")
            jaxpr, consts = trace.finish(outs)
    finally:
        trace.active = False
    return *_folded(jaxpr, consts), tree


def _of_values(now, general, args, kwargs, n, chosen) -> Callable:
    """Return a function of the operands for results whose shapes depend on values."""
    args, kwargs = _with(args, kwargs, repeat(_OPERAND), chosen)  # no operand is kept
    call = _bound(now, args, kwargs, n)
    typed = lru_cache(_MAX_KEYS_PER_FUNCTION)(ShapedArray)

    def replay(values):
        token = _set(_quiet)
        try:
            out = call(*map(buffer_of, values))
        finally:
            _leave(token)
        if out is NotImplemented:
            full, named = _with(args, kwargs, iter(values), chosen)
            return general(*full, **named)
        if type(out) is tuple:
            return tuple([make_array(b, typed(b.shape, b.dtype)) for b in out])
        return make_array(out, typed(out.shape, out.dtype))

    return replay


def _is_native(values, mixed) -> bool:
    """Return whether NumPy itself computes with these operands, and need not promote."""
    if not all([isinstance(x, Array) for x in values]):
        return False
    kinds = {x.aval.dtype for x in values}
    return (mixed or len(kinds) == 1) and all(map(dtypes.is_ordered_by_numpy, kinds))


# ---- compiled programs --------------------------------------------------------------------------


def _timed(replay, seconds, replays, key, compiled) -> Callable:
    """Return a replay in whose place comes what is compiled, once its calls have taken so many seconds."""
    spent = 0.0

    def timed(values):
        nonlocal spent
        if spent >= seconds:
            replays.keep(key, compiled)
            return compiled(values)
        start = perf_counter()
        out = replay(values)
        spent += perf_counter() - start
        return out

    return timed


class CompiledReplay:
    """A function of the operands that does what the call would do, and prepares a fast path for calls like it."""

    def __init__(self, general, args, kwargs, chosen, start):
        args, kwargs = _with(args, kwargs, repeat(_OPERAND), chosen)  # no operand is kept

        def call(*values):
            full, named = _with(args, kwargs, iter(values), chosen)
            return general(*full, **named)

        self.jitted, self.start, self.form = jit(call), start, _form(args, kwargs)
        self.entry: Any = None
        self.epoch: int | None = None  # of the options for which calls are prepared

    def __call__(self, values):
        out = self.jitted(*values)
        if self.epoch is None:
            self.epoch = -1  # the second call is the one that has the code made well
        elif self.form is not None and (self.epoch != epoch[0] or not state.calls_directly):
            self.prepare(values)
        return out

    def prepare(self, values) -> None:
        if self.entry is None:
            entry, _ = self.jitted._entry(tuple(values), {})
            if entry.executable is None or entry.captured:
                self.form = None
                return
            self.entry = copy(entry)
            self.entry.prepared = []  # the calls of the jitted function are its own
        self.epoch = epoch[0]
        prepare(self.jitted, self.entry, lambda: self.form, self.start())


def _form(args, kwargs) -> tuple[list, tuple] | None:
    """Return for each argument the tree of its operands, or None and a setting; None where settings do not compare."""
    parts: list[tuple] = []
    for i, a in enumerate((*args, *kwargs.values())):
        if a is _OPERAND and i < len(args):
            parts.append((tree_structure(0), None))
        elif type(a) in (list, tuple) and a and all([x is _OPERAND for x in a]) and i < len(args):
            parts.append((tree_structure(type(a)([0] * len(a))), None))
        elif type(a) in _COMPARED or type(a) is float and a != 0:
            parts.append((None, a))
        else:
            return None
    return parts, tuple(kwargs)


# ---- NumPy's functions --------------------------------------------------------------------------


class _NumPyStep(Primitive):
    """A call of a function of NumPy's, and the program for what that does not handle."""

    call_primitive = True
    multiple_results = True

    def __init__(self, function, args, kwargs, closed):
        super().__init__(getattr(function, "__name__", "numpy"))
        self.call, self.closed = _bound(function, args, kwargs, len(closed.in_avals)), closed
        self.avals = closed.out_avals
        self.dtypes = [a.dtype for a in self.avals]
        self.type(lambda *_: self.avals)
        self.evaluate_rule = self.run

    def run(self, *buffers) -> list:
        token = _set(_quiet)
        try:
            out = self.call(*buffers)
        finally:
            _leave(token)
        return self.delivered(out, buffers)

    def delivered(self, out, buffers) -> list:
        if out is NotImplemented:
            return program(self.closed)(*buffers)
        outs = out if type(out) is tuple else (out,)
        return [x if x.dtype == d else x.astype(d) for x, d in zip(outs, self.dtypes)]

    def replay(self, values):
        buffers = list(map(buffer_of, values))
        token = _set(_quiet)
        try:
            out = self.call(*buffers)
        except MemoryError as error:
            raise exhausted(error, "an operation") from None
        finally:
            _leave(token)
        if out is not NotImplemented and type(out) is not tuple and out.dtype is self.dtypes[0]:
            return make_array(out, self.avals[0])
        (buffer,) = self.delivered(out, buffers)
        return make_array(buffer, self.avals[0])


def _bound(function, args, kwargs, n) -> Callable:
    """Return the function of its `n` arrays only."""
    places = [i for i, a in enumerate(args) if _is_operand(a)]
    if places == list(range(n)):
        if n == len(args):
            return partial(function, **kwargs) if kwargs else function
        rest = tuple(args[n:])
        return lambda *buffers: function(*buffers, *rest, **kwargs)
    if places == [*range(1, n + 1)]:  # after a description of what is to be done
        if n + 1 == len(args):
            return partial(function, args[0], **kwargs)
        first, rest = args[0], tuple(args[n + 1 :])
        return lambda *buffers: function(first, *buffers, *rest, **kwargs)

    def call(*buffers):
        full, named = _with(args, kwargs, iter(buffers))
        return function(*full, **named)

    return call


def _as_step(trace, general, numpy, mixed, args, kwargs):
    """Return the call of a function that NumPy has too, as one equation of the replay of what called it."""
    values: list[Any] = []
    for a in (*args, *kwargs.values()):
        values += [x for x in (a if type(a) in (list, tuple) else (a,)) if isinstance(x, (Array, np.ndarray))]
    if not values or not all(map(_is_operand, values)) or not _is_native(values, mixed):
        return general(*args, **kwargs)
    jaxpr, consts, tree = _traced(general, args, kwargs, [x.aval for x in values], ())
    step = _NumPyStep(numpy, args, kwargs, ClosedJaxpr(jaxpr, consts))
    return tree_unflatten(tree, trace.emit(step, values, {}))


def _is_operand(x) -> bool:
    return type(x) is ArrayImpl or x is _OPERAND or isinstance(x, Tracer)


def _holds_operand(x) -> bool:
    return any(map(_holds_operand, x)) if type(x) in (list, tuple) else _is_operand(x)


def _with(args, kwargs, values, chosen=()):
    """Return the arguments with other values in place of arrays and of the scalars at `chosen` positions, in order."""

    def put(a, i=None):
        if type(a) is ArrayImpl or a is _OPERAND or i in chosen or isinstance(a, Tracer):
            return next(values)
        return type(a)(map(put, a)) if type(a) in (list, tuple) else a

    return [put(a, i) for i, a in enumerate(args)], {name: put(a) for name, a in kwargs.items()}


def _folded(jaxpr: Jaxpr, consts) -> tuple[Jaxpr, list]:
    """Return the program without what is not needed, and with small results that need no operand as constants."""
    jaxpr, _ = dce_jaxpr(jaxpr, [True] * len(jaxpr.outvars), instantiate=True)
    known = {v: as_buffer(c, v.aval) for v, c in zip(jaxpr.constvars, consts)}
    eqns = []
    for eqn in jaxpr.eqns:
        fixed = all([type(v) is Literal or v in known for v in eqn.invars])
        if fixed and sum([v.aval.size for v in eqn.outvars]) <= _MAX_ELEMENTS_TO_FOLD:
            values = [np.asarray(v.val, v.aval.dtype) if type(v) is Literal else known[v] for v in eqn.invars]
            token = _set(_quiet)
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
    """Return the replay of one equation whose operands are the arrays in order."""

    def replay(arrays):
        buffers = []
        for a in arrays:
            if (buffer := a._buffer) is None:
                raise deleted(a)
            buffers.append(buffer)
        token = _set(_quiet)
        try:
            buffer = run(*buffers)
        except MemoryError as error:
            raise exhausted(error, "an operation") from None
        finally:
            _leave(token)
        a = _new(ArrayImpl)
        a._buffer = buffer[0] if several else buffer
        a._device = None
        a.aval = aval
        return a

    return replay
