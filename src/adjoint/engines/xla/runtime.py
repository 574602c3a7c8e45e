"""jaxlib: its client of the default devices, programs compiled from text, and what else of it the library uses.

The only module that imports jaxlib, when the first program is compiled. Compiled programs are
kept on disk by all that decides them: the text, the options, the versions and the processor.

Tests: `tests/engines/xla/test_programs.py`.
"""

from __future__ import annotations

import os
import platform
import sys
from collections import deque
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any, NoReturn

from ...core.messages.errors import JaxRuntimeError, message
from ...core.process.locks import once
from ...sharding.device import here, virtual_devices
from ..cache import Store, key
from ..interface import EFFORTS
from ..numpy.memory import exhausted

__all__ = [
    "check_flags", "client_options", "computation", "extension", "group", "has_jaxlib", "image", "load", "loaded",
    "parsed", "raise_cause", "raised", "runtime", "spmd_options", "store",
]

store = Store("xla")
group: Any = SimpleNamespace(client=None, service=None, failures=0, abandoned=False)  # of processes: processes.py
raised: deque[BaseException] = deque(maxlen=16)  # by functions of the user that programs called


def has_jaxlib() -> bool:
    """Return whether jaxlib is installed: not where its names alone are there, in a program that runs as jax."""
    found = find_spec("jaxlib")
    return found is not None and found.has_location


def extension(*names: str) -> tuple:
    """Modules of jaxlib. ImportError that says what to install, without it."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")  # read when the library is loaded
    try:
        if not has_jaxlib():
            raise ImportError("No module named 'jaxlib'")
        return tuple([import_module(f"jaxlib.{n}") for n in names])
    except ImportError as error:
        raise ImportError(
            message(
                "This needs the package jaxlib, which is not installed.",
                why=f"cpu_engine is 'xla', or an accelerator or one of jaxlib's functions was asked for: {error}",
                fix="pip install 'adjoint[xla]', or config.update('cpu_engine', 'numpy')",
            )
        ) from None


def client_options() -> dict[str, Any]:
    """Return how XLA's client of this process is made."""
    if group.client is None:
        return {}
    (_jax,) = extension("_jax")
    return dict(
        distributed_client=group.client, node_id=here.index, num_nodes=here.count,
        collectives=_jax.make_gloo_tcp_collectives(distributed_client=group.client),
    )


@once
def runtime() -> Any:
    """jaxlib's modules, its client of the default devices, and what every call needs of them."""
    _jax, xla_client = extension("_jax", "xla_client")

    class OneDevice(_jax.SingleDeviceSharding):
        """The placement of a buffer on one device, as the runtime reads it."""

        memory_kind = property(lambda self: self._memory_kind)

        def _to_xla_hlo_sharding(self, ndim):
            return xla_client.HloSharding.replicate()

    if here.plugin is not None and here.plugin.start():
        client = here.plugin.client
    else:
        client = xla_client.make_cpu_client(asynchronous=True, num_devices=virtual_devices(), **client_options())
    device = client.local_devices()[0]
    if getattr(sys.modules.get("jax"), "__name__", "") != "jax":  # which takes source lines from them
        _jax.set_tracebacks_enabled(False)  # for the whole process; results are made faster
    return SimpleNamespace(
        xc=xla_client, client=client, device=device, devices=[device], place=OneDevice(device), jax=_jax,
        one=_jax.DeviceList((device,)), semantics=xla_client.HostBufferSemantics.IMMUTABLE_ONLY_DURING_CALL,
        zero_copy=xla_client.HostBufferSemantics.ZERO_COPY,
    )


@once
def register_lapack() -> None:
    """Tell the runtime jaxlib's calls of LAPACK, which is SciPy's."""
    (_lapack,) = extension("cpu._lapack")
    rt = runtime()
    for name, target in _lapack.registrations().items():
        rt.xc.register_custom_call_target(name, target, platform="cpu", api_version=1)
        rt.jax.register_custom_call_as_batch_partitionable(name)
    _lapack.initialize()


def _processor() -> str:
    """Return what the processor can do: code compiled for one may not run on another."""
    try:
        with open("/proc/cpuinfo") as file:
            found = {line for line in file if line.startswith(("flags", "Features", "model name", "CPU part"))}
        return "".join(sorted(found))
    except OSError:
        return platform.processor() + platform.machine()


@cache
def _conditions() -> str:
    """Return what decides a compiled program beside its text and options."""
    import jaxlib.version

    client = runtime().client
    found = (
        jaxlib.version.__version__, client.platform, client.platform_version, len(client.devices()),
        runtime().device.device_kind, _processor(), os.environ.get("XLA_FLAGS", ""),
        os.environ.get("LIBTPU_INIT_ARGS", ""),
    )
    return repr(found)


