"""Functions made differentiable by hand: `custom_gradient`, and closures made explicit.

Tests: `tests/transforms/test_closures.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core import dtypes
from ...core.messages.errors import message
from ...core.trace import Tracer, eval_jaxpr, stage
from ...core.tree.tree import Partial, tree_flatten, tree_unflatten
from ...core.types import Array, aval_of
from ..flat import FlatFun, wraps
from ..jit.staging import abstract
from .custom_vjp import custom_vjp

__all__ = ["closure_convert", "custom_gradient"]


def closure_convert(fun: Callable, *example_args: Any) -> tuple[Callable, list]:
    """Make what a function closes over an argument, as far as it may be differentiated.

    Args:
      fun: a function of arrays or trees of arrays.
      example_args: arguments that give the types.
    Returns:
      (converted, values): `converted(*args, *values)` equals `fun(*args)`.
    Raises:
      TypeError: `fun` is not a function.

    >>> y = jnp.array(2.)
    >>> f, values = closure_convert(lambda x: x * y, 3.)
    >>> f(3., *values)
    Array(6., dtype=float32, weak_type=True)
    """
    if not callable(fun):
        raise TypeError(message("the first argument must be callable", why=f"Got {fun!r}."))
    leaves, in_tree = tree_flatten((example_args, {}))
    flat = FlatFun(fun, in_tree, "closure_convert")
    jaxpr, consts = stage(flat, [abstract(x) for x in leaves])
    lifted = [isinstance(c, Tracer) and dtypes.issubdtype(c.dtype, np.inexact) for c in consts]
    values = [c for c, up in zip(consts, lifted) if up]
    # The converted function may outlive the trace: it keeps neither the values nor the function that closes over them.
    fixed = [None if up else c for c, up in zip(consts, lifted)]
    n, out_tree = len(values), flat.out_tree

    def converted(*args_and_values):
        k = len(args_and_values) - n
        args, values = args_and_values[:k], iter(args_and_values[k:])
        given, tree = tree_flatten((args, {}))
        if tree != in_tree:
            raise TypeError(
                f"The inputs to the closure produced by closure_convert must have the same Pytree "
                f"structure as the example arguments passed when closure_convert was called. Expected "
                f"{in_tree.children()[0]}, but got {tree.children()[0]}"
            )
        filled = [next(values) if up else c for c, up in zip(fixed, lifted)]
        return tree_unflatten(out_tree, eval_jaxpr(jaxpr, filled, *given))

    return converted, values


def custom_gradient(fun: Callable) -> Callable:
    """Define a function together with its reverse derivative, in one piece.

    Args:
      fun: takes the arguments and returns (value, vjp); `vjp(ct)` takes a cotangent, a tree like the value, and returns
        the cotangent of the argument, or a tuple with one for each of several. It may use all that `fun` has computed.
    Returns:
      A function of the same arguments that returns the value alone. `grad` and `vjp` use the rule.
    Raises:
      TypeError: `fun` returns no pair; the function is differentiated in forward mode.
    See also: `custom_vjp`, whose two parts are functions of their own; `custom_jvp`, for both modes.

    >>> @custom_gradient
    ... def f(x):
    ...     return x ** 2, lambda g: (g * x,)
    >>> grad(f)(3.)
    Array(3., dtype=float32, weak_type=True)
    """

    @wraps(fun)
    def wrapped(*args, **kwargs):
        call = custom_vjp(lambda *a: fun(*a, **kwargs)[0])
        call.defvjp(lambda *a: _forward(fun, a, kwargs), _backward)
        return call(*args)

    return wrapped


def _forward(fun, args, kwargs):
    out, rule = fun(*args, **kwargs)
    leaves, tree = tree_flatten(out)
    avals = [aval_of(x).to_tangent_aval() for x in leaves]
    ct_fun = FlatFun(rule, tree_flatten(((tree_unflatten(tree, avals),), {}))[1], "custom_gradient")
    jaxpr, consts = stage(ct_fun, avals)
    arrays = [isinstance(c, Array) for c in consts]
    fixed, out_tree = [None if a else c for c, a in zip(consts, arrays)], ct_fun.out_tree

    def pull(values, ct):
        values = iter(values)
        filled = [next(values) if c is None else c for c in fixed]
        outs = eval_jaxpr(jaxpr, filled, *tree_flatten(ct)[0])
        return tree_unflatten(out_tree, outs)

    return out, Partial(pull, [c for c, a in zip(consts, arrays) if a])


def _backward(pull: Partial, ct):
    cts = pull(ct)
    return cts if isinstance(cts, (tuple, list)) else (cts,)
