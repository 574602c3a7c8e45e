"""Pictures of how arrays are divided over devices, and their shardings, inside programs too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..array.device import Sharding
from ..array.placed import parts_of
from ..core.tree.tree import tree_leaves
from ..core.types import Array
from ..prims.sharding import inspect_sharding

__all__ = ["inspect_array_sharding", "visualize_array_sharding", "visualize_sharding"]


def visualize_sharding(
    shape: Any, sharding: Sharding, *, use_color: bool = True, scale: float = 1.0, min_width: int = 9,
    max_width: int = 80, color_map: Any = None,
) -> None:
    """Print which devices hold which part of an array of one or two axes.

    Args:
      shape: of the array.
      min_width, max_width: of a part in the picture.
      use_color, scale, color_map: accepted; the picture has no colours and the smallest size.
    Raises:
      ValueError: the array has another number of axes.

    >>> visualize_sharding((2,), jnp.ones(2).sharding)
    ┌───────┐
    │ CPU 0 │
    └───────┘
    """
    if len(shape) not in (1, 2):
        raise ValueError("`visualize_sharding` only works for shapes with 1 and 2 dimensions.")
    cells: dict[tuple[int, int], list[int]] = {}
    platform = ""
    for device, index, _ in parts_of(sharding, tuple(shape)):
        starts = [s.start or 0 for s in index]
        cells.setdefault((0, *starts) if len(shape) == 1 else tuple(starts), []).append(device.id)  # type: ignore
        platform = device.platform.upper()
    rows, columns = (sorted({key[i] for key in cells}) for i in (0, 1))
    texts = [[f"{platform} {','.join(map(str, sorted(cells[r, c])))}" for c in columns] for r in rows]
    width = min(max(min_width - 2, *[len(t) for row in texts for t in row]), max_width)
    line = lambda left, middle, right: left + middle.join(["─" * width] * len(columns)) + right
    body = f"\n{line('├', '┼', '┤')}\n".join(
        ["│" + "│".join([t.center(width) for t in row]) + "│" for row in texts])
    print("\n".join([line("┌", "┬", "┐"), body, line("└", "┴", "┘")]))


def visualize_array_sharding(arr: Array, **kwargs: Any) -> None:
    """Print which devices hold which part of an array.

    >>> visualize_array_sharding(jnp.ones(2))
    ┌───────┐
    │ CPU 0 │
    └───────┘
    """
    inspect_array_sharding(arr, callback=lambda sharding: visualize_sharding(arr.shape, sharding, **kwargs))


def inspect_array_sharding(value: Any, *, callback: Callable[[Sharding], None]) -> None:
    """Call `callback` with the sharding of each array of a tree; in a program, when it is compiled.

    >>> jit(lambda x: debug.inspect_array_sharding(x * 2, callback=print))(1.)
    SingleDeviceSharding(device=CpuDevice(id=0), memory_kind=device)
    """
    for x in tree_leaves(value):
        inspect_sharding(x, callback=callback)
