"""The `lower` rules of what several devices do together: `shard_map` and the collectives in it.

A `shard_map` is a manual computation, whose body is the program of one device. Its collectives name the devices
that take part, in groups, by their numbers in the module.
"""

from __future__ import annotations

from math import prod

import numpy as np

from ....core.effects import ordered_debug_effect
from ....core.jaxpr import ClosedJaxpr
from ....core.messages.errors import message
from ....core.primitive import Primitive
from ....core.types import ShapedArray
from ....prims.arithmetic import add
from ....prims.collective import group_axes
from ....prims.messages import no_messages
from ....prims.tokens import abstract_token
from ....sharding.mesh import AxisType, PartitionSpec, names_of
from ....sharding.named_sharding import NamedSharding
from ...numpy.program import expanded
from ..meshes import axis_texts
from ..rules import lower
from ..stablehlo import Value, Writer, is_ordered, refused_order
from .lowerings import reduced, with_regions
from .windowed import binary


@lower("sharding_constraint")
def _(w: Writer, eqn, operands):
    out = w.constrained(*operands, _beside_type(eqn.params["sharding"], eqn.invars[0].aval))
    w.told.add(out.name)
    return out


def _beside_type(sharding, aval):
    """Return a constraint with the explicit mesh axes that divide a value, which come first.

    Where there are some, the constraint says all of the value: nothing is left to the compiler.
    """
    explicit = aval.explicit_sharding
    if explicit is None or not any(explicit.spec) or not isinstance(sharding, NamedSharding):
        return sharding
    asked = (*sharding.spec, *[None] * (aval.ndim - len(sharding.spec)))
    entries = [(*names_of(own), *names_of(None if e is PartitionSpec.UNCONSTRAINED else e))
               for own, e in zip(explicit.spec, asked)]
    return sharding.update(spec=PartitionSpec(*[e[0] if len(e) == 1 else e or None for e in entries]))


@lower("device_put")
def _(w: Writer, eqn, operands):
    # JAX parity: shardings inside are for the types alone, the compiler is not told.
    return list(operands)


@lower("psend", "precv")
def _(w: Writer, eqn, operands):
    raise no_messages(eqn.primitive.name)


@lower("inspect_sharding")
def _(w: Writer, eqn, operands):
    return []  # asked before the program is compiled: engines/placed/dispatch.py


@lower("reshard")
def _(w: Writer, eqn, operands):
    sharding = eqn.params["dst_sharding"]
    if not sharding.mesh.axis_names:
        return operands[0]
    return w.constrained(*operands, sharding, AxisType.Auto in sharding.mesh.axis_types)


# ---- shard_map -----------------------------------------------------------------------------------


@lower("shard_map")
def _(w: Writer, eqn, operands):
    params, meshes = eqn.params, w.module.meshes
    if meshes is None:  # one device
        return w.program(expanded(eqn), operands)
    mesh, manual = params["mesh"], params["newly_manual_axes"]
    if ordered_debug_effect in params["jaxpr"].effects:
        raise refused_order(mesh.size)
    jaxpr, partial = params["jaxpr"], len(manual | w.module.manual_axes) < len(mesh.axis_names)
    ordered = is_ordered(jaxpr)
    shardings = lambda values, specs: [
        meshes.sharding(mesh, s, v.aval, w.module.manual_axes, partial) for v, s in zip(values, specs)]
    token, no_axes = [w.token] * ordered, [f"<@{meshes.name(mesh)}, []>"] * ordered
    left, results = w.results([*[abstract_token] * ordered, *[v.aval for v in eqn.outvars]])
    outs = results[ordered:]
    within = [Value(w.label("arg"), v.aval) for v in (*token, *jaxpr.invars)]
    inner = within[ordered:]
    names = dict(zip(mesh.axis_names, axis_texts(mesh)))
    axes = ", ".join([f'"{names[n]}"' for n in mesh.axis_names if n in manual])
    w.line(
        f"{left}sdy.manual_computation({', '.join(x.name for x in (*token, *operands))}) "
        f"in_shardings=[{', '.join([*no_axes, *shardings(operands, params['in_specs'])])}] "
        f"out_shardings=[{', '.join([*no_axes, *shardings(outs, params['out_specs'])])}] manual_axes={{{axes}}} "
        f"({', '.join(f'{v.name}: {v.type}' for v in within)}) {{"
    )
    before = w.module.mesh, w.module.manual_axes
    w.module.mesh, w.module.manual_axes = mesh, before[1] | manual
    w.indent += 2
    w.token = within[0] if ordered else w.token
    found = w.program(ClosedJaxpr(jaxpr, ()), inner)
    w.returned([w.token, *found] if ordered else found, "sdy.return")
    w.token = results[0] if ordered else w.token
    w.indent -= 2
    w.module.mesh, w.module.manual_axes = before
    types = ", ".join(x.type for x in results)
    w.line(f"}} : ({', '.join(x.type for x in (*token, *operands))}) -> "
           f"{types if len(results) == 1 else f'({types})'}")
    return outs


