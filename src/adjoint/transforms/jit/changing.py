"""Values that change, where programs are traced: what they hold goes in, and what they hold after it comes out.

A value belongs to the trace in which it was made. There its arrays are its own, and are replaced in place. Where a
program is traced that closes over it (a loop, a branch, a function that is jitted), references stand for its arrays:
they are made where the value belongs, and what is written to them is put into the value when it is next looked at.
An operand of a jitted function is a new value inside, and what that holds in the end is a result of the call.

Tests: `tests/experimental/test_hijax.py`.
"""

from __future__ import annotations

import sys
import threading
from typing import Any

from ...core.messages.errors import message
from ...core.trace import Tracer, current, state, writer
from ...core.tree.registry import register_pytree_node
from ...core.tree.tree import tree_leaves, tree_map
from ...core.types import aval_of, typed_value
from ...core.values.changing import is_changing
from ...prims.references import new_ref
from ..flat import wraps

__all__ = ["call_holding", "closing_over", "holding", "lowered", "mapped_held", "operate"]

_MAX_UNUSED = 64  # places of values that only this module may still know, before it looks


class Held:
    """The arrays that a value holds, as a tree of arrays: its type and the types of what it holds are the tree's."""

    __slots__ = ("arrays", "kind", "types")

    def __init__(self, kind, types, arrays):
        self.kind, self.types, self.arrays = kind, types, arrays


register_pytree_node(Held, lambda x: (tuple(x.arrays), (x.kind, x.types)), lambda aux, xs: Held(*aux, xs))


class _Place:
    """The trace to which a value belongs, and the references that stand for its arrays in programs."""

    __slots__ = ("owner", "refs", "value")

    def __init__(self, value, owner):
        self.value = value
        self.owner = owner  # a trace, or None for the evaluating one
        self.refs: list | None = None


class _Direct(threading.local):
    """A flag: whether methods of a type run, which see what a value holds itself, in this thread."""

    now = False


_direct = _Direct()


def _directly(method, *args):
    """Call a method of a type, whose operations read and write the value itself."""
    before, _direct.now = _direct.now, True
    try:
        return method(*args)
    finally:
        _direct.now = before


def _arrays(value) -> tuple:
    """Return the type of a value, the types of what it holds itself, and that."""
    kind, types = typed_value(value), _directly(value.cur_qdd)
    return kind, types, _directly(kind.read_loval, types, value)


def _replace(value, kind, types, arrays) -> None:
    _directly(kind.update_from_loval, types, value, *arrays)


_places: dict[int, _Place] = {}  # by id of the value, which cannot always be referred to weakly
_look_at = [_MAX_UNUSED]


def _keep(place: _Place) -> _Place:
    """Note a place, and forget those of values to which no other reference is left or whose trace is over."""
    _places[id(place.value)] = place
    if len(_places) > _look_at[0]:
        for key, p in list(_places.items()):
            is_over = p.owner is not None and not p.owner.active
            if is_over or sys.getrefcount(p.value) <= 2:  # the place's and the call's
                del _places[key]
        _look_at[0] = 2 * len(_places) + _MAX_UNUSED
    return place


def _place(value) -> _Place:
    found = _places.get(id(value))
    if found is not None:
        return found
    arrays = _arrays(value)[2]
    traces = [x._trace for x in arrays if isinstance(x, Tracer)]
    return _Place(value, max(traces, key=lambda t: len(list(_traces_from(t, None))), default=None))


def _own(value):
    """Note that a value was made under the current trace."""
    if state.trace is not state.bottom:
        _keep(_Place(value, state.trace))
    else:
        _places.pop(id(value), None)
    return value


def _is_closed_over(place: _Place) -> bool:
    """Return whether a program is being traced that closes over the value."""
    return writer(state.trace, place.owner) is not None


def _references(place: _Place) -> list:
    if place.refs is None:
        with current(place.owner or state.bottom):
            place.refs = [new_ref(x) for x in _arrays(place.value)[2]]
        _keep(place)
    return place.refs


def _refresh(place: _Place) -> None:
    """Put into a value what was written to its references."""
    if place.refs is not None:
        kind, types, before = _arrays(place.value)
        arrays = [r[...] if r.is_traced else r._refs for r in place.refs]
        if any([a is not b for a, b in zip(arrays, before)]):
            _replace(place.value, kind, types, arrays)


def _tell(place: _Place) -> None:
    """Put into the references of a value what it holds now; they are given up if that has other types."""
    if place.refs is None:
        return
    arrays = _arrays(place.value)[2]
    if len(arrays) == len(place.refs) and all(map(_fits, place.refs, arrays)):
        for r, x in zip(place.refs, arrays):
            if r._refs is not x:
                r[...] = x
    else:
        for r in place.refs:
            r.give_up()
        place.refs = None


def _fits(ref, x) -> bool:
    given = aval_of(x)
    return (ref.shape, ref.dtype) == (given.shape, given.dtype)


def _held(value) -> Held:
    """Return what a value holds now, as programs that are being traced see it."""
    place = _place(value)
    if _is_closed_over(place):
        kind, types, _ = _arrays(value)
        return Held(kind, types, [r[...] for r in _references(place)])
    _refresh(place)
    return Held(*_arrays(value))


