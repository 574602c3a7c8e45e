"""Functions with derivatives of their own."""

from .core.types import aval_of
from .prims.shape import full
from .transforms.closures import closure_convert, custom_gradient
from .transforms.custom_jvp import SymbolicZero, custom_jvp
from .transforms.custom_jvp import custom_jvp_call as custom_jvp_call_p
from .transforms.custom_vjp import CustomVJPPrimal, custom_vjp
from .transforms.custom_vjp import custom_vjp_call as custom_vjp_call_p

__all__ = [
    "CustomVJPPrimal", "SymbolicZero", "closure_convert", "custom_gradient", "custom_jvp",
    "custom_jvp_call_p", "custom_vjp", "custom_vjp_call_p", "zero_from_primal",
]


def zero_from_primal(value, symbolic_zeros: bool = False):
    """The zero tangent of a value, as an array or as a `SymbolicZero`.

    >>> zero_from_primal(2.)
    Array(0., dtype=float32, weak_type=True)
    """
    aval = aval_of(value).to_tangent_aval()
    return SymbolicZero(aval) if symbolic_zeros else full(aval.shape, 0, aval.dtype)
