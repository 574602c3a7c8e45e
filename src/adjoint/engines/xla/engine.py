"""Programs run by XLA, on one device of this process.

Calls return before they are done: results are `Pending` until they are read, and go on to other programs as they
are. A CPU buffer of XLA and a NumPy array share memory both ways: operands are lent where they are aligned,
results are views of XLA's memory. Primitives without a StableHLO form run on the host, called back from the program.
Programs with mutable arrays are evaluated by the NumPy engine; so are very long ones, because the time that XLA
takes to compile grows faster than their length.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...array.array import ArrayImpl, Float0Array, Pending, as_array, deleted, make_array, nothing
from ...array.sharded_array import ShardedArray
from ...core.dtypes import ExtendedDType, float0
from ...core.jaxpr import ClosedJaxpr, Jaxpr, sub_jaxprs
from ...core.messages.errors import UnexpectedTracerError, message
from ...core.process.memo import Memo, fact, memoized
from ...core.process.progress import progress
from ...core.trace import Tracer
from ...core.types import ShapedArray
from ...core.values.refs import RefEffect
from ...core.values.tokens import AbstractToken
from ...sharding.device import here
from .. import interface
from ..numpy.floating import quiet
from ..numpy.program import as_buffer, program
from ..placed.program_layout import this_thread
from .module import module_and_steps
from .runtime import image, load, raise_cause, raised, runtime
from .stablehlo import HostStep, is_ordered, physical

__all__ = [
    "Compiled", "Executable", "executable", "on_device", "pending", "stored_type", "uploaded", "wait_for_effects",
]

_new = object.__new__


# ---- buffers -------------------------------------------------------------------------------------


# How the runtime takes tokens: as arrays without content.
_NO_CONTENT = ShapedArray((0,), np.dtype(bool))


class _Type:
    """The part of a type that the runtime reads."""

    __slots__ = ("__weakref__", "dtype", "shape", "weak_type")

    def __init__(self, aval: ShapedArray):
        stored = _NO_CONTENT if type(aval) is AbstractToken else physical(aval)
        self.shape, self.dtype, self.weak_type = stored.shape, np.dtype(stored.dtype), False


# What is turned into buffers at once: NumPy's arrays, and numbers by their types.
_COPIED = frozenset([np.ndarray, Float0Array, bool, int, float, *[np.dtype(c).type for c in "?bhilqBHILQefd"]])
_numbers = Memo(1024)


def _key_dtype(aval):
    return aval.dtype.buffer_dtype if isinstance(aval.dtype, ExtendedDType) else None


def _words(buffer, shape):
    """Return a buffer of random keys as the words they are made of."""
    return np.ascontiguousarray(buffer).reshape(-1).view(np.uint32).reshape(shape)


def _as_keys(words, dtype):
    """Return the words of random keys as a buffer of keys."""
    words = np.ascontiguousarray(words, np.uint32)
    return np.ndarray(words.shape[: words.ndim - len(dtype[0].shape)], dtype, words)


def _put(buffer, stored: _Type, key, is_ours: bool = True):
    """Return a NumPy buffer as one of the runtime; the memory is shared if it is ours and aligned."""
    rt = runtime()
    if key is not None:
        buffer = _words(buffer, stored.shape)
    elif buffer.dtype == float0:
        buffer = np.zeros(stored.shape, stored.dtype)
    elif buffer.dtype != stored.dtype or buffer.shape != stored.shape:
        buffer = np.asarray(buffer, stored.dtype).reshape(stored.shape)
    # Aligned buffers are lent: they are never written to, and the runtime keeps them alive while it reads.
    semantics = rt.semantics
    if is_ours and type(buffer) is np.ndarray and buffer.flags.c_contiguous:
        if not buffer.__array_interface__["data"][0] % 64:
            semantics = rt.zero_copy
    try:
        return rt.xc.batched_device_put(stored, rt.place, [buffer], rt.devices, True, False, semantics, True)
    except RuntimeError as error:
        raise_cause(error)


stored_type = memoized(4096)(_Type)


def on_device(x: ArrayImpl):
    """Return the runtime's buffer of an array, which is made once."""
    result = getattr(x, "_result", None)
    if result is None:
        if x.is_gone:
            raise deleted(x)
        result = x._result = _put(x._buffer, stored_type(x.aval), _key_dtype(x.aval))
    return result


