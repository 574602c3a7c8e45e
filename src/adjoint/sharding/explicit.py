"""`ExplicitSharding`: how an array is sharded over the explicit axes of a mesh, as its type says it.

Over mesh axes of type `Explicit` the sharding of every value is known while a program is traced: `f32[8@x,4]`. An
explicit sharding is one over a mesh without devices, with an entry for each axis of the array; axes of the mesh that
are not explicit do not occur in it. Types of arrays that are not divided have none.

Tests: `tests/parallel/test_explicit.py`.
"""

from __future__ import annotations

from typing import Any

from ..core.messages.errors import message
from ..core.process.memo import memoized
from ..core.types import ShapedArray
from .device import MemorySpace, Sharding
from .mesh import AbstractMesh, AxisType, PartitionSpec, context_mesh, names_of
from .named_sharding import NamedSharding

__all__ = [
    "ExplicitSharding", "concrete_mesh", "explicit_over", "explicit_sharding_of", "reordered",
    "stated_explicit_sharding", "whole", "with_batch_axis", "with_placement_of",
]


class ExplicitSharding(NamedSharding):
    """A sharding over an abstract mesh, of a type."""

    def without_axis(self, d: int) -> ExplicitSharding | None:
        """The sharding of what is at one index of axis `d`."""
        return explicit_over(self.mesh, [*self.spec[:d], *self.spec[d + 1 :]])

    def with_axis(self, d: int) -> ExplicitSharding | None:
        """The sharding with one more axis at `d`, which is not divided."""
        return explicit_over(self.mesh, [*self.spec[:d], None, *self.spec[d:]])

    def __repr__(self):
        return f"NamedSharding(mesh={self.mesh!r}, spec={self.spec!r})"

    def __reduce__(self):
        return explicit_over, (self.mesh, tuple(self.spec))


def explicit_over(mesh: Any, entries: Any) -> ExplicitSharding | None:
    """The sharding with these entries, one for each axis of the array; None if no explicit axis is among them."""
    return _explicit_over(mesh.abstract_mesh, tuple(entries))


@memoized(4096)
def _explicit_over(mesh: AbstractMesh, entries: tuple) -> ExplicitSharding | None:
    explicit = {n for n, t in zip(mesh.axis_names, mesh.axis_types) if t is AxisType.Explicit}
    kept = []
    for entry in entries:
        names = tuple([n for n in names_of(entry) if n in explicit])
        kept.append(names[0] if len(names) == 1 else names or None)
    return ExplicitSharding(mesh, PartitionSpec(*kept)) if any(kept) else None


def explicit_sharding_of(sharding: Sharding, ndim: int) -> ExplicitSharding | None:
    """Return what a sharding means for the types of arrays of `ndim` axes."""
    if not isinstance(sharding, NamedSharding) or AxisType.Explicit not in sharding.mesh.axis_types:
        return None
    return explicit_over(sharding.mesh, (*sharding.spec, *[None] * (ndim - len(sharding.spec))))


def reordered(aval: ShapedArray, axes: tuple[int, ...], other: ShapedArray) -> ExplicitSharding:
    """The sharding of a value whose axes are those of `aval` in another order; its mesh may be that of `other`."""
    entries = [None] * aval.ndim if aval.explicit_sharding is None else aval.explicit_sharding.spec
    mesh = (aval.explicit_sharding or other.explicit_sharding).mesh
    return ExplicitSharding(mesh, PartitionSpec(*[entries[i] for i in axes]))


def with_batch_axis(sharding: Any, d: int) -> Any:
    """Return what a call asks for its result, which gets one more axis at `d`."""
    if isinstance(sharding, NamedSharding):
        entries = list(sharding.spec)
        entries.extend([None] * (d - len(entries)))
        return type(sharding)(sharding.mesh, PartitionSpec(*entries[:d], None, *entries[d:]))
    return sharding


def with_placement_of(aval: ShapedArray, sharding: Sharding | None) -> ShapedArray:
    """The type of an array that is sharded so; None is the default device."""
    explicit = space = None
    if sharding is not None:
        explicit = explicit_sharding_of(sharding, aval.ndim)
        if sharding.memory_kind == "pinned_host":  # type: ignore[attr-defined]
            space = MemorySpace.Host
    if aval.explicit_sharding is explicit and aval.memory_space is space:
        return aval
    return aval.update(explicit_sharding=explicit, memory_space=space)


def concrete_mesh(explicit: ExplicitSharding, among: Any) -> Any:
    """The mesh of devices of an explicit sharding: that of one of the shardings `among`, or the one that was set."""
    for sharding in among:
        if isinstance(sharding, NamedSharding) and sharding.mesh.abstract_mesh == explicit.mesh:
            return sharding.mesh
    return context_mesh()


def whole(ndim: int) -> ExplicitSharding:
    """The explicit sharding of a type of `ndim` axes that is not divided."""
    mesh = context_mesh()
    mesh = AbstractMesh((), ()) if mesh is None else mesh.abstract_mesh
    return ExplicitSharding(mesh, PartitionSpec(*[None] * ndim))


def stated_explicit_sharding(sharding: Any, shape: tuple[int, ...]) -> ExplicitSharding | None:
    """Return the explicit sharding that a sharding is for a type of this shape."""
    mesh, spec = sharding.mesh, tuple(sharding.spec)
    if not isinstance(mesh, AbstractMesh):
        what = f"Mesh of an aval must be an AbstractMesh. Got {mesh} of type {type(mesh)}"
        raise ValueError(message(what, fix="pass a sharding over `mesh.abstract_mesh`"))
    if len(spec) > len(shape):
        raise ValueError(message(f"Sharding spec {spec} is for more axes than shape {shape} has"))
    explicit = explicit_sharding_of(sharding, len(shape))
    for axis, (n, parts) in enumerate(zip(shape, explicit.tiling(len(shape)) if explicit else ())):
        if n % parts:
            raise ValueError(message(
                f"Sharding spec {spec} implies that array axis {axis} is partitioned {parts} times, but does not "
                f"evenly divide the dimension size {n}. Got shape: {shape} and sharding {explicit}",
                fix=f"pad axis {axis} to {-(-n // parts) * parts}, or a spec that has None for it",
            ))
    return explicit
