"""Programs that have the same bits compiled as on the NumPy engine, step by step.

Those of steps that move elements, and of steps whose result is rounded once, if at all: comparisons, sums of two
floats, their quotient and square root, extrema, and all that integers are made of integers by, since these wrap
everywhere. Each primitive says for which elements it is one (`Primitive.exact`). Sums of many floats depend on their
order, functions such as `exp` on who approximates them, and products of complex numbers on how they are computed.
`replay.py` compiles the first kind when it is called often.

Tests: `tests/transforms/test_exactness.py`.
"""

from __future__ import annotations

from ...core import dtypes
from ...core.jaxpr import Jaxpr, JaxprEqn, sub_jaxprs

__all__ = ["has_same_bits"]


def has_same_bits(jaxpr: Jaxpr) -> bool:
    """Return whether a program, if compiled, gives the bits that its steps give one by one."""
    return all(map(_is_exact, jaxpr.eqns))


def _is_exact(eqn: JaxprEqn) -> bool:
    if eqn.primitive.runs_programs or eqn.primitive.called:
        programs = [*sub_jaxprs(eqn.params)]
        return bool(programs) and all(map(has_same_bits, programs))
    kinds = {_kind(v.aval.dtype) for v in (*eqn.invars, *eqn.outvars)}
    return kinds <= {*(eqn.primitive.exact_rule or "")}


def _kind(dtype) -> str:
    return "f" if dtype == dtypes.bfloat16 else dtype.kind
