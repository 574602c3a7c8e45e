"""An estimate of the work of a function, in the way in which kernels for TPUs state theirs.

Tests: `tests/experimental/test_pallas_memory.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from ...core.jaxpr import Jaxpr, JaxprEqn
from ...transforms.jit.staging import make_jaxpr
from .specs import CostEstimate

__all__ = ["estimate_cost"]

_ONE_OPERATION = frozenset(
    "add add_any and ceil div floor max min mul neg not or round sub xor".split()
)  # for each element of the result
_TRANSCENDENTAL = frozenset("acos asin atan cos cosh exp log logistic sin sinh sqrt tan tanh".split())


def estimate_cost(fun: Callable, *args: Any, **kwargs: Any) -> CostEstimate:
    """Return an estimate of the operations and bytes of a function, from its jaxpr.

    Products, arithmetic and powers by integers count as operations, elementary functions as transcendentals, and
    operands and results as bytes; what is not known, such as the bodies of loops, counts nothing.

    Args:
      fun: a function of arrays.
      *args, **kwargs: its arguments, arrays or `ShapeDtypeStruct`s.
    Returns:
      A `CostEstimate`.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.estimate_cost(lambda x: jnp.sin(x) @ x, ad.ShapeDtypeStruct((4, 4), "float32"))
    CostEstimate(flops=128, transcendentals=16, bytes_accessed=128, remote_bytes_transferred=0)
    """
    jaxpr = make_jaxpr(lambda *args: fun(*args, **kwargs))(*args).jaxpr
    avals = [v.aval for v in (*jaxpr.invars, *jaxpr.outvars)]
    flops, transcendentals = _operations(jaxpr)
    return CostEstimate(flops, transcendentals, sum([a.size * a.dtype.itemsize for a in avals]))


def _operations(jaxpr: Jaxpr) -> tuple[int, int]:
    counts = [_of_equation(eqn) for eqn in jaxpr.eqns]
    return sum([flops for flops, _ in counts]), sum([others for _, others in counts])


def _of_equation(eqn: JaxprEqn) -> tuple[int, int]:
    name, size = eqn.primitive.name, eqn.outvars[0].aval.size if eqn.outvars else 0
    if name == "jit":
        return _operations(eqn.params["jaxpr"].jaxpr)
    if name == "dot_general":
        (axes, _), _ = eqn.params["dimension_numbers"]
        return 2 * size * prod([eqn.invars[0].aval.shape[i] for i in axes]), 0
    if name == "integer_pow":
        n = abs(eqn.params["y"])
        return (size * (n.bit_length() - 1 + n.bit_count()) if n > 1 else 0), 0
    return (size if name in _ONE_OPERATION else 0), (size if name in _TRANSCENDENTAL else 0)
