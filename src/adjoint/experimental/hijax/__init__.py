"""Types of values and operations that libraries define on top of arrays, as `jax.experimental.hijax`.

`README.md` says how they go through transformations.

Tests: `tests/experimental/test_hijax.py`.
"""

from ...core.messages.boundaries import public as _public
from ...core.primitive import is_undefined_primal
from ...core.types import AbstractValue, ShapedArray
from ...core.values.refs import AbstractRef
from ...core.values.zeros import Zero
from .derived import (
    GradAccum,
    NullAccum,
    RefAccum,
    ValAccum,
    apply_derived_linearization,
    jvp_from_lin,
    linearize_from_jvp,
    transpose_jvp,
    transpose_linearized,
    vjp_from_jvp,
    vjp_from_lin,
    vjp_fwd_from_jvp,
    vjp_fwd_from_lin,
)
from .primitives import HiPrimitive, VJPHiPrimitive
from .types import (
    AvalMutableQDD,
    AvalQDD,
    HiPspec,
    HiType,
    MutableHiType,
    aval_method,
    aval_property,
    control_flow_allowed_effects,
    instantiate_zeros,
    register_hitype,
)

HiPrim = VJPHiPrimitive  # its name from JAX 0.12 on

__all__ = [
    "AbstractRef", "AbstractValue", "AvalMutableQDD", "AvalQDD", "GradAccum", "HiPrim", "HiPrimitive", "HiPspec",
    "HiType", "MutableHiType", "NullAccum", "RefAccum", "ShapedArray", "VJPHiPrimitive", "ValAccum", "Zero",
    "apply_derived_linearization", "aval_method", "aval_property", "control_flow_allowed_effects", "instantiate_zeros",
    "is_undefined_primal", "jvp_from_lin", "linearize_from_jvp", "register_hitype", "transpose_jvp",
    "transpose_linearized", "vjp_from_jvp", "vjp_from_lin", "vjp_fwd_from_jvp", "vjp_fwd_from_lin",
]
_public(globals(), ["instantiate_zeros", "register_hitype"])
