"""Sums over mesh axes that are still to be added up: the `sums` rules of primitives.

A type may say that a value is `unreduced` over mesh axes, or `reduced` (`explicit.py`). A rule gets a `SummedCall` and
gives over which axes the results of an operation are one and the other. Where there is no rule, what is linear keeps
sums, and other operations refuse them.

Tests: `tests/parallel/test_explicit.py`.
"""

from __future__ import annotations

from typing import Any

from ..core.messages.errors import message
from ..core.process.records import NamedTuple
from .explicit import spec_of, sums_of
from .mesh import PartitionSpec, names_of
from .rules import refused

__all__ = [
    "SummedCall", "added", "contracted", "in_first", "kept", "multiplied", "of_primitive", "reduced_over", "selected",
    "updated",
]

NO_SUMS: tuple[frozenset, frozenset] = (frozenset(), frozenset())
REDUCE = "jax.reshard(x, P(...)), which adds up"


class SummedCall(NamedTuple):
    """An operation, and how the call asks its result to be divided."""

    p: Any
    avals: Any  # of the operands
    params: dict
    asked: PartitionSpec | None

    @property
    def unreduced(self) -> list[frozenset]:
        """Return for each operand over which mesh axes it is a sum."""
        return [sums_of(a)[0] for a in self.avals]

    @property
    def reduced(self) -> frozenset:
        """Return over which mesh axes the first such operand is reduced."""
        return next((r for _, r in map(sums_of, self.avals) if r), frozenset())


def of_primitive(call: SummedCall) -> tuple[frozenset, frozenset]:
    """Return over which mesh axes results are unreduced, and reduced, by the rule of the primitive."""
    rule = call.p.sums_rule
    if rule is None:
        rule = kept if call.p.linear else _of_operation
    return rule(call)


def _reduced_alike(call: SummedCall, avals) -> tuple[frozenset, frozenset]:
    """Return the sums of the result where no operand is unreduced: all of `avals` are reduced over the same axes."""
    found = call.reduced
    other = next((a for a in avals if a.ndim and sums_of(a)[1] != found), None) if found else None
    if other is not None:
        raise refused(
            "Inputs cannot be replicated on the same axes that another input is reduced on. Got input type: "
            f"{other.str_short()} and reduced spec: {found}",
            f"jax.reshard(x, P(..., reduced={set(found)})) of the other operands",
        )
    return frozenset(), found


def _check_none(call: SummedCall) -> None:
    """Raise NotImplementedError if an operand is unreduced."""
    if any(call.unreduced):
        raise NotImplementedError(
            message(f"unreduced rule for {call.p.name} is not implemented.", why="It is not linear.", fix=REDUCE))


def _of_operation(call: SummedCall) -> tuple[frozenset, frozenset]:
    """Return the sums of the result of an operation of which nothing more is known."""
    _check_none(call)
    return _reduced_alike(call, call.avals)


def kept(call: SummedCall) -> tuple[frozenset, frozenset]:
    """Return the sums of the result of what is linear in all of its arrays together."""
    if any(call.unreduced):
        return next(u for u in call.unreduced if u), frozenset()
    return _reduced_alike(call, call.avals)


def in_first(call: SummedCall) -> tuple[frozenset, frozenset]:
    """Return the same, where operands after the first may be the same everywhere, as positions are."""
    _check_none(call)
    return _reduced_alike(call, call.avals[:1])


def updated(call: SummedCall) -> tuple[frozenset, frozenset]:
    """Return the same of an update at positions, which is linear in the arrays."""
    return kept(call) if any(call.unreduced) else _reduced_alike(call, call.avals[:1])


def selected(call: SummedCall) -> tuple[frozenset, frozenset]:
    """Return the same of a selection: that of all cases, which follow what says where each is taken."""
    cases = call.avals[1:]
    found = set(map(sums_of, cases))
    if len(found) > 1:
        raise refused(
            f"select cases must have the same shardings, got [{', '.join([str(a.sharding) for a in cases])}].", REDUCE)
    return found.pop()


def added(call: SummedCall) -> tuple[frozenset, frozenset]:
    """Return the same of a sum of two."""
    first, second = call.unreduced
    if first != second:
        which = "lhs" if first else "rhs"
        raise refused(
            f"{which} is unreduced while {'rhs' if first else 'lhs'} is not. `add` operation does not allow this "
            f"because there will be implicit communication. Please reduce {which} via `reshard` before calling "
            "`add`.", REDUCE)
    return kept(call)


def multiplied(call: SummedCall) -> tuple[frozenset, frozenset]:
    """Return the same of a product of elements, one of which is known on all devices."""
    (first, reduced), (second, other) = map(sums_of, call.avals)
    if first and second:
        raise refused(
            f"lhs and rhs to `mul` cannot be unreduced since mul is bilinear. Got lhs={first}, rhs={second}", REDUCE)
    if not (first or second):
        return _reduced_alike(call, call.avals)
    known, its_aval = (other, call.avals[1]) if first else (reduced, call.avals[0])
    if known != (first or second) and its_aval.ndim:
        one, two = ("RHS", "LHS") if first else ("LHS", "RHS")
        raise refused(
            f"{one} should be reduced along the same axes {two} is unreduced on. Got "
            f"lhs={call.avals[0].str_short()} and rhs={call.avals[1].str_short()}", REDUCE)
    return first or second, frozenset()


def contracted(call: SummedCall) -> tuple[frozenset, frozenset]:
    """Return the same of a product of arrays; it may be asked to stay a sum over what divides the contracted axes."""
    avals = call.avals
    if any(call.unreduced):
        raise refused(
            f"lhs or rhs passed to dot_general cannot be unreduced. Got lhs={avals[0]!r} and rhs={avals[1]!r}", REDUCE)
    if call.asked is not None and call.asked.unreduced:
        left, right = [tuple([spec_of(a)[d] for d in axes])
                       for a, axes in zip(avals, call.params["dimension_numbers"][0])]
        over = {n for e, f in zip(left, right) if e == f for n in names_of(e)}
        if over != call.asked.unreduced:
            raise refused(
                "out_sharding's unreduced axes should be equal to the contracting specs. Got unreduced "
                f"axes={call.asked.unreduced} and contracting spec={left}", "P(...) without unreduced")
    return NO_SUMS


def reduced_over(call: SummedCall) -> tuple[frozenset, frozenset]:
    """Return the same of a sum along axes; it may be asked to stay a sum over what divides them."""
    if call.asked is not None and call.asked.unreduced:
        (x,), axes = call.avals, call.params["axes"]
        over = {n for d in axes for n in names_of(spec_of(x)[d])}
        if not call.asked.unreduced <= over | sums_of(x)[0]:
            raise refused(
                "out_sharding's unreduced axes should be in operand's specs that were summed over. Got "
                f"operand={x!r}, axes={frozenset(axes)}, unreduced_spec={call.asked.unreduced}",
                "P(...) without unreduced")
    return kept(call)
