"""adjoint: composable transformations of array programs.

Write NumPy, then `grad`, `jit`, `vmap` it, in any order and to any depth:

>>> import adjoint as ad, adjoint.numpy as jnp
>>> ad.jit(ad.grad(lambda x: jnp.sum(x ** 2)))(jnp.arange(3.))
Array([0., 2., 4.], dtype=float32)

Names are bound when they are first used, so importing the package costs little more than NumPy.
"""

from __future__ import annotations

import gc as _gc
import sys as _sys
from importlib import import_module as _import_module

_is_collecting = _gc.isenabled()
_gc.disable()  # what modules make lives on: to look for garbage there takes a tenth of the time of the import
try:
    from .core.options.config import config as config
except ValueError as _wrong:  # an environment variable has a value without meaning: where that was found says nothing
    if _sys.argv[:1] == ["-m"] and __name__ in _sys.orig_argv:  # `python -m adjoint`
        raise SystemExit(f"adjoint: {_wrong}") from None
    raise _wrong.with_traceback(None) from None
else:
    from .core.names.exports import MISSING as _MISSING
    from .core.names.exports import offered as _offered
    from .numpy.methods import bind as _bind
    from .version import __version__ as __version__
    from .version import __version_info__ as __version_info__
finally:
    if _is_collecting:
        if not _gc.get_freeze_count():
            _gc.freeze()  # and back: what there is counts as old then, without a look at each object
            _gc.unfreeze()
        _gc.enable()

# Where each public name is defined.
_NAMES = {
    ".core.options.config": """check_tracer_leaks checking_leaks debug_infs debug_key_reuse debug_nans default_device
        default_matmul_precision default_prng_impl disable_jit enable_checks enable_custom_prng enable_x64
        explain_cache_misses legacy_prng_key log_compiles no_tracing no_execution numpy_dtype_promotion
        numpy_rank_promotion softmax_custom_jvp threefry_partitionable transfer_guard
        transfer_guard_device_to_device transfer_guard_device_to_host transfer_guard_host_to_device
        array_garbage_collection_guard allow_f16_reductions auto_pcast jax2tf_associative_scan_reductions
        make_user_context remove_size_one_mesh_axis_from_type thread_guard""",
    ".core.values.slices": "ds",
    ".core.types": "Array",
    ".core.dtypes": "float0",
    ".transforms.now": "ensure_compile_time_eval",
    ".tools.arrays": "show",
    ".tools.graphs": "plot_jaxpr",
    ".tools.pages": "help",
    ".sharding.device": "Device",
    ".array.members": "Shard",
    ".transforms.derivatives.grad": "grad jvp linear_transpose linearize value_and_grad vjp",
    ".transforms.derivatives.forward_backward": "fwd_and_bwd",
    ".transforms.derivatives.jacobian": "hessian jacfwd jacobian jacrev",
    ".transforms.vmap": "vmap",
    ".transforms.jit.jit": "jit",
    ".transforms.jit.entries": "clear_caches",
    ".transforms.jit.staging": "ShapeDtypeStruct eval_shape make_jaxpr typeof named_call named_scope",
    ".transforms.custom.custom_jvp": "custom_jvp",
    ".transforms.custom.custom_vjp": "custom_vjp",
    ".transforms.custom.closures": "closure_convert custom_gradient",
    ".transforms.custom.remat": "checkpoint checkpoint_policies remat",
    ".control_flow.callbacks": "effects_barrier pure_callback",
    ".environment": "print_environment_info",
    ".ref": "Ref empty_ref free_ref freeze new_ref",
    ".sharding.mesh": "P make_mesh set_mesh",
    ".sharding.named_sharding": "NamedSharding",
    ".parallel.arrays": """make_array_from_callback make_array_from_process_local_data
        make_array_from_single_device_arrays reshard""",
    ".parallel.pmap": "pmap",
    ".parallel.shard_map": "shard_map",
    ".parallel.smap": "smap",
    ".parallel.devices": """block_until_ready copy_to_host_async default_backend device_count device_get
        device_put devices host_count host_id host_ids live_arrays local_device_count local_devices
        process_count process_index process_indices""",
}
_MODULES = """ad ad_checkpoint api_util compat core custom_batching custom_derivatives debug distributed dlpack dtypes
    errors example_libraries experimental extend ffi flatten_util image interpreters lax monitoring nn numpy
    export lib memory ops profiler random ref scipy sharding stages test_util tree tree_util typing version"""

_GONE = {
    f"device_put_{how}": "use jax.device_put instead. See https://docs.jax.dev/en/latest/migrate_pmap.html"
    "#drop-in-replacements for a drop-in replacement." for how in ("replicated", "sharded")
}


def _gone(name: str):
    if name in _GONE:
        raise AttributeError(f"jax.{name} is deprecated; {_GONE[name]}", name=name)
    return _MISSING


def load_ipython_extension(shell: object) -> None:
    """Let `import jax` mean this package in a notebook, and in what it starts: `%load_ext adjoint`."""
    _import_module(".compat", __name__).install_for_children()


__getattr__, __dir__ = _offered(globals(), _NAMES, _MODULES, computed=_gone, also=lambda: ("config",))

from .core.messages.tracebacks import install as _filter_tracebacks  # noqa: E402
from .core.options.variables import warn_of_wrong as _warn_of_wrong_variables  # noqa: E402

_warn_of_wrong_variables()
_bind()  # arrays need their operators everywhere
_filter_tracebacks()
_import_module(".engines.xla.plugins", __name__)  # the default device may be an accelerator