def pending(result, aval: ShapedArray) -> Pending:
    """Return the array of a buffer of the runtime; NumPy's of float0, as everywhere."""
    if aval.dtype is float0:
        return nothing(aval.shape)
    a = _new(Pending)
    a._result, a._device, a.aval = result, None, aval
    return a


def uploaded(buffer: np.ndarray, aval: ShapedArray) -> Pending:
    """Return the array on the default device of a buffer that its owner may write to afterwards."""
    return pending(_put(buffer, stored_type(aval), _key_dtype(aval), is_ours=False), aval)


def _read(result, aval: ShapedArray):
    """Return a buffer of the runtime as a NumPy one, when it is computed; the memory stays the runtime's."""
    try:
        view, _ = result._single_device_array_to_np_array_did_copy()
    except RuntimeError as error:
        raise_cause(error)
    if aval.dtype == float0:
        return np.zeros(aval.shape, float0)
    key = _key_dtype(aval)
    return view if key is None else _as_keys(view, key)


def _wait(results) -> None:
    """Wait until buffers of the runtime are computed."""
    try:
        runtime().xc.batched_block_until_ready(results)
    except RuntimeError as error:
        raise_cause(error)


Pending.computed_by(_read, _wait)


def _guarded(step: HostStep, failures: list | None = None):
    """Return a step on the host as the runtime calls it, which does not look at what it gets back.

    What it raises is kept: the runtime tells only its text. With a list for `failures` it is put there instead, and the
    program goes on with zeros: one over several devices would be waited for by the others.
    """
    run = step.run
    ins = [_key_dtype(a) for a in step.in_avals]
    outs = [(physical(a).shape, np.dtype(physical(a).dtype), _key_dtype(a)) for a in step.out_avals]

    def call(*operands):
        if step.is_ordered:
            operands = operands[1:]
        given = [x if k is None else _as_keys(x, k) for x, k in zip(operands, ins)]
        token, results = quiet.enter(), [None] * step.is_ordered
        before, this_thread.is_called = this_thread.is_called, True
        try:
            found = run(*given)
        except Exception as error:
            if failures is None:
                raised.append(error)
                raise
            failures.append(error)
            found = [np.zeros(shape, dtype) for shape, dtype, _ in outs]
        finally:
            quiet.leave(token)
            this_thread.is_called = before
        for r, (shape, dtype, key) in zip(found, outs, strict=True):
            r = np.asarray(r) if key is None or r.dtype == dtype else _words(r, shape)
            results.append(np.array(r, dtype, order="C").reshape(shape))
        return tuple(results)

    return call


# ---- effects -------------------------------------------------------------------------------------


class _Effects(threading.local):
    """The effects that the programs that this thread started still have to carry out."""

    def __init__(self):
        self.token: Any = None  # after the ordered effects of all of them
        self.running: list = []

    def first(self):
        """Return the token to start from."""
        if self.token is None:
            rt = runtime()
            stored = _Type(_NO_CONTENT)
            self.token = rt.xc.batched_device_put(
                stored, rt.place, [np.zeros(0, bool)], rt.devices, True, False, rt.semantics, True)
        return self.token


_effects = _Effects()


def wait_for_effects() -> None:
    """Wait until the effects of all programs have happened; raises what one of them raised."""
    running, _effects.running = _effects.running, []
    for token in running:
        try:
            token.block_until_ready()
        except RuntimeError as error:
            _effects.token = None
            raise_cause(error)


atexit.register(wait_for_effects)


def _token(shards):
    return shards[0]


# ---- programs ------------------------------------------------------------------------------------


