"""Specs, meshes and shares of arrays: names of `jax._src.named_sharding`, `sharding_impls`, `mesh` and `layout`.

Tests: `tests/compat/test_private_programs.py`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ....core.process.records import NamedTuple
from ....core.tree.tree import tree_map
from ....sharding.device import Device
from ....sharding.layout import Layout
from ....sharding.mesh import EMPTY, AbstractMesh, Mesh, PartitionSpec
from ....sharding.named_sharding import NamedSharding

__all__ = [
    "EMPTY_ENV", "AutoLayout", "AutoLayoutSingleton", "BaseMesh", "NonUniformShardingError", "ResourceEnv",
    "UnconstrainedSingleton", "array_mapping_to_axis_resources", "batch_spec", "cached_named_sharding", "check_pspec",
    "common_devices_indices_map", "common_is_equivalent_to", "device_replica_id_map", "explode_superdims",
    "flatten_spec", "get_array_mapping", "get_layout_for_vmap", "get_non_one_sized_mesh_spec",
    "get_process_index_and_count", "get_replicated_axes", "hashed_index", "local_to_global_shape",
    "num_addressable_indices", "order_wrt_mesh", "prepare_axis_resources", "remove_size_one_mesh_axis",
    "strides_for_sizes", "unflatten_array", "unflatten_superdims", "used_axis_names",
]


# ---- specs ---------------------------------------------------------------------------------------


def _names(entry: Any) -> tuple:
    return () if entry is None else entry if isinstance(entry, tuple) else (entry,)


def flatten_spec(spec: Any) -> list:
    """Return the entries of a spec, those of several axes one by one."""
    return [name for entry in spec for name in (entry if isinstance(entry, tuple) else (entry,))]


def used_axis_names(spec: Any) -> set:
    """Return the axes of a mesh that a spec names."""
    return {name for entry in spec for name in _names(entry)}


def get_array_mapping(axis_resources: Any) -> OrderedDict:
    """Return for each axis of a mesh the axis of the array that is divided over it."""
    return OrderedDict([(name, i) for i, entry in enumerate(axis_resources) for name in _names(entry)])


def array_mapping_to_axis_resources(array_mapping: Mapping[Any, int]) -> PartitionSpec:
    """Return the spec of such a mapping."""
    entries: list = []
    for i in range(max(array_mapping.values(), default=-1) + 1):
        names = tuple([name for name, at in array_mapping.items() if at == i])
        entries.append(names if len(names) > 1 else names[0] if names else None)
    return PartitionSpec(*entries)


def _only(spec: Any, keep: Any) -> PartitionSpec:
    """Return a spec with some of its axes."""
    entries: list = []
    for entry in spec:
        if entry is None or entry is PartitionSpec.UNCONSTRAINED:
            entries.append(entry)
            continue
        names = tuple([name for name in _names(entry) if keep(name)])
        entries.append(names if isinstance(entry, tuple) and names else names[0] if names else None)
    return PartitionSpec(*entries, unreduced=spec.unreduced, reduced=spec.reduced)


def remove_size_one_mesh_axis(spec: Any, mesh: Any) -> PartitionSpec:
    """Return a spec without axes of length one."""
    return _only(spec, lambda name: mesh.shape[name] != 1)


def get_non_one_sized_mesh_spec(mesh: Any, spec: Any) -> tuple[AbstractMesh, PartitionSpec]:
    """Return a mesh and a spec without axes of length one."""
    kept = [(name, n, kind) for (name, n), kind in zip(mesh.shape.items(), mesh.axis_types) if n != 1]
    smaller = AbstractMesh(tuple([n for _, n, _ in kept]), tuple([name for name, _, _ in kept]),
                           axis_types=tuple([kind for _, _, kind in kept]))
    return smaller, remove_size_one_mesh_axis(spec, mesh)


def get_replicated_axes(spec: Any, mesh: Any) -> frozenset:
    """Return the axes of a mesh that a spec does not name."""
    return frozenset({*mesh.axis_names} - used_axis_names(spec) - {*spec.unreduced} - {*spec.reduced})


def order_wrt_mesh(mesh: Any, x: Any) -> tuple:
    """Return names of axes in the order of a mesh."""
    return tuple([name for name in mesh.axis_names if name in x])


def check_pspec(mesh: Any, spec: Any, _manual_axes: frozenset = frozenset()) -> None:
    """Raise ValueError if a spec names an axis twice, or one that a mesh does not have."""
    NamedSharding(mesh, spec)


def batch_spec(spec: Any, dim: int, val: Any) -> PartitionSpec:
    """Return a spec with one more entry."""
    entries = [*spec, *[None] * (dim - len(spec))]
    return PartitionSpec(*entries[:dim], val, *entries[dim:])


def prepare_axis_resources(axis_resources: Any, arg_name: str, allow_unconstrained_dims: bool = False) -> Any:
    """Return a tree of specs or shardings as it is; ValueError if there is something else in it."""
    def checked(entry: Any) -> Any:
        if not isinstance(entry, (PartitionSpec, NamedSharding)) and not hasattr(entry, "device_set"):
            raise TypeError(f"{arg_name} leaf specifications are expected to be PartitionSpec instances or None, but "
                            f"got {entry}")
        return entry

    return tree_map(checked, axis_resources, is_leaf=lambda x: isinstance(x, PartitionSpec))


UnconstrainedSingleton = type(PartitionSpec.UNCONSTRAINED)


# ---- meshes --------------------------------------------------------------------------------------


class _IsMesh(type):
    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, (Mesh, AbstractMesh))


class BaseMesh(metaclass=_IsMesh):
    """A mesh, of devices or without."""


class ResourceEnv(NamedTuple):
    """The mesh that `with mesh:` sets."""

    physical_mesh: Mesh

    def with_mesh(self, mesh: Mesh) -> ResourceEnv:
        """Return the same of another mesh."""
        return ResourceEnv(mesh)

    def __repr__(self) -> str:
        shape = ", ".join([f"{name!r}: {n}" for name, n in self.physical_mesh.shape.items()])
        return f"ResourceEnv(mesh=Mesh({shape}))"


EMPTY_ENV = ResourceEnv(EMPTY)


# ---- shares of arrays ----------------------------------------------------------------------------


def common_devices_indices_map(s: Any, global_shape: tuple[int, ...]) -> Mapping[Device, tuple]:
    """Return which part of an array each device has."""
    return s.devices_indices_map(tuple(global_shape))


def common_is_equivalent_to(s1: Any, s2: Any, ndim: int, check_devices: bool = True) -> bool:
    """Return whether two shardings divide arrays of a rank alike."""
    return s1.is_equivalent_to(s2, ndim)


def hashed_index(x: Any) -> int:
    """Return a hash of an index of slices and integers."""
    return hash(tuple([(i.start, i.stop) if isinstance(i, slice) else i for i in x]))


def device_replica_id_map(sharding: Any, global_shape: tuple[int, ...]) -> dict[Device, int]:
    """Return for each device which of the equal parts it has."""
    seen: dict[int, int] = {}
    found = {}
    for device, index in sharding.devices_indices_map(tuple(global_shape)).items():
        key = hashed_index(index)
        found[device] = seen.get(key, 0)
        seen[key] = found[device] + 1
    return found


def num_addressable_indices(tensor_sharding: Any, dim: int, global_shape: tuple[int, ...]) -> int:
    """Return how many positions of an axis the devices of this process have."""
    parts = tensor_sharding.addressable_devices_indices_map(tuple(global_shape))
    return sum([len(r) for r in {range(*index[dim].indices(global_shape[dim])) for index in parts.values()}])


class NonUniformShardingError(ValueError):
    """The processes have parts of different sizes."""


def get_process_index_and_count(tensor_sharding: Any, dim: int, ndims: int) -> tuple[int, int]:
    """Return which part of an axis this process has, and how many parts there are."""
    if tensor_sharding.is_fully_addressable or tensor_sharding.is_fully_replicated:
        return 0, 1
    shape = tuple([tensor_sharding.num_devices if i == dim else 1 for i in range(ndims)])
    by_process: dict[int, set] = {}
    for device, index in tensor_sharding.devices_indices_map(shape).items():
        by_process.setdefault(device.process_index, set()).add(index[dim].indices(shape[dim])[:2])
    parts = {frozenset(p) for p in by_process.values()}
    mine = frozenset(by_process[min(by_process)])
    if len({len(p) for p in parts}) > 1:
        raise NonUniformShardingError("the processes have parts of different sizes")
    return sorted(parts, key=min).index(mine), len(parts)


def local_to_global_shape(sharding: Any, local_shape: tuple[int, ...]) -> tuple[int | None, ...]:
    """Return the shape of the whole of which a process has a part of a shape; None where parts are not equal."""
    whole: list[int | None] = []
    for i, n in enumerate(local_shape):
        try:
            _, count = get_process_index_and_count(sharding, i, len(local_shape))
        except NonUniformShardingError:
            whole.append(None)
        else:
            whole.append(n * count)
    if sharding.is_fully_addressable:
        return tuple(local_shape)
    return tuple(whole)


def cached_named_sharding(mesh: Any, pspec: PartitionSpec, memory_kind: str | None = None) -> NamedSharding:
    """Return a sharding."""
    return NamedSharding(mesh, pspec, memory_kind=memory_kind)


def strides_for_sizes(sizes: Sequence[int]) -> np.ndarray:
    """Return how far apart neighbours along each axis are, in rows of this shape."""
    return np.cumprod([1, *sizes[:0:-1]])[::-1]


def unflatten_superdims(assignment: Sequence[int]) -> list[tuple[int, int]]:
    """Return numbers that count up in steps as (how many, step) for each axis of a box of them."""
    flat, dims = np.asarray(assignment), []
    while flat.size > 1:
        stride = flat[1] - flat[0]
        n = next((i for i in range(1, len(flat)) if flat[i] != i * stride), len(flat))
        dims.append((n, stride))
        flat = flat[::n]
    return dims


def explode_superdims(sizes: Sequence[int], dims: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the same with axes that are several of those of a shape as these."""
    by_stride = dict(zip(strides_for_sizes(sizes).tolist(), sizes))
    out = []
    for size, stride in reversed(dims):
        pieces = []
        while size > 1:
            n = by_stride[stride]
            pieces.append((n, stride))
            size, stride = size // n, stride * n
        out += reversed(pieces)
    return out


def unflatten_array(named_sizes: Mapping[Any, int], assignment: Sequence[int]) -> list:
    """Return the names of the axes along which numbers count up."""
    strides = strides_for_sizes(list(named_sizes.values()))
    names = {int(stride): name for name, stride in zip(named_sizes, strides)}
    dims = explode_superdims(list(named_sizes.values()), unflatten_superdims(assignment))
    return [names[int(stride)] for _, stride in dims]


# ---- layouts -------------------------------------------------------------------------------------


AutoLayout = Layout.AUTO
AutoLayoutSingleton = type(AutoLayout)


def get_layout_for_vmap(dim: int, layout: Layout) -> Layout:
    """Return the layout of arrays with one more axis, which is outermost in memory."""
    return Layout((dim, *[i + (i >= dim) for i in layout.major_to_minor]))
