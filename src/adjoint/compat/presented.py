"""Modules of this package under JAX's names.

`jax.numpy` is a module of its own that has the names of `adjoint.numpy`. What a program replaces in it is replaced
for those who read `jax.numpy`, and not for functions of this library, which read their own modules: as in JAX,
`jax.nn.relu` does not call what stands in `jax.numpy.maximum`. Libraries that convert programs replace functions
while they trace.

Tests: `tests/compat/test_running.py`.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any
from warnings import warn

__all__ = ["PresentedModule"]

_AT = "jax.extend.core."
# Names of which JAX warns when they are read, with what it says to use: by the module, after `jax.`.
_DEPRECATED = {
    "core": {
        **{name: f"jax.core.{name} is deprecated. Use {_AT}{name}." for name in """
            CallPrimitive DebugInfo DropVar Effect Effects check_jaxpr concrete_or_error find_top_trace gensym
            get_opaque_trace_state jaxprs_in_params new_jaxpr_eqn no_effects primal_dtype_to_tangent_dtype
            valid_jaxtype
        """.split()},
        **{name: f"jax.core.{name} is deprecated. Use jax.errors.{name}."
           for name in ("InconclusiveDimensionOperation", "JaxprTypeError")},
        **{name: f"jax.core.{name} is deprecated." for name in """
            JaxprPpContext JaxprPpSettings OutputType abstract_token aval_mapping_handlers call
            concretization_function_error custom_typechecks is_concrete is_constant_dim is_constant_shape
            literalable_types no_axis_name nonempty_axis_env_DO_NOT_USE pytype_aval_mappings trace_ctx
            unsafe_am_i_under_a_jit_DO_NOT_USE unsafe_am_i_under_a_vmap_DO_NOT_USE unsafe_get_axis_names_DO_NOT_USE
        """.split()},
    },
    "experimental.pjit": {
        "pjit": "jax.experimental.pjit.pjit has been deprecated. Please use `jax.jit` instead.",
    },
    "experimental.shard_map": {
        "shard_map": "jax.experimental.shard_map is deprecated in v0.8.0. Used jax.shard_map instead.",
    },
    "interpreters.pxla": {
        "thread_resources": "jax.interpreters.pxla.thread_resources is deprecated as of JAX v0.8.2. Please switch to "
        "using `with jax.set_mesh(mesh)` instead of `with mesh:` and then use `jax.sharding.get_abstract_mesh()` to "
        "get the current mesh.",
    },
}

_PACKAGE = __package__.partition(".")[0]
_KEPT = ("__name__", "__doc__", "__package__", "__path__", "__file__", "__loader__", "__spec__")


class PresentedModule(ModuleType):
    """A module that has the names of another one, which are found there when they are first used."""

    def __init__(self, module: ModuleType):
        super().__init__(module.__name__)
        vars(self).update({name: value for name, value in vars(module).items() if name in _KEPT})
        vars(self)["_module"] = module
        vars(self)["_deprecated"] = _DEPRECATED.get(module.__name__.partition(".")[2], {})

    def __getattr__(self, name: str) -> Any:
        module = vars(self)["_module"]
        value = getattr(module, name)
        if name in vars(self)["_deprecated"]:  # each time: nothing is kept here
            warn(vars(self)["_deprecated"][name], DeprecationWarning, stacklevel=2)
            return value
        if isinstance(value, ModuleType):
            value = _presented(value)
        if name in vars(module) and not name.startswith("__"):
            setattr(self, name, value)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a name; the import of a module does not hide what its package has under the name of the module."""
        own = vars(vars(self)["_module"]).get(name)
        if not isinstance(value, PresentedModule) or own is None or isinstance(own, ModuleType):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        own = [name for name in vars(self) if name not in ("_module", "_deprecated")]
        return sorted({*dir(vars(self)["_module"]), *own})


def _presented(module: ModuleType) -> ModuleType:
    """Return a module of this package as `jax` has it; any other as it is."""
    own = getattr(module.__spec__, "name", "")
    return import_module("jax" + own.removeprefix(_PACKAGE)) if own.startswith(f"{_PACKAGE}.") else module
