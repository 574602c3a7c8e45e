"""`NamedSharding`: which part of an array each device of a mesh holds.

Tests: `tests/parallel/test_sharding.py`.
"""

from __future__ import annotations

from collections import Counter
from math import prod
from typing import Any

import numpy as np

from ..core.messages.errors import JaxRuntimeError, message
from ..core.process.memo import memoized
from .device import Device, Sharding, SingleDeviceSharding, checked_kind, is_here
from .mesh import AbstractMesh, AxisType, Mesh, PartitionSpec, names_of

__all__ = [
    "UNSPECIFIED", "DuplicateSpecError", "IndivisibleError", "NamedSharding", "UnspecifiedValue", "check_distinct",
]


class UnspecifiedValue:
    """Says that a sharding was not given, where None has a meaning of its own."""

    def __repr__(self):
        return "UnspecifiedValue"


UNSPECIFIED = UnspecifiedValue()


class IndivisibleError(ValueError):
    """A mesh axis does not divide the axis of an array."""


class DuplicateSpecError(Exception):
    """A spec names a mesh axis twice."""


def check_distinct(spec: PartitionSpec, what: str) -> None:
    """Raise if a spec names a mesh axis twice."""
    for n, count in Counter([n for entry in spec for n in names_of(entry)]).items():
        if count > 1:
            raise DuplicateSpecError(
                f"A single {what} specification can map every mesh axis to at most one positional dimension, but "
                f"{spec!r} has duplicate entries for `{n}`"
            )


