"""Arrays over several devices, made of their parts, and constraints on how values are laid out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..array.array import ArrayImpl
from ..array.device import Device, Sharding, SingleDeviceSharding
from ..array.mesh import PartitionSpec, context_mesh
from ..array.placed import parts_of, place
from ..array.sharding import NamedSharding
from ..core.dtypes import canonicalize_dtype
from ..core.tree import broadcast_prefix, tree_flatten, tree_unflatten
from ..core.types import Array, ShapedArray, aval_of
from ..prims.sharding import constrained

__all__ = [
    "make_array_from_callback", "make_array_from_process_local_data", "make_array_from_single_device_arrays",
    "reshard", "with_sharding_constraint",
]


def make_array_from_callback(
    shape: Sequence[int], sharding: Sharding, data_callback: Callable, dtype: Any = None
) -> Array:
    """An array whose parts a function gives.

    Args:
      shape: the shape of the whole array.
      sharding: how it is divided.
      data_callback: index (a tuple of slices) -> the values there.
      dtype: the dtype, that of the values by default.

    >>> make_array_from_callback((2,), SingleDeviceSharding(devices()[0]), lambda i: np.ones(2, np.int32)[i])
    Array([1, 1], dtype=int32)
    """
    shape, known, out = tuple(shape), {}, None
    for _, index, _ in parts_of(sharding, shape):
        key = tuple([(s.start, s.stop) for s in index])
        if key in known:
            continue
        values = np.asarray(data_callback(index))
        values = known[key] = values.astype(canonicalize_dtype(dtype or values.dtype))
        if out is None:
            out = np.empty(shape, values.dtype)
        out[index] = values
    assert out is not None
    return place(out, ShapedArray(shape, out.dtype), sharding)


def make_array_from_single_device_arrays(
    shape: Sequence[int], sharding: Sharding, arrays: Sequence[Array], *, dtype: Any = None
) -> Array:
    """An array whose parts are arrays on its devices, in any order.

    Raises:
      ValueError: a part has the wrong shape, or a device has none.
    """
    shape, by_device = tuple(shape), {next(iter(a.devices())): a for a in arrays}
    dtype = np.dtype(dtype) if dtype is not None else arrays[0].dtype
    aval, part = ShapedArray(shape, dtype), sharding.shard_shape(shape)  # type: ignore[attr-defined]
    out = np.empty(shape, dtype)
    for device, index, _ in parts_of(sharding, shape):
        if device not in by_device:
            raise ValueError(
                f"Addressable devices and per-device arrays devices do not match. {device} holds a part of "
                f"{sharding}, and none of the {len(arrays)} arrays is on it."
            )
        values = by_device[device]
        if values.shape != part:
            raise ValueError(
                f"Expected shard shape {part} doesn't match the single device array shape {values.shape}. Shape of "
                f"Array is {aval.str_short()} with sharding {sharding}"
            )
        out[index] = values._buffer  # type: ignore[attr-defined]
    return place(out, aval, sharding)


def make_array_from_process_local_data(
    sharding: Sharding, local_data: Any, global_shape: Sequence[int] | None = None
) -> Array:
    """An array of what each process has of it; with one process, of all."""
    values = np.array(local_data)
    values = values.astype(canonicalize_dtype(values.dtype), copy=False)
    sharding.check_compatible_aval(values.shape)  # type: ignore[attr-defined]
    return place(values, aval_of(values), sharding)


def with_sharding_constraint(x: Any, shardings: Any) -> Any:
    """The tree itself, with its arrays laid out as `shardings` says; inside `jit`, a hint to the compiler.

    Args:
      x: a tree of arrays.
      shardings: a sharding, a spec over the mesh that was set, or a tree of them that is a prefix of `x`.
    Raises:
      ValueError: a sharding is None, or does not divide an array.
      TypeError: one is something else.
      RuntimeError: a spec without a mesh.

    >>> lax.with_sharding_constraint(jnp.ones(2), SingleDeviceSharding(devices()[0]))
    Array([1., 1.], dtype=float32)
    """
    leaves, tree = tree_flatten(x)
    targets = broadcast_prefix(shardings, x, is_leaf=lambda s: s is None)
    return tree_unflatten(tree, [_constrained(leaf, _on_mesh(t)) for leaf, t in zip(leaves, targets)])


reshard = with_sharding_constraint


def _constrained(x, sharding):
    if isinstance(x, ArrayImpl) or not isinstance(x, Array):
        from .devices import device_put

        sharding.check_compatible_aval(aval_of(x).shape)
        out = constrained(x, sharding)
        return device_put(out, sharding) if isinstance(out, ArrayImpl) else out
    return constrained(x, sharding)


def _on_mesh(sharding):
    if sharding is None:
        raise ValueError(
            "One of with_sharding_constraint arguments got sharding None which is not allowed. "
            "Please only pass `jax.sharding.Sharding` instances."
        )
    if isinstance(sharding, Device):
        return SingleDeviceSharding(sharding)
    if isinstance(sharding, Sharding):
        return sharding
    if not isinstance(sharding, PartitionSpec):
        raise TypeError(
            f"shardings leaf specifications are expected to be PartitionSpec instances or None, but got {sharding}"
        )
    mesh = context_mesh()
    if mesh is None:
        raise RuntimeError(
            "with_sharding_constraint requires a non-empty mesh in context if you are passing `PartitionSpec`s to "
            "shardings. You can define a context mesh via `jax.set_mesh(mesh)`. Alternatively, provide `Sharding`s "
            "to shardings and then the mesh context manager is not required."
        )
    return NamedSharding(mesh, sharding)
