"""The core, and `jax.core`'s public names, found when they are first used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_NAMES = {
    "types": "AbstractValue ShapedArray",
    "trace": "Trace Tracer ensure_compile_time_eval eval_context eval_jaxpr",
    "jaxpr": "Atom ClosedJaxpr DropVar Jaxpr JaxprEqn Literal Var",
    "passes": "check_jaxpr custom_typechecks",
    "messages.places": "DebugInfo",
    "primitive": "Primitive",
    "printing": "JaxprPpContext JaxprPpSettings",
    "effects": "Effect no_effects",
    "dimensions.expressions": "max_dim min_dim",
    "messages.errors": "InconclusiveDimensionOperation JaxprTypeError",
    ".compat.extension": """CallPrimitive Effects OutputType abstract_token aval_mapping_handlers call call_impl
        concrete_or_error concretization_function_error find_top_trace gensym get_opaque_trace_state is_concrete
        is_constant_dim is_constant_shape jaxpr_as_fun jaxprs_in_params literalable_types mapped_aval new_jaxpr_eqn
        no_axis_name nonempty_axis_env_DO_NOT_USE primal_dtype_to_tangent_dtype pytype_aval_mappings
        set_current_trace subjaxprs take_current_trace trace_ctx unmapped_aval
        unsafe_am_i_under_a_jit_DO_NOT_USE unsafe_am_i_under_a_vmap_DO_NOT_USE
        unsafe_get_axis_names_DO_NOT_USE valid_jaxtype""",
}
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}
_PLAIN: dict[str, Any] = {"Value": Any, "ParamDict": dict[str, Any]}


def __getattr__(name: str):
    if name == "get_aval":
        return import_module(".types", __name__).aval_of
    if name in _PLAIN:
        return _PLAIN[name]
    if name not in _HOME:
        raise AttributeError(f"module 'adjoint.core' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f".{_HOME[name]}", __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted({*_HOME, *_PLAIN, "get_aval"})
