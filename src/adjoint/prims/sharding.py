"""`sharding_constraint`: how a value is laid out over devices. It computes nothing.

Tests: `tests/parallel/test_sharding.py`.
"""

from __future__ import annotations

from itertools import zip_longest

import numpy as np

from ..array.array import ArrayImpl, as_array
from ..array.sharded_array import ShardedArray, move_array, place_of
from ..core.effects import inspect_effect
from ..core.jaxpr import Jaxpr, sub_jaxprs
from ..core.messages.errors import message
from ..core.primitive import Primitive
from ..core.process.memo import fact
from ..core.types import ShapedArray, aval_of
from ..sharding import rules
from ..sharding.device import first_sharding
from ..sharding.explicit import (
    ExplicitSharding,
    explicit_over,
    explicit_sharding_of,
    of_cotangent,
    spec_of,
    with_batch_axis,
    with_entry,
)
from ..sharding.layout import Layout, arranged, check_order
from ..sharding.mesh import EMPTY, AbstractMesh, AxisType, Mesh, PartitionSpec, context_mesh, entered_mesh, names_of
from ..sharding.named_sharding import NamedSharding

__all__ = [
    "constrained", "divided_alike", "inspect_sharding", "inspections", "is_divided_otherwise", "layout_constraint",
    "reshard", "resharded", "sharding_constraint",
]

sharding_constraint = Primitive("sharding_constraint", linear=True)
sharding_constraint.sharding(rules.of_operands)
sharding_constraint.evaluate(lambda x, **_: x)
sharding_constraint.transpose(lambda ct, x, **params: [sharding_constraint(ct, **params)])


@sharding_constraint.type
def _(x, *, sharding, context_mesh, **_):
    if x.mesh_sharding is None and isinstance(sharding, NamedSharding) and not context_mesh.manual_axes:
        return x.update(explicit_sharding=explicit_over(sharding.mesh, [None] * x.ndim))
    return x


@sharding_constraint.propagate
def _(params, ins, inside):
    sharding, found = params["sharding"], ins[0]
    if not isinstance(sharding, NamedSharding):
        return [()]
    own = (*found, *[None] * (len(sharding.spec) - len(found)))
    return [tuple([own[d] if e is PartitionSpec.UNCONSTRAINED else e for d, e in enumerate(sharding.spec)])]


def constrained(x, sharding):
    """Return `x`, laid out by `sharding`."""
    mesh = context_mesh() or entered_mesh() or EMPTY
    return sharding_constraint(
        x, sharding=sharding, context_mesh=mesh, layout=None, unconstrained_dims=_left_open(sharding))


def _left_open(sharding) -> frozenset:
    """Return the axes of an array that a sharding leaves to the compiler."""
    return frozenset([d for d, e in enumerate(getattr(sharding, "spec", ())) if e is PartitionSpec.UNCONSTRAINED])


@sharding_constraint.batch_axis
def _(axis, args, dims, params):
    (x,), (d,) = args, dims
    sharding = params["sharding"]
    used = {n for entry in getattr(sharding, "spec", ()) for n in names_of(entry)}
    if used.intersection(names_of(axis.entry)):
        raise ValueError(
            message(
                f"vmap spmd_axis_name {names_of(axis.entry)} cannot appear in with_sharding_constraint spec, but got "
                f"spec {sharding.spec}",
                why="A mesh axis divides one axis of an array; this one divides the mapped axis.",
                fix="a spec without it, or vmap without spmd_axis_name",
            )
        )
    if isinstance(sharding, NamedSharding):  # what was asked for says nothing of the mapped axis; its type may
        is_typed = set(names_of(axis.entry)).issubset(names_of(spec_of(aval_of(x))[d]))
        if not sharding.mesh.auto_axes and axis.entry and is_typed:  # types say it all
            return x, d
        rest = [None] * (aval_of(x).ndim - 1 - len(sharding.spec))
        sharding = sharding.update(spec=sharding.spec.update(partitions=(*sharding.spec, *rest)))
        sharding = with_entry(sharding, d, PartitionSpec.UNCONSTRAINED if is_typed else axis.entry)
    said = {**params, "sharding": sharding, "unconstrained_dims": _left_open(sharding)}
    return sharding_constraint(x, **said), d


