"""`shard_map_p`: the primitive of `shard_map`, which holds the program of one device.

Its rules transform that program and bind the result, so the call stays a call: derivatives and `vmap` of it run on
each device too. Residuals of a derivative stay on their devices; as wholes they are stacked along their first axis.

Where XLA is not at hand, the devices share the memory of the process, and the program runs once on all parts
together: along each axis of the mesh it is mapped as by `vmap` with a name, for which collectives have their rules.

Tests: `tests/parallel/test_shard_map.py`.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from math import prod
from typing import Any

from ..array.sharded_array import ShardedArray, move_array, place_of, plain
from ..core.jaxpr import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var, effects_of
from ..core.messages.errors import message
from ..core.passes import prune_program
from ..core.placement import ManualAxis
from ..core.primitive import Primitive, UndefinedPrimal
from ..core.process.memo import fact, of_closed
from ..core.trace import current, eval_jaxpr, stage_closed, state
from ..core.types import ShapedArray, aval_of
from ..core.values.refs import AbstractRef, Ref
from ..core.values.zeros import Zero
from ..engines.numpy import eval_trace, program
from ..engines.placed.propagate import further_divided
from ..prims.arithmetic import div
from ..prims.collective import psum, pvary_to
from ..prims.discharge import discharge_refs, store_last, values_of
from ..prims.family import like
from ..prims.shape import broadcast_in_dim, materialise_batch, move_axis, reshape, squeeze, transpose
from ..prims.sharding import constrained
from ..prims.slicing import slice_ as slice_p
from ..sharding.explicit import explicit_over, spec_of, sums_of
from ..sharding.mesh import AbstractMesh, AxisType, PartitionSpec, get_abstract_mesh, named_mesh, names_of
from ..sharding.named_sharding import NamedSharding
from ..transforms.calls import run_program
from ..transforms.jit.primitive import jit_p
from ..transforms.programs import batch_at, jvp_program, linearize_program, transpose_program
from ..transforms.vmap import Axis, batch_flat

__all__ = ["changed_call", "closed_call", "evaluated", "inside", "inside_call", "part_aval", "shard_map_p"]

shard_map_p = Primitive("shard_map", multiple_results=True, program=True)
shard_map_p.per_device(lambda params: (params["mesh"], params["in_specs"], params["out_specs"]))


# ---- shapes of parts -----------------------------------------------------------------------------


def mesh_inside(mesh, manual: frozenset) -> AbstractMesh:
    """Return the axes of a mesh, as functions that are mapped over some of them see it."""
    mesh = mesh_outside(mesh)
    kinds = [AxisType.Manual if n in manual else t for n, t in zip(mesh.axis_names, mesh.axis_types)]
    return mesh.update(axis_types=tuple(kinds))


def mesh_outside(mesh) -> AbstractMesh:
    """Return the axes of a mesh where a call is: in a function that is mapped over some of them, these are manual."""
    current_mesh = get_abstract_mesh()
    nested = current_mesh.manual_axes and current_mesh.shape_tuple == mesh.shape_tuple
    return current_mesh if nested else mesh.abstract_mesh


def part_aval(aval: ShapedArray, spec, mesh, manual: frozenset, check_vma: bool = False) -> ShapedArray:
    """Return the type of one device's part."""
    if type(aval) is AbstractRef:
        return aval.update(part_aval(aval.inner_aval, spec, mesh, manual, check_vma))
    sizes = mesh.shape
    vma = aval.vma.union(*map(names_of, spec)) if check_vma else aval.vma
    parts = [prod([sizes[n] for n in names_of(e)]) for e in spec]
    parts += [1] * (aval.ndim - len(parts))
    shape = tuple([n // k for n, k in zip(aval.shape, parts)])
    rest = [tuple([n for n in names_of(e) if n not in manual]) for e in spec_of(aval)]
    sums = [axes - manual for axes in sums_of(aval)]
    return aval.update(shape=shape, vma=vma, explicit_sharding=explicit_over(mesh_inside(mesh, manual), rest, *sums))


def whole_aval(aval: ShapedArray, spec, mesh, manual: frozenset) -> ShapedArray:
    """Return the type of the array whose parts have this type."""
    sizes = mesh.shape
    parts = [prod([sizes[n] for n in names_of(e)]) for e in spec]
    parts += [1] * (aval.ndim - len(parts))
    shape = tuple([n * k for n, k in zip(aval.shape, parts)])
    whole = (*spec, *[None] * (aval.ndim - len(spec)))
    entries = [(*names_of(e), *names_of(r)) for e, r in zip(whole, spec_of(aval))]
    vma = aval.vma.difference(manual)
    unreduced, reduced = [axes - manual for axes in sums_of(aval)]
    explicit = explicit_over(mesh_outside(mesh), entries, unreduced | spec.unreduced, reduced | spec.reduced)
    return aval.update(shape=shape, vma=vma, explicit_sharding=explicit)


@shard_map_p.type
def _(*_, jaxpr, mesh, out_specs, newly_manual_axes, **__):
    return [whole_aval(v.aval, s, mesh, newly_manual_axes) for v, s in zip(jaxpr.outvars, out_specs)]


@shard_map_p.effects
def _(params):
    return effects_of(params["jaxpr"])


# ---- the program on whole arrays -----------------------------------------------------------------


def _plain_aval(aval):
    return aval if aval.placement is None else aval.update(vma=frozenset(), explicit_sharding=None)


@fact
def _plain(jaxpr: Jaxpr) -> Jaxpr:
    """Return the program with types that do not say where values are: on wholes there is nothing to say."""
    env: dict = {}

    def var(v):
        if type(v) is Literal:
            return v
        if v not in env:
            aval = _plain_aval(v.aval)
            env[v] = v if aval is v.aval else type(v)(aval)
        return env[v]

    def inner(x):
        if isinstance(x, Jaxpr):
            return _plain(x)
        if isinstance(x, ClosedJaxpr):
            program = _plain(x.jaxpr)
            return x if program is x.jaxpr else ClosedJaxpr(program, x.consts)
        return type(x)([inner(y) for y in x]) if type(x) in (tuple, list) else x

    constvars, invars = [var(v) for v in jaxpr.constvars], [var(v) for v in jaxpr.invars]
    eqns = [
        eqn.replace(invars=[var(v) for v in eqn.invars], outvars=[var(v) for v in eqn.outvars],
                    params={k: inner(p) for k, p in eqn.params.items()})
        for eqn in jaxpr.eqns
    ]
    changed = any([v is not w for v, w in env.items()])
    return jaxpr.replace(
        constvars=constvars, invars=invars, outvars=[var(v) for v in jaxpr.outvars], eqns=eqns
    ) if changed else jaxpr


def on_wholes(params: dict, avals) -> ClosedJaxpr:
    """Return the call as a program on whole arrays; made once for each."""
    jaxpr = params["jaxpr"]
    key = on_wholes, params["mesh"], params["in_specs"], params["out_specs"]
    found = jaxpr.cache.get(key)
    if found is None:
        run = partial(_on_wholes, _plain(jaxpr), params["mesh"], params["newly_manual_axes"], params["in_specs"],
                      params["out_specs"])
        before = state.axis_env
        state.axis_env = tuple([a for a in before if not isinstance(a, ManualAxis)])
        try:
            with current(state.bottom):
                found = jaxpr.cache.keep(key, stage_closed(run, [_plain_aval(a) for a in avals]))
        finally:
            state.axis_env = before
    return found


def _on_wholes(jaxpr, mesh, manual, in_specs, out_specs, *args) -> list:
    """Divide, run on each device, join."""
    parts, places = [], []
    for x, spec in zip(args, in_specs):
        part, where = _divided(constrained(x, NamedSharding(mesh, spec)), spec, mesh)
        parts.append(part)
        places.append(where)
    body = lambda *xs: eval_jaxpr(jaxpr, (), *xs)
    axes = [a for a in zip(mesh.axis_names, mesh.axis_sizes) if a[0] in manual]
    outs = _mapped(body, parts, places, axes, out_specs)
    return [constrained(_joined(x, s, mesh), NamedSharding(mesh, s)) for x, s in zip(outs, out_specs)]


def evaluated(call, values, specs, results, mesh, manual: frozenset) -> list:
    """Return results of a flat function of parts of concrete arrays, which may read what is the same on all devices.

    `results` gives the specs of results, from types of their parts.
    """
    parts, places, out_specs = [], [], []
    for x, spec in zip(values, specs):
        part, where = _divided(plain(x) if isinstance(x, ShardedArray) else x, spec, mesh)
        parts.append(part)
        places.append(where)

    def body(*xs):
        outs = call(*xs)
        out_specs[:] = results([aval_of(x) for x in outs])
        return outs

    axes = [a for a in zip(mesh.axis_names, mesh.axis_sizes) if a[0] in manual]
    with current(eval_trace):
        joined = [_joined(x, s, mesh) for x, s in zip(_mapped(body, parts, places, axes, out_specs), out_specs)]
    return [move_array(x, NamedSharding(mesh, s)) for x, s in zip(joined, out_specs)]


def _divided(x, spec, mesh) -> tuple[Any, list]:
    """Return `x` with an axis for each mesh axis in `spec`, before the axis it divides; and whose each axis is."""
    shape, whose, sizes = [], [], mesh.shape
    for d, n in enumerate(x.shape):
        names = names_of(spec[d]) if d < len(spec) else ()
        shape += [*[sizes[a] for a in names], n // prod([sizes[a] for a in names])]
        whose += [*names, None]
    return reshape(x, new_sizes=tuple(shape), dimensions=None, sharding=None), whose


def _mapped(body, parts, places, axes, out_specs) -> list:
    """Return results of `body` on every device; the mesh axes that a result's spec has come first, in their order."""
    if not axes:
        return body(*parts)
    (name, size), *inner = axes
    dims = [w.index(name) if name in w else None for w in places]
    rest = [[a for a in w if a != name] for w in places]
    run = lambda *xs: _mapped(body, xs, rest, inner, out_specs)
    outs = []
    for (x, d), spec in zip(batch_flat(run, Axis(name, size), parts, dims), out_specs):
        if any(name in names_of(e) for e in spec):
            outs.append(materialise_batch(x, None, size) if d is None else move_axis(x, d, 0))
        else:
            outs.append(x if d is None else _first(x, d))
    return outs


def _first(x, d):
    """Return where devices may differ but the result has no axis for them, the first one's value."""
    shape = aval_of(x).shape
    limits = tuple([1 if i == d else n for i, n in enumerate(shape)])
    x = slice_p(x, start_indices=(0,) * len(shape), limit_indices=limits, strides=None)
    return reshape(x, new_sizes=shape[:d] + shape[d + 1 :], dimensions=None, sharding=None)


def _joined(x, spec, mesh):
    """Return the array of which `x` has the parts, along leading mesh axes."""
    used = [a for a in mesh.axis_names if any(a in names_of(e) for e in spec)]
    shape = aval_of(x).shape
    local, order, sizes = shape[len(used) :], [], []
    for d, n in enumerate(local):
        names = names_of(spec[d]) if d < len(spec) else ()
        order += [*[used.index(a) for a in names], len(used) + d]
        sizes.append(n * prod([mesh.shape[a] for a in names]))
    if order != sorted(order):
        x = transpose(x, permutation=tuple(order))
    return reshape(x, new_sizes=tuple(sizes), dimensions=None, sharding=None)


def _whole_avals(params) -> list[ShapedArray]:
    pairs = zip(params["jaxpr"].invars, params["in_specs"])
    return [whole_aval(v.aval, s, params["mesh"], params["newly_manual_axes"]) for v, s in pairs]


def _delegated(args, params):
    """Return the program on wholes, and the parameters of a call of it."""
    closed = on_wholes(params, _whole_avals(params))
    return dict(jaxpr=closed, name="shard_map", donated_invars=(False,) * len(args), keep_unused=False, inline=False)


@shard_map_p.evaluate
def _(*buffers, **params):
    return program(on_wholes(params, _whole_avals(params)))(*buffers)


@shard_map_p.eager
def _(args, params):
    mesh, specs = params["mesh"], params["out_specs"]
    if len(params["newly_manual_axes"]) < len(mesh.axis_names):
        avals = shard_map_p.infer((), params)
        by_type = mesh.are_all_axes_explicit
        given = [where.spec if isinstance(where := place_of(x), NamedSharding) else () for x in args]
        specs = [a.sharding.spec for a in avals] if by_type else further_divided(params, given, avals)
    places = tuple([NamedSharding(mesh, s) for s in specs])
    return run_program(_alone(params), args, dict(name="shard_map", out_shardings=places))


def _alone(params: dict) -> ClosedJaxpr:
    """Return the program of this one call."""
    jaxpr = params["jaxpr"]
    key = _alone, params["mesh"], params["in_specs"], params["out_specs"]
    found = jaxpr.cache.get(key)
    if found is None:
        invars, outvars = [Var(a) for a in _whole_avals(params)], [Var(a) for a in shard_map_p.infer((), params)]
        eqn = JaxprEqn(invars, outvars, shard_map_p, params)
        found = jaxpr.cache.keep(key, ClosedJaxpr(Jaxpr([], invars, outvars, [eqn]), ()))
    return found


shard_map_p.expand_rule = lambda *args, **params: jit_p.bind(*args, **_delegated(args, params))


# ---- transformations -----------------------------------------------------------------------------


@contextmanager
def inside(mesh, manual: frozenset, check_vma: bool):
    """The mesh axes are in scope."""
    before = state.axis_env
    axes = [a for a in zip(mesh.axis_names, mesh.axis_sizes) if a[0] in manual]
    state.axis_env = (*before, *([ManualAxis(*a) for a in axes] if check_vma else axes))
    try:
        with named_mesh(mesh_inside(mesh, manual)):
            yield
    finally:
        state.axis_env = before


def inside_call(params: dict):
    return inside(params["mesh"], params["newly_manual_axes"], params["check_vma"])


def closed_call(params: dict) -> ClosedJaxpr:
    """Return the program of one device; the same object each time."""
    return _without_constants(params["jaxpr"])


@fact
def _without_constants(jaxpr: Jaxpr) -> ClosedJaxpr:
    return ClosedJaxpr(jaxpr, ())


@fact
def _lifted(jaxpr: Jaxpr) -> Jaxpr:
    """Return the program with its constants as leading operands."""
    invars = [*jaxpr.constvars, *jaxpr.invars]
    return jaxpr.replace(constvars=[], invars=invars) if jaxpr.constvars else jaxpr


def changed_call(params: dict, closed: ClosedJaxpr, in_specs, out_specs) -> tuple[list, dict]:
    """Return the parameters of a call of another program, and its constants, which become leading operands."""
    lifted = _lifted(closed.jaxpr)
    specs = (*[PartitionSpec()] * len(closed.consts), *in_specs)
    return list(closed.consts), {**params, "jaxpr": lifted, "in_specs": specs, "out_specs": tuple(out_specs)}


def _call(params, closed, args, in_specs, out_specs) -> list:
    consts, changed = changed_call(params, closed, in_specs, out_specs)
    return shard_map_p.bind(*consts, *args, **changed)


@shard_map_p.discharge
def _(args, params):
    ins, n = params["in_specs"], len(params["out_specs"])
    specs = [s for x, s in zip(args, ins) if type(x) is Ref]
    with inside_call(params):
        closed = discharge_refs(closed_call(params))
        closed = _as_divided(closed, n, tuple(specs)) if params["check_vma"] else closed
    outs = _call(params, closed, values_of(args), ins, [*params["out_specs"], *specs])
    store_last(args, outs[n:])
    return outs[:n]


@of_closed
def _as_divided(closed: ClosedJaxpr, start: int, specs: tuple) -> ClosedJaxpr:
    """Return the program whose results from `start` on vary over the mesh axes that divide them."""
    names = [(), *[tuple([n for e in s for n in names_of(e)]) for s in specs]]
    run = lambda *xs: [
        pvary_to(x, names[max(i - start + 1, 0)])
        for i, x in enumerate(eval_jaxpr(closed.jaxpr, closed.consts, *xs))]
    return stage_closed(run, closed.in_avals, closed.debug_info)


def _present(values, flags) -> list:
    return [x for x, flag in zip(values, flags) if flag]


@shard_map_p.jvp
def _(primals, tangents, **params):
    nonzero = tuple([type(t) is not Zero for t in tangents])
    with inside_call(params):
        closed, nonzero_out = jvp_program(closed_call(params), nonzero)
    ins, outs = params["in_specs"], params["out_specs"]
    results = _call(
        params, closed, [*primals, *_present(tangents, nonzero)], [*ins, *_present(ins, nonzero)],
        [*outs, *_present(outs, nonzero_out)],
    )
    n = len(outs)
    avals, ts = shard_map_p.infer((), params), iter(results[n:])
    return results[:n], [next(ts) if nz else Zero(a.to_tangent_aval()) for nz, a in zip(nonzero_out, avals)]


@shard_map_p.linearize
def _(tape, primals, tangents, params):
    nonzero = tuple([type(t) is not Zero for t in tangents])
    n_in, n_out = len(primals), len(params["out_specs"])
    with inside_call(params):
        split = linearize_program(closed_call(params), nonzero)
        made = split.primal.out_avals[n_out:]
        scalars = [i for i, a in enumerate(made) if not a.ndim]
        primal, linear = split.primal, split.linear
        if scalars:
            primal = _without_scalars(primal, n_out)
            extra = [i for i, s in enumerate(split.sources) if s - n_in - n_out in scalars]
            linear = _with_scalars(linear, tuple(extra))
    stacked = [_stacked_spec(a, params) for a in made]
    outs = _call(params, primal, primals, params["in_specs"], [*params["out_specs"], *stacked])
    pool, specs = [*primals, *outs], [*params["in_specs"], *params["out_specs"], *stacked]
    consts, changed = changed_call(
        params, linear, [*[specs[i] for i in split.sources], *_present(params["in_specs"], nonzero)],
        _present(params["out_specs"], split.nonzero_out),
    )
    operands = [*consts, *[pool[i] for i in split.sources], *_present(tangents, nonzero)]
    ts = iter(tape.emit(shard_map_p, operands, changed))
    avals = shard_map_p.infer((), params)
    return outs[:n_out], [
        next(ts) if nz else Zero(a.to_tangent_aval()) for nz, a in zip(split.nonzero_out, avals)
    ]


def _stacked_spec(aval: ShapedArray, params: dict) -> PartitionSpec:
    """Return how residuals of all devices are one array: along the first axis, where they may differ."""
    varying = aval.vma if params["check_vma"] else params["newly_manual_axes"]
    axes = tuple([n for n in params["mesh"].axis_names if n in varying and n in params["newly_manual_axes"]])
    return PartitionSpec(axes) if axes else PartitionSpec()


@of_closed
def _without_scalars(closed: ClosedJaxpr, start: int) -> ClosedJaxpr:
    """Return the program whose results from `start` on are arrays of length 1 where they were scalars."""
    run = lambda *xs: [
        broadcast_in_dim(x, shape=(1,), broadcast_dimensions=(), sharding=None)
        if i >= start and not aval_of(x).ndim else x
        for i, x in enumerate(eval_jaxpr(closed.jaxpr, closed.consts, *xs))]
    return stage_closed(run, closed.in_avals, closed.debug_info)


@of_closed
def _summed(closed: ClosedJaxpr, axes: tuple[tuple, ...]) -> ClosedJaxpr:
    """Return the program whose results are summed over mesh axes, those of each."""
    run = lambda *xs: [
        psum(c, axes=names, axis_index_groups=None) if names else c
        for c, names in zip(eval_jaxpr(closed.jaxpr, closed.consts, *xs), axes)]
    return stage_closed(run, closed.in_avals, closed.debug_info)


@of_closed
def _with_scalars(closed: ClosedJaxpr, positions: tuple[int, ...]) -> ClosedJaxpr:
    """Return the program whose operands at `positions` come as arrays of length 1."""
    avals = [a.update(shape=(1,)) if i in positions else a for i, a in enumerate(closed.in_avals)]
    run = lambda *xs: eval_jaxpr(closed.jaxpr, closed.consts, *[
        squeeze(x, dimensions=(0,)) if i in positions else x for i, x in enumerate(xs)])
    return stage_closed(run, avals, closed.debug_info)


@shard_map_p.transpose
def _(cts, *args, **params):
    mesh, manual = params["mesh"], params["newly_manual_axes"]
    linear = tuple([type(x) is UndefinedPrimal for x in args])
    given = tuple([type(c) is not Zero for c in cts])
    ins, outs = params["in_specs"], params["out_specs"]
    unnamed = lambda spec: tuple([
        n for n in mesh.axis_names if n in manual and not any([n in names_of(e) for e in spec])])
    cts, ct_specs = _present(cts, given), _present(outs, given)
    with inside_call(params):
        closed, nonzero = transpose_program(closed_call(params), linear, given)
        specs = _present(_present(ins, linear), nonzero)
        if not params["check_vma"]:
            # Nothing says which values are the same everywhere: each device takes its share of a cotangent that is,
            # and their sum is the cotangent of an operand that is.
            closed = _summed(closed, tuple(map(unnamed, specs)))
    if not params["check_vma"]:
        shares = [prod([mesh.shape[n] for n in unnamed(s)]) for s in ct_specs]
        cts = [c if n == 1 else div(c, like(c, n)) for c, n in zip(cts, shares)]
    known = [i for i, lin in enumerate(linear) if not lin]
    found = iter(_call(params, closed, [*[args[i] for i in known], *cts], [*[ins[i] for i in known], *ct_specs], specs))
    present = iter(nonzero)
    return [(next(found) if next(present) else Zero(x.aval)) if lin else None for x, lin in zip(args, linear)]


@shard_map_p.prune
def _(params, used):
    program, kept = prune_program(closed_call(params), used)
    if program.jaxpr is params["jaxpr"]:
        return params, (), ()
    ins, outs = _present(params["in_specs"], kept), _present(params["out_specs"], used)
    return {**params, "jaxpr": program.jaxpr, "in_specs": tuple(ins), "out_specs": tuple(outs)}, kept, used


@shard_map_p.batch_axis
def _(axis, args, dims, params):
    over = tuple([n for n in names_of(axis.entry) if n in params["newly_manual_axes"]])
    closed = closed_call(params)
    with inside_call(params):
        if over:  # each device has a part of the batch
            if any([n in over for s in (*params["in_specs"], *params["out_specs"]) for e in s for n in names_of(e)]):
                raise ValueError(
                    message(
                        "vmap spmd_axis_name cannot appear in shard_map in_specs",
                        why=f"Its specs divide values along {', '.join(map(repr, over))} already.",
                        fix="vmap without spmd_axis_name",
                    )
                )
            parts = prod([params["mesh"].shape[n] for n in over])
            if axis.size % parts:
                raise ValueError(
                    message(
                        "shard_map applied to the function that vmap maps was given argument arrays with axis sizes "
                        "that are not evenly divisible by the corresponding mesh axis sizes: the batch has "
                        f"{axis.size} elements, spmd_axis_name={axis.entry!r} has {parts} devices",
                        fix=f"a batch of {-(-axis.size // parts) * parts}, or vmap without spmd_axis_name",
                    )
                )
            rest = tuple([n for n in names_of(axis.entry) if n not in over])
            varies = axis.varies.union(over) if params["check_vma"] else axis.varies
            batched_axis = axis._replace(size=axis.size // parts, division=None, spmd_names=rest, varies=varies)
        else:
            batched_axis = axis
        closed, out_dims = batch_at(closed, batched_axis, tuple(dims))
    ins = [_with_batch(s, d, over) for s, d in zip(params["in_specs"], dims)]
    outs = _call(params, closed, args, ins, [_with_batch(s, d, over) for s, d in zip(params["out_specs"], out_dims)])
    return outs, out_dims


def _with_batch(spec: PartitionSpec, dim: int | None, over: tuple) -> PartitionSpec:
    """Return the spec of a value with a batch axis at `dim`, which is divided along the mesh axes `over`."""
    if dim is None:
        return spec
    entries = [*spec, *[None] * (dim - len(spec))]
    return PartitionSpec(*entries[:dim], over or None, *entries[dim:], unreduced=spec.unreduced, reduced=spec.reduced)
