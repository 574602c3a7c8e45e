"""Propagation of layouts over a mesh, from the operands of a program to its results.

A layout is a tuple with an entry for each axis, as in a `PartitionSpec`, or such a spec where the program gives
it. Each rule keeps the mesh axes of an operand's axes that survive; what no rule knows is copied everywhere,
which is always right. Constraints in the program win.
"""

from __future__ import annotations

from itertools import zip_longest
from math import prod

from ...core.jaxpr import ClosedJaxpr, Jaxpr, Literal, sub_jaxprs
from ...core.primitive import primitives
from ...core.process.memo import fact
from ...prims.explicit_sharding import asked_of
from ...prims.family import Elementwise
from ...prims.sharding import inspect_sharding, reshard, sharding_constraint
from ...prims.transfer import device_put
from ...sharding.device import MemorySpace, Sharding, SingleDeviceSharding
from ...sharding.mesh import AbstractMesh, AxisType, Mesh, PartitionSpec, names_of
from ...sharding.named_sharding import NamedSharding
from ...sharding.rules import ShardedCall, alike, entries_of

__all__ = [
    "PLACES", "Watched", "are_typed_over_mesh", "dividing", "further_divided", "is_over_explicit", "layouts",
    "mesh_of", "names_memories", "places_inside", "states_shardings",
]

PLACES = ("device", "in_shardings", "out_shardings")  # parameters that say where operands and results are


@fact
def states_shardings(jaxpr: Jaxpr) -> bool:
    """Return whether a program says how values are laid out, at any depth."""
    return any([_states_shardings(eqn) for eqn in jaxpr.eqns if eqn.params])


def _states_shardings(eqn) -> bool:
    p, params = eqn.primitive, eqn.params
    if p in (sharding_constraint, reshard, inspect_sharding) or p.per_device_rule is not None:
        return True
    if p is device_put:
        return any(isinstance(d, (Sharding, MemorySpace)) for d in params["devices"])
    if asked_of(p, params) is not None:
        return True
    if not p.runs_programs and primitives.get(p.name) is p:
        return False
    return not params.keys().isdisjoint(PLACES) or any([states_shardings(sub) for sub in sub_jaxprs(params)])


def places_inside(jaxpr: Jaxpr) -> list:
    """Return the (sharding, what says so) of the values that a program puts somewhere, at any depth."""
    found = []
    for eqn in jaxpr.eqns:
        p, params = eqn.primitive, eqn.params
        if p is device_put:
            found += [(d, "device_put inside jit") for d in params["devices"] if isinstance(d, Sharding)]
        elif p is sharding_constraint:
            found.append((eqn.params["sharding"], f"{p.name} inside jit"))
        elif p.per_device_rule is None:
            given = [*params.get("in_shardings", ()), *params.get("out_shardings", ())]
            if params.get("device") is not None:
                given.append(SingleDeviceSharding(params["device"]))
            found += [(s, f"{p.name} inside jit") for s in given if s is not None]
            for sub in sub_jaxprs(params):
                found += places_inside(sub)
        else:
            found.append((NamedSharding(p.per_device_rule(params)[0], PartitionSpec()), f"{p.name} inside jit"))
    return [(s, what) for s, what in found if not isinstance(getattr(s, "mesh", None), AbstractMesh)]


def names_memories(jaxpr: Jaxpr) -> bool:
    """Return whether a program puts values in a memory space, at any depth."""
    for eqn in jaxpr.eqns:
        if eqn.primitive is device_put and any(isinstance(d, MemorySpace) for d in eqn.params["devices"]):
            return True
        if any(names_memories(sub) for sub in sub_jaxprs(eqn.params)):
            return True
    return False


