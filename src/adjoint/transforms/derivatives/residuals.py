"""`print_saved_residuals`: what the forward pass of a function keeps for the backward pass.

Tests: `tests/transforms/test_linearize.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...core import dtypes
from ...core.jaxpr import ClosedJaxpr, Literal
from ...core.trace import stage
from ...core.tree.tree import tree_flatten
from ...core.types import ShapedArray, aval_of
from ...prims.conversion import reduce_precision
from ..custom.remat import name_p
from ..flat import FlatFun, argument_names, debug_info
from ..jit.staging import abstract
from ..programs import linearize_program

__all__ = ["print_saved_residuals", "saved_residuals"]


def print_saved_residuals(f: Callable, *args: Any, **kwargs: Any) -> None:
    """Print the type and the origin of each value that is kept for differentiating `f(*args, **kwargs)`.

    Args:
      f: a function of arrays or trees of them.
      *args, **kwargs: its arguments; shapes and dtypes count.
    Returns:
      None.
    Raises:
      TypeError: an argument or a result of `f` is not made of arrays and numbers.

    >>> ad_checkpoint.print_saved_residuals(lambda x, y: x * y, 1., 2.)
    f32[] from the argument x
    f32[] from the argument y
    """
    for aval, origin in saved_residuals(f, *args, **kwargs):
        print(f"{aval.str_short(True)} {origin}")


def saved_residuals(f: Callable, *args: Any, **kwargs: Any) -> list[tuple[ShapedArray, str]]:
    """Return the type and the origin of each value that is kept for differentiating `f(*args, **kwargs)`."""
    return list(_saved(f, args, kwargs))


def _saved(f, args, kwargs) -> Iterator[tuple[ShapedArray, str]]:
    """(type, origin) of each residual: constants, then arguments, then results in order."""
    leaves, in_tree = tree_flatten((args, kwargs))
    avals = [abstract(x) for x in leaves]
    debug = debug_info("saved_residuals", f, in_tree)
    closed = ClosedJaxpr(*stage(FlatFun(f, in_tree, "saved_residuals"), avals, debug))
    nonzero = tuple([dtypes.issubdtype(a.dtype, np.inexact) for a in avals])
    split = linearize_program(closed, nonzero)
    for c in split.linear.consts:
        if not np.isscalar(c):
            yield aval_of(c), "from a constant"
    primal = split.primal.jaxpr
    pool = [*primal.invars, *primal.outvars]
    kept = {pool[i] for i in split.sources if type(pool[i]) is not Literal}
    for v, name in zip(primal.invars, argument_names(f, in_tree)()):
        if v in kept:
            yield v.aval, f"from the argument {name}"
    made = {v: eqn for eqn in primal.eqns for v in eqn.outvars}
    for v, eqn in made.items():
        if v in kept:
            # A checkpoint rounds what it saves.
            source = made.get(eqn.invars[0]) if eqn.primitive is reduce_precision else None
            yield v.aval, _origin(source or eqn)


def _origin(eqn) -> str:
    if eqn.primitive is name_p:
        what = f"named '{eqn.params['name']}'"
    elif eqn.primitive.name == "jit":
        what = f"output of jitted function '{eqn.params['name']}'"
    else:
        what = f"output of {eqn.primitive}"
    return f"{what} from {eqn.source_info.summary()}"
