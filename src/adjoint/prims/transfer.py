"""`device_put` inside programs: where values are to be. It computes nothing.

A *memory space* is a memory of the device that a value is on, its own or the host's; it is part of a value's type,
`f32<host>[3]`, and operands of one operation share it. On the CPU both are the same memory.

Tests: `tests/parallel/test_places.py`.
"""

from __future__ import annotations

import enum
from typing import Any

import numpy as np

from ..array.array import ArrayImpl
from ..core.primitive import Primitive
from ..core.types import ShapedArray
from ..core.values.zeros import Zero
from ..sharding.device import MemorySpace, Sharding
from ..sharding.explicit import explicit_sharding_of
from ..sharding.named_sharding import IndivisibleError, NamedSharding

__all__ = ["ArrayCopySemantics", "device_put", "space_of"]


class ArrayCopySemantics(enum.Enum):
    """The use of the operand's memory for the result."""

    REUSE_INPUT = 0
    ALWAYS_COPY = 1
    DONATE_INPUT = 2

    def __repr__(self):
        return str(self)


device_put = Primitive("device_put", multiple_results=True, linear=True)
device_put.joins = False


def space_of(target: Any, default: Any) -> Any:
    """Return the memory space of a type: that of a sharding, or a space."""
    if isinstance(target, Sharding):
        target = MemorySpace.Host if getattr(target, "memory_kind", None) == "pinned_host" else MemorySpace.Device
    if not isinstance(target, MemorySpace):
        return default
    return None if target is MemorySpace.Device else target


def _check_fits(sharding: NamedSharding, shape: tuple) -> None:
    try:
        sharding.check_compatible_aval(shape)
    except IndivisibleError:
        raise
    except ValueError as error:
        raise ValueError(
            f"One of device_put args is incompatible with its sharding annotation {sharding}: {error}") from None


@device_put.type
def _(*xs, devices, **_):
    for x, d in zip(xs, devices):
        if isinstance(d, NamedSharding):
            _check_fits(d, x.shape)
    return [
        x.update(memory_space=space_of(d, x.memory_space),
                 explicit_sharding=(
                     explicit_sharding_of(d, x.ndim) if isinstance(d, NamedSharding) else x.mesh_sharding))
        for x, d in zip(xs, devices)
    ]


device_put.evaluate(lambda *xs, **_: list(xs))
device_put.propagate(lambda params, ins, inside: ins)


@device_put.jvp
def _(primals, tangents, *, devices, srcs, copy_semantics):
    outs = device_put(*primals, devices=devices, srcs=srcs, copy_semantics=copy_semantics)
    there = [i for i, t in enumerate(tangents) if type(t) is not Zero]
    known = [x.sharding if s is None and isinstance(x, ArrayImpl) else s for s, x in zip(srcs, primals)]
    found = iter(device_put(
        *[tangents[i] for i in there], devices=tuple([devices[i] for i in there]),
        srcs=tuple([known[i] for i in there]), copy_semantics=tuple([copy_semantics[i] for i in there]),
    ))
    return outs, [next(found) if i in there else Zero.from_primal_value(x) for i, x in enumerate(outs)]


@device_put.transpose
def _(cts, *xs, devices, srcs, copy_semantics):
    there = [i for i, ct in enumerate(cts) if type(ct) is not Zero]
    found = iter(device_put(
        *[cts[i] for i in there], devices=tuple([srcs[i] for i in there]), srcs=tuple([devices[i] for i in there]),
        copy_semantics=(ArrayCopySemantics.ALWAYS_COPY,) * len(there),
    ))
    return [next(found) if i in there else None for i in range(len(xs))]


device_put.batch(lambda args, dims, **params: (device_put(*args, **params), list(dims)))

device_put.examples((
    ShapedArray((2, 3), np.dtype("float32")),
    dict(devices=(None,), srcs=(None,), copy_semantics=(ArrayCopySemantics.REUSE_INPUT,)),
))
