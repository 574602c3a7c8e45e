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

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from ...core.atoms import Literal
from ...core.jaxpr import ClosedJaxpr, JaxprEqn
from ...core.messages.boundaries import public
from ...core.passes import dce_jaxpr
from ...core.tree.tree import tree_map
from ...core.types import ShapedArray
from ...numpy import bfloat16
from ...parallel.manual import shard_map_p
from ...parallel.shard_map import shard_map
from ...transforms.derivatives.grad import vjp
from ...transforms.jit.staging import make_jaxpr
from .results import (
    RooflineResult,
    RooflineRuleContext,
    RooflineShape,
    register_roofline,
    register_standard_roofline,
)
from .rules import rule_of

__all__ = [
    "RooflineResult", "RooflineRuleContext", "RooflineShape", "register_roofline", "register_standard_roofline",
    "roofline", "roofline_and_grad",
]


def _inner(eqn: JaxprEqn) -> ClosedJaxpr | None:
    """Return the program that an equation runs, of a call, a scan or a `shard_map`."""
    name = eqn.primitive.called or ("jaxpr" if eqn.primitive.name == "scan" or eqn.primitive is shard_map_p else None)
    found = None if name is None else eqn.params.get(name)
    return found if found is None or isinstance(found, ClosedJaxpr) else ClosedJaxpr(found, [])


def _of_equation(eqn: JaxprEqn, mesh, pins: tuple[bool, bool]) -> RooflineResult:
    rule = rule_of(eqn)
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
    [8, 8]
    """
    pins: dict[str, Any] = {"pin_lhs_in_vmem": pin_lhs_in_vmem, "pin_rhs_in_vmem": pin_rhs_in_vmem}

    @wraps(f)
    def estimates(*args):
        shapes, forward = roofline(f, mesh, in_specs, out_specs, print_jaxpr=print_jaxpr, **pins)(*args)
        halves = tree_map(lambda x: ShapedArray(x.shape, np.dtype(bfloat16)), args)
        _, backward = roofline(f, mesh, in_specs, out_specs, vjp=True, print_jaxpr=print_jaxpr, **pins)(*halves)
        return shapes, forward, backward

    return estimates


public(globals(), ["roofline", "roofline_and_grad"])
