"""Vectorization: `vmap`, and the trace that carries a batch axis.

A batched value is an array with one more axis, at a known position. A primitive's `batch` rule gets the
arrays and the positions (None for values without the axis) and answers alike. A named axis can be reduced
over by collectives, which reach the trace of that name wherever it is in the nest.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..array.array import as_array
from ..core.messages import leaks
from ..core.messages.errors import axis_out_of_range, message, shorten
from ..core.messages.places import Transform
from ..core.options.config import local
from ..core.placement import placements
from ..core.primitive import Primitive
from ..core.process.memo import memoized
from ..core.process.records import NamedTuple
from ..core.state import scoped
from ..core.trace import Trace, Tracer, state
from ..core.tree.paths import keystr
from ..core.tree.tree import broadcast_prefix, tree_flatten, tree_flatten_with_path, tree_leaves, tree_unflatten
from ..core.types import Array, ShapedArray, aval_of
from ..core.values.deferred import Deferred
from ..core.values.refs import AbstractRef, Ref
from ..prims.references import freeze, new_ref, swap
from ..prims.shape import materialise_batch, move_axis
from ..sharding.explicit import explicit_over, with_mapped_axis
from ..sharding.mesh import names_of
from .flat import argument_names, check_callable, check_references, function_name, wraps
from .vmappable import MappableFun, MappedFun, as_size, from_element, is_spec, is_vmappable, to_element, vmappables

__all__ = ["Axis", "BatchTrace", "BatchTracer", "batch_flat", "vmap"]


_VMAP = Transform("vmap")


class Axis(NamedTuple):
    """A mapped axis; `name` is None for a nameless one."""

    name: Any
    size: int
    division: Any = None  # the sharding of the axis alone over explicit mesh axes
    spmd_names: tuple = ()  # the mesh axes over which constraints inside divide it
    varies: frozenset = frozenset()  # the manual mesh axes along which what has it varies: each device has a part

    @property
    def named(self) -> tuple:
        """Return what programs inside see of it: the name and the size."""
        return self.name, self.size

    @property
    def entry(self) -> Any:
        """Return what specs of values with the axis have for it."""
        names = self.spmd_names if self.division is None else names_of(self.division.spec[0])
        return names[0] if len(names) == 1 else names or None


class BatchTracer(Tracer):
    """A value with a batch axis that the program being mapped does not see.

    Made by `vmap`, which calls functions with them.

    >>> _ = vmap(lambda x: print(x) or x)(jnp.ones(3))
    VmapTracer(aval=float32[], batched=float32[3])
    """

    __slots__ = ("dim", "val")

    def describe(self) -> str:
        return f"VmapTracer(aval={self.aval}, batched={self.val.aval})"

    def origin(self) -> str:
        return self.val.origin() if isinstance(self.val, Tracer) else ""


@memoized(4096)  # entries: types are small, and a program has few
def _without_axis(aval: ShapedArray, dim: int) -> ShapedArray:
    """Return the type of one element along an axis."""
    return aval.without_axis(dim)


class BatchTrace(Trace):
    """Adds one axis to everything.

    Args:
      parent: the trace below.
      axis: the axis, its name and its length.

    >>> from adjoint.interpreters import batching
    >>> _ = vmap(lambda x: print(isinstance(x._trace, batching.BatchTrace)) or x)(jnp.ones(3))
    True
    """

    __slots__ = ("axis",)

    maps = True

    def __init__(self, parent, axis: Axis):
        super().__init__(parent)
        self.axis = axis

    def tracer(self, val, dim):
        if dim is None:
            return val
        aval = val.aval if isinstance(val, Array) else aval_of(val)
        t = object.__new__(BatchTracer)
        t._trace, t.val, t.dim, t.aval = self, val, dim, _without_axis(aval, dim)
        return t

    def split(self, x):
        if type(x) is BatchTracer and x._trace is self:
            return x.val, x.dim
        return x, None

    def process(self, p, args, params):
        if self.is_checked:
            args = placements.rules.aligned(p, args, params)
        vals, dims, active = [], [], False
        for a in args:
            if type(a) is BatchTracer and a._trace is self:
                vals.append(a.val)
                dims.append(a.dim)
                active = True
            else:
                vals.append(a)
                dims.append(None)
        vals, dims = tuple(vals), tuple(dims)  # rules of libraries hand them on as JAX's
        if not active and p.axes_rule is not None and self.axis.name is not None:
            active = self.axis.name in p.axes_rule(params)
        rule = p.batch_trace_rule
        before, before_axis = state.trace, state.mapped_over
        state.trace, state.mapped_over = self.parent, self.axis
        try:
            if rule is not None:
                out, dim = rule(self, vals, dims, params)
            elif not active:
                return self.parent.process(p, args, params)
            elif p.batch_axis_rule is not None:
                out, dim = p.batch_axis_rule(self.axis, vals, dims, params)
            elif p.batch_rule is not None:
                out, dim = p.batch_rule(vals, dims, **params)
            else:
                raise NotImplementedError(f"Batching rule for '{p}' not implemented")
        except Exception as error:
            self._say_without_axis(p, args, params, error)
            raise
        finally:
            state.trace, state.mapped_over = before, before_axis
        if p.multiple_results:
            dims = [dim] * len(out) if dim is None or type(dim) is int else dim
            return [self.tracer(x, d) for x, d in zip(out, dims, strict=True)]
        return self.tracer(out, dim)

    def again(self, fun, args, dims) -> list:
        """`batch_flat` in this trace, above what is current now: for functions that may close over values of it."""
        before, before_env, own = state.trace, state.axis_env, (self.parent, self.stages, self.active)
        self.parent, self.stages, self.active = before, before.stages, True
        state.trace = self
        if self.axis.name is not None and self.axis.named not in before_env:
            state.axis_env = (*before_env, self.axis.named)
        try:
            return [self.split(x) for x in fun(*map(self.tracer, args, dims))]
        finally:
            state.trace, state.axis_env = before, before_env
            self.parent, self.stages, self.active = own

    def end(self) -> None:
        """Say that its function has run. Rules that programs keep may hold it, but not what it stood on."""
        self.parent, self.active = None, False

    def _say_without_axis(self, p, args, params, error: Exception) -> None:
        """Raise the error without the mapped axis, if the operands do not fit without it either."""
        if p.type_rule is None or "infer" in vars(p):  # it holds a program, whose errors are its own
            return
        try:
            p.type_rule(*[aval_of(a) for a in args], **params)
        except type(error) as inner:
            raise inner.with_traceback(None) from None
        except Exception:
            return


def batch_flat(fun, axis: Axis, args, dims, enter=BatchTrace.tracer, leave=None) -> list:
    """Results of `fun` (flat in, flat out) as (value, position of the batch axis or None).

    `enter(trace, value, dim)` makes the arguments of one call, `leave(trace, results of one call)` other results.
    """
    trace = BatchTrace(state.trace, axis)
    before, before_env = state.trace, state.axis_env
    state.trace = trace
    if axis.name is not None:
        state.axis_env = (*before_env, axis.named)
    try:
        outs = fun(*[enter(trace, x, d) for x, d in zip(args, dims, strict=True)])
        if local.check_tracer_leaks:
            # Raises: what has no shape is no result, though it holds values of the trace.
            _ = [aval_of(x) for x in outs if isinstance(x, Deferred)]
        outs = [trace.split(x) for x in outs] if leave is None else leave(trace, outs)
    finally:
        state.trace = before
        state.axis_env = before_env
        trace.end()
    if local.check_tracer_leaks:
        leaks.check(trace)
    return outs


def batches_in_trace(p: Primitive) -> Callable:
    """Set the batching rule of a primitive as one of (trace, operands, positions of the batch axis, params).

    It is asked also where no operand has the axis, for what its functions close over may be values of the trace.
    """

    def set_rule(rule: Callable) -> Callable:

        def of_axis(axis, args, dims, params):
            trace = BatchTrace(state.trace, axis)
            try:
                return rule(trace, args, dims, params)
            finally:
                trace.end()

        p.batch_axis(of_axis)
        p.batch_trace(rule)
        return rule

    return set_rule


def batched_aval(aval: ShapedArray, axis: Axis, dim: int | None) -> ShapedArray:
    """The type with a batch axis put in at `dim`."""
    if dim is None:
        return aval
    mapped = with_mapped_axis(aval, dim, axis.size, axis.division)
    return mapped.update(vma=mapped.vma | axis.varies) if axis.varies else mapped


# ---- the user's function -------------------------------------------------------------------------


def vmap(
    fun: Callable, in_axes: Any = 0, out_axes: Any = 0, axis_name: Any = None,
    axis_size: int | None = None, spmd_axis_name: Any = None, sum_match: bool = False,
) -> Callable:
    """Map `fun` over an axis of its arguments, as one program on arrays with one more axis.

    Args:
      fun: a function of arrays or trees of arrays.
      in_axes: the axis to map for each positional argument: an int, None (not mapped), or a tree
        prefix of the argument. Keyword arguments are mapped over axis 0.
      out_axes: where the mapped axis goes in the results: an int or a tree prefix.
      axis_name: a name for the axis, for collectives such as `lax.psum`.
      axis_size: the length of the axis, if no argument is mapped.
      spmd_axis_name: the mesh axes over which sharding constraints inside divide the mapped axis, a name or a tuple.
      sum_match: accepted, as in JAX.
    Returns:
      A function of the same arguments, whose results have one more axis, at `out_axes`.
    Raises:
      ValueError: mapped axes differ in length or in how they are divided, or an axis is out of range.
    Differences: each element of a `while_loop` inside ends when it ends; JAX runs all until the last is done. A slow
      branch of a `cond` inside may be run for the elements alone that take it.
    See also: `lax.map`, for one element after the other; `pmap` and `shard_map`, for devices; `numpy.vectorize`.

    >>> vmap(lambda x, y: x * y, in_axes=(0, None))(jnp.arange(3.), 2.)
    Array([0., 2., 4.], dtype=float32)
    """
    check_callable(fun, "vmap")
    name = function_name(fun)
    spmd = names_of(spmd_axis_name)
    if isinstance(in_axes, list):
        in_axes = tuple(in_axes)
    if not (in_axes is None or type(in_axes) in (int, tuple) or is_spec(in_axes)):
        raise TypeError(
            message(
                "vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments "
                f"passed to the function, but got {in_axes}.",
                fix=f"in_axes=({in_axes},)" if isinstance(in_axes, dict) else "in_axes=0",
            )
        )
    if not all(type(a) is int or is_spec(a) for a in tree_leaves(in_axes)):
        raise TypeError(
            message(
                "vmap in_axes must be an int, None, or (nested) container with those types as leaves, but "
                f"got {in_axes}.",
                fix="in_axes=0, or in_axes=(0, None) for two arguments of which the first is mapped",
            )
        )
    if not all(type(a) is int or is_spec(a) for a in tree_leaves(out_axes)):
        raise TypeError(
            message(
                "vmap out_axes must be an int, None, or (nested) container with those types as leaves, but "
                f"got {out_axes}.",
                fix="out_axes=0, or out_axes=(0, 1) for a pair of results",
            )
        )

    @wraps(fun, lambda name: _mapped_doc(name, fun.__doc__))
    def mapped(*args, **kwargs):
        if isinstance(in_axes, tuple) and len(in_axes) != len(args):
            raise ValueError(
                message(
                    "vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional "
                    f"arguments passed to the function, but got len(in_axes)={len(in_axes)}, "
                    f"len(args)={len(args)}",
                    why="Arguments passed by name are mapped over axis 0 and have no entry." if kwargs else None,
                    fix=f"in_axes={_completed(in_axes, args)}",
                )
            )
        if vmappables:
            leaves, in_tree = tree_flatten((args, kwargs), is_vmappable)
            if Ref not in map(type, leaves):
                given, named = tree_unflatten(in_tree, range(in_tree.num_leaves))
                axes = _leaf_axes(in_axes, given, named, in_tree)
                return _map_types(fun, leaves, in_tree, axes, out_axes, axis_name, axis_size, spmd)
        leaves, in_tree = tree_flatten((args, kwargs))
        axes = _leaf_axes(in_axes, args, kwargs, in_tree)
        values = [x if isinstance(x, Array) or d is None else _as_value(x, fun, in_tree, i)
                  for i, (x, d) in enumerate(zip(leaves, axes))]
        dims = [
            None if d is None else _canonical_axis(d, x, fun, in_tree, i)
            for i, (x, d) in enumerate(zip(values, axes))
        ]
        axis = Axis(axis_name, _mapped_size(values, dims, axis_size, fun, in_tree), *_division(values, dims, spmd))
        flat = MappedFun(fun, in_tree, "vmap")
        with scoped(_VMAP):
            if Ref in map(type, values):
                check_references(fun, "vmap", values, argument_names(fun, in_tree))
                pairs = _batch_with_refs(flat, axis, values, dims)
            else:
                pairs = batch_flat(flat, axis, values, dims)
            targets = _broadcast_out_axes(out_axes, flat.out_tree, name)
            outs = [_place(x, d, t, axis, name, (flat.out_tree, i))
                    for i, ((x, d), t) in enumerate(zip(pairs, targets))]
        for i in flat.references:
            outs[i] = new_ref(outs[i])
        return tree_unflatten(flat.out_tree, outs)

    return mapped


def _completed(in_axes: tuple, args: tuple) -> tuple:
    """Return axes for all arguments: where they lack, 0 if that axis has the length of the mapped ones, else None."""
    lengths = lambda arg, axis: {np.shape(x)[axis : axis + 1 or None] for x in tree_leaves(arg)}
    axes = [axis for axis in zip(args, in_axes) if isinstance(axis[1], int)]
    mapped = set().union(*[lengths(arg, axis) for arg, axis in axes])
    more = [0 if mapped and lengths(arg, 0) == mapped else None for arg in args[len(in_axes) :]]
    return (*in_axes, *more)[: len(args)]


def _mapped_doc(name, doc) -> str:
    what = f"Vectorized version of {name}. Takes the arguments of {name} with additional axes over which it is mapped."
    return f"{what}\n\nOriginal documentation:\n\n{doc}" if doc else what


def _map_types(fun, leaves, in_tree, axes, out_axes, axis_name, axis_size, spmd):
    """The mapped function where arguments or results may be of registered types."""
    values, dims = [], []
    for i, (x, d) in enumerate(zip(leaves, axes)):
        special = type(x) in vmappables
        values.append(x if special or isinstance(x, Array) or d is None else _as_value(x, fun, in_tree, i))
        whole = special or d is None or not isinstance(d, int)
        dims.append(None if whole else _canonical_axis(d, values[-1], fun, in_tree, i))
    mapped = [_part_of(x, d) if type(x) in vmappables else (x, at) for x, d, at in zip(values, axes, dims)]
    size = _mapped_size(*zip(*mapped), as_size(axis_size), fun, in_tree) if mapped else _mapped_size(
        [], [], as_size(axis_size), fun, in_tree)
    given, flat = size if axis_size is None else axis_size, MappableFun(fun, in_tree, "vmap")

    def leave(trace, outs):
        targets = _broadcast_out_axes(out_axes, flat.out_tree, function_name(fun))
        place = lambda i: lambda x, target: _place(
            *trace.split(x), target, trace.axis, function_name(fun), (flat.out_tree, i))
        return [from_element(place(i), given, x, target) for i, (x, target) in enumerate(zip(outs, targets))]

    specs = [d if at is None else at for d, at in zip(axes, dims)]
    arrays = [(x, at) for x, at in mapped if isinstance(at, int)]
    division = _division(*zip(*arrays), spmd) if arrays else (None, spmd)
    with scoped(_VMAP):
        outs = batch_flat(flat, Axis(axis_name, size, *division), values, specs, partial(to_element, given), leave)
    for i in flat.references:
        outs[i] = new_ref(outs[i])
    return tree_unflatten(flat.out_tree, outs)


def _part_of(x, axis):
    """An array inside of a tree of a registered type that has the mapped axis at its full length, and the axis."""
    found = [y for y in tree_flatten(x)[0] if isinstance(y, Array)] if isinstance(axis, int) else []
    found = [y for y in found if y.ndim > axis]
    return (max(found, key=lambda y: y.shape[axis]), axis) if found else (x, None)


def _batch_with_refs(flat, axis: Axis, values, dims) -> list[tuple]:
    """`batch_flat` where arguments are references: those that are mapped are written back at the end."""
    mapped = [type(x) is Ref and d is not None for x, d in zip(values, dims)]

    def run(*args):
        inner = [
            Ref(AbstractRef(aval_of(x)), x, state.trace) if m else x  # type: ignore[arg-type]
            for x, m in zip(args, mapped)
        ]
        return flat(*inner) + [x._refs for x, m in zip(inner, mapped) if m]

    given = [freeze(x) if m else x for x, m in zip(values, mapped)]
    pairs = batch_flat(run, axis, given, dims)
    refs = [(x, d) for x, d, m in zip(values, dims, mapped) if m]
    for (ref, d), (x, at) in zip(refs, pairs[len(pairs) - len(refs) :]):
        swap(ref, None, materialise_batch(x, at, axis.size) if at is None else move_axis(x, at, d))
    return pairs[: len(pairs) - len(refs)]


def _division(values, dims, spmd: tuple) -> tuple:
    """Return how the mapped axis is divided over explicit mesh axes, and over the others inside."""
    where = [(aval_of(x).placement, d) for x, d in zip(values, dims) if d is not None]
    given = [(None if p is None else p.sharding, d) for p, d in where]
    divided = [(s, s.spec[d]) for s, d in given if s is not None and s.spec[d] is not None]
    if not divided:
        return None, spmd
    mesh, entry = divided[0][0].mesh, divided[0][1]
    for s, d in given:
        other = None if s is None else s.spec[d]
        if other != entry:
            first = given[0][0] and given[0][0].spec[given[0][1]]
            second = entry if first is None else other
            raise ValueError(
                message(
                    "Mapped away dimension of inputs passed to vmap should be sharded the same. Got inconsistent axis "
                    f"specs: {first} vs {second}",
                    fix=f"jax.reshard(x, P({entry!r})) of the arguments that are not divided so",
                )
            )
    if spmd and spmd != names_of(entry):
        raise ValueError(
            message(
                "Only one of spmd_axis_name or arrays sharded on `Explicit` mesh axis type is allowed. Got "
                f"spmd_axis_name={spmd} and arrays sharded on explicit_mesh_axis={names_of(entry)}",
                fix="vmap without spmd_axis_name",
            )
        )
    return explicit_over(mesh, (entry,)), ()


def _leaf_axes(in_axes, args, kwargs, in_tree) -> list:
    """The axis of each leaf of (args, kwargs)."""
    if type(in_axes) is int and not kwargs:
        return [in_axes] * in_tree.num_leaves
    axes = broadcast_prefix(
        in_axes, args, is_leaf=lambda x: x is None, name="vmap in_axes",
        intro="vmap in_axes specification must be a tree prefix of the corresponding value; \n",
        fix="one entry for each argument: an int, None, or a tree like the argument",
    )
    return axes + [0] * (in_tree.num_leaves - len(axes))


def _as_value(x, fun, in_tree, i):
    try:
        aval_of(x)
    except TypeError:
        name = argument_names(fun, in_tree)()[i]
        raise TypeError(
            message(
                f"Argument {shorten(x)} of type {type(x)} is not a valid JAX type",
                why=f"It is {name} of {function_name(fun)}, which vmap maps: arrays, scalars, or trees of them.",
                fix=f"close over it, or bind it first: vmap(partial({function_name(fun)}, ...))",
            )
        ) from None
    return as_array(x) if isinstance(x, np.ndarray) else x


def _canonical_axis(d, x, fun, in_tree, i) -> int:
    ndim = aval_of(x).ndim
    if not -ndim <= d < ndim:
        name = argument_names(fun, in_tree)()[i]
        least = d + 1 if d >= 0 else -d
        raise ValueError(
            message(
                f"vmap was requested to map its argument along axis {d}, which implies that its rank "
                f"should be at least {least}, but is only {ndim} (its shape is {aval_of(x).shape})",
                why=f"It is {name} of {function_name(fun)}.",
                fix=f"in_axes=None for {name} if it is the same in every call, or give it that axis",
            )
        )
    return d % ndim


def _shared_arguments(values, dims, in_tree, names) -> str:
    """Return which `in_axes` fit, where one of several arguments that are arrays has another length than the rest."""
    lengths = [None if d is None else x.shape[d] for x, d in zip(values, dims)]
    others = [i for i, n in enumerate(lengths) if n is not None and n != lengths[0]]
    n = len(lengths)
    if tree_unflatten(in_tree, range(n)) != (tuple(range(n)), {}) or len(others) != 1 or dims[0] is None:
        return "in_axes=None for arguments that are the same in every call"
    axes = tuple([None if i == others[0] else d for i, d in enumerate(dims)])
    return f"in_axes={axes}, if {names[others[0]]} is the same in every call"


def _mapped_size(values, dims, axis_size, fun, in_tree) -> int:
    sizes = {x.shape[d] for x, d in zip(values, dims) if d is not None}
    if axis_size is not None:
        sizes.add(axis_size)
    if len(sizes) == 1:
        return sizes.pop()
    if not sizes:
        raise ValueError(
            message(
                "vmap must have at least one non-None value in in_axes or axis_size must be specified" if values else
                "vmap wrapped function must be passed at least one argument containing an array or axis_size must be "
                "specified, got empty *args={} and **kwargs={}".format(*tree_unflatten(in_tree, [])),
                why="Nothing is mapped, so the length of the new axis is not known.",
                fix="in_axes=0 for an argument with the axis, or vmap(f, in_axes=None, axis_size=n)",
            )
        )
    names = argument_names(fun, in_tree)()
    lines = [
        f"  * axis {d} of argument {n} of type {x.aval.str_short(True)} has size {x.shape[d]};"
        for x, d, n in zip(values, dims, names)
        if d is not None
    ]
    if axis_size is not None:
        lines.append(f"  * axis_size is {axis_size};")
    raise ValueError(
        "vmap got inconsistent sizes for array axes to be mapped:\n"
        + "\n".join(lines)
        + f"\n  Try: {_shared_arguments(values, dims, in_tree, names)}, or another axis."
    )


def _broadcast_out_axes(out_axes, out_tree, name) -> list:
    if type(out_axes) is int:
        return [out_axes] * out_tree.num_leaves
    dummy = tree_unflatten(out_tree, [0] * out_tree.num_leaves)
    return broadcast_prefix(
        out_axes, dummy, is_leaf=lambda x: x is None, name="vmap out_axes",
        intro="vmap out_axes specification must be a tree prefix of the corresponding value; \n",
        fix=f"out_axes=0, or an entry for each result of {name}",
    )


def _place(x, d, target, axis, name, where):
    """A result with its batch axis where the caller wants it; `where` is the tree and its number there."""
    if target is None:
        if d is not None:
            tree, i = where
            path = keystr(tree_flatten_with_path(tree_unflatten(tree, range(tree.num_leaves)))[0][i][0])
            what = f"at vmap out_axes{path}, got axis spec None but output was batched on axis {d}"
            if axis.name is not None:
                what = f"vmap has mapped output (axis_name={axis.name}) but out_axes is None"
            raise ValueError(
                f"{what}\n  The result of {name} at out_axes{path} differs between calls, so it needs an axis. "
                "Try: out_axes=0."
            )
        return x if isinstance(x, Array) else as_array(x)
    ndim = aval_of(x).ndim + (d is None)
    if not -ndim <= target < ndim:
        of = f" for {name}, which has {ndim} ax{'i' if ndim == 1 else 'e'}s with the mapped one" if name else ""
        raise axis_out_of_range(target, ndim, fix=f"out_axes=0{of}")
    if d is None:
        return materialise_batch(x, None, axis.size, target % ndim, axis)
    return move_axis(x, d, target % ndim)
