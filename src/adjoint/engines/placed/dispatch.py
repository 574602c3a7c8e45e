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

from ...array.array import ArrayImpl, as_array, make_array
from ...array.sharded_array import ShardedArray, place, place_of, plain, sharded
from ...core.jaxpr import ClosedJaxpr, Jaxpr, JaxprEqn, Var, sub_jaxprs
from ...core.messages.errors import message
from ...core.options.config import local
from ...core.passes import operands_read, prune_program
from ...core.process.memo import Memo
from ...core.trace import state
from ...core.types import aval_of
from ...prims import transfer as transfer
from ...prims.discharge import without_refs
from ...prims.indexed_windows import GatherDimensionNumbers, GatherScatterMode
from ...prims.indexing import gather
from ...prims.sharding import inspections
from ...prims.slicing import dynamic_slice, slice_
from ...sharding.device import SingleDeviceSharding, are_worth_programs, here, is_accelerator, is_beside
from ...sharding.explicit import concrete_mesh
from ...sharding.mesh import AbstractMesh, Mesh, PartitionSpec, placing_mesh
from ...sharding.named_sharding import NamedSharding
from ..choice import compiled_on_host
from ..numpy.eager import eval_trace
from .agreement import agreed, claims_of, moved_as_asked, operand_names
from .program_layout import Layout, this_thread
from .propagate import Watched, layouts, mesh_of, names_memories, of_equation, places_inside, states_shardings
from .repeated import keep_operation, key_of, run_operation
from .results import along, default_sharding, laid_out, layout_of, placed_results, spec_as_first
from .stated_layouts import by_type, has_other_effects, layout_for, stated_layout

__all__ = ["compiled_ahead", "placed_operation", "placed_program", "program_of", "run_alone"]


@cache
def has_xla() -> bool:
    """Return whether programs over several devices can be compiled for them."""
    from ..xla.runtime import has_jaxlib

    return has_jaxlib()


def _has_programs(mesh: Mesh | None) -> bool:
    """Return whether programs over the devices of a mesh are compiled for them, by the client that has them."""
    return mesh is not None and are_worth_programs(mesh.size) and has_xla() and not _is_on_host(mesh, None)


def _is_on_host(mesh: Mesh | None, where) -> bool:
    """Return whether devices are CPUs beside accelerators, whose programs run on the engine of the CPU."""
    if here.plugin is None:
        return False
    devices = mesh.devices.flat if isinstance(mesh, Mesh) else () if where is None else where.device_set
    return any(map(is_beside, devices))


def placed_operation(p, args, params):
    """Run a primitive on operands some of which are placed."""
    outs, key = run_operation(p, args, params)
    if outs is not None:
        return outs if p.multiple_results else outs[0]
    if p is slice_ and args[0].aval.explicit_sharding is None:
        strides = params["strides"]
        if strides is None or any([step > 1 for step in strides]):
            return _cut(*args, **params)
    where = agreed(claims_of(args, operand_names(p, len(args)).__getitem__, p.name))
    mesh = where.mesh if isinstance(where, NamedSharding) else _mesh_of_one(where)
    if _has_programs(mesh) or mesh is None and p.runs_programs and _says_where(params):
        out, again = run_alone(p, args, params)
        keep_operation(key, again)
        return out if p.multiple_results else out[0]
    if where is None and here.plugin is not None:  # from a time when another device was the default one
        return state.bottom.process(p, [plain(x) if isinstance(x, ShardedArray) else x for x in args], params)
    avals, typed = tuple([aval_of(x) for x in args]), None
    if any([a.mesh_sharding is not None or a.memory_space is not None for a in avals]):
        typed = p.infer(avals, params)
    out = eval_trace.evaluate(p, [plain(x) if isinstance(x, ShardedArray) else x for x in args], params)
    outs = out if p.multiple_results else [out]
    if typed is not None:
        outs = [make_array(x._buffer, t) for x, t in zip(outs, typed if p.multiple_results else [typed])]
    entries: list = [()] * len(outs)
    if isinstance(where, NamedSharding) and typed is not None and where.mesh.are_all_axes_explicit:
        entries = [PartitionSpec() if x.aval.explicit_sharding is None else x.aval.explicit_sharding.spec for x in outs]
    elif isinstance(where, NamedSharding) and where.mesh.size == 1 and not where.mesh.explicit_axes:
        entries = [spec_as_first(args, x.aval, where.mesh) for x in outs]
    elif isinstance(where, NamedSharding):
        invars = [Var(aval_of(x)) for x in args]
        eqn = JaxprEqn(invars, [Var(x.aval) for x in outs], p, params)
        entries = of_equation(eqn, [layout_of(x) for x in args], dict(where.mesh.shape))
    placed = placed_results(outs, where or default_sharding(), entries, args, where is not None)
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


