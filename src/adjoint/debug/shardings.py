"""Pictures of how arrays are divided over devices, and their shardings, inside programs too.

Tests: `tests/parallel/test_sharding.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..array.sharded_array import parts_of
from ..core.tree.tree import tree_leaves
from ..core.types import Array
from ..prims.sharding import inspect_sharding
from ..sharding.device import Sharding

__all__ = ["inspect_array_sharding", "visualize_array_sharding", "visualize_sharding"]


def visualize_sharding(
    shape: Any, sharding: Sharding, *, use_color: bool = True, scale: float = 1.0, min_width: int = 9,
    max_width: int = 80, color_map: Any = None,
) -> None:
    """Print which devices hold which part of an array of one or two axes, the parts in their proportions.

    Args:
      shape: of the array.
      sharding: how it is divided.
      use_color, color_map: accepted; the picture has no colours.
      scale: of the picture; at 1 an array of two axes is ten lines high.
      min_width, max_width: of a part, and of the picture.
    Raises:
      ValueError: the array has another number of axes.

    >>> visualize_sharding((2,), jnp.ones(2).sharding)
    ┌──────────┐
    │  CPU 0   │
    └──────────┘
    """
    if len(shape) not in (1, 2):
        raise ValueError("`visualize_sharding` only works for shapes with 1 and 2 dimensions.")
    cells: dict[tuple[int, int], list[int]] = {}
    platform, part = "", (0, 0)
    for device, index, _ in parts_of(sharding, tuple(shape)):
        bounds = [s.indices(n) for s, n in zip(index, shape)]
        if len(shape) == 1:
            bounds.insert(0, (0, 1, 1))
        cells.setdefault((bounds[0][0], bounds[1][0]), []).append(device.id)
        part = tuple([stop - start for start, stop, _ in bounds])
        platform = device.platform.upper()
    rows, columns = (sorted({key[i] for key in cells}) for i in (0, 1))
    texts = [[f"{platform} {','.join(map(str, sorted(cells[r, c])))}" for c in columns] for r in rows]
    height, width = _size(shape, part, scale)
    width = max(width - 2, min_width - 2, *[len(t) for row in texts for t in row])
    room = max_width - len(columns) - 1  # beside the lines between the parts
    if len(columns) * width > room:
        widths = [max(1, (room + i) // len(columns)) for i in reversed(range(len(columns)))]
    else:
        widths = [width] * len(columns)
    above = (height - 1) // 2
    empty = [""] * len(columns)
    lines = [[*[empty] * above, row, *[empty] * (height - 1 - above)] for row in texts]
    rule = lambda left, middle, right: left + middle.join(["─" * w for w in widths]) + right
    body = f"\n{rule('├', '┼', '┤')}\n".join(["\n".join([_line(texts, widths) for texts in row]) for row in lines])
    print("\n".join([rule("┌", "┬", "┐"), body, rule("└", "┴", "┘")]))


_CHARACTERS_PER_ROW_HEIGHT = 2.5  # characters in a row that are as long as one is high


def _size(shape, part, scale: float) -> tuple[int, int]:
    """Return how many lines a part takes inside of its frame, and how many columns with it."""
    height = int(10 * scale)
    if len(shape) == 1:
        return 1, int(int(height / max(1, shape[0])) * _CHARACTERS_PER_ROW_HEIGHT * part[1] / max(1, shape[0]))
    rows, columns = (max(1, n) for n in shape)
    width = int(height * columns / rows)
    return max(1, int(height * part[0] / rows) - 1), int(width * _CHARACTERS_PER_ROW_HEIGHT * part[1] / columns)


def _line(texts, widths) -> str:
    """Return one line of a row of parts, each text in the middle."""
    out = []
    for text, width in zip(texts, widths, strict=True):
        text = text if len(text) <= width else text[: max(0, width - 1)] + "…"
        left = (width - len(text)) // 2
        out.append(" " * left + text + " " * (width - left - len(text)))
    return f"│{'│'.join(out)}│"


def visualize_array_sharding(arr: Array, **kwargs: Any) -> None:
    """Print which devices hold which part of an array.

    Args:
      arr: an array with one or two axes, or a tracer.
      **kwargs: those of `visualize_sharding`.
    Returns:
      None.
    Raises:
      ValueError: the array has no axis, or more than two.

    >>> visualize_array_sharding(jnp.ones(2))
    ┌──────────┐
    │  CPU 0   │
    └──────────┘
    """
    inspect_array_sharding(arr, callback=lambda sharding: visualize_sharding(arr.shape, sharding, **kwargs))


def inspect_array_sharding(value: Any, *, callback: Callable[[Sharding], None]) -> None:
    """Call `callback` with the sharding of each array of a tree; in a program, when it is compiled.

    Args:
      value: a tree of arrays.
      callback: takes a `Sharding`; what it returns is dropped.
    Returns:
      None.
    Raises:
      TypeError: a leaf is no array or number.

    >>> jit(lambda x: debug.inspect_array_sharding(x * 2, callback=print))(1.)
    SingleDeviceSharding(device=CpuDevice(id=0), memory_kind=device)
    """
    for x in tree_leaves(value):
        inspect_sharding(x, callback=callback)
