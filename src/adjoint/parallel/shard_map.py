"""`shard_map`: a function of the parts of arrays, run on each device of a mesh.

Here are the function, and the checks of what it is given; `manual.py` has the primitive.

With `check_vma` the types of values inside say along which mesh axes they may differ between devices: `f32[2]{V:x}`.
Operands are made to vary alike by `pvary`, whose transpose is a sum over the devices; so a gradient with respect to
something that is the same everywhere is the sum of what all devices contribute, and is the same everywhere too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod
from typing import Any

import numpy as np

from ..array.array import as_array
from ..core.messages.errors import (
    ConcretizationTypeError,
    TracerArrayConversionError,
    TracerIntegerConversionError,
    message,
)
from ..core.messages.places import DebugInfo
from ..core.trace import stage, staged_scalar, state
from ..core.tree.tree import broadcast_prefix, keystr, tree_flatten, tree_leaves, tree_leaves_with_path, tree_unflatten
from ..core.types import Array, aval_of
from ..core.values.refs import Ref, wrapped
from ..prims.collective import axis_index, cast_along, kind_along, pvary_to, summed
from ..prims.logic import eq, select_n
from ..prims.shape import full
from ..sharding.explicit import sums_of
from ..sharding.mesh import AbstractMesh, AxisType, Mesh, PartitionSpec, context_mesh, names_of
from ..sharding.named_sharding import NamedSharding, check_distinct
from ..transforms.flat import FlatFun, argument_names, debug_info, function_name, wraps
from ..transforms.programs import hoist
from .manual import evaluated, inside, part_aval, shard_map_p

__all__ = ["INFER", "Infer", "shard_map", "shard_map_p"]


# ---- the function --------------------------------------------------------------------------------


class Infer:
    """Arguments are divided as their types say."""

    def __repr__(self):
        return "jax.sharding.Infer"


INFER = Infer()


def shard_map(
    f: Callable | None = None, /, *, out_specs: Any, in_specs: Any = INFER, mesh: Mesh | AbstractMesh | None = None,
    axis_names: Any = frozenset(), check_vma: bool = True,
) -> Any:
    """Map `f` over the devices of a mesh: each calls it with its parts of the arguments.

    Args:
      f: a function of arrays or trees of them; collectives in it name axes of the mesh.
      in_specs: how each argument is divided, a tree of specs that is a prefix of the arguments. What stands under
        None reaches `f` as it is: any object, or an array that is whole on each device. Without `in_specs` arguments
        are divided as their types say, which needs mesh axes of type `Explicit`.
      out_specs: how results are put together; along mesh axes that a spec does not name, they must be equal.
      mesh: the devices, those of the mesh that was set by default.
      axis_names: the mesh axes that `f` maps over, all by default; over the others the compiler divides.
      check_vma: keep account of the mesh axes along which values vary, and check that results are equal where
        `out_specs` says so.
    Returns:
      A function of the same arguments, whose results are put together by `out_specs`; without `f`, a decorator.
    Raises:
      TypeError: a spec is no PartitionSpec; there is none, and the mesh axes are not of type `Explicit`.
      ValueError: an axis is not divisible by the mesh axes of its spec; a spec does not fit; results differ.
    See also: `pmap`, the older form for one axis; `vmap`, for one device.

    >>> mesh = make_mesh((1,), ("i",), axis_types=(AxisType.Auto,))
    >>> shard_map(lambda x: x - lax.pmean(x, "i"), mesh=mesh, in_specs=P("i"), out_specs=P("i"))(jnp.ones(2))
    Array([0., 0.], dtype=float32)
    """
    if f is None:
        return partial(
            shard_map, out_specs=out_specs, in_specs=in_specs, mesh=mesh, axis_names=axis_names, check_vma=check_vma
        )

    _check_arguments(f, mesh, axis_names)

    @wraps(f)
    def mapped(*args):
        return _called(f, args, _mesh_for(mesh, args), in_specs, out_specs, axis_names, check_vma)

    return mapped


def _check_arguments(f, mesh, axis_names) -> None:
    """Raise TypeError for what is no function, no mesh or no set of names."""
    if not callable(f):
        what, fix = "a callable for its first", "shard_map(f, mesh=mesh, in_specs=..., out_specs=...)"
        raise TypeError(message(f"shard_map requires {what} argument, but got {f!r} of type {type(f)}.", fix=fix))
    if mesh is not None and not isinstance(mesh, (Mesh, AbstractMesh)):
        raise TypeError(
            message(
                "shard_map requires a `jax.sharding.Mesh` or a `jax.sharding.AbstractMesh` instance for its second "
                f"argument, but got {mesh!r} of type {type(mesh)}.",
                fix="mesh=jax.make_mesh((8,), ('x',))",
            )
        )
    if not isinstance(axis_names, (frozenset, set)):
        raise TypeError(
            message(
                "`axis_names` argument of shard_map should be of type `frozenset` or `set`. Got type: "
                f"{type(axis_names)}",
                fix=f"axis_names={{{axis_names!r}}}" if isinstance(axis_names, str) else "axis_names={'x'}",
            )
        )


def _mesh_for(given, args):
    """Return the mesh to map over: the given one, with devices if the context or an argument knows them, or the
    context's.
    """
    set_mesh = context_mesh()
    if given is None:
        if set_mesh is None:
            raise ValueError(
                message(
                    "The context mesh cannot be empty. Use `jax.set_mesh(mesh)` to enter into a mesh context",
                    fix="shard_map(f, mesh=jax.make_mesh((n,), ('x',)), ...), or the call in `with set_mesh(mesh):`",
                )
            )
        return set_mesh
    if isinstance(given, Mesh) or isinstance(set_mesh, Mesh) and set_mesh.abstract_mesh == given:
        return given if isinstance(given, Mesh) else set_mesh
    if set_mesh is None and state.trace is state.bottom:
        places = [getattr(x, "sharding", None) for x in tree_leaves(args)]
        found = [s.mesh for s in places if isinstance(s, NamedSharding) and s.mesh.abstract_mesh == given]
        if not found:
            raise ValueError(
                message(
                    "Please pass `jax.Array`s with a `NamedSharding` as input to `shard_map` when passing "
                    "`AbstractMesh` to the mesh argument.",
                    why="An abstract mesh has no devices.", fix="a Mesh as `mesh`, or jax.set_mesh around the call",
                )
            )
        return found[0]
    return given


def _check_context(mesh) -> None:
    """Raise ValueError if another mesh is set than the one to map over."""
    set_mesh = context_mesh()
    if set_mesh is not None and set_mesh.axis_names and set_mesh.abstract_mesh != mesh.abstract_mesh:
        raise ValueError(
            message(
                f"The context mesh {set_mesh.abstract_mesh} should match the mesh passed to shard_map {mesh}",
                why="Inside of a shard_map the mesh in context is that of the call, with axes that are Manual."
                if set_mesh.manual_axes else "A program runs on one mesh, with axes of one type.",
                fix="jax.shard_map without `mesh`, which takes the mesh in context",
            )
        )


def _called(f, args, mesh, in_specs, out_specs, axis_names, check_vma):
    manual = frozenset(axis_names) or frozenset(mesh.axis_names)
    if not manual <= frozenset(mesh.axis_names):
        raise ValueError(
            f"jax.shard_map requires axis_names={manual} to be a subset of "
            f"mesh.axis_names={frozenset(mesh.axis_names)}"
        )
    leaves, in_tree = tree_flatten((args, {}))
    infer = isinstance(in_specs, Infer)
    if not infer:
        _check_specs(in_specs, "in_specs", manual, mesh)
    _check_specs(out_specs, "out_specs", manual, mesh)
    specs = _inferred(leaves, mesh, manual) if infer else _broadcast(in_specs, args, "in_specs")
    mapped = [i for i, spec in enumerate(specs) if spec is not None]
    values = [_as_operand(leaves[i]) for i in mapped]
    specs = [specs[i] for i in mapped]
    every = argument_names(f, in_tree)
    names = lambda: [every()[i] for i in mapped]
    _check_inputs(f, names, values, specs, mesh, manual)
    _check_types(values, specs, mesh, manual)
    flat = FlatFun(f, in_tree, "shard_map")

    def call(*parts):
        given = dict(zip(mapped, parts))
        return flat(*[given.get(i, x) for i, x in enumerate(leaves)])

    def results(avals):
        outs = tree_unflatten(flat.out_tree, [0] * flat.out_tree.num_leaves)
        found = _broadcast(out_specs, outs, "out_specs")
        _check_outputs(f, avals, found, manual)
        return found

    debug = DebugInfo("shard_map", debug_info("shard_map", f, in_tree).func_src_info, names)
    try:
        outs = over_mesh(f, call, values, specs, results, mesh, manual, check_vma, debug)
    except (ConcretizationTypeError, TracerArrayConversionError, TracerIntegerConversionError):
        if state.trace is not state.bottom or not isinstance(mesh, Mesh):
            raise
        outs = evaluated(call, values, specs, results, mesh, manual)  # it reads values that are the same everywhere
    return tree_unflatten(flat.out_tree, outs)


def _as_operand(x):
    """Return `x` as an array or reference; a number in a function that is staged is a literal of its program."""
    if isinstance(x, (Array, Ref)):
        return x
    return staged_scalar(x) if state.trace.stages and isinstance(x, (bool, int, float, complex)) else as_array(x)


def _inferred(leaves, mesh, manual) -> list[PartitionSpec]:
    """Return the specs that the types of the arguments state."""
    kinds = dict(zip(mesh.axis_names, mesh.axis_types))
    if any([kinds[n] is not AxisType.Explicit for n in manual]):
        named = ", ".join([f"AxisType.{kinds[n].name}" for n in mesh.axis_names if n in manual])
        raise TypeError(
            message(
                "shard_map in_specs argument must be a pytree of `jax.sharding.PartitionSpec` instances, but it was "
                f"`None` when axis_names={manual} are of type {named}",
                why="Types say how arrays are divided along Explicit axes only.",
                fix=f"in_specs=P({sorted(manual, key=str)[0]!r}), or a mesh with axis_types=(AxisType.Explicit,)",
            )
        )
    return [_spec_of(aval_of(x), manual) for x in leaves]


def _spec_of(aval, manual) -> PartitionSpec:
    if aval.explicit_sharding is None:
        return PartitionSpec(*[None] * aval.ndim)
    entries = [tuple([n for n in names_of(entry) if n in manual]) for entry in aval.explicit_sharding.spec]
    unreduced, reduced = [sums & manual for sums in sums_of(aval)]
    return PartitionSpec(*[e[0] if len(e) == 1 else e or None for e in entries], unreduced=unreduced, reduced=reduced)


def over_mesh(f, call, values, specs, results, mesh, manual: frozenset, check_vma: bool, debug=None) -> list:
    """Bind the call of a flat function on arrays; `results` gives the specs of results, from types of their parts."""
    _check_context(mesh)
    if len(mesh.shape) < len(mesh.axis_names):
        check_distinct(PartitionSpec(mesh.axis_names), "NamedSharding spec")
    local = [part_aval(aval_of(x), s, mesh, manual, check_vma) for x, s in zip(values, specs)]
    out_specs: list[PartitionSpec] = []

    def run(*parts):
        outs = call(*wrapped([_entered(x, s, check_vma) for x, s in zip(parts, specs)]))
        out_specs[:] = results([aval_of(x) for x in outs])
        outs = [_left(x, s, check_vma) for x, s in zip(outs, out_specs)]
        named = [{n for entry in spec for n in names_of(entry)} for spec in out_specs]
        return [pvary_to(x, names) for x, names in zip(outs, named)] if check_vma else outs

    with inside(mesh, manual, check_vma):
        jaxpr, consts = stage(run, local, debug)
    closed, captured = hoist(jaxpr, consts)
    in_specs = [PartitionSpec()] * len(captured) + specs
    if check_vma:
        _check_equal(f, closed.out_avals, out_specs, mesh, manual)
    return shard_map_p.bind(
        *captured, *values, jaxpr=closed.jaxpr, mesh=mesh, in_specs=tuple(in_specs), out_specs=tuple(out_specs),
        check_vma=check_vma, newly_manual_axes=manual,
    )


def _entered(x, spec, is_checked: bool):
    """Return a part of an argument, as what its spec says: a whole that stands for a sum is one device's, the others
    have 0.
    """
    for n in spec.unreduced:
        x = select_n(eq(axis_index(axis_name=n), np.int32(0)), *[
            pvary_to(v, (n,)) if is_checked else v for v in (full(x.shape, 0, x.dtype), x)])
    if not is_checked:
        return x
    x = cast_along(x, tuple(spec.unreduced), "unreduced") if spec.unreduced else x
    return cast_along(x, tuple(spec.reduced), "reduced") if spec.reduced else x


def _left(x, spec, is_checked: bool):
    """Return a part of a result, added up over the mesh axes over which its spec says that it is unreduced."""
    if is_checked and (known := tuple([n for n in spec.reduced if kind_along(aval_of(x), n) == "reduced"])):
        x = cast_along(x, known, "invarying")
    named = [n for entry in spec for n in names_of(entry)]
    if is_checked and (wrong := [n for n in named if kind_along(aval_of(x), n) == "reduced"]):
        raise ValueError(
            message(
                f"pvary cannot accept args which are reduced. Got {aval_of(x).str_short(True)} and axes={set(wrong)}",
                why="The result is the same on all devices, so it has no parts.",
                fix=f"out_specs=P(..., reduced={{{wrong[0]!r}}})",
            )
        )
    if is_checked and (wrong := [n for n in named if n in sums_of(aval_of(x))[0]]):
        raise ValueError(
            message(
                f"pvary cannot accept args which are unreduced. Got {aval_of(x).str_short(True)} and axes={set(wrong)}",
                why="Each device has a part of a sum, and none a part of the result.",
                fix=f"out_specs=P(..., unreduced={{{wrong[0]!r}}})",
            )
        )
    if not spec.unreduced:
        return x
    return summed(pvary_to(x, spec.unreduced) if is_checked and not spec.unreduced & sums_of(aval_of(x))[0] else x,
                  tuple(spec.unreduced))


def _broadcast(specs, tree, what: str) -> list:
    return broadcast_prefix(specs, tree, is_leaf=partial(_is_spec, what), name=f"shard_map {what}")


def _is_spec(what: str, x) -> bool:
    return isinstance(x, PartitionSpec) or (x is None and what == "in_specs")


def _check_specs(specs, what: str, manual, mesh) -> None:
    """Raise for what is no spec, and for one that speaks of other mesh axes than those that are mapped over."""
    is_spec = partial(_is_spec, what)
    for path, spec in tree_leaves_with_path(specs, is_leaf=is_spec):
        if not is_spec(spec):
            raise TypeError(
                message(
                    f"shard_map {what} argument must be a pytree of `jax.sharding.PartitionSpec` instances, but:\n\n"
                    f"  {what}{keystr(path)} is {spec} of type {type(spec).__name__}",
                    why=f"Check the {what} values passed to shard_map.",
                    fix="P() for what is whole on each device, P('x') for a first axis divided along mesh axis 'x'",
                )
            )
        for kind in ("unreduced", "reduced"):
            if spec is not None and getattr(spec, kind) and not mesh.are_all_axes_explicit:
                raise ValueError(
                    message(
                        f"{kind} in {what} {spec} can only be used when the mesh passed to shard_map contains axis "
                        f"names all of type `Explicit`. Got mesh {mesh}",
                        fix="jax.make_mesh(..., axis_types=(AxisType.Explicit, ...))",
                    )
                )
        for name in [n for entry in spec or () for n in names_of(entry)]:
            if name not in manual:
                raise ValueError(
                    message(
                        f"shard_map {what} argument must refer to an axis marked as manual ({manual}), but:\n\n"
                        f"  {what}{keystr(path)} refers to {name!r}\n",
                        why=f"Check the {what} values passed to shard_map.",
                        fix=f"one of the axes {sorted(manual, key=str)}",
                    )
                )


# ---- checks --------------------------------------------------------------------------------------


def _mesh_text(mesh) -> str:
    return (f"The mesh given has shape {tuple(mesh.axis_sizes)} with corresponding axis names "
            f"{tuple(mesh.axis_names)}.")


def _check_inputs(f, names, values, specs, mesh, manual) -> None:
    name, sizes = function_name(f), mesh.shape
    for i, (x, spec) in enumerate(zip(values, specs)):
        argument = names()[i]
        if len(spec) > x.ndim:
            raise ValueError(
                f"shard_map applied to the function '{name}' was given an in_specs entry which is too long to be "
                f"compatible with the corresponding input value from the function:\n\nin_specs is {spec!r} which has "
                f"length {len(spec)}, but {argument} has shape {x.aval.str_short(True)}, which has rank {x.ndim} "
                f"(and {x.ndim} < {len(spec)})\n\nEntries in in_specs must be of length no greater than the number "
                f"of axes in the corresponding input value.\n\nEither revise the spec to be shorter, or modify "
                f"'{name}' so that its inputs have sufficient rank."
            )
        for d, entry in enumerate(spec):
            parts = prod([sizes[n] for n in names_of(entry)])
            if x.shape[d] % parts:
                axes = ", ".join(map(repr, names_of(entry)))
                raise ValueError(
                    f"shard_map applied to the function '{name}' was given argument arrays with axis sizes that are "
                    f"not evenly divisible by the corresponding mesh axis sizes:\n\n{_mesh_text(mesh)}\n\n"
                    f"{argument} of shape {x.aval.str_short(True)} corresponds to in_specs of value {spec!r}, which "
                    f"maps array axis {d} (of size {x.shape[d]}) to mesh axis {axes} (of size {parts}), but {parts} "
                    f"does not evenly divide {x.shape[d]}\n\nArray arguments' axis sizes must be evenly divisible by "
                    "the mesh axis or axes indicated by the corresponding elements of the argument's in_specs entry. "
                    "Consider checking that in_specs are correct, and if so consider changing the mesh axis sizes or "
                    "else padding the input and adapting the function appropriately."
                )


def _check_types(values, specs, mesh, manual) -> None:
    """Raise ValueError if an argument is divided otherwise than its spec, where its type says how it is."""
    if not mesh.are_all_axes_explicit or len(manual) < len(mesh.axis_names):
        return
    for x, spec in zip(values, specs):
        aval = aval_of(x)
        stated = _spec_of(aval, manual)
        given = spec.update(partitions=(*spec, *[None] * (aval.ndim - len(spec))))
        if given != stated:
            raise ValueError(
                message(
                    f"in_specs passed to shard_map: {given} does not match the specs of the input: {stated} for arg: "
                    f"{aval.str_short()}. `in_specs` is an optional argument so you can omit specifying it and "
                    "shard_map will infer the in_specs from the arguments. If you want to reshard your inputs, you "
                    "can use `jax.reshard` on the arguments and then pass those args to shard_map.",
                    fix=f"jax.reshard(x, {spec}) for the argument, or no in_specs",
                )
            )


def _check_outputs(f, avals, specs, manual) -> None:
    name = function_name(f)
    for aval, spec in zip(avals, specs):
        if len(spec) > aval.ndim:
            raise ValueError(
                f"shard_map applied to the function '{name}' was given an out_specs entry which is too long to be "
                f"compatible with the corresponding output value from the function:\n\nout_specs is {spec!r} which "
                f"has length {len(spec)}, but {name}(*args) has shape {aval.str_short(True)}, which has rank "
                f"{aval.ndim} (and {aval.ndim} < {len(spec)})\n\nEntries in out_specs must be of length no greater "
                "than the number of axes in the corresponding output value.\n\nEither revise the spec to be shorter, "
                f"or modify '{name}' so that its outputs have sufficient rank.\n\nFor scalar values (rank 0), consider "
                "using an out_specs entry of `P()`, where `P = jax.sharding.PartitionSpec`."
            )


def _check_equal(f, avals, out_specs, mesh, manual) -> None:
    """Raise ValueError if a result may differ along a mesh axis that is mapped over and that its spec does not name."""
    for aval, spec in zip(avals, out_specs):
        named = {n for e in spec for n in names_of(e)}
        differs = aval.vma.union(*sums_of(aval))
        missing = [n for n in mesh.axis_names if n in manual and n in differs and n not in named]
        if not missing:
            continue
        across = f"axis {missing[0]!r}" if len(missing) == 1 else f"axes {tuple(missing)}"
        equal = [str(n) for n in mesh.axis_names if n not in aval.vma]
        inferred = f"could only infer replication over {', '.join(equal)}" if equal else (
            "could not infer replication over any axes")
        raise ValueError(
            message(
                f"shard_map applied to the function '{function_name(f)}' was given out_specs which require "
                f"replication which can't be statically inferred given the mesh:\n\n{_mesh_text(mesh)}\n\n"
                f"out_specs is {spec!r} which implies that the corresponding output value is replicated across mesh "
                f"{across}, but {inferred}",
                why="Check if these output values are meant to be replicated over those mesh axes.",
                fix="lax.psum or lax.pmean of the result over them, an out_specs entry that names them, or "
                "check_vma=False",
            )
        )
