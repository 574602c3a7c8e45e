"""`Division`: how an array is divided over the explicit axes of a mesh, as its type says it.

Over mesh axes of type `Explicit` the division of every value is known while a program is traced: `f32[8@x,4]`. A
division is a sharding over a mesh without devices, with an entry for each axis of the array; axes of the mesh that
are not explicit do not occur in it. Types of arrays that are not divided have none.

Tests: `tests/parallel/test_explicit.py`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ..core.messages.errors import message
from ..core.types import ShapedArray
from .device import MemorySpace, Sharding
from .mesh import AbstractMesh, AxisType, PartitionSpec, context_mesh, names_of
from .named_sharding import NamedSharding

__all__ = [
    "Division", "concrete_mesh", "divided_as", "division_of", "reordered", "stated_division", "whole",
    "with_batch_axis", "with_placement_of",
]


class Division(NamedSharding):
    """A sharding over an abstract mesh, of a type."""

    def without_axis(self, d: int) -> Division | None:
        """The division of what is at one index of axis `d`."""
        return divided_as(self.mesh, [*self.spec[:d], *self.spec[d + 1 :]])

    def with_axis(self, d: int) -> Division | None:
        """The division with one more axis at `d`, which is not divided."""
        return divided_as(self.mesh, [*self.spec[:d], None, *self.spec[d:]])

    def __repr__(self):
        return f"NamedSharding(mesh={self.mesh!r}, spec={self.spec!r})"

    def __reduce__(self):
        return divided_as, (self.mesh, tuple(self.spec))


def divided_as(mesh: Any, entries: Any) -> Division | None:
    """The division with these entries, one for each axis of the array; None if no explicit axis is among them."""
    return _divided_as(mesh.abstract_mesh, tuple(entries))


@lru_cache(4096)
def _divided_as(mesh: AbstractMesh, entries: tuple) -> Division | None:
    explicit = {n for n, t in zip(mesh.axis_names, mesh.axis_types) if t is AxisType.Explicit}
    kept = []
    for entry in entries:
        names = tuple([n for n in names_of(entry) if n in explicit])
        kept.append(names[0] if len(names) == 1 else names or None)
    return Division(mesh, PartitionSpec(*kept)) if any(kept) else None


def division_of(sharding: Sharding, ndim: int) -> Division | None:
    """Return what a sharding means for the types of arrays of `ndim` axes."""
    if not isinstance(sharding, NamedSharding) or AxisType.Explicit not in sharding.mesh.axis_types:
        return None
    return divided_as(sharding.mesh, (*sharding.spec, *[None] * (ndim - len(sharding.spec))))


def reordered(aval: ShapedArray, axes: tuple[int, ...], other: ShapedArray) -> Division:
    """The division of a value whose axes are those of `aval` in another order; its mesh may be that of `other`."""
    entries = [None] * aval.ndim if aval.explicit_sharding is None else aval.explicit_sharding.spec
    mesh = (aval.explicit_sharding or other.explicit_sharding).mesh
    return Division(mesh, PartitionSpec(*[entries[i] for i in axes]))


def with_batch_axis(sharding: Any, d: int) -> Any:
    """Return what a call asks for its result, which gets one more axis at `d`."""
    if isinstance(sharding, NamedSharding):
        entries = list(sharding.spec)
        entries.extend([None] * (d - len(entries)))
        return type(sharding)(sharding.mesh, PartitionSpec(*entries[:d], None, *entries[d:]))
    return sharding


def with_placement_of(aval: ShapedArray, sharding: Sharding | None) -> ShapedArray:
    """The type of an array that lies as `sharding` says; None is the default device."""
    division = space = None
    if sharding is not None:
        division = division_of(sharding, aval.ndim)
        if sharding.memory_kind == "pinned_host":  # type: ignore[attr-defined]
            space = MemorySpace.Host
    if aval.explicit_sharding is division and aval.memory_space is space:
        return aval
    return aval.update(explicit_sharding=division, memory_space=space)


def concrete_mesh(division: Division, among: Any) -> Any:
    """The mesh of devices that a division is over: that of one of the shardings `among`, or the one that was set."""
    for sharding in among:
        if isinstance(sharding, NamedSharding) and sharding.mesh.abstract_mesh == division.mesh:
            return sharding.mesh
    return context_mesh()


def whole(ndim: int) -> Division:
    """The division of a type of `ndim` axes that is not divided."""
    mesh = context_mesh()
    mesh = AbstractMesh((), ()) if mesh is None else mesh.abstract_mesh
    return Division(mesh, PartitionSpec(*[None] * ndim))


def stated_division(sharding: Any, shape: tuple[int, ...]) -> Division | None:
    """Return how a sharding that is given for a type divides it."""
    mesh, spec = sharding.mesh, tuple(sharding.spec)
    if not isinstance(mesh, AbstractMesh):
        what = f"Mesh of an aval must be an AbstractMesh. Got {mesh} of type {type(mesh)}"
        raise ValueError(message(what, fix="pass a sharding over `mesh.abstract_mesh`"))
    if len(spec) > len(shape):
        raise ValueError(message(f"Sharding spec {spec} is for more axes than shape {shape} has"))
    division = division_of(sharding, len(shape))
    for axis, (n, parts) in enumerate(zip(shape, division.tiling(len(shape)) if division else ())):
        if n % parts:
            raise ValueError(message(
                f"Sharding spec {spec} implies that array axis {axis} is partitioned {parts} times, but does not "
                f"evenly divide the dimension size {n}. Got shape: {shape} and sharding {division}",
                fix=f"pad axis {axis} to {-(-n // parts) * parts}, or a spec that has None for it",
            ))
    return division
