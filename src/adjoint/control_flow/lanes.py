"""Lanes: loops and branches of one element, beside those of a batch.

The equation of a loop whose condition is batched says what JAX's says: it runs until all elements are done, and those
that are done keep their carries. Beside it stands the loop that was batched (`Lanes`), if elements do not meet: an
engine may run it for one element after the other. A transformation of the equation that does not know of it makes
other programs, for which it does not hold any more.

Branches whose index is batched are all run for all elements, and the results selected. Beside the selections stand the
branches of one element (`Branches`), which an engine may run for the elements that take them. A transformation
makes other equations, which have nothing beside them.

Tests: `tests/control_flow/test_lanes.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.dtypes import KeyDType
from ..core.jaxpr import ClosedJaxpr, Jaxpr, effects_inside, sub_jaxprs
from ..core.primitive import Primitive
from ..core.process.memo import fact
from ..core.trace import DynamicJaxprTrace, stage_closed, state
from ..prims.bit_generator import rng_bit_generator
from ..prims.shape import transpose
from ..transforms.calls import axes_of
from ..transforms.programs import remembered
from ..transforms.vmap import BatchTrace
from .scan import scan_p

__all__ = ["Branches", "Lanes", "has_loops", "lanes_of", "meet_at_keys", "selected", "with_lanes"]

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
            sizes = test.out_avals[0].shape
            every = (True,) * len(sizes)
            axes = (*self.axes, *[every] * (len(avals) - len(self.axes)))
            own = dict(zip(("cond_jaxpr", "body_jaxpr"), self.loop), lanes=None)
            self._over = _scan(lambda *operands: while_p.bind(*operands, **{**params, **own}), avals, axes, sizes)
        return (scan_p, *self._over)


def _scan(run: Callable, avals, axes, sizes) -> tuple[list[int], dict[str, Any]]:
    """Return which operands it takes, and the parameters, of a `scan` that runs something for one element at a time.

    The operands are of these types, have these of the batch axes, in front, and the batch axes have these sizes.
    """
    is_row = [a[0] for a in axes]
    fixed, rows = [[i for i, row in enumerate(is_row) if row is wanted] for wanted in (False, True)]
    order = [*fixed, *rows]
    inner = [a.without_axis(0) if row else a for a, row in zip(avals, is_row)]

    def one(*args):
        given = dict(zip(order, args))
        operands = [given[i] for i in range(len(avals))]
        if len(sizes) == 1:
            return run(*operands)
        deeper, options = _scan(run, inner, [a[1:] for a in axes], sizes[1:])
        return scan_p.bind(*[operands[i] for i in deeper], **options)

    body = stage_closed(one, [inner[i] for i in order])
    return order, dict(jaxpr=body, length=sizes[0], num_carry=0, num_consts=len(fixed), reverse=False, unroll=1)


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


class Branches:
    """Branches of one element, beside the selection of their results for a batch.

    Attributes:
      invars: the index and the operands, as variables of the program that has the selection.
      outvars: its results.
      key: what decides its program: the branches, where the batch axes of operands and results are, the sizes of these.
    """

    __slots__ = ("_program", "invars", "key", "outvars", "primitive")

    def __init__(self, primitive: Primitive, invars, outvars, key: tuple):
        self.primitive, self.invars, self.outvars, self.key = primitive, invars, outvars, key
        self._program: ClosedJaxpr | None = None

    @property
    def program(self) -> ClosedJaxpr:
        """Return a program with a `scan` over the elements, from the values of `invars` to those of `outvars`."""
        if self._program is None:
            branches, dims, out_dims, sizes = self.key
            run = lambda *operands: self.primitive.bind(*operands, branches=branches)

            def over_elements(*args):
                operands = [_in_front(x, own) for x, own in zip(args, dims)]
                axes = [tuple([d is not None for d in own]) for own in dims]
                order, params = _scan(run, [x.aval for x in operands], axes, sizes)
                outs = scan_p.bind(*[operands[i] for i in order], **params)
                return [_from_front(x, own) for x, own in zip(outs, out_dims)]

            self._program = stage_closed(over_elements, [v.aval for v in self.invars])
        return self._program


@fact
def meet_at_keys(jaxpr: Jaxpr) -> bool:
    """Return whether the elements of a batch meet in a program because the first one's key draws the bits of all."""
    return any([
        eqn.primitive is rng_bit_generator
        or any([_is_shared(v.aval) for v in (*eqn.invars, *eqn.outvars)])
        or any(map(meet_at_keys, sub_jaxprs(eqn.params)))
        for eqn in jaxpr.eqns
    ])


