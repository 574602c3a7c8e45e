"""Arrays that are rolled in several ways, as stencils do: written once with a border, of which each roll is a view.

A roll is a call of a program that cuts its operand and puts the parts together in the other order, by `concatenate` or,
where it is a derivative's, by `pad` and a sum. A roll of a roll is one of the array that was rolled first.

Tests: `tests/engines/native/graph/test_rolls.py`.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from ....core.jaxpr import ClosedJaxpr, Jaxpr, Literal, Var
from ....core.process.memo import fact
from ....core.process.records import NamedTuple
from .views import View, contiguous

__all__ = ["Rolled", "rolled_arrays", "with_border"]

_MAX_BORDER = 4  # an axis is this many times longer than the way along it, at least


class Rolled(NamedTuple):
    """An array that is another one, rolled.

    Attributes:
      root: the other one.
      shifts: how far along each axis.
      lows, highs: the border of `root` on both sides of each axis, from which all that are made of it are read.
      has_corners: whether one of them is rolled along several axes.
    """

    root: Var
    shifts: tuple[int, ...]
    lows: tuple[int, ...]
    highs: tuple[int, ...]
    has_corners: bool

    def of(self, bordered: View) -> View:
        """Return this array as a view of the other one with its border."""
        rank = len(self.shifts)
        starts = [low - shift for low, shift in zip(self.lows, self.shifts)]
        lengths = [d - low - high for d, low, high in zip(bordered.shape, self.lows, self.highs)]
        return bordered.slice(starts, [a + n for a, n in zip(starts, lengths)], (1,) * rank)


class _Part(NamedTuple):
    """Elements [start, stop) along one axis of an array that is rolled; `low`: where zeros around it let it begin."""

    shifts: tuple[int, ...]
    axis: int
    start: int
    stop: int
    low: int | None = None


@fact
def rolled_arrays(jaxpr: Jaxpr) -> dict[Var, Rolled]:
    """Return those arrays of a program that are rolled from one of which there are several, or by sums."""
    known: dict[Var, tuple[Var, tuple[int, ...]]] = {}
    sums: set[Var] = set()  # what these are made of
    for eqn in jaxpr.eqns:
        called = eqn.params.get(eqn.primitive.called)
        if len(eqn.invars) != 1 or len(eqn.outvars) != 1 or not isinstance(called, ClosedJaxpr):
            continue
        (x,), (out,) = eqn.invars, eqn.outvars
        if type(x) is not Var or type(out) is not Var or (own := _shifts_of(called.jaxpr)) is None:
            continue
        root, before = known.get(x, (x, (0,) * len(own)))
        shifts = tuple([_nearest(s, n) for s, n in zip(map(sum, zip(before, own)), x.aval.shape)])
        if all([_MAX_BORDER * abs(s) <= n for s, n in zip(shifts, x.aval.shape)]):
            known[out] = root, shifts
            if called.jaxpr.eqns[-1].primitive.name != "concatenate":
                sums.add(root)
    ways: dict[Var, list[tuple[int, ...]]] = {}
    for root, shifts in known.values():
        ways.setdefault(root, []).append(shifts)
    borders = {
        root: (
            tuple([max(0, *along) for along in zip(*every)]), tuple([max(0, -min(along)) for along in zip(*every)]),
            any([len(shifts) - shifts.count(0) > 1 for shifts in every]),
        )
        for root, every in ways.items() if len(every) > 1 or root in sums
    }
    return {out: Rolled(root, shifts, *borders[root]) for out, (root, shifts) in known.items() if root in borders}


def _nearest(shift: int, n: int) -> int:
    """Return the shortest way to the same place."""
    shift %= n
    return shift - n if 2 * shift > n else shift


@fact
def _shifts_of(jaxpr: Jaxpr) -> tuple[int, ...] | None:
    """Return how far a program rolls its one operand along each axis; None if it does anything else."""
    if len(jaxpr.invars) != 1 or len(jaxpr.outvars) != 1 or jaxpr.constvars or not jaxpr.eqns:
        return None
    shape = getattr(jaxpr.invars[0].aval, "shape", ())
    if 0 in shape or any([type(n) is not int for n in shape]):
        return None
    known: dict[Any, Any] = {jaxpr.invars[0]: (0,) * len(shape)}  # shifts of arrays, and parts
    for eqn in jaxpr.eqns:
        rule = _RULES.get(eqn.primitive.name)
        operands = [known.get(v) for v in eqn.invars if type(v) is Var]
        if rule is None or None in operands:
            return None
        zeros = [not v.val for v in eqn.invars if type(v) is Literal]
        found = rule(shape, operands, eqn.params) if all(zeros) else None
        if found is None:
            return None
        known.update(zip(eqn.outvars, found))
    shifts = known.get(jaxpr.outvars[0])
    return None if type(shifts) is not tuple or not any(shifts) else shifts


def _slice(shape, operands, params):
    (shifts,) = operands
    if type(shifts) is not tuple or set(params["strides"] or (1,)) != {1}:
        return None
    bounds = [*zip(params["start_indices"], params["limit_indices"])]
    cut = [i for i, (bound, n) in enumerate(zip(bounds, shape)) if bound != (0, n)] or [0]
    return [_Part(shifts, cut[0], *bounds[cut[0]])] if len(cut) == 1 else None


def _split(shape, operands, params):
    (shifts,), axis = operands, params["axis"]
    ends = [sum(params["sizes"][: i + 1]) for i in range(len(params["sizes"]))]
    if type(shifts) is not tuple:
        return None
    return [_Part(shifts, axis, end - size, end) for size, end in zip(params["sizes"], ends)]


def _pad(shape, operands, params):
    (part,), config = operands, params["padding_config"]
    if type(part) is not _Part or part.low is not None:
        return None
    low, high, inside = config[part.axis]
    others = [c for i, c in enumerate(config) if i != part.axis]
    is_whole = low >= 0 and low + part.stop - part.start + high == shape[part.axis]
    return [part._replace(low=low)] if is_whole and high >= 0 and not inside and not any(map(any, others)) else None


def _concatenate(shape, operands, params):
    if any([type(part) is not _Part or part.low is not None for part in operands]):
        return None
    lows = [sum([part.stop - part.start for part in operands[:i]]) for i in range(len(operands))]
    return _joined(shape, [part._replace(low=low) for part, low in zip(operands, lows)], params["dimension"])


def _sum(shape, operands, params):
    if any([type(part) is not _Part or part.low is None for part in operands]):
        return None
    return _joined(shape, sorted(operands, key=lambda part: part.low), operands[0].axis)


def _joined(shape, parts, axis: int) -> list[tuple[int, ...]] | None:
    """Return the array that two parts make, one behind the other along an axis, or one that is whole beside an empty
    one.
    """
    full = [part for part in parts if part.start != part.stop]
    if len(full) == 1 and (full[0].stop - full[0].start, full[0].low) == (shape[full[0].axis], 0):
        return [full[0].shifts]
    if len(full) != 2 or full[0][:2] != full[1][:2] or full[0].axis != axis:
        return None
    (shifts, _, a, b, first), (c, d, second), n = full[0], full[1][2:], shape[axis]
    if (first, second, second + d - c) != (0, b - a, n) or (a - c + second) % n:
        return None
    return [tuple([_nearest(s - a, n) if i == axis else s for i, s in enumerate(shifts)])]


_RULES = {
    "slice": _slice, "split": _split, "pad": _pad, "concatenate": _concatenate, "add": _sum, "add_any": _sum,
}


def with_border(graph, x: View, rolled: Rolled) -> View:
    """Return an array with a border on all sides, in which it goes on from its other end."""
    shape = tuple([low + n + high for low, n, high in zip(rolled.lows, x.shape, rolled.highs)])
    strides, ones = contiguous(shape), (1,) * len(shape)
    places = [  # along each axis where a piece begins, and what of the array it is; the whole is first
        [(low, 0, n), *[p for p in ((0, n - low, n), (low + n, 0, high)) if p[1] < p[2]]]
        for low, n, high in zip(rolled.lows, x.shape, rolled.highs)
    ]
    pieces = []
    for choice in product(*[range(len(along)) for along in places]):
        if rolled.has_corners or len(choice) - choice.count(0) <= 1:
            begins, starts, limits = zip(*[along[i] for along, i in zip(places, choice)])
            pieces.append((x.slice(starts, limits, ones), sum([b * s for b, s in zip(begins, strides)]), strides))
    return graph.assemble(shape, x.base.dtype, pieces)
