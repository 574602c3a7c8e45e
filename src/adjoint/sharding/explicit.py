"""`ExplicitSharding`: how an array is sharded over the explicit axes of a mesh, as its type says it.

Over mesh axes of type `Explicit` the sharding of every value is known while a program is traced: `f32[8@x,4]`. An
explicit sharding is one over a mesh without devices, with an entry for each axis of the array; axes of the mesh that
are not explicit do not occur in it. Where no axis of an array is divided, its type still knows the mesh, as those of
what is computed from it do; types of arrays over meshes whose axes are all of type `Auto` know no more than that.

A type may also say that a value is `unreduced` over a mesh axis, `f32[8]{U:x}`: it stands for the sum of what devices
have along it. What is linear may be done to it, and `reshard` adds up. Its cotangents are `reduced`, `{R:x}`: the same
everywhere, and known to be. The values of this library are added up where they are made; only types speak of it.

Tests: `tests/parallel/test_explicit.py`.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ..core.messages.errors import message
from ..core.process.memo import memoized
from ..core.trace import state
from ..core.types import ShapedArray
from .device import MemorySpace, Sharding
from .mesh import AbstractMesh, AxisType, PartitionSpec, context_mesh, names_of
from .named_sharding import NamedSharding

__all__ = [
    "ExplicitSharding", "asked_sharding", "broadcast_sharding", "concrete_mesh", "explicit_over",
    "explicit_sharding_of", "in_space",
    "of_cotangent", "of_transposed", "reordered", "spec_of", "stated_explicit_sharding", "sums_of", "told_sharding",
    "whole", "with_batch_axis", "with_entry", "with_mapped_axis", "with_placement_of", "with_sums",
]


class ExplicitSharding(NamedSharding):
    """A sharding over an abstract mesh, of a type."""

    kinds_with_sums = (AxisType.Explicit, AxisType.Manual)

    def without_axis(self, d: int) -> ExplicitSharding | None:
        """Return the sharding of what is at one index of axis `d`."""
        return self._with([*self.spec[:d], *self.spec[d + 1 :]])

    def with_axis(self, d: int) -> ExplicitSharding | None:
        """Return the sharding with one more axis at `d`, which is not divided."""
        return self._with([*self.spec[:d], None, *self.spec[d:]])

    def _with(self, entries) -> ExplicitSharding | None:
        return explicit_over(self.mesh, entries, self.spec.unreduced, self.spec.reduced)

    @property
    def dual(self) -> ExplicitSharding | None:
        """Return the sharding of cotangents of values that are sharded so."""
        if not (self.spec.unreduced or self.spec.reduced):
            return self
        return explicit_over(self.mesh, self.spec, self.spec.reduced, self.spec.unreduced)

    def undivided(self, ndim: int) -> ExplicitSharding | None:
        """Return what is known of values of another shape: the mesh, if none of its axes is explicit."""
        return None if self.is_explicit else explicit_over(self.mesh, [None] * ndim)

    @cached_property
    def is_explicit(self) -> bool:
        """Return whether types say how values are divided over mesh axes, or are sums or copies over them."""
        return bool(self.mesh.explicit_axes or self.spec.unreduced or self.spec.reduced)

    @property
    def is_divided(self) -> bool:
        """Return whether values are divided over mesh axes, or are sums or copies over them, as far as types say."""
        return any(self.spec) or bool(self.spec.unreduced or self.spec.reduced)

    @property
    def sums(self) -> tuple:
        """Return over which mesh axes a value is to be added up, or has cotangents that are, with letters for them."""
        return ("U", self.spec.unreduced), ("R", self.spec.reduced)

    def __repr__(self):
        return f"NamedSharding(mesh={self.mesh!r}, spec={self.spec!r})"

    def __reduce__(self):
        return explicit_over, (self.mesh, tuple(self.spec), self.spec.unreduced, self.spec.reduced)


def explicit_over(
    mesh: Any, entries: Any, unreduced: frozenset = frozenset(), reduced: frozenset = frozenset()
) -> ExplicitSharding | None:
    """Return the sharding with these entries, one for each axis of the array; None if types do not speak of the mesh:
    it has no axes, or no explicit ones beside manual ones.
    """
    return _explicit_over(mesh.abstract_mesh, tuple(entries), unreduced, reduced)


@memoized(4096)
def _explicit_over(mesh: AbstractMesh, entries: tuple, unreduced, reduced) -> ExplicitSharding | None:
    explicit = {n for n, t in zip(mesh.axis_names, mesh.axis_types) if t is AxisType.Explicit}
    kept = []
    for entry in entries:
        names = tuple([n for n in names_of(entry) if n in explicit])
        kept.append(names[0] if len(names) == 1 else names or None)
    manual = {n for n, t in zip(mesh.axis_names, mesh.axis_types) if t is AxisType.Manual}
    unreduced, reduced = unreduced & (explicit | manual), reduced & (explicit | manual)
    if not explicit and not unreduced and not reduced and not mesh.are_all_axes_auto:
        return None
    return ExplicitSharding(mesh, PartitionSpec(*kept, unreduced=unreduced, reduced=reduced))


def explicit_sharding_of(sharding: Sharding, ndim: int) -> ExplicitSharding | None:
    """Return what a sharding means for the types of arrays of `ndim` axes."""
    if not isinstance(sharding, NamedSharding):
        return None
    spec = sharding.spec
    return explicit_over(sharding.mesh, (*spec, *[None] * (ndim - len(spec))), spec.unreduced, spec.reduced)


def reordered(aval: ShapedArray, axes: tuple[int, ...], other: ShapedArray) -> ExplicitSharding:
    """Return the sharding of cotangents of a value, with its axes in another order; its mesh may be that of `other`."""
    mesh = (aval.explicit_sharding or other.explicit_sharding).mesh
    if aval.explicit_sharding is None:
        return ExplicitSharding(mesh, PartitionSpec(*[None] * len(axes)))
    spec = aval.explicit_sharding.dual.spec
    return ExplicitSharding(mesh, spec.update(partitions=tuple([spec[i] for i in axes])))


def of_cotangent(aval: ShapedArray) -> ExplicitSharding | None:
    """Return the explicit sharding of cotangents of values of a type."""
    return None if aval.explicit_sharding is None else aval.explicit_sharding.dual


def asked_sharding(name: str, given: Any) -> NamedSharding | None:
    """Return what a call of the function `name` was given as `out_sharding`, over a mesh.

    Raises:
      ValueError: there is no mesh for a spec, or it names a mesh axis whose type is not Explicit.
      TypeError: it is no sharding over a mesh.
    """
    if given is None:
        return None
    if not isinstance(given, (NamedSharding, PartitionSpec)):
        raise TypeError(
            message(
                f"`out_sharding` argument of {name} only supports instances of `NamedSharding` or `PartitionSpec`. "
                f"Got {given} of type: {type(given)}",
                fix="jax.device_put(x, ...) of the result",
            )
        )
    mesh = context_mesh() if isinstance(given, PartitionSpec) else given.mesh
    if mesh is None:
        raise ValueError(
            message(
                "Using PartitionSpec when you are not under a mesh context is not allowed. Please pass a NamedSharding "
                f"instance or enter into a mesh context via `jax.set_mesh`. Got {given}",
                fix=f"with jax.set_mesh(mesh): ..., or NamedSharding(mesh, {given})",
            )
        )
    sharding = NamedSharding(mesh, given) if isinstance(given, PartitionSpec) else given
    kinds = dict(zip(mesh.axis_names, mesh.axis_types))
    for axis in [n for entry in sharding.spec for n in names_of(entry)]:
        if kinds[axis] is not AxisType.Explicit:
            raise ValueError(
                message(
                    f"PartitionSpec passed to {name} cannot contain axis names that are of type Auto or Manual. Got "
                    f"PartitionSpec: {sharding.spec} with axis name: {axis} of type: {kinds[axis]}.",
                    fix="a mesh whose axes are explicit, or jax.lax.with_sharding_constraint of the result",
                )
            )
    return sharding


def told_sharding(name: str, given: Any) -> NamedSharding | None:
    """Return the same for a program that is traced while its mesh is set: over the axes alone, as types have them."""
    sharding = asked_sharding(name, given)
    if sharding is None or not state.trace.stages or sharding.mesh is not context_mesh():
        return sharding
    return ExplicitSharding(sharding.mesh.abstract_mesh, sharding.spec)


def of_transposed(sharding: NamedSharding | None, wanted: Any, names: Any) -> NamedSharding | None:
    """Return the sharding of a value with axes `names` that has the given one when it is transposed to `wanted`."""
    if sharding is None or len(sharding.spec) > len(wanted):
        return sharding
    entries = dict(zip(wanted, (*sharding.spec, *[None] * (len(wanted) - len(sharding.spec)))))
    return sharding.update(spec=sharding.spec.update(partitions=tuple([entries[n] for n in names])))


def broadcast_sharding(avals: Any, shape: tuple[int, ...]) -> ExplicitSharding | None:
    """Return how arrays that are broadcast to a shape together are divided: each axis as in those that have it whole.

    None if none of them is divided or all have that shape. An axis that two of them divide otherwise is not divided;
    what they are operands of says so.
    """
    if all([a.shape == shape for a in avals]):
        return None
    known = [a.explicit_sharding for a in avals if a.placement is not None and a.explicit_sharding is not None]
    if not any([any(s.spec) for s in known]):
        return None
    found: list = [set() for _ in shape]
    for aval in avals:
        for d, (n, entry) in enumerate(zip(aval.shape, spec_of(aval)), len(shape) - aval.ndim):
            if entry is not None and n == shape[d]:
                found[d].add(entry)
    return explicit_over(known[0].mesh, [entries.pop() if len(entries) == 1 else None for entries in found])


def sums_of(aval: Any) -> tuple[frozenset, frozenset]:
    """Return over which mesh axes values of a type are unreduced, and reduced."""
    explicit = getattr(aval, "explicit_sharding", None)
    return (frozenset(), frozenset()) if explicit is None else (explicit.spec.unreduced, explicit.spec.reduced)


def spec_of(aval: Any) -> list:
    """Return an entry for each axis of a type."""
    return [None] * aval.ndim if aval.explicit_sharding is None else list(aval.explicit_sharding.spec)


def with_sums(aval: ShapedArray, unreduced: frozenset, reduced: frozenset) -> ShapedArray:
    """Return the type of a value that is unreduced and reduced over these mesh axes."""
    sharding = aval.sharding
    return aval.update(explicit_sharding=explicit_over(sharding.mesh, sharding.spec, unreduced, reduced))


def with_batch_axis(sharding: Any, d: int) -> Any:
    """Return what a call asks for its result, which gets the axis that is being mapped at `d`."""
    if isinstance(sharding, NamedSharding):
        division = None if state.mapped_over is None else state.mapped_over.division
        mapped = () if division is None else names_of(division.spec[0])
        return with_entry(sharding, d, tuple([n for n in mapped if n in sharding.mesh.explicit_axes]))
    return sharding


def with_entry(sharding: Any, d: int, entry: Any) -> Any:
    """Return the sharding with one more axis at `d`.

    Raises:
      DuplicateSpecError: another axis is divided over the same mesh axis.
    """
    entries = list(sharding.spec)
    entries.extend([None] * (d - len(entries)))
    entries.insert(d, entry)
    return type(sharding)(sharding.mesh, sharding.spec.update(partitions=tuple(entries)))


def with_mapped_axis(aval: ShapedArray, d: int, length: int, division: Any) -> ShapedArray:
    """Return the type with one more axis at `d`, which is divided as `division`, the sharding of it alone, says."""
    known = aval.mesh_sharding
    if division is None or known is not None and not known.is_explicit:
        return aval.with_axis(d, length)
    spec = PartitionSpec(*[None] * aval.ndim) if aval.explicit_sharding is None else aval.explicit_sharding.spec
    own = [*spec[:d], division.spec[0], *spec[d:]]
    shape = (*aval.shape[:d], length, *aval.shape[d:])
    explicit = explicit_over(division.mesh, own, spec.unreduced, spec.reduced)
    return aval.update(shape=shape, explicit_sharding=explicit)


def in_space(sharding, aval: ShapedArray):
    """Return a sharding, in the memory that a type says."""
    kind = "device" if aval.memory_space is None else "pinned_host"
    return sharding if sharding.memory_kind == kind else sharding.with_memory_kind(kind)


def with_placement_of(aval: ShapedArray, sharding: Sharding | None) -> ShapedArray:
    """Return the type of an array that is sharded so; None is the default device."""
    explicit = space = None
    if sharding is not None:
        explicit = explicit_sharding_of(sharding, aval.ndim)
        if sharding.memory_kind == "pinned_host":  # type: ignore[attr-defined]
            space = MemorySpace.Host
    if aval.mesh_sharding is explicit and aval.memory_space is space:
        return aval
    return aval.update(explicit_sharding=explicit, memory_space=space)


def concrete_mesh(explicit: ExplicitSharding, among: Any) -> Any:
    """Return the mesh of devices of an explicit sharding: that of one of the shardings `among`, or the one that was
    set.
    """
    for sharding in among:
        if isinstance(sharding, NamedSharding) and sharding.mesh.abstract_mesh == explicit.mesh:
            return sharding.mesh
    return context_mesh()


def whole(ndim: int) -> ExplicitSharding:
    """Return the explicit sharding of a type of `ndim` axes that is not divided."""
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
                f"Sharding spec {names_of(spec[axis])} implies that array axis {axis} is partitioned {parts} times, "
                f"but does not evenly divide the dimension size {n}. Got shape: {shape} and sharding {explicit}",
                fix=f"pad axis {axis} to {-(-n // parts) * parts}, or a spec that has None for it",
            ))
    return explicit
