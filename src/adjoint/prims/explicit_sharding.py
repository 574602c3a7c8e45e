"""Shardings of results over explicit mesh axes: `sharding` rules, read strictly, and `sums` rules.

Where the answer would be ambiguous, or devices would have to exchange what the user has not asked for, a rule raises
`ShardingTypeError`, which says what to write. A primitive without a rule works on operands that are not sharded;
`auto_axes` leaves the rest of a program to the compiler. `sharding/explicit.py` has the idea.


Tests: `tests/parallel/test_explicit.py`.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..core.messages.errors import message
from ..core.placement import PlacementRules, placements
from ..core.state import state
from ..core.types import ShapedArray
from ..sharding.explicit import (
    ExplicitSharding,
    explicit_over,
    explicit_sharding_of,
    spec_of,
    stated_explicit_sharding,
    sums_of,
    whole,
)
from ..sharding.mesh import AbstractMesh, AxisType, ManualAxisType, PartitionSpec, context_mesh, names_of
from ..sharding.named_sharding import NamedSharding
from ..sharding.rules import RESHARD, ShardedCall, entries_of, joined, refused
from ..sharding.sums import SummedCall, of_primitive
from .collective import align_varying, pvary_to

__all__ = ["asked_of", "canonical_explicit_sharding"]

def canonical_explicit_sharding(sharding: Any, shape: tuple[int, ...], mesh: Any = None) -> ExplicitSharding | None:
    """Return the explicit sharding that a user asks for a result of this shape.

    Raises:
      ValueError: the spec names an axis that the mesh has not, or does not divide the shape.
    """
    if isinstance(sharding, PartitionSpec):
        mesh = context_mesh() if mesh is None else mesh
        if mesh is None:
            raise ValueError(
                message(
                    f"A spec, {sharding}, was given as out_sharding, and there is no mesh.",
                    fix="with jax.set_mesh(mesh): ..., or NamedSharding(mesh, spec)",
                )
            )
        sharding = NamedSharding(mesh.abstract_mesh, sharding)
    if not isinstance(sharding, NamedSharding) or AxisType.Explicit not in sharding.mesh.axis_types:
        return None
    if not any(sharding.spec[len(shape) :]):
        sharding = type(sharding)(sharding.mesh, sharding.spec.update(partitions=sharding.spec[: len(shape)]))
    _check_fits(sharding, shape)
    return explicit_sharding_of(sharding, len(shape))


def _check_fits(sharding: NamedSharding, shape: tuple[int, ...]) -> None:
    for d, (n, k) in enumerate(zip(shape, sharding.tiling(len(shape)))):
        if n % k:
            names, spec = names_of(sharding.spec[d]), sharding.spec.update(
                partitions=(*sharding.spec, *[None] * (len(shape) - len(sharding.spec))))
            raise ValueError(
                message(
                    f"Sharding spec {names} implies that array axis {d} is partitioned {k} times, but does not evenly "
                    f"divide the dimension size {n}. Got shape: {shape} and sharding "
                    f"{ExplicitSharding(sharding.mesh.abstract_mesh, spec)}",
                    fix=f"pad axis {d} to {-(-n // k) * k}, or a spec that has None for it",
                )
            )


def asked_of(p, params: dict) -> Any:
    """Return the explicit sharding that a call asks for its result, if it does."""
    if p.name == "sharding_constraint":
        return None
    found = params.get("sharding")
    found = params.get("out_sharding") if found is None else found
    return found if isinstance(found, (PartitionSpec, NamedSharding)) else None


def _mesh_of_operands(p, known) -> AbstractMesh | None:
    """Return the mesh that types of results know: the one that is set, or that of all operands that know one, if any.

    Raises:
      ValueError: the types of operands know different meshes, and one of them has explicit axes.
    """
    mesh = known[0].mesh_sharding.mesh if known else None
    set_mesh = context_mesh()
    if set_mesh is not None and set_mesh.axis_names and not state.is_again:
        for a in known:
            _check_context(p, a, set_mesh)
        return set_mesh.abstract_mesh
    if state.is_again:  # zeros are made over the mesh that is set, and not over the one inside of `auto_axes`
        inside = [a for a in known if not a.mesh_sharding.mesh.explicit_axes]
        if inside and not any([a.mesh_sharding.is_divided for a in known]):
            known, mesh = inside, inside[0].mesh_sharding.mesh
    for other in [a.mesh_sharding.mesh for a in known[1:]]:
        if other == mesh:
            continue
        if mesh is not None and (mesh.explicit_axes or other.explicit_axes):
            raise ValueError(
                message(
                    f"Mesh for all inputs should be equal. Got one mesh: {mesh} and another mesh: {other}",
                    why=f"They are the meshes of operands of {p.name}, and have axes of type Explicit.",
                    fix="jax.device_put(x, ...) of one of them, over the mesh of the other",
                )
            )
        mesh = None
    return mesh


def _check_context(p, aval, set_mesh) -> None:
    """Raise ValueError if another mesh is set than that of the type of an operand, and one has explicit axes."""
    mesh = aval.mesh_sharding.mesh
    if set_mesh.abstract_mesh != mesh and (set_mesh.explicit_axes or mesh.explicit_axes):
        kinds = dict(zip(set_mesh.axis_names, set_mesh.axis_types))
        explicit = mesh.explicit_axes
        if explicit and set_mesh.shape == mesh.shape and all([kinds[n] is AxisType.Manual for n in explicit]):
            raise NotImplementedError(
                message(
                    "Closing over inputs to shard_map where the input is sharded on `Explicit` axes is not "
                    "implemented. As a workaround, please pass those inputs as an argument to shard_map. Got input "
                    f"with shape {aval.str_short(True)}({{Explicit: {explicit}}})",
                    fix="the array as one more argument, with its spec in in_specs",
                )
            )
        raise ValueError(
            message(
                f"For primitive {p.name}, context mesh {set_mesh.abstract_mesh} should match the aval mesh {mesh} for "
                f"shape {aval.str_short(True)}.",
                why="An operation on arrays over Explicit axes is on the mesh that is set.",
                fix="jax.device_put(x, ...) over the mesh that is set, or jax.set_mesh(x.sharding.mesh)",
            )
        )


def _placed(p, avals, params, out):
    """Return the types of results with how they are divided and in which memory they are."""
    asked = asked_of(p, params)
    known = [a for a in avals if a.mesh_sharding is not None]
    divided = [a for a in known if a.explicit_sharding is not None]
    spaces = {a.memory_space for a in avals if a.ndim}
    if len(spaces) > 1:
        raise _mixed_memories(p, avals)
    space = spaces.pop() if spaces else None
    outs = out if p.multiple_results else [out]
    if space is not None:
        outs = [a.update(memory_space=space) for a in outs]
    mesh = _mesh_of_operands(p, known)
    if not divided and asked is None and known:
        outs = [a.update(explicit_sharding=mesh and explicit_over(mesh, [None] * a.ndim)) for a in outs]
    if divided or asked is not None:
        spec = asked.spec if isinstance(asked, NamedSharding) else asked
        sums = of_primitive(SummedCall(p, avals, params, spec))
        if asked is not None:
            outs = [a.update(explicit_sharding=canonical_explicit_sharding(asked, a.shape, mesh)) for a in outs]
        else:
            entries = [[None] * a.ndim for a in outs]
            if any([any(a.explicit_sharding.spec) for a in divided]):
                entries = _entries(p, avals, outs, params, mesh)
            outs = [_as_type(p, avals, a, e, mesh, sums) for a, e in zip(outs, entries)]
    return outs if p.multiple_results else outs[0]


class _Rules(PlacementRules):
    """Placements, as shardings over explicit axes and as axes along which values vary."""

    def results(self, p, avals, params, out):
        if p.joins and (
            any([type(a) is ShapedArray and a.placement is not None for a in avals]) or asked_of(p, params) is not None
        ):
            out = _placed(p, avals, params, out)
        if p.varies_rule is not None:
            return out.update(vma=p.varies_rule(*avals, **params))
        if not p.joins:
            return out
        vma = frozenset().union(*[a.vma for a in avals if type(a) is ShapedArray])
        if not vma:
            return out
        return [a.update(vma=vma) for a in out] if p.multiple_results else out.update(vma=vma)

    def aligned(self, p, args, params):
        return align_varying(p, args, params)

    def varying(self, x, axes):
        return pvary_to(x, axes)

    def explicit(self, sharding, shape):
        return stated_explicit_sharding(sharding, shape)

    def manual(self, aval):
        explicit = aval.explicit_sharding
        manual = () if explicit is None else explicit.mesh.manual_axes
        return ManualAxisType(aval.vma, *[axes.intersection(manual) for axes in sums_of(aval)])

    def context(self):
        return context_mesh(), state.is_again

    def is_explicit_context(self):
        set_mesh = context_mesh()
        return set_mesh is not None and bool(set_mesh.explicit_axes)

    def whole(self, ndim):
        return whole(ndim)


placements.register(_Rules())


def _entries(p, avals, outs, params, mesh) -> list[list]:
    found = p.sharding_rule
    if found is None and len({a.shape for a in (*avals, *outs)} - {()}) == 1 and not params.keys() & _ALONG:
        found = joined
    if found is None:
        raise refused(
            f"sharding rule for {p.name} is not implemented for operands "
            f"{', '.join([a.str_short(True) for a in avals])}.",
            RESHARD,
        )
    sizes = mesh.shape if mesh is not None else {}
    return entries_of(ShardedCall(p, avals, outs, params, [spec_of(a) for a in avals], sizes, True), found)


_ALONG = {"axis", "axes", "dimension", "dimensions", "dimension_numbers"}


def _as_type(p, avals, aval, entries, mesh, sums):
    names = Counter([n for e in entries for n in names_of(e)])
    twice = [n for n, count in names.items() if count > 1]
    explicit = explicit_over(mesh, entries, *sums) if not twice else None
    if twice:
        shown = ",".join([f"{n}@{e}" if e else f"{n}" for n, e in zip(aval.shape, entries)])
        result = aval.update(explicit_sharding=None).str_short(True).split("[")[0]
        raise refused(
            f"{p.name} operation with inputs: {', '.join([a.str_short(True) for a in avals])} produces an illegally "
            f"sharded result: {result}[{shown}]",
            RESHARD,
        )
    if explicit is not None:
        _check_fits(explicit, aval.shape)
    return aval.update(explicit_sharding=explicit)


def _mixed_memories(p, avals) -> ValueError:
    first, second = [next(a for a in avals if a.ndim and (a.memory_space is None) == ordinary)
                     for ordinary in (False, True)]
    return ValueError(
        message(
            f"memory_space of all inputs passed to `{p.name}` must be the same. Got one operand with type: "
            f"{first.str_short()} and another operand with type: {second.str_short()}",
            fix="jax.device_put(x, jax.memory.Space.Device) for the one in the memory of the host",
        )
    )
