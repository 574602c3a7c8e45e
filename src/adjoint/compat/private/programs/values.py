"""Arrays and mappings with a hash, axes of meshes, lines of programs: names of small modules of `jax._src`."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from ....core.messages.frames import is_internal
from ....sharding.mesh import EMPTY, AxisType, get_mesh

__all__ = ["FrozenDict", "HashableArray", "all_axis_types_match", "any_axis_types_match", "empty_abstract_mesh",
           "empty_concrete_mesh", "get_concrete_mesh", "is_user_filename", "show_axes"]


class HashableArray:
    """A NumPy array with a hash, equal to another with the same shape, dtype and numbers."""

    def __init__(self, val: Any):
        self.val = np.array(val)
        self.val.setflags(write=False)

    def __repr__(self) -> str:
        return f"HashableArray({self.val!r})"

    def __hash__(self) -> int:
        return hash((self.val.shape, self.val.dtype, self.val.tobytes()))

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, HashableArray) and np.array_equal(self.val, other.val)


class FrozenDict(Mapping):
    """A mapping that does not change, with a hash."""

    def __init__(self, d: Mapping):
        self._d = dict(d)

    def __getitem__(self, key: Hashable) -> Any:
        return self._d[key]

    def __iter__(self) -> Iterator:
        return iter(self._d)

    def __len__(self) -> int:
        return len(self._d)

    def __hash__(self) -> int:
        return hash(frozenset(self._d.items()))

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, FrozenDict) and self._d == other._d

    def __repr__(self) -> str:
        return f"FrozenDict({self._d!r})"


empty_concrete_mesh = EMPTY
empty_abstract_mesh = EMPTY.abstract_mesh
get_concrete_mesh = get_mesh


def show_axes(axes: Iterable[Any]) -> str:
    """Return the names of axes as a text: "`a`, `b`"."""
    return ", ".join([f"`{axis}`" for axis in axes])


def all_axis_types_match(axis_types: Iterable[AxisType], ty: AxisType) -> bool:
    """Return whether the axes of a mesh are all of one type."""
    found = tuple(axis_types)
    return bool(found) and all([t == ty for t in found])


def any_axis_types_match(axis_types: Iterable[AxisType], ty: AxisType) -> bool:
    """Return whether one of the axes of a mesh is of a type."""
    return any([t == ty for t in axis_types])


def is_user_filename(filename: str) -> bool:
    """Return whether a file belongs to the user."""
    return not is_internal(filename)
