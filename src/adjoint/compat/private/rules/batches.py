"""Mapped jaxprs, and axes brought to their places: names of `jax._src.interpreters.batching` and `custom_batching`.

Tests: `tests/compat/test_private_rules.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ....core.jaxpr import ClosedJaxpr
from ....core.messages.errors import message
from ....core.primitive import Primitive
from ....core.trace import eval_jaxpr, stage_closed
from ....core.tree.tree import tree_map
from ....core.tree.treedef import PyTreeDef
from ....core.types import aval_of
from ....extend.linear_util import WrappedFun, transformation2
from ....interpreters.batching import AxisData, defbroadcasting, defreducer, defvectorized, moveaxis, primitive_batchers
from ....lax.reductions import reduce_sum
from ....prims.family import add_any
from ....prims.shape import materialise_batch
from ....transforms.programs import batch_at, batch_program
from ....transforms.vmap import Axis, batch_flat, batched_aval
from ....transforms.vmappable import is_vmappable, vmappables

__all__ = [
    "Infer", "SpecMatchError", "Sum", "ZeroIfMapped", "add_batched", "batch", "batch_jaxpr", "batch_jaxpr2",
    "batch_jaxpr_axes", "broadcast_batcher", "call_rule", "check_vmap_rule_trees", "ensure_list", "expand_dims_batcher",
    "infer", "is_vmappable", "matchaxis", "maybe_bdim_at_front", "reducer_batcher", "rule_name", "sum_axis",
    "tree_merge", "tree_split", "vectorized_batcher", "vmap_unrestricted", "vmappables", "zero_if_mapped",
]


class ZeroIfMapped:
    """Says that a result's axis is in front where it has one."""


class Sum:
    """Says that a result is summed over the axis."""


class Infer:
    """Says that a result's axis stays where it is."""


zero_if_mapped, sum_axis, infer = ZeroIfMapped(), Sum(), Infer()


class SpecMatchError(Exception):
    """A result has an axis that nothing was said of."""

    def __init__(self, leaf_idx: int, src: Any, dst: Any):
        super().__init__(leaf_idx, src, dst)
        self.leaf_idx, self.src, self.dst = leaf_idx, src, dst


def _axis(data: AxisData) -> Axis:
    return Axis(data.name, data.size)


def matchaxis(axis_data: AxisData, src: int | None, dst: Any, x: Any, sum_match: bool = False) -> Any:
    """Return a value with its axis at another place; without one it is repeated.

    Raises:
      ValueError: the value has the axis and `dst` is None.
    """
    if src == dst or isinstance(dst, Infer):
        return x
    if isinstance(dst, (Sum, type(None))) and src is not None:
        if sum_match or isinstance(dst, Sum):
            return reduce_sum(x, (src,))
        raise ValueError(message(
            f"vmap has mapped output (axis_name={axis_data.name}) but out_axes is {dst}",
            fix="the place of the axis in the result",
        ))
    if src is None:
        return moveaxis(materialise_batch(x, None, axis_data.size), 0, dst)
    return moveaxis(x, src, dst)


def _mapped(
    run: Callable, axis: AxisData, args: Sequence, dims: Sequence, wanted: Sequence, sum_match: bool = False
) -> tuple[list, list]:
    """Return the results of a mapped function with their axes where they are wanted, and where those are."""
    values, places = [], []
    for (x, d), dst in zip(batch_flat(run, _axis(axis), args, tuple(dims)), wanted, strict=True):
        place = d if isinstance(dst, Infer) else (None if d is None else 0) if isinstance(dst, ZeroIfMapped) else dst
        values.append(matchaxis(axis, d, place, x, sum_match))
        places.append(place)
    return values, places


def batch(
    fun: WrappedFun, axis_data: AxisData, in_dims: Any, out_dim_dests: Any, sum_match: bool = False
) -> WrappedFun:
    """Return a function of mapped operands that gives its results and where their axes are, as two tuples."""
    def run(f, *args):
        given = in_dims() if callable(in_dims) else in_dims
        wanted = out_dim_dests() if callable(out_dim_dests) else out_dim_dests
        values, places = _mapped(f, axis_data, args, given, wanted, sum_match)
        return tuple(values), tuple(places)

    return transformation2(run, fun)


def batch_jaxpr(
    closed_jaxpr: ClosedJaxpr, axis_data: AxisData, in_batched: Sequence[bool], instantiate: bool | Sequence[bool]
) -> tuple[ClosedJaxpr, list[bool]]:
    """Return a program with a leading axis on some operands, and which of its results have it."""
    wanted = instantiate if isinstance(instantiate, bool) else tuple(instantiate)
    program, batched = batch_program(closed_jaxpr, _axis(axis_data), tuple(in_batched), wanted)
    return program, list(batched)


def batch_jaxpr2(
    closed_jaxpr: ClosedJaxpr, axis_data: AxisData, in_axes: tuple[int | None, ...]
) -> tuple[ClosedJaxpr, tuple[int | None, ...]]:
    """Return a program with an axis anywhere on some operands, and where its results have it."""
    return batch_at(closed_jaxpr, _axis(axis_data), tuple(in_axes))


def batch_jaxpr_axes(
    closed_jaxpr: ClosedJaxpr, axis_data: AxisData, in_axes: Sequence, out_axes_dest: Sequence
) -> tuple[ClosedJaxpr, list[bool]]:
    """Return a program whose results have the axis where that is wanted, and which of them have it."""
    batched: list[bool] = []

    def fun(*args):
        run = lambda *xs: eval_jaxpr(closed_jaxpr.jaxpr, closed_jaxpr.consts, *xs)
        values, places = _mapped(run, axis_data, args, in_axes, out_axes_dest)
        batched[:] = [d is not None for d in places]
        return values

    avals = [batched_aval(a, _axis(axis_data), d) for a, d in zip(closed_jaxpr.in_avals, in_axes, strict=True)]
    return stage_closed(fun, avals, closed_jaxpr.debug_info), batched


