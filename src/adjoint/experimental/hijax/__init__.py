"""Types of values and operations that libraries define on top of arrays, as `jax.experimental.hijax`.

`README.md` says how they go through transformations.

Tests: `tests/experimental/test_hijax.py`.
"""

from ...core.messages.boundaries import public as _public
from ...core.primitive import is_undefined_primal
from ...core.types import AbstractValue, ShapedArray
from ...core.values.refs import AbstractRef
from ...core.values.zeros import Zero
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

__all__ = [
    "AbstractRef", "AbstractValue", "AvalMutableQDD", "AvalQDD", "HiPrimitive", "HiPspec", "HiType", "MutableHiType",
    "ShapedArray", "VJPHiPrimitive", "Zero", "aval_method", "aval_property", "control_flow_allowed_effects",
    "instantiate_zeros", "is_undefined_primal", "register_hitype",
]
_public(globals(), ["instantiate_zeros", "register_hitype"])
