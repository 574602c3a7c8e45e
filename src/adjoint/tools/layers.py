"""A layout of directed graphs: nodes in layers from the top, each below what it reads, few lines crossing.

Lines that pass a layer have a narrow node of their own there, so that they go between the boxes. Orders and places come
from a few sweeps: each node wants to be at the mean of its neighbours.

Tests: `tests/tools/test_graphs.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

__all__ = ["Box", "Line", "arrange"]

_GAP_ACROSS = 14
_GAP_DOWN = 34
_SWEEPS = 4


@dataclass(eq=False)
class Box:
    """A node of some size; `x` is that of its left side, `y` that of its top, when it is arranged."""

    width: float
    height: float
    x: float = 0
    y: float = 0
    layer: int = 0
    above: list[Box] = field(default_factory=list)
    below: list[Box] = field(default_factory=list)

    @property
    def middle(self) -> float:
        """Return the place of the middle, from the left."""
        return self.x + self.width / 2


@dataclass(eq=False)
class Line:
    """A line from a node to one below, by way of narrow nodes in the layers between."""

    start: Box
    end: Box
    through: list[Box] = field(default_factory=list)


def arrange(boxes: Sequence[Box], lines: Sequence[Line], last: Sequence[Box] = ()) -> tuple[float, float]:
    """Give nodes their places, and return the width and the height of the whole.

    Args:
      boxes: nodes, each after those that it is below of.
      lines: which of them are joined.
      last: nodes that stand in the lowest layer.

    >>> a, b = Box(10, 10), Box(30, 10)
    >>> arrange([a, b], [Line(a, b)])
    (30, 54)
    >>> (a.x, a.y), (b.x, b.y)
    ((10.0, 0), (0.0, 44))
    """
    if not boxes:
        return 0, 0
    layers = _layers(boxes, lines, last)
    for layer in layers:
        for place, box in enumerate(layer):
            box.x = place
    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0
        for layer in layers if downwards else reversed(layers):
            layer.sort(key=lambda box: _wanted(box.above if downwards else box.below, box.x, lambda other: other.x))
            for place, box in enumerate(layer):
                box.x = place
    y = 0
    for layer in layers:
        x = 0
        for box in layer:
            box.x, box.y = x, y
            x += box.width + _GAP_ACROSS
        y += max(box.height for box in layer) + _GAP_DOWN
    for sweep in range(2 * _SWEEPS):
        downwards = sweep % 2 == 0
        for layer in layers if downwards else reversed(layers):
            _place(layer, downwards)
    left = min(box.x for layer in layers for box in layer)
    for layer in layers:
        for box in layer:
            box.x -= left
    return max(box.x + box.width for layer in layers for box in layer), y - _GAP_DOWN


def _layers(boxes: Sequence[Box], lines: Sequence[Line], last: Sequence[Box]) -> list[list[Box]]:
    """Return the nodes by layer, with narrow ones where lines pass."""
    reads: dict[Box, list[Line]] = {box: [] for box in boxes}
    for line in lines:
        reads[line.end].append(line)
    for box in boxes:
        box.layer = max([line.start.layer + 1 for line in reads[box]], default=0)
    lowest = max(box.layer for box in boxes)
    for box in last:
        box.layer = lowest
    layers: list[list[Box]] = [[] for _ in range(lowest + 1)]
    for box in boxes:
        layers[box.layer].append(box)
    passing: dict[tuple[Box, int], Box] = {}    # lines from one node share their way
    for line in lines:
        before = line.start
        for n in range(line.start.layer + 1, line.end.layer):
            if (line.start, n) not in passing:
                passing[line.start, n] = Box(2, 0, layer=n)
                layers[n].append(passing[line.start, n])
            line.through.append(passing[line.start, n])
            _join(before, line.through[-1])
            before = line.through[-1]
        _join(before, line.end)
    return layers


def _join(above: Box, below: Box) -> None:
    if below not in above.below:
        above.below.append(below)
        below.above.append(above)


def _wanted(others: list[Box], otherwise: float, of) -> float:
    return sum(of(other) for other in others) / len(others) if others else otherwise


def _place(layer: list[Box], downwards: bool) -> None:
    """Move the nodes of a layer to where their neighbours are, in their order and without touching."""
    groups: list[tuple[list[float], float]] = []    # the left sides that nodes of one block want, and its width
    for box in layer:
        middle = _wanted(box.above if downwards else box.below, box.middle, lambda other: other.middle)
        wants, width = [middle - box.width / 2], box.width
        while groups and _mean(groups[-1][0]) + groups[-1][1] + _GAP_ACROSS > _mean(wants):
            before, size = groups.pop()     # they would touch: one block, whose nodes stand side by side
            wants = before + [want - size - _GAP_ACROSS for want in wants]
            width += size + _GAP_ACROSS
        groups.append((wants, width))
    rest = iter(layer)
    for wants, _ in groups:
        x = _mean(wants)
        for _ in wants:
            box = next(rest)
            box.x = x
            x += box.width + _GAP_ACROSS


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
