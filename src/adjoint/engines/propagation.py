"""How the results of a program are laid out over a mesh, from how its operands are.

A layout is a tuple with an entry for each axis, as in a `PartitionSpec`, or such a spec where the program gives
it. Each rule keeps the mesh axes of an operand's axes that survive; what no rule knows is copied everywhere,
which is always right. Constraints in the program win.
"""

from __future__ import annotations

from ..array.device import MemorySpace, Sharding, SingleDeviceSharding
from ..array.mesh import AbstractMesh, PartitionSpec, names_of
from ..array.sharding import NamedSharding
from ..core.jaxpr import ClosedJaxpr, Jaxpr, Literal, sub_jaxprs
from ..core.primitive import primitives

__all__ = ["PLACES", "Watched", "states_shardings", "layouts", "mesh_of", "names_memories", "places_inside"]

PLACES = ("device", "in_shardings", "out_shardings")  # parameters that say where operands and results are


def states_shardings(jaxpr: Jaxpr) -> bool:
    """Return whether a program says how values are laid out, at any depth."""
    found = jaxpr.cache.get("placing")
    if found is None:
        found = jaxpr.cache["placing"] = any([_states_shardings(eqn) for eqn in jaxpr.eqns if eqn.params])
    return found


def _states_shardings(eqn) -> bool:
    p, params = eqn.primitive, eqn.params
    if p.name in ("sharding_constraint", "shard_map", "reshard", "inspect_sharding"):
        return True
    if p.name == "device_put":
        return any(isinstance(d, (Sharding, MemorySpace)) for d in params["devices"])
    if not p.runs_programs and primitives.get(p.name) is p:
        return False
    return not params.keys().isdisjoint(PLACES) or any([states_shardings(sub) for sub in sub_jaxprs(params)])


def places_inside(jaxpr: Jaxpr) -> list:
    """The (sharding, what says so) of the values that a program puts somewhere, at any depth."""
    found = []
    for eqn in jaxpr.eqns:
        name, params = eqn.primitive.name, eqn.params
        if name == "device_put":
            found += [(d, "device_put inside jit") for d in params["devices"] if isinstance(d, Sharding)]
        elif name == "sharding_constraint":
            found.append((params["sharding"], "with_sharding_constraint or nested pjit or shard_map"))
        elif name != "shard_map":
            given = [*params.get("in_shardings", ()), *params.get("out_shardings", ())]
            if params.get("device") is not None:
                given.append(SingleDeviceSharding(params["device"]))
            found += [(s, "with_sharding_constraint or nested pjit or shard_map") for s in given if s is not None]
            for sub in sub_jaxprs(params):
                found += places_inside(sub)
    return [(s, what) for s, what in found if not isinstance(getattr(s, "mesh", None), AbstractMesh)]


def names_memories(jaxpr: Jaxpr) -> bool:
    """Return whether a program puts values in a memory space, at any depth."""
    for eqn in jaxpr.eqns:
        if eqn.primitive.name == "device_put" and any(isinstance(d, MemorySpace) for d in eqn.params["devices"]):
            return True
        if any(names_memories(sub) for sub in sub_jaxprs(eqn.params)):
            return True
    return False


def mesh_of(jaxpr: Jaxpr):
    """The mesh that a program is about, or None: the last, since its axes may have another type inside."""
    for eqn in reversed(jaxpr.eqns):
        if eqn.primitive.name == "shard_map":
            return eqn.params["mesh"]
        if eqn.primitive.name == "reshard":
            return eqn.params["concrete_mesh"]
        given = [
            eqn.params.get("sharding"), *eqn.params.get("in_shardings", ()), *eqn.params.get("out_shardings", ()),
            *(eqn.params["devices"] if eqn.primitive.name == "device_put" else ()),
        ]
        for sharding in given:
            if isinstance(sharding, NamedSharding):
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
        if eqn.primitive.name == "inspect_sharding" and isinstance(sizes, Watched):
            sizes.seen.append((eqn.params["callback"], read(eqn.invars[0])))
        outs = of_equation(eqn, [read(v) for v in eqn.invars], sizes)
        env.update(zip(eqn.outvars, [o if isinstance(o, PartitionSpec) else trimmed(o) for o in outs]))
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


