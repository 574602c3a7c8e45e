"""Rules of `roofline` for the library's primitives: on one device, and over the links between devices.

Tests: `tests/experimental/test_roofline.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, product
from math import prod

import numpy as np

from ...core.jaxpr import JaxprEqn
from ...prims import collective, cumulative, indexing, reduction
from ...prims.convolution import conv_general_dilated
from ...prims.dot import dot_general
from ...prims.family import Elementwise
from ...prims.logic import select_n
from ...prims.shape import reduce_sum
from .results import RULES, RooflineResult, RooflineRuleContext, RooflineShape, Rule, register_roofline

__all__ = ["rule_of"]

# ---- rules on one device -------------------------------------------------------------------------


def _traffic(ctx: RooflineRuleContext) -> int:
    return RooflineShape.total_bytes((*ctx.avals_in, *ctx.avals_out))


def _counted(count: Callable[..., int]) -> Rule:
    """Return a rule of an operation that reads its operands and writes its results once."""
    return lambda ctx, *shapes, **params: RooflineResult(
        unfused_flops=count(ctx, **params), unfused_hbm_bytes=_traffic(ctx)
    )


_elementwise = _counted(lambda ctx, **params: ctx.avals_out[0].size)
_reduction = _counted(lambda ctx, **params: ctx.avals_in[0].size - ctx.avals_out[0].size)
for _p in (
    reduce_sum, cumulative.reduce_prod, reduction.reduce_max, reduction.reduce_min, reduction.reduce_and,
    reduction.reduce_or, reduction.reduce_xor, reduction.argmax, reduction.argmin,
):
    RULES[_p] = _reduction
for _p in (cumulative.cumsum, cumulative.cumprod, cumulative.cummax, cumulative.cummin):
    RULES[_p] = _counted(lambda ctx, *, axis, **params: ctx.avals_in[0].shape[axis])
RULES[cumulative.cumlogsumexp] = _counted(lambda ctx, *, axis, **params: 2 * ctx.avals_in[0].shape[axis])


@register_roofline(select_n)
def _(ctx, *shapes, **params):
    """Count one case at each place as read."""
    predicate, (out,) = ctx.avals_in[0], ctx.avals_out
    return RooflineResult(unfused_flops=out.size, unfused_hbm_bytes=RooflineShape.total_bytes((predicate, out)))


@register_roofline(dot_general)
def _(ctx, *shapes, dimension_numbers, **params):
    (contracted, _), _ = dimension_numbers
    (lhs, rhs), (out,) = ctx.avals_in, ctx.avals_out
    flops = 2 * out.size * prod([lhs.shape[d] for d in contracted])
    moved = 0 if ctx.pin_rhs_in_vmem else RooflineShape.from_aval(rhs).bytes
    if not ctx.pin_lhs_in_vmem:
        moved += RooflineShape.total_bytes((lhs, out))
    return RooflineResult(flops=flops, unfused_flops=flops, hbm_bytes=moved, unfused_hbm_bytes=moved)


def _inner_taps(size: int, taps: int, count: int, stride: int, low: int, lhs_dilation: int, rhs_dilation: int) -> int:
    """Return how many pairs of a place and a tap meet an element, neither padding nor a gap between elements."""
    at = stride * np.arange(count)[:, None] + rhs_dilation * np.arange(taps) - low
    return int(((at >= 0) & (at < size * lhs_dilation) & (at % lhs_dilation == 0)).sum())


@register_roofline(conv_general_dilated)
def _(ctx, *shapes, window_strides, padding, lhs_dilation, rhs_dilation, dimension_numbers, **params):
    (lhs, rhs), (out,) = ctx.avals_in, ctx.avals_out
    of_lhs, of_rhs, of_out = dimension_numbers
    spatial = zip(of_lhs[2:], of_rhs[2:], of_out[2:], window_strides, padding, lhs_dilation, rhs_dilation)
    pairs = prod([
        _inner_taps(lhs.shape[a], rhs.shape[b], out.shape[c], stride, low, gaps, spread)
        for a, b, c, stride, (low, _), gaps, spread in spatial
    ])
    channels = out.shape[of_out[0]] * out.shape[of_out[1]] * rhs.shape[of_rhs[1]]
    return RooflineResult(unfused_flops=2 * pairs * channels, unfused_hbm_bytes=_traffic(ctx))


@register_roofline(indexing.gather)
def _(ctx, *shapes, **params):
    """Count what is taken as read and written."""
    indices, (out,) = ctx.avals_in[1], ctx.avals_out
    return RooflineResult(unfused_hbm_bytes=RooflineShape.total_bytes((indices, out, out)))


def _scatter(operations: int) -> Rule:
    """Return a rule: what is updated is read and written, with the given operations for each update."""
    def rule(ctx, *shapes, **params):
        _, indices, updates = ctx.avals_in
        return RooflineResult(
            unfused_flops=operations * updates.size,
            unfused_hbm_bytes=RooflineShape.total_bytes((indices, updates, updates, updates)),
        )
    return rule


RULES[indexing.scatter] = _scatter(0)
for _p in (
    indexing.scatter_add, indexing.scatter_sub, indexing.scatter_mul, indexing.scatter_min, indexing.scatter_max,
):
    RULES[_p] = _scatter(1)


# ---- rules of collectives ------------------------------------------------------------------------
# Rings: P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", J. Parallel
# Distrib. Comput. 69 (2009).


def _mesh_axes(ctx: RooflineRuleContext, names) -> dict[str, int]:
    """Return the sizes of the mesh axes of a collective."""
    names = names if isinstance(names, tuple) else (names,)
    return {name: ctx.mesh.shape[name] for name in names if not isinstance(name, int)}


def _ring(sizes: dict[str, int], part: int, passes: int = 1) -> RooflineResult:
    """Return the cost of parts that go round the rings of all axes, a share of each part along each axis at a time."""
    devices = prod(sizes.values())
    moved = (devices - 1) * (part // len(sizes)) * passes if sizes else 0
    steps = len(sizes) * max(sizes.values()) * passes if devices > 1 else 0
    return RooflineResult(ici_bytes=dict.fromkeys(sizes, moved), ici_latency=dict.fromkeys(sizes, steps))


def _all_reduce(ctx, *shapes, axes, **params):
    """Scatter sums round the ring, then gather them."""
    sizes = _mesh_axes(ctx, axes)
    parts = [_ring(sizes, RooflineShape.from_aval(a).bytes // prod(sizes.values()), 2) for a in ctx.avals_in]
    return sum(parts, RooflineResult())


def _extremum(ctx, *shapes, axes, **params):
    """Gather one element of each device."""
    sizes = _mesh_axes(ctx, axes)
    return sum([_ring(sizes, a.dtype.itemsize) for a in ctx.avals_in], RooflineResult())


def _all_gather(ctx, *shapes, axis_name, **params):
    return sum(
        [_ring(_mesh_axes(ctx, axis_name), RooflineShape.from_aval(a).bytes) for a in ctx.avals_in], RooflineResult()
    )


@register_roofline(collective.reduce_scatter)
def _(ctx, *shapes, axis_name, **params):
    return sum(
        [_ring(_mesh_axes(ctx, axis_name), RooflineShape.from_aval(a).bytes) for a in ctx.avals_out], RooflineResult()
    )


for _p in (collective.psum, collective.psum_invariant):
    RULES[_p] = _all_reduce
for _p in (collective.pmax, collective.pmin):
    RULES[_p] = _extremum
RULES[collective.all_gather] = _all_gather


@register_roofline(collective.all_to_all)
def _(ctx, *shapes, axis_name, **params):
    """Give each link of a ring a quarter of what its devices exchange, of a line of two the half."""
    sizes = _mesh_axes(ctx, axis_name)
    devices, share = prod(sizes.values()), 2 if 2 in sizes.values() else 4
    moved = RooflineShape.total_bytes(ctx.avals_in) * devices // share ** len(sizes) if devices > 1 else 0
    steps = sum([n // 2 for n in sizes.values()])
    return RooflineResult(ici_bytes=dict.fromkeys(sizes, moved), ici_latency=dict.fromkeys(sizes, steps))


def _way(start: tuple[int, ...], end: tuple[int, ...], sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the devices on the way along one axis after the other, the shorter way round each."""
    way = [start]
    for axis, n in enumerate(sizes):
        distance = (end[axis] - start[axis]) % n
        step = 1 if distance <= n // 2 else -1
        while way[-1][axis] != end[axis]:
            at = list(way[-1])
            at[axis] = (at[axis] + step) % n
            way.append(tuple(at))
    return way


@register_roofline(collective.ppermute)
def _(ctx, *shapes, axis_name, perm, **params):
    """Send each array the shorter way, and count the link that carries most and the longest way."""
    sizes = _mesh_axes(ctx, axis_name)
    places = list(product(*[range(n) for n in sizes.values()]))
    loads: dict[frozenset, int] = {}
    longest = 0
    for source, target in perm:
        way = _way(places[source], places[target], list(sizes.values()))
        longest = max(longest, len(way) - 1)
        for link in map(frozenset, pairwise(way)):
            loads[link] = loads.get(link, 0) + 1
    moved = RooflineShape.total_bytes(ctx.avals_in) * max(loads.values(), default=0)
    return RooflineResult(ici_bytes=dict.fromkeys(sizes, moved), ici_latency=dict.fromkeys(sizes, longest))


# ---- all primitives ------------------------------------------------------------------------------


def rule_of(eqn: JaxprEqn) -> Rule | None:
    """Return the rule of an equation's primitive, if it has one."""
    return RULES.get(eqn.primitive, _elementwise if isinstance(eqn.primitive, Elementwise) else None)
