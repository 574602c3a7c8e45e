"""Taylor mode, as `jax.experimental.jet`: derivatives of higher order of a function along a curve.

Where `jvp` takes a point and a velocity, `jet` takes a point and the first derivatives of a curve through it, and gives
the value and as many derivatives of the function along the curve, at the cost of few evaluations. `README.md` says how.

Tests: `tests/experimental/test_jet.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import factorial
from typing import Any

import numpy as np

from ...core.dtypes import issubdtype
from ...core.messages.boundaries import public
from ...core.tree.tree import tree_flatten, tree_unflatten
from ...core.types import Array, aval_of, is_arraylike
from ...prims.conversion import convert_element_type
from ...prims.tokens import stage as stage_value
from ...transforms.flat import FlatFun, check_callable
from .programs import PROGRAM_RULES
from .rules import def_comp, def_deriv, deflinear, defzero, deriv_prop, fact, linear_prop, zero_prop
from .trace import (
    JetTrace,
    JetTracer,
    ZeroSeries,
    ZeroTerm,
    divided,
    jet_flat,
    jet_rules,
    real_series,
    times,
    zero_series,
    zero_term,
)

__all__ = [
    "JetTrace", "JetTracer", "ZeroSeries", "ZeroTerm", "call_param_updaters", "def_comp", "def_deriv", "deflinear",
    "defzero", "deriv_prop", "fact", "jet", "jet_rules", "linear_prop", "zero_prop", "zero_series", "zero_term",
]

jet_rules.update(PROGRAM_RULES)
call_param_updaters: dict = {}
"""Functions that change the parameters of calls, by primitive; calls here change their own."""


def jet(fun: Callable, primals: Sequence, series: Sequence, factorial_scaled: bool = True, **_) -> tuple[Any, Any]:
    """Return the value of a function and its derivatives along a curve.

    Args:
      fun: a function of arrays.
      primals: the point at which it is evaluated, an array for each argument.
      series: for each argument, the derivatives of the curve through the point, the first one first.
      factorial_scaled: whether `series` and the result have derivatives; if not, coefficients of Taylor series, which
        are these divided by factorials.

    Returns:
      `(value, derivatives)`: with a list of as many derivatives in the place of each array of the value.

    Raises:
      ValueError: an argument is not one array, or the lists have several lengths.

    >>> from adjoint.experimental.jet import jet
    >>> value, (first, second) = jet(jnp.sin, (0.5,), ((1.0, 0.0),))
    >>> print(f"{value:.4f} {first:.4f} {second:.4f}")
    0.4794 0.8776 -0.4794
    """
    check_callable(fun, "jet")
    orders = {len(terms) for terms in series}
    if len(orders) > 1:
        raise ValueError("jet terms have inconsistent lengths for different arguments")
    order = orders.pop() if orders else 0
    for i, (x, terms) in enumerate(zip(primals, series)):
        if not is_arraylike(x):
            raise ValueError(f"primal value at position {i} is not an array")
        for j, t in enumerate(terms):
            if not is_arraylike(t):
                raise ValueError(f"term {j} for argument {i} is not an array")
    series = [[_typed(t, x) for t in s] if _is_inexact(x) else zero_series for x, s in zip(primals, series)]
    if factorial_scaled:
        scaled = lambda s: s if s is zero_series else [divided(t, factorial(k)) for k, t in enumerate(s, 1)]
        series = list(map(scaled, series))
    flat = FlatFun(fun, tree_flatten((tuple(primals), {}))[1], "jet")
    outs, terms = jet_flat(flat, primals, series, order)
    full = [real_series(x, s, order) for x, s in zip(outs, terms)]
    if factorial_scaled:
        full = [[times(t, factorial(k)) for k, t in enumerate(s, 1)] for s in full]
    arrays = [[t if isinstance(t, Array) else stage_value(t) for t in s] for s in full]
    return tree_unflatten(flat.out_tree, outs), tree_unflatten(flat.out_tree, arrays)


def _is_inexact(x) -> bool:
    return issubdtype(aval_of(x).dtype, np.inexact)


def _typed(term, x):
    """Return a term in the dtype of the value that it belongs to, if its own is weak."""
    dtype, own = aval_of(x).dtype, aval_of(term)
    if own.dtype == dtype or not own.weak_type and issubdtype(own.dtype, np.inexact):
        return term
    return convert_element_type(term, new_dtype=dtype, weak_type=own.weak_type)


public(globals())