class NamedSharding(Sharding):
    """An array divided over a mesh as a spec says; along mesh axes that it does not name, it is copied.

    Args:
      mesh: a `Mesh`, or an `AbstractMesh`.
      spec: a `PartitionSpec`.
      memory_kind: "device" (default) or "pinned_host".
    Raises:
      ValueError: the spec names an axis that the mesh does not have.
      DuplicateSpecError: it names one twice.

    >>> NamedSharding(make_mesh((1,), ("x",)), P("x")).shard_shape((4, 2))
    (4, 2)
    """

    kinds_with_sums: tuple = (AxisType.Explicit,)  # the types of mesh axes that may be unreduced or reduced

    def __init__(self, mesh: Mesh, spec: Any, *, memory_kind: str | None = None, _logical_device_ids=None):
        if not isinstance(spec, (PartitionSpec, tuple, list)):
            raise AttributeError(
                message(
                    f"{type(spec).__name__!r} object has no attribute 'partitions'",
                    why=f"The spec of a NamedSharding is a PartitionSpec, and {spec!r} is none.",
                    fix=f"NamedSharding(mesh, jax.P({spec!r}))",
                )
            )
        self.mesh = mesh
        self.spec = spec if isinstance(spec, PartitionSpec) else PartitionSpec(*spec)
        # A mesh without devices has no memory: what has a place is over a mesh that has them.
        no_memory = memory_kind is None and isinstance(mesh, AbstractMesh)
        self.memory_kind = None if no_memory else checked_kind(memory_kind)
        self._hash: int | None = None
        for n in [n for entry in self.spec for n in names_of(entry)]:
            if n not in mesh.axis_names:
                raise ValueError(
                    message(
                        f"Resource axis: {n} of {self.spec!r} is not found in mesh: {tuple(mesh.shape)}.",
                        fix=f"one of the names {tuple(mesh.shape)}, or a mesh that has the axis {n!r}",
                    )
                )
        for what in ("unreduced", "reduced"):
            self._check_sums(what, getattr(self.spec, what))
        if PartitionSpec.UNCONSTRAINED in self.spec and AxisType.Auto not in mesh.axis_types:
            raise ValueError(
                message(
                    f"{self.spec} cannot contain `P.UNCONSTRAINED` when no mesh axis_types are `Auto`. Got mesh "
                    f"axis_types: {mesh.axis_types}",
                    why="Over the others types say how values are divided, and leave nothing to the compiler.",
                    fix="None in the place of P.UNCONSTRAINED",
                )
            )
        check_distinct(self.spec, "NamedSharding spec")

    def _check_sums(self, what: str, axes: frozenset) -> None:
        """Raise unless mesh axes of partial sums are axes of type Explicit."""
        mesh = self.mesh
        for n in axes:
            if n not in mesh.axis_names:
                raise ValueError(
                    f"{what.capitalize()} axes {n} is not found in mesh.axis_names={mesh.axis_names}. Got "
                    f"pspec={self.spec!r}"
                )
        kinds = dict(zip(mesh.axis_names, mesh.axis_types))
        if any(kinds[n] not in self.kinds_with_sums for n in axes):
            raise ValueError(
                f"{what.capitalize()} axes can only refer to mesh axes that is of type `Explicit`. Got {what} axes: "
                f"{axes} and mesh: {mesh}"
            )

    # ---- devices ----------------------------------------------------------------------------------

    def _mesh_with_devices(self, asked: str) -> Mesh:
        """Return the mesh; ValueError if it has no devices of which one could say what is asked."""
        if isinstance(self.mesh, AbstractMesh):
            raise ValueError(
                message(
                    f"{asked} is not implemented for `jax.sharding.AbstractMesh`.",
                    why="It has names and sizes of axes, and no devices.",
                    fix="a sharding over the mesh of devices that it was made from, or jax.sharding.get_mesh()",
                )
            )
        return self.mesh

    def over_devices(self, devices: Any) -> NamedSharding:
        """Return this sharding, which is over an abstract mesh, over a mesh of devices.

        Args:
          devices: as many devices as the mesh has places, in their order.
        """
        mesh = self.mesh
        grid = np.array(devices, object).reshape(tuple(mesh.shape.values()))
        return NamedSharding(Mesh(grid, mesh.axis_names, mesh.axis_types), self.spec, memory_kind=self.memory_kind)

    @property
    def device_set(self) -> set[Device]:
        """Return the devices of the mesh."""
        return set(self._mesh_with_devices("device_set").devices.flat)

    @property
    def _device_assignment(self) -> tuple[Device, ...]:
        return tuple(self._mesh_with_devices("_device_assignment").devices.flat)

    @property
    def addressable_devices(self) -> set[Device]:
        """Return the devices of the mesh that are of this process."""
        return {d for d in self._mesh_with_devices("addressable_devices").devices.flat if is_here(d)}

    @property
    def num_devices(self) -> int:
        """Return how many devices the mesh has."""
        return self.mesh.size

    @property
    def is_fully_addressable(self) -> bool:
        """Return whether all devices are of this process."""
        return not self._mesh_with_devices("is_fully_addressable").is_multi_process

    @property
    def has_addressable_devices(self) -> bool:
        """Return whether a device is of this process."""
        return bool(self.addressable_devices)

    @property
    def is_fully_replicated(self) -> bool:
        """Return whether every device holds the whole array."""
        shape = self.mesh.shape
        return all(shape[n] == 1 for entry in self.spec for n in names_of(entry))

    @property
    def replicated_axes(self) -> frozenset:
        """Return the mesh axes along which the array is copied."""
        return frozenset(self.mesh.axis_names) - {n for e in self.spec for n in names_of(e)}

    # ---- parts ------------------------------------------------------------------------------------

    def tiling(self, ndim: int) -> list[int]:
        """Return into how many parts each axis of the array is cut.

        Args:
          ndim: how many axes the array has.
        """
        shape = self.mesh.shape
        parts = [prod([shape[n] for n in names_of(entry)]) for entry in self.spec]
        return parts + [1] * (ndim - len(parts))

    def _to_xla_hlo_sharding(self, num_dimensions: int) -> Any:
        """Return the same as XLA's object, for arrays of so many axes; jaxlib must be installed."""
        from jaxlib.xla_client import HloSharding, OpSharding

        shape, dims = self.mesh.shape, [1] * num_dimensions
        for d, entry in enumerate(self.spec):
            for n in names_of(entry):
                dims[d] *= shape[n]
        cut, sums, copied = self._cut_summed_copied()
        if prod([shape[n] for n in cut + sums]) == 1:
            return HloSharding.replicate()
        kinds = []
        for axes, kind in ((sums, OpSharding.Type.UNREDUCED), (copied, OpSharding.Type.REPLICATED)):
            if prod([shape[n] for n in axes]) > 1:
                dims.append(prod([shape[n] for n in axes]))
                kinds.append(kind)
        position = {n: i for i, n in enumerate(self.mesh.axis_names)}
        order = [position[n] for n in cut + sums + copied]
        self._check_distinct_axes()
        return HloSharding.iota_tile(dims, list(self.mesh.axis_sizes), order, kinds)

    def _cut_summed_copied(self) -> tuple[list, list, list]:
        """Return the mesh axes that divide arrays, along which they are parts of a sum, and the others."""
        cut = [n for entry in self.spec for n in names_of(entry)]
        sums = [n for n in self.mesh.axis_names if n in self.spec.unreduced]
        return cut, sums, [n for n in self.mesh.axis_names if n not in cut and n not in sums]

    def _check_distinct_axes(self) -> None:
        """Raise if arrays are divided over a mesh of which two axes have one name."""
        mesh = self.mesh
        if len(mesh.shape) == len(mesh.axis_names) or not any(self.spec):
            return
        position = {n: i for i, n in enumerate(mesh.axis_names)}
        order = [position[n] for axes in self._cut_summed_copied() for n in axes]
        raise JaxRuntimeError(
            message(
                "INVALID_ARGUMENT: `reshape_dims` and `transpose_perm` should have the same size, saw "
                f"[{','.join(map(str, mesh.axis_sizes))}] v.s. [{','.join(map(str, order))}]",
                why=f"Axes of the mesh have one name, {mesh.axis_names}: {self.spec!r} does not say which is meant.",
                fix="a name of its own for each axis of the mesh",
            )
        )

    def check(self, shape: tuple[int, ...]) -> None:
        """Raise unless an array of this shape can be divided so.

        Args:
          shape: the shape of the array.
        Raises:
          ValueError: the spec has more entries than the array axes.
          IndivisibleError: an axis cannot be cut into equal parts.
        """
        if len(self.spec) > len(shape):
            raise ValueError(
                f"Sharding {self} is only valid for values of rank at least {len(self.spec)}, but was applied to a "
                f"value of rank {len(shape)}." + ("" if shape else " For scalars the PartitionSpec should be P()")
                + f"\n  Try: {PartitionSpec(*self.spec[:len(shape)])!r}, an entry for each axis and no more"
            )
        self._check_distinct_axes()
        tiling = self.tiling(len(shape))
        for d, (n, k) in enumerate(zip(shape, tiling)):
            if n % k:
                raise IndivisibleError(
                    message(
                        f"Sharding {self} implies that array axis {d} is partitioned {k} times, but the dimension "
                        f"size is {n} (full shape: {tuple(shape)}, per-dimension tiling factors: {tiling} should "
                        "evenly divide the shape)",
                        fix=f"pad axis {d} to {-(-n // k) * k}, or a spec that has None for it",
                    )
                )

    def shard_shape(self, global_shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return the shape of the part on each device.

        Args:
          global_shape: the shape of the array.
        """
        self.check(tuple(global_shape))
        return tuple([n // k for n, k in zip(global_shape, self.tiling(len(global_shape)))])

    def parts(self, global_shape: tuple[int, ...]) -> list[tuple[Device, tuple[slice, ...], int]]:
        """Return (device, its part, which copy of that part it is) in the order of the mesh.

        Args:
          global_shape: the shape of the array.
        """
        part = self.shard_shape(global_shape)
        tiling = self.tiling(len(global_shape))
        position = {n: i for i, n in enumerate(self.mesh.axis_names)}
        sizes, seen, out = self.mesh.axis_sizes, Counter(), []
        names = [names_of(e) for e in self.spec]
        names += [()] * (len(global_shape) - len(names))
        for at, device in _enumerated(self._mesh_with_devices("_device_assignment").devices):
            index = []
            for n, k, axes in zip(part, tiling, names):
                i = 0
                for name in axes:
                    i = i * sizes[position[name]] + at[position[name]]
                index.append(slice(None) if k == 1 else slice(i * n, (i + 1) * n))
            key = tuple([s.start for s in index])
            out.append((device, tuple(index), seen[key]))
            seen[key] += 1
        return out

    def devices_indices_map(self, global_shape: tuple[int, ...]) -> dict:
        """Return the part of an array that each device holds, as a tuple of slices by device.

        Args:
          global_shape: the shape of the array.
        """
        return {device: index for device, index, _ in self.parts(global_shape)}

    def addressable_devices_indices_map(self, global_shape: tuple[int, ...]) -> dict:
        """Return the same for the devices of this process.

        Args:
          global_shape: the shape of the array.
        """
        return {device: index for device, index, _ in self.parts(global_shape) if is_here(device)}

    def check_compatible_aval(self, aval_shape: tuple[int, ...]) -> None:
        """Raise unless an array of this shape can be divided so.

        Args:
          aval_shape: the shape of the array.
        """
        self.check(tuple(aval_shape))

    def check_rank(self, shape: tuple[int, ...], whose: str) -> None:
        """Raise if a spec has more entries than an array axes.

        Args:
          shape: the shape of the array.
          whose: which array it is, for the message.
        """
        if len(self.spec) > len(shape):
            try:
                self.check(shape)
            except ValueError as error:
                raise type(error)(
                    f"One of {whose} is incompatible with its sharding annotation {self}: {error}"
                ) from None

    # ---- comparison -------------------------------------------------------------------------------

    def update(self, **changes: Any) -> NamedSharding:
        """Return the same with another `mesh`, `spec` or `memory_kind`.

        Args:
          changes: those of the three that change.
        """
        fields = dict(mesh=self.mesh, spec=self.spec, memory_kind=self.memory_kind)
        fields.update(changes)
        return NamedSharding(fields["mesh"], fields["spec"], memory_kind=fields["memory_kind"])

    def with_memory_kind(self, kind: str) -> NamedSharding:
        """Return the same in another memory.

        Args:
          kind: "device" or "pinned_host".
        """
        return self.update(memory_kind=kind)

    def is_equivalent_to(self, other: Sharding, ndim: int) -> bool:
        """Return whether arrays are divided over the same devices in the same way.

        Args:
          other: a sharding.
          ndim: how many axes the arrays have.
        """
        if isinstance(other, SingleDeviceSharding):
            return self.num_devices == 1 and self.device_set == other.device_set
        if not isinstance(other, NamedSharding):
            return isinstance(other, Sharding) and other.is_equivalent_to(self, ndim)  # type: ignore[attr-defined]
        if not isinstance(self.mesh, Mesh) or not isinstance(other.mesh, Mesh):  # an abstract one is on no devices
            return self._key() == other._key()
        return self.memory_kind == other.memory_kind and _layout(self, ndim) == _layout(other, ndim)

    def _key(self):
        return self.mesh, self.spec, self.memory_kind

    def __eq__(self, other):
        return self is other or isinstance(other, NamedSharding) and self._key() == other._key()

    def __hash__(self):
        if self._hash is None:  # calls look up programs by where their operands are
            self._hash = hash(self._key())
        return self._hash

    def __reduce__(self):
        return NamedSharding, (self.mesh, self.spec)

    def __repr__(self):
        kind = "" if self.memory_kind is None else f", memory_kind={self.memory_kind}"
        return f"NamedSharding(mesh={self.mesh!s}, spec={self.spec!r}{kind})"


@memoized(4096)
def _layout(sharding: NamedSharding, ndim: int) -> list:
    """The part of an array of so many axes that each device has, in terms of the smallest array."""
    shape = tuple(sharding.tiling(ndim))
    return [(d, tuple([(s.start, s.stop) for s in index])) for d, index, _ in sharding.parts(shape)]


def _enumerated(grid):
    return [(at, grid[at]) for at in np.ndindex(grid.shape)]
