"""Shardings as functions of libraries take them: names of `jax._src.sharding_impls`.

Tests: `tests/compat/test_private.py`.
"""

from __future__ import annotations

from typing import Any

from ...core.messages.errors import message
from ...sharding.mesh import Mesh, PartitionSpec, get_abstract_mesh, named_mesh
from ...sharding.named_sharding import UNSPECIFIED, NamedSharding, UnspecifiedValue

__all__ = ["UNSPECIFIED", "UnspecifiedValue", "abstract_mesh_context_manager", "canonicalize_sharding", "unset"]


def canonicalize_sharding(
    sharding: NamedSharding | PartitionSpec | None, api_name: str, check_mesh_consistency: bool = True
) -> NamedSharding | None:
    """Return a sharding over an abstract mesh, for one that names axes of the mesh that is set, or has a mesh of its
    own.

    None stands for none, and so does a sharding over a mesh without axes.
    """
    if sharding is None:
        return None
    if isinstance(sharding, PartitionSpec):
        mesh = get_abstract_mesh()
        if mesh.empty:
            raise ValueError(message(
                "Using PartitionSpec when you are not under a mesh context is not allowed. Please pass a NamedSharding "
                f"instance or enter into a mesh context via `jax.set_mesh`. Got {sharding}",
                why=f"{api_name} was called where no mesh is set.", fix=f"NamedSharding(mesh, {sharding})",
            ))
        return NamedSharding(mesh, sharding)
    if sharding.mesh.empty:
        return None
    mesh = sharding.mesh
    return NamedSharding(mesh.abstract_mesh if isinstance(mesh, Mesh) else mesh, sharding.spec)

unset = None  # what `swap_local` takes for no mesh


class _AbstractMeshContext:
    """The abstract mesh that specs are about in the running thread."""

    def swap_local(self, value: Any) -> Any:
        """Set it, or with None have none; returns what `set_local` takes to undo it."""
        return named_mesh.swap_local(value)

    def set_local(self, value: Any) -> None:
        """Set it to what it was."""
        named_mesh.set_local(value)


abstract_mesh_context_manager = _AbstractMeshContext()