def run_alone(p, args, params, mesh: Mesh | None = None) -> tuple[list, Any]:
    """Run a primitive as a program over the devices of its operands, or of a mesh; and what runs it again."""

    def on_wholes(*wholes):
        out = eval_trace.evaluate(p, wholes, params)
        return out if p.multiple_results else [out]

    closed = program_of(p, tuple([aval_of(x) for x in args]), params)
    outs = None if mesh is None else tuple([by_type(a, mesh) for a in closed.out_avals])
    said = dict(name=p.name, out_shardings=outs)
    found = placed_program(on_wholes, closed, args, said)
    known = closed.jaxpr.cache.get(key_of(args, said))
    return found, None if known is None else known[1]


def program_of(p, avals, params) -> ClosedJaxpr:
    """A program of one equation."""
    try:
        found = _programs.get(key := (p, avals, local.trace_context, state.is_again, *params.items()))
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
    live = jaxpr
    if states_shardings(jaxpr) and not params.get("keep_unused"):
        live = prune_program(closed, (True,) * len(jaxpr.outvars), True)[0].jaxpr
    args, where, read = _devices_for(jaxpr, live, args, params)
    mesh = _mesh_for(closed, live, args, params, where, read)
    if mesh is None and (own := _mesh_of_one(where)) is not None:
        layout = Layout(own, (None,) * len(args), (None,) * len(jaxpr.outvars))
        outs = _compiled(closed, layout, params.get("name", "f"))(args)
        return [sharded(x.shards, x.aval, where) for x in outs]
    if _is_on_host(mesh, where):
        run = partial(_on_buffers, compiled_on_host(closed), closed.out_avals)
    if is_free and _has_programs(mesh):
        layout = layout_for(closed, args, mesh, params)
        if layout is not None:
            _inspect(jaxpr, layout)
            run = _compiled(closed, layout, params.get("name", "f"))
            if not closed.consts:  # which are not the jaxpr's
                jaxpr.cache.keep(key, (run, run.again))
            return run(args)
    outs = run(*[plain(x) for x in args])
    if mesh is None:
        committed = where is not None or (states_shardings(live) and names_memories(live))
        results = placed_results(outs, where or default_sharding(), (), args, committed)
    else:
        results = _divided_results(jaxpr, outs, args, params, mesh, read)
    wanted = params.get("out_shardings") or [None] * len(results)
    results = [x if s is None else laid_out(x, s) for x, s in zip(results, wanted)]
    if not closed.consts and mesh is not None and is_free:
        jaxpr.cache.keep(key, (partial(_run_known, run, [x.place for x in results]), None))
    return results


def _devices_for(jaxpr: Jaxpr, live: Jaxpr, args, params) -> tuple[list, Any, list[bool] | None]:
    """Return operands where a call wants them, where it runs, if something says that, and which it reads, or None.

    `live` is the part of the program that is read.
    """
    device = params.get("device")
    if device is not None:
        return [plain(x) if isinstance(x, ShardedArray) else x for x in args], SingleDeviceSharding(device), None
    debug, given = jaxpr.debug_info, params.get("in_shardings") or ()
    names = lambda i: debug.arg_name(i) or f"args[{i}]" if debug else f"args[{i}]"
    args = moved_as_asked(given, args)
    read = None if params.get("keep_unused") else operands_read(jaxpr)
    claims = claims_of(args, names, params.get("name", "f"), given, read)
    if placing_mesh.value is not None:
        claims.append((NamedSharding(placing_mesh.value, PartitionSpec()), "jit's context mesh", ""))
    claims += [(s, what, "") for s, what in places_inside(live)]
    claims += [(s, "explicit output sharding", "") for s in params.get("out_shardings") or () if s is not None]
    return args, agreed(claims), read


