"""Short cuts for element-wise functions that are called with concrete arrays, as eager programs do.

A function promotes its operands, checks them and binds primitives, each of which is a call to NumPy at
the end. Most of that is the same in every call with operands of the same types, so it is done once. Where the
function is one NumPy function for operands of one dtype, that is called on the buffers at once; the result's
type is remembered from the first call; what is called very often with few elements becomes generated code, if that
has the same bits. With very many elements it is compiled, for all threads. Else its program is replayed
(`transforms/jit/replay.py`). A call whose operands are traced, or of other kinds, takes the long way. Nothing here
changes a result, but for last bits of what NumPy and generated code round differently, by the number of elements.

Tests: `tests/numpy/test_ufuncs.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import signature
from itertools import count
from typing import Any

import numpy as np

from ..array.array import ArrayImpl, make_array
from ..core import dtypes
from ..core.messages.errors import message
from ..core.options.config import local
from ..core.process.memo import Memo
from ..core.trace import state
from ..core.types import Array, ShapedArray, aval_of
from ..core.values.deferred import Deferred, call_deferred
from ..engines.called import FastPath
from ..engines.native.runtime.buffer_pool import MIN_LENT_BYTES, empty
from ..engines.numpy import eval_trace
from ..engines.numpy.floating import quiet
from ..sharding.device import engine_name
from ..transforms.flat import wraps
from ..transforms.jit.jit import lowerable
from ..transforms.jit.replay import FEW, MANY, CompiledReplay, replayed

__all__ = ["quick", "refusal", "shortened"]

_MAX_KEYS_PER_FUNCTION = 4096  # combinations of operand types that one function remembers
_CALLS_PER_COMPILATION = 2**15  # calls that take as long as compiling does
_OF_OTHER_OPTIONS = 0  # in place of a number of calls
_ELEMENTS_PER_COMPILATION = 2**23  # elements that NumPy computes while a function is compiled
_MAX_PARALLEL_KEYS = 64  # combinations of operand types for which one function is compiled
_OPERANDS = {ArrayImpl, bool, int, float}
_PYTHON = {int, float, complex}  # whose numbers are weak
_ROUNDED = frozenset((  # once, everywhere
    np.add, np.subtract, np.multiply, np.true_divide, np.equal, np.not_equal, np.less, np.less_equal, np.greater,
    np.greater_equal, np.bitwise_and, np.bitwise_or, np.bitwise_xor,
))
_SAME_BITS = _ROUNDED | {
    np.negative, np.absolute, np.fabs, np.sqrt, np.square, np.floor, np.ceil, np.rint, np.trunc, np.isnan, np.isinf,
    np.isfinite, np.signbit, np.maximum, np.minimum, np.reciprocal,
}
_new = object.__new__
_set, _quiet, _leave = quiet.set, quiet.value, quiet.leave


# ---- one NumPy function -------------------------------------------------------------------------


def shortened(general: Callable, rule: Callable, arity: int) -> Callable:
    """`general`, with a short cut where one NumPy function does the same.

    Args:
      general: a function of `arity` operands, 1 or 2, with one result.
      rule: the dtype that all operands have -> the NumPy function, or None.
    """
    function = (_shortened_unary if arity == 1 else _shortened_binary)(general, rule)
    function.rule = rule  # type: ignore[attr-defined]
    return function


def refusal(function: Callable, out, where) -> Exception:
    """The error for an array to write to, or a mask, which NumPy's functions take."""
    name = function.__name__
    what = "out" if out is not None else "where"
    if out is not None and not isinstance(out, (Array, np.ndarray)):
        n = getattr(function, "nin", 0) or function.__code__.co_posonlyargcount
        return TypeError(
            message(
                f"{name}() takes {n} positional argument{'s' * (n != 1)} but {n + 1} were given",
                fix=f"functools.reduce(jnp.{name}, arrays) for more than two" if n == 2 else f"jnp.{name}(x)",
            )
        )
    if getattr(function, "universal", False):
        return NotImplementedError(
            message(
                f"{what} argument of <jnp.ufunc '{name}'>",
                why="Arrays cannot be written to; the argument after the operands is out." if out is not None else None,
                fix=f"x = jnp.{name}(...), functools.reduce(jnp.{name}, arrays) for more than two operands"
                if out is not None
                else f"jnp.where(mask, jnp.{name}(...), x)",
            )
        )
    return TypeError(message(f"{name}() got an unexpected keyword argument '{what}'", fix=f"jnp.{name}(x)"))


def _shortened_unary(general, rule):
    known: dict[Any, Any] = {}
    in_parallel = _compiled_for_many(general, rule, lambda x, aval: _lending(rule(x.aval.dtype), aval))

    def learn(x):
        if (run := in_parallel(x)) is not None:
            return run([x])
        out = general(x)
        if type(x) is ArrayImpl and type(out) is ArrayImpl and x.aval not in known:
            _remember(known, x.aval, _lending(rule(x.aval.dtype), out.aval), out.aval)
        return out

    def function(x, /, out=None, where=None):
        if out is not where:  # one comparison for both
            raise refusal(function, out, where)
        if type(x) is not ArrayImpl or state.trace is not eval_trace:
            return call_deferred(function, (x,), {}) if isinstance(x, Deferred) else general(x)
        entry = known.get(x.aval)
        if entry is None or (buffer := x._buffer) is None:
            return learn(x)
        token = _set(_quiet)
        try:
            buffer = entry[0](buffer)
        finally:
            _leave(token)
        a = _new(ArrayImpl)
        a._buffer = buffer
        a._device = None
        a.aval = entry[1]
        return a

    return function