def of_equation(eqn, ins: list[tuple], sizes: dict) -> list[tuple]:
    """Layouts of the results of one equation."""
    name, params = eqn.primitive.name, eqn.params
    if not eqn.outvars:
        return []
    if name == "sharding_constraint":
        return [tuple(params["sharding"].spec) if isinstance(params["sharding"], NamedSharding) else ()]
    if name == "device_put":
        return ins
    if name == "reshard":
        return [PartitionSpec(*params["dst_sharding"].spec)]
    if name == "shard_map":
        return list(params["out_specs"])
    if name == "scan":
        return _of_scan(params, ins, sizes)
    if name == "while":
        if isinstance(sizes, Watched):
            layouts(params["body_jaxpr"].jaxpr, ins[params["cond_nconsts"] :], sizes)
        return ins[params["cond_nconsts"] + params["body_nconsts"] :]
    if name == "cond":
        return layouts(params["branches"][0].jaxpr, ins[1:], sizes)
    for key in ("jaxpr", "call_jaxpr", "callee", "call", "fwd_jaxpr"):
        closed = params.get(key)
        if isinstance(closed, ClosedJaxpr) and len(closed.jaxpr.invars) == len(ins):
            inner = layouts(closed.jaxpr, ins, sizes)
            given = params.get("out_shardings") or (None,) * len(inner)
            return [g.spec if isinstance(g, NamedSharding) else o for g, o in zip(given, inner)]
    rule = _RULES.get(name)
    if rule is None and name.startswith(("reduce_", "arg")) and "axes" in params:
        rule = _reduced
    out = (rule or _alike)(eqn, ins, sizes)
    return [out] * len(eqn.outvars)


def _of_scan(params, ins, sizes):
    n, m = params["num_consts"], params["num_carry"]
    rows = [e[1:] for e in ins[n + m :]]
    outs = layouts(params["jaxpr"].jaxpr, [*ins[: n + m], *rows], sizes)
    return [*outs[:m], *[(None, *o) for o in outs[m:]]]


def _entry(layout, d):
    return layout[d] if d < len(layout) else None


def _alike(eqn, ins, sizes):
    """Element-wise: the first operand of the result's shape that is divided."""
    shape = getattr(eqn.outvars[0].aval, "shape", ())
    for v, layout in zip(eqn.invars, ins):
        if layout and v.aval.shape == shape:
            return layout
    return ()


def _reduced(eqn, ins, sizes):
    ndim, axes = eqn.invars[0].aval.ndim, eqn.params["axes"]
    return tuple([_entry(ins[0], d) for d in range(ndim) if d not in axes])


def _transposed(eqn, ins, sizes):
    return tuple([_entry(ins[0], d) for d in eqn.params["permutation"]])


def _squeezed(eqn, ins, sizes):
    dropped = eqn.params["dimensions"]
    return tuple([_entry(ins[0], d) for d in range(eqn.invars[0].aval.ndim) if d not in dropped])


def _broadcast(eqn, ins, sizes):
    before, after = eqn.invars[0].aval.shape, eqn.outvars[0].aval.shape
    out = [None] * len(after)
    for d, target in enumerate(eqn.params["broadcast_dimensions"]):
        if before[d] == after[target]:
            out[target] = _entry(ins[0], d)
    return tuple(out)


def _reshaped(eqn, ins, sizes):
    """Axes are matched in groups of equal size; the first of a group stays divided if that goes on."""
    before, after = eqn.invars[0].aval.shape, eqn.outvars[0].aval.shape
    out: list = [None] * len(after)
    i = j = 0
    while i < len(before) and j < len(after):
        first, target, a, b = i, j, before[i], after[j]
        while a != b:
            if a < b:
                i += 1
                if i == len(before):
                    return tuple(out)
                a *= before[i]
            else:
                j += 1
                if j == len(after):
                    return tuple(out)
                b *= after[j]
        parts = 1
        for n in names_of(_entry(ins[0], first)):
            parts *= sizes[n]
        if after[target] % parts == 0:
            out[target] = _entry(ins[0], first)
        i, j = i + 1, j + 1
    return tuple(out)


def _product(eqn, ins, sizes):
    (left, right), (batch_l, batch_r) = eqn.params["dimension_numbers"]
    x, y = eqn.invars
    out = [_entry(ins[0], d) or _entry(ins[1], e) for d, e in zip(batch_l, batch_r)]
    out += [_entry(ins[0], d) for d in range(x.aval.ndim) if d not in left and d not in batch_l]
    out += [_entry(ins[1], d) for d in range(y.aval.ndim) if d not in right and d not in batch_r]
    return tuple(out)


def _cut(eqn, ins, sizes):
    """Axes that are kept in their length stay divided."""
    before, after = eqn.invars[0].aval.shape, eqn.outvars[0].aval.shape
    return tuple([_entry(ins[0], d) if n == m else None for d, (n, m) in enumerate(zip(before, after))])


def _joined(eqn, ins, sizes):
    return next((layout for layout in ins if layout), ())


_RULES = {
    "transpose": _transposed, "squeeze": _squeezed, "broadcast_in_dim": _broadcast, "reshape": _reshaped,
    "dot_general": _product, "slice": _cut, "dynamic_slice": _cut, "pad": _cut, "concatenate": _joined,
}
