"""Options: the name of each, its default, the values it accepts, and what it does.

The names are JAX's, so that programs, environment variables and command lines written for it work;
`cpu_engine`, `native_tier` and `progress` are ours. There are three tables: options that change what a function is
traced to, and are part of every cache key; options that do not; and flags, which take any value. `config.py` holds
their values. `IDLE` says of those that nothing reads why they are without effect here.

Tests: `tests/core/test_idle_options.py`.
"""

from __future__ import annotations

import enum
from typing import Any

from ..process.records import NamedTuple


class NumpyDtypePromotion(enum.StrEnum):
    """The dtypes that promote implicitly."""

    STANDARD = "standard"
    STRICT = "strict"


class LegacyPrngKeyState(enum.StrEnum):
    """The effect of passing a raw uint32 key to `random`."""

    ALLOW = "allow"
    WARN = "warn"
    ERROR = "error"


class ExplicitX64Mode(enum.IntEnum):
    """The effect of asking for a 64-bit dtype while 64-bit types are off."""

    WARN = 1
    ERROR = 2
    ALLOW = 3


class RuntimeTracebackMode(enum.StrEnum):
    """The part of the Python traceback that an engine is given."""

    OFF = "off"
    ON = "on"
    FULL = "full"


class Option(NamedTuple):
    """An option: its name, default and description.

    `kind` says which values it has: the name of a parser below, an enum class, or a tuple of them.
    """

    name: str
    default: Any
    kind: Any
    doc: str = ""
    traced: bool = False

    @property
    def field(self) -> str:
        """Return the attribute of `config.local` that holds the value: the name without `jax_`."""
        return self.name.removeprefix("jax_")

    @property
    def values(self) -> tuple:
        """Return the values that it may have, or none where they cannot be listed."""
        if isinstance(self.kind, enum.EnumMeta):
            return tuple([member.name.lower() for member in self.kind])
        return self.kind if isinstance(self.kind, tuple) else ()

    def texts(self) -> list[str]:
        """Return a few texts that `read` takes, to show how one is written."""
        if self.kind == "bool":
            return ["1", "0"]
        if self.kind == "device":
            return ["cpu"]
        return [str(v) for v in self.values if v is not None][:3] or [str(self.default)]

    def parse(self, value: Any) -> Any:
        """Return the value to keep for what a user gave; raises ValueError or TypeError if it has none."""
        if isinstance(self.kind, tuple):
            return _one_of(self.kind, value)
        if isinstance(self.kind, enum.EnumMeta):
            return _member(self.kind, value)
        return _PARSERS[self.kind](value)

    def read(self, text: str) -> Any:
        """Return the value that a text from the environment or the command line means."""
        kind = type(self.default) if self.kind == "any" else _PYTHON.get(self.kind, str)
        if kind is bool:
            return _truth(text)
        if isinstance(self.kind, tuple) and None in self.kind and text.lower() in ("", "none"):
            return None
        return self.parse(kind(text) if kind in (int, float) else text)


_PYTHON = {"bool": bool, "int": int, "float": float}


def _truth(text: str) -> bool:
    folded = text.lower()
    if folded in ("1", "y", "yes", "t", "true", "on"):
        return True
    if folded in ("0", "n", "no", "f", "false", "off"):
        return False
    raise ValueError(f"invalid truth value {text!r}")


def _one_of(values: tuple, value: Any) -> Any:
    if value in values:
        return value
    choices = [v for v in values if v is not None]
    none = "None or " if None in values else ""
    raise ValueError(
        f"new enum value must be {none}in {choices}, got {value} of type {type(value)}."
    )


def _member(kind: Any, value: Any) -> Any:
    if isinstance(value, kind):
        return value
    if not isinstance(value, str):
        raise TypeError(
            f"new enum value must be an instance of {kind}, got {value} of type {type(value)}."
        )
    names = {member.name.lower(): member for member in kind}
    if value in names:
        return names[value]
    raise ValueError(f"{value!r} is not a valid {kind.__name__}: write one of {list(names)}")


