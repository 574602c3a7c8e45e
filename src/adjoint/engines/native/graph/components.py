"""Arrays that are put together of parts, such as by `stack`, read and computed part by part.

What is read of such an array and is in one of its parts is read from what the part was copied from. An element-wise
operation on all of it is one operation for each component, the arrays along a short axis of which each is in one
part, and its result is put together again. So the components of a vector, and what is computed of them, need no memory
between the operations of a program that takes vectors apart and stacks them.

Tests: `tests/engines/native/graph/test_components.py`.
"""

from __future__ import annotations

from ....core.process.memo import memoized
from ..runtime.machine import VECTOR_BYTES
from ..text.builder import register_dtype
from .views import Node, View, contiguous

__all__ = [
    "component", "cuts_along", "every", "forwarded", "is_assembled", "mixed_axis", "part_along", "pieces_of",
    "short_axis", "short_rows",
]

_MAX_COMPONENTS = 8  # arrays along the axis that is computed component by component
_MAX_PARTS = 64  # parts of an array that are searched
_MIN_MIXED = 32  # elements along an axis of each of the parts that are mixed along it
_MIN_ROWS = 64  # rows that are so many that the components are long

_Steps = list[tuple[int, int, int | None]]  # for each axis of an array: the first index, the step, the axis of a view


def is_assembled(node: Node) -> bool:
    """Return whether an array is put together of parts."""
    return node.kind == "result" and node.step.kind == "gather"


def component(view: View, axis: int, k: int) -> View:
    """Return the elements of a view with index `k` along an axis, without that axis."""
    rest = lambda x: x[:axis] + x[axis + 1 :]
    return View(view.base, rest(view.shape), view.offset + k * view.strides[axis], rest(view.strides))


def forwarded(view: View) -> View | None:
    """Return a view of what a part was copied from if one part has all that a view reads, else None."""
    wanted = _steps(view) if len(view.base.step.operands) <= _MAX_PARTS and view.size else None
    if wanted is None:
        return None
    for part in view.base.step.operands:
        found = _in_part(view, wanted, part.base)
        if found is not None:
            return found
    return None


def pieces_of(view: View) -> list[tuple[View, tuple[int, ...]]] | None:
    """Return views that make up one of an assembled array, each in one part, and the index where each begins.

    None if some elements lie in no part or in several, or the array has many parts.
    """
    parts = view.base.step.operands
    wanted = _steps(view) if len(parts) <= _MAX_PARTS and view.size else None
    if wanted is None:
        return None
    found = []
    for part in parts:
        bounds = _bounds_in_part(view, wanted, part.base)
        if bounds is None:
            return None
        if all([start < stop for start, stop in bounds]):
            starts, stops = zip(*bounds)
            found.append((view.slice(starts, stops, (1,) * len(starts)), starts))
    return found if sum([piece.size for piece, _ in found]) == view.size else None


def short_axis(view: View) -> int | None:
    """Return an axis of a view of an assembled array of which each component is in one part; None if there is none.

    The view itself is in no single part.
    """
    for axis, (d, stride) in enumerate(zip(view.shape, view.strides)):
        if 1 < d <= _MAX_COMPONENTS and stride:
            if all([forwarded(component(view, axis, k)) is not None for k in range(d)]):
                return axis
    return None


def short_rows(view: View) -> bool:
    """Return whether a view has many short rows, the elements of which are not next to each other.

    In squares of as many elements as a vector has lanes they would be turned (`kernels/tiles.py`).
    """
    shape, strides = view.shape, view.strides
    if not shape or not 2 < shape[-1] < _MAX_COMPONENTS or view.size < _MIN_ROWS * shape[-1] or strides[-1] in (0, 1):
        return False
    lanes = VECTOR_BYTES // register_dtype(view.base.dtype).itemsize
    while lanes // 2 >= shape[-1]:
        lanes //= 2
    turned = any([s == 1 and d >= lanes for d, s in zip(shape[:-1], strides)])
    return not (turned and 4 <= lanes <= shape[-1])


