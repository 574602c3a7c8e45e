"""`ShardedArray`: an array with a place of its own, on one device or divided over several.

Its values are in one of two forms, or in both: a buffer of the whole, since the CPU devices of a process share its
memory, and `shards`, the buffers of each device as the engine that computed them has them. Each form is made of the
other when they are asked for. Ordinary arrays are on the default device and know of no places; code that is fast for
them asks for exactly their class and takes its general way here.

Tests: `tests/parallel/test_devices.py`.
"""

from __future__ import annotations

from typing import Any

from ..core.dtypes import float0
from ..core.types import ShapedArray
from ..sharding.device import (
    Device,
    Sharding,
    SingleDeviceSharding,
    are_several,
    default_devices,
    first_device,
    first_sharding,
    is_accelerator,
)
from ..sharding.explicit import with_placement_of
from ..sharding.mesh import PartitionSpec
from ..sharding.named_sharding import NamedSharding
from .array import ArrayImpl, Pending, deleted, make_array, nothing

__all__ = [
    "ShardedArray", "beside", "free", "is_on_several_devices", "move_array", "of_type", "parts_of", "place", "place_of",
    "plain", "sharded",
]

_new = object.__new__


class ShardedArray(ArrayImpl):
    """An array, its sharding, and whether it has to stay there."""

    __slots__ = ("is_committed", "place", "shards")

    place: Any
    is_committed: bool
    shards: Any  # see engines/xla/spmd.py; None if there is the whole alone
    process: Any
    says_where: Any

    @classmethod
    def processed_by(cls, process: Any, says_where: Any) -> None:
        """Let a layer above run operations on operands some of which are such arrays: p, args, params -> outs.

        It also runs those with programs that say where their values are: params -> whether they do.
        """
        cls.process, cls.says_where = staticmethod(process), staticmethod(says_where)

    @property
    def _buffer(self):  # type: ignore[override]
        """Return the whole; None once deleted."""
        whole = _whole.__get__(self)
        if whole is None and self.shards is not None:
            whole = self.shards.whole(self)
            _whole.__set__(self, whole)
        return whole

    @_buffer.setter
    def _buffer(self, whole):
        _whole.__set__(self, whole)
        self.shards = None

    @property
    def is_gone(self) -> bool:
        return self.shards is None and _whole.__get__(self) is None

    def __reduce__(self):
        return plain(self).__reduce__()


_whole: Any = ArrayImpl.__dict__["_buffer"]


def place(buffer, aval: ShapedArray, sharding: Sharding, committed: bool = True) -> ShardedArray:
    """Wrap a buffer that is, as a whole, laid out like `sharding`; of float0 it is NumPy's array, as everywhere."""
    if aval.dtype is float0:
        return nothing(aval.shape)
    a = _new(ShardedArray)
    a._buffer, a._device, a.aval = buffer, None, with_placement_of(aval, sharding)
    a.place, a.is_committed = sharding, committed
    return a


def sharded(shards, aval: ShapedArray, sharding: Sharding) -> ShardedArray:
    """Return the array of the buffers on the devices of `sharding`."""
    return of_type(shards, with_placement_of(aval, sharding), sharding)


def of_type(shards, aval: ShapedArray, sharding: Sharding) -> ShardedArray:
    """Return the array of the buffers on the devices of `sharding`, which its type says already; NumPy's of float0."""
    if aval.dtype is float0:
        return nothing(aval.shape)
    a = _new(ShardedArray)
    _whole.__set__(a, None)
    a._device, a.aval = None, aval
    a.shards, a.place, a.is_committed = shards, sharding, True
    return a


def plain(x: ArrayImpl) -> ArrayImpl:
    """Return the array without a place."""
    if x.is_gone:
        raise deleted(x)
    return make_array(x._buffer, with_placement_of(x.aval, None))


def _same(x: ArrayImpl) -> ArrayImpl:
    """Return another array with the same values, wherever they are; without a place."""
    if type(x) is Pending:
        out = _new(Pending)
        out._result, out.aval = x._result, with_placement_of(x.aval, None)
        return out
    return make_array(x._buffer, with_placement_of(x.aval, None))


def free(x):
    """Return a value that a program closes over, whose place calls do not follow; types keep explicit ones."""
    if type(x) is not ShardedArray or not x.is_committed or x.aval.explicit_sharding is not None or x.is_gone:
        return x
    if x.place.num_devices == 1 and not is_accelerator(next(iter(x.place.device_set))):
        return plain(x)
    a = _new(ShardedArray)
    _whole.__set__(a, _whole.__get__(x))
    a._device, a.aval, a.shards, a.place, a.is_committed = None, x.aval, x.shards, x.place, False
    return a


def place_of(x: ArrayImpl) -> Sharding | None:
    """Return where an array has to stay; None if computations may take it anywhere."""
    return x.place if type(x) is ShardedArray and x.is_committed else None


def place_for_shape(x: ArrayImpl, shape: tuple) -> Sharding | None:
    """Return where an array like `x` goes: where `x` has to stay, if it has that shape, or is whole on each device."""
    own = place_of(x)
    if own is None or x.shape == shape:
        return own
    if not own.is_fully_replicated:
        return None
    return own.update(spec=PartitionSpec(*own.spec[: len(shape)])) if isinstance(own, NamedSharding) else own


def beside(x, others):
    """Return an array that was not placed on the devices where one of `others` has to stay, whole on each."""
    if type(x) not in (ArrayImpl, Pending):
        return x
    for other in others:
        if type(other) is ShardedArray and other.is_committed:
            where = other.place
            if isinstance(where, NamedSharding):
                where = where.update(spec=PartitionSpec())
            return place(x._buffer, x.aval, where)
    return x


def is_on_several_devices(args) -> bool:
    """Return whether an array among `args` is over several devices."""
    return are_several() and any([type(x) is ShardedArray and x.place.num_devices > 1 for x in args])


def parts_of(sharding: Sharding, shape: tuple[int, ...]) -> list:
    """Return (device, part, which copy of it) for each device."""
    if isinstance(sharding, SingleDeviceSharding):
        return [(sharding._device, (slice(None),) * len(shape), 0)]
    return sharding.parts(shape)  # type: ignore[attr-defined]


def move_array(x: ArrayImpl, target: Sharding | Device) -> ArrayImpl:
    """Return the array on a device or laid out by a sharding, to stay there."""
    if x.is_gone:
        raise deleted(x)
    if isinstance(target, Device):
        target = first_sharding if target is first_device else SingleDeviceSharding(target)
    if target is first_sharding and len(default_devices()) == 1:
        out = _same(x)
        out._device = first_device  # there is no other place: the ordinary class will do
        return out
    target.check_compatible_aval(x.aval.shape)  # type: ignore[attr-defined]
    target.is_fully_addressable  # type: ignore[attr-defined]  # noqa: B018  ValueError over a mesh without devices
    if isinstance(x, ShardedArray) and x.shards is not None:
        if x.place == target:
            return sharded(x.shards, x.aval, target)
        if not (x.place.is_fully_addressable or x.place.is_fully_replicated):  # type: ignore[attr-defined]
            return x.shards.moved(x, target)
    return place(x._buffer, x.aval, target)
