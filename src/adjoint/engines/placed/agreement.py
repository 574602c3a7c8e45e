"""Agreement of operands, and of what a program says of its values, on devices and shardings.

Committed operands must agree on the devices; what was asked of an operand it must be like already.

Tests: `tests/parallel/test_places.py`.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from ...array.array import ArrayImpl
from ...array.sharded_array import ShardedArray, move_array, parts_of, place_of
from ...core.messages.errors import message
from ...core.passes import operands_read
from ...prims.family import Elementwise
from ...sharding.device import Sharding
from ...sharding.mesh import Mesh, PartitionSpec, placing_mesh
from ...sharding.named_sharding import NamedSharding

__all__ = [
    "agreed", "check_as_asked", "check_on_mesh", "check_places_given", "claims_of", "moved_as_asked", "operand_names",
]


def _devices_of(sharding: Sharding) -> tuple:
    if isinstance(sharding, NamedSharding):
        return tuple(sharding.mesh.devices.flat)
    return tuple(sharding.device_set)  # type: ignore[attr-defined]


def claims_of(args, names, function: str, given=(), read=None) -> list[tuple]:
    """(sharding, what it is of or what says that, its name) of the operands that have to stay, or are to be somewhere.

    Operands that the program does not read may be anywhere.
    """
    found = []
    for i, x in enumerate(args):
        if read is not None and not read[i]:
            continue
        if given and given[i] is not None:
            found.append((given[i], "ARG_SHARDING", names(i)))
        elif isinstance(x, ArrayImpl) and (sharding := place_of(x)) is not None:
            found.append((sharding, partial(_argument, names(i), function, x.aval), names(i)))
    return found


def agreed(claims) -> Sharding | None:
    """The place that all claims are about: one of several devices first."""
    found = None
    for claim in claims:
        sharding = claim[0]
        if found is None:
            found, first = sharding, claim
        elif _devices_of(sharding) != _devices_of(found):
            raise _incompatible(first, claim)
        elif not isinstance(found, NamedSharding):
            found = sharding
    return found


def _incompatible(*pair) -> ValueError:
    def described(claim):
        ids = [d.id for d in _devices_of(claim[0])]
        return f"{claim[1]() if callable(claim[1]) else claim[1]} with device ids {ids} on platform CPU"

    first, second = [claim[2] for claim in pair]
    return ValueError(
        message(
            "Received incompatible devices for jitted computation. Got " + " and ".join(map(described, pair)),
            why="Both were put there with device_put, or come from arrays that were, so neither is moved."
            if first and second else "A program runs on the devices of its operands, of its results and of what it "
            "says of values inside: these have to be the same.",
            fix=f"jax.device_put({second}, {first}.sharding) before the call" if first and second else
            f"jax.device_put({first}, ...) to the other devices before the call" if first else
            "one mesh for all of them",
        )
    )


def operand_names(p, count: int) -> list[str]:
    """Return what messages call the operands of an operation."""
    return ["x", "y"][:count] if isinstance(p, Elementwise) else [f"args[{i}]" for i in range(count)]


def _argument(name: str, function: str, aval) -> str:
    return f"argument {name} of {function} with shape {aval.dtype.name}[{','.join(map(str, aval.shape))}] and"


def check_on_mesh(function: str, args, names=("args[0]",), read=None, given=()) -> None:
    """ValueError if an operand has to stay, or is `given` a place, on other devices than those of the mesh that is set.
    """
    if not any([isinstance(x, ShardedArray) for x in args]):
        return
    for claim in claims_of(args, names.__getitem__, function, given, read):
        if _devices_of(claim[0]) != tuple(placing_mesh.value.devices.flat):
            mesh = NamedSharding(placing_mesh.value, PartitionSpec())
            raise _incompatible(claim, (mesh, "jit's context mesh", ""))


def moved_as_asked(given, args) -> list:
    """The operands, checked to be where a call needs them; those over the same devices in another order are moved."""
    found = []
    for x, sharding in zip(args, given or [None] * len(args)):
        if sharding is not None:
            sharding.check_compatible_aval(x.aval.shape)
            place = place_of(x)
            _check_match(sharding, place, x.aval)
            if place is not None and not sharding.is_equivalent_to(place, x.ndim):
                x = move_array(x, sharding)
        found.append(x)
    return found


def check_as_asked(asked: tuple, given: tuple, avals) -> None:
    """ValueError for an operand that lies otherwise than the call asks for; `given` are their places."""
    for sharding, own, aval in zip(asked, given, avals):
        if sharding is not None and own is not None:
            _check_match(sharding, own, aval)


def check_places_given(closed, params, captured: int, given: tuple, names, set_mesh: Any) -> None:
    """Raise for operands that are on other devices than the program; `given` are their places."""
    asked = params.get("in_shardings", ())[captured:] or (None,) * len(given)
    read = [True] * len(given) if params.get("keep_unused") else operands_read(closed.jaxpr)[captured:]
    claims = []
    for i, (sharding, own, aval) in enumerate(zip(asked, given, closed.in_avals[captured:])):
        if not read[i]:
            continue
        if sharding is not None:
            claims.append((sharding, "ARG_SHARDING", ""))
        elif own is not None:
            claims.append((own, _argument(names()[i], params.get("name", "f"), aval), names()[i]))
    claims += [(s, "explicit output sharding", "") for s in params.get("out_shardings") or () if s is not None]
    if set_mesh is not None:
        claims.append((NamedSharding(set_mesh, PartitionSpec()), "jit's context mesh", ""))
    agreed([claim for claim in claims if isinstance(getattr(claim[0], "mesh", None), (Mesh, type(None)))])


def _divide_alike(a: Sharding, b: Sharding, shape: tuple[int, ...]) -> bool:
    """Return whether two shardings cut arrays of a shape into the same parts in the same order, over any devices."""
    if a.is_fully_replicated or b.is_fully_replicated:
        return a.is_fully_replicated and b.is_fully_replicated
    return [index for _, index, _ in parts_of(a, shape)] == [index for _, index, _ in parts_of(b, shape)]


def _check_match(sharding, actual, aval) -> None:
    """Raise if an operand is otherwise than a call wants it; `actual` is None if it may be anywhere."""
    kind = actual.memory_kind if actual is not None else "device"
    if sharding.memory_kind != kind:
        raise ValueError(
            "Memory kinds passed to jax.jit does not match memory kind on the respective arg. Got jit memory kind: "
            f"{sharding.memory_kind}, arg memory kind: {kind} for arg type: {aval.str_short()}\n"
            "  Try: device_put(arg, sharding) before the call"
        )
    if actual is not None and not _divide_alike(sharding, actual, aval.shape):
        raise ValueError(
            "Sharding passed to jit does not match the sharding on the respective arg. Got jit sharding: "
            f"{sharding},\narg sharding: {actual} for arg type: {aval.str_short()}"
        )
