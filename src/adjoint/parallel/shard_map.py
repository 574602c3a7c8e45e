"""`shard_map`: a function of the parts of arrays, run on each device of a mesh.

The primitive holds the function's program on one device's parts. The devices of a process share its memory, so
the program runs once, on all parts together: along each axis of the mesh it is mapped as by `vmap` with a name,
for which collectives have their rules. That program on whole arrays is also what derivatives and `vmap` see.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod
from typing import Any

from ..array.array import as_array
from ..array.mesh import AbstractMesh, Mesh, PartitionSpec, context_mesh, names_of
from ..array.sharding import NamedSharding
from ..core.errors import message
from ..core.jaxpr import ClosedJaxpr, Literal, eval_jaxpr, sub_jaxprs
from ..core.primitive import Primitive
from ..core.trace import current, stage, stage_closed, state
from ..core.tree import broadcast_prefix, tree_flatten, tree_unflatten
from ..core.types import Array, ShapedArray, aval_of, short_aval
from ..engines.numpy import program
from ..prims.shape import materialise_batch, move_axis, reshape, transpose
from ..prims.sharding import constrained
from ..prims.slicing import slice_ as slice_p
from ..transforms.calls import run_program
from ..transforms.flat import FlatFun, argument_names, debug_info, function_name, wraps
from ..transforms.jit_primitive import jit_p
from ..transforms.programs import hoist
from ..transforms.vmap import Axis, batch_flat

__all__ = ["shard_map", "shard_map_p"]

shard_map_p = Primitive("shard_map", multiple_results=True, program=True)


# ---- shapes of parts -----------------------------------------------------------------------------


def part_aval(aval: ShapedArray, spec, mesh) -> ShapedArray:
    """The type of one device's part."""
    sizes = mesh.shape
    parts = [prod([sizes[n] for n in names_of(e)]) for e in spec]
    parts += [1] * (aval.ndim - len(parts))
    return aval.update(shape=tuple([n // k for n, k in zip(aval.shape, parts)]))


def whole_aval(aval: ShapedArray, spec, mesh) -> ShapedArray:
    """The type of the array whose parts have this type."""
    sizes = mesh.shape
    parts = [prod([sizes[n] for n in names_of(e)]) for e in spec]
    parts += [1] * (aval.ndim - len(parts))
    return aval.update(shape=tuple([n * k for n, k in zip(aval.shape, parts)]))


@shard_map_p.type
def _(*_, jaxpr, mesh, out_specs, **__):
    return [whole_aval(v.aval, s, mesh) for v, s in zip(jaxpr.outvars, out_specs)]


# ---- the program on whole arrays -----------------------------------------------------------------


def on_wholes(params: dict, avals) -> ClosedJaxpr:
    """The call as a program on whole arrays; made once for each."""
    jaxpr = params["jaxpr"]
    key = "on wholes", params["mesh"], params["in_specs"], params["out_specs"]
    found = jaxpr.cache.get(key)
    if found is None:
        run = partial(_on_wholes, jaxpr, params["mesh"], params["in_specs"], params["out_specs"])
        with current(state.bottom):
            found = jaxpr.cache[key] = stage_closed(run, avals)
    return found


def _on_wholes(jaxpr, mesh, in_specs, out_specs, *args) -> list:
    """Divide, run on each device, join."""
    parts, places = [], []
    for x, spec in zip(args, in_specs):
        part, where = _divided(constrained(x, NamedSharding(mesh, spec)), spec, mesh)
        parts.append(part)
        places.append(where)
    body = lambda *xs: eval_jaxpr(jaxpr, (), *xs)
    outs = _mapped(body, parts, places, list(zip(mesh.axis_names, mesh.axis_sizes)), out_specs)
    return [constrained(_joined(x, s, mesh), NamedSharding(mesh, s)) for x, s in zip(outs, out_specs)]


def _divided(x, spec, mesh) -> tuple[Any, list]:
    """`x` with an axis for each mesh axis in `spec`, before the axis it divides; and whose each axis is."""
    shape, whose, sizes = [], [], mesh.shape
    for d, n in enumerate(x.shape):
        names = names_of(spec[d]) if d < len(spec) else ()
        shape += [*[sizes[a] for a in names], n // prod([sizes[a] for a in names])]
        whose += [*names, None]
    return reshape(x, new_sizes=tuple(shape), dimensions=None, sharding=None), whose


def _mapped(body, parts, places, axes, out_specs) -> list:
    """Results of `body` on every device; the mesh axes that a result's spec has come first, in their order."""
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
    """Where devices may differ but the result has no axis for them, the first one's value."""
    shape = aval_of(x).shape
    limits = tuple([1 if i == d else n for i, n in enumerate(shape)])
    x = slice_p(x, start_indices=(0,) * len(shape), limit_indices=limits, strides=None)
    return reshape(x, new_sizes=shape[:d] + shape[d + 1 :], dimensions=None, sharding=None)


def _joined(x, spec, mesh):
    """The array of which `x` has the parts, along leading mesh axes."""
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
    return [whole_aval(v.aval, s, params["mesh"]) for v, s in zip(params["jaxpr"].invars, params["in_specs"])]


def _delegated(args, params):
    """The program on wholes, and the parameters of a call of it."""
    closed = on_wholes(params, _whole_avals(params))
    return dict(jaxpr=closed, name="shard_map", donated_invars=(False,) * len(args), keep_unused=False, inline=False)


@shard_map_p.evaluate
def _(*buffers, **params):
    return program(on_wholes(params, _whole_avals(params)))(*buffers)


@shard_map_p.eager
def _(args, params):
    places = tuple([NamedSharding(params["mesh"], s) for s in params["out_specs"]])
    return run_program(_delegated(args, params)["jaxpr"], args, dict(name="shard_map", out_shardings=places))


shard_map_p.expand_rule = lambda *args, **params: jit_p.bind(*args, **_delegated(args, params))


@shard_map_p.jvp
def _(primals, tangents, **params):
    return jit_p.jvp_rule(primals, tangents, **_delegated(primals, params))


@shard_map_p.linearize
def _(tape, primals, tangents, params):
    return jit_p.linearize_rule(tape, primals, tangents, _delegated(primals, params))


@shard_map_p.transpose
def _(cts, *args, **params):
    closed = on_wholes(params, _whole_avals(params))
    return jit_p.transpose_rule(cts, *args, jaxpr=closed, name="shard_map", keep_unused=False, inline=False)


@shard_map_p.batch_axis
def _(axis, args, dims, params):
    return jit_p.batch_axis_rule(axis, args, dims, _delegated(args, params))


# ---- the function --------------------------------------------------------------------------------


def shard_map(
    f: Callable | None = None, /, *, out_specs: Any, in_specs: Any, mesh: Mesh | AbstractMesh | None = None,
    axis_names: Any = frozenset(), check_vma: bool = True,
) -> Any:
    """Map `f` over the devices of a mesh: each calls it with its parts of the arguments.

    Args:
      f: a function of arrays or trees of them; collectives in it name axes of the mesh.
      in_specs: how each argument is divided, a tree of specs that is a prefix of the arguments.
      out_specs: how results are put together; along mesh axes that a spec does not name, they must be equal.
      mesh: the devices, those of the mesh that was set by default.
      check_vma: check that results are equal where `out_specs` says so.
    Raises:
      ValueError: an axis is not divisible by the mesh axes of its spec; a spec does not fit; results differ.

    >>> mesh = make_mesh((1,), ("i",))
    >>> shard_map(lambda x: x - lax.pmean(x, "i"), mesh=mesh, in_specs=P("i"), out_specs=P("i"))(jnp.ones(2))
    Array([0., 0.], dtype=float32)
    """
    if f is None:
        return partial(
            shard_map, out_specs=out_specs, in_specs=in_specs, mesh=mesh, axis_names=axis_names, check_vma=check_vma
        )

    @wraps(f)
    def mapped(*args):
        found = mesh if mesh is not None else context_mesh()
        if found is None:
            raise ValueError("The context mesh cannot be empty. Use `jax.set_mesh(mesh)` to enter into a mesh context")
        return _called(f, args, found, in_specs, out_specs, check_vma)

    return mapped


def _called(f, args, mesh, in_specs, out_specs, check_vma):
    leaves, in_tree = tree_flatten((args, {}))
    specs = _broadcast(in_specs, args, "in_specs")
    values = [x if isinstance(x, Array) else as_array(x) for x in leaves]
    _check_inputs(f, in_tree, values, specs, mesh)
    flat = FlatFun(f, in_tree, "shard_map")

    def results(avals):
        outs = tree_unflatten(flat.out_tree, [0] * flat.out_tree.num_leaves)
        found = _broadcast(out_specs, outs, "out_specs")
        _check_outputs(f, avals, found, mesh)
        return found

    outs = over_mesh(f, flat, values, specs, results, mesh, check_vma, debug_info("shard_map", f, in_tree))
    return tree_unflatten(flat.out_tree, outs)


def over_mesh(f, flat, values, specs, results, mesh, check_vma, debug=None) -> list:
    """Bind the call of a flat function on arrays; `results` gives the specs of results, from types of their parts."""
    local = [part_aval(aval_of(x), s, mesh) for x, s in zip(values, specs)]
    before = state.axis_env
    state.axis_env = (*before, *zip(mesh.axis_names, mesh.axis_sizes))
    try:
        jaxpr, consts = stage(flat, local, debug)
    finally:
        state.axis_env = before
    closed, captured = hoist(jaxpr, consts)
    out_specs = results(closed.out_avals)
    in_specs = [PartitionSpec()] * len(captured) + specs
    if check_vma:
        _check_equal(f, closed, in_specs, out_specs, mesh)
    return shard_map_p.bind(
        *captured, *values, jaxpr=closed.jaxpr, mesh=mesh, in_specs=tuple(in_specs), out_specs=tuple(out_specs),
        check_vma=check_vma, newly_manual_axes=frozenset(mesh.axis_names),
    )


def _broadcast(specs, tree, what: str) -> list[PartitionSpec]:
    try:
        return list(broadcast_prefix(specs, tree, is_leaf=lambda s: s is None or isinstance(s, PartitionSpec)))
    except ValueError as error:
        raise ValueError(f"pytree structure error: shard_map {what} must be a tree prefix.\n  {error}") from None


# ---- checks --------------------------------------------------------------------------------------


def _mesh_text(mesh) -> str:
    return (f"The mesh given has shape {tuple(mesh.axis_sizes)} with corresponding axis names "
            f"{tuple(mesh.axis_names)}.")


def _check_names(specs, mesh, what: str) -> None:
    for spec in specs:
        for name in [n for e in spec for n in names_of(e)]:
            if name not in mesh.axis_names:
                raise ValueError(
                    f"shard_map {what} argument must refer to an axis marked as manual "
                    f"({frozenset(mesh.axis_names)}), but:\n\n  {what} refers to {name!r}\n\n"
                    f"Check the {what} values passed to shard_map."
                )


def _check_inputs(f, in_tree, values, specs, mesh) -> None:
    _check_names(specs, mesh, "in_specs")
    name, sizes = function_name(f), mesh.shape
    for i, (x, spec) in enumerate(zip(values, specs)):
        argument = argument_names(f, in_tree)()[i]
        if len(spec) > x.ndim:
            raise ValueError(
                f"shard_map applied to the function '{name}' was given an in_specs entry which is too long to be "
                f"compatible with the corresponding input value from the function:\n\nin_specs is {spec!r} which has "
                f"length {len(spec)}, but {argument} has shape {short_aval(x.aval)}, which has rank {x.ndim} "
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
                    f"{argument} of shape {short_aval(x.aval)} corresponds to in_specs of value {spec!r}, which maps "
                    f"array axis {d} (of size {x.shape[d]}) to mesh axis {axes} (of size {parts}), but {parts} does "
                    f"not evenly divide {x.shape[d]}\n\nArray arguments' axis sizes must be evenly divisible by the "
                    "mesh axis or axes indicated by the corresponding elements of the argument's in_specs entry. "
                    "Consider checking that in_specs are correct, and if so consider changing the mesh axis sizes or "
                    "else padding the input and adapting the function appropriately."
                )


def _check_outputs(f, avals, specs, mesh) -> None:
    _check_names(specs, mesh, "out_specs")
    name = function_name(f)
    for aval, spec in zip(avals, specs):
        if len(spec) > aval.ndim:
            raise ValueError(
                f"shard_map applied to the function '{name}' was given an out_specs entry which is too long to be "
                f"compatible with the corresponding output value from the function:\n\nout_specs is {spec!r} which "
                f"has length {len(spec)}, but {name}(*args) has shape {short_aval(aval)}, which has rank {aval.ndim} "
                f"(and {aval.ndim} < {len(spec)})\n\nEntries in out_specs must be of length no greater than the "
                "number of axes in the corresponding output value.\n\nEither revise the spec to be shorter, or "
                f"modify '{name}' so that its outputs have sufficient rank.\n\nFor scalar values (rank 0), consider "
                "using an out_specs entry of `P()`, where `P = jax.sharding.PartitionSpec`."
            )


def _check_equal(f, closed, in_specs, out_specs, mesh) -> None:
    """ValueError if a result may differ along a mesh axis that its spec does not name."""
    varying = varying_axes(closed.jaxpr, [{n for e in s for n in names_of(e)} for s in in_specs])
    for axes, spec in zip(varying, out_specs):
        named = {n for e in spec for n in names_of(e)}
        if axes - named:
            missing = ", ".join(sorted(map(str, axes - named)))
            raise ValueError(
                message(
                    f"shard_map applied to the function '{function_name(f)}' was given out_specs which require "
                    f"replication which can't be statically inferred given the mesh:\n\n{_mesh_text(mesh)}\n\n"
                    f"out_specs is {spec!r} which implies that the corresponding output value is only varying across "
                    f"mesh axes {{{','.join(map(str, sorted(named, key=str)))}}} and not {{{missing}}}, but it was "
                    f"inferred to be possibly varying over {{{','.join(sorted(map(str, axes)))}}}",
                    why="Check if these output values are meant to be replicated over those mesh axes.",
                    fix="lax.psum or lax.pmean of the result over them, an out_specs entry that names them, or "
                    "check_vma=False",
                )
            )


_UNIFYING = {"psum", "pmax", "pmin"}


def varying_axes(jaxpr, ins: list[set]) -> list[set]:
    """Along which mesh axes each result of a program may differ between devices."""
    env = dict(zip(jaxpr.invars, ins))
    read = lambda v: set() if type(v) is Literal else env.get(v, set())
    for eqn in jaxpr.eqns:
        given, name = [read(v) for v in eqn.invars], eqn.primitive.name
        inner = list(sub_jaxprs(eqn.params))
        if len(inner) == 1 and len(inner[0].invars) == len(given) and name != "scan":
            env.update(zip(eqn.outvars, varying_axes(inner[0], given)))
            continue
        axes = set().union(*given)
        if eqn.primitive.axes_rule is not None and not inner:
            named = set(eqn.primitive.axes_rule(eqn.params))
            axes = axes - named if name in _UNIFYING else axes | named
        for sub in inner:  # loops and branches: all that goes in may come out
            axes = axes.union(*varying_axes(sub, [axes] * len(sub.invars)))
        env.update(dict.fromkeys(eqn.outvars, axes))
    return [read(v) for v in jaxpr.outvars]
