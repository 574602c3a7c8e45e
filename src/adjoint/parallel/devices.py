"""The devices of this process, and moving arrays to and from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..array.array import ArrayImpl, Pending, as_array
from ..core import dtypes
from ..core.messages.errors import message, warn
from ..core.trace import Tracer, state
from ..core.tree.tree import broadcast_prefix, tree_flatten, tree_leaves, tree_map, tree_unflatten
from ..core.types import Array, aval_of
from ..engines.numpy.checks import transfer
from ..engines.placed.device_put import put, target_of
from ..prims.sharding import layout_constraint
from ..prims.transfer import ArrayCopySemantics
from ..prims.transfer import device_put as device_put_p
from ..sharding.device import Client, Device, MemorySpace, Sharding, check_platforms, devices_of, first_device, here
from ..sharding.layout import Format, Layout
from ..sharding.named_sharding import NamedSharding

__all__ = [
    "block_until_ready", "copy_to_host_async", "default_backend", "device_count", "device_get",
    "device_put", "devices", "host_count", "host_id", "host_ids", "live_arrays", "local_device_count",
    "local_devices", "process_count", "process_index", "process_indices",
]


def devices(backend: str | None = None) -> list[Device]:
    """Return all devices of a backend, or of the default one.

    Args:
      backend: a platform, such as "cpu"; the default one if it is None.
    Raises:
      RuntimeError: there is no such platform here.

    >>> devices()
    [CpuDevice(id=0)]
    """
    return list(devices_of(backend))


def local_devices(
    process_index: int | None = None, backend: str | None = None, host_id: int | None = None
) -> list[Device]:
    """Return the devices that this process, or another one, can address.

    Args:
      process_index: of which process; of this one if it is None.
      backend: a platform, such as "cpu"; the default one if it is None.
      host_id: the former name of `process_index`, with a warning.
    Raises:
      ValueError: there is no process of that index.
      RuntimeError: there is no such platform here.

    >>> local_devices()
    [CpuDevice(id=0)]
    """
    if host_id is not None:
        warn("The argument to jax.local_devices has been renamed from `host_id` to `process_index`.")
        process_index = host_id
    index = here.index if process_index is None else process_index
    if not 0 <= index < here.count:
        known = "This is the only process, 0." if here.count == 1 else f"There are {here.count} processes."
        raise ValueError(f"Unknown process_index {process_index}\n  {known}")
    return [d for d in devices(backend) if d.process_index == index]


def device_count(backend: str | None = None) -> int:
    """Return the number of devices, those of other processes included.

    Args:
      backend: a platform, such as "cpu"; the default one if it is None.
    Raises:
      RuntimeError: there is no such platform here.

    >>> device_count() == len(devices())
    True
    """
    return len(devices(backend))


def local_device_count(backend: str | None = None) -> int:
    """Return the number of devices that this process can address.

    Args:
      backend: a platform, such as "cpu"; the default one if it is None.
    Raises:
      RuntimeError: there is no such platform here.

    >>> local_device_count() == len(local_devices())
    True
    """
    return len(local_devices(backend=backend))


def default_backend() -> str:
    """Return the platform of the default device.

    Returns:
      A name: "cpu", "gpu" or "tpu". Options such as `jax_platforms` decide which it is.
    Raises:
      RuntimeError: the platform that an option demands is not there.

    >>> default_backend()
    'cpu'
    """
    check_platforms()
    return first_device.platform


def process_index(backend: str | None = None) -> int:
    """Return the index of this process among all.

    Args:
      backend: a platform that must be there; all platforms have the same processes.
    Returns:
      An int, from 0 on.
    Raises:
      RuntimeError: there is no such platform here.

    >>> process_index()
    0
    """
    _check_backend(backend)
    return here.index


def process_count(backend: str | None = None) -> int:
    """Return the number of processes that share in the devices: 1 without `distributed.initialize`.

    Args:
      backend: a platform that must be there; all platforms have the same processes.
    Returns:
      An int.
    Raises:
      RuntimeError: there is no such platform here.

    >>> process_count()
    1
    """
    _check_backend(backend)
    return here.count


def process_indices(backend: str | None = None) -> list[int]:
    """Return the indices of all processes.

    Args:
      backend: a platform that must be there; all platforms have the same processes.
    Returns:
      The ints from 0 to `process_count() - 1`.
    Raises:
      RuntimeError: there is no such platform here.

    >>> process_indices()
    [0]
    """
    _check_backend(backend)
    return list(range(here.count))


def _check_backend(backend: str | None) -> None:
    """Raise RuntimeError for the name of a platform that is not there."""
    if backend is not None:
        devices_of(backend)


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
    Returns:
      The tree with an `Array` in the place of each leaf, committed to the device or sharding if there is one.
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
    orders = [d.layout if isinstance(d, Format) and d.layout is not Layout.AUTO else None for d in targets]
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
    """Return an argument of `device_put` for each of the `n` leaves."""
    if given is None or isinstance(given, (bool, Device, Sharding)):
        return [given] * n
    return broadcast_prefix(
        given, x, is_leaf=lambda d: d is None, name=f"device_put {what}",
        intro=f"device_put {what} specification must be a tree prefix of the corresponding value; \n",
    )


def _put(leaf, device, may_share: bool | None):
    """Return an array at its place: itself if it is there already, unless its memory must be its own."""
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
    """Return an array with its axes in the wanted order in memory."""
    if wanted.layout is Layout.AUTO:
        raise ValueError(
            message(
                f"sharding and layout in `Layout` instance should be concrete. Got layout: {wanted} for input "
                f"{aval_of(leaf).str_short()}",
                why="Only a compiler chooses a layout, for a program.",
                fix="compiled.input_formats, which says what it has chosen, or x.format",
            )
        )
    target = target_of(wanted.sharding)
    leaf = put(leaf, target)
    return leaf if wanted.layout is None else put(layout_constraint(leaf, layout=wanted.layout), target)


def device_get(x: Any) -> Any:
    """Return the arrays of a tree as NumPy arrays.

    Args:
      x: a tree of arrays; other leaves are as they are, and so are keys of `adjoint.random`.
    Returns:
      The tree with a NumPy array, of the same shape and dtype, in the place of each array. On the CPU it may share its
      memory, and cannot be written to. Tracers are as they are.

    >>> device_get(jnp.ones(2))
    array([1., 1.], dtype=float32)
    """
    return tree_map(_on_host, x)


def _on_host(x):
    """Return a concrete array or NumPy scalar as a NumPy array; all else, as keys and tracers, is as it is."""
    if isinstance(x, np.generic) or isinstance(x, ArrayImpl) and not dtypes.issubdtype(x.dtype, dtypes.prng_key):
        return np.asarray(x)
    return x


def block_until_ready(x: Any) -> Any:
    """Wait until all arrays of a tree are computed, and return the tree.

    Calls return before their work is done; what measures times waits with this.

    Args:
      x: a tree. Leaves that are not arrays are left alone.
    Returns:
      `x` itself, the same object.
    See also: `Array.block_until_ready`, for one array.

    >>> block_until_ready({"a": jnp.ones(2), "name": "left alone"})["a"]
    Array([1., 1.], dtype=float32)
    """
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

    Args:
      x: a tree of arrays; what has no such method is left alone.
    Returns:
      `x` itself, at once: a later `device_get` waits for what is not there yet.

    >>> copy_to_host_async({"a": jnp.ones(2)})["a"]
    Array([1., 1.], dtype=float32)
    """
    for leaf in tree_leaves(x):
        begin = getattr(leaf, "copy_to_host_async", None)
        if begin is not None:
            begin()
    return x


def live_arrays(platform: str | None = None) -> list[Array]:
    """Return all arrays that have not been freed.

    Args:
      platform: such as "cpu"; the default one if it is None.
    Raises:
      RuntimeError: there is no such platform here.

    >>> x = jnp.ones(3)
    >>> any(y is x for y in live_arrays())
    True
    """
    return Client.live_arrays(devices_of(platform)[0].client)


