"""Protocols of operands, for annotations, and the versions of jaxlib: names of `jax._src.typing` and `lib`.

Tests: `tests/compat/test_private_programs.py`.
"""

from __future__ import annotations

import enum
from typing import Any, Protocol

from ....version import jax_version

__all__ = ["DLDeviceType", "DeprecatedArg", "DuckTypedArray", "SupportsNdim", "SupportsShape", "SupportsSize",
           "check_jaxlib_version", "cuda_path", "cuda_versions", "ifrt_version", "jaxlib_extension_version",
           "jaxlib_version", "jaxlib_version_str", "pkg_name", "version", "version_lib", "version_str"]


class SupportsNdim(Protocol):
    """Has a number of axes."""

    @property
    def ndim(self) -> int:
        """Return how many axes it has."""
        ...


class SupportsShape(Protocol):
    """Has a shape."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the lengths of its axes."""
        ...


class SupportsSize(Protocol):
    """Has a number of elements."""

    @property
    def size(self) -> int:
        """Return how many elements it has."""
        ...


class DuckTypedArray(Protocol):
    """Has a shape and a dtype."""

    @property
    def dtype(self) -> Any:
        """Return the dtype of its elements."""
        ...

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the lengths of its axes."""
        ...


class DeprecatedArg:
    """Stands for an argument that was not given, and should not be."""

    def __repr__(self) -> str:
        return "Deprecated"


class DLDeviceType(enum.IntEnum):
    """Kinds of devices, as DLPack numbers them."""

    kDLCPU = 1
    kDLCUDA = 2
    kDLCUDAHost = 3
    kDLROCM = 10


# ---- what jaxlib would be of ---------------------------------------------------------------------

version_str = jaxlib_version_str = jax_version
version = jaxlib_version = version_lib = tuple([int(n) for n in version_str.split(".")[:3]])
jaxlib_extension_version = 467  # of the jaxlib of JAX 0.10.2, as ifrt_version
ifrt_version = 55
cuda_versions = cuda_path = None
pkg_name = "jaxlib.cuda"


def check_jaxlib_version(jax_version: str, jaxlib_version: str, minimum_jaxlib_version: str) -> tuple[int, ...]:
    """Return the version of jaxlib as numbers; RuntimeError if it is older than the least, or newer than JAX."""
    theirs, own, least = [
        tuple([int(n) for n in v.split(".dev")[0].split("rc")[0].split(".")[:3]])
        for v in (jaxlib_version, jax_version, minimum_jaxlib_version)
    ]
    if theirs < least:
        raise RuntimeError(f"jaxlib is version {jaxlib_version}, but this version of jax requires version >= "
                           f"{minimum_jaxlib_version}.")
    if theirs > own:
        raise RuntimeError(f"jaxlib version {jaxlib_version} is newer than and incompatible with jax version "
                           f"{jax_version}. Please update your jax and/or jaxlib packages.")
    return theirs