# ---- calls of Python ------------------------------------------------------------------------------


@lower("debug_callback", "debug_print", "pure_callback", "io_callback")
def _(w: Writer, eqn, operands):
    if not w.module.manual_axes:
        return w.on_host(eqn, operands)
    if eqn.params.get("sharding") is not None:
        raise NotImplementedError(
            message(
                "callbacks do not support specifying sharding inside spmd computations",
                why="In shard_map each device calls the function.", fix="sharding=None",
            )
        )
    rest = _automatic_axes(w)
    if not rest:
        return w.on_host(eqn, operands)
    if "partitioned" not in eqn.params:  # it has results
        raise NotImplementedError(
            message(
                "callbacks are only supported in spmd computations when all mesh axes are partitioned manually "
                "(no partial automatic sharding).",
                why=f"The compiler divides its operands along {', '.join(map(str, rest))}.",
                fix="shard_map with the call inside, over all axes of the mesh",
            )
        )
    # The first of the devices that share the operands calls, with the whole of them.
    whole = ", ".join([w.module.meshes.sharding(w.module.mesh, (), x.aval) for x in operands])
    inner = [Value(w.label("arg"), x.aval) for x in operands]
    w.line(f"sdy.manual_computation({', '.join(x.name for x in operands)}) in_shardings=[{whole}] out_shardings=[] "
           f"manual_axes={{{_texts(w, rest)}}} ({', '.join(f'{v.name}: {v.type}' for v in inner)}) {{")
    w.indent += 2
    index = _index(w, rest)
    w.line(f'"stablehlo.case"({index.name}) ({{')
    w.indent += 2
    w.on_host(eqn, inner)
    w.returned([])
    w.indent -= 2
    w.line("}, {")
    w.indent += 2
    w.returned([])
    w.indent -= 2
    w.line(f"}}) : ({index.type}) -> ()")
    w.returned([], "sdy.return")
    w.indent -= 2
    w.line(f"}} : ({', '.join(x.type for x in operands)}) -> ()")
    return []


# ---- participants -------------------------------------------------------------------------------


def groups_along(w: Writer, names: tuple, index_groups=None) -> np.ndarray:
    """Return the numbers of the devices, a row for each group; within a row in the order of the named axes."""
    mesh = w.module.mesh
    numbers = w.module.meshes.numbers(mesh)
    along = [mesh.axis_names.index(n) for n in names]
    rest = [i for i in range(numbers.ndim) if i not in along]
    groups = numbers.transpose(*rest, *along).reshape(-1, prod([mesh.axis_sizes[i] for i in along]))
    if index_groups is not None:
        longest = max(map(len, index_groups))  # what is missing in a shorter one is -1
        groups = np.concatenate([
            np.pad(groups[:, list(g)], ((0, 0), (0, longest - len(g))), constant_values=-1) for g in index_groups
        ])
    return groups


