"""The backends of this process.

Tests: `tests/extend/test_interpreters.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.messages.boundaries import explain_missing as _explain_missing
from ..core.messages.errors import message
from ..core.options.config import local
from ..engines.xla.runtime import spmd_options
from ..parallel.devices import devices
from ..sharding.device import Client, Device, clients
from ..transforms.jit.entries import clear_caches, other_caches

__all__ = [
    "backend_xla_version", "backends", "clear_backends", "clear_in_memory_compilation_cache", "get_backend",
    "get_compile_options", "get_default_device", "register_backend_cache",
]


def get_backend(platform: str | Client | None = None) -> Client:
    """Return the backend of a platform, or the default one; RuntimeError if there is none of that name.

    Args:
      platform: its name, such as "cpu"; None for the default one; a `Client` is returned as it is.
    Returns:
      A `Client`, with the devices of the platform.
    Raises:
      RuntimeError: there is no platform of that name.

    >>> get_backend().platform
    'cpu'
    """
    return platform if isinstance(platform, Client) else devices(platform)[0].client


def backends() -> dict[str, Client]:
    """Return all backends by platform.

    Returns:
      A dict of `Client`s.

    >>> "cpu" in backends()
    True
    """
    get_backend()
    return dict(clients)


def get_default_device() -> Device:
    """Return the device that new arrays are put on.

    >>> get_default_device().platform
    'cpu'
    """
    chosen = local.default_device
    return chosen if isinstance(chosen, Device) else devices(chosen)[0]


def clear_in_memory_compilation_cache() -> None:
    """Forget every compiled program.

    >>> clear_in_memory_compilation_cache()
    """
    clear_caches()


def register_backend_cache(cache: Any, for_what: str) -> None:
    """Let a cache of compiled programs, or of what they refer to, be forgotten whenever these are.

    Args:
      cache: with a `cache_clear`, as the results of `functools.cache` have.
      for_what: what it is used for.

    >>> from functools import cache
    >>> from adjoint.extend import backend
    >>> lengths = cache(len)
    >>> backend.register_backend_cache(lengths, "lengths of texts")
    """
    other_caches.append(cache)


def get_compile_options(
    num_replicas: int, num_partitions: int, device_assignment=None,
    env_options_overrides: dict[str, str] | None = None, fdo_profile: bytes | None = None,
    detailed_logging: bool = True, backend: Any = None,
):
    """Return jaxlib's `CompileOptions` for a program that is to be compiled by XLA.

    Args:
      num_replicas, num_partitions: how many devices run it.
      device_assignment: which: numbers of devices, or devices, of shape [replicas, partitions] or [replicas].
      env_options_overrides: XLA's debug options.
      fdo_profile: a profile for the compiler to go by.
      detailed_logging: whether XLA is to tell much about it.
      backend: ignored; there is one.
    Returns:
      An object of jaxlib.
    Raises:
      ValueError: `device_assignment` has another shape.
      ImportError: jaxlib is not installed.

    >>> type(get_compile_options(1, 1)).__name__
    'CompileOptions'
    """
    ids = None
    if device_assignment is not None:
        ids = np.vectorize(lambda d: d.id if isinstance(d, Device) else int(d), otypes=[np.int32])(device_assignment)
        ids = ids[:, None] if ids.ndim == 1 and num_partitions == 1 else ids
        for axis, (name, n) in enumerate((("num_replicas", num_replicas), ("num_partitions", num_partitions))):
            if ids.ndim != 2 or ids.shape[axis] != n:
                raise ValueError(
                    message(
                        f"device_assignment does not match {name}: {device_assignment} vs {n}.",
                        fix=f"an array of shape ({num_replicas}, {num_partitions})",
                    )
                )
    options = spmd_options(num_replicas, num_partitions, ids, tuple((env_options_overrides or {}).items()))
    build = options.executable_build_options
    options.profile_version = -1  # no profile of an earlier run
    build.memory_fitting_level = 29  # what XLA's users have by default
    build.debug_options.xla_detailed_logging = detailed_logging
    if fdo_profile is not None:
        build.fdo_profile = fdo_profile
    return options


def clear_backends(_crash: bool = False) -> None:
    """Forget every compiled program and the backends.

    Args:
      _crash: not read.
    Returns:
      None.

    >>> from adjoint.extend import backend
    >>> backend.clear_backends()
    """
    clear_caches()
    clients.clear()


def backend_xla_version(platform: str | None = None) -> int | None:
    """Return None: the CPU backend has no version of XLA.

    Args:
      platform: the name of a platform.
    Returns:
      None.

    >>> backend_xla_version() is None
    True
    """
    return None

_explain_missing(globals())
