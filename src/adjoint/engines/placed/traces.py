"""Traces that evaluate where results are not on the first device: another default device, or a mesh that is set.

Tests: `tests/parallel/test_places.py`.
"""

from __future__ import annotations

from ...array.array import ArrayImpl, Pending
from ...array.sharded_array import ShardedArray, place, place_of
from ...core.jaxpr import ClosedJaxpr, Jaxpr, JaxprEqn, Var
from ...core.passes import operands_read
from ...core.process.memo import memoized
from ...core.types import aval_of
from ...prims.explicit_sharding import asked_of
from ...sharding.device import default_devices, device_meant, first_device, first_sharding, is_beside
from ...sharding.mesh import AbstractMesh, Mesh, PartitionSpec, context_mesh, placing_mesh
from ...sharding.named_sharding import NamedSharding
from ..numpy.eager import EvalTrace
from .agreement import check_on_mesh, operand_names
from .dispatch import run_alone
from .propagate import are_typed_over_mesh, is_over_explicit
from .results import default_sharding

__all__ = ["MeshTrace", "PlacingTrace", "has_other_default", "mesh_trace", "on_default", "placing_trace"]


def on_default(x):
    """Return a result just made, on the default device."""
    if type(x) not in (ArrayImpl, Pending) or default_sharding() is first_sharding:
        return x
    return place(x._buffer, x.aval, default_sharding(), committed=False)


class PlacingTrace(EvalTrace):
    """Evaluates while the default device is not the first: results know where they are."""

    __slots__ = ()
    runs_programs = runs_again = takes_parts = False

    def process(self, p, args, params):
        out = super().process(p, args, params)
        return [self.placed(x) for x in out] if p.multiple_results else self.placed(out)

    def placed(self, x, is_typed: bool = False):
        return on_default(x)


class MeshTrace(PlacingTrace):
    """Evaluates while a mesh is set: what no operand places is copied to all of its devices."""

    __slots__ = ()
    runs_again = True  # the mesh that is set is a part of what a program was traced for

    def process(self, p, args, params):
        if p.runs_programs:
            called = None if p.called is None or params.get("keep_unused") else params[p.called]
            read = operands_read(called.jaxpr) if isinstance(called, ClosedJaxpr) else None
            asked = params.get("in_shardings") or ()
            check_on_mesh(params.get("name", "f"), args, operand_names(p, len(args)), read, asked)
        elif p.joins:
            check_on_mesh(p.name, args, operand_names(p, len(args)))
        if p.joins and asked_of(p, params) is not None and not any([isinstance(x, ShardedArray) for x in args]):
            out, _ = run_alone(p, args, params, placing_mesh.value)
            return out if p.multiple_results else out[0]
        out = EvalTrace.process(self, p, args, params)
        outs = out if p.multiple_results else [out]
        outs = [self.placed(x, t) for x, t in zip(outs, _typed(p, args, params, outs))]
        return outs if p.multiple_results else outs[0]

    def placed(self, x, is_typed: bool = False):
        """Return a result just made, whole on each device of the mesh, of which its type speaks or not."""
        if type(x) not in (ArrayImpl, Pending):
            return x
        return place(x._buffer, x.aval, _replicated(_mesh_here(), x.aval.ndim, is_typed))


def _mesh_here() -> Mesh:
    """Return the mesh that is set; in a function that is mapped over axes of it, these are manual."""
    mesh, inside = placing_mesh.value, context_mesh()
    is_mapped = isinstance(inside, AbstractMesh) and inside.manual_axes and inside.shape_tuple == mesh.shape_tuple
    return mesh.update(axis_types=inside.axis_types) if is_mapped else mesh


def _typed(p, args, params, outs) -> list[bool]:
    """Return whether types of the results of an operation speak of the mesh that is set, as those of numbers do."""
    if not _mesh_here().explicit_axes:
        return [False] * len(outs)
    ins = [is_over_explicit(place_of(x)) if isinstance(x, ArrayImpl) and not (x.aval.weak_type and not x.ndim) else True
           for x in args]
    eqn = JaxprEqn([Var(aval_of(x)) for x in args], [Var(aval_of(x)) for x in outs], p, params)
    return are_typed_over_mesh(Jaxpr([], eqn.invars, eqn.outvars, [eqn]), ins, True)


@memoized(1024)
def _replicated(mesh: Mesh, ndim: int, is_typed: bool) -> NamedSharding:
    """The sharding of a result that is not divided: types that speak of an explicit mesh have all axes."""
    return NamedSharding(mesh, PartitionSpec(*[None] * ndim if is_typed and mesh.explicit_axes else ()))


placing_trace = PlacingTrace(None)
mesh_trace = MeshTrace(None)


def has_other_default(chosen) -> bool:
    """Return whether results go to another device than the first by default."""
    device = device_meant(chosen)
    return device is not first_device and (is_beside(device) or device in default_devices()[1:])
