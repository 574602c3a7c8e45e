"""The parts of the array API standard beside its functions: what a library can do, and its dtypes and devices."""

from __future__ import annotations

import numpy as np

from ..core.messages.errors import message
from ..core.options.config import local
from ..parallel.devices import devices

__all__ = ["ArrayNamespaceInfo", "__array_namespace_info__"]

_KINDS = {
    "bool": ("bool",),
    "signed integer": ("int8", "int16", "int32", "int64"),
    "unsigned integer": ("uint8", "uint16", "uint32", "uint64"),
    "real floating": ("float32", "float64"),
    "complex floating": ("complex64", "complex128"),
}
_KINDS["integral"] = _KINDS["signed integer"] + _KINDS["unsigned integer"]
_KINDS["numeric"] = _KINDS["integral"] + _KINDS["real floating"] + _KINDS["complex floating"]
_WIDE = frozenset(("int64", "uint64", "float64", "complex128"))  # only with jax_enable_x64


class ArrayNamespaceInfo:
    """The answers of ``jnp.__array_namespace_info__()``, by the array API standard 2024.12.

    >>> jnp.__array_namespace_info__().default_dtypes()["integral"]
    dtype('int32')
    """

    def capabilities(self) -> dict:
        """Return what depends on values: results whose shape does are not part of programs, so they do not count."""
        return {"boolean indexing": False, "data-dependent shapes": False, "max dimensions": 64}

    def default_device(self) -> None:
        """None: arrays go where the operands are."""

    def devices(self) -> list:
        """The devices; None is the default one."""
        return [None, *devices()]

    def default_dtypes(self, *, device=None) -> dict:
        """The dtypes of results that have no other reason for one."""
        wide = local.enable_x64
        return {
            "real floating": np.dtype("float64" if wide else "float32"),
            "complex floating": np.dtype("complex128" if wide else "complex64"),
            "integral": np.dtype("int64" if wide else "int32"),
            "indexing": np.dtype("int64" if wide else "int32"),
        }

    def dtypes(self, *, device=None, kind: str | tuple[str, ...] | None = None) -> dict:
        """The dtypes of the standard that arrays can have, by name.

        Args:
          kind: one of the standard's kinds, or a tuple of them; None for all.
        Raises:
          KeyError: there is no such kind.
        """
        chosen = ("bool", "numeric") if kind is None else kind if isinstance(kind, tuple) else (kind,)
        for k in chosen:
            if k not in _KINDS:
                raise KeyError(message(f"{k!r} is not a kind of dtypes.", fix=f"one of {', '.join(_KINDS)}"))
        names = dict.fromkeys(name for k in chosen for name in _KINDS[k])
        return {name: np.dtype(name) for name in names if local.enable_x64 or name not in _WIDE}


def __array_namespace_info__() -> ArrayNamespaceInfo:
    """Return what the array API standard asks to know of a library."""
    return ArrayNamespaceInfo()
