# Written by stubs/generate.py; do not edit.
from adjoint.core import AbstractValue
from adjoint.core import Effect as _Effect
from adjoint.core import ShapedArray
from typing import Any
from typing import TypeAlias
class AbstractToken(AbstractValue):
    """The type of a token.

    >>> from adjoint.extend.core import AbstractToken
    >>> typeof(lax.create_token()), isinstance(typeof(lax.create_token()), AbstractToken)
    (AbstractToken(), True)
    """
    shape: Any
    ndim: Any
    size: Any
    dtype: Any
    weak_type: Any
    def str_short(self, short_dtypes: Any = False, **_: Any) -> str:
        """Return the type as text.

        Args:
          short_dtypes: for compatibility with types of arrays; not read.
          _: likewise.
        """
    def to_tangent_aval(self) -> ShapedArray:
        """Return the type of tangents: that of no number."""
    def update(self, **_: Any) -> AbstractToken:
        """Return itself: a token is on no device, and varies over no axis.

        Args:
          _: fields of types of arrays, which it has not.
        """
from adjoint.core import CallPrimitive as CallPrimitive
from adjoint.core import ClosedJaxpr as ClosedJaxpr
from adjoint.core import DebugInfo as DebugInfo
from adjoint.core import DropVar as DropVar
from adjoint.core import Effect as Effect
Effects: TypeAlias = set[_Effect]
"""set() -> new empty set object
set(iterable) -> new set object

Build an unordered collection of unique elements.
"""
from adjoint.core import InconclusiveDimensionOperation as InconclusiveDimensionOperation
from adjoint.core import Jaxpr as Jaxpr
from adjoint.core import JaxprEqn as JaxprEqn
from adjoint.core import JaxprTypeError as JaxprTypeError
from adjoint.core import Literal as Literal
from adjoint.core import Primitive as Primitive
class Token:
    """Stands for a moment in the order of effects.

    Args:
      buf: an array that is computed at that moment; default, the moment has come.

    >>> from adjoint.extend.core import Token
    >>> Token(jnp.ones(2)).block_until_ready()
    """
    def __init__(self, buf: Any = None) -> None: ...
    def block_until_ready(self) -> None:
        """Wait until what the token stands for has happened."""
class TraceTag:
    """Tells one transformation's tracers from those of another.

    >>> from adjoint.extend.core import TraceTag
    >>> TraceTag() == TraceTag()
    False
    """
    ...
from adjoint.core import Var as Var
array_types: set[Any]
from adjoint.core import call_impl as call_impl
from adjoint.core import check_jaxpr as check_jaxpr
from adjoint.core import concrete_or_error as concrete_or_error
from adjoint.core import find_top_trace as find_top_trace
from adjoint.core import gensym as gensym
from adjoint.core import get_opaque_trace_state as get_opaque_trace_state
from adjoint.core import jaxpr_as_fun as jaxpr_as_fun
from adjoint.core import jaxprs_in_params as jaxprs_in_params
from adjoint.core import mapped_aval as mapped_aval
from adjoint.core import new_jaxpr_eqn as new_jaxpr_eqn
no_effects: frozenset[Any]
from adjoint.core import nonempty_axis_env_DO_NOT_USE as nonempty_axis_env_DO_NOT_USE
from adjoint.core import primal_dtype_to_tangent_dtype as primal_dtype_to_tangent_dtype
from adjoint.extend.core import primitives as primitives
from adjoint.core import set_current_trace as set_current_trace
from adjoint.core import subjaxprs as subjaxprs
from adjoint.core import take_current_trace as take_current_trace
from adjoint.core import unmapped_aval as unmapped_aval
from adjoint.core import unsafe_am_i_under_a_jit_DO_NOT_USE as unsafe_am_i_under_a_jit_DO_NOT_USE
from adjoint.core import unsafe_am_i_under_a_vmap_DO_NOT_USE as unsafe_am_i_under_a_vmap_DO_NOT_USE
from adjoint.core import unsafe_get_axis_names_DO_NOT_USE as unsafe_get_axis_names_DO_NOT_USE
from adjoint.core import valid_jaxtype as valid_jaxtype
