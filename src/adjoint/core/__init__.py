"""The core, and `jax.core`'s public names, found when they are first used."""

from __future__ import annotations

from typing import Any

from .names.exports import MISSING, offered
from .process.requirements import check_numpy

check_numpy()

_NAMES = {
    ".types": "AbstractValue ShapedArray",
    ".trace": "Trace Tracer eval_jaxpr",
    ".jaxpr": "Atom DropVar",
    ".passes": "check_jaxpr custom_typechecks",
    ".messages.places": "DebugInfo",
    ".printing": "JaxprPpContext JaxprPpSettings",
    ".effects": "Effect no_effects",
    ".dimensions.expressions": "max_dim min_dim",
    ".messages.errors": "InconclusiveDimensionOperation JaxprTypeError",
    "..transforms.now": "ensure_compile_time_eval eval_context",
    "..compat.extension": """CallPrimitive Effects OutputType abstract_token aval_mapping_handlers call
        concrete_or_error concretization_function_error find_top_trace gensym get_opaque_trace_state is_concrete
        is_constant_dim is_constant_shape jaxprs_in_params literalable_types new_jaxpr_eqn no_axis_name
        nonempty_axis_env_DO_NOT_USE primal_dtype_to_tangent_dtype pytype_aval_mappings trace_ctx
        unsafe_am_i_under_a_jit_DO_NOT_USE unsafe_am_i_under_a_vmap_DO_NOT_USE unsafe_get_axis_names_DO_NOT_USE
        valid_jaxtype""",
}
_PLAIN: dict[str, Any] = {"Value": Any, "ParamDict": dict[str, Any]}

__getattr__, __dir__ = offered(
    globals(), _NAMES, computed=lambda name: _PLAIN.get(name, MISSING), also=lambda: _PLAIN
)
