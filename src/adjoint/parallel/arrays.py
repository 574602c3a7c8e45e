"""Arrays over several devices, made of their parts, and constraints on how values are laid out.

Tests: `tests/parallel/test_sharding.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..array.array import ArrayImpl, as_array
from ..array.sharded_array import ShardedArray, move_array, parts_of, place, sharded
from ..core.dtypes import KeyDType, canonicalize_dtype
from ..core.messages.errors import message
from ..core.tree.tree import broadcast_prefix, tree_flatten, tree_map, tree_unflatten
from ..core.types import Array, ShapedArray, aval_of
from ..prims.explicit_sharding import canonical_explicit_sharding
from ..prims.sharding import constrained, resharded
from ..sharding.device import Device, Sharding, here, is_here
from ..sharding.explicit import asked_sharding
from ..sharding.layout import Format
from ..sharding.mesh import (
    AbstractMesh,
    AxisType,
    Mesh,
    PartitionSpec,
    context_mesh,
    entered_mesh,
    names_of,
    use_abstract_mesh,
)
from ..sharding.named_sharding import UNSPECIFIED, NamedSharding
from ..transforms.flat import wraps

__all__ = [
    "auto_axes", "explicit_axes", "with_out_sharding",
    "make_array_from_callback", "make_array_from_process_local_data", "make_array_from_single_device_arrays",
    "reshard", "with_sharding_constraint",
]


def make_array_from_callback(
    shape: Sequence[int], sharding: Sharding, data_callback: Callable, dtype: Any = None
) -> Array:
    """Make an array whose parts a function gives, each device's part at a time.

    Args:
      shape: the shape of the whole array.
      sharding: how it is divided.
      data_callback: index (a tuple of slices) -> the values there.
      dtype: the dtype, that of the values by default.
    Returns:
      An array of that shape, divided by `sharding`. The function is asked for what devices of this process hold, and
      once where several hold the same.
    Raises:
      TypeError: `sharding` is no sharding.
      ValueError: the values have another shape or dtype.

    >>> import adjoint
    >>> place = adjoint.sharding.SingleDeviceSharding(adjoint.devices()[0])
    >>> make_array_from_callback((2,), place, lambda index: np.ones(2, np.int32)[index])
    Array([1, 1], dtype=int32)
    """
    if isinstance(sharding, Format):
        sharding = sharding.sharding
    if not isinstance(sharding, Sharding):
        raise TypeError(
            message(
                f"sharding should be an instance of `jax.sharding`. Got {sharding} of type {type(sharding)}",
                fix="SingleDeviceSharding(device), or NamedSharding(mesh, spec)",
            )
        )
    shape, known, parts = tuple(shape), {}, []
    for device, index, _ in parts_of(sharding, shape):
        if not is_here(device):
            continue
        key = tuple([(s.start, s.stop) for s in index])
        if key not in known:
            values = data_callback(index)
            keys = isinstance(values, Array) and isinstance(values.dtype, KeyDType)
            if not keys:
                values = np.asarray(values)
            kind = values.dtype if keys else canonicalize_dtype(dtype or values.dtype)
            if not keys and canonicalize_dtype(values.dtype) != kind:
                raise ValueError(
                    "If `dtype` is provided to `jax.make_array_from_callback`, it must match the dtype of the "
                    f"addressable shards. Got dtype={kind} and shard dtype={values.dtype}`."
                    f"\n  Try: values.astype({kind.name!r}) in the function"
                )
            if values.shape != tuple([s.stop - s.start for s in map(_bounds, index, shape)]):
                raise _wrong_part(sharding, values.shape, ShapedArray(shape, kind))
            known[key] = values._buffer if keys else values.astype(kind)
        parts.append((index, known[key]))
    return _joined(parts, ShapedArray(shape, kind), sharding)


def _bounds(index: slice, n: int) -> slice:
    """Return a slice of an axis of length `n` with both ends."""
    return slice(*index.indices(n)[:2])


def _wrong_part(sharding: Sharding, shape: tuple[int, ...], aval: ShapedArray) -> ValueError:
    part = sharding.shard_shape(aval.shape)  # type: ignore[attr-defined]
    return ValueError(
        message(
            f"Expected shard shape {part} doesn't match the single device array shape {shape}. Shape of Array is "
            f"{aval.str_short()} with sharding {sharding}",
            fix="lambda index: whole[index], in make_array_from_callback",
        )
    )


def _joined(parts: list, aval: ShapedArray, sharding: Sharding) -> Array:
    """Return the array of the parts, (index, values), on the devices of this process."""
    if not sharding.is_fully_addressable:  # type: ignore[attr-defined]
        from ..engines.xla.spmd import put_parts

        return sharded(put_parts([v for _, v in parts], aval, sharding), aval, sharding)  # type: ignore[arg-type]
    first = parts[0][1]
    out = np.empty((*aval.shape, *first.shape[aval.ndim :]), first.dtype)  # keys have an axis of words
    for index, values in parts:
        out[index] = values
    return place(out, aval, sharding)


def make_array_from_single_device_arrays(
    shape: Sequence[int], sharding: Sharding, arrays: Sequence[Array], *, dtype: Any = None
) -> Array:
    """Make an array whose parts are arrays on its devices, in any order.

    Args:
      shape: of the whole.
      sharding: how the whole is divided; it says which part each device holds.
      arrays: an array on each device of this process that the sharding uses, of the shape of a part.
      dtype: of the parts; only needed by a process that has none.
    Returns:
      An array of that shape and of the dtype of the parts.
    Raises:
      ValueError: a part has the wrong shape, or a device has none.

    >>> part = device_put(jnp.arange(2), devices()[0])
    >>> import adjoint
    >>> place = adjoint.sharding.SingleDeviceSharding(adjoint.devices()[0])
    >>> make_array_from_single_device_arrays((2,), place, [part])
    Array([0, 1], dtype=int32)
    """
    if not isinstance(arrays, (list, tuple)):
        raise TypeError(
            message(
                "jax.make_array_from_single_device_arrays `arrays` argument must be a list or tuple, but got "
                f"{type(arrays)}.",
                fix="[s.data for s in x.addressable_shards] for the parts of an array",
            )
        )
    if wrong := [a for a in arrays if not isinstance(a, Array)]:
        raise TypeError(
            message(
                f"Unsupported type for elements in `arrays`: {type(wrong[0])}",
                why="Each of them has to be on one of the devices already.",
                fix="[jax.device_put(part, device) for part, device in zip(parts, devices)]",
            )
        )
    shape, by_device = tuple(shape), {next(iter(a.devices())): a for a in arrays}
    if dtype is None and not arrays:
        raise ValueError(
            message(
                "If the Array has no addressable shards, `dtype` must be provided via the `dtype` argument to "
                "`jax.make_array_from_single_device_arrays`.",
                fix="dtype=jnp.float32, or an array for each device of this process",
            )
        )
    if dtype is not None and arrays and arrays[0].dtype != canonicalize_dtype(dtype):
        raise ValueError(
            "If `dtype` is provided to `jax.make_array_from_single_device_arrays`, it must match the dtype of the "
            f"addressable shards. Got dtype={canonicalize_dtype(dtype)} and shard dtype={arrays[0].dtype}`."
            f"\n  Try: [a.astype({canonicalize_dtype(dtype).name!r}) for a in arrays]"
        )
    dtype = arrays[0].dtype if arrays else canonicalize_dtype(dtype)
    if (other := next((a for a in arrays if a.dtype != dtype), None)) is not None:
        raise ValueError(
            message(
                f"Input buffers to `Array` must have matching dtypes. Got {other.dtype}, expected {dtype} for buffer: "
                f"{other}",
                fix=f"[a.astype({dtype.name!r}) for a in arrays]",
            )
        )
    aval, part = ShapedArray(shape, dtype), sharding.shard_shape(shape)  # type: ignore[attr-defined]
    expected = sum([is_here(d) for d in sharding.device_set])  # type: ignore[attr-defined]
    if expected != len(arrays):
        raise ValueError(
            f"Expected {expected} per-device arrays (this is how many devices are addressable by the sharding), but "
            f"got {len(arrays)}"
        )
    ids = [d.id for a in arrays for d in a.devices()]
    if len(set(ids)) < len(ids):
        raise ValueError(
            message(
                "When making an array from single-device arrays, the input arrays must be from distinct devices, but "
                f"got device IDs {ids}",
                fix="[jax.device_put(part, device) for part, device in zip(parts, devices)]",
            )
        )
    own = {d for d in sharding.device_set if is_here(d)}  # type: ignore[attr-defined]
    if (without := own - by_device.keys()) or by_device.keys() - own:
        shown = lambda devices: "{" + ", ".join(map(str, sorted([d.id for d in devices]))) + "}"
        raise ValueError(
            message(
                "Addressable devices and per-device arrays devices do not match. Sharding contains devices "
                f"{shown(without)} that are not present in per-device arrays. Per-device arrays contain devices "
                f"{shown(by_device.keys() - own)} that are not present in the sharding.",
                fix="jax.device_put(part, device) for each device of the sharding",
            )
        )
    parts = []
    for device, index, _ in parts_of(sharding, shape):
        if not is_here(device):
            continue
        values = by_device[device]
        if values.shape != part:
            raise _wrong_part(sharding, values.shape, aval)
        parts.append((index, values._buffer))  # type: ignore[attr-defined]
    return _joined(parts, aval, sharding)


def make_array_from_process_local_data(
    sharding: Any, local_data: Any, global_shape: Any = None
) -> Any:
    """Make an array of what each process has of it; with one process, of all.

    Args:
      sharding: how the whole is divided over the devices of all processes; for a tree of arrays, a tree that is a
        prefix of it.
      local_data: the part of the whole that the devices of this process have among them, or a tree of such parts; along
        an axis that no other process has a part of, or that `global_shape` gives the same length, the whole axis.
      global_shape: the shape of the whole, or a tree of shapes, inferred by default.
    Returns:
      An array of the global shape and the dtype of `local_data`, divided by `sharding`; or a tree of them.
    Raises:
      ValueError: `local_data` does not fit.

    >>> make_array_from_process_local_data(NamedSharding(make_mesh((1,), ("x",)), P("x")), np.ones(2, np.float32))
    Array([1., 1.], dtype=float32)
    """
    leaves, tree = tree_flatten(local_data)
    shardings = broadcast_prefix(sharding, local_data, is_leaf=lambda s: s is None or isinstance(s, Sharding))
    is_shape = lambda s: s is None or isinstance(s, tuple) and all([n is None or isinstance(n, int) for n in s])
    shapes = broadcast_prefix(global_shape, local_data, is_leaf=is_shape)
    return tree_unflatten(tree, [_of_all(_over_devices(s), x, n) for s, x, n in zip(shardings, leaves, shapes)])


def _over_devices(sharding: Any) -> Sharding:
    """Return the sharding itself, or that of a spec over the mesh that is set."""
    if isinstance(sharding, Sharding):
        return sharding
    if isinstance(sharding, PartitionSpec) and (mesh := context_mesh() or entered_mesh()) is not None:
        return NamedSharding(mesh, sharding)
    raise ValueError(
        message(
            "Please set a mesh via `jax.set_mesh` if a PartitionSpec is passed to device_put"
            if isinstance(sharding, PartitionSpec) else
            f"make_array_from_process_local_data expected a sharding, got {sharding}.",
            why="Specs alone are over the mesh that is set.",
            fix="jax.NamedSharding(mesh, jax.P(...)), or jax.set_mesh(mesh) before",
        )
    )


def _of_all(sharding: Sharding, local_data: Any, global_shape: Sequence[int] | None) -> Array:
    """Return the array of which this process has a part."""
    if isinstance(global_shape, Sequence) and None in global_shape:
        raise ValueError(
            message(
                f"global_shape={tuple(global_shape)} has Nones. This is not supported.",
                why="It says the length of each axis of the whole.",
                fix="global_shape=None, to infer all of it",
            )
        )
    values = np.array(local_data)
    values = values.astype(canonicalize_dtype(values.dtype), copy=False)
    if here.count == 1 or not isinstance(sharding, NamedSharding):
        sharding.check_compatible_aval(values.shape)  # type: ignore[attr-defined]
        if global_shape is not None and values.shape != (
                tuple(global_shape) if isinstance(global_shape, Sequence) else global_shape):
            raise ValueError(
                message(
                    "When calling `make_array_from_process_local_data` on a single process, global_shape should be "
                    f"None or equal to local_data.shape.Got global_shape={global_shape} and "
                    f"local_data.shape={values.shape}.",
                    why="The local data are all there is.", fix=f"global_shape={values.shape}",
                )
            )
        return place(values, aval_of(values), sharding)
    tiling = sharding.tiling(values.ndim)
    mine = [index for device, index, _ in sharding.parts(tuple(tiling)) if is_here(device)]
    shape, starts = [], []
    for d, (n, tiles) in enumerate(zip(values.shape, tiling)):
        at = sorted({i[d].start or 0 for i in mine})
        given = None if global_shape is None else global_shape[d]
        if given == n:
            shape.append(n)
            starts.append(0)
            continue
        size = n * tiles // len(at)
        if n % len(at) or (given is not None and given != size):
            sharding.check_compatible_aval((*[0] * d, size if given is None else given, *[0] * (values.ndim - d - 1)))
            raise ValueError(
                f"Axis {d} of local_data has length {n}, and this process has {len(at)} of the {tiles} parts of it: "
                f"the whole cannot have length {given if given is not None else size}."
            )
        shape.append(size)
        starts.append(at[0] * (size // tiles))
    parts = []
    for device, index, _ in sharding.parts(tuple(shape)):
        if is_here(device):
            local = [slice(None) if s.start is None else slice(s.start - first, s.stop - first)
                     for s, first in zip(index, starts)]
            parts.append((index, values[tuple(local)]))
    return _joined(parts, ShapedArray(tuple(shape), values.dtype), sharding)


def with_sharding_constraint(x: Any, shardings: Any) -> Any:
    """Return the tree itself, with its arrays laid out as `shardings` says; inside `jit`, a hint to the compiler.

    Args:
      x: a tree of arrays.
      shardings: a sharding, a spec over the mesh that was set, or a tree of them that is a prefix of `x`.
    Returns:
      The same values.
    Raises:
      ValueError: a sharding is None and no mesh is set, or one does not divide an array.
      TypeError: one is something else.
      RuntimeError: a spec without a mesh.

    >>> import adjoint
    >>> place = adjoint.sharding.SingleDeviceSharding(adjoint.devices()[0])
    >>> lax.with_sharding_constraint(jnp.ones(2), place)
    Array([1., 1.], dtype=float32)
    """
    leaves, tree = tree_flatten(x)
    targets = broadcast_prefix(
        shardings, x, is_leaf=lambda s: s is None, name="with_sharding_constraint shardings",
        intro="with_sharding_constraint shardings specification must be a tree prefix of the corresponding value; \n",
        fix="one sharding for all, or a tree of them like the first argument",
    )
    return tree_unflatten(tree, [_asserted(leaf, _on_mesh(t)) for leaf, t in zip(leaves, targets)])


def _asserted(x, sharding):
    """Return a value with a constraint; over explicit axes it has to be divided so already."""
    if isinstance(sharding, NamedSharding):
        sharding.check_rank(aval_of(x).shape, "with_sharding_constraint arguments")
    if not isinstance(sharding, NamedSharding):
        return _constrained(x, sharding)
    if not sharding.mesh.are_all_axes_explicit or context_mesh() is None:
        kinds = dict(zip(sharding.mesh.axis_names, sharding.mesh.axis_types))
        if any([kinds[n] is not AxisType.Auto for entry in sharding.spec for n in names_of(entry)]):
            raise ValueError(
                message(
                    "The spec of NamedSharding passed to with_sharding_constraint can only refer to Auto axes of the "
                    f"mesh. Got spec={sharding.spec} and mesh={sharding.mesh.abstract_mesh}. You probably meant to use "
                    "`reshard` API?",
                    why="Over the others values are divided as their types say.",
                    fix=f"jax.reshard(x, {sharding.spec})",
                )
            )
        return _constrained(x, sharding)
    aval = aval_of(x)
    wanted = canonical_explicit_sharding(sharding, aval.shape)
    found = aval.explicit_sharding
    if wanted != found and any([s is not None and s.is_divided for s in (wanted, found)]):
        raise AssertionError(
            message(
                "`with_sharding_constraint` acts as an assert when all axes of mesh are of type `Explicit`. The array "
                f"sharding: {aval.sharding.spec} did not match the sharding provided: {sharding.spec}. Please use "
                "`jax.sharding.reshard` to shard your input to the sharding you want.",
                fix=f"jax.sharding.reshard(x, {sharding.spec})",
            )
        )
    return x


def reshard(xs: Any, out_shardings: Any) -> Any:
    """Return the tree with its arrays divided as `out_shardings` says, now and in their types.

    Args:
      xs: a tree of arrays.
      out_shardings: a sharding, a spec over the mesh that was set, or a tree of them that is a prefix of `xs`.
    Returns:
      The tree, with the same values. Under explicit sharding, types of the arrays name the mesh axes.
    Raises:
      ValueError: one does not divide an array.
    See also: `lax.with_sharding_constraint`, which is a hint to the compiler.

    >>> with set_mesh(make_mesh((1,), ("x",))):
    ...     typeof(reshard(jnp.ones(2), P("x")))
    ShapedArray(float32[2@x])
    """
    leaves, tree = tree_flatten(xs)
    targets = broadcast_prefix(
        out_shardings, xs, is_leaf=lambda s: s is None, name="reshard out_shardings", intro=_misfit(out_shardings, xs),
        fix="one sharding for all, or a tree of them like the first argument",
    )
    return tree_unflatten(tree, [_resharded(leaf, t) for leaf, t in zip(leaves, targets)])


def _misfit(shardings, xs) -> str:
    """Return what is said first of shardings that are no prefix: whether they are a tuple as long as the arrays are."""
    n = len(xs) if isinstance(xs, tuple) else 0 if isinstance(xs, Array) else None
    if isinstance(shardings, tuple) and n in (None, len(shardings)):
        return ""
    problem = (
        f"the wrong length: got a tuple or list of length {len(shardings)} for an args tuple of length {n}."
        if isinstance(shardings, tuple) else f"not a tuple: got {type(shardings)} instead."
    )
    return (
        "reshard out_shardings specification must be a tree prefix of the positional arguments tuple. In particular, "
        "reshard out_shardings must either be a Sharding, a PartitionSpec, or a tuple of length equal to the number of "
        f"positional arguments. But reshard out_shardings is {problem}\n"
    )


def _resharded(x, sharding):
    if sharding is None:
        raise ValueError(
            message(
                "Reshard should only be used with out_shardings which are non-None and have a non-empty mesh. Got "
                "sharding None.",
                fix="jax.P() for an array that is on all devices",
            )
        )
    sharding = asked_sharding("reshard", sharding)
    ndim = aval_of(x).ndim
    if not any(sharding.spec[ndim:]):
        sharding = sharding.update(spec=sharding.spec.update(partitions=sharding.spec[:ndim]))
    canonical_explicit_sharding(sharding.update(mesh=sharding.mesh.abstract_mesh), aval_of(x).shape)
    out = resharded(x, sharding)
    is_whole = isinstance(out, ShardedArray) and isinstance(out.place, NamedSharding)
    if is_whole and not out.place.mesh.are_all_axes_explicit and not (sharding.spec.unreduced or sharding.spec.reduced):
        return move_array(out, out.place.update(spec=out.aval.explicit_sharding.spec if out.aval.explicit_sharding
                                                else PartitionSpec(*[None] * ndim)))
    return out


def _retyped(mesh: Any, axes: Any, kind: AxisType) -> Any:
    """Return the mesh with axes of another type: those named, or all.

    Raises:
      KeyError: the mesh that is set has not such an axis.
    """
    names = mesh.axis_names if axes is None else (axes,) if isinstance(axes, str) else tuple(axes)
    absent = [n for n in names if n not in mesh.axis_names]
    if absent and context_mesh() is not None:
        raise KeyError(
            message(
                f"{absent[0]!r} is no axis of the mesh that is set, {mesh}",
                fix=f"axes={mesh.axis_names[:1]}",
            )
        )
    return mesh.update(axis_types=tuple([kind if n in names else t for n, t in zip(mesh.axis_names, mesh.axis_types)]))


def _mesh_for(given: Any) -> Any:
    """Return the mesh that was set, or that of a sharding that was given; None if there is none."""
    found = context_mesh()
    if found is not None:
        return found
    return next((leaf.mesh for leaf in tree_flatten(given)[0] if isinstance(leaf, NamedSharding)), None)


def auto_axes(f: Any = None, /, *, axes: Any = None, out_sharding: Any = None) -> Any:
    """Let the compiler divide what a function computes over mesh axes that are explicit outside of it.

    Args:
      f: a function of arrays or trees of them; without it, a decorator is returned.
      axes: the names of the mesh axes; default all.
      out_sharding: how the results are divided outside: a sharding, a spec, or a prefix tree of the results. Specs
        are for the mesh that is set; without one the function is called as it is.
    Returns:
      A function of the same arguments and results.
    Raises:
      TypeError: under a mesh with explicit axes, `out_sharding` is not given.
      ValueError: `out_sharding` names an axis that the mesh has not, or one axis twice.

    >>> with set_mesh(make_mesh((1,), ("x",))):
    ...     typeof(auto_axes(lambda x: x * 2, out_sharding=P("x"))(jnp.ones(2)))
    ShapedArray(float32[2@x])
    """
    if f is None:
        return partial(auto_axes, axes=axes, out_sharding=out_sharding)

    @wraps(f)
    def divided(*args, out_sharding=out_sharding, **kwargs):
        mesh = _mesh_for(out_sharding)
        if mesh is None:
            return f(*args, **kwargs)
        auto = _retyped(mesh, axes, AxisType.Auto)
        asked = mesh.axis_names if axes is None else axes if isinstance(axes, (tuple, list, set, frozenset)) else [axes]
        if set(asked) == {n for n, t in zip(mesh.axis_names, mesh.axis_types) if t is AxisType.Auto}:
            return f(*args, **kwargs)
        with use_abstract_mesh(auto):
            outs = f(*tree_map(partial(_typed, mesh=auto), args), **tree_map(partial(_typed, mesh=auto), kwargs))
        if out_sharding is None:
            raise TypeError(
                message(
                    "Missing required keyword argument: 'out_sharding'",
                    why="Outside of the function types say how its results are divided.",
                    fix="auto_axes(f, out_sharding=jax.P(...)), or f(..., out_sharding=jax.P(...))",
                )
            )
        targets = broadcast_prefix(out_sharding, outs, is_leaf=lambda s: s is None)
        leaves, tree = tree_flatten(outs)
        return tree_unflatten(tree, [
            _resharded(x, _over(mesh, s))
            for x, s in zip(leaves, targets)
        ])

    return divided


def _over(mesh, sharding):
    """Return a sharding over the devices of a mesh, if it names no devices of its own."""
    abstract = isinstance(sharding, NamedSharding) and not isinstance(sharding.mesh, Mesh)
    return NamedSharding(mesh, sharding.spec if abstract else sharding) if abstract or isinstance(
        sharding, PartitionSpec) else sharding


def _typed(x, mesh):
    """Return a value whose type says how it is divided over the axes of a mesh that are explicit, and no more."""
    if not isinstance(x, Array):
        return x
    explicit = {n for n, t in zip(mesh.axis_names, mesh.axis_types) if t is AxisType.Explicit}
    spec = x.aval.explicit_sharding.spec if x.aval.explicit_sharding else ()
    return resharded(x, NamedSharding(
        mesh, PartitionSpec(*[tuple([n for n in names_of(e) if n in explicit]) or None for e in spec])
    ))


def with_out_sharding(name: str, out_sharding: Any, f: Callable, *args: Any, **kwargs: Any) -> Any:
    """Return `f(*args, **kwargs)`, of the function `name` of the library, with its result where `out_sharding` says."""
    return auto_axes(f, out_sharding=asked_sharding(name, out_sharding))(*args, **kwargs)


def explicit_axes(f: Any = None, /, *, axes: Any = None, in_sharding: Any = None) -> Any:
    """Make mesh axes explicit inside of a function: types of arrays say how they are divided.

    Args:
      f: a function of arrays or trees of them; without it, a decorator is returned.
      axes: the names of the mesh axes; default all.
      in_sharding: how the operands are divided inside: a sharding, a spec, or a prefix tree of the arguments.
    Returns:
      A function of the same arguments and results.
    Raises:
      ValueError: no mesh is set, when the function is called.

    >>> with set_mesh(make_mesh((1,), ("x",), axis_types=(AxisType.Auto,))):
    ...     explicit_axes(lambda x: (print(typeof(x)), x * 2)[1], in_sharding=P("x"))(jnp.ones(2))
    float32[2@x]
    Array([2., 2.], dtype=float32)
    """
    if f is None:
        return partial(explicit_axes, axes=axes, in_sharding=in_sharding)

    @wraps(f)
    def divided(*args, in_sharding=in_sharding, **kwargs):
        given, mesh = in_sharding, context_mesh()
        if mesh is None:
            raise ValueError(
                message(
                    "Context mesh cannot be empty. Please use `jax.set_mesh` API to enter into a mesh context when "
                    "using `explicit_axes` API.",
                    fix="with jax.set_mesh(mesh): ...",
                )
            )
        if given is None:
            raise TypeError(
                message(
                    "Missing required keyword argument: 'in_sharding'",
                    why="Inside of the function types say how its operands are divided.",
                    fix="explicit_axes(f, in_sharding=jax.P(...)), or f(..., in_sharding=jax.P(...))",
                )
            )
        in_sharding = given if isinstance(given, tuple) or len(args) != 1 else (given,)
        explicit = _retyped(mesh, axes, AxisType.Explicit)
        with use_abstract_mesh(explicit):
            outs = f(*reshard(args, in_sharding), **kwargs)
        return tree_map(partial(_typed, mesh=mesh), outs)

    return divided


def _constrained(x, sharding):
    if isinstance(x, ArrayImpl) or not isinstance(x, Array):
        from .devices import device_put

        if isinstance(sharding, NamedSharding) and isinstance(sharding.mesh, AbstractMesh):
            sharding = _where_it_is(x, sharding)
        sharding.check_compatible_aval(aval_of(x).shape)
        out = constrained(x, sharding)
        return device_put(out, sharding) if isinstance(out, ArrayImpl) else out
    return constrained(x, sharding)


def _where_it_is(x, sharding: NamedSharding) -> NamedSharding:
    """Return a sharding over an abstract mesh as one over the devices of an array."""
    own, aval = as_array(x).sharding, aval_of(x)
    if not isinstance(own, NamedSharding):
        raise TypeError(
            message(
                "The sharding on the input must be a `NamedSharding` since the target sharding has an `AbstractMesh` "
                f"in it. Got sharding type {type(own)} for shape {aval.str_short()}",
                fix="a sharding over the mesh of devices, or an array that was made while the mesh was set",
            )
        )
    if own.mesh.shape_tuple != sharding.mesh.shape_tuple:
        raise ValueError(
            message(
                f"Mesh shape of the input {own.mesh.shape_tuple} does not match the mesh shape of the target sharding "
                f"{sharding.mesh.shape_tuple} for shape {aval.str_short()}",
                fix="a sharding over a mesh of devices",
            )
        )
    return sharding.over_devices(own.mesh.devices)


def _on_mesh(sharding):
    mesh = context_mesh() or entered_mesh()
    if sharding is None and isinstance(mesh, Mesh) and mesh.axis_names:
        sharding = PartitionSpec()
    if sharding is None or sharding is UNSPECIFIED:
        raise ValueError(
            f"One of with_sharding_constraint arguments got sharding {sharding} which is not allowed. "
            "Please only pass `jax.sharding.Sharding` instances."
        )
    if isinstance(sharding, Format):
        sharding = sharding.sharding
    if isinstance(sharding, Sharding):
        return sharding
    if not isinstance(sharding, PartitionSpec):
        raise TypeError(
            message(
                f"shardings leaf specifications are expected to be PartitionSpec instances or None, but got {sharding}",
                fix="jax.sharding.SingleDeviceSharding(device)" if isinstance(sharding, Device) else
                "jax.NamedSharding(mesh, jax.P(...))",
            )
        )
    if mesh is None:
        raise RuntimeError(
            message(
                "with_sharding_constraint requires a non-empty mesh in context if you are passing `PartitionSpec`s to "
                "shardings. You can define a context mesh via `jax.set_mesh(mesh)`. Alternatively, provide `Sharding`s "
                "to shardings and then the mesh context manager is not required.",
                fix="jax.NamedSharding(mesh, spec) in the place of the spec",
            )
        )
    return NamedSharding(mesh, sharding)
