"""Types of the user's that say themselves how `vmap` takes them apart and puts them together.

A value of a registered type is one leaf. Before the mapped function runs, the type's `to_elt` makes of it the value of
one call; of what the function returns, `from_elt` makes the value of all calls. Both get a function that does this for
what is inside. Where `in_axes` and `out_axes` have an int for an array, they may have a spec of the type's own.

Tests: `tests/extend/test_interpreters.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..core import dtypes
from ..core.messages.errors import message
from ..core.process.records import NamedTuple
from ..core.trace import state
from ..core.tree.tree import tree_unflatten
from ..core.types import Array, aval_of, is_arraylike
from ..core.values.refs import Ref
from ..prims.shape import iota
from .flat import FlatFun

__all__ = [
    "MappableFun", "MappedFun", "Vmappable", "as_size", "from_element", "is_spec", "is_vmappable", "register_vmappable",
    "to_element", "unregister_vmappable", "vmappables",
]


class Vmappable(NamedTuple):
    """The functions of a registered type; see `register_vmappable`."""

    spec_type: type
    axis_size_type: type
    to_elt: Callable
    from_elt: Callable
    make_iota: Callable | None


vmappables: dict[type, Vmappable] = {}


def is_vmappable(x) -> bool:
    """Return whether a value is of a registered type: it is a leaf, also if its type is a node of trees."""
    return type(x) in vmappables


class MappedFun(FlatFun):
    """A function of trees that may return references that it made; their values are in their places.

    After a call `references` has the positions of these among the results.
    """

    __slots__ = ("references",)

    results = (Ref,)

    def __call__(self, *leaves) -> list:
        outs = super().__call__(*leaves)
        self.references = [i for i, x in enumerate(outs) if type(x) is Ref]
        for i in self.references:
            if outs[i].is_traced or outs[i].trace is not state.trace:
                raise self.bad_result(tree_unflatten(self.out_tree, outs), outs[i])
            outs[i] = outs[i]._refs
        return outs


class MappableFun(MappedFun):
    """A function of trees that may also return values of registered types."""

    __slots__ = ()

    results = property(lambda self: (*vmappables, Ref))  # type: ignore[assignment]
    is_leaf = staticmethod(is_vmappable)


def register_vmappable(
    data_type: type, spec_type: type, axis_size_type: type, to_elt: Callable, from_elt: Callable,
    make_iota: Callable | None,
) -> None:
    """Let `vmap` take values of a type, and return them.

    Args:
      data_type: the type, which is no array; values of one that is a node of trees are taken as a whole.
      spec_type: of what `in_axes` and `out_axes` may hold for it, beside ints and None.
      axis_size_type: of what `axis_size` may be, beside an int.
      to_elt: ``(cont, get_index, value, spec) -> value in one call``; ``cont(x, spec)`` is that of what is inside, and
        ``get_index()`` the number of the call.
      from_elt: ``(cont, axis_size, value in one call, spec) -> value``, with ``cont(axis_size, x, spec)``.
      make_iota: makes the array of the numbers of all calls of a size that is no int.

    >>> from adjoint.interpreters import batching
    >>> class Box:
    ...     def __init__(self, x): self.x = x
    >>> open = lambda cont, index, box, spec: Box(cont(box.x, spec))
    >>> close = lambda cont, size, box, spec: Box(cont(size, box.x, spec))
    >>> batching.register_vmappable(Box, int, int, open, close, None)
    >>> vmap(lambda box: Box(2 * box.x), axis_size=3)(Box(jnp.arange(3))).x
    Array([0, 2, 4], dtype=int32)
    >>> batching.unregister_vmappable(Box)
    """
    vmappables[data_type] = Vmappable(spec_type, axis_size_type, to_elt, from_elt, make_iota)


def unregister_vmappable(data_type: type) -> None:
    """Forget what `register_vmappable` was told of a type, if anything.

    Args:
      data_type: the type.

    >>> from adjoint.interpreters import batching
    >>> batching.unregister_vmappable(str)
    """
    vmappables.pop(data_type, None)


def is_spec(x) -> bool:
    """Return whether `in_axes` and `out_axes` may hold it."""
    return type(x) is int or any([isinstance(x, known.spec_type) for known in vmappables.values()])


def as_size(axis_size) -> int | None:
    """Return the length of the axis that a size of the user's own stands for. TypeError if no type has such sizes."""
    if axis_size is None or hasattr(axis_size, "__index__"):
        return axis_size
    numbers = _numbers(axis_size)
    if numbers is None:
        raise TypeError(
            message(
                f"vmap axis_size must be an int, but got {axis_size}.",
                why="No type is registered with a make_iota for sizes of this type.",
                fix="register_vmappable(..., axis_size_type, ..., make_iota)",
            )
        )
    return len(numbers)


def _numbers(axis_size):
    """Return the numbers of all calls, if a type is registered with sizes of this type."""
    for known in vmappables.values():
        if isinstance(axis_size, known.axis_size_type) and known.make_iota is not None:
            return known.make_iota(axis_size)
    return None


def to_element(axis_size, trace, x, spec) -> Any:
    """Return the value of one call: a tracer of an array, what `to_elt` makes of others; the size is as the user gave
    it.
    """
    known = vmappables.get(type(x))
    if known is not None:
        inside = partial(to_element, axis_size, trace)
        return known.to_elt(inside, partial(_index, axis_size, trace), x, spec)
    if spec is None:
        return x
    if not isinstance(spec, int):
        raise _misplaced(x, spec)
    aval = aval_of(x)
    if not -aval.ndim <= spec < aval.ndim or aval.shape[spec] != trace.axis.size:
        raise ValueError(
            f"vmap got axis {spec} of an array of type {aval.str_short(True)} for the mapped axis, "
            f"of {trace.axis.size} calls."
        )
    return trace.tracer(x, spec % aval.ndim)


def _index(axis_size, trace):
    numbers = None if hasattr(axis_size, "__index__") else _numbers(axis_size)
    if numbers is None:
        numbers = iota(dtype=dtypes.int32, shape=(trace.axis.size,), dimension=0, sharding=None)
    return trace.tracer(numbers, 0)


def from_element(place: Callable, axis_size, x, spec) -> Any:
    """Return the value of all calls: `place` of an array, what `from_elt` makes of others."""
    known = vmappables.get(type(x))
    if known is not None:
        return known.from_elt(partial(from_element, place), axis_size, x, spec)
    if spec is not None and not isinstance(spec, int):
        raise _misplaced(x, spec)
    return place(x, spec)


def _misplaced(x, spec) -> ValueError:
    kind = "an array" if isinstance(x, Array) or is_arraylike(x) else f"a {type(x).__name__}"
    return ValueError(
        message(
            f"vmap got the axis spec {spec} for {kind}.",
            why=f"A {type(spec).__name__} says how another type is mapped, whose to_elt or from_elt then says so in "
            "ints of the arrays inside.",
            fix="an int or None",
        )
    )
