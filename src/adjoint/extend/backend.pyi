# Written by stubs/generate.py; do not edit.
from adjoint import Device
from typing import Any
def backend_xla_version(platform: str | None = None) -> int | None:
    """Return None: the CPU backend has no version of XLA.

    Args:
      platform: the name of a platform.
    Returns:
      None.

    >>> backend_xla_version() is None
    True
    """
def backends() -> dict[str, Any]:
    """Return all backends by platform.

    Returns:
      A dict of `Client`s.

    >>> "cpu" in backends()
    True
    """
def clear_backends(_crash: bool = False) -> None:
    """Forget every compiled program and the backends.

    Args:
      _crash: not read.
    Returns:
      None.

    >>> from adjoint.extend import backend
    >>> backend.clear_backends()
    """
def clear_in_memory_compilation_cache() -> None:
    """Forget every compiled program.

    >>> clear_in_memory_compilation_cache()
    """
def get_backend(platform: Any = None) -> Any:
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
def get_compile_options(num_replicas: int, num_partitions: int, device_assignment: Any = None, env_options_overrides: dict[str, str] | None = None, fdo_profile: bytes | None = None, detailed_logging: bool = True, backend: Any = None) -> Any:
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
def get_default_device() -> Device:
    """Return the device that new arrays are put on.

    >>> get_default_device().platform
    'cpu'
    """
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
