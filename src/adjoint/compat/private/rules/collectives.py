"""Collectives of which it is known along which axes their results vary: names of `jax._src.lax.parallel`.

Tests: `tests/compat/test_private_rules.py`.
"""

from __future__ import annotations

from typing import Any

from ....core.tree.tree import tree_map
from ....lax.flow.collectives import all_gather, pcast
from ....prims.collective import checked_axes, pvary_to

__all__ = ["all_gather_invariant", "all_gather_reduced", "pvary"]


def all_gather_invariant(x: Any, axis_name: Any, *, axis: int = 0, tiled: bool = False) -> Any:
    """Return the values of all indices of a mesh axis, as one that does not vary along it.

    Args:
      x: a tree of arrays.
      axis_name: the axis of `shard_map`, or several.
      axis: where the new axis of the result stands.
      tiled: join the values along the existing axis instead.
    """
    names = axis_name if isinstance(axis_name, tuple) else (axis_name,)
    varying = [name for name in names if name in checked_axes()]
    x = tree_map(lambda v: pvary_to(v, varying), x)
    return all_gather(x, axis_name, axis=axis, tiled=tiled, to="invarying")


def all_gather_reduced(
    x: Any, axis_name: Any, *, axis: int = 0, tiled: bool = False, is_async: bool = False
) -> Any:
    """Return the values of all indices of a mesh axis, as one whose cotangents are not summed along it yet.

    Args:
      x: a tree of arrays that vary along the axis.
      axis_name: the axis of `shard_map`, or several.
      axis: where the new axis of the result stands.
      tiled: join the values along the existing axis instead.
      is_async: read by nothing: values are there when they are read.
    """
    return all_gather(x, axis_name, axis=axis, tiled=tiled, to="reduced")


def pvary(x: Any, axis_name: Any) -> Any:
    """Return values as ones that may differ along mesh axes.

    Args:
      x: a tree of arrays that do not.
      axis_name: the axis of `shard_map`, or several, or none.
    """
    return pcast(x, axis_name, to="varying") if axis_name != () else x