def mesh_of(jaxpr: Jaxpr):
    """Return the mesh that a program is about, or None: the last, since its axes may have another type inside."""
    for eqn in reversed(jaxpr.eqns):
        if eqn.primitive.per_device_rule is not None:
            return eqn.primitive.per_device_rule(eqn.params)[0]
        if eqn.primitive is reshard and isinstance(eqn.params["concrete_mesh"], Mesh):
            return eqn.params["concrete_mesh"]
        given = [
            eqn.params.get("sharding"), eqn.params.get("out_sharding"),
            *eqn.params.get("in_shardings", ()), *eqn.params.get("out_shardings", ()),
            *(eqn.params["devices"] if eqn.primitive is device_put else ()),
        ]
        for sharding in given:
            if isinstance(sharding, NamedSharding) and isinstance(sharding.mesh, Mesh):
                return sharding.mesh
        for sub in sub_jaxprs(eqn.params):
            if (mesh := mesh_of(sub)) is not None:
                return mesh
    return None


class Watched(dict):
    """Sizes of mesh axes, and what a program that is looked through has to tell: (function, layout)."""

    def __init__(self, sizes):
        super().__init__(sizes)
        self.seen: list = []


def layouts(jaxpr: Jaxpr, ins: list[tuple], sizes: dict) -> list[tuple]:
    """Layouts of a program's results; `sizes` are those of the mesh axes."""
    env = dict(zip(jaxpr.invars, ins))

    def read(v):
        return () if type(v) is Literal else env.get(v, ())

    for eqn in jaxpr.eqns:
        if eqn.primitive is inspect_sharding and isinstance(sizes, Watched):
            sizes.seen.append((eqn.params["callback"], read(eqn.invars[0])))
        outs = of_equation(eqn, [read(v) for v in eqn.invars], sizes)
        env.update(zip(eqn.outvars, [o if isinstance(o, PartitionSpec) else trimmed(o) for o in outs]))
    return [read(v) for v in jaxpr.outvars]


def is_over_explicit(sharding) -> bool:
    """Return whether a sharding is over a mesh with explicit axes, of which the types of its arrays speak then."""
    return isinstance(sharding, NamedSharding) and bool(sharding.mesh.explicit_axes)


_OF_FIRST = ("pad", "dynamic_slice", "dynamic_update_slice")  # the other operands say nothing of results


def _knows_mesh(aval) -> bool:
    return aval.placement is not None and aval.explicit_sharding is not None


def are_typed_over_mesh(jaxpr: Jaxpr, ins: list[bool], is_set: bool) -> list[bool]:
    """Return whether types of results speak of an explicit mesh, though it does not divide them.

    They do if those of an operand do, or of what is made while the mesh is set, as constants are.

    Args:
      jaxpr: the program.
      ins: whether types of its operands do.
      is_set: whether the mesh was set when it was traced; types know it themselves if not.
    """
    if not is_set:
        return [_knows_mesh(v.aval) for v in jaxpr.outvars]
    env = dict(zip(jaxpr.invars, ins))

    def read(v):
        return type(v) is not Literal and env.get(v, False) or _knows_mesh(v.aval)

    for eqn in jaxpr.eqns:
        p, known = eqn.primitive, [read(v) for v in eqn.invars]
        called = eqn.params.get(p.called or "jaxpr")
        if isinstance(called, (ClosedJaxpr, Jaxpr)):  # and not a function that was not traced yet
            outs = are_typed_over_mesh(called.jaxpr if isinstance(called, ClosedJaxpr) else called, known, is_set)
        elif "body_jaxpr" in eqn.params:
            skipped, consts = eqn.params["cond_nconsts"], eqn.params["body_nconsts"]
            fixed, outs = known[skipped : skipped + consts], known[skipped + consts :]
            body = eqn.params["body_jaxpr"].jaxpr
            while (found := [a or b for a, b in zip(outs, are_typed_over_mesh(body, [*fixed, *outs], is_set))]) != outs:
                outs = found
        elif p is device_put:
            outs = [is_over_explicit(d) if isinstance(d, Sharding) else own
                    for d, own in zip(eqn.params["devices"], known)]
        elif p.name == "sort":
            outs = known
        elif p is reshard:
            outs = [bool(eqn.params["dst_sharding"].mesh.axis_names)]
        else:
            if "branches" in eqn.params:
                del known[0]  # which branch says nothing of results
            elif p.name in _OF_FIRST:
                del known[1:]
            is_new = not known or p.name in ("broadcast_in_dim", "stack", "concatenate")
            if (asked := asked_of(p, eqn.params)) is not None:
                is_new = isinstance(asked, PartitionSpec) or bool(asked.mesh.axis_names)
            is_new |= isinstance(p, Elementwise) and len(eqn.invars) > 1
            outs = [any(known) or is_new or p.per_device_rule is not None] * len(eqn.outvars)
        env.update(zip(eqn.outvars, outs))
    return [read(v) for v in jaxpr.outvars]