def _attributes(w: Writer, groups: np.ndarray) -> str:
    return f"{_channel(w)}, {_replica_groups(groups)}"


def _channel(w: Writer) -> str:
    w.module.channels += 1
    return f"channel_handle = #stablehlo.channel_handle<handle = {w.module.channels}, type = 1>"


def _replica_groups(groups: np.ndarray) -> str:
    return f"replica_groups = dense<{groups.tolist()}> : tensor<{groups.shape[0]}x{groups.shape[1]}xi64>"


def _collective(w: Writer, op: str, x: Value, out: ShapedArray, attributes: str,
                operation: Primitive | None = None) -> Value:
    if operation is not None:
        region = (binary(w, operation), [x.aval.update(shape=())] * 2)
        return with_regions(w, op, [x], attributes, [region], [out])[0]
    value = w.fresh(out)
    w.line(f'{value.name} = "stablehlo.{op}"({x.name}) <{{{attributes}}}> : ({x.type}) -> {value.type}')
    return value


def _reshaped(w: Writer, x: Value, shape) -> Value:
    if x.aval.shape == tuple(shape):
        return x
    return w.op("stablehlo.reshape", [x], x.aval.update(shape=tuple(shape)))


# ---- the collectives -----------------------------------------------------------------------------


@lower("psum", "psum_invariant", "pmax", "pmin")
def _(w, eqn, operands):
    (x,), operation = operands, eqn.primitive.combines_rule
    axes = eqn.params["axes"]
    positions = tuple([a for a in axes if isinstance(a, int)])
    names = tuple([a for a in axes if not isinstance(a, int)])
    if positions:
        part = ShapedArray(tuple([n for d, n in enumerate(x.aval.shape) if d not in positions]), x.aval.dtype)
        x = reduced(w, operation, x, part, positions)
    if not names:
        return x
    groups = groups_along(w, names, eqn.params.get("axis_index_groups"))
    attributes = f"{_attributes(w, groups)}, use_global_device_ids"
    return _collective(w, "all_reduce", x, x.aval, attributes, operation)


@lower("pvary", "pcast", "layout_constraint")
def _(w, eqn, operands):
    return operands[0]


@lower("shard_alike")
def _(w, eqn, operands):
    if w.module.meshes is not None:
        w.module.groups += 1
        for x in operands:
            w.line(f"sdy.sharding_group {x.name} group_id={w.module.groups - 1} : {x.type}")
    return operands


@lower("axis_index")
def _(w, eqn, operands):
    scalar, names = ShapedArray((), np.dtype("int32")), group_axes(eqn.params)
    rest = _automatic_axes(w)
    if not rest:
        return _index(w, names)
    # Which device this is, is said where all axes are manual.
    out = w.fresh(scalar)
    whole = w.module.meshes.sharding(w.module.mesh, (), scalar)
    w.line(f"{out.name} = sdy.manual_computation() in_shardings=[] "
           f"out_shardings=[{whole}] manual_axes={{{_texts(w, rest)}}} () {{")
    w.indent += 2
    w.returned([_index(w, names)], "sdy.return")
    w.indent -= 2
    w.line(f"}} : () -> {out.type}")
    return out


def _automatic_axes(w: Writer) -> list:
    """Return the axes of the mesh over which the program that is being written is divided by the compiler."""
    return [n for n in w.module.mesh.axis_names if n not in w.module.manual_axes]


def _texts(w: Writer, names) -> str:
    texts = dict(zip(w.module.mesh.axis_names, axis_texts(w.module.mesh)))
    return ", ".join([f'"{texts[n]}"' for n in names])


