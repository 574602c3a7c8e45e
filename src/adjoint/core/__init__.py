"""The core, and `jax.core`'s public names, found when they are first used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_NAMES = {
    "types": "AbstractValue ShapedArray",
    "trace": "Trace Tracer ensure_compile_time_eval eval_context",
    "jaxpr": "Atom ClosedJaxpr DropVar Jaxpr JaxprEqn Literal Var eval_jaxpr jaxpr_as_fun check_jaxpr",
    "primitive": "Primitive",
}
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str):
    if name == "get_aval":
        return import_module(".types", __name__).aval_of
    if name in ("Value", "ParamDict"):  # names for annotations
        return Any if name == "Value" else dict[str, Any]
    if name in ("max_dim", "min_dim"):
        return max if name == "max_dim" else min
    if name not in _HOME:
        raise AttributeError(f"module 'adjoint.core' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f".{_HOME[name]}", __name__), name)
    return value