def _options(overrides: tuple) -> Any:
    options = runtime().xc.CompileOptions()
    options.executable_build_options.use_shardy_partitioner = True
    for name, value in overrides:
        if name in EFFORTS:
            setattr(options.executable_build_options, name, value)
    options.env_option_overrides = [o for o in overrides if o[0] not in EFFORTS]
    return options


@cache
def check_flags(flags: tuple) -> None:
    """Have XLA say whether it has flags, and of these values.

    Raises:
      JaxRuntimeError: it does not.
    """
    rt = runtime()
    try:
        rt.client.compile_and_load("module { func.func @main() { return } }", rt.one, _options(flags))
    except RuntimeError as error:
        raise_cause(error)


def spmd_options(replicas: int, partitions: int, ids=None, overrides: tuple = ()) -> Any:
    """Return the `CompileOptions` of a program for several devices: `ids` are their numbers, [replica, partition]."""
    xc, options = runtime().xc, _options(overrides)
    build = options.executable_build_options
    options.num_replicas = build.num_replicas = replicas
    options.num_partitions = build.num_partitions = partitions
    build.use_spmd_partitioning = True
    if ids is not None:
        options.device_assignment = xc.DeviceAssignment.create(ids)
    return options


def image(text: str, overrides: tuple = (), devices=None, options=None) -> bytes:
    """Return a program compiled, as bytes. One that was loaded from bytes cannot be written as bytes again."""
    rt = runtime()
    if "_ffi(" in text:
        register_lapack()
    options = _options(overrides) if options is None else options
    return rt.client.compile_and_load(text, rt.one if devices is None else devices, options).serialize()


def load(text: str, callbacks: Sequence = (), devices=None, options=None, overrides: tuple = ()) -> Any:
    """Return a program compiled, or from the disk.

    Args:
      text: a StableHLO module.
      callbacks: the functions of the host that it calls, by number.
      devices: the runtime's list of devices; the first CPU by default.
      options: the runtime's `CompileOptions`.
      overrides: (flag, value) pairs of XLA's debug options. ValueError for one that it does not know.
    """
    rt = runtime()
    if "_ffi(" in text:
        register_lapack()
    devices = rt.one if devices is None else devices
    if options is None:
        options = _options(overrides)
    host = dict(host_callbacks=list(callbacks)) if callbacks else {}
    name = ""
    if store.folder() is not None:
        name = key(text, options.SerializeAsString().hex(), str([d.id for d in devices]), _conditions())
        image = store.load(name)
        if image is not None:
            try:
                return rt.client.deserialize_executable(image, devices, options, **host)
            except RuntimeError:  # of another build of the runtime: compiled again, and replaced
                pass
    try:
        loaded = rt.client.compile_and_load(text, devices, options)
    except RuntimeError as error:
        raise_cause(error)
    if name or callbacks:
        image = loaded.serialize()
        if name:
            store.store(name, image)
        if callbacks:  # they are attached when a program is loaded
            return rt.client.deserialize_executable(image, devices, options, **host)
    return loaded


def loaded(image: bytes, devices=None) -> Any:
    """Return the compiled program of the bytes of one, for the first CPU or the runtime's list of devices."""
    rt = runtime()
    register_lapack()
    try:
        return rt.client.deserialize_executable(image, rt.one if devices is None else devices, None)
    except RuntimeError as error:
        raise ValueError(
            message(
                "The compiled program cannot be loaded.", why=str(error),
                fix="compile and serialize it again, with this version of jaxlib and on this kind of machine",
            )
        ) from None


def computation(text: str) -> Any:
    """Return a StableHLO module as jaxlib's object, not optimised."""
    (_jax,) = extension("_jax")
    return _jax.mlir.mlir_module_to_xla_computation(text)


def parsed(text: str) -> Any:
    """Return a StableHLO module as jaxlib's object of MLIR."""
    ir, chlo, sdy, stablehlo, own = extension(
        "mlir.ir", "mlir.dialects.chlo", "mlir.dialects.sdy", "mlir.dialects.stablehlo",
        "mlir._mlir_libs._jax_mlir_ext")
    context, dialects = ir.Context(), ir.DialectRegistry()
    own.register_dialects(dialects)
    context.append_dialect_registry(dialects)
    context.load_all_available_dialects()
    for dialect in (chlo, sdy, stablehlo):
        dialect.register_dialect(context)
    return ir.Module.parse(text, context)


def raise_cause(error: Exception) -> NoReturn:
    """Raise what an error of the runtime stands for: what a function of the user raised, or its text."""
    text, found = str(error), None
    for other in reversed(raised):
        lines = str(other).splitlines()
        if type(other).__name__ in text and (not lines or lines[0] in text):
            found = other
            break
    if found is None and "RESOURCE_EXHAUSTED" in text:
        found = exhausted(MemoryError(text.splitlines()[0]), "a program")
    found = found or JaxRuntimeError(text)
    found.__suppress_context__ = True
    raise found