def _instance(types: Any, name: str, expected: str) -> Any:
    def parse(value: Any) -> Any:
        if value is None or isinstance(value, types):
            return value
        raise ValueError(
            f"new {name} config value must be None or of type {expected}, got {value} of type "
            f"{type(value)}."
        )

    return parse


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    raise TypeError(f"new string config value must be of type str, got {value} of type {type(value)}.")


_PLATFORMS = ("cpu", "gpu", "tpu", "cuda", "rocm", "METAL")


def _device(value: Any) -> Any:
    is_device = hasattr(value, "platform") and hasattr(value, "id")
    if value is None or is_device or (isinstance(value, str) and value in _PLATFORMS):
        return value
    raise ValueError(
        "jax.default_device must be passed either a Device object (e.g. `jax.devices('cpu')[0]`) "
        f"or a platform name string like 'cpu' or 'gpu', got: {value!r}"
    )


_PARSERS = {
    "any": lambda value: value,
    "bool": bool,
    "int": _instance(int, "int", "int"),
    "float": _instance((int, float), "float", "float"),
    "str": _instance(str, "string", "str"),
    "dict": _instance((str, dict), "string", "dict | str"),
    "text": _text,
    "device": _device,
}

_CHECK = ("ignore", "raise")
_COLLECTIVES = (None, "gloo", "mpi", "megascale")
_ENGINE = ("native", "xla", "numpy")
_GARBAGE = (None, "allow", "log", "fatal")
_GUARD = (None, "allow", "log", "disallow", "log_explicit", "disallow_explicit")
_LEVEL = ("UNKNOWN", "O0", "O1", "O2", "O3")
_LOGGING = (None, "NOTSET", "DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
_PRECISION = (
    None, "default", "high", "highest", "bfloat16", "tensorfloat32", "float32",
    "ANY_F8_ANY_F8_F32", "ANY_F8_ANY_F8_F32_FAST_ACCUM", "ANY_F8_ANY_F8_ANY",
    "ANY_F8_ANY_F8_ANY_FAST_ACCUM", "F16_F16_F16", "F16_F16_F32", "BF16_BF16_BF16",
    "BF16_BF16_F32", "BF16_BF16_F32_X3", "BF16_BF16_F32_X6", "BF16_BF16_F32_X9",
    "TF32_TF32_F32", "TF32_TF32_F32_X3", "F32_F32_F32", "F64_F64_F64",
)
_PRNG = ("threefry2x32", "threefry4x32", "rbg", "unsafe_rbg", "philox2x32", "philox4x32")
_RANK = ("allow", "warn", "raise")
_SWITCH = ("off", "on", "auto")
TIERS = ("auto", "quick", "final")
_TRACEBACK = ("off", "tracebackhide", "remove_frames", "quiet_remove_frames", "auto")

_TRACED = (
    ("cpu_engine", "native", _ENGINE, "The engine that runs jitted functions on one CPU device."),
    ("check_vma", False, "bool"),
    ("eager_constant_folding", False, "bool"),
    ("jax_allow_f16_reductions", True, "bool", "Allow reductions to accumulate in 16-bit floats."),
    ("jax_auto_pcast", True, "bool",
     "Convert between varying and replicated values in shard_map automatically."),
    ("jax_check_static_indices", False, "bool"),
    ("jax_custom_vjp3", False, "bool"),
    ("jax_debug_infs", False, "bool",
     "Raise FloatingPointError when an operation yields an infinity."),
    ("jax_debug_key_reuse", False, "bool", "Raise KeyReuseError when a random key is used twice."),
    ("jax_debug_nans", False, "bool",
     "Raise FloatingPointError when an operation yields a NaN, and name the operation."),
    ("jax_default_device", None, "device",
     "The device of operations on uncommitted values: a Device or a platform name."),
    ("jax_default_matmul_precision", None, _PRECISION,
     "Precision of 32-bit matrix products and convolutions on accelerators."),
    ("jax_default_prng_impl", "threefry2x32", _PRNG,
     "The generator of random keys that name none."),
    ("jax_disable_bwd_checks", False, "bool"),
    ("jax_disable_jit", False, "bool", "Run jitted functions operation by operation."),
    ("jax_enable_checks", False, "bool", "Check internal invariants."),
    ("jax_enable_custom_prng", False, "bool", "Make `random.PRNGKey` return typed keys."),
    ("jax_enable_x64", False, "bool", "Allow 64-bit dtypes; without it they become 32-bit ones."),
    ("jax_error_checking_behavior_divide", "ignore", _CHECK),
    ("jax_error_checking_behavior_nan", "ignore", _CHECK),
    ("jax_error_checking_behavior_oob", "ignore", _CHECK),
    ("jax_exec_time_optimization_effort", 0.0, "float"),
    ("jax_explicit_x64_dtypes", ExplicitX64Mode.WARN, ExplicitX64Mode,
     "What an explicit 64-bit dtype does while 64-bit types are off."),
    ("jax_high_dynamic_range_gumbel", False, "bool"),
    ("jax_legacy_prng_key", LegacyPrngKeyState.ALLOW, LegacyPrngKeyState,
     "What passing a raw uint32 key to `random` does."),
    ("jax_mutable_array_checks", True, "bool"),
    ("jax_no_execution", False, "bool", "Raise instead of running a compiled program."),
    ("jax_numpy_dtype_promotion", NumpyDtypePromotion.STANDARD, NumpyDtypePromotion,
     "Which dtypes promote implicitly: 'standard', or 'strict' for Python scalars only."),
    ("jax_numpy_rank_promotion", "allow", _RANK,
     "What broadcasting operands of different ranks does."),
    ("jax_optimization_level", "UNKNOWN", _LEVEL),
    ("jax_random_seed_offset", 0, "int"),
    ("jax_remat3", False, "bool"),
    ("jax_remove_size_one_mesh_axis_from_type", False, "bool",
     "Leave mesh axes of size 1 out of array types."),
    ("jax_scan3", False, "bool"),
    ("jax_softmax_custom_jvp", False, "bool", "Use the stable derivative rule of softmax."),
    ("jax_threefry_partitionable", True, "bool",
     "Make random bits independent of how their array is sharded."),
    ("jax_use_direct_linearize", True, "bool"),
)

_UNTRACED = (
    ("native_tier", "auto", TIERS,
     "How well the native engine compiles: quickly at a first call and well for the following, or one of both."),
    ("progress", True, "bool",
     "Say on a terminal what is compiled, if it takes longer than two seconds and rich is installed."),
    ("jax2tf_associative_scan_reductions", False, "bool",
     "Accepted for compatibility; without effect."),
    ("jax2tf_default_native_serialization", True, "bool"),
    ("jax_array_garbage_collection_guard", None, _GARBAGE,
     "What happens to an array that is freed by the garbage collector, not by its last reference."),
    ("jax_bcoo_cusparse_lowering", False, "bool"),
    ("jax_captured_constants_report_frames", 0, "int"),
    ("jax_captured_constants_warn_bytes", 2_000_000_000, "int"),
    ("jax_check_tracer_leaks", False, "bool",
     "Raise when a traced value outlives the function that was traced; costs time."),
    ("jax_compilation_cache_check_contents", False, "bool"),
    ("jax_compilation_cache_dir", None, "str", "Folder of the persistent compilation cache."),
    ("jax_compilation_cache_expect_pgle", False, "bool"),
    ("jax_compilation_cache_include_metadata_in_key", False, "bool"),
    ("jax_compilation_cache_max_size", -1, "int"),
    ("jax_compiler_enable_remat_pass", True, "bool"),
    ("jax_cpu_collectives_implementation", "gloo", _COLLECTIVES),
    ("jax_cpu_get_global_topology_timeout_minutes", 5, "int"),
    ("jax_cpu_get_local_topology_timeout_minutes", 2, "int"),
    ("jax_debug_leaked_clients_on_clear_backends", False, "bool"),
    ("jax_debug_log_modules", "", "text"),
    ("jax_disable_vmap_shmap_error", False, "bool"),
    ("jax_disallow_mesh_context_manager", False, "bool"),
    ("jax_distributed_debug", False, "bool"),
    ("jax_embedded_constants_max_bytes", 32, "int"),
    ("jax_enable_compilation_cache", True, "bool"),
    ("jax_enable_pgle", False, "bool"),
    ("jax_enable_preemption_service", True, "bool"),
    ("jax_enable_recoverability", False, "bool"),
    ("jax_experimental_unsafe_xla_runtime_errors", False, "bool"),
    ("jax_explain_cache_misses", False, "bool", "Log why a function was traced again."),
    ("jax_export_calling_convention_version", 10, "int"),
    ("jax_export_ignore_forward_compatibility", False, "bool"),
    ("jax_hlo_source_file_canonicalization_regex", None, "str"),
    ("jax_include_full_tracebacks_in_locations", True, "bool"),
    ("jax_log_checkpoint_residuals", False, "bool", "Log what the derivative of a `checkpoint` keeps."),
    ("jax_log_compiles", False, "bool", "Log every compilation at level WARNING."),
    ("jax_logging_level", "NOTSET", _LOGGING),
    ("jax_memory_fitting_effort", 0.0, "float"),
    ("jax_memory_fitting_level", "O2", _LEVEL),
    ("jax_mosaic_allow_hlo", False, "bool"),
    ("jax_no_tracing", False, "bool", "Raise instead of tracing a function."),
    ("jax_num_cpu_devices", -1, "int"),
    ("jax_pallas_enable_debug_checks", False, "bool", "Let `pallas.debug_check` check, under `checkify`."),
    ("jax_pallas_poison_buffers", False, "bool"),
    ("jax_pallas_use_mosaic_gpu", True, "bool"),
    ("jax_persistent_cache_enable_xla_caches", "xla_gpu_per_fusion_autotune_cache_dir", "str"),
    ("jax_persistent_cache_min_compile_time_secs", 1.0, "float"),
    ("jax_persistent_cache_min_entry_size_bytes", 0, "int"),
    ("jax_pgle_aggregation_percentile", 90, "int"),
    ("jax_pgle_profiling_runs", 3, "int"),
    ("jax_pjrt_client_create_options", None, "dict"),
    ("jax_platforms", None, "str", "Platforms to use, comma-separated, best first."),
    ("jax_pprint_use_color", True, "bool"),
    ("jax_ragged_dot_use_gpu_pallas_triton_lowering", False, "bool"),
    ("jax_ragged_dot_use_ragged_dot_instruction", True, "bool"),
    ("jax_raise_persistent_cache_errors", False, "bool"),
    ("jax_refs_to_pins", False, "bool"),
    ("jax_remove_custom_partitioning_ptr_from_cache_key", False, "bool"),
    ("jax_send_traceback_to_runtime", RuntimeTracebackMode.OFF, RuntimeTracebackMode),
    ("jax_serialization_version", 0, "int"),
    ("jax_share_binary_between_hosts", False, "bool"),
    ("jax_share_binary_between_hosts_timeout_ms", 1_200_000, "int"),
    ("jax_source_url_schema", None, "str"),
    ("jax_thread_guard", False, "bool",
     "Raise when several threads use the devices of a multi-process program."),
    ("jax_threefry_gpu_kernel_lowering", False, "bool"),
    ("jax_traceback_filtering", "auto", _TRACEBACK,
     "How library frames are removed from tracebacks."),
    ("jax_traceback_in_locations_limit", 100, "int"),
    ("jax_transfer_guard", None, _GUARD,
     "What transfers between host and devices do, in all directions."),
    ("jax_transfer_guard_device_to_device", None, _GUARD, "What transfers between devices do."),
    ("jax_transfer_guard_device_to_host", None, _GUARD, "What transfers from device to host do."),
    ("jax_transfer_guard_host_to_device", None, _GUARD, "What transfers from host to device do."),
    ("jax_use_emit_pipeline_primitive", False, "bool"),
    ("jax_use_magma", "auto", _SWITCH),
    ("jax_use_shardy_partitioner", True, "bool"),
    ("jax_use_simplified_jaxpr_constants", False, "bool"),
    ("jax_xla_profile_version", 0, "int"),
)

_FLAGS = (
    ("jax_backend_target", "", "any"),
    ("jax_check_proxy_envs", True, "any"),
    ("jax_compiler_detailed_logging_min_ops", 10, "any"),
    ("jax_cpu_enable_async_dispatch", True, "any"),
    ("jax_cross_host_transfer_socket_address", "", "any"),
    ("jax_cross_host_transfer_timeout_seconds", None, "any"),
    ("jax_cross_host_transfer_transfer_size", None, "any"),
    ("jax_cross_host_transport_addresses", "", "any"),
    ("jax_cuda_visible_devices", "all", "any"),
    ("jax_disable_most_optimizations", False, "any"),
    ("jax_dump_ir_modes", "stablehlo", "any"),
    ("jax_dump_ir_to", "", "any", "A folder to which every program that is compiled is written, as StableHLO."),
    ("jax_force_dcn_cross_host_transfers", False, "any"),
    ("jax_include_debug_info_in_dumps", True, "any"),
    ("jax_mock_gpu_topology", "", "any"),
    ("jax_oneapi_visible_devices", "all", "any"),
    ("jax_pallas_verbose_errors", False, "any"),
    ("jax_platform_name", "", "any"),
    ("jax_rocm_visible_devices", "all", "any"),
    ("jax_sort_devices_by_process_index", True, "any"),
    ("jax_tracer_error_num_traceback_frames", 5, "any"),
    ("jax_xla_backend", "", "any"),
    ("mock_num_gpu_processes", 0, "any"),
)


def _options(rows: Any, traced: bool = False) -> list[Option]:
    return [Option(*row, traced=traced) for row in rows]


OPTIONS = (*_options(_TRACED, traced=True), *_options(_UNTRACED), *_options(_FLAGS))

# Why options are without effect: what they are about is done in another way here, or is not there.
_IDLE = {
    "It chooses among ways in which JAX is written; the results are the same.": """
        eager_constant_folding jax_custom_vjp3 jax_remat3 jax_scan3 jax_use_direct_linearize jax_refs_to_pins
        jax_use_simplified_jaxpr_constants jax_embedded_constants_max_bytes jax_disable_vmap_shmap_error
        jax_mutable_array_checks""",
    "It tunes XLA, or says what XLA's programs hold for its tools.": """
        jax_exec_time_optimization_effort jax_optimization_level jax_memory_fitting_effort jax_memory_fitting_level
        jax_compiler_enable_remat_pass jax_use_shardy_partitioner jax_hlo_source_file_canonicalization_regex
        jax_include_full_tracebacks_in_locations jax_traceback_in_locations_limit jax_xla_profile_version
        jax_compiler_detailed_logging_min_ops jax_disable_most_optimizations jax_dump_ir_modes
        jax_include_debug_info_in_dumps jax_experimental_unsafe_xla_runtime_errors jax_send_traceback_to_runtime
        jax_source_url_schema jax_pjrt_client_create_options jax_xla_backend jax_backend_target
        jax_allow_f16_reductions""",
    "It is about kernels of GPUs and TPUs that are not written here.": """
        jax_bcoo_cusparse_lowering jax_mosaic_allow_hlo jax_pallas_poison_buffers jax_pallas_use_mosaic_gpu
        jax_pallas_verbose_errors jax_ragged_dot_use_gpu_pallas_triton_lowering
        jax_ragged_dot_use_ragged_dot_instruction jax_threefry_gpu_kernel_lowering jax_use_emit_pipeline_primitive
        jax_use_magma jax_enable_pgle jax_pgle_aggregation_percentile jax_pgle_profiling_runs
        jax_oneapi_visible_devices jax_rocm_visible_devices jax_mock_gpu_topology mock_num_gpu_processes""",
    "Programs of several processes are started and ended by jaxlib's own service, with its settings.": """
        jax_cpu_collectives_implementation jax_cpu_get_global_topology_timeout_minutes jax_distributed_debug
        jax_cpu_get_local_topology_timeout_minutes jax_enable_preemption_service jax_enable_recoverability
        jax_share_binary_between_hosts jax_share_binary_between_hosts_timeout_ms jax_check_proxy_envs
        jax_cross_host_transfer_socket_address jax_cross_host_transfer_timeout_seconds
        jax_cross_host_transfer_transfer_size jax_cross_host_transport_addresses jax_force_dcn_cross_host_transfers
        jax_sort_devices_by_process_index jax_thread_guard jax_debug_leaked_clients_on_clear_backends""",
    "Every compiled program is kept, by its content, and what cannot be read is compiled again.": """
        jax_compilation_cache_check_contents jax_compilation_cache_expect_pgle
        jax_compilation_cache_include_metadata_in_key jax_compilation_cache_max_size
        jax_persistent_cache_enable_xla_caches jax_persistent_cache_min_compile_time_secs
        jax_persistent_cache_min_entry_size_bytes jax_raise_persistent_cache_errors
        jax_remove_custom_partitioning_ptr_from_cache_key""",
    "On the CPU arrays are in the memory of the process: nothing is transferred, and nothing waits in line.": """
        jax_transfer_guard_device_to_host jax_cpu_enable_async_dispatch jax_array_garbage_collection_guard""",
    "The module that it is about is not there.": """
        jax2tf_associative_scan_reductions jax2tf_default_native_serialization jax_export_calling_convention_version
        jax_serialization_version jax_export_ignore_forward_compatibility jax_error_checking_behavior_divide
        jax_error_checking_behavior_nan jax_error_checking_behavior_oob""",
    "Messages, programs as text and types are written in one way.": """
        jax_captured_constants_report_frames jax_pprint_use_color
        jax_tracer_error_num_traceback_frames jax_debug_log_modules jax_remove_size_one_mesh_axis_from_type""",
}
IDLE: dict[str, str] = {name: reason for reason, names in _IDLE.items() for name in names.split()}

# What a context manager of an option changes, as a program that shows it; where it makes something fail, the error.
USES: dict[str, tuple[str, str]] = {
    "jax_debug_nans": (
        "FloatingPointError: inside of the block, where an operation yields a NaN; its operands are shown.", """
>>> with debug_nans(True):
...     jnp.log(-1.)
Traceback (most recent call last):
  ...
FloatingPointError: invalid value (nan) encountered in log
  ..."""),
    "jax_debug_infs": (
        "FloatingPointError: inside of the block, where an operation yields an infinity.", """
>>> with debug_infs(True):
...     jnp.log(0.)
Traceback (most recent call last):
  ...
FloatingPointError: invalid value (inf) encountered in log
  ..."""),
    "jax_debug_key_reuse": (
        "KeyReuseError: inside of the block, where a typed key is used that gave numbers, or keys, before.", """
>>> key = random.key(0)
>>> with debug_key_reuse(True):
...     random.normal(key) - random.normal(key)
Traceback (most recent call last):
  ...
adjoint.errors.KeyReuseError: Previously-consumed key passed to jit-compiled function at index 0
  ..."""),
    "jax_check_tracer_leaks": (
        "Exception: inside of the block, when the function that leaked is traced; it says what keeps the value.", """
>>> kept = []
>>> with check_tracer_leaks(True):
...     jit(kept.append)(1.)
Traceback (most recent call last):
  ...
Exception: Leaked trace DynamicJaxprTrace. Leaked tracer(s):
  ..."""),
    "jax_no_tracing": (
        "RuntimeError: inside of the block, where a function has to be traced for arguments of new types.", """
>>> twice = jit(lambda x: x * 2)
>>> y = twice(1.)
>>> with no_tracing(True):
...     print(twice(3.))
6.0
>>> with no_tracing(True):
...     twice(jnp.ones(3))
Traceback (most recent call last):
  ...
RuntimeError: re-tracing function <lambda> at ... for `jit`, but 'no_tracing' is set
  ..."""),
    "jax_no_execution": (
        "RuntimeError: inside of the block, where a program would run; what only traces works.", """
>>> with no_execution(True):
...     print(eval_shape(jnp.sin, 1.))
ShapeDtypeStruct(shape=(), dtype=float32, weak_type=True)
>>> with no_execution(True):
...     jnp.sin(1.)
Traceback (most recent call last):
  ...
RuntimeError: JAX tried to execute function jit(sin), but the no_execution config option is set
  ..."""),
    "jax_enable_x64": ("", """
>>> with enable_x64(True):
...     jnp.arange(3.)
Array([0., 1., 2.], dtype=float64)"""),
    "jax_enable_custom_prng": ("", """
>>> with enable_custom_prng(True):
...     random.PRNGKey(0)
Array((), dtype=key<fry>) overlaying:
[0 0]"""),
    "jax_default_device": ("", """
>>> with default_device(devices()[0]):
...     jnp.ones(3).device
CpuDevice(id=0)"""),
    "jax_default_prng_impl": ("", """
>>> with default_prng_impl("rbg"):
...     random.key(0).dtype
key<rbg>"""),
    "jax_numpy_rank_promotion": (
        "ValueError: inside of the block, with 'raise', where arrays of different ranks are broadcast.", """
>>> with numpy_rank_promotion("raise"):
...     jnp.ones((2, 3)) + jnp.ones(3)
Traceback (most recent call last):
  ...
ValueError: Operands could not be broadcast together for add on shapes (2, 3) (3,) and with the config option ...
  ..."""),
    "jax_numpy_dtype_promotion": (
        "TypePromotionError: inside of the block, with 'strict', where arrays of different dtypes meet.", """
>>> with numpy_dtype_promotion("strict"):
...     jnp.ones(3) + jnp.arange(3)
Traceback (most recent call last):
  ...
adjoint.dtypes.TypePromotionError: Input dtypes ('float32', 'int32') have no available implicit dtype promotion path ...
  ..."""),
    "jax_legacy_prng_key": (
        "ValueError: inside of the block, with 'error', where an array of raw words is given for a key.", """
>>> with legacy_prng_key("error"):
...     random.normal(random.PRNGKey(0))
Traceback (most recent call last):
  ...
ValueError: Legacy uint32 key array passed as key to jax.random function. ..."""),
    "jax_default_matmul_precision": ("", """
>>> with default_matmul_precision("float32"):
...     make_jaxpr(jnp.dot)(jnp.ones(3), jnp.ones(3)).eqns[0].params["precision"]
(Precision.HIGHEST, Precision.HIGHEST)"""),
    "jax_threefry_partitionable": ("", """
>>> random.bits(random.key(0), (2,))
Array([4070199207, 4202968722], dtype=uint32)
>>> with threefry_partitionable(False):
...     random.bits(random.key(0), (2,))
Array([ 928981903, 3453687069], dtype=uint32)"""),
}
