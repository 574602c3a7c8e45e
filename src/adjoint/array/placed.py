"""`PlacedArray`: an array with a place of its own, on one device or divided over several.

The devices of this process share its memory, so a buffer is whole wherever the array is, and the place is what
the array says of itself: computations follow it, and check it. Ordinary arrays are on the default device and
know nothing of places; code that is fast for them asks for exactly their class and takes its general way here.
"""

from __future__ import annotations

from typing import Any

from ..core.types import ShapedArray
from .array import ArrayImpl, deleted, make_array
from .device import Device, Sharding, SingleDeviceSharding, cpu_device, cpu_devices, cpu_sharding

__all__ = ["PlacedArray", "moved", "parts_of", "place", "place_of", "plain"]

_new = object.__new__


class PlacedArray(ArrayImpl):
    """An array, its sharding, and whether it has to stay there."""

    __slots__ = ("is_committed", "place")

    place: Any
    is_committed: bool

    def __reduce__(self):
        return plain(self).__reduce__()


def place(buffer, aval: ShapedArray, sharding: Sharding, committed: bool = True) -> PlacedArray:
    """Wrap a buffer that is, as a whole, laid out like `sharding`."""
    a = _new(PlacedArray)
    a._buffer, a._device, a.aval = buffer, None, aval
    a.place, a.is_committed = sharding, committed
    return a


def plain(x: ArrayImpl) -> ArrayImpl:
    """The array without a place."""
    if x._buffer is None:
        raise deleted(x)
    return make_array(x._buffer, x.aval)


def place_of(x: ArrayImpl) -> Sharding | None:
    """Where an array has to stay; None if computations may take it anywhere."""
    return x.place if type(x) is PlacedArray and x.is_committed else None


def parts_of(sharding: Sharding, shape: tuple[int, ...]) -> list:
    """(device, part, which copy of it) for each device."""
    if isinstance(sharding, SingleDeviceSharding):
        return [(sharding._device, (slice(None),) * len(shape), 0)]
    return sharding.parts(shape)  # type: ignore[attr-defined]


def moved(x: ArrayImpl, target: Sharding | Device) -> ArrayImpl:
    """The array on a device or laid out by a sharding, to stay there."""
    if x._buffer is None:
        raise deleted(x)
    if isinstance(target, Device):
        target = cpu_sharding if target is cpu_device else SingleDeviceSharding(target)
    if target is cpu_sharding and len(cpu_devices()) == 1:
        out = make_array(x._buffer, x.aval)
        out._device = cpu_device  # there is no other place: the ordinary class will do
        return out
    target.check_compatible_aval(x.aval.shape)  # type: ignore[attr-defined]
    return place(x._buffer, x.aval, target)