def _is_shared(aval) -> bool:
    dtype = getattr(aval, "dtype", None)
    return type(dtype) is KeyDType and dtype._impl.is_shared


@fact
def has_loops(jaxpr: Jaxpr) -> bool:
    """Return whether a program has loops, at any depth."""
    return any([
        eqn.primitive.name in ("while", "scan") or any(map(has_loops, sub_jaxprs(eqn.params))) for eqn in jaxpr.eqns
    ])


def _in_front(x, dims):
    """Return an array with the axes at these positions in front, in their order."""
    first = [d for d in dims if d is not None]
    order = (*first, *[i for i in range(x.ndim) if i not in first])
    return x if order == tuple(range(x.ndim)) else transpose(x, permutation=order)


def _from_front(x, dims):
    """Return an array whose first axes come to these positions."""
    rest = iter(range(len(dims), x.ndim))
    order = tuple([dims.index(i) if i in dims else next(rest) for i in range(x.ndim)])
    return x if order == tuple(range(x.ndim)) else transpose(x, permutation=order)


def selected(primitive: Primitive, axis, branches, operands, is_row, select: Callable[[], list]) -> list:
    """Return what `select()` gives: for each element of an axis in front the results of its branch.

    Beside the equations that it writes is noted what they chose between, where a program is written, by `vmap` alone,
    and elements do not meet.

    Args:
      branches: programs for one element.
      operands: the index, and what the branches read.
      is_row: which of these have the axis.
    """
    levels, trace = [axis], state.trace
    while type(trace) is BatchTrace:
        levels.append(trace.axis)
        trace = trace.parent
    if type(trace) is not DynamicJaxprTrace:
        return select()
    before = len(trace.eqns)
    outs = select()
    meet = frozenset().union(*[axes_of(b.jaxpr) for b in branches])
    if any([a.name in meet or a.division is not None or not a.size for a in levels]):
        return outs
    if any([effects_inside({"jaxpr": b}) or meet_at_keys(b.jaxpr) for b in branches]):
        return outs
    found = [_unwrapped(x, 0 if row else None, state.trace) for x, row in zip(operands, is_row)]
    results = [_unwrapped(x, 0, state.trace) for x in outs]
    invars, outvars = [trace.atom(x) for x, _ in found], [trace.atom(x) for x, _ in results]
    written = [eqn for eqn in trace.eqns[before:] if not set(outvars).isdisjoint(eqn.outvars)]
    if any([None in dims for _, dims in results]) or [v for eqn in written for v in eqn.outvars] != outvars:
        return outs  # a result has not all axes, or is no new value
    dims, out_dims = tuple([d for _, d in found]), tuple([d for _, d in results])
    key = tuple(branches), dims, out_dims, tuple([a.size for a in reversed(levels)])
    beside = Branches(primitive, invars, outvars, key)
    for eqn in written:
        eqn.lanes = beside
    return outs


def _unwrapped(x, d: int | None, trace) -> tuple[Any, tuple[int | None, ...]]:
    """Return a value below all batches, and where it has the axes of these, the outermost first; `d` is the innermost.
    """
    dims = [d]
    while type(trace) is BatchTrace:
        x, at = trace.split(x)
        if at is not None:
            dims = [i + 1 if i is not None and i >= at else i for i in dims]
        dims.append(at)
        trace = trace.parent
    return x, tuple(reversed(dims))
