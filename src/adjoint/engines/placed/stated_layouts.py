"""Layouts that programs state, by the call's parameters, types and what is inside, and where XLA is to have values.

Tests: `tests/parallel/test_places.py`.
"""

from __future__ import annotations

from typing import Any

from ...array.sharded_array import ShardedArray, place_of
from ...core.effects import call_effects, inspect_effect
from ...core.jaxpr import ClosedJaxpr, Jaxpr, Var
from ...core.passes import operands_read
from ...sharding.device import SingleDeviceSharding, are_worth_programs
from ...sharding.explicit import concrete_mesh, in_space
from ...sharding.mesh import Mesh, PartitionSpec, names_of, placing_mesh
from ...sharding.named_sharding import NamedSharding
from .program_layout import Layout
from .propagate import (
    are_typed_over_mesh,
    dividing,
    further_divided,
    is_over_explicit,
    layouts,
    mesh_of,
    states_shardings,
    trimmed,
)
from .results import default_sharding, named, spec_as_first

__all__ = ["by_type", "has_other_effects", "known_shardings", "layout_for", "stated_layout"]


_HARMLESS = call_effects | {inspect_effect}


def has_other_effects(closed) -> bool:
    """Return whether a program writes to references, say, which is done on wholes."""
    return any([e.effects - _HARMLESS for e in closed.jaxpr.eqns if e.primitive.per_device_rule is None])


def layout_for(closed, args, mesh, params) -> Layout | None:
    """Return where XLA is to have operands and results; None if it cannot run the program."""
    if not isinstance(mesh, Mesh) or has_other_effects(closed):
        return None
    there = set(mesh.devices.flat)
    # What was not placed goes where the parts are needed: as a shard_map that reads it divides it.
    needed = {}
    for e in closed.jaxpr.eqns:
        if e.primitive.per_device_rule is not None:
            its_mesh, specs, _ = e.primitive.per_device_rule(e.params)
            if its_mesh is mesh:
                needed |= {v: NamedSharding(mesh, spec.update(partitions=trimmed(spec)))
                           for v, spec in zip(e.invars, specs) if type(v) is Var}
    ins, read = [], operands_read(closed.jaxpr)
    shardings = params.get("in_shardings") or [None] * len(args)
    for x, v, given, is_read in zip(args, closed.jaxpr.invars, shardings, read):
        sharding = place_of(x) if given is None else given
        if sharding is None and type(x) is ShardedArray and getattr(x.place, "mesh", None) is mesh:
            sharding = x.place
        if not is_read and sharding is not None and not _is_over(sharding, mesh):
            sharding = None
        if sharding is None:
            sharding = needed.get(v)
        divides = isinstance(sharding, NamedSharding) and are_worth_programs(sharding.mesh.size)
        ins.append(sharding if divides else None)
    outs, typed = params.get("out_shardings") or (None,) * len(closed.jaxpr.outvars), ()
    if mesh.explicit_axes:
        is_set = placing_mesh.value is not None
        typed = tuple(are_typed_over_mesh(closed.jaxpr, [is_over_explicit(place_of(x)) for x in args], is_set))
        known = {} if mesh.are_all_axes_explicit else _made_inside(closed.jaxpr, mesh, {
            v: s for v, s in zip(closed.jaxpr.invars, ins)
            if s is not None and s.mesh is mesh and _is_beyond_type(mesh, s.spec, v.aval)})
        outs = [_in_own_space(by_type(v.aval, mesh, t) or known.get(v), v.aval) if s is None else s
                for v, s, t in zip(closed.jaxpr.outvars, outs, typed)]
    if mesh.size == 1:  # for the compiler, nothing is divided
        kept = [x for x, is_read in zip(args, read) if is_read]
        outs = [in_space(NamedSharding(mesh, spec_as_first(kept, v.aval, mesh)), v.aval) if s is None else s
                for s, v in zip(outs, closed.jaxpr.outvars)]
    for v, sharding in zip(closed.jaxpr.outvars, outs):
        if sharding is not None:
            sharding.check_compatible_aval(v.aval.shape)
    for sharding in (*ins, *outs):
        if sharding is not None and not (isinstance(sharding, NamedSharding) and sharding.device_set == there):
            return None
    return Layout(mesh, tuple(ins), tuple(outs), typed=typed)


