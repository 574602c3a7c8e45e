"""`while` under `vmap`, for engines that compile: a loop whose condition is one boolean.

A `while` equation with a batched condition has a boolean array as condition and runs until all are False;
an element that is done keeps its carry. `scalar_condition` writes that down as a loop of the ordinary kind,
`masked_turn` as the body of a loop that another function runs.
"""

from __future__ import annotations

from contextlib import nullcontext

from ..core.jaxpr import ClosedJaxpr
from ..core.process.memo import of_closed
from ..core.trace import eval_jaxpr, stage_closed
from ..prims.logic import mask_of, select_n
from ..prims.reduction import reduce_or
from ..sharding.mesh import named_mesh

__all__ = ["masked_turn", "scalar_condition"]


def scalar_condition(params: dict, operands: list) -> tuple[dict, list]:
    """Return parameters and operands of an equal `while` equation whose condition is a scalar."""
    test, body = params["cond_jaxpr"], params["body_jaxpr"]
    if not test.out_avals[0].shape:
        return params, operands
    n, m = params["cond_nconsts"], params["body_nconsts"]
    scalar, masked = _programs(body, test, n, m)
    changed = dict(params, cond_jaxpr=scalar, body_jaxpr=masked, body_nconsts=n + m)
    return changed, [*operands[:n], *operands]


@of_closed
def _programs(body, test, n, m) -> tuple[ClosedJaxpr, ClosedJaxpr]:
    """Return the condition that one element goes on, and the body that keeps the carry of the others."""
    shape = test.out_avals[0].shape
    going = lambda *args: eval_jaxpr(test.jaxpr, test.consts, *args)[0]

    def any_goes_on(*args):
        return [reduce_or(going(*args), axes=tuple(range(len(shape))))]

    def step(*args):
        test_consts, body_consts, carry = args[:n], args[n : n + m], args[n + m :]
        mask = going(*test_consts, *carry)
        new = eval_jaxpr(body.jaxpr, body.consts, *body_consts, *carry)
        return [select_n(mask_of(mask, x), old, x) for x, old in zip(new, carry)]

    step_avals = test.in_avals[:n] + body.in_avals
    with _mesh_of_types(step_avals):
        return stage_closed(any_goes_on, test.in_avals), stage_closed(step, step_avals)


@of_closed
def masked_turn(body: ClosedJaxpr, test: ClosedJaxpr, m: int) -> ClosedJaxpr:
    """Return the body, with the elements that go on as its first operand; `m` operands of it stay the same."""

    def step(mask, *args):
        new = eval_jaxpr(body.jaxpr, body.consts, *args)
        return [select_n(mask_of(mask, x), old, x) for x, old in zip(new, args[m:])]

    with _mesh_of_types(body.in_avals):
        return stage_closed(step, [*test.out_avals, *body.in_avals])


def _mesh_of_types(avals):
    """Return a context in which the mesh is that of which types speak: its axes may be manual."""
    divided = [a for a in avals if a.placement is not None and a.explicit_sharding is not None]
    return named_mesh(divided[0].explicit_sharding.mesh) if divided else nullcontext()