def mixed_axis(view: View) -> tuple[int, int] | None:
    """Return the axis along which a whole array is mixed of parts, each at every second to eighth place, and that step.

    None if there is none, or if what stands at some of these places is not made of parts one after the other.
    """
    strides = contiguous(view.base.shape)
    if len(view.base.step.operands) > _MAX_PARTS or view.shape != view.base.shape or view.strides != strides:
        return None
    found = {
        (axis, wide // unit) for part in view.base.step.operands if len(part.base.into.strides) == len(strides)
        for axis, (d, wide, unit) in enumerate(zip(part.base.shape, part.base.into.strides, strides))
        if d > 1 and wide > unit
    }
    if len(found) != 1:
        return None
    axis, step = found.pop()
    if step > _MAX_COMPONENTS or view.shape[axis] < _MIN_MIXED * step:
        return None
    rows = [every(view, axis, k, step) for k in range(step)]
    return (axis, step) if all([forwarded(v) is not None or pieces_of(v) is not None for v in rows]) else None


def every(view: View, axis: int, first: int, step: int) -> View:
    """Return the elements of a view at `first` along an axis, and at every `step` further."""
    starts, steps = [0] * len(view.shape), [1] * len(view.shape)
    starts[axis], steps[axis] = first, step
    return view.slice(starts, view.shape, steps)


def part_along(view: View, axis: int, start: int, stop: int) -> View:
    """Return the elements of a view from `start` below `stop` along an axis."""
    starts, stops = [0] * len(view.shape), list(view.shape)
    starts[axis], stops[axis] = start, stop
    return view.slice(starts, stops, (1,) * len(starts))


def cuts_along(view: View, axis: int) -> set[int]:
    """Return the places along an axis where a view of an assembled array goes from one part to another."""
    pieces = pieces_of(view) if is_assembled(view.base) and type(view) is View else None
    return {starts[axis] for _, starts in pieces or ()}


def _steps(view: View) -> _Steps | None:
    """Return how a view steps through its array; None if it goes along several axes at once."""
    return _steps_in(view.base.shape, view.offset, view.shape, view.strides)


@memoized(4096)
def _steps_in(shape, offset: int, counts, moves) -> _Steps | None:
    strides = contiguous(shape)
    left, found = offset, []
    for d, stride in zip(shape, strides):
        first, left = divmod(left, stride) if d != 1 else (0, left)
        found.append((first, 0, None))
    for i, (d, stride) in enumerate(zip(counts, moves)):
        if d == 1 or not stride:
            continue
        for axis, (n, unit) in enumerate(zip(shape, strides)):
            first, _, used = found[axis]
            step, rest = divmod(stride, unit)
            if n != 1 and not rest and used is None and 0 <= first < n and 0 <= first + (d - 1) * step < n:
                found[axis] = first, step, i
                break
        else:
            return None
    return found


def _bounds_in_part(view: View, wanted: _Steps, part: Node) -> list[tuple[int, int]] | None:
    """Return for each axis of a view the indices between which it reads a part; None if it has gaps that are read."""
    region, source = _steps(part.into), part.operands[0]
    if region is None:
        return None
    bounds = [(0, d) for d in view.shape]
    for (first, step, axis), (begin, stride, own) in zip(wanted, region):
        count = 1 if own is None else source.shape[own]
        if axis is None:
            if not begin <= first < begin + (count - 1) * stride + 1 or count > 1 and (first - begin) % stride:
                return [(0, 0)] * max(1, len(bounds))
            continue
        size = abs(step)
        if count > 1 and size % stride:
            return None
        end = begin + (count - 1) * stride
        if (first - begin) % (stride if count > 1 else size):
            bounds[axis] = 0, 0
            continue
        start, last = (begin - first, end - first) if step > 0 else (first - end, first - begin)
        bounds[axis] = max(0, -(-start // size)), min(view.shape[axis], last // size + 1)
    return bounds


def _in_part(view: View, wanted: _Steps, part: Node) -> View | None:
    """Return a view of what a part was copied from, if all that a view reads is in the part."""
    region, source = _steps(part.into), part.operands[0]
    if region is None:
        return None
    offset, strides = source.offset, [0] * len(view.shape)
    for (first, step, axis), (begin, stride, own) in zip(wanted, region):
        if own is None:  # the part has one index here
            if first != begin or step:
                return None
            continue
        index, rest = divmod(first - begin, stride)
        turns, odd = divmod(step, stride)
        last = index + turns * (view.shape[axis] - 1) if axis is not None else index
        if rest or odd or not 0 <= index < source.shape[own] or not 0 <= last < source.shape[own]:
            return None
        offset += index * source.strides[own]
        if axis is not None:
            strides[axis] = turns * source.strides[own]
    return View(source.base, view.shape, offset, tuple(strides))