def _made_inside(jaxpr: Jaxpr, mesh: Mesh, given: dict) -> dict:
    """Shardings of what each `shard_map` makes, if its type does not tell them.

    Outside of a call over some axes of the mesh, how values are divided over the others is the compiler's to choose.
    `given` are shardings of operands, which may be given back.
    """
    found = dict(given)
    for e in jaxpr.eqns:
        p = e.primitive
        if p.per_device_rule is not None:
            its_mesh, _, specs = p.per_device_rule(e.params)
            if its_mesh is not mesh:
                continue
            manual, avals = e.params["newly_manual_axes"], [v.aval for v in e.outvars]
            if len(manual) < len(mesh.axis_names):
                specs = further_divided(e.params, [()] * len(e.invars), avals)
                is_own = [_speaks_of_others(a, manual) for a in avals]
            else:
                is_own = [_is_beyond_type(mesh, s, a) for s, a in zip(specs, avals)]
            found |= {v: NamedSharding(mesh, PartitionSpec(*dividing(mesh, s)))
                      for v, s, is_told in zip(e.outvars, specs, is_own) if is_told}
        elif p.called is not None and isinstance(called := e.params[p.called], (ClosedJaxpr, Jaxpr)):
            inner = called.jaxpr if isinstance(called, ClosedJaxpr) else called
            rows = zip(inner.invars, e.invars) if len(inner.invars) == len(e.invars) else ()
            known = _made_inside(inner, mesh, {
                w: found[v] for w, v in rows if type(v) is Var and v in found and w.aval.shape == v.aval.shape})
            found |= {v: known[w] for v, w in zip(e.outvars, inner.outvars) if type(w) is Var and w in known}
    return found


def _is_beyond_type(mesh: Mesh, spec, aval) -> bool:
    """Return whether a spec divides along mesh axes of which a type does not speak."""
    return dividing(mesh, spec) != dividing(mesh, () if aval.explicit_sharding is None else aval.explicit_sharding.spec)


def _in_own_space(sharding: NamedSharding | None, aval) -> NamedSharding | None:
    """Return a sharding in the memory of a type."""
    return None if sharding is None else in_space(sharding, aval)


def _speaks_of_others(aval, manual: frozenset) -> bool:
    """Return whether a type says that a value is divided over mesh axes that are not among these."""
    entries = () if aval.explicit_sharding is None else aval.explicit_sharding.spec
    return any([n not in manual for e in entries for n in names_of(e)])


def _is_over(sharding, mesh: Mesh) -> bool:
    """Return whether a sharding is over the devices of a mesh, in its order."""
    if not isinstance(sharding, NamedSharding):
        return sharding.device_set == set(mesh.devices.flat)
    return sharding.mesh is mesh or sharding.mesh.devices.ravel().tolist() == mesh.devices.ravel().tolist()


def by_type(aval, mesh, is_typed: bool = True) -> NamedSharding | None:
    """Return how a result is divided by its type, if that names the mesh; None where the compiler may choose.

    Over axes of several types it may choose for all axes of an array, unless explicit ones divide each of them. It
    chooses for what is made of operands of whose places no type speaks, which a call may have divided.
    """
    explicit = aval.explicit_sharding
    if not mesh.are_all_axes_explicit:
        is_closed = explicit is not None and mesh.explicit_axes and None not in explicit.spec
        return NamedSharding(mesh, explicit.spec) if is_closed else None
    if explicit is not None:
        return NamedSharding(mesh, explicit.spec)
    return NamedSharding(mesh, PartitionSpec(*[None] * aval.ndim)) if is_typed else None


