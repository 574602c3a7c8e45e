"""The places of results: on the device of the operands, or over a mesh as a layout says.

Tests: `tests/parallel/test_places.py`.
"""

from __future__ import annotations

from ...array.array import ArrayImpl
from ...array.sharded_array import place, place_of
from ...sharding.device import Sharding, SingleDeviceSharding, default_device, first_device, first_sharding
from ...sharding.explicit import in_space
from ...sharding.mesh import Mesh, PartitionSpec, names_of
from ...sharding.named_sharding import NamedSharding
from .propagate import trimmed

__all__ = ["along", "default_sharding", "laid_out", "layout_of", "named", "placed_results", "spec_as_first"]


def default_sharding() -> Sharding:
    """The place of results that no operand commits."""
    device = default_device()
    return first_sharding if device is first_device else SingleDeviceSharding(device)


def placed_results(outs, where, entries, args, committed) -> list:
    """The results with their places; `entries` are layouts over the mesh of `where`."""
    if not isinstance(where, NamedSharding):
        return [
            place(x._buffer, x.aval, in_space(where, x.aval), committed or x.aval.memory_space is not None)
            for x in outs
        ]
    return [
        place(x._buffer, x.aval, in_space(named(where.mesh, e, x.aval, args), x.aval))
        for x, e in zip(outs, entries)
    ]


def spec_as_first(args, aval, mesh) -> PartitionSpec:
    """The spec of a result over a mesh of one device, where nothing is divided: that of the first operand, if it fits.
    """
    sharding = place_of(args[0]) if args and isinstance(args[0], ArrayImpl) else None
    fits = isinstance(sharding, NamedSharding) and sharding.mesh is mesh and args[0].ndim == aval.ndim
    return sharding.spec if fits else PartitionSpec()


def named(mesh, entries, aval, args) -> NamedSharding:
    """The sharding of a layout: the first operand's, if it means the same and the program does not give one."""
    if isinstance(entries, PartitionSpec):
        return NamedSharding(mesh, entries)
    entries = trimmed(entries)
    divided = [x for x in args if isinstance(x, ArrayImpl) and isinstance(place_of(x), NamedSharding)]
    if divided and divided[0].ndim == aval.ndim:
        sharding = place_of(divided[0])
        if sharding.mesh is mesh and trimmed(sharding.spec) == entries:
            return sharding
    sharding = NamedSharding(mesh, PartitionSpec(*entries))
    if any(n % k for n, k in zip(aval.shape, sharding.tiling(aval.ndim))):
        return NamedSharding(mesh, PartitionSpec())
    return sharding


def layout_of(x) -> tuple:
    """Return how an operand is divided."""
    sharding = place_of(x) if isinstance(x, ArrayImpl) else None
    return tuple(sharding.spec) if isinstance(sharding, NamedSharding) else ()


def along(mesh: Mesh, entries: tuple) -> tuple:
    """A layout along the axes that a mesh has."""
    return tuple([e if set(names_of(e)).issubset(mesh.axis_names) else None for e in entries])


def laid_out(x, sharding):
    sharding.check_compatible_aval(x.aval.shape)
    return place(x._buffer, x.aval, sharding)
