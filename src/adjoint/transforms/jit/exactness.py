"""Programs that have the same bits compiled as on the NumPy engine, step by step.

Those of steps that move elements, and of steps whose result is rounded once, if at all: comparisons, sums of two
floats, their quotient and square root, extrema, and all that integers are made of integers by, since these wrap
everywhere. Sums of many floats depend on their order, functions such as `exp` on who approximates them, and products
of complex numbers on how they are computed. `replay.py` compiles the first kind when it is called often.

Tests: `tests/transforms/test_exactness.py`.
"""

from __future__ import annotations

from ...core import dtypes
from ...core.jaxpr import Jaxpr, JaxprEqn, sub_jaxprs

__all__ = ["OF_ALL", "OF_INTEGERS", "OF_REALS", "has_same_bits"]

# Names of primitives, by the elements of operands and results for which their bits are the same.
OF_ALL = frozenset(
    "broadcast_in_dim reshape transpose squeeze rev concatenate stack unstack split tile slice pad copy iota select_n "
    "eq ne real imag complex conj neg bitcast_convert_type stop_gradient gather dynamic_slice".split()
)
OF_REALS = OF_ALL | frozenset(
    "add sub mul div rem add_any abs sign floor ceil round sqrt square max min clamp lt le gt ge and or xor not "
    "is_finite nextafter integer_pow convert_element_type reduce_max reduce_min reduce_and reduce_or argmax argmin "
    "sort cummax cummin dynamic_update_slice scatter".split()
)
OF_INTEGERS = OF_REALS | frozenset(
    "shift_left shift_right_logical shift_right_arithmetic population_count clz reduce_sum reduce_prod reduce_xor "
    "cumsum cumprod scatter-add dot_general".split()
)


def has_same_bits(jaxpr: Jaxpr) -> bool:
    """Return whether a program, if compiled, gives the bits that its steps give one by one."""
    return all(map(_is_exact, jaxpr.eqns))


def _is_exact(eqn: JaxprEqn) -> bool:
    if eqn.primitive.runs_programs or eqn.primitive.called:
        programs = [*sub_jaxprs(eqn.params)]
        return bool(programs) and all(map(has_same_bits, programs))
    name = eqn.primitive.name
    kinds = {_kind(v.aval.dtype) for v in (*eqn.invars, *eqn.outvars)}
    return name in (OF_INTEGERS if kinds <= {*"biu"} else OF_REALS if kinds <= {*"biuf"} else OF_ALL)


def _kind(dtype) -> str:
    return "f" if dtype == dtypes.bfloat16 else dtype.kind
