"""The devices of this process, and moving arrays to and from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..array.array import ArrayImpl, Pending, as_array
from ..core import dtypes
from ..core.trace import Tracer, state
from ..core.tree.tree import broadcast_prefix, tree_flatten, tree_leaves, tree_map, tree_unflatten
from ..core.types import Array
from ..engines.numpy.checks import transfer
from ..engines.placed.device_put import put, target_of
from ..prims.sharding import layout_constraint
from ..prims.transfer import ArrayCopySemantics
from ..prims.transfer import device_put as device_put_p
from ..sharding.device import Client, Device, MemorySpace, Sharding, devices_of, first_device, here
from ..sharding.layout import Format
from ..sharding.named_sharding import NamedSharding

__all__ = [
    "block_until_ready", "copy_to_host_async", "default_backend", "device_count", "device_get",
    "device_put", "devices", "host_count", "host_id", "host_ids", "live_arrays", "local_device_count",
    "local_devices", "process_count", "process_index", "process_indices",
]


def devices(backend: str | None = None) -> list[Device]:
    """Return all devices of a backend, or of the default one.

    >>> devices()
    [CpuDevice(id=0)]
    """
    return list(devices_of(backend))


def local_devices(
    process_index: int | None = None, backend: str | None = None, host_id: int | None = None
) -> list[Device]:
    """The devices that this process, or another one, can address."""
    index = here.index if process_index is None else process_index
    if not 0 <= index < here.count:
        known = "This is the only process, 0." if here.count == 1 else f"There are {here.count} processes."
        raise ValueError(f"Unknown process_index {process_index}\n  {known}")
    return [d for d in devices(backend) if d.process_index == index]


def device_count(backend: str | None = None) -> int:
    """The number of devices."""
    return len(devices(backend))


def local_device_count(backend: str | None = None) -> int:
    """The number of devices that this process can address."""
    return len(local_devices(backend=backend))


def default_backend() -> str:
    """The platform of the default device.

    >>> default_backend()
    'cpu'
    """
    return first_device.platform


def process_index(backend: str | None = None) -> int:
    """The index of this process among all."""
    return here.index


def process_count(backend: str | None = None) -> int:
    """The number of processes."""
    return here.count


def process_indices(backend: str | None = None) -> list[int]:
    """The indices of all processes."""
    return list(range(here.count))


host_id = process_index
host_count = process_count
host_ids = process_indices


def device_put(
    x: Any, device: Any = None, *, src: Any = None, donate: Any = False, may_alias: Any = None
) -> Any:
    """Put the arrays of a tree on a device, or divide them over several.

    Args:
      x: a tree of arrays, NumPy arrays and scalars.
      device: a device, a sharding, a spec over the mesh that was set, a memory space (`jax.memory.Space.Host`), or
        a tree of them that is a prefix of `x`; None leaves arrays where they are.
      src: where they are, for derivatives.
      donate, may_alias: whether their memory may, or must not, become that of the results; on the CPU it is shared.
    Raises:
      ValueError: `device` is something else, or the sharding does not divide the array.

    >>> device_put(np.ones(2, np.float32))
    Array([1., 1.], dtype=float32)
    """
    leaves, tree = tree_flatten(x)
    n = len(leaves)
    targets = _spread("device", device, x, n)
    donated, alias = _spread("donate", donate, x, n), _spread("may_alias", may_alias, x, n)
    if any([d and a for d, a in zip(donated, alias)]):
        raise ValueError(
            "may_alias and donate cannot be True at the same time.\n  Try: one of them; what is donated is given away, "
            "and what may alias shares its memory"
        )
    if not any([isinstance(leaf, Tracer) for leaf in leaves]):
        if state.trace.guards:
            for leaf, d in zip(leaves, targets):
                transfer(leaf, d)
        outs = [
            _put_in_order(leaf, d) if isinstance(d, Format) else _put(leaf, d, may_share)
            for leaf, d, may_share in zip(leaves, targets, alias)
        ]
        return tree_unflatten(tree, outs)
    orders = [d.layout if isinstance(d, Format) else None for d in targets]
    targets = [_in_program(d.sharding if isinstance(d, Format) else d) for d in targets]
    outs = device_put_p(
        *[leaf if isinstance(leaf, Array) else as_array(leaf) for leaf in leaves],
        devices=tuple(targets), srcs=tuple(_spread("src", src, x, n)),
        copy_semantics=tuple([_semantics(d, a) for d, a in zip(donated, alias)]),
    )
    return tree_unflatten(tree, [
        out if order is None else layout_constraint(out, layout=order) for out, order in zip(outs, orders)
    ])


def _spread(what: str, given, x, n: int) -> list:
    """An argument of `device_put` for each of the `n` leaves."""
    if given is None or isinstance(given, (bool, Device, Sharding)):
        return [given] * n
    return broadcast_prefix(
        given, x, is_leaf=lambda d: d is None, name=f"device_put {what}",
        intro=f"device_put {what} specification must be a tree prefix of the corresponding value; \n",
    )


def _put(leaf, device, may_share: bool | None):
    """An array at its place: itself if it is there already, unless its memory must be its own."""
    if isinstance(device, NamedSharding) and device.spec:
        device.check_rank(np.shape(leaf), "device_put args")
    if isinstance(leaf, ArrayImpl):
        if may_share is False:
            leaf = leaf.clone()
        elif isinstance(device, Sharding) and leaf.committed and leaf.sharding == device:
            return leaf
    return put(leaf, target_of(device))


def _semantics(donate: bool, may_alias: bool | None) -> ArrayCopySemantics:
    if donate:
        return ArrayCopySemantics.DONATE_INPUT
    return ArrayCopySemantics.ALWAYS_COPY if may_alias is False else ArrayCopySemantics.REUSE_INPUT


def _in_program(device):
    """Return what a program says of where a value is to be."""
    return device if device is None or isinstance(device, (Device, MemorySpace)) else target_of(device)


def _put_in_order(leaf, wanted: Format):
    """An array with its axes in the wanted order in memory."""
    leaf = put(leaf, target_of(wanted.sharding))
    return leaf if wanted.layout is None else layout_constraint(leaf, layout=wanted.layout)


def device_get(x: Any) -> Any:
    """The arrays of a tree as NumPy arrays.

    >>> device_get(jnp.ones(2))
    array([1., 1.], dtype=float32)
    """
    return tree_map(_on_host, x)


def _on_host(x):
    """A concrete array or NumPy scalar as a NumPy array; all else, as keys and tracers, is as it is."""
    if isinstance(x, np.generic) or isinstance(x, ArrayImpl) and not dtypes.issubdtype(x.dtype, dtypes.prng_key):
        return np.asarray(x)
    return x


def block_until_ready(x: Any) -> Any:
    """The tree itself, once all of its arrays are computed."""
    pending = []
    for leaf in tree_leaves(x):
        if type(leaf) is Pending:
            pending.append(leaf._result)
        elif isinstance(leaf, ArrayImpl):
            leaf.block_until_ready()
    if pending:
        Pending.wait(pending)
    return x


def copy_to_host_async(x: Any) -> Any:
    """Begin to copy what can be copied to the host: each leaf's own `copy_to_host_async` is called, if it has one.

    >>> copy_to_host_async({"a": jnp.ones(2)})["a"]
    Array([1., 1.], dtype=float32)
    """
    for leaf in tree_leaves(x):
        begin = getattr(leaf, "copy_to_host_async", None)
        if begin is not None:
            begin()
    return x


def live_arrays(platform: str | None = None) -> list[Array]:
    """Return all arrays that have not been freed."""
    return Client.live_arrays(devices_of(platform)[0].client)


