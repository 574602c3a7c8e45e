"""Dispatch of operations on placed arrays: where they run, and where their results are.

Committed operands must agree on the devices. Results stay there: on the one device, or divided over a mesh.

A program over several devices is XLA's, where jaxlib is installed: one executable, which each device runs on its
part. A single operation on arrays over several devices is such a program of one equation, made once for a signature
and kept on disk like any other. Without jaxlib the engine of one device runs programs on the wholes, which gives the
same values, and `propagate.py` says how results would be divided. What is on one CPU device of this process is
evaluated: they share its memory. An accelerator to which something is committed is a mesh of one device.

Tests: `tests/parallel/test_places.py`.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from ...array.array import ArrayImpl, Pending, as_array, make_array
from ...array.sharded_array import ShardedArray, move_array, parts_of, place, place_of, plain, sharded
from ...core.effects import call_effects, inspect_effect
from ...core.jaxpr import ClosedJaxpr, Jaxpr, JaxprEqn, Var, sub_jaxprs
from ...core.messages.errors import message
from ...core.options.config import local
from ...core.passes import operands_read, prune_program
from ...core.process.memo import Memo, memoized
from ...core.trace import state
from ...core.types import aval_of
from ...prims import transfer as transfer
from ...prims.discharge import without_refs
from ...prims.explicit_sharding import asked_of
from ...prims.family import Elementwise
from ...prims.indexed_windows import GatherDimensionNumbers, GatherScatterMode
from ...prims.indexing import gather
from ...prims.sharding import inspections
from ...prims.slicing import dynamic_slice, slice_
from ...sharding.device import (
    Sharding,
    SingleDeviceSharding,
    are_worth_programs,
    default_device,
    default_devices,
    device_meant,
    first_device,
    first_sharding,
    here,
    host_device,
    is_accelerator,
)
from ...sharding.explicit import concrete_mesh, in_space
from ...sharding.mesh import AbstractMesh, Mesh, PartitionSpec, names_of, placing_mesh
from ...sharding.named_sharding import NamedSharding
from ..choice import compiled_on_host
from ..numpy.eager import EvalTrace, eval_trace
from .program_layout import Layout, this_thread
from .propagate import (
    Watched,
    are_typed_over_mesh,
    dividing,
    further_divided,
    is_over_explicit,
    layouts,
    mesh_of,
    names_memories,
    of_equation,
    places_inside,
    states_shardings,
    trimmed,
)
from .repeated import keep_operation, key_of, run_operation

__all__ = [
    "MeshTrace", "PlacingTrace", "check_as_asked", "check_on_mesh", "check_places_given",
    "compiled_ahead", "default_sharding", "on_default",
    "placed_operation", "placed_program", "program_of", "known_shardings",
    "stated_layout",
]


def default_sharding() -> Sharding:
    """The place of results that no operand commits."""
    device = default_device()
    return first_sharding if device is first_device else SingleDeviceSharding(device)


# ---- agreement ------------------------------------------------------------------------------------


def _devices_of(sharding: Sharding) -> tuple:
    if isinstance(sharding, NamedSharding):
        return tuple(sharding.mesh.devices.flat)
    return tuple(sharding.device_set)  # type: ignore[attr-defined]


def _claims(args, names, function: str, given=(), read=None) -> list[tuple]:
    """(sharding, what it is of or what says that, its name) of the operands that have to stay, or are to be somewhere.

    Operands that the program does not read may be anywhere.
    """
    found = []
    for i, x in enumerate(args):
        if read is not None and not read[i]:
            continue
        if given and given[i] is not None:
            found.append((given[i], "ARG_SHARDING", names(i)))
        elif isinstance(x, ArrayImpl) and (sharding := place_of(x)) is not None:
            found.append((sharding, partial(_argument, names(i), function, x.aval), names(i)))
    return found


def _agreed(claims) -> Sharding | None:
    """The place that all claims are about: one of several devices first."""
    found = None
    for claim in claims:
        sharding = claim[0]
        if found is None:
            found, first = sharding, claim
        elif _devices_of(sharding) != _devices_of(found):
            raise _incompatible(first, claim)
        elif not isinstance(found, NamedSharding):
            found = sharding
    return found


def _incompatible(*pair) -> ValueError:
    def described(claim):
        ids = [d.id for d in _devices_of(claim[0])]
        return f"{claim[1]() if callable(claim[1]) else claim[1]} with device ids {ids} on platform CPU"

    first, second = [claim[2] for claim in pair]
    return ValueError(
        message(
            "Received incompatible devices for jitted computation. Got " + " and ".join(map(described, pair)),
            why="Both were put there with device_put, or come from arrays that were, so neither is moved."
            if first and second else "A program runs on the devices of its operands, of its results and of what it "
            "says of values inside: these have to be the same.",
            fix=f"jax.device_put({second}, {first}.sharding) before the call" if first and second else
            f"jax.device_put({first}, ...) to the other devices before the call" if first else
            "one mesh for all of them",
        )
    )


def operand_names(p, count: int) -> list[str]:
    """Return what messages call the operands of an operation."""
    return ["x", "y"][:count] if isinstance(p, Elementwise) else [f"args[{i}]" for i in range(count)]


# ---- results --------------------------------------------------------------------------------------


def _results(outs, where, entries, args, committed) -> list:
    """The results with their places; `entries` are layouts over the mesh of `where`."""
    if not isinstance(where, NamedSharding):
        return [
            place(x._buffer, x.aval, in_space(where, x.aval), committed or x.aval.memory_space is not None)
            for x in outs
        ]
    return [
        place(x._buffer, x.aval, in_space(_named(where.mesh, e, x.aval, args), x.aval))
        for x, e in zip(outs, entries)
    ]


def _as_first(args, aval, mesh) -> PartitionSpec:
    """The spec of a result over a mesh of one device, where nothing is divided: that of the first operand, if it fits.
    """
    sharding = place_of(args[0]) if args and isinstance(args[0], ArrayImpl) else None
    fits = isinstance(sharding, NamedSharding) and sharding.mesh is mesh and args[0].ndim == aval.ndim
    return sharding.spec if fits else PartitionSpec()


def _named(mesh, entries, aval, args) -> NamedSharding:
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


def _over(mesh: Mesh, entries: tuple) -> tuple:
    """A layout along the axes that a mesh has."""
    return tuple([e if set(names_of(e)).issubset(mesh.axis_names) else None for e in entries])


@cache
def has_xla() -> bool:
    """Return whether programs over several devices can be compiled for them."""
    from ..xla.runtime import has_jaxlib

    return has_jaxlib()


def placed_operation(p, args, params):
    """Run a primitive on operands some of which are placed."""
    outs, key = run_operation(p, args, params)
    if outs is not None:
        return outs if p.multiple_results else outs[0]
    if p is slice_ and args[0].aval.explicit_sharding is None:
        strides = params["strides"]
        if strides is None or any([step > 1 for step in strides]):
            return _cut(*args, **params)
    where = _agreed(_claims(args, operand_names(p, len(args)).__getitem__, p.name))
    mesh = where.mesh if isinstance(where, NamedSharding) else _mesh_of_one(where)
    is_worth_it = mesh is not None and are_worth_programs(mesh.size) and has_xla()
    if is_worth_it or mesh is None and p.runs_programs and _says_where(params):
        out, again = _run_alone(p, args, params)
        keep_operation(key, again)
        return out if p.multiple_results else out[0]
    if where is None and here.plugin is not None:  # from a time when another device was the default one
        return state.bottom.process(p, [plain(x) if isinstance(x, ShardedArray) else x for x in args], params)
    avals, typed = tuple([aval_of(x) for x in args]), None
    if any([a.explicit_sharding is not None or a.memory_space is not None for a in avals]):
        typed = p.infer(avals, params)
    out = eval_trace.evaluate(p, [plain(x) if isinstance(x, ShardedArray) else x for x in args], params)
    outs = out if p.multiple_results else [out]
    if typed is not None:
        outs = [make_array(x._buffer, t) for x, t in zip(outs, typed if p.multiple_results else [typed])]
    entries: list = [()] * len(outs)
    if isinstance(where, NamedSharding) and typed is not None and where.mesh.are_all_axes_explicit:
        entries = [PartitionSpec() if x.aval.explicit_sharding is None else x.aval.explicit_sharding.spec for x in outs]
    elif isinstance(where, NamedSharding) and where.mesh.size == 1 and not where.mesh.explicit_axes:
        entries = [_as_first(args, x.aval, where.mesh) for x in outs]
    elif isinstance(where, NamedSharding):
        invars = [Var(aval_of(x)) for x in args]
        eqn = JaxprEqn(invars, [Var(x.aval) for x in outs], p, params)
        entries = of_equation(eqn, [layout_of(x) for x in args], dict(where.mesh.shape))
    placed = _results(outs, where or default_sharding(), entries, args, where is not None)
    return placed if p.multiple_results else placed[0]


def _says_where(params: dict) -> bool:
    """Return whether programs among the parameters of an operation say where their values are."""
    return any([states_shardings(sub) for sub in sub_jaxprs(params)])


ShardedArray.processed_by(placed_operation, _says_where)


def _cut(x, *, start_indices, limit_indices, strides):
    """Return a part of an array, as a program that is told from where: an axis that it cuts is not divided then."""
    sizes = [n - i for i, n in zip(start_indices, limit_indices)]
    if sizes != list(x.shape):
        starts = [np.int32(i) for i in start_indices]
        x = dynamic_slice(x, *starts, slice_sizes=tuple(sizes))
    for d, step in enumerate(strides or ()):
        if step > 1 and x.shape[d]:
            along = GatherDimensionNumbers(tuple([i for i in range(x.ndim) if i != d]), (d,), (d,))
            x = gather(
                x, np.arange(0, x.shape[d], step, dtype=np.int32)[:, None], dimension_numbers=along, fill_value=None,
                slice_sizes=(*x.shape[:d], 1, *x.shape[d + 1 :]), indices_are_sorted=True, unique_indices=True,
                mode=GatherScatterMode.PROMISE_IN_BOUNDS,
            )
    return x


_programs = Memo(4096)  # of one equation, by primitive, operand types, options and parameters


def _run_alone(p, args, params, mesh: Mesh | None = None) -> tuple[list, Any]:
    """Run a primitive as a program over the devices of its operands, or of a mesh; and what runs it again."""

    def on_wholes(*wholes):
        out = eval_trace.evaluate(p, wholes, params)
        return out if p.multiple_results else [out]

    closed = program_of(p, tuple([aval_of(x) for x in args]), params)
    outs = None if mesh is None else tuple([_by_type(a, mesh) for a in closed.out_avals])
    said = dict(name=p.name, out_shardings=outs)
    found = placed_program(on_wholes, closed, args, said)
    known = closed.jaxpr.cache.get(key_of(args, said))
    return found, None if known is None else known[1]


def program_of(p, avals, params) -> ClosedJaxpr:
    """A program of one equation."""
    try:
        found = _programs.get(key := (p, avals, local.trace_context, *params.items()))
    except TypeError:  # a parameter that is not hashable
        found = key = None
    if found is None:
        invars, out = [Var(a) for a in avals], p.infer(avals, params)
        outvars = [Var(a) for a in (out if p.multiple_results else [out])]
        found = ClosedJaxpr(Jaxpr([], invars, outvars, [JaxprEqn(invars, outvars, p, params)]), ())
        if key is not None:
            _programs.keep(key, found)
    return found


def placed_program(run, closed, args, params) -> list:
    """Run a program that is compiled as `run` on operands, or with constraints, that have places."""
    closed = without_refs(closed)
    jaxpr = closed.jaxpr
    args = [x if isinstance(x, ArrayImpl) else as_array(x) for x in args]
    # How operands are divided decides all that follows, and their types are the program's.
    placed = tuple([place_of(x) for x in args])
    if any(map(_has_no_devices, params.get("out_shardings") or ())):
        params = {**params, "out_shardings": _with_devices(params["out_shardings"], placed)}
    key = key_of(args, params)
    is_free = not this_thread.is_called
    if is_free and (known := jaxpr.cache.get(key)) is not None:
        return known[0](args)
    debug = jaxpr.debug_info
    names = lambda i: debug.arg_name(i) or f"args[{i}]" if debug else f"args[{i}]"
    given: Any = params.get("in_shardings") or ()
    device, read, live = params.get("device"), None, jaxpr
    if states_shardings(jaxpr) and not params.get("keep_unused"):
        live = prune_program(closed, (True,) * len(jaxpr.outvars), True)[0].jaxpr
    if device is not None:
        where: Any = SingleDeviceSharding(device)
        args = [plain(x) if isinstance(x, ShardedArray) else x for x in args]
    else:
        args = _given(given, args)
        read = None if params.get("keep_unused") else operands_read(jaxpr)
        claims = _claims(args, names, params.get("name", "f"), given, read)
        if placing_mesh.value is not None:
            claims.append((NamedSharding(placing_mesh.value, PartitionSpec()), "jit's context mesh", ""))
        claims += [(s, what, "") for s, what in places_inside(live)]
        claims += [(s, "explicit output sharding", "") for s in params.get("out_shardings") or () if s is not None]
        where = _agreed(claims)
    stated = [s for i, s in enumerate(given) if read is None or read[i]]
    mesh = next((s.mesh for s in (*stated, *(params.get("out_shardings") or ())) if isinstance(s, NamedSharding)), None)
    if isinstance(where, NamedSharding):
        mesh = where.mesh
    elif mesh is None and states_shardings(live):
        mesh = mesh_of(live)
    if mesh is None and where is None and (set_mesh := placing_mesh.value) is not None:
        mesh = set_mesh
    if mesh is None and (explicit := next((a.explicit_sharding for a in closed.out_avals
                                           if a.placement is not None and a.explicit_sharding), None)) is not None:
        mesh = concrete_mesh(explicit, [place_of(x) for x in args if isinstance(x, ArrayImpl)])
    if mesh is not None and (set_mesh := placing_mesh.value) is not None and set_mesh.devices is not mesh.devices:
        if mesh.shape == set_mesh.shape and (mesh.devices == set_mesh.devices).all():  # axes of other types inside
            mesh = set_mesh
    if mesh is None and (own := _mesh_of_one(where)) is not None:
        layout = Layout(own, (None,) * len(args), (None,) * len(jaxpr.outvars))
        outs = _compiled(closed, layout, params.get("name", "f"))(args)
        return [sharded(x.shards, x.aval, where) for x in outs]
    if mesh is None and here.plugin is not None and where is not None and where.device_set == {host_device}:
        run = partial(_on_buffers, compiled_on_host(closed), closed.out_avals)
    if mesh is not None and is_free and are_worth_programs(mesh.size) and has_xla():
        layout = _layout(closed, args, mesh, params)
        if layout is not None:
            _inspect(jaxpr, layout)
            run = _compiled(closed, layout, params.get("name", "f"))
            if not closed.consts:  # which are not the jaxpr's
                jaxpr.cache.keep(key, (run, run.again))
            return run(args)
    outs = run(*[plain(x) for x in args])
    if mesh is None:
        committed = where is not None or (states_shardings(live) and names_memories(live))
        results = _results(outs, where or default_sharding(), (), args, committed)
    else:
        own = mesh_of(jaxpr) if states_shardings(jaxpr) else None
        if isinstance(own, Mesh) and own.axis_names != mesh.axis_names:  # operands are along axes of another mesh
            mesh = own
        ins = [_over(mesh, tuple(g.spec) if isinstance(g, NamedSharding) else layout_of(x))
               for g, x in zip(given or [None] * len(args), args)]
        kept = args if read is None else [x for x, is_read in zip(args, read) if is_read]
        if mesh.size == 1 and not mesh.explicit_axes:
            known = dict(zip(jaxpr.invars, map(layout_of, args)))  # what is given back keeps its layout
            entries = [known.get(v, _as_first(kept, x.aval, mesh)) for v, x in zip(jaxpr.outvars, outs)]
        else:
            entries = layouts(jaxpr, ins, dict(mesh.shape))
        results = _results(outs, NamedSharding(mesh, PartitionSpec()), entries, kept, True)
    wanted = params.get("out_shardings") or [None] * len(results)
    results = [x if s is None else _laid_out(x, s) for x, s in zip(results, wanted)]
    if not closed.consts and mesh is not None and is_free:
        jaxpr.cache.keep(key, (partial(_run_known, run, [x.place for x in results]), None))
    return results


def _has_no_devices(sharding) -> bool:
    return isinstance(sharding, NamedSharding) and isinstance(sharding.mesh, AbstractMesh)


def _with_devices(shardings, placed) -> tuple:
    """Return the shardings of results, those over abstract meshes over the devices of an operand or the mesh set."""
    mesh = next((s.mesh for s in placed if isinstance(s, NamedSharding)), None) or placing_mesh.value
    if mesh is None:
        raise ValueError(
            message(
                "Passing lowering_platforms via jax.export or jit(f).trace(*args).lower(lowering_platforms=...) is "
                "required when only AbstractMesh exists in a jitted computation.",
                why="Neither a mesh that is set nor an operand says which devices are meant.",
                fix="with jax.set_mesh(mesh): ..., or a sharding over a mesh of devices",
            )
        )
    return tuple([
        s.over_devices(mesh.devices) if _has_no_devices(s) else s for s in shardings
    ])


def _compiled(closed: ClosedJaxpr, layout: Layout, name: str, overrides: tuple = ()) -> Any:
    from ..xla.spmd import executable  # jaxlib's, which may be absent

    return executable(closed, layout, name, overrides)


def _run_known(run, places, args) -> list:
    """Run a program whose results are known to be at `places`."""
    return [place(x._buffer, x.aval, where) for x, where in zip(run(*map(plain, args)), places)]


@cache
def _mesh_over(device) -> Mesh:
    return Mesh([device], ("all",))


def _mesh_of_one(where) -> Mesh | None:
    """The mesh of the accelerator to which operands are committed, if they are to a single one."""
    if isinstance(where, SingleDeviceSharding) and where.memory_kind == "device" and is_accelerator(where._device):
        return _mesh_over(where._device)
    return None


def _on_buffers(run, avals, *args) -> list:
    return [make_array(b, a) for b, a in zip(run(*[x._buffer for x in args]), avals)]


def _inspect(jaxpr, layout: Layout) -> None:
    """Report how a program's values will be divided to the calls in it that ask for it."""
    if inspections(jaxpr):
        sizes = Watched(layout.mesh.shape)
        layouts(jaxpr, [() if s is None else tuple(s.spec) for s in layout.ins], sizes)
        for callback, entries in sizes.seen:
            callback(NamedSharding(layout.mesh, PartitionSpec(*entries)))