# ---- rules ---------------------------------------------------------------------------------------


def _by(define: Callable, prim: Primitive, args: Sequence, dims: Sequence, params: dict) -> tuple[Any, Any]:
    """Return what the rule that a function defines gives; the primitive keeps its own."""
    stand_in = Primitive(prim.name, is_listed=False)
    stand_in.multiple_results, stand_in.bind = prim.multiple_results, prim.bind   # type: ignore[method-assign]
    define(stand_in)
    return primitive_batchers[stand_in](args, dims, **params)


def vectorized_batcher(prim: Primitive, axis_data: AxisData, batched_args: Sequence, batch_dims: Sequence,
                       **params: Any) -> tuple[Any, Any]:
    """Return the result of an element-wise primitive, and where its axis is."""
    return _by(defvectorized, prim, batched_args, batch_dims, params)


def broadcast_batcher(prim: Primitive, axis_data: AxisData, args: Sequence, dims: Sequence,
                      **params: Any) -> tuple[Any, Any]:
    """Return the result of an element-wise primitive of operands whose axes differ."""
    return _by(defbroadcasting, prim, args, dims, params)


def reducer_batcher(prim: Primitive, axis_data: AxisData, batched_args: Sequence, batch_dims: Sequence, axes: Sequence,
                    **params: Any) -> tuple[Any, Any]:
    """Return the result of a reduction over further axes."""
    return _by(defreducer, prim, batched_args, batch_dims, {"axes": tuple(axes), **params})


def expand_dims_batcher(prim: Primitive, args: Sequence, dims: Sequence, **params: Any) -> tuple[Any, Any]:
    """Return the result of a primitive, with all operands mapped along their first axes."""
    size = next(aval_of(x).shape[d] for x, d in zip(args, dims) if d is not None)
    moved = [materialise_batch(x, None, 1) if d is None else moveaxis(x, d, 0) for x, d in zip(args, dims)]
    moved = [x if aval_of(x).shape[0] == size else materialise_batch(y, None, size)
             for x, y in zip(moved, args)]
    out = prim.bind(*moved, **params)
    return (out, (0,) * len(out)) if prim.multiple_results else (out, 0)


def add_batched(axis_data: AxisData, batched_args: Sequence, batch_dims: Sequence) -> tuple[Any, Any]:
    """Return the sum of two mapped values, and where its axis is."""
    (x, y), (bx, by) = batched_args, batch_dims
    if bx == by:
        return add_any(x, y), bx
    if bx is None:
        return add_any(materialise_batch(x, None, axis_data.size), moveaxis(y, by, 0)), 0
    y = materialise_batch(y, None, axis_data.size) if by is None else moveaxis(y, by, 0)
    return add_any(moveaxis(x, bx, 0), y), 0


# ---- functions with a rule of their own ----------------------------------------------------------


def ensure_list(xs: Any) -> list:
    """Return a tuple or a list as a list."""
    return xs if type(xs) is list else list(xs)


def rule_name(rule: Any) -> str:
    """Return the name of a rule."""
    return getattr(rule, "__name__", "<unnamed rule>")


def call_rule(rule: Callable, axis_size: int, in_batched: Any, args: Any) -> Any:
    """Return what a rule of a `custom_vmap` function gives."""
    return rule(axis_size, ensure_list(in_batched), *args)


def check_vmap_rule_trees(
    rule: Callable, original_out_tree: PyTreeDef, out_tree: PyTreeDef, out_batched_tree: PyTreeDef
) -> None:
    """Raise ValueError unless a rule gives results in the structure of its function, and says of each whether it is
    mapped.
    """
    if out_tree != original_out_tree:
        raise ValueError(
            f"structure of output returned by custom vmap rule ({rule_name(rule)}) does not match that of original "
            f"custom-vmapped function.\nOriginal output: {original_out_tree}\nRule output: {out_tree}")
    if out_batched_tree != out_tree:
        raise ValueError(
            f"structure of output and batched output returned by custom vmap rule ({rule_name(rule)}) do not match.\n"
            f"Output: {out_tree}\nBatched output: {out_batched_tree}")


def maybe_bdim_at_front(x: Any, bdim: int | None) -> Any:
    """Return a value with its axis in front, where it has one."""
    return x if bdim is None else moveaxis(x, bdim, 0)


def vmap_unrestricted(f: WrappedFun, *args: Any, in_axes: Sequence, axis_name: Any, axis_size: int) -> Any:
    """Return the results of a mapped function and where their axes are, in front where they have one."""
    pairs = batch_flat(f.call_wrapped, Axis(axis_name, axis_size), args, tuple(in_axes))
    return tuple([x for x, _ in pairs]), tuple([d for _, d in pairs])


def tree_split(mask: Any, tree: Any) -> tuple[Any, Any]:
    """Return the leaves of a tree that a mask names, and the others, as two trees with None elsewhere."""
    return (tree_map(lambda yes, x: x if yes else None, mask, tree),
            tree_map(lambda yes, x: None if yes else x, mask, tree))


def tree_merge(mask: Any, lhs_tree: Any, rhs_tree: Any) -> Any:
    """Return a tree with the leaves of one tree where a mask says so, and those of another elsewhere."""
    return tree_map(lambda yes, x, y: x if yes else y, mask, lhs_tree, rhs_tree)
