"""Programs run by XLA: their StableHLO text compiled by `jaxlib`, on NumPy buffers.

The only module that imports jaxlib, when the first program is compiled. A CPU buffer of XLA and a NumPy array
share memory both ways: operands are read during the call where they lie if they are aligned, results are views
of XLA's memory. Primitives without a StableHLO form run on the host, called back from the program. Programs
with effects are evaluated in order by the NumPy engine, since their effects happen in Python; so are very long
ones, because the time that XLA takes to compile grows faster than their length.
"""

from __future__ import annotations

import os
from functools import cache, partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...core.dtypes import ExtendedDType
from ...core.errors import message
from ...core.jaxpr import ClosedJaxpr, Jaxpr, sub_jaxprs
from ...core.types import ShapedArray
from ..numpy.floating import quiet
from ..numpy.program import as_buffer, program
from .stablehlo import HostStep, module_and_steps, physical

__all__ = ["executable"]


@cache
def runtime() -> Any:
    """jaxlib's modules, its client of the CPU, and what every call needs of them."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")  # read when the library is loaded
    try:
        from jaxlib import _jax, xla_client
    except ImportError as error:
        raise ImportError(
            message(
                "The engine 'xla' needs the package jaxlib, which is not installed.",
                why=f"cpu_engine is 'xla', or an accelerator was asked for: {error}",
                fix="pip install 'adjoint[xla]', or config.update('cpu_engine', 'numpy')",
            )
        ) from None

    class OneDevice(_jax.SingleDeviceSharding):
        """The placement of a buffer on one device, as the runtime reads it."""

        memory_kind = property(lambda self: self._memory_kind)

        def _to_xla_hlo_sharding(self, ndim):
            return xla_client.HloSharding.replicate()

    client = xla_client.make_cpu_client(asynchronous=False)  # results are read at once
    device = client.local_devices()[0]
    _jax.set_tracebacks_enabled(False)
    return SimpleNamespace(
        xc=xla_client, client=client, device=device, devices=[device], place=OneDevice(device),
        one=_jax.DeviceList((device,)), semantics=xla_client.HostBufferSemantics.IMMUTABLE_ONLY_DURING_CALL,
        zero_copy=xla_client.HostBufferSemantics.ZERO_COPY,
    )


class _Type:
    """What the runtime reads of a type."""

    __slots__ = ("__weakref__", "dtype", "shape", "weak_type")

    def __init__(self, aval: ShapedArray):
        stored = physical(aval)
        self.shape, self.dtype, self.weak_type = stored.shape, np.dtype(stored.dtype), False


class Executable:
    """Callable on NumPy buffers: arguments -> list of result buffers."""

    def __init__(self, closed: ClosedJaxpr, name: str = "f"):
        rt = self.runtime = runtime()
        text, steps = module_and_steps(closed, name)
        options = rt.xc.CompileOptions()
        options.executable_build_options.use_shardy_partitioner = True
        self.loaded = rt.client.compile_and_load(text, rt.one, options)
        if steps:  # calls back to the host are attached to a compiled program only when it is loaded
            self.loaded = rt.client.deserialize_executable(
                self.loaded.serialize(), rt.one, options, host_callbacks=[_guarded(s) for s in steps]
            )
        self.types = [_Type(a) for a in closed.in_avals]
        self.keys = [_key_dtype(a) for a in closed.in_avals]
        self.outs = [_key_dtype(a) for a in closed.out_avals]
        versioned = () if rt.xc._version >= 480 else (True,)
        self.handlers = [
            rt.xc.array_result_handler(_Type(a), rt.place, True, *versioned) for a in closed.out_avals
        ]

    def __call__(self, *buffers) -> list:
        operands = [self._put(b, t, k) for b, t, k in zip(buffers, self.types, self.keys, strict=True)]
        results = self.loaded.execute_sharded(operands).consume_with_handlers(self.handlers)
        return [_taken(r, key) for r, key in zip(results, self.outs)]

    def _put(self, buffer, stored, key):
        rt = self.runtime
        if key is not None:
            buffer = _words(buffer, stored.shape)
        elif buffer.dtype != stored.dtype or buffer.shape != stored.shape:
            buffer = np.asarray(buffer, stored.dtype).reshape(stored.shape)
        # Aligned buffers are lent: they are never written to, and outlive the call that reads them.
        semantics = rt.semantics
        if type(buffer) is np.ndarray and buffer.flags.c_contiguous:
            if not buffer.__array_interface__["data"][0] % 64:
                semantics = rt.zero_copy
        return rt.xc.batched_device_put(
            stored, rt.place, [buffer], rt.devices, True, False, semantics, True
        )


def _key_dtype(aval):
    return aval.dtype.buffer_dtype if isinstance(aval.dtype, ExtendedDType) else None


def _words(buffer, shape):
    """A buffer of random keys as the words they are made of."""
    return np.ascontiguousarray(buffer).reshape(-1).view(np.uint32).reshape(shape)


def _as_keys(words, dtype):
    """The words of random keys as a buffer of keys."""
    words = np.ascontiguousarray(words, np.uint32)
    count = dtype.itemsize // 4
    flat = words.reshape(-1, count).view(dtype)
    axes, left = words.ndim, count
    while left > 1:
        axes -= 1
        left //= words.shape[axes]
    return flat.reshape(words.shape[:axes])


def _taken(result, key):
    """A result as a NumPy buffer; the memory stays XLA's and lives as long as the view."""
    view, _ = result._single_device_array_to_np_array_did_copy()
    return view if key is None else _as_keys(view, key)


def _guarded(step: HostStep):
    """A step on the host as the runtime calls it, which does not look at what it gets back."""
    run = step.run
    ins = [_key_dtype(a) for a in step.in_avals]
    outs = [(physical(a).shape, np.dtype(physical(a).dtype), _key_dtype(a)) for a in step.out_avals]

    def call(*operands):
        given = [x if k is None else _as_keys(x, k) for x, k in zip(operands, ins)]
        token, results = quiet.enter(), []
        try:
            found = run(*given)
        finally:
            quiet.leave(token)
        for r, (shape, dtype, key) in zip(found, outs, strict=True):
            r = np.asarray(r) if key is None else _words(r, shape)
            results.append(np.array(r, dtype, order="C").reshape(shape))
        return tuple(results)

    return call


_LONGEST = 2500  # equations; a chain of so many takes XLA about a second


def _length(jaxpr: Jaxpr) -> int:
    """The number of equations, with those of programs inside."""
    found = jaxpr.cache.get("length")
    if found is None:
        inner = [_length(sub) for eqn in jaxpr.eqns for sub in sub_jaxprs(eqn.params)]
        found = jaxpr.cache["length"] = len(jaxpr.eqns) + sum(inner)
    return found


def executable(closed: ClosedJaxpr):
    """The compiled program of a closed jaxpr, with its constants bound; made once."""
    if closed.jaxpr.effects or _length(closed.jaxpr) > _LONGEST:
        return program(closed)
    found = closed.jaxpr.cache.get(Executable)
    if found is None:
        # Constants are operands, so that one executable serves programs that differ in them alone.
        jaxpr = closed.jaxpr.replace(constvars=[], invars=[*closed.jaxpr.constvars, *closed.jaxpr.invars])
        found = closed.jaxpr.cache[Executable] = Executable(ClosedJaxpr(jaxpr, ()))
    if not closed.consts:
        return found
    return partial(found, *map(as_buffer, closed.consts, [v.aval for v in closed.jaxpr.constvars]))
