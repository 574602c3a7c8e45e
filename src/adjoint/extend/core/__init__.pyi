# Written by stubs/generate.py; do not edit.
from adjoint.core import AbstractValue
from adjoint.core import Effect as _Effect
from adjoint.core import ShapedArray
from typing import Any
from typing import TypeAlias
class AbstractToken(AbstractValue):
    shape: Any
    ndim: Any
    size: Any
    dtype: Any
    weak_type: Any
    def str_short(self, short_dtypes: Any = False, **_: Any) -> str: ...
    def to_tangent_aval(self) -> ShapedArray: ...
    def update(self, **_: Any) -> AbstractToken: ...
from adjoint.core import CallPrimitive as CallPrimitive
from adjoint.core import ClosedJaxpr as ClosedJaxpr
from adjoint.core import DebugInfo as DebugInfo
from adjoint.core import DropVar as DropVar
from adjoint.core import Effect as Effect
Effects: TypeAlias = set[_Effect]
from adjoint.core import InconclusiveDimensionOperation as InconclusiveDimensionOperation
from adjoint.core import Jaxpr as Jaxpr
from adjoint.core import JaxprEqn as JaxprEqn
from adjoint.core import JaxprTypeError as JaxprTypeError
from adjoint.core import Literal as Literal
from adjoint.core import Primitive as Primitive
class Token:
    def __init__(self, buf: Any = None) -> None: ...
    def block_until_ready(self) -> None: ...
class TraceTag:
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
