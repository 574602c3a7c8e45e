"""`linear_call`: a linear function with its own transpose.

The operands are the values that the function closes over, the residuals, and the linear operands. The
transpose is traced when it is first wanted.

Tests: `tests/transforms/test_custom_derivatives.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.dtypes import float0
from ...core.jaxpr import ClosedJaxpr
from ...core.messages.errors import message
from ...core.trace import eval_jaxpr, stage, stage_closed
from ...core.tree.tree import tree_flatten, tree_unflatten
from ...core.types import aval_of
from ...core.values.zeros import Zero
from ...prims.shape import batch_to_front, materialise_batch
from ..calls import call_primitive
from ..flat import FlatFun, function_name
from ..jvp import instantiate
from ..programs import batch_program, hoist

__all__ = ["linear_call"]

linear_call_p = call_primitive("linear_call", "callee")


def linear_call(fun: Callable, fun_transpose: Callable, residual_args: Any, linear_args: Any) -> Any:
    """Call a linear function, giving its transpose.

    Args:
      fun: (residuals, x) -> y, linear in x.
      fun_transpose: (residuals, y) -> x, its transpose in y.
      residual_args, linear_args: trees of arrays.
    Returns:
      What `fun` returns.
    Raises:
      TypeError: `fun_transpose` does not return what `linear_args` is.

    >>> scale = lambda r, x: x / r
    >>> linear_transpose(lambda x: linear_call(scale, scale, 2., x), 1.)(1.)
    (Array(0.5, dtype=float32, weak_type=True),)
    """
    residuals, res_tree = tree_flatten(residual_args)
    linear, lin_tree = tree_flatten(linear_args)
    in_tree = tree_flatten(((residual_args, linear_args), {}))[1]
    flat = FlatFun(fun, in_tree, "linear_call")
    callee, captured = hoist(*stage(flat, [aval_of(x) for x in residuals + linear]))
    res_avals, lin_avals = [aval_of(x) for x in residuals], [aval_of(x) for x in linear]
    made: list[ClosedJaxpr] = []

    def transpose_thunk() -> ClosedJaxpr:
        if not made:
            made.append(_transposed(fun_transpose, res_tree, flat.out_tree, lin_tree, res_avals, callee, lin_avals))
        return made[0]

    outs = linear_call_p.bind(
        *captured, *residuals, *linear, callee=callee, num_callee_consts=len(captured), num_res=len(residuals),
        transpose_thunk=transpose_thunk,
    )
    return tree_unflatten(flat.out_tree, outs)


def _transposed(fun, res_tree, out_tree, lin_tree, res_avals, callee, lin_avals) -> ClosedJaxpr:
    """Return the program of the transpose: *residuals, *cotangents -> *cotangents of the linear operands."""
    n = len(res_avals)

    def run(*leaves):
        out = fun(tree_unflatten(res_tree, leaves[:n]), tree_unflatten(out_tree, leaves[n:]))
        cts, tree = tree_flatten(out)
        if tree != lin_tree:
            raise TypeError(
                message(
                    f"transpose output pytree structure must match that of linear inputs, got output structure "
                    f"{tree} and input structure {lin_tree}.",
                    fix=f"{function_name(fun)} must return a cotangent for each linear argument",
                )
            )
        return cts

    closed = stage_closed(run, [*res_avals, *callee.out_avals])
    for ct, x in zip(closed.out_avals, lin_avals):
        if (ct.shape, ct.dtype) != (x.shape, x.dtype):
            raise TypeError(
                f"transpose output types must match those of linear inputs, got {ct} for an input of type {x}"
            )
    return closed


@linear_call_p.jvp
def _(primals, tangents, *, callee, num_callee_consts, num_res, transpose_thunk):
    n = num_callee_consts + num_res
    if any([type(t) is not Zero for t in tangents[:n]]):
        raise TypeError(
            message(
                "linear_call cannot be differentiated with respect to its residuals.",
                why="It is given a transpose in its linear arguments only.",
                fix="lax.stop_gradient(residuals), or make the function a custom_vjp",
            )
        )
    bind = lambda args: linear_call_p.bind(
        *primals[:n], *args, callee=callee, num_callee_consts=num_callee_consts, num_res=num_res,
        transpose_thunk=transpose_thunk,
    )
    outs = bind(primals[n:])
    given = tangents[n:]
    if all([type(t) is Zero or aval_of(t).dtype == float0 for t in given]):
        return outs, [Zero.from_primal_value(x) for x in outs]
    return outs, bind([instantiate(t) for t in given])


@linear_call_p.transpose
def _(cts, *args, callee, num_callee_consts, num_res, transpose_thunk):
    n = num_callee_consts + num_res
    back = transpose_thunk()
    operands = [*args[num_callee_consts:n], *[instantiate(ct) for ct in cts]]
    outs = linear_call_p.bind(
        *operands, callee=back, num_callee_consts=0, num_res=num_res,
        transpose_thunk=_again(callee, args[:num_callee_consts]),
    )
    return [None] * n + outs


def _again(callee: ClosedJaxpr, captured):
    """Return the transpose of the transpose: the function itself."""
    run = lambda *args: eval_jaxpr(callee.jaxpr, callee.consts, *captured, *args)
    return lambda: stage_closed(run, callee.in_avals[len(captured) :])


@linear_call_p.batch_axis
def _(axis, args, dims, params):
    callee, k, num_res = params["callee"], params["num_callee_consts"], params["num_res"]
    n = k + num_res
    flags = [d is not None for d in dims]
    linear_flags = [any(flags)] * (len(args) - n)
    lined = [x if d is None else batch_to_front(x, d) for x, d in zip(args[:n], dims[:n])]
    lined += [materialise_batch(x, d, axis.size) for x, d in zip(args[n:], dims[n:])]
    step, _ = batch_program(callee, axis, (*flags[:n], *linear_flags), True)
    thunk = params["transpose_thunk"]

    def transpose_thunk():
        back = thunk()
        batched = (*flags[k:n], *[True] * len(callee.out_avals))
        return batch_program(back, axis, batched, True)[0]

    outs = linear_call_p.bind(*lined, **{**params, "callee": step, "transpose_thunk": transpose_thunk})
    return outs, 0