def _shortened_binary(general, rule):
    known: dict[Any, Any] = {}
    fast_path: FastPath | None = None  # of what is generated
    in_parallel = _compiled_for_many(general, rule, partial(_on_buffers, rule))

    def learn(x, y):
        if isinstance(x, Deferred) or isinstance(y, Deferred):
            return call_deferred(function, (x, y), {})
        if (run := in_parallel(x, y)) is not None:
            return run([x, y])
        out = general(x, y)
        if type(out) is ArrayImpl and state.trace is eval_trace:
            key = tuple([v.aval if type(v) is ArrayImpl else type(v) for v in (x, y)])
            if key not in known:
                on_buffers = _on_buffers(rule, x, y, out.aval)
                is_same = on_buffers is not None and out.size in FEW and _is_rounded_once(rule, x, y)
                started = count(1 if is_same else _CALLS_PER_COMPILATION + 1)
                is_weak = all([k.weak_type if isinstance(k, ShapedArray) else k in _PYTHON for k in key])
                calls = _within(local.trace_context, started) if is_weak else started.__next__
                _remember(known, key, on_buffers, out.aval, calls)
        return out

    def compile_for(x, y):
        nonlocal fast_path
        if engine_name() == "native":
            fast_path = fast_path or FastPath()
            others = [i for i, v in enumerate((x, y)) if type(v) is not ArrayImpl]
            compiled = CompiledReplay(general, (x, y), {}, others, lambda: fast_path)
            for _ in range(2):
                compiled([x, y])

    def function(x, y, /, out=None, where=None):
        if out is not where:  # one comparison for both
            raise refusal(function, out, where)
        if fast_path is not None and (result := fast_path(x, y)) is not None:
            return result
        if type(x) is ArrayImpl:
            kx, bx = x.aval, x._buffer
        else:
            kx, bx = type(x), x
        if type(y) is ArrayImpl:
            ky, by = y.aval, y._buffer
        else:
            ky, by = type(y), y
        entry = known.get((kx, ky))
        if entry is None or state.trace is not eval_trace or bx is None or by is None:
            return learn(x, y)
        if (calls := entry[2]()) == _CALLS_PER_COMPILATION:
            compile_for(x, y)
        elif calls == _OF_OTHER_OPTIONS:
            return general(x, y)
        token = _set(_quiet)
        try:
            buffer = entry[0](bx, by)
        finally:
            _leave(token)
        a = _new(ArrayImpl)
        a._buffer = buffer
        a._device = None
        a.aval = entry[1]
        return a

    return function


def _within(context, calls: count) -> Callable:
    """Return what counts calls, for operands that are all weak: options decide how wide their results are."""
    return lambda: next(calls) if local.trace_context is context else _OF_OTHER_OPTIONS


class _Parallel:
    """A function of operands of very many elements, compiled after some calls of as many bits by NumPy.

    `on_buffers(*operands, aval)` is NumPy's function of their buffers, or None; `aval` is the type of the result.
    """

    __slots__ = ("_aval", "_by_numpy", "calls", "compiled", "general", "on_buffers")

    def __init__(self, general, on_buffers, compiled, calls: int):
        self.general, self.on_buffers, self.compiled, self.calls = general, on_buffers, compiled, calls
        self._by_numpy = self._aval = None

    def __call__(self, operands):
        if not self.calls:
            return self.compiled(operands)
        self.calls -= 1
        buffers = [v._buffer if type(v) is ArrayImpl else v for v in operands]
        if self._by_numpy is None or any([b is None for b in buffers]):
            out = self.general(*operands)
            if type(out) is ArrayImpl:
                self._by_numpy, self._aval = self.on_buffers(*operands, out.aval), out.aval
            return out
        token = _set(_quiet)
        try:
            return make_array(self._by_numpy(*buffers), self._aval)
        finally:
            _leave(token)


def _compiled_for_many(general, rule, on_buffers) -> Callable:
    """Return a function that gives for operands of very many elements what is compiled for them, and for others None.

    What has the same bits compiled is compiled when its calls have taken about as long as that does, other functions at
    once, so that calls agree; `on_buffers` is for the calls before (`_Parallel`).
    """
    made = Memo(_MAX_PARALLEL_KEYS)

    def find(*operands):
        if state.trace is not eval_trace or not _are_many(operands):
            return None
        key = local.trace_context, *[v.aval if type(v) is ArrayImpl else type(v) for v in operands]
        found = made.get(key)
        if found is None and engine_name() == "native" and {*map(type, operands)} <= _OPERANDS:
            scalars = [i for i, v in enumerate(operands) if type(v) is not ArrayImpl]
            arrays = [v.aval for v in operands if type(v) is ArrayImpl]
            same = all([a.dtype.kind in "iub" or rule(a.dtype) in _SAME_BITS for a in arrays])
            calls = _ELEMENTS_PER_COMPILATION // max([a.size for a in arrays]) if same else 0
            compiled = CompiledReplay(general, operands, {}, scalars, FastPath)
            found = made.keep(key, _Parallel(general, on_buffers, compiled, calls))
        return found

    return find


