"""Operands and axes, as the functions that reduce, rearrange and sort arrays take them."""

from __future__ import annotations

import operator

import numpy as np

from ..core.messages.errors import ConcretizationTypeError, axis_out_of_range, message, shorten
from ..core.trace import Tracer
from ..core.types import Array
from .conversion import asarray
from .promotion import check_arraylike

__all__ = [
    "axes_and_names", "canonical_axes", "canonical_axis", "named_axes", "operand", "refuse_out", "repeated_axes",
    "static_axis",
]


def operand(name: str, a) -> Array:
    """`a` as an array; TypeError if it is neither an array nor a scalar."""
    if isinstance(a, Array):
        return a
    check_arraylike(name, a)
    return asarray(a)  # scalars are literals in jaxprs


def canonical_axes(axis, ndim: int) -> tuple[int, ...]:
    """Axes as a tuple of non-negative ints; None is all of them, any iterable those that it gives, each once."""
    out = repeated_axes(axis, ndim)
    if len(set(out)) != len(out):
        raise ValueError(
            message(
                f"duplicate value in 'axis': {axis}",
                why=f"Of {ndim} axes, {axis} names {len(out) - len(set(out))} twice; -1 is the last one.",
                fix=f"axis={tuple(sorted(set(out)))}",
            )
        )
    return out


def repeated_axes(axis, ndim: int) -> tuple[int, ...]:
    """Return what `canonical_axes` gives, of axes that may occur more than once."""
    if axis is None:
        return tuple(range(ndim))
    axis = static_axis(axis)
    return tuple([canonical_axis(a, ndim) for a in (axis if type(axis) is tuple else (axis,))])


def named_axes(axis) -> tuple:
    """(the names among axes, the positions); a name is that of an axis that `vmap` or `shard_map` maps over."""
    if isinstance(axis, str):
        return (axis,), ()
    if isinstance(axis, (tuple, list)) and str in map(type, axis):
        return tuple([a for a in axis if isinstance(a, str)]), tuple([a for a in axis if not isinstance(a, str)])
    return (), axis


def axes_and_names(axis, ndim: int) -> tuple:
    """Axes as `canonical_axes` gives them, and then the names among them."""
    names, axis = named_axes(axis)
    return canonical_axes(axis, ndim) + names


def canonical_axis(axis, ndim: int, fix: str = "") -> int:
    """Return a non-negative axis; AxisError (a ValueError and IndexError) if it is out of range."""
    try:
        i = operator.index(axis)
    except TypeError as error:
        if isinstance(axis, Tracer):
            raise
        raise TypeError(
            message(
                str(error).split("\n")[0],
                why=f"An axis is an integer that is known when the function is traced; got {shorten(axis)}.",
                fix="jnp.maximum(x, y) and the like for two arrays; an axis is an int" if isinstance(axis, Array)
                else 'an int, or jit(f, static_argnames="axis")',
            )
        ) from None
    if not -ndim <= i < ndim:
        raise axis_out_of_range(i, ndim, np.exceptions.AxisError, fix)
    return i + ndim if i < 0 else i


def static_axis(axis):
    """An axis, None, or a tuple of axes: what can be a static argument, and be read more than once.

    Raises:
      ConcretizationTypeError: the axis is traced.
      TracerIntegerConversionError: one of several axes is traced.
    """
    kind = type(axis)
    if kind is int or axis is None:
        return axis
    if kind is tuple:
        return tuple([operator.index(a) for a in axis]) if any([isinstance(a, Tracer) for a in axis]) else axis
    if isinstance(axis, Tracer):
        raise ConcretizationTypeError(axis, "The axis argument must be known statically.")
    try:
        return operator.index(axis)
    except TypeError:
        pass
    try:
        return tuple(axis)
    except TypeError:
        return axis


def refuse_out(name: str, out) -> None:
    """NotImplementedError if the caller gave an array to write to."""
    if out is not None:
        raise NotImplementedError(
            f"The 'out' argument to jnp.{name} is not supported: arrays are immutable.\n"
            f"  Try: x = jnp.{name}(...)"
        )