def stated_layout(closed, params, captured: int, given: tuple = (), set_mesh: Any = None) -> Layout | None:
    """The mesh of a program, if it has one, and what the call says of operands, but the captured ones, and results.

    `given` are the shardings of the operands themselves, where they are known; `set_mesh` is the mesh that was set.
    """
    layout = _stated(closed, params, captured, given, set_mesh)
    return None if layout is None or not are_worth_programs(layout.mesh.size) else layout


def _stated(closed, params, captured: int, given: tuple, set_mesh: Any) -> Layout | None:
    ins = params.get("in_shardings", ())[captured:] or (None,) * len(closed.jaxpr.invars)
    ins = tuple([s or own for s, own in zip(ins, given or ins)])
    outs = params.get("out_shardings") or (None,) * len(closed.jaxpr.outvars)
    mesh = next((s.mesh for s in (*ins, *outs) if isinstance(s, NamedSharding)), None)
    if mesh is None and states_shardings(closed.jaxpr):
        mesh = mesh_of(closed.jaxpr)
    read = [True] * len(ins) if params.get("keep_unused") else operands_read(closed.jaxpr)
    avals = (*[a for a, is_read in zip(closed.in_avals, read) if is_read], *closed.out_avals)
    shardings = [a.explicit_sharding for a in avals if a.placement is not None and a.explicit_sharding]
    typed: tuple = ()
    if shardings or any(map(is_over_explicit, given)) or set_mesh is not None and set_mesh.explicit_axes:
        places = given or (None,) * len(closed.in_avals)  # where `jit` moves an operand, its type does not say
        over = [is_over_explicit(s) or bool(a.explicit_sharding) for s, a in zip(places, closed.in_avals)]
        typed = tuple(are_typed_over_mesh(closed.jaxpr, over, set_mesh is not None))
    if shardings and mesh is None:
        mesh = concrete_mesh(shardings[0], ()) or shardings[0].mesh
    if mesh is None and not any(given) and "device" not in params:
        mesh = set_mesh
    if typed and mesh is not None and mesh.explicit_axes:
        ins = tuple([by_type(a, mesh, False) if s is None else s for s, a in zip(ins, closed.in_avals)])
        outs = tuple([_in_own_space(by_type(a, mesh, t), a) if s is None else s
                      for s, a, t in zip(outs, closed.out_avals, typed)])
    if isinstance(mesh, Mesh):  # what is not read may be anywhere
        ins = tuple([s if s is None or is_read or _is_over(s, mesh) else None for s, is_read in zip(ins, read)])
    return None if mesh is None else Layout(mesh, ins, tuple(outs), typed=typed)


def known_shardings(closed, params, captured: int, given: tuple, set_mesh: Any) -> tuple[list, list]:
    """Return where the operands, but the captured ones, and the results of a compiled program are."""
    layout = _stated(closed, params, captured, given, set_mesh)
    if layout is None:
        asked = (params.get("in_shardings") or ())[captured:]
        where = next((s for s in (*asked, *given) if s is not None), None) or default_sharding()
        if (device := params.get("device")) is not None:
            where = SingleDeviceSharding(device)
        outs = [s or (where if a.memory_space is None else where.with_memory_kind("pinned_host"))
                for s, a in zip(params.get("out_shardings") or [None] * len(closed.out_avals), closed.out_avals)]
        return [where] * len(closed.in_avals), outs
    mesh = layout.mesh
    whole = NamedSharding(mesh, PartitionSpec())
    ins = [s or whole for s in layout.ins]
    given = [tuple(s.spec) if isinstance(s, NamedSharding) else () for s in ins]
    found = layouts(closed.jaxpr, given, dict(mesh.shape))
    outs = [s or named(mesh, e, aval, ()) for s, e, aval in zip(layout.outs, found, closed.out_avals)]
    return ins, outs