_HARMLESS = call_effects | {inspect_effect}


def _has_other_effects(closed) -> bool:
    """Return whether a program writes to references, say, which is done on wholes."""
    return any([e.effects - _HARMLESS for e in closed.jaxpr.eqns if e.primitive.per_device_rule is None])


def _layout(closed, args, mesh, params) -> Layout | None:
    """Return where XLA is to have operands and results; None if it cannot run the program."""
    if not isinstance(mesh, Mesh) or _has_other_effects(closed):
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
        outs = [_in_own_space(_by_type(v.aval, mesh, t) or known.get(v), v.aval) if s is None else s
                for v, s, t in zip(closed.jaxpr.outvars, outs, typed)]
    if mesh.size == 1:  # for the compiler, nothing is divided
        kept = [x for x, is_read in zip(args, read) if is_read]
        outs = [in_space(NamedSharding(mesh, _as_first(kept, v.aval, mesh)), v.aval) if s is None else s
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


def _by_type(aval, mesh, is_typed: bool = True) -> NamedSharding | None:
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
    shardings = [a.placement.sharding for a in avals if a.placement is not None and a.placement.sharding]
    typed: tuple = ()
    if shardings or any(map(is_over_explicit, ins)) or set_mesh is not None and set_mesh.explicit_axes:
        over = [is_over_explicit(s) or bool(a.explicit_sharding) for s, a in zip(ins, closed.in_avals)]
        typed = tuple(are_typed_over_mesh(closed.jaxpr, over, set_mesh is not None))
    if shardings:
        mesh = concrete_mesh(shardings[0], ()) or shardings[0].mesh if mesh is None else mesh
        ins = tuple([_by_type(a, mesh, False) if s is None else s for s, a in zip(ins, closed.in_avals)])
        outs = tuple([_in_own_space(_by_type(a, mesh, t), a) if s is None else s
                      for s, a, t in zip(outs, closed.out_avals, typed)])
    if mesh is None and not any(given) and "device" not in params:
        mesh = set_mesh
    return None if mesh is None else Layout(mesh, ins, tuple(outs), typed=typed)


def compiled_ahead(closed, params, captured: int, given: tuple, set_mesh: Any, overrides: tuple = ()) -> Any:
    """The executable of a program over several devices: arrays -> arrays; None for one that runs elsewhere.

    `overrides` are options of the compiler.
    """
    closed = without_refs(closed)
    own = ClosedJaxpr(closed.jaxpr.replace(invars=closed.jaxpr.invars[captured:]), closed.consts)
    layout = stated_layout(own, params, captured, given, set_mesh)
    if layout is None or not has_xla() or not isinstance(layout.mesh, Mesh):
        return None
    there = set(layout.mesh.devices.flat)
    if any([s is not None and (not isinstance(s, NamedSharding) or not isinstance(s.mesh, Mesh)
                               or s.device_set != there) for s in (*layout.ins, *layout.outs)]):
        return None
    if _has_other_effects(closed):
        return None
    full = layout._replace(ins=(*[None] * captured, *layout.ins))
    return _compiled(closed, full, params.get("name", "f"), overrides)


def check_as_asked(asked: tuple, given: tuple, avals) -> None:
    """ValueError for an operand that lies otherwise than the call asks for; `given` are their places."""
    for sharding, own, aval in zip(asked, given, avals):
        if sharding is not None and own is not None:
            _check_match(sharding, own, aval)


def check_places_given(closed, params, captured: int, given: tuple, names, set_mesh: Any) -> None:
    """Raise for operands that are on other devices than the program; `given` are their places."""
    asked = params.get("in_shardings", ())[captured:] or (None,) * len(given)
    read = [True] * len(given) if params.get("keep_unused") else operands_read(closed.jaxpr)[captured:]
    claims = []
    for i, (sharding, own, aval) in enumerate(zip(asked, given, closed.in_avals[captured:])):
        if not read[i]:
            continue
        if sharding is not None:
            claims.append((sharding, "ARG_SHARDING", ""))
        elif own is not None:
            claims.append((own, _argument(names()[i], params.get("name", "f"), aval), names()[i]))
    claims += [(s, "explicit output sharding", "") for s in params.get("out_shardings") or () if s is not None]
    if set_mesh is not None:
        claims.append((NamedSharding(set_mesh, PartitionSpec()), "jit's context mesh", ""))
    _agreed([claim for claim in claims if isinstance(getattr(claim[0], "mesh", None), (Mesh, type(None)))])


def _argument(name: str, function: str, aval) -> str:
    return f"argument {name} of {function} with shape {aval.dtype.name}[{','.join(map(str, aval.shape))}] and"


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
    outs = [s or _named(mesh, e, aval, ()) for s, e, aval in zip(layout.outs, found, closed.out_avals)]
    return ins, outs


def _laid_out(x, sharding):
    sharding.check_compatible_aval(x.aval.shape)
    return place(x._buffer, x.aval, sharding)


def _given(given, args) -> list:
    """The operands, checked to be where a call needs them; those over the same devices in another order are moved."""
    found = []
    for x, sharding in zip(args, given or [None] * len(args)):
        if sharding is not None:
            sharding.check_compatible_aval(x.aval.shape)
            place = place_of(x)
            _check_match(sharding, place, x.aval)
            if place is not None and not sharding.is_equivalent_to(place, x.ndim):
                x = move_array(x, sharding)
        found.append(x)
    return found


def _divide_alike(a: Sharding, b: Sharding, shape: tuple[int, ...]) -> bool:
    """Return whether two shardings cut arrays of a shape into the same parts in the same order, over any devices."""
    if a.is_fully_replicated or b.is_fully_replicated:
        return a.is_fully_replicated and b.is_fully_replicated
    return [index for _, index, _ in parts_of(a, shape)] == [index for _, index, _ in parts_of(b, shape)]


def _check_match(sharding, actual, aval) -> None:
    """Raise if an operand is otherwise than a call wants it; `actual` is None if it may be anywhere."""
    kind = actual.memory_kind if actual is not None else "device"
    if sharding.memory_kind != kind:
        raise ValueError(
            "Memory kinds passed to jax.jit does not match memory kind on the respective arg. Got jit memory kind: "
            f"{sharding.memory_kind}, arg memory kind: {kind} for arg type: {aval.str_short()}\n"
            "  Try: device_put(arg, sharding) before the call"
        )
    if actual is not None and not _divide_alike(sharding, actual, aval.shape):
        raise ValueError(
            "Sharding passed to jit does not match the sharding on the respective arg. Got jit sharding: "
            f"{sharding},\narg sharding: {actual} for arg type: {aval.str_short()}"
        )


# ---- another default device -----------------------------------------------------------------------


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

    def placed(self, x):
        return on_default(x)


def check_on_mesh(function: str, args, names=("args[0]",), read=None, given=()) -> None:
    """ValueError if an operand has to stay, or is `given` a place, on other devices than those of the mesh that is set.
    """
    if not any([isinstance(x, ShardedArray) for x in args]):
        return
    for claim in _claims(args, names.__getitem__, function, given, read):
        if _devices_of(claim[0]) != tuple(placing_mesh.value.devices.flat):
            mesh = NamedSharding(placing_mesh.value, PartitionSpec())
            raise _incompatible(claim, (mesh, "jit's context mesh", ""))


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
            out, _ = _run_alone(p, args, params, placing_mesh.value)
            return out if p.multiple_results else out[0]
        out = EvalTrace.process(self, p, args, params)
        outs = out if p.multiple_results else [out]
        outs = [self.placed(x, t) for x, t in zip(outs, _typed(p, args, params, outs))]
        return outs if p.multiple_results else outs[0]

    def placed(self, x, is_typed: bool = True):
        """Return a result just made, whole on each device of the mesh, of which its type speaks or not."""
        if type(x) not in (ArrayImpl, Pending):
            return x
        return place(x._buffer, x.aval, _replicated(placing_mesh.value, x.aval.ndim, is_typed))


def _typed(p, args, params, outs) -> list[bool]:
    """Return whether types of the results of an operation speak of the mesh that is set, as those of numbers do."""
    if not placing_mesh.value.explicit_axes:
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
    return device is not first_device and (device is host_device or device in default_devices()[1:])