class Compiled(interface.Executable):
    """A program that XLA has compiled, for one device or several: its text, costs and bytes.

    Attributes:
      loaded: jaxlib's object of the program.
      compiled_image: returns the program as bytes; None for one that calls back to Python.
    """

    loaded: Any
    compiled_image: Callable[[], bytes] | None

    def as_text(self) -> str:
        """Return the program of a device, as XLA has optimised it."""
        return self.loaded.get_hlo_text()

    def cost_analysis(self) -> dict[str, float]:
        """XLA's estimate of the operations and bytes of a call on a device."""
        return self.loaded.cost_analysis()

    def memory_analysis(self) -> Any:
        """Bytes of operands, results and intermediate values on a device."""
        return self.loaded.get_compiled_memory_stats()

    def image(self) -> bytes:
        """Return the compiled program, for this kind of machine and version of jaxlib. ValueError if it calls Python.
        """
        if self.compiled_image is None:
            raise ValueError(
                message(
                    "A program that calls back to Python cannot be serialized.",
                    why="It has callbacks, debug prints, or operations that are evaluated on the host.",
                    fix="serialize the program without them",
                )
            )
        return self.compiled_image()


class Executable(Compiled):
    """A compiled program: callable on NumPy buffers, and with `arrays` on arrays."""

    def __init__(self, loaded, in_avals, out_avals, donated: tuple = (), effects: tuple[bool, bool] = (False, False)):
        rt = runtime()
        self.loaded = loaded
        self.execute = loaded.execute_sharded
        self.in_avals, self.avals = in_avals, out_avals
        self.types = [_Type(a) for a in in_avals]
        self.keys = [_key_dtype(a) for a in in_avals]
        self.donated = donated
        self.has_effects, self.is_ordered = effects
        self.compiled_image = loaded.serialize
        versioned = () if rt.xc._version >= 480 else (True,)
        self.handlers = [rt.xc.array_result_handler(_Type(a), rt.place, True, *versioned) for a in out_avals]
        if self.is_ordered:
            self.handlers.insert(0, _token)

    @classmethod
    def of(cls, closed: ClosedJaxpr, name: str = "f", donated: tuple = (), overrides: tuple = ()) -> Executable:
        """Return the program compiled."""
        text, steps = module_and_steps(closed, name, None, donated)
        loaded = load(text, [_guarded(s) for s in steps], None, None, overrides)
        effects = bool(closed.jaxpr.effects), is_ordered(closed.jaxpr)
        made = cls(loaded, closed.in_avals, closed.out_avals, donated, effects)
        if steps:
            made.compiled_image = None
        else:
            made.compiled_image = lambda: image(module_and_steps(closed, name, None, donated)[0], overrides)
        return made

    def __call__(self, *buffers) -> list:
        operands = [_put(b, t, k) for b, t, k in zip(buffers, self.types, self.keys, strict=True)]
        return [_read(r, a) for r, a in zip(self._run(operands), self.avals)]

    def arrays(self, args: Sequence) -> list | None:
        """Run on arrays; does not wait for the results. None if one has a place of its own."""
        operands = []
        for x in args:
            kind = type(x)
            if kind is not Pending:
                if kind is not ArrayImpl:
                    if kind not in _COPIED:
                        if kind is not ShardedArray and isinstance(x, Tracer):
                            raise UnexpectedTracerError(x)
                        x = as_array(x)
                        kind = type(x)
                    if kind in _COPIED:
                        operands.append(self._copied(x, kind, len(operands)))
                        continue
                    if kind is not ArrayImpl:
                        return None
                if x._buffer is None:
                    raise deleted(x)
                try:
                    operands.append(x._result)
                except AttributeError:
                    operands.append(self._kept(x, len(operands)))
            else:
                operands.append(x._result)
        for i in self.donated:
            if isinstance(args[i], ArrayImpl):
                args[i]._buffer = None  # a view of the memory would keep it from being given away
        return [pending(r, aval) for r, aval in zip(self._run(operands), self.avals)]

    def _kept(self, x, i: int):
        """Return the runtime's buffer of an array, for this call and later ones."""
        result = x._result = _put(x._buffer, self.types[i], self.keys[i])
        return result

    def _copied(self, x, kind, i: int):
        """Return the runtime's buffer of what is no array of ours. Those of numbers are kept: many calls have the same.
        """
        stored = self.types[i]
        if kind in (np.ndarray, Float0Array):
            return _put(x, stored, None, is_ours=False)
        key = kind, x or repr(x), stored.dtype  # zeros of both signs are equal
        result = None if i in self.donated else _numbers.get(key)
        if result is None:
            result = _put(np.array(x, stored.dtype), stored, None)
            if i not in self.donated:
                _numbers.keep(key, result)
        return result

    def _run(self, operands: list) -> list:
        try:
            if not self.has_effects:
                return self.execute(operands).consume_with_handlers(self.handlers)
            if not self.is_ordered:
                found = self.execute(operands, with_tokens=True)
                _effects.running.append(found.consume_token())
                return found.consume_with_handlers(self.handlers)
            found = self.execute([_effects.first(), *operands], with_tokens=True)
            _effects.running.append(found.consume_token())
            _effects.token, *outs = found.consume_with_handlers(self.handlers)
            return outs
        except RuntimeError as error:
            if self.is_ordered:
                _effects.token = None
            raise_cause(error)