sharding_constraint.examples(
    (ShapedArray((2, 3), np.dtype("float32")),
     dict(sharding=first_sharding, context_mesh=EMPTY, layout=None, unconstrained_dims=frozenset()))
)

# ---- looking at it -------------------------------------------------------------------------------

inspect_sharding = Primitive("inspect_sharding", multiple_results=True)
inspect_sharding.type(lambda x, **_: [])
inspect_sharding.evaluate(lambda x, **_: [])
inspect_sharding.effects(lambda params: frozenset([inspect_effect]))


@inspect_sharding.eager
def _(args, params):
    params["callback"](as_array(args[0]).sharding)
    return []


@inspect_sharding.jvp
def _(primals, tangents, **params):
    inspect_sharding(*primals, **params)
    return [], []


@inspect_sharding.batch
def _(args, dims, **params):
    inspect_sharding(*args, **params)
    return [], []


inspect_sharding.examples((ShapedArray((2, 3), np.dtype("float32")), dict(callback=id)))


@fact
def inspections(jaxpr: Jaxpr) -> list:
    """Return the functions that a program's compiler is to call with shardings, at any depth."""
    found = []
    if inspect_effect in jaxpr.effects:
        for eqn in jaxpr.eqns:
            if eqn.primitive is inspect_sharding:
                found.append(eqn.params["callback"])
            for sub in sub_jaxprs(eqn.params):
                found += inspections(sub)
    return found


# ---- over explicit mesh axes ---------------------------------------------------------------------

reshard = Primitive("reshard", linear=True)
reshard.joins = False


@reshard.type
def _(x, *, dst_sharding, concrete_mesh):
    return x.update(explicit_sharding=explicit_sharding_of(dst_sharding, x.ndim))


reshard.evaluate(lambda x, **_: x)
reshard.propagate(
    lambda params, ins, inside: [params["dst_sharding"].spec] if params["dst_sharding"].mesh.axis_names else ins)


@reshard.eager
def _(args, params):
    (x,), target, mesh = args, params["dst_sharding"], params["concrete_mesh"]
    x, spec = as_array(x), target.spec
    if not target.mesh.axis_names:
        own = x.sharding if isinstance(x, ShardedArray) else None
        if not isinstance(own, NamedSharding):
            return x
        entries = [*own.spec]
        while entries and entries[-1] is None:
            entries.pop()
        return move_array(x, own.update(spec=own.spec.update(partitions=tuple(entries))))
    if not isinstance(mesh, Mesh):  # which has no devices: an array that is divided over such a mesh has them
        own = x.sharding if isinstance(x, ShardedArray) else None
        if not isinstance(own, NamedSharding) or own.mesh.shape != target.mesh.shape:
            return x
        mesh = own.mesh
    if isinstance(x, ShardedArray) and isinstance(x.sharding, NamedSharding) and x.sharding.mesh.shape == mesh.shape:
        spec = [_kept(target, e, own) for e, own in zip_longest(spec, x.sharding.spec)]
        while AxisType.Explicit not in target.mesh.axis_types and spec and not spec[-1]:
            spec.pop()
        spec = target.spec.update(partitions=tuple(spec))
    return move_array(x, NamedSharding(mesh.update(axis_types=target.mesh.axis_types), spec))  # type: ignore[arg-type]


def _kept(target, entry, own) -> tuple:
    """Return the mesh axes of an entry, and those of type Auto over which the axis was divided before: it stays so."""
    auto = {n for n, t in zip(target.mesh.axis_names, target.mesh.axis_types) if t is AxisType.Auto}
    return (*names_of(entry), *[n for n in names_of(own) if n in auto])


