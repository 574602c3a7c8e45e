"""Rules of vectorization, as libraries register them.

    batching.primitive_batchers[p] = rule        rule(args, dims, **params) -> out, dim
    batching.fancy_primitive_batchers[p] = rule  rule(axis_data, args, dims, **params) -> out, dim

`dims` has the position of the batch axis in each operand, `not_mapped` (None) where there is none.

Tests: `tests/extend/test_primitives.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..core.messages.boundaries import explain_missing as _explain_missing
from ..core.primitive import Primitive
from ..core.process.records import NamedTuple
from ..core.types import aval_of
from ..prims.shape import batch_to_front, insert_axes, materialise_batch, move_axis
from ..transforms.vmap import Axis, BatchTrace, BatchTracer
from ..transforms.vmappable import register_vmappable, unregister_vmappable
from .tables import RuleTable, typed

__all__ = [
    "AxisData", "BatchTrace", "BatchTracer", "axis_primitive_batchers", "bdim_at_front", "broadcast",
    "defbroadcasting", "defreducer", "defvectorized", "fancy_primitive_batchers", "moveaxis", "not_mapped",
    "primitive_batchers", "register_vmappable", "unregister_vmappable",
]

not_mapped = None


class AxisData(NamedTuple):
    """The axis that is being mapped over.

    Args:
      name: its name, if it has one.
      size: its length.
      spmd_name: the mesh axis over which it is divided, if any.
      explicit_mesh_axis: the same, of an explicit mesh.

    >>> from adjoint.interpreters import batching
    >>> batching.AxisData("i", 3).size
    3
    """

    name: Any
    size: int
    spmd_name: Any = None
    explicit_mesh_axis: Any = None


def _batcher_of(p: Primitive) -> Callable | None:
    return p.batch_rule or (p.batch_axis_rule and partial(_batch_with_axis, p))


def _batch_with_axis(p, args, dims, **params):
    size = next(aval_of(x).shape[d] for x, d in zip(args, dims) if d is not None)
    return p.batch_axis_rule(Axis(None, size), args, dims, params)


def _without_axis(p, rule):
    def batch(axis, args, dims, params):
        data = AxisData(axis.name, axis.size, axis.spmd_names or None, axis.division)
        return rule(data, typed(args), dims, **params)

    return batch


def _with_three(p, rule):
    return lambda axis, args, dims, params: rule(axis.size, axis.name, None, typed(args), dims, **params)


primitive_batchers = RuleTable(
    "batch_rule", lambda p, rule: lambda args, dims, **params: rule(typed(args), dims, **params),
    to_theirs=_batcher_of, replaces=("batch_axis_rule", "batch_trace_rule"),
)
fancy_primitive_batchers = RuleTable(
    "batch_axis_rule", _without_axis,
    lambda p: p.batch_axis_rule and (
        lambda axis, args, dims, **params: p.batch_axis_rule(Axis(axis.name, axis.size), args, dims, params)
    ),
    replaces=("batch_trace_rule",),
)
axis_primitive_batchers = RuleTable(
    "batch_axis_rule", _with_three,
    lambda p: p.batch_axis_rule and (
        lambda size, name, _, args, dims, **params: p.batch_axis_rule(Axis(name, size), args, dims, params)
    ),
    replaces=("batch_trace_rule",),
)


def moveaxis(x, src: int, dst: int):
    """Return `x` with one axis at another place.

    Args:
      x: an array.
      src: the axis.
      dst: its new place.
    Returns:
      An array.

    >>> moveaxis(jnp.zeros((2, 3)), 0, 1).shape
    (3, 2)
    """
    return move_axis(x, src, dst % aval_of(x).ndim)


def bdim_at_front(x, bdim: int | None, size: int, mesh_axis=None):
    """Return `x` with its batch axis in front, repeated `size` times if it has none.

    Args:
      x: an array.
      bdim: the batch axis, or None.
      size: the length of the batch.
      mesh_axis: accepted for compatibility.
    Returns:
      An array of shape [size, ...].

    >>> bdim_at_front(jnp.zeros(3), None, 2).shape
    (2, 3)
    """
    return materialise_batch(x, bdim, size)


def broadcast(x, sz: int, axis: int, mesh_axis):
    """Return `x` repeated `sz` times along a new axis.

    Args:
      x: an array.
      sz: the length of the axis.
      axis: its place in the result.
      mesh_axis: is not read.
    Returns:
      An array.

    >>> broadcast(jnp.zeros(3), 2, 0, None).shape
    (2, 3)
    """
    return move_axis(materialise_batch(x, None, sz), 0, axis)


def defvectorized(prim: Primitive) -> None:
    """Give a rule for batches to a primitive that ignores further axes.

    Args:
      prim: a primitive of one operand, or of operands with batch axes at one place.

    >>> from adjoint.extend.core import Primitive
    >>> from adjoint.interpreters import batching
    >>> cube_p = Primitive("cube")
    >>> _ = cube_p.def_impl(lambda x: x ** 3)
    >>> _ = cube_p.def_abstract_eval(lambda x: x)
    >>> batching.defvectorized(cube_p)
    >>> vmap(cube_p.bind)(jnp.arange(3.))
    Array([0., 1., 8.], dtype=float32)
    """

    def rule(args, dims, **params):
        assert all([d == dims[0] for d in dims]), dims
        out = prim.bind(*args, **params)
        return out, [dims[0]] * len(out) if prim.multiple_results else dims[0]

    primitive_batchers[prim] = rule


def defbroadcasting(prim: Primitive) -> None:
    """Give a rule for batches to an element-wise primitive of operands whose shapes may differ by the batch axis.

    Args:
      prim: the primitive.

    >>> from adjoint.extend.core import Primitive
    >>> from adjoint.interpreters import batching
    >>> plus_p = Primitive("plus")
    >>> _ = plus_p.def_impl(lambda x, y: x + y)
    >>> _ = plus_p.def_abstract_eval(lambda x, y: x)
    >>> batching.defbroadcasting(plus_p)
    >>> vmap(plus_p.bind, (0, None))(jnp.arange(3.), 1.)
    Array([1., 2., 3.], dtype=float32)
    """

    def rule(args, dims, **params):
        (shape, d), *others = {(aval_of(x).shape, d) for x, d in zip(args, dims) if d is not None}
        if not others and all([aval_of(x).shape == shape or not aval_of(x).shape for x in args]):
            out, dim = prim.bind(*args, **params), d
        else:
            ndim = max([aval_of(x).ndim + (d is None) for x, d in zip(args, dims)])
            args = [
                _unranked(x, ndim) if d is None else _ranked(batch_to_front(x, d), ndim)
                for x, d in zip(args, dims)
            ]
            out, dim = prim.bind(*args, **params), 0
        return out, [dim] * len(out) if prim.multiple_results else dim

    primitive_batchers[prim] = rule


def _ranked(x, ndim: int):
    """Return `x` with axes of length one behind its batch axis, up to a rank."""
    return insert_axes(x, tuple(range(1, 1 + ndim - aval_of(x).ndim)))


def _unranked(x, ndim: int):
    """Return `x` without a batch axis, with axes of length one in front up to a rank."""
    return insert_axes(x, tuple(range(ndim - aval_of(x).ndim))) if aval_of(x).shape else x


def defreducer(prim: Primitive) -> None:
    """Give a rule for batches to a primitive that reduces one operand over its parameter `axes`.

    Args:
      prim: the primitive.

    >>> from adjoint.extend.core import Primitive
    >>> from adjoint.interpreters import batching
    >>> total_p = Primitive("total")
    >>> _ = total_p.def_impl(lambda x, axes: jnp.sum(x, axes))
    >>> batching.defreducer(total_p)
    >>> vmap(lambda x: total_p.bind(x, axes=(0,)))(jnp.ones((2, 3)))
    Array([3., 3.], dtype=float32)
    """

    def rule(args, dims, *, axes, **params):
        ((x,), (d,)) = args, dims
        moved = tuple([a + (a >= d) for a in axes])
        return prim.bind(x, axes=moved, **params), d - sum([a < d for a in moved])

    primitive_batchers[prim] = rule

_explain_missing(globals())
