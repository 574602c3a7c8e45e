"""The trace at the bottom while `jax_debug_key_reuse` is on: a random key that is used twice is an error.

Random bits and a split use a key up; `fold_in` does not, and `clone` makes a key that counts as new. Every
element of every key array has a number. Operations that only move elements (slices, reshapes, copies) move the
numbers with them: in arrays by where an element is in memory, so that views share them, and in programs by
running the program on numbers. Bodies of loops run twice, since what is used up in one turn is gone in the next.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

import numpy as np

from ...array.array import ArrayImpl, deleted
from ...core import dtypes
from ...core.jaxpr import ClosedJaxpr, JaxprEqn, Literal
from ...core.messages.errors import KeyReuseError, message
from ...core.messages.frames import locate, user_code, user_frame
from ...core.types import aval_of
from .checks import CheckedTrace

__all__ = ["KeyTrace", "check_program"]

_USES_UP = {"random_bits", "random_gamma", "random_split"}
_MOVES = {
    "broadcast_in_dim", "concatenate", "copy", "device_put", "expand_dims", "reshape", "rev", "slice", "squeeze",
    "stack", "transpose",
}
_RENEWS = {"random_clone", "random_wrap"}
_ALTERNATIVES = {"_poisson", "_binomial"}  # of ours: two samples of one key, of which each element is from one
_new = count(1)
_used: dict[int, tuple | None] = {}  # the numbers of keys that were used up, and the user's places that did it
_owners: dict[int, tuple[Any, dict[int, int]]] = {}  # by id of what owns memory: the numbers at its addresses


def _is_key(aval) -> bool:
    return dtypes.issubdtype(aval.dtype, dtypes.prng_key)


def _fresh(shape) -> np.ndarray:
    size = int(np.prod(shape))
    return np.fromiter(_new, np.int64, size).reshape(shape)


# ---- arrays --------------------------------------------------------------------------------------


def _addresses(buffer) -> tuple[dict[int, int], list[int]]:
    """(the numbers of the array that owns the memory, the address of each element)."""
    owner = buffer
    while isinstance(getattr(owner, "base", None), (np.ndarray, np.void)):
        owner = owner.base
    if id(owner) not in _owners:
        try:
            held = weakref.ref(owner, partial(_forget, id(owner)))
        except TypeError:  # a scalar that owns itself is kept
            held = owner
        _owners[id(owner)] = held, {}
    interface = buffer.__array_interface__
    where = np.array(interface["data"][0])
    strides = getattr(buffer, "strides", ())
    for n, step in zip(np.shape(buffer), strides):
        where = where[..., None] + np.arange(n) * step
    return _owners[id(owner)][1], where.reshape(-1).tolist()


def _forget(owner: int, _) -> None:
    _owners.pop(owner, None)


def _numbers(x: ArrayImpl) -> np.ndarray:
    if x._buffer is None:
        raise deleted(x)
    known, addresses = _addresses(x._buffer)
    found = [known.setdefault(a, 0) or known.update({a: next(_new)}) or known[a] for a in addresses]
    return np.array(found, np.int64).reshape(x.shape)


def _name(x: ArrayImpl, numbers: np.ndarray) -> None:
    """Give the elements of a result their numbers, unless they are where they were before."""
    known, addresses = _addresses(x._buffer)
    for address, number in zip(addresses, numbers.reshape(-1).tolist()):
        known.setdefault(address, number)


class KeyTrace(CheckedTrace):
    """Evaluates, and raises KeyReuseError for a key that was used up before."""

    __slots__ = ()

    def process(self, p, args, params):
        if p.name in _RENEWS:  # in memory of its own, or it would be known by that of the old one
            key = super().process(p, args, params)
            key._buffer = key._buffer.copy()
            return key
        if not any([_is_key(aval_of(x)) for x in args]) and not p.runs_programs:
            return super().process(p, args, params)
        numbers = [_numbers(x) if isinstance(x, ArrayImpl) and _is_key(x.aval) else None for x in args]
        used = set(_used)
        try:
            moved = _applied(p, numbers, params, [aval_of(x) for x in args], used)
        except _UsedUp as found:
            raise _error(p, numbers, found) from None
        out = super().process(p, args, params)
        _used.update(dict.fromkeys(used - _used.keys(), user_code()))
        for x, n in zip(out if p.multiple_results else [out], moved):
            if n is not None and isinstance(x, ArrayImpl) and _is_key(x.aval):
                _name(x, n)
        return out


# ---- programs ------------------------------------------------------------------------------------


class _UsedUp(Exception):
    """A key was used up before: its number, the equation and the operand; what a loop does to it, if that is why."""

    def __init__(self, number: int, name: str, operand: int):
        self.number = number
        self.name = name
        self.operand = operand
        self.eqn: JaxprEqn | None = None
        self.loop = ""

    def comes_to(self, name: str, operands: list) -> None:
        """Name an equation that uses, somewhere in its programs, what was used up before it."""
        for i, numbers in enumerate(operands):
            if numbers is not None and self.number in numbers:
                self.name, self.operand = name, i
                return


def check_program(closed: ClosedJaxpr) -> None:
    """Raise KeyReuseError if a program uses one of its keys twice, whatever its operands."""
    numbers = [_fresh(a.shape) if _is_key(a) else None for a in closed.in_avals]
    try:
        _run(closed, numbers, set())
    except _UsedUp as found:
        raise _error(None, [], found) from None


def _use(numbers: np.ndarray, used: set[int], name: str, operand: int) -> None:
    for n in numbers.reshape(-1).tolist():
        if n in used:
            raise _UsedUp(n, name, operand)
    used.update(numbers.reshape(-1).tolist())


def _applied(p, numbers: list, params: dict, avals, used: set[int]) -> list:
    """Return the numbers of the results of an operation; what it uses up is added to `used`."""
    name = p.name
    if name == "jit" and params["name"] in _ALTERNATIVES:
        for i, n in enumerate(numbers):
            if n is not None:
                _use(n, used, name, i)
        return [None] * len(params["jaxpr"].out_avals)
    if name in _USES_UP:
        _use(numbers[0], used, name, 0)
    if name == "scan":
        return _scanned(numbers, params, used)
    if name == "while":
        return _repeated(numbers, params, used)
    if name == "cond":
        return _branched(numbers[1:], params["branches"], used)
    inner = next((x for x in params.values() if isinstance(x, ClosedJaxpr) and len(x.in_avals) == len(avals)), None)
    if inner is not None:
        return _run(inner, numbers, used)
    if name in _MOVES and all([n is not None for n in numbers]):
        return [np.asarray(p.evaluate_rule(*numbers, **params))]
    out = p.infer(tuple(avals), params)
    return [_fresh(a.shape) if _is_key(a) else None for a in (out if p.multiple_results else [out])]


def _run(closed: ClosedJaxpr, numbers: list, used: set[int]) -> list:
    jaxpr = closed.jaxpr
    env: dict = dict(zip(jaxpr.invars, numbers))
    for v, c in zip(jaxpr.constvars, closed.consts):
        env[v] = _numbers(c) if isinstance(c, ArrayImpl) and _is_key(c.aval) else None
    read = lambda v: None if type(v) is Literal else env[v]
    for eqn in jaxpr.eqns:
        operands = [read(v) for v in eqn.invars]
        if all([n is None for n in operands]) and not eqn.primitive.runs_programs:
            outs = [_fresh(v.aval.shape) if _is_key(v.aval) else None for v in eqn.outvars]
        else:
            before = set(used) if eqn.primitive.runs_programs else used
            try:
                outs = _applied(eqn.primitive, operands, eqn.params, [v.aval for v in eqn.invars], used)
            except _UsedUp as found:
                found.eqn = found.eqn or eqn
                if before is not used and found.number in before:
                    found.comes_to(eqn.primitive.name, operands)
                raise
        env.update(zip(eqn.outvars, outs))
    return [read(v) for v in jaxpr.outvars]


def _turn(body, numbers, used, why: Callable[[int], str]) -> list:
    """Run a body of a loop; `why` says what the loop does to a key that was used up."""
    try:
        return _run(body, numbers, used)
    except _UsedUp as found:
        found.loop = found.loop or why(found.number)
        raise


def _reused(part: str) -> str:
    return f"{part} function leads to key reuse when repeatedly executed"


def _scanned(numbers, params, used) -> list:
    body, length = params["jaxpr"], params["length"]
    start, end = params["num_consts"], params["num_consts"] + params["num_carry"]
    consts, carry, xs = numbers[:start], numbers[start:end], numbers[end:]
    outs: list = carry
    for i in range(min(length, 2)):
        rows = [None if x is None else x[i] for x in xs]
        same = {n for x in (*consts, *carry) if x is not None for n in x.reshape(-1).tolist()} if i else set()
        why = lambda n, same=same: "" if not same else _reused("scan body") + (
            ", because key constants are repeatedly consumed" if n in same else "")
        outs = _turn(body, [*consts, *carry, *rows], used, why)
        carry = outs[: len(carry)]
    for x in xs:
        if x is not None and length > 2 and not used.isdisjoint(x[:2].reshape(-1).tolist()):
            _use(x[2:], used, "scan", 0)
    ys = body.out_avals[len(carry) :]
    return [*carry, *[_fresh((length, *a.shape)) if _is_key(a) else None for a in ys]]


def _repeated(numbers, params, used) -> list:
    test, body = params["cond_jaxpr"], params["body_jaxpr"]
    start, end = params["cond_nconsts"], params["cond_nconsts"] + params["body_nconsts"]
    carry = numbers[end:]
    both = "while_loop cond and body functions both use the same key"
    of_test: set[int] = set()  # what the test used up, in both turns
    for i in range(2):
        before = set(used)
        _turn(test, [*numbers[:start], *carry], used, lambda n, i=i: _reused("while_loop cond") if i else "")
        of_test |= used - before
        why = lambda n, i=i, mine=of_test: both if n in mine else _reused("while_loop body") if i else ""
        carry = _turn(body, [*numbers[start:end], *carry], used, why)
    return carry


def _branched(numbers, branches, used) -> list:
    before = set(used)
    outs: list = []
    for branch in branches:
        mine = set(before)
        outs = _run(branch, numbers, mine)
        used |= mine
    return [None if n is None else _fresh(n.shape) for n in outs]


def _error(p, numbers, found: _UsedUp) -> KeyReuseError:
    fix = "key, subkey = jax.random.split(key), and a new subkey for each use; jax.random.clone(key) if it is meant"
    for i, n in enumerate(numbers):
        if found.number in _used and n is not None and found.number in n:
            name = "jit-compiled function" if p.name == "jit" else p.name
            why, first = "The same key gives the same numbers again.", _used[found.number]
            if first is not None:
                at = locate(*first)
                why += f"\nIt was used first at {at}:   {at.source}"
            return KeyReuseError(
                message(f"Previously-consumed key passed to {name} at index {i}", where=user_frame(), why=why, fix=fix)
            )
    code, place, *_ = (found.eqn and found.eqn._source) or (None, 0)
    where = locate(code, place) if code is not None else user_frame()
    if found.loop:
        return KeyReuseError(message(
            f"{found.loop}:", where=where,
            why="Every iteration uses the same key, so every iteration draws the same numbers.",
            fix="jax.random.fold_in(key, i) in the body, or keys that are scanned over",
        ))
    return KeyReuseError(message(
        f"In {found.name}, argument {found.operand} is already consumed.", where=where,
        why="The same key gives the same numbers again.", fix=fix,
    ))
