"""Lanes of a batched `while`: the loop of one element, which ends when it ends.

The equation of a loop whose condition is batched says what JAX's says: it runs until all elements are done, and those
that are done keep their carries. Beside it stands the loop that was batched (`Lanes`), if elements do not meet: an
engine may run it for one element after the other. A transformation of the equation that does not know of it makes
other programs, for which it does not hold any more.

Tests: `tests/control_flow/test_lanes.py`.
"""

from __future__ import annotations

from typing import Any

from ..core.jaxpr import ClosedJaxpr
from ..core.primitive import Primitive
from ..core.trace import stage_closed
from ..transforms.programs import remembered
from .scan import scan_p

__all__ = ["Lanes", "lanes_of", "with_lanes"]

_Pair = tuple[ClosedJaxpr, ClosedJaxpr]  # a condition and a body


class Lanes:
    """A loop of one element, beside the batched one.

    Attributes:
      loop: condition and body for one element, whose operands are as many as the batched loop has.
      batched: those of the batched loop, for which this holds.
      axes: for each operand that is constant in the loop, which of the batch axes it has, all of them in front. The
        carry has all batch axes.
    """

    __slots__ = ("_over", "axes", "batched", "loop")

    def __init__(self, loop: _Pair, batched: _Pair, axes: tuple[tuple[bool, ...], ...]):
        self.loop = loop
        self.batched = batched
        self.axes = axes
        self._over: tuple[list[int], dict[str, Any]] | None = None

    def holds(self, params: dict[str, Any]) -> bool:
        """Return whether this is the loop of one element of the batched loop with these parameters."""
        return self.batched == (params["cond_jaxpr"], params["body_jaxpr"])

    def scan(self, while_p: Primitive, params: dict[str, Any]) -> tuple[Primitive, list[int], dict[str, Any]]:
        """Return the equation of a `scan` over the elements: its primitive, which operands it takes, its parameters."""
        if self._over is None:
            test, body = self.batched
            avals = [*test.in_avals[: params["cond_nconsts"]], *body.in_avals]
            self._over = self._scan(while_p, params, avals, self.axes, test.out_avals[0].shape)
        return (scan_p, *self._over)

    def _scan(self, while_p, params, avals, axes, sizes) -> tuple[list[int], dict[str, Any]]:
        """`scan`, of operands of these types, whose batch axes have these sizes."""
        is_row = [*[a[0] for a in axes], *[True] * (len(avals) - len(axes))]
        fixed, rows = [[i for i, row in enumerate(is_row) if row is wanted] for wanted in (False, True)]
        order = [*fixed, *rows]
        inner = [a.without_axis(0) if row else a for a, row in zip(avals, is_row)]

        def one(*args):
            given = dict(zip(order, args))
            operands = [given[i] for i in range(len(avals))]
            if len(sizes) == 1:
                test, body = self.loop
                return while_p.bind(*operands, **{**params, "cond_jaxpr": test, "body_jaxpr": body, "lanes": None})
            deeper, options = self._scan(while_p, params, inner, [a[1:] for a in axes], sizes[1:])
            return scan_p.bind(*[operands[i] for i in deeper], **options)

        body = stage_closed(one, [inner[i] for i in order])
        return order, dict(
            jaxpr=body, length=sizes[0], num_carry=0, num_consts=len(fixed), reverse=False, unroll=1
        )


def lanes_of(params: dict[str, Any]) -> Lanes | None:
    """Return the loop of one element of a `while`, if it is batched and that is known."""
    lanes = params.get("lanes")
    return lanes if lanes is not None and lanes.holds(params) else None


def with_lanes(params: dict[str, Any], loop: _Pair, axes: tuple[tuple[bool, ...], ...]) -> dict[str, Any]:
    """Return parameters of a batched loop that say what one of its elements does."""
    return {**params, "lanes": _beside(params["body_jaxpr"], params["cond_jaxpr"], *loop, axes)}


@remembered
def _beside(body: ClosedJaxpr, test: ClosedJaxpr, lane_test: ClosedJaxpr, lane_body: ClosedJaxpr, axes) -> Lanes:
    return Lanes((lane_test, lane_body), (test, body), axes)