class Bound(interface.Executable):
    """An executable with the constants of one program, which are its first operands."""

    __slots__ = ("consts", "inner")

    def __init__(self, inner: Executable, consts: list[ArrayImpl]):
        self.inner = inner
        self.consts = consts

    def __call__(self, *buffers) -> list:
        return self.inner(*[c._buffer for c in self.consts], *buffers)

    def arrays(self, args: Sequence) -> list | None:
        return self.inner.arrays([*self.consts, *args])

    def as_text(self) -> str:
        return self.inner.as_text()

    def cost_analysis(self) -> dict[str, float]:
        return self.inner.cost_analysis()

    def memory_analysis(self) -> Any:
        return self.inner.memory_analysis()

    def __getattr__(self, name):
        return getattr(self.inner, name)


_MAX_EQUATIONS_TO_COMPILE = 2500  # equations; a chain of so many takes XLA about a second


@fact
def _length(jaxpr: Jaxpr) -> int:
    """Return the number of equations, with those of programs inside."""
    return len(jaxpr.eqns) + sum([_length(sub) for eqn in jaxpr.eqns for sub in sub_jaxprs(eqn.params)])


def executable(closed: ClosedJaxpr, name: str = "f", donated: tuple = (), overrides: tuple = ()):
    """Return the compiled program of a closed jaxpr, with its constants bound; made once.

    `donated` are the positions of operands whose memory results may take, `overrides` options of the compiler.
    """
    # On an accelerator there is no other engine.
    is_long = here.plugin is None and _length(closed.jaxpr) > _MAX_EQUATIONS_TO_COMPILE
    if is_long or any([isinstance(e, RefEffect) for e in closed.jaxpr.effects]):
        return program(closed)
    key = (Executable, donated, overrides)
    found = closed.jaxpr.cache.get(key)
    if found is None:
        # Constants are operands, so that one executable serves programs that differ in them alone.
        n = len(closed.jaxpr.constvars)
        jaxpr = closed.jaxpr.replace(constvars=[], invars=[*closed.jaxpr.constvars, *closed.jaxpr.invars])
        with progress(f"Compiling {name}, {len(jaxpr.eqns)} equations"):
            made = Executable.of(ClosedJaxpr(jaxpr, ()), name, tuple([i + n for i in donated]), overrides)
        found = closed.jaxpr.cache.keep(key, made)
    if not closed.consts:
        return found
    avals = [v.aval for v in closed.jaxpr.constvars]
    return Bound(found, [make_array(as_buffer(c, a), a) for c, a in zip(closed.consts, avals)])