@reshard.transpose
def _(ct, x, *, dst_sharding, concrete_mesh):
    back = of_cotangent(x.aval) or x.aval.mesh_sharding  # axes of which may be of other types inside of `auto_axes`
    if back is None:  # the value was on no mesh: its cotangent stays as it is, and its type says no more of it
        back = ExplicitSharding(AbstractMesh((), ()), PartitionSpec(*[None] * x.aval.ndim))
        return [reshard(ct, dst_sharding=back, concrete_mesh=None)]
    if isinstance(concrete_mesh, Mesh) and concrete_mesh.shape == back.mesh.shape:
        concrete_mesh = concrete_mesh.update(axis_types=back.mesh.axis_types)
    return [reshard(ct, dst_sharding=back, concrete_mesh=concrete_mesh)]


@reshard.batch
def _(args, dims, *, dst_sharding, concrete_mesh):
    (x,), (d,) = args, dims
    return reshard(x, dst_sharding=with_batch_axis(dst_sharding, d), concrete_mesh=concrete_mesh), d


reshard.examples((
    ShapedArray((2, 3), np.dtype("float32")),
    dict(dst_sharding=ExplicitSharding(AbstractMesh((1,), ("x",)), PartitionSpec(None, None)), concrete_mesh=None),
))


def _is_typed(x) -> bool:
    """Return whether an array is known to be divided, or not, over explicit mesh axes."""
    place = place_of(x) if isinstance(x, ArrayImpl) else None
    return isinstance(place, NamedSharding) and bool(place.mesh.explicit_axes)


def is_divided_otherwise(x, aval: ShapedArray) -> bool:
    """Return whether a value is divided over explicit mesh axes that its type does not name."""
    expected, found = aval.explicit_sharding, aval_of(x).explicit_sharding
    if expected is None or expected is found:
        return False
    if found is None:
        return _is_typed(x)
    return found.spec != expected.spec and not (expected.spec.unreduced or expected.spec.reduced)


def divided_alike(x, like):
    """Return `x`, divided over explicit mesh axes as another value is, if both are."""
    found, wanted = aval_of(x).explicit_sharding, aval_of(like).explicit_sharding
    if found is None or found is wanted or (wanted is None and not _is_typed(like)):
        return x
    if wanted is None:
        wanted = ExplicitSharding(found.mesh, PartitionSpec(*[None] * aval_of(x).ndim))
    return x if wanted.spec == found.spec or wanted.spec.reduced or wanted.spec.unreduced else resharded(x, wanted)


def resharded(x, sharding: NamedSharding):
    """Return `x`, divided as a sharding over explicit mesh axes says."""
    ndim = aval_of(x).ndim
    spec = sharding.spec.update(partitions=(*sharding.spec, *[None] * (ndim - len(sharding.spec))))
    target = ExplicitSharding(sharding.mesh.abstract_mesh, spec)
    mesh = sharding.mesh if isinstance(sharding.mesh, Mesh) else context_mesh()
    return reshard(x, dst_sharding=target, concrete_mesh=mesh)


# ---- the order in memory -------------------------------------------------------------------------

layout_constraint = Primitive("layout_constraint", linear=True)
layout_constraint.sharding(rules.of_operands)
layout_constraint.evaluate(lambda x, *, layout: arranged(x, layout))
layout_constraint.transpose(lambda ct, x, **params: [layout_constraint(ct, **params)])


@layout_constraint.type
def _(x, *, layout):
    try:
        layout.check_compatible_aval(x.shape)
    except ValueError as e:
        raise ValueError(
            f"One of with_layout_constraint arguments is incompatible with its layout annotation {layout}: {e}"
        ) from None
    check_order(layout, x)
    return x


@layout_constraint.batch
def _(args, dims, *, layout):
    (x,), (d,) = args, dims
    order = tuple([i + (i >= d) for i in layout.major_to_minor])
    return layout_constraint(x, layout=layout.update(major_to_minor=(d, *order))), d


layout_constraint.examples((ShapedArray((2, 3), np.dtype("float32")), dict(layout=Layout((1, 0)))))