def _are_many(operands) -> bool:
    """Return whether these are so many numbers of machines that several threads are worth it."""
    avals = [v.aval for v in operands if type(v) is ArrayImpl]
    plain = all([a.dtype.kind in "fiub" and (a.dtype.kind != "f" or a.dtype.itemsize >= 4) for a in avals])
    return plain and bool(avals) and max([a.size for a in avals]) in MANY


def _remember(known, key, function, *about) -> None:
    if len(known) >= _MAX_KEYS_PER_FUNCTION:
        known.clear()
    known[key] = None if function is None else (function, *about)


def _is_rounded_once(rule, x, y) -> bool:
    """Return whether NumPy and generated code give the same bits."""
    dtype = (x if type(x) is ArrayImpl else y).aval.dtype
    return dtype.kind in "fiub" and (dtype.kind != "f" or dtype.itemsize >= 4) and rule(dtype) in _ROUNDED


def _on_buffers(rule, x, y, aval):
    """Return the function for the buffers of concrete arrays of one dtype, or of one and a scalar; or None.

    `aval` is the type of the result.
    """
    arrays = [v.aval for v in (x, y) if type(v) is ArrayImpl]
    if not arrays or any(a.dtype != arrays[0].dtype for a in arrays):
        return None
    if len({a.ndim for a in arrays if a.ndim}) > 1:
        return None  # `jax_numpy_rank_promotion` has a say
    dtype = arrays[0].dtype
    function = rule(dtype)
    run = _lending(function, aval)
    if function is None or len(arrays) == 2:
        return run
    scalar = y if type(x) is ArrayImpl else x
    if isinstance(scalar, np.generic):
        return run if scalar.dtype == dtype else None
    convert = _scalar_conversion(function, type(scalar), dtype)
    if convert is None:
        return None
    if convert is _as_is:
        return run
    if scalar is y:
        return lambda x, y: run(x, convert(y))
    return lambda x, y: run(convert(x), y)


def _lending(function, aval):
    """Return the function, with memory that is used again for a large result."""
    if not isinstance(function, np.ufunc) or aval.size * aval.dtype.itemsize < MIN_LENT_BYTES:
        return function
    shape, dtype = aval.shape, aval.dtype
    return lambda *buffers: function(*buffers, out=empty(shape, dtype))


def _as_is(x):
    return x


def _scalar_conversion(function, python, dtype):
    """Return what a Python scalar must go through before `function` can take it beside arrays of `dtype`.

    NumPy's own functions promote Python scalars as JAX does, and raise when an int is too large.
    """
    inexact = dtype.kind in "fc"
    if python is float:
        if not inexact:
            return None
        return _as_is if isinstance(function, np.ufunc) else dtype.type
    if python is not int:
        return None
    if dtype == dtypes.default_int() and isinstance(function, np.ufunc):
        return _as_is
    if inexact or dtype == dtypes.default_int():
        return lambda n: dtype.type(n if -(2**31) <= n < 2**31 else _checked(n))
    return None


def _checked(n: int) -> int:
    aval_of(n)  # OverflowError where an int of this size is one
    return n


# ---- both ---------------------------------------------------------------------------------------


def quick(**functions: Callable) -> Callable:
    """Give a formula both short cuts: `quick(f=np.fmax)` names the NumPy function for kinds of dtypes.

    The kinds are NumPy's letters: f, c, i, u, b; e for floats of 16 bits and less, in which NumPy rounds otherwise.
    """
    by_kind = {kind: function for kinds, function in functions.items() for kind in kinds}
    kind_of = lambda dtype: "e" if dtype.kind == "f" and dtype.itemsize < 4 else dtype.kind

    def decorate(formula):
        parameters = signature(formula).parameters.values()
        short = shortened(replayed(formula, scalars=True), lambda dtype: by_kind.get(kind_of(dtype)), len(parameters))
        code = short.__code__  # errors of operands that a call lacks have the formula's names
        short.__qualname__ = formula.__name__
        short.__code__ = code.replace(
            co_name=formula.__name__, co_qualname=formula.__name__,
            co_varnames=(*[p.name for p in parameters], *code.co_varnames[len(parameters) :]),
        )
        names = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        return lowerable(wraps(formula)(_by_name(short, names) if names else short))

    return decorate


def _by_name(function: Callable, names: list[str]) -> Callable:
    """Return the function with operands that may be given by name."""

    def call(*args, **kwargs):
        if kwargs:
            args += tuple([kwargs.pop(name) for name in names[len(args) :] if name in kwargs])
        return function(*args, **kwargs)

    call.rule = function.rule  # type: ignore[attr-defined]
    return call
