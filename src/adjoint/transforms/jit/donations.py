"""Donated arguments: which of them the results of a program take, over one device and over several.

A result takes the memory of an argument of as many elements and bytes, on each device. Over several devices that
depends on how both are divided, which the compiler may choose: then bytes decide, and nobody is told what was in vain.

Tests: `tests/parallel/test_donations.py`.
"""

from __future__ import annotations

from math import prod

from ...array.array import ArrayImpl
from ...array.sharded_array import is_on_several_devices
from ...core.messages.errors import warn
from ...core.passes import operands_read
from ...sharding.named_sharding import NamedSharding
from .places import places_of

__all__ = ["donated_on_one", "donors", "read_of", "taken", "warn_of_unusable"]


def read_of(offered, closed, captured: int, is_kept: bool) -> list[int]:
    """Return which of the donated leaves a program reads: others it does not get, unless all are kept."""
    if is_kept or not offered:
        return list(offered)
    read = operands_read(closed.jaxpr)[captured:]
    return [i for i in offered if read[i]]


def donated_on_one(offered, in_avals, out_avals) -> tuple[tuple[int, ...], list[int]]:
    """Return which of the donated leaves results take on one device, and for which there is no use."""
    if not offered:
        return (), []
    sizes = [_size(a, None) if i in offered else () for i, a in enumerate(in_avals)]
    found, refused = _matched(offered, sizes, [_size(a, None) for a in out_avals])
    return tuple(found), refused


def _matched(offered, sizes, results) -> tuple[list[int], list[int]]:
    """Return which donated leaves results take, and for which there is none of as many elements.

    Args:
      offered: positions of the leaves.
      sizes: (elements, bytes) of each leaf.
      results: the same for each result.
    """
    free, found = [*results], []
    for i in offered:
        if sizes[i] in free:
            free.remove(sizes[i])
            found.append(i)
    elements, refused = [n for n, _ in free], []
    for i in offered:
        if i not in found:
            if sizes[i][0] in elements:
                elements.remove(sizes[i][0])
            else:
                refused.append(i)
    return found, refused


def taken(leaves, outs, entry, places) -> list[int]:
    """Return the positions of the donated arrays whose memory the results of a call have; it read them at `places`.

    What was not placed was copied to the devices, unless it is whole on each: the first one reads it.
    """
    if not is_on_several_devices(outs):  # what is on another device was copied
        copied = lambda x: isinstance(x, ArrayImpl) and outs and x.devices() != outs[0].devices()
        return [i for i in entry.donated if not copied(leaves[i])]
    given = places_of(leaves)
    known = _sizes(entry, given)
    if known is None:
        sizes = [_size(x, s or place)[1] if isinstance(x, ArrayImpl) else None
                 for x, s, place in zip(leaves, given, places)]
        results = [_size(x, x.sharding)[1] for x in outs]
    else:
        sizes, results = known
    found = []
    for i in entry.offered_and_read:
        if sizes[i] in results and isinstance(leaves[i], ArrayImpl):
            results.remove(sizes[i])
            if given[i] is not None or places[i] is None or places[i].is_fully_replicated:
                found.append(i)
    return found


def donors(entry, places, several: bool) -> list[int]:
    """Return the positions of the leaves whose memory a program is told that it may use.

    Args:
      entry: the traced program.
      places: where its arguments are; None for what may be anywhere.
      several: whether it runs over several devices.
    """
    if not several:
        return [i for i in entry.offered_and_read if i not in entry.unusable]
    known = _sizes(entry, places) if entry.offered else None
    refused = () if known is None else _matched(entry.offered_and_read, *known)[1]
    return [i for i in entry.offered_and_read if i not in refused]


def warn_of_unusable(entry, places=(), several: bool = False) -> None:
    """Warn of donated leaves that no result takes, if the program says how all results are divided.

    Args:
      entry: the traced program.
      places: where its arguments are; None for what may be anywhere.
      several: whether it runs over several devices.
    """
    if not several:
        return _warn([entry.in_avals[i].str_short() for i in entry.unusable], entry.params["name"])
    known = _sizes(entry, places) if entry.offered else None
    if known is None:
        return None
    asked = _asked(entry, places)
    parts = [a.update(shape=_part(a.shape, s), explicit_sharding=None) for a, s in zip(entry.in_avals, asked)]
    refused = _matched(entry.offered_and_read, *known)[1]
    return _warn([parts[i].str_short() for i in refused], entry.params["name"])


def _asked(entry, places) -> list:
    """Return where a program is told to read the leaves, or where they are; None if neither is known."""
    given = entry.params.get("in_shardings", ())[len(entry.captured) :] or (None,) * len(places)
    return [place if s is None else s for s, place in zip(given, places)]


def _sizes(entry, places) -> tuple[list, list] | None:
    """The sizes of the leaves and of the results, on each device; None if the compiler chooses how results are divided.
    """
    asked = entry.params.get("out_shardings") or [None] * len(entry.out_avals)
    outs = [s or _known(a) for s, a in zip(asked, entry.out_avals)]
    if None in outs and not any([isinstance(s, NamedSharding) and s.mesh.are_all_axes_explicit for s in places]):
        return None
    sizes = [_size(a, s) for a, s in zip(entry.in_avals, _asked(entry, places))]
    return sizes, [_size(a, s) for a, s in zip(entry.out_avals, outs)]


def _known(aval):
    """Return how a result is divided, if its type says it for all axes of the mesh; None if not."""
    explicit = aval.explicit_sharding
    return explicit if explicit is not None and explicit.mesh.are_all_axes_explicit else None


def _warn(refused: list[str], name: str) -> None:
    if refused:
        warn(
            f"Some donated buffers were not usable: {', '.join(refused)}.\n"
            "  No result takes as many bytes, so the memory cannot be reused; these arrays are kept.\n"
            f"  Try: remove them from donate_argnums of {name}.\n"
            "See an explanation at https://docs.jax.dev/en/latest/faq.html#buffer-donation."
        )


def _part(shape, sharding) -> tuple[int, ...]:
    """The shape of what one device has of an array."""
    return sharding.shard_shape(shape) if isinstance(sharding, NamedSharding) else tuple(shape)


def _size(x, sharding) -> tuple[int, int]:
    """The elements and the bytes of what one device has of an array, or of an array of a type."""
    elements, whole = prod(_part(x.shape, sharding)), prod(x.shape)
    return elements, x.nbytes * elements // whole if whole else 0
