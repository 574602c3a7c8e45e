"""Placement of a value, as far as its type says it: the one place where the core knows of devices.

Most types say nothing, and have `placement = None`. What a placement means for operations is in one object of
`PlacementRules`, which a layer above registers.

Tests: `tests/parallel/test_explicit.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from .process.records import NamedTuple

__all__ = [
    "BranchingAxis", "ManualAxis", "PlacedType", "Placement", "PlacementRules", "are_placed_alike", "checked_axes_of",
    "placed_as", "placements", "shape_text",
]


class Placement(NamedTuple):
    """The part of a type that is about devices."""

    vma: frozenset = frozenset()  # the manual mesh axes along which the value may differ between devices: `shard_map`
    sharding: Any = None  # how explicit axes of the mesh that it is over divide it, if there are any; None if it knows
    # no mesh. See sharding/explicit.py
    memory_space: Any = None  # None for the device's own; see prims/transfer.py


_NOWHERE = Placement()


def placed_as(vma: frozenset, sharding: Any, memory_space: Any) -> Placement | None:
    """Return the placement with these fields; None if they say nothing."""
    found = Placement(vma if type(vma) is frozenset else frozenset(vma), sharding, memory_space)
    return None if found == _NOWHERE else found


def are_placed_alike(a: Placement | None, b: Placement | None) -> bool:
    """Return whether values are placed in one way, or one may be placed as the other.

    It may if only one type knows a mesh, or both know meshes without explicit axes. Where a mesh with explicit axes is
    set, a value whose type knows none is not divided.
    """
    if a == b:
        return True
    first, second = a or _NOWHERE, b or _NOWHERE
    known = [s for s in (first.sharding, second.sharding) if s is not None]
    return first.vma == second.vma and first.memory_space == second.memory_space and (
        not any([s.is_explicit for s in known])
        or len(known) == 1 and not (known[0].is_divided and placements.rules.is_explicit_context())
    )


def shape_text(shape: tuple, placement: Placement | None) -> str:
    """Return a shape as types print it: `[2,3]`, `<host>[2@x,3]{V:(y,z)}`."""
    if placement is None:
        return f"[{','.join(map(str, shape))}]"
    vma, sharding, memory_space = placement
    lengths = map(str, shape) if sharding is None else [f"{n}{_over(over)}" for n, over in zip(shape, sharding.spec)]
    space = "" if memory_space is None else f"<{memory_space.name.lower()}>"
    along = []
    for letter, axes in (("V", vma), *(() if sharding is None else sharding.sums)):
        names = ",".join(sorted(map(str, axes)))
        if axes:
            along.append(f"{letter}:{names if len(axes) == 1 else f'({names})'}")
    return f"{space}[{','.join(lengths)}]" + (f"{{{', '.join(along)}}}" if along else "")


def _over(entry) -> str:
    """Return `@x`, `@(x,y)`: the mesh axes over which an axis is divided."""
    if not entry:
        return ""
    return f"@({','.join(map(str, entry))})" if isinstance(entry, tuple) else f"@{entry}"


class PlacedType:
    """The properties of a type that are about devices, each a part of its `placement`."""

    __slots__ = ()

    if TYPE_CHECKING:
        placement: Placement | None
        shape: tuple

    @property
    def vma(self) -> frozenset:
        """Return the manual mesh axes along which the value may differ between devices."""
        return _NOWHERE.vma if self.placement is None else self.placement.vma

    @property
    def mat(self) -> Any:
        """Return along which manual mesh axes the value varies, and is unreduced or reduced: a `ManualAxisType`."""
        return placements.rules.manual(self)

    @property
    def explicit_sharding(self) -> Any:
        """Return how the value is divided over explicit mesh axes; None if it is over none."""
        sharding = self.mesh_sharding
        return sharding if sharding is not None and sharding.is_explicit else None

    @property
    def mesh_sharding(self) -> Any:
        """Return the same over a mesh of any axes, where those that are not explicit do not divide it, or None."""
        return None if self.placement is None else self.placement.sharding

    @property
    def memory_space(self) -> Any:
        """Return the memory space; None for the device's own."""
        return None if self.placement is None else self.placement.memory_space

    @property
    def sharding(self) -> Any:
        """Return how the type says that values are divided, as a sharding over a mesh without devices."""
        known = self.mesh_sharding
        return placements.rules.whole(len(self.shape)) if known is None else known

    def placement_with(
        self, shape, vma=None, explicit_sharding=..., memory_space=..., sharding=..., placement=..., **_
    ) -> Placement | None:
        """Return the placement with some fields replaced, of a value of this shape."""
        if placement is not ...:
            return placement
        if sharding is not ...:
            explicit_sharding = None if sharding is None else placements.rules.explicit(sharding, shape)
        elif explicit_sharding is ...:
            known = self.mesh_sharding
            explicit_sharding = known if known is None or shape == self.shape else known.undivided(len(shape))
        return placed_as(
            self.vma if vma is None else vma, explicit_sharding,
            self.memory_space if memory_space is ... else memory_space,
        )


class PlacementRules(Protocol):
    """The meaning of placements for operations and shardings."""

    def results(self, p: Any, avals: tuple, params: dict, out: Any) -> Any:
        """The types of the results of primitive `p`, with their placements."""
        ...

    def aligned(self, p: Any, args: Any, params: dict) -> Any:
        """The operands of `p`, all varying over the manual mesh axes that one of them does."""
        ...

    def varying(self, x: Any, axes: frozenset) -> Any:
        """The value, as one that may differ along manual mesh axes."""
        ...

    def explicit(self, sharding: Any, shape: tuple[int, ...]) -> Any:
        """The sharding over explicit axes that `sharding` is for a type of this shape."""
        ...

    def manual(self, aval: Any) -> Any:
        """Return what a type says of manual mesh axes."""
        ...

    def context(self) -> Any:
        """Return what types of results depend on, beside operands and parameters: the mesh that is set."""
        ...

    def is_explicit_context(self) -> bool:
        """Return whether a mesh is set that has explicit axes."""
        ...

    def whole(self, ndim: int) -> Any:
        """The sharding of a type that is not divided."""
        ...


class _Registered:
    """The rules of this process."""

    rules: PlacementRules

    def register(self, rules: PlacementRules) -> None:
        self.rules = rules


placements = _Registered()


class ManualAxis(tuple):
    """A mesh axis (name, size) in scope in a `shard_map` that checks along which axes values vary.

    It is unequal to the pair, so that programs traced with the check are not taken for others.
    """

    __slots__ = ()

    def __new__(cls, name, size):
        return super().__new__(cls, (name, size))

    def __eq__(self, other):
        return type(other) is type(self) and tuple.__eq__(self, other)

    def __ne__(self, other):
        return not self == other

    __hash__ = tuple.__hash__


class BranchingAxis(ManualAxis):
    """A mesh axis along which devices may be in different branches of a `cond`, so that they cannot add up values."""

    __slots__ = ()


def checked_axes_of(axes: tuple) -> tuple:
    """Return names of those among the axes in scope that are checked, in the order of the mesh."""
    return tuple([a[0] for a in axes if isinstance(a, ManualAxis)])
