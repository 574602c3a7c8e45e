"""Shardings of arguments and results in artifacts: named axes of a mesh without devices.

A program that is exported for several devices is the program of the whole arrays; how they are divided is said beside
it, and hints inside are left out. A call is given arrays over as many devices.

Tests: `tests/export/test_shardings.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.types import Array
from ..engines.placed.stated_layouts import stated_layout
from ..parallel.devices import device_put
from ..sharding.mesh import AbstractMesh, AxisType, Mesh, PartitionSpec
from ..sharding.named_sharding import NamedSharding
from .mlir.ir import ArtifactError
from .tables import Builder, Table

__all__ = ["divided", "mesh_of_call", "on_mesh", "read_sharding", "stated", "write_mesh", "write_sharding"]

_TYPES = {1: AxisType.Auto, 2: AxisType.Explicit, 3: AxisType.Manual}
_NUMBERS = {t: n for n, t in _TYPES.items()}
_PLATFORM = "cpu"


def stated(traced) -> tuple[int, tuple, tuple]:
    """Return (number of devices, shardings of arguments, of results) of a traced function."""
    entry = traced._entry
    layout = stated_layout(traced._closed(), entry.params, len(entry.captured), traced._places)
    if layout is None:
        return 1, (None,) * len(traced._avals), (None,) * len(entry.out_avals)
    abstract = lambda s: NamedSharding(s.mesh.abstract_mesh, s.spec) if isinstance(s, NamedSharding) else None
    return layout.mesh.size, tuple(map(abstract, layout.ins)), tuple(map(abstract, layout.outs))


def on_mesh(shardings: Sequence, mesh) -> tuple:
    """Return the shardings over a mesh with devices."""
    return tuple([None if s is None else NamedSharding(mesh, s.spec) for s in shardings])


def mesh_of_call(leaves: Sequence) -> Any:
    """Return the mesh over which the arguments of a call are divided; None if they are on one device."""
    for x in leaves:
        sharding = getattr(x, "sharding", None) if isinstance(x, Array) else None
        if isinstance(sharding, NamedSharding) and sharding.mesh.size > 1:
            return sharding.mesh
    return None


def divided(outs: list, shardings: Sequence, mesh) -> list:
    """Results, divided over a mesh as it was said."""
    known = isinstance(mesh, Mesh)
    return [
        device_put(x, NamedSharding(mesh, s.spec))
        if known and s is not None and set(s.mesh.axis_names) <= set(mesh.axis_names) else x
        for x, s in zip(outs, shardings)
    ]


def write_mesh(builder: Builder, mesh) -> int:
    """Write a mesh without its devices; where it stands."""
    device = builder.table({0: ("offset", builder.string(_PLATFORM)), 2: ("offset", builder.string(_PLATFORM))})
    names = [str(n) for n in mesh.axis_names]
    types = [_NUMBERS[t] for t in mesh.axis_types]
    return builder.table({
        0: ("offset", builder.numbers(mesh.axis_sizes, "I")),
        1: ("offset", builder.offsets([builder.string(n) for n in names])),
        2: ("offset", builder.numbers(types, "B")), 3: ("offset", device)})


def write_sharding(builder: Builder, sharding: NamedSharding) -> int:
    """Write a sharding; where it stands."""
    mesh, entries = write_mesh(builder, sharding.mesh), []
    for entry in sharding.spec:
        names = () if entry is None else entry if isinstance(entry, tuple) else (entry,)
        texts = builder.offsets([builder.string(str(n)) for n in names])
        entries.append(builder.table({0: ("offset", texts)}))
    lists = [builder.offsets(entries), builder.offsets([]), builder.offsets([])]
    spec = builder.table({i: ("offset", place) for i, place in enumerate(lists)})
    return builder.table({
        0: ("offset", mesh), 1: ("offset", spec), 2: ("offset", builder.string("device"))})


def read_sharding(table: Table) -> NamedSharding:
    """Return the sharding that a table tells of."""
    mesh, spec = table.table(0), table.table(1)
    if mesh is None or spec is None:
        raise ArtifactError("The artifact is damaged: a sharding lacks its mesh.")
    sizes, names, types = mesh.numbers(0, "I"), mesh.strings(1), mesh.numbers(2, "B")
    if not len(sizes) == len(names) == len(types) or not set(types) <= _TYPES.keys():
        raise ArtifactError("The artifact is damaged: a mesh has not as many names as lengths.")
    entries = []
    for entry in spec.tables(0):
        axes = entry.strings(0)
        entries.append(tuple(axes) if len(axes) > 1 else axes[0] if axes else None)
    if not {a for e in entries for a in (e if isinstance(e, tuple) else (e,))} <= {*names, None}:
        raise ArtifactError("The artifact is damaged: a sharding names axes that its mesh does not have.")
    abstract = AbstractMesh(tuple(sizes), tuple(names), axis_types=tuple([_TYPES[t] for t in types]))
    try:
        return NamedSharding(abstract, PartitionSpec(*entries))  # type: ignore[arg-type]
    except (ValueError, TypeError) as error:
        raise ArtifactError(f"The artifact is damaged: {error}") from error
