"""`pmap`: a function mapped over an axis of its arguments, one index on each device.

It is `shard_map` over a mesh of one axis, jitted: each device squeezes the mapped axis out of its part, calls the
function, and puts the axis back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..array.array import as_array
from ..array.sharded_array import ShardedArray, move_array, parts_of, sharded
from ..core.dtypes import float0
from ..core.messages.boundaries import guarded
from ..core.messages.errors import message
from ..core.process.memo import fact
from ..core.trace import state
from ..core.tree.tree import broadcast_prefix, tree_flatten, tree_leaves, tree_map, tree_unflatten
from ..core.types import Array, aval_of
from ..prims.shape import broadcast_in_dim, squeeze
from ..sharding.device import Device, default_devices, devices_of, here
from ..sharding.mesh import Mesh, PartitionSpec
from ..sharding.named_sharding import IndivisibleError, NamedSharding
from ..transforms.flat import function_name, own_doc, own_kind, wraps
from ..transforms.jit.arguments import parameters_of
from ..transforms.jit.jit import Jitted
from .arrays import make_array_from_process_local_data, make_array_from_single_device_arrays
from .shard_map import over_mesh, shard_map_p

__all__ = ["pmap"]

_NAMELESS = "_internal_pmap_axis_name"


def pmap(
    fun: Callable, axis_name: Any = None, *, in_axes: Any = 0, out_axes: Any = 0,
    static_broadcasted_argnums: int | Iterable[int] = (), devices: Sequence[Device] | None = None,
    backend: str | None = None, axis_size: int | None = None, donate_argnums: int | Iterable[int] = (),
) -> Any:
    """Map `fun` over an axis of its arguments, in parallel: index i runs on device i.

    Args:
      fun: a function of arrays or trees of them.
      axis_name: a name for the mapped axis, for collectives such as `lax.psum`.
      in_axes: the axis to map for each positional argument: an int, None (all devices get the whole of it), or a
        tree prefix of the argument. Keyword arguments are mapped over axis 0.
      out_axes: where the mapped axis goes in the results; None for results that are the same on all devices.
      static_broadcasted_argnums: positions of arguments that are compile-time constants.
      devices: the devices to use, by default as many of the first ones as the axis is long.
      backend: the platform whose devices are used.
      axis_size: the length of the axis.
      donate_argnums: positions of arguments whose memory the results may reuse.
    Returns:
      A function of the same arguments. Its results have the mapped axis at `out_axes`, divided over the devices.
    Raises:
      ValueError: the axis is longer than there are devices, or no argument has one.
    See also: `shard_map`, which divides axes of any length over meshes; `vmap`, on one device.

    >>> pmap(lambda x: x / lax.psum(x, "i"), axis_name="i")(jnp.ones(1))
    Array([1.], dtype=float32)
    """
    if not callable(fun):
        raise TypeError(f"Expected a callable value, got {fun!r}")
    axes_in = tuple(in_axes) if isinstance(in_axes, list) else in_axes
    for what, axes in (("in_axes", axes_in), ("out_axes", out_axes)):
        if not all(type(a) is int for a in tree_leaves(axes)):
            raise TypeError(
                f"pmap {what} must be an int, None, or (nested) container with those types as leaves, but got {axes}."
            )
    if devices is not None and not len(devices):
        raise ValueError("'devices' argument to pmap must be non-empty, or None.\n  Try: devices=jax.devices()")
    numbers = lambda n: (n,) if isinstance(n, int) else tuple(n)
    static, donated = numbers(static_broadcasted_argnums), numbers(donate_argnums)
    if backend is not None:
        devices_of(backend)  # RuntimeError for one that is not there
    name = _NAMELESS if axis_name is None else axis_name
    mapping = _Mapping(fun, name, axes_in, out_axes, static, devices, axis_size)

    @wraps(fun, own_doc(fun))
    def on_devices(*args, **kwargs):
        return mapping.call(args, kwargs)

    # Calls tell of static arguments that they lack; others that are not there are not donated.
    mapped = _Pmapped(on_devices, _existing(fun, static), None, _existing(fun, donated), None, name="_fun")
    mapped.mapping, mapped.__wrapped__ = mapping, fun
    return mapped


class _Mapping:
    """A function and the axes over which its calls are mapped. The options are those of `pmap`."""

    __slots__ = ("axes_in", "axis_size", "devices", "fun", "name", "out_axes", "static")

    def __init__(self, fun, name, axes_in, out_axes, static, devices, axis_size):
        self.fun, self.name, self.axes_in, self.out_axes = fun, name, axes_in, out_axes
        self.static, self.devices, self.axis_size = static, devices, axis_size

    def split(self, args):
        """Return the positions of static arguments, the other arguments, and their axes."""
        if any([i >= len(args) for i in self.static]):
            count = f"{len(args)} positional argument{'s' if len(args) != 1 else ''}"
            raise ValueError(
                message(
                    f"pmapped function has static_broadcasted_argnums={self.static} but was called with only {count}. "
                    "All static broadcasted arguments must be passed positionally.",
                    fix="pass the static arguments by position",
                )
            )
        positions = {i % len(args) for i in self.static if -len(args) <= i < len(args)}
        dynamic = [a for i, a in enumerate(args) if i not in positions]
        axes = self.axes_in
        if isinstance(axes, tuple):
            if len(axes) != len(args):
                raise _wrong_length(axes, args)
            axes = tuple([a for i, a in enumerate(axes) if i not in positions])
        return positions, dynamic, axes

    def flat(self, args, kwargs):
        """Return what `split` says of static arguments, then the leaves of the others, their tree and their axes."""
        positions, dynamic, axes = self.split(args)
        leaves, in_tree = tree_flatten((tuple(dynamic), kwargs))
        return positions, leaves, in_tree, _leaf_axes(axes, tuple(dynamic), in_tree, leaves)

    def call(self, args, kwargs):
        """Return the results of a call, each index computed on its device."""
        positions, leaves, in_tree, dims = self.flat(args, kwargs)
        size = _mapped_size(leaves, dims, self.axis_size)
        mesh = _mesh(self.name, size, leaves, dims, self.devices)
        _check_lengths(size, leaves, dims)
        trees: list = []
        zeros: list = []  # shapes of the results that are tangents of integers, of which there is nothing to compute

        def body(*parts):
            parts = iter(parts)
            rows = [_no_tangent(x, d) if _is_no_tangent(x) else next(parts) if d is None else
                    squeeze(next(parts), dimensions=(d,)) for x, d in zip(leaves, dims)]
            values, named = tree_unflatten(in_tree, rows)
            outs, tree = tree_flatten(self.fun(*_merged(args, positions, values), **named))
            zeros[:] = [aval_of(x).shape if _is_no_tangent(x) else None for x in outs]
            outs = [as_array(x) if isinstance(x, np.ndarray) and not _is_no_tangent(x) else x for x in outs]
            places = _out_axes(self.out_axes, tree, outs, self.fun)
            trees[:] = [tree, places]
            return [x if d is None else _with_axis(x, d)
                    for x, d, shape in zip(outs, places, zeros) if shape is None]

        def results(avals):
            return [_spec(d, self.name) for d, shape in zip(trees[1], zeros) if shape is None]

        kept = [(x, d) for x, d in zip(leaves, dims) if not _is_no_tangent(x)]
        values = [x if isinstance(x, Array) else as_array(x) for x, _ in kept]
        specs = [_spec(d, self.name) for _, d in kept]
        found = iter(over_mesh(self.fun, body, values, specs, results, mesh, frozenset(mesh.axis_names), False))
        outs = [
            next(found) if shape is None else np.zeros(shape if d is None else (*shape[:d], size, *shape[d:]), float0)
            for d, shape in zip(trees[1], zeros)
        ]
        return tree_unflatten(trees[0], outs)

    def taken(self, args, kwargs):
        """Return the arguments, those that are over other devices over those of the call, if they lie as it reads them.

        Raises:
          ValueError: an argument that was placed lies otherwise.
        """
        positions, leaves, in_tree, dims = self.flat(args, kwargs)
        size = _mapped_size(leaves, dims, self.axis_size)
        mesh = _mesh(self.name, size, leaves, dims, self.devices)
        _check_lengths(size, leaves, dims)
        there = mesh.devices.ravel().tolist()
        outs = []
        for x, d in zip(leaves, dims):
            if type(x) is ShardedArray and x.is_committed and not x.is_gone:
                where = NamedSharding(mesh, _spec(d, self.name))
                parts = [part for _, part, _ in parts_of(where, x.shape)]
                own = [(device, part) for device, part, _ in parts_of(x.place, x.shape)]
                if [part for _, part in own] != (parts[:1] * len(own) if d is None else parts):
                    raise _lies_otherwise(x, where)
                x = x if [device for device, _ in own] == there else move_array(x, where)
            outs.append(x)
        values, named = tree_unflatten(in_tree, outs)
        return _merged(args, positions, values), named

    def spread(self, args, kwargs):
        """Return the arguments over the devices of all processes, of which these are the part here; the local mesh."""
        there = list(default_devices() if self.devices is None else self.devices)
        positions, leaves, in_tree, dims = self.flat(args, kwargs)
        mesh, size = Mesh(np.array(there, dtype=object), (self.name,)), _mapped_size(leaves, dims, self.axis_size)
        local = mesh.local_mesh
        if size != local.size:
            raise ValueError(
                message(
                    f"pmap over several processes was given {size} indices, and this process has {local.size} devices.",
                    why="Each process gives what its own devices compute.",
                    fix=f"arguments whose mapped axis has length {local.size}",
                )
            )
        outs = [x if _is_no_tangent(x) else _over_all(x, d, NamedSharding(mesh, _spec(d, self.name)))
                for x, d in zip(leaves, dims)]
        values, named = tree_unflatten(in_tree, outs)
        return _merged(args, positions, values), named, local


def _merged(args, positions, values) -> list:
    """Return the arguments with `values` in place of those that are not at these positions, in order."""
    given = iter(values)
    return [a if i in positions else next(given) for i, a in enumerate(args)]


def _existing(fun: Callable, numbers: tuple) -> tuple | None:
    """The positions that a function has among these; None for none."""
    parameters = parameters_of(fun)
    if not parameters or any([p.kind is p.VAR_POSITIONAL for p in parameters]):
        return numbers or None
    n = len([p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)])
    return tuple([i for i in numbers if not isinstance(i, int) or -n <= i < n]) or None


def _over_all(x, d, sharding: NamedSharding) -> Array:
    """An array over the devices of all processes, of which this process has `x`."""
    x = np.asarray(x)
    shape = x.shape if d is None else (*x.shape[:d], sharding.mesh.size, *x.shape[d + 1 :])
    return make_array_from_process_local_data(sharding, x, shape)


def _here(x, local: Mesh) -> Array:
    """The part of an array over the devices of all processes that this process has."""
    if type(x) is not ShardedArray or not isinstance(x.sharding, NamedSharding) or x.is_fully_addressable:
        return x
    spec, count = x.sharding.spec, x.sharding.mesh.size
    shape = tuple([n // count * local.size if e is not None else n for n, e in zip(x.shape, spec)])
    shards = [s.data for s in x.addressable_shards]
    return make_array_from_single_device_arrays((*shape, *x.shape[len(spec) :]), NamedSharding(local, spec), shards)


@own_kind
@guarded
class _Pmapped(Jitted):
    """A function whose results are divided over its own mesh, whatever mesh the operands are over."""

    mapping: _Mapping

    def _call(self, *args, **kwargs):
        devices = self.mapping.devices
        is_here = here.count == 1 or devices is not None and all([d.process_index == here.index for d in devices])
        if is_here or state.trace.stages:
            if any([type(x) is ShardedArray and x.is_committed for x in tree_leaves((args, kwargs))]):
                args, kwargs = self.mapping.taken(args, kwargs)
            return super()._call(*args, **kwargs)
        args, kwargs, local = self.mapping.spread(args, kwargs)
        return tree_map(lambda x: _here(x, local), super()._call(*args, **kwargs))

    def _results(self, entry, outs):
        return [_at(x, place) for x, place in zip(outs, _places(entry.params["jaxpr"].jaxpr))]

    def _promised(self, entry):
        return _places(entry.params["jaxpr"].jaxpr)

    def _again(self, entry, run):
        places = _places(entry.params["jaxpr"].jaxpr)

        def again(args):
            outs = run(args)
            return None if outs is None else [_at(x, place) for x, place in zip(outs, places)]

        return again


_Pmapped.__name__ = _Pmapped.__qualname__ = Jitted.__name__


@fact
def _places(jaxpr) -> list:
    """Return where the results of a mapped program are; None for those that are operands."""
    (eqn,) = [e for e in jaxpr.eqns if e.primitive is shard_map_p]
    mesh, _, specs = eqn.primitive.per_device_rule(eqn.params)
    places = {v: NamedSharding(mesh, spec) for v, spec in zip(eqn.outvars, specs)}
    return [places.get(v) for v in jaxpr.outvars]


def _at(x, sharding):
    """An array at a sharding, mostly an equivalent one."""
    if type(x) is not ShardedArray or sharding is None or x.sharding is sharding:
        return x
    if x.shards is None or not x.sharding.is_equivalent_to(sharding, x.ndim):
        return move_array(x, sharding)
    return sharded(x.shards, x.aval, sharding)


def _is_no_tangent(x) -> bool:
    """Return whether a value is a tangent of integers, which has no numbers."""
    return getattr(x, "dtype", None) == float0


def _no_tangent(x, d):
    """Return one index of a tangent of integers."""
    shape = aval_of(x).shape
    return np.zeros(shape if d is None else (*shape[:d], *shape[d + 1 :]), float0)


def _spec(d, name) -> PartitionSpec:
    return PartitionSpec() if d is None else PartitionSpec(*[None] * d, name)


def _with_axis(x, d):
    """Return one index of the mapped axis, at `d`."""
    shape = aval_of(x).shape
    others = tuple([i for i in range(len(shape) + 1) if i != d])
    return broadcast_in_dim(x, shape=(*shape[:d], 1, *shape[d:]), broadcast_dimensions=others, sharding=None)


def _wrong_length(axes, args) -> ValueError:
    return ValueError(
        message(
            "pytree structure error: different lengths of tuple at key path\n    pmap in_axes[0]\nAt that key path, "
            f"the prefix pytree pmap in_axes has a subtree of type tuple of length {len(axes)}, but the full pytree "
            f"has a subtree of the same type but of length {len(args)}.",
            why="The full pytree is the tuple of arguments passed positionally to the pmapped function.",
            fix="one entry of in_axes for each positional argument",
        )
    )


def _leaf_axes(axes, args, in_tree, leaves) -> list:
    """The axis of each leaf of (args, kwargs), not negative."""
    given = broadcast_prefix(
        axes, args, is_leaf=lambda x: x is None, name="pmap in_axes[0]",
        fix="in_axes that is a tree prefix of the tuple of arguments passed positionally to the pmapped function",
    )
    given += [0] * (in_tree.num_leaves - len(given))
    out = []
    for d, x in zip(given, leaves):
        ndim = aval_of(x).ndim
        if d is not None and not ndim:
            raise ValueError(
                f"pmap requires at least one argument with a mapped axis. in_axes={d} is about an argument of shape ()."
                "\n  Try: in_axes=None for arguments that are the same on every device."
            )
        if d is not None and not -ndim <= d < ndim:
            raise IndexError(
                f"tuple index out of range: pmap maps axis {d} of an argument of shape {aval_of(x).shape}.\n"
                "  Try: in_axes=None for arguments that are the same on every device."
            )
        out.append(None if d is None else d % ndim)
    return out


def _mapped_size(leaves, dims, axis_size) -> int:
    sizes = [aval_of(x).shape[d] for x, d in zip(leaves, dims) if d is not None]
    if not sizes:
        raise ValueError("pmap requires at least one argument with a mapped axis.")
    if not sizes[0]:
        raise ValueError("pmap was given a mapped axis of length 0, for which there is no device.\n"
                         "  Try: an axis that has an index for each device")
    if axis_size is not None and axis_size != sizes[0]:
        raise ValueError(f"Specified axis_size {axis_size} doesn't match received axis_size {sizes[0]}.")
    return sizes[0]


def _check_lengths(size: int, leaves, dims) -> None:
    """ValueError for an argument that has several elements for each device; those that cannot be divided say so."""
    lengths = [(aval_of(x).shape, d) for x, d in zip(leaves, dims) if d is not None]
    for shape, d in lengths:
        if shape[d] > size > 0 and shape[d] % size == 0:
            part = (*shape[:d], shape[d] // size, *shape[d + 1 :])
            raise ValueError(
                message(
                    "cannot select an axis to squeeze out which has size not equal to one, got "
                    f"shape={part} and dimensions={(d,)}",
                    why=f"The mapped axes have lengths {', '.join(str(s[k]) for s, k in lengths)}, and pmap has one "
                    "device for each index of the first.",
                    fix="arguments of one length, or in_axes=None for those that are the same on every device",
                )
            )


def _mesh(name, size, leaves, dims, given) -> Mesh:
    """Return a mesh of one device for each index; the error for too few of them says how to get virtual ones."""
    there = list(default_devices() if given is None else given)
    mesh = Mesh(np.array(there[:size], dtype=object), (name,))
    try:
        for x, d in zip(leaves, dims):
            if d is not None:
                NamedSharding(mesh, _spec(d, name)).check(aval_of(x).shape)
    except IndivisibleError as error:
        if len(there) >= size:
            raise
        raise IndivisibleError(_too_few(str(error).split("\n", 1)[0], size, len(there))) from None
    if len(there) < size:
        what = f"compiling computation that requires {size} logical devices, but only {len(there)} XLA devices are"
        raise ValueError(_too_few(f"{what} available", size, len(there)))
    return mesh


def _lies_otherwise(x, where: NamedSharding) -> ValueError:
    return ValueError(
        message(
            f"Sharding passed to jit does not match the sharding on the respective arg. Got jit sharding: {where},\n"
            f"arg sharding: {x.place} for arg shape: {x.aval.str_short()}",
            why="pmap reads one index of the mapped axis on each device, and all of what is not mapped.",
            fix="numpy.asarray(x) as the argument, or an array that was divided so",
        )
    )


def _too_few(what: str, size: int, there: int) -> str:
    return message(
        what,
        why=f"pmap runs each index of the mapped axis, {size}, on a device of its own, and there are {there}.",
        fix=f"XLA_FLAGS=--xla_force_host_platform_device_count={size} in the environment, or "
        f"config.update('jax_num_cpu_devices', {size}) at the start, for virtual CPU devices; or vmap",
    )


def _out_axes(out_axes, tree, outs, fun) -> list:
    """The place of the mapped axis in each result, not negative, or None."""
    dummy = tree_unflatten(tree, [0] * tree.num_leaves)
    try:
        places = broadcast_prefix(out_axes, dummy, is_leaf=lambda x: x is None)
    except ValueError as error:
        raise ValueError(
            f"pmap out_axes must be a tree prefix of the result of {function_name(fun)}, got {out_axes}.\n  {error}"
        ) from None
    return [None if d is None else _checked_axis(d, aval_of(x).ndim + 1) for d, x in zip(places, outs)]


def _checked_axis(d: int, ndim: int) -> int:
    if not -ndim <= d < ndim:
        raise ValueError(
            message(
                f"axis {d} is out of bounds for array of dimension {ndim}",
                why="It is the axis of a result of the pmapped function that is mapped, in out_axes.",
                fix=f"an axis from {-ndim} to {ndim - 1}",
            )
        )
    return d % ndim