def _mesh_for(closed: ClosedJaxpr, live: Jaxpr, args, params, where, read) -> Mesh | None:
    """Return the mesh that a program runs over: of operands, of what the call or the program says, or the one set."""
    asked = [s for i, s in enumerate(params.get("in_shardings") or ()) if read is None or read[i]]
    asked += params.get("out_shardings") or ()
    mesh = next((s.mesh for s in asked if isinstance(s, NamedSharding)), None)
    if isinstance(where, NamedSharding):
        mesh = where.mesh
    elif mesh is None and states_shardings(live):
        mesh = mesh_of(live)
    set_mesh = placing_mesh.value
    if mesh is None and where is None:
        mesh = set_mesh
    if mesh is None:
        typed = [a.explicit_sharding for a in closed.out_avals if a.placement is not None and a.explicit_sharding]
        if typed:
            mesh = concrete_mesh(typed[0], [place_of(x) for x in args if isinstance(x, ArrayImpl)])
    if mesh is not None and set_mesh is not None and set_mesh.devices is not mesh.devices:
        if mesh.shape == set_mesh.shape and (mesh.devices == set_mesh.devices).all():  # axes of other types inside
            return set_mesh
    return mesh


def _divided_results(jaxpr: Jaxpr, outs, args, params, mesh: Mesh, read) -> list:
    """Return results of a program that ran on the wholes, divided over a mesh as its equations divide them."""
    own = mesh_of(jaxpr) if states_shardings(jaxpr) else None
    if isinstance(own, Mesh) and own.axis_names != mesh.axis_names:  # operands are along axes of another mesh
        mesh = own
    given = params.get("in_shardings") or [None] * len(args)
    ins = [along(mesh, tuple(g.spec) if isinstance(g, NamedSharding) else layout_of(x)) for g, x in zip(given, args)]
    kept = args if read is None else [x for x, is_read in zip(args, read) if is_read]
    if mesh.size == 1 and not mesh.explicit_axes:
        known = dict(zip(jaxpr.invars, map(layout_of, args)))  # what is given back keeps its layout
        entries = [known.get(v, spec_as_first(kept, x.aval, mesh)) for v, x in zip(jaxpr.outvars, outs)]
    else:
        entries = layouts(jaxpr, ins, dict(mesh.shape))
    return placed_results(outs, NamedSharding(mesh, PartitionSpec()), entries, kept, True)


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


def compiled_ahead(closed, params, captured: int, given: tuple, set_mesh: Any, overrides: tuple = ()) -> Any:
    """The executable of a program over several devices: arrays -> arrays; None for one that runs elsewhere.

    `overrides` are options of the compiler.
    """
    closed = without_refs(closed)
    own = ClosedJaxpr(closed.jaxpr.replace(invars=closed.jaxpr.invars[captured:]), closed.consts)
    layout = stated_layout(own, params, captured, given, set_mesh)
    if layout is None or not isinstance(layout.mesh, Mesh) or not has_xla() or _is_on_host(layout.mesh, None):
        return None
    there = set(layout.mesh.devices.flat)
    if any([s is not None and (not isinstance(s, NamedSharding) or not isinstance(s.mesh, Mesh)
                               or s.device_set != there) for s in (*layout.ins, *layout.outs)]):
        return None
    if has_other_effects(closed):
        return None
    full = layout._replace(ins=(*[None] * captured, *layout.ins))
    return _compiled(closed, full, params.get("name", "f"), overrides)