def _put(value, found: Held) -> None:
    """Let a value hold what was found for it."""
    place = _place(value)
    if not _is_closed_over(place):
        _replace(value, found.kind, found.types, found.arrays)
        _check_belongs(place, found.arrays)
        _tell(place)
        return
    refs = _references(place)
    if len(refs) != len(found.arrays) or not all(map(_fits, refs, found.arrays)):
        raise TypeError(message(
            f"A value of type {found.kind} cannot change the types of what it holds in a program that closes over it.",
            why=f"It holds {[r.aval.inner_aval.str_short() for r in refs]} outside, and "
            f"{[aval_of(x).str_short() for x in found.arrays]} were put into it.",
            fix="pass it to the jitted function as an argument",
        ))
    for r, x in zip(refs, found.arrays):
        r[...] = x


def _check_belongs(place: _Place, arrays) -> None:
    """Raise if what a value holds belongs to a transformation that the value is not part of."""
    owner = place.owner or state.bottom
    for x in arrays:
        trace = x._trace if isinstance(x, Tracer) else owner
        if trace is not owner and trace in _traces_from(state.trace, owner):
            how = "mapped" if trace.maps else "differentiated"
            raise NotImplementedError(message(
                f"A {how} value is put into a value of type {typed_value(place.value)} from outside.",
                fix="return it from the function, and put it in there",
            ))


def _traces_from(trace, owner):
    """A trace and those that it stands on, as far as that of a value, which is left out."""
    while trace is not None and trace is not owner:
        yield trace
        trace = trace.parent


def _raised(found: Held):
    """Return a new value that holds what was found."""
    return _own(_directly(found.kind.new_from_loval, found.types, *found.arrays))


def operate(run, args, params):
    """Run an operation of a library, of which operands or results may change: `run(*args, **params)`."""
    if _direct.now:
        return run(*args, **params)
    inside, before, moved = [], [], []
    for x in args:
        if is_changing(x):
            if _is_closed_over(_place(x)):
                before.append(found := _held(x))
                moved.append((x, stand_in := _raised(found)))
                inside.append(stand_in)
                continue
            _refresh(_place(x))
        inside.append(x)
    own = [(x, _place(x), _held(x)) for x in inside if is_changing(x)]
    out = run(*inside, **params)
    for (x, stand_in), found in zip(moved, before):
        now = _held(stand_in)
        if now.types != found.types or any([a is not b for a, b in zip(now.arrays, found.arrays)]):
            _put(x, now)
    for x, place, found in own:
        try:
            _check_belongs(place, _arrays(x)[2])
        except NotImplementedError:
            _replace(x, found.kind, found.types, found.arrays)
            raise
        _tell(place)
    for x in tree_leaves(out):
        if is_changing(x):
            _own(x)
    return out


# ---- calls ---------------------------------------------------------------------------------------


def _is_held(x) -> bool:
    return type(x) is Held


def holding(fun):
    """Return a function on what values hold: it returns a pair, the result and what the operands hold in the end."""

    @wraps(fun)
    def run(*args, **kwargs):
        inside: list[Any] = []

        def take(x):
            inside.append(_raised(x))
            return inside[-1]

        args, kwargs = mapped_held(take, (args, kwargs))
        try:
            return _lowered(fun(*args, **kwargs)), [_held(x) for x in inside]
        finally:
            for x in inside:
                _places.pop(id(x), None)

    return run


def _lowered(tree):
    return tree_map(lambda x: _held(x) if is_changing(x) else x, tree)


def lowered(args, kwargs) -> tuple[tuple, dict, list]:
    """Return arguments with what values hold in place of those that change, and these."""
    values: list[Any] = []

    def lower(tree):
        found = [x for x in tree_leaves(tree) if is_changing(x)]
        values.extend(found)
        return _lowered(tree) if found else tree  # others stay the objects that they are

    return tuple(map(lower, args)), {k: lower(x) for k, x in kwargs.items()}, values


def mapped_held(fun, tree):
    """Return a tree with `fun(x)` in place of what is held."""
    return tree_map(lambda x: fun(x) if _is_held(x) else x, tree, is_leaf=_is_held)


def call_holding(fun, args, kwargs):
    """Call a function that `holding` made, or a `jit` of it, for operands or results that change."""
    args, kwargs, values = lowered(args, kwargs)
    out, after = fun(*args, **kwargs)
    for value, found in zip(values, after):
        _put(value, found)
    return mapped_held(_raised, out)


def closing_over(args: tuple) -> tuple[tuple, Any]:
    """Return operands without the values that change among them, and a function that lets functions close over these.
    """
    values: list[Any] = []

    def leave_out(x):
        if not is_changing(x):
            return x
        values.append(x)
        return _Left(len(values) - 1)

    def close(fun):
        put_back = lambda x: values[x.number] if type(x) is _Left else x
        run = lambda *args: fun(*tree_map(put_back, args, is_leaf=lambda x: type(x) is _Left))
        return wraps(fun)(run)

    return tree_map(leave_out, args), close


class _Left:
    """Stands in a tree for a value that a function closes over."""

    __slots__ = ("number",)

    def __init__(self, number: int):
        self.number = number


register_pytree_node(_Left, lambda x: ((), x.number), lambda number, _: _Left(number))