def _index(w: Writer, names) -> Value:
    """Return the index of this device along named axes."""
    numbers, scalar = w.module.meshes.numbers(w.module.mesh), ShapedArray((), np.dtype("int32"))
    unsigned = ShapedArray((), np.dtype("uint32"))
    if len(names) == 1 and (np.diff(numbers.reshape(-1)) == 1).all():  # in order: the number says it
        axis = w.module.mesh.axis_names.index(names[0])
        stride = w.constant(prod(numbers.shape[axis + 1 :]), unsigned)
        size = w.constant(numbers.shape[axis], unsigned)
        number = w.op("stablehlo.partition_id", [], unsigned, pretty=True)
        turns = w.op("stablehlo.divide", [number, stride], unsigned, pretty=True)
        return w.op("stablehlo.convert", [w.op("stablehlo.remainder", [turns, size], unsigned, pretty=True)], scalar)
    places = np.empty(numbers.size, np.int32)
    at = np.indices(numbers.shape).reshape(numbers.ndim, -1)
    index = np.zeros(numbers.size, np.int32)
    for n in names:
        i = w.module.mesh.axis_names.index(n)
        index = index * w.module.mesh.axis_sizes[i] + at[i]
    places[numbers.reshape(-1)] = index
    number = w.op("stablehlo.partition_id", [], unsigned, pretty=True)
    table = w.constant(places, ShapedArray(places.shape, np.dtype("int32")))
    one = w.fresh(ShapedArray((1,), np.dtype("int32")))
    w.line(f"{one.name} = stablehlo.dynamic_slice {table.name}, {number.name}, sizes = [1] : "
           f"({table.type}, {number.type}) -> {one.type}")
    return w.op("stablehlo.reshape", [one], scalar)


@lower("all_gather", "all_gather_invariant")
def _(w, eqn, operands):
    (x,), p = operands, eqn.params
    d = p["all_gather_dimension"]
    out = eqn.outvars[0].aval
    if not p["tiled"]:
        wide = x.aval.update(shape=(*x.aval.shape[:d], 1, *x.aval.shape[d:]))
        kept = [i for i in range(len(wide.shape)) if i != d]
        x = w.op("stablehlo.broadcast_in_dim", [x], wide, f", dims = {kept}")
    groups = groups_along(w, group_axes(p), p.get("axis_index_groups"))
    attributes = f"all_gather_dim = {d} : i64, {_attributes(w, groups)}, use_global_device_ids"
    return _collective(w, "all_gather", x, out, attributes)


@lower("reduce_scatter")
def _(w, eqn, operands):
    (x,), p = operands, eqn.params
    d = p["scatter_dimension"]
    out = eqn.outvars[0].aval
    groups = groups_along(w, group_axes(p), p["axis_index_groups"])
    part = out if p["tiled"] else out.update(shape=(*out.shape[:d], 1, *out.shape[d:]))
    attributes = f"{_attributes(w, groups)}, scatter_dimension = {d} : i64, use_global_device_ids"
    y = _collective(w, "reduce_scatter", x, part, attributes, add)
    return _reshaped(w, y, out.shape)


@lower("all_to_all")
def _(w, eqn, operands):
    (x,), p = operands, eqn.params
    groups = groups_along(w, group_axes(p), p["axis_index_groups"])
    attributes = (
        f"{_channel(w)}, concat_dimension = {p['concat_axis']} : i64, {_replica_groups(groups)}, "
        f"split_count = {groups.shape[1]} : i64, split_dimension = {p['split_axis']} : i64"
    )
    return _collective(w, "all_to_all", x, eqn.outvars[0].aval, attributes)


@lower("ppermute")
def _(w, eqn, operands):
    (x,), p = operands, eqn.params
    names = [n for n in w.module.mesh.axis_names if n in group_axes(p)]  # JAX parity: whatever the order of the names
    pairs = [[int(g[a]), int(g[b])] for g in groups_along(w, tuple(names)) for a, b in p["perm"]]
    attributes = (
        f"{_channel(w)}, source_target_pairs = dense<{pairs if pairs else ''}> : tensor<{len(pairs)}x2xi64>"
    )
    return _collective(w, "collective_permute", x, x.aval, attributes)
