"""Estimates of what a program computes and moves, from its jaxpr alone, as `jax.experimental.roofline`.

A rule of each primitive maps the types of an equation to a `RooflineResult`; the estimate of a program is the sum of
its equations. The bodies of loops count once, those of `cond` and `while_loop` not at all.

>>> layer = lambda x, w: jnp.sin(x @ w)
>>> shapes = jax.ShapeDtypeStruct((8, 16), "float32"), jax.ShapeDtypeStruct((16, 4), "float32")
>>> out, estimate = jax.experimental.roofline.roofline(layer)(*shapes)
>>> estimate.flops, estimate.unfused_flops, estimate.hbm_bytes
(1024, 1056, 896)

Tests: `tests/experimental/test_roofline.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import wraps
from itertools import pairwise, product
from math import prod
from typing import Any

import numpy as np

from ..core.atoms import Literal
from ..core.jaxpr import ClosedJaxpr, JaxprEqn, JaxprEqnContext
from ..core.messages.boundaries import public
from ..core.passes import dce_jaxpr
from ..core.primitive import Primitive
from ..core.tree.tree import tree_map
from ..core.types import ShapedArray
from ..numpy import bfloat16
from ..parallel.manual import shard_map_p
from ..parallel.shard_map import shard_map
from ..prims import collective, cumulative, indexing, reduction
from ..prims.convolution import conv_general_dilated
from ..prims.dot import dot_general
from ..prims.family import Elementwise
from ..prims.logic import select_n
from ..prims.shape import reduce_sum
from ..transforms.derivatives.grad import vjp
from ..transforms.jit.staging import make_jaxpr

__all__ = [
    "RooflineResult", "RooflineRuleContext", "RooflineShape", "register_roofline", "register_standard_roofline",
    "roofline", "roofline_and_grad",
]


def _sums(a: dict[str, int], b: dict[str, int]) -> dict[str, int]:
    return {name: a.get(name, 0) + b.get(name, 0) for name in (*a, *b)}


@dataclass(frozen=True, kw_only=True)
class RooflineResult:
    """What a program computes and moves; `+` joins two programs, `*` repeats one.

    Args:
      flops: operations of products of matrices.
      unfused_flops: operations of all equations.
      ici_bytes: bytes that cross a link of each mesh axis.
      ici_latency: links of each mesh axis that are passed one after the other.
      hbm_bytes: bytes read and written by products of matrices, as if all else were fused with them.
      peak_hbm_bytes: the most bytes that are held at once.
      unfused_hbm_bytes: bytes read and written by all equations.

    >>> twice = jax.experimental.roofline.RooflineResult(flops=3, peak_hbm_bytes=8) * 2
    >>> twice.flops, twice.peak_hbm_bytes
    (6, 16)
    """

    flops: int = 0
    unfused_flops: int = 0
    ici_bytes: dict[str, int] = field(default_factory=dict)
    ici_latency: dict[str, int] = field(default_factory=dict)
    hbm_bytes: int = 0
    peak_hbm_bytes: int = 0
    unfused_hbm_bytes: int = 0

    @classmethod
    def zeros(cls) -> RooflineResult:
        """Return what a program of nothing has."""
        return cls()

    def __add__(self, other: RooflineResult) -> RooflineResult:
        joined: dict[str, Any] = {"peak_hbm_bytes": max(self.peak_hbm_bytes, other.peak_hbm_bytes)}
        for f in fields(self):
            a, b = getattr(self, f.name), getattr(other, f.name)
            joined.setdefault(f.name, _sums(a, b) if isinstance(a, dict) else a + b)
        return RooflineResult(**joined)

    def __mul__(self, times: int) -> RooflineResult:
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return RooflineResult(**{
            name: {axis: n * times for axis, n in v.items()} if isinstance(v, dict) else v * times
            for name, v in values.items()
        })

    __rmul__ = __mul__


@dataclass(frozen=True, kw_only=True)
class RooflineShape:
    """A shape and a dtype, with their bytes.

    >>> jax.experimental.roofline.RooflineShape(shape=(2, 3), dtype=np.dtype("float32")).bytes
    24
    """

    shape: tuple[int, ...]
    dtype: Any

    @classmethod
    def from_aval(cls, aval) -> RooflineShape:
        """Return the shape of the type of an array; TypeError for another type."""
        if not isinstance(aval, ShapedArray):
            raise TypeError(f"Expected ShapedArray, got {type(aval)}.")
        return cls(shape=aval.shape, dtype=aval.dtype)

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    @property
    def bytes(self) -> int:
        """The number of bytes."""
        return self.size * self.dtype.itemsize

    @classmethod
    def total_bytes(cls, avals: Iterable) -> int:
        """Return the bytes of several types together."""
        return sum([cls.from_aval(a).bytes for a in avals])


@dataclass(frozen=True, kw_only=True)
class RooflineRuleContext:
    """What a rule is told of its equation.

    Args:
      name_stack: the scopes in which the equation is.
      primitive: its primitive.
      avals_in, avals_out: the types of operands and results; within `shard_map`, of one device's parts.
      jaxpr_eqn_ctx: the settings with which it was traced.
      mesh: the mesh over which the program runs, or None.
      pin_lhs_in_vmem, pin_rhs_in_vmem: whether the operands of products of matrices are near the unit already.
    """

    name_stack: Any
    primitive: Primitive
    avals_in: Sequence[ShapedArray]
    avals_out: Sequence[ShapedArray]
    jaxpr_eqn_ctx: JaxprEqnContext
    mesh: Any
    pin_lhs_in_vmem: bool
    pin_rhs_in_vmem: bool


Rule = Callable[..., RooflineResult]
_rules: dict[Primitive, Rule] = {}


def register_roofline(prim: Primitive) -> Callable[[Rule], Rule]:
    """Return a decorator of the rule of a primitive, `rule(ctx, *shapes, **params) -> RooflineResult`.

    >>> cube = jax.extend.core.Primitive("cube")
    >>> cube.def_abstract_eval(lambda x: x)
    >>> @jax.experimental.roofline.register_roofline(cube)
    ... def _(ctx, *shapes, **params):
    ...     return jax.experimental.roofline.RooflineResult(unfused_flops=2 * ctx.avals_out[0].size)
    >>> jax.experimental.roofline.roofline(lambda x: cube.bind(x))(jnp.ones(8))[1].unfused_flops
    16
    """
    def register(rule: Rule) -> Rule:
        _rules[prim] = rule
        return rule

    return register


def register_standard_roofline(prim: Primitive) -> None:
    """Let a primitive count as nothing, as one that only moves what it is given."""
    _rules[prim] = lambda ctx, *shapes, **params: RooflineResult()


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
    _rules[_p] = _reduction
for _p in (cumulative.cumsum, cumulative.cumprod, cumulative.cummax, cumulative.cummin):
    _rules[_p] = _counted(lambda ctx, *, axis, **params: ctx.avals_in[0].shape[axis])
_rules[cumulative.cumlogsumexp] = _counted(lambda ctx, *, axis, **params: 2 * ctx.avals_in[0].shape[axis])


@register_roofline(select_n)
def _(ctx, *shapes, **params):
    """One of the cases is read at each place."""
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
    """What is taken is read and written."""
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


_rules[indexing.scatter] = _scatter(0)
for _p in (
    indexing.scatter_add, indexing.scatter_sub, indexing.scatter_mul, indexing.scatter_min, indexing.scatter_max,
):
    _rules[_p] = _scatter(1)


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
    _rules[_p] = _all_reduce
for _p in (collective.pmax, collective.pmin):
    _rules[_p] = _extremum
_rules[collective.all_gather] = _all_gather


@register_roofline(collective.all_to_all)
def _(ctx, *shapes, axis_name, **params):
    """Each link of a ring carries a quarter of what its devices exchange, of a line of two the half."""
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
    """Each array goes the shorter way; the link that carries most and the longest way count."""
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


# ---- programs ------------------------------------------------------------------------------------


def _inner(eqn: JaxprEqn) -> ClosedJaxpr | None:
    """Return the program that an equation runs, of a call, a scan or a `shard_map`."""
    name = eqn.primitive.called or ("jaxpr" if eqn.primitive.name == "scan" or eqn.primitive is shard_map_p else None)
    found = None if name is None else eqn.params.get(name)
    return found if found is None or isinstance(found, ClosedJaxpr) else ClosedJaxpr(found, [])


def _of_equation(eqn: JaxprEqn, mesh, pins: tuple[bool, bool]) -> RooflineResult:
    rule = _rules.get(eqn.primitive, _elementwise if isinstance(eqn.primitive, Elementwise) else None)
    if rule is None:
        inner = _inner(eqn)
        mesh = eqn.params["mesh"] if eqn.primitive is shard_map_p else mesh
        return RooflineResult() if inner is None else _of_program(inner, mesh, pins)
    ctx = RooflineRuleContext(
        name_stack=eqn.source_info.name_stack, primitive=eqn.primitive, avals_in=[v.aval for v in eqn.invars],
        avals_out=[v.aval for v in eqn.outvars], jaxpr_eqn_ctx=eqn.ctx, mesh=mesh, pin_lhs_in_vmem=pins[0],
        pin_rhs_in_vmem=pins[1],
    )
    return rule(ctx, *map(RooflineShape.from_aval, ctx.avals_in), **eqn.params)


def _of_program(closed: ClosedJaxpr, mesh, pins: tuple[bool, bool]) -> RooflineResult:
    """Return the sum of the equations, with the most bytes that the variables hold which are read later."""
    jaxpr, _ = dce_jaxpr(closed.jaxpr, [True] * len(closed.jaxpr.outvars), inside=True)
    size = lambda v: RooflineShape.from_aval(v.aval).bytes
    last = {v: i for i, eqn in enumerate(jaxpr.eqns) for v in eqn.invars if type(v) is not Literal}
    last.update({v: len(jaxpr.eqns) for v in jaxpr.outvars if type(v) is not Literal})
    held = peak = sum([size(v) for v in (*jaxpr.constvars, *jaxpr.invars) if v in last])
    total = RooflineResult()
    for i, eqn in enumerate(jaxpr.eqns):
        total += _of_equation(eqn, mesh, pins)
        held += sum([size(v) for v in eqn.outvars if v in last])
        held -= sum([size(v) for v in eqn.invars if type(v) is not Literal and last[v] == i])
        peak = max(peak, held)
    return total + RooflineResult(peak_hbm_bytes=peak)


def roofline(
    f: Callable, mesh=None, in_specs=None, out_specs=None, *, pin_lhs_in_vmem: bool = False,
    pin_rhs_in_vmem: bool = False, vjp: bool = False, print_jaxpr: bool = False,
) -> Callable[..., tuple[Any, RooflineResult]]:
    """Return a function that gives the types of the results of `f`, and an estimate of what it costs.

    Args:
      f: a function of arrays.
      mesh, in_specs, out_specs: where all are given, the estimate is that of one device in `shard_map`.
      pin_lhs_in_vmem, pin_rhs_in_vmem: whether operands of products of matrices are not read from main memory.
      vjp: whether to ask for the gradients of `f` instead, for bfloat16 cotangents.
      print_jaxpr: whether to print the program.
    Returns:
      A function of the arguments of `f`, arrays or `ShapeDtypeStruct`s; nothing is computed.

    >>> out, estimate = jax.experimental.roofline.roofline(lambda x: jnp.exp(x).sum())(jnp.ones(8))
    >>> out, estimate.unfused_flops
    (ShapeDtypeStruct(shape=(), dtype=float32), 15)
    """
    @wraps(f)
    def estimate(*args):
        run = f if in_specs is None or out_specs is None or mesh is None else shard_map(
            f, mesh=mesh, in_specs=in_specs, out_specs=out_specs)
        closed, shapes = make_jaxpr(_pullback(run) if vjp else run, return_shape=True)(*args)
        if print_jaxpr:
            print(closed.jaxpr)
        if run is not f:  # of one device, its memory too; of gradients the part that comes after the function itself
            closed = [_inner(eqn) for eqn in closed.eqns if eqn.primitive is shard_map_p][-1]
        return shapes, _of_program(closed, mesh, (pin_lhs_in_vmem, pin_rhs_in_vmem))

    return estimate


def _pullback(f: Callable) -> Callable:
    """Return the gradients of a function for its own result as the cotangent."""
    def run(*args):
        out, pull = vjp(f, *args)
        return pull(tree_map(bfloat16, out))

    return run


def roofline_and_grad(
    f: Callable, mesh, in_specs, out_specs, *, pin_lhs_in_vmem: bool = False, pin_rhs_in_vmem: bool = False,
    print_jaxpr: bool = False,
) -> Callable[..., tuple[Any, RooflineResult, RooflineResult]]:
    """Return a function that gives the types of the results of `f`, and estimates of `f` and of its gradients.

    Args:
      f, mesh, in_specs, out_specs, pin_lhs_in_vmem, pin_rhs_in_vmem, print_jaxpr: as of `roofline`. Gradients are
        those for bfloat16 arguments.

    >>> mesh = jax.sharding.AbstractMesh((2,), ("x",))
    >>> spec, shape = jax.sharding.PartitionSpec("x"), jax.ShapeDtypeStruct((4, 4), "float32")
    >>> loss = jax.experimental.roofline.roofline_and_grad(lambda x: jnp.sin(x), mesh, spec, spec)
    >>> [estimate.unfused_flops for estimate in loss(shape)[1:]]
    [8, 16]
    """
    pins: dict[str, Any] = {"pin_lhs_in_vmem": pin_lhs_in_vmem, "pin_rhs_in_vmem": pin_rhs_in_vmem}

    @wraps(f)
    def estimates(*args):
        shapes, forward = roofline(f, mesh, in_specs, out_specs, print_jaxpr=print_jaxpr, **pins)(*args)
        halves = tree_map(lambda x: ShapedArray(x.shape, np.dtype(bfloat16)), args)
        _, backward = roofline(f, mesh, in_specs, out_specs, vjp=True, print_jaxpr=print_jaxpr, **pins)(*halves)
        return shapes, forward, backward

    return estimates


public(globals())