def trimmed(entries) -> tuple:
    """Return the entries without the Nones at the end, and without a mesh axis that occurred before."""
    seen: set = set()
    out: list = []
    for e in entries:
        names = names_of(e)
        out.append(None if not names or seen.intersection(names) else e)
        seen.update(names)
    while out and out[-1] is None:
        out.pop()
    return tuple(out)


def dividing(mesh, spec) -> tuple:
    """Return the entries of a spec that divide, without mesh axes of one device and without Nones at the end."""
    entries = [tuple([n for n in names_of(e) if mesh.shape[n] > 1]) for e in spec]
    return trimmed([e[0] if len(e) == 1 else e or None for e in entries])


def further_divided(params: dict, ins, avals) -> list[PartitionSpec]:
    """Return the specs of results of a `shard_map`, with the other axes of type Auto over which a compiler would divide
    them.

    `params` are those of the call, `ins` the layouts of its operands, `avals` the types of its results.
    """
    mesh = params["mesh"]
    rest = {n for n, t in zip(mesh.axis_names, mesh.axis_types)
            if n not in params["newly_manual_axes"] and t is AxisType.Auto}
    own = lambda entries: [tuple([n for n in names_of(e) if n in rest]) or None for e in entries]
    inner = layouts(params["jaxpr"], list(map(own, ins)), dict(mesh.shape))
    found = []
    for spec, more, aval in zip(params["out_specs"], inner, avals):
        entries = [(*names_of(e), *names_of(f)) for e, f in zip_longest(spec, own(more))]
        joined = trimmed([e[0] if len(e) == 1 else e or None for e in entries])
        divides = not any([n % prod([mesh.shape[m] for m in e]) for n, e in zip(aval.shape, entries)])
        found.append(PartitionSpec(*joined) if divides else spec)
    return found


def of_equation(eqn, ins: list[tuple], sizes: dict) -> list[tuple]:
    """Return specs of the results of one equation."""
    p, params = eqn.primitive, eqn.params
    if not eqn.outvars:
        return []
    if p.per_device_rule is not None:
        return list(p.per_device_rule(params)[2])
    if p.propagate_rule is not None:
        return p.propagate_rule(params, ins, lambda closed, given: layouts(closed.jaxpr, given, sizes))
    if p.called is not None:
        called = params[p.called]
        inner = layouts(called.jaxpr if isinstance(called, ClosedJaxpr) else called, ins, sizes)
        given = params.get("out_shardings") or (None,) * len(inner)
        return [g.spec if isinstance(g, NamedSharding) else o for g, o in zip(given, inner)]
    avals, outs = [v.aval for v in eqn.invars], [v.aval for v in eqn.outvars]
    specs = [[*spec, *[None] * (getattr(a, "ndim", 0) - len(spec))] for spec, a in zip(ins, avals)]
    call = ShardedCall(p, avals, outs, params, specs, sizes, False)
    if p.sharding_rule is None:
        return [tuple(entries) for entries in alike(call)]
    return [tuple(entries) for entries in entries_of(call, p.sharding_rule)]
