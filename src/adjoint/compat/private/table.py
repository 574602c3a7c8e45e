"""The table of private names: a row says what a name of JAX's inside is here, and which libraries use it.

A row is a name, where it is in this package, and the libraries, which may go on in an indented line:

    _src.x.name    module:attribute    a value, a function, a type
    _src.x         module+module       a module with the names of these modules; `-`: with its rows alone; rows add up
    _src.x.*       module.*            modules with the names of the public ones of the same names
    _src.x         jaxlib.module       a module of jaxlib, or what stands for it
    _src.x         installed           a module of an installed JAX, with what is in it: data of tests
    _src.*         module+module       what all modules of JAX's inside import, and so have
    _src.*.name    _src.x              a private module that they import, under the name by which they know it

A name begins with `_src`, which is `jax._src`, or with `jaxlib`; a module of ours that begins with a dot stands beside
this file, and `jax` is the package itself.

A name is a working equivalent: a registration registers, a type is the type of our objects. Names that stand in a
public module of JAX are found through the row of their private module and need none of their own.
Tests: `tests/compat/test_private.py`.
"""

from __future__ import annotations

__all__ = ["CLASSES", "OUR_TYPES", "ROWS"]

ROWS = """
_src.*    .python.sequences+.python.callables+.python.caches+.python.classes+.operands.protocols    jax
_src.*    api_util+tree_util+core+errors+sharding+typing+jax+.operands.promoted+.operands.kinds     jax
_src.*    _src.core+_src.api_util+_src.tree_util+_src.ad_util+_src.state.types+_src.sharding_impls  jax
_src.*    _src.mesh+_src.layout+_src.named_sharding+_src.monitoring+_src.typing+_src.lax.utils      jax
_src.*    .values+.programs.values+_src.hijax+_src.traceback_util+_src.linear_util+_src.util        jax
# ---- equinox, lineax and what is built on them
_src.dispatch.wait_for_tokens                  control_flow.callbacks:effects_barrier   equinox
_src.dtypes                                    dtypes+core.dtypes+.operands.kinds+numpy equinox flax optree tinygp
_src.dtypes.DType                              .values:DType                            flax
_src.dtypes.supports_inf                       .values:supports_inf                     flax
_src.dtypes.to_complex_dtype                   .values:to_complex_dtype                 tinygp
_src.traceback_util                            .tracebacks                              brainstate equinox flax
    jaxtyping
_src.traceback_util._exclude_paths             .tracebacks:exclude_paths                flax
_src.ad_util.stop_gradient_p                   prims.conversion:stop_gradient           lineax
# ---- blackjax, pytensor, chex, orbax
_src.dispatch                                  .programs.jaxprs+interpreters.xla+lax     jax
_src.flatten_util                              flatten_util                             blackjax
_src.lax.control_flow                          lax                                      pytensor
_src.compiler                                  .compiler                                chex
_src.xla_bridge                                extend.backend+jax                       chex
_src.xla_bridge._backends                      .processes:backends                      chex
_src.distributed                               distributed                              orbax
_src.distributed.global_state                  .processes:global_state                  orbax
# ---- flax
_src.core                                      core+compat.extension+core.effects+.programs.jaxprs brainstate flax
    jax2onnx jax_md jaxsim pennylane quax
_src.core.trace_state_clean                    .values:trace_state_clean                numpyro
_src.core.definitely_equal_shape               .values:definitely_equal_shape           jax2onnx
_src.core.full_lower                           .values:full_lower                       quax
_src.core.get_referent                         .values:get_referent                     pennylane
_src.core.physical_aval                        .values:physical_aval                    flax
_src.core.JaxprEqnContext                      core.jaxpr:JaxprEqnContext               brainstate pennylane
_src.checkify                                  experimental.checkify                    flax
_src.checkify.Out                              .values:Out                               flax
_src.state.types                               core.values.refs                         flax
_src.tree_util                                 tree_util+.programs.trees                flax haliax jaxlie orbax
_src.tree_util.prefix_errors                   core.tree.differences:prefix_errors      flax
_src.tree_util._registry                       .registry:registry                       flax jaxlie
_src.tree_util.BuiltInKeyEntry                 core.tree.paths:BuiltInKeyEntry          haliax
# ---- quax, quaxed, unxt
_src.literals                                  .literals                                equinox quax
_src.pjit                                      parallel.arrays                          jaxns
_src.pjit.jit_p                                transforms.jit.primitive:jit_p           quax pennylane
_src.config                                    .programs.flags+core.options.config      pennylane quaxed
_src.numpy.index_tricks                        numpy                                    quaxed
_src.numpy.index_tricks.CClass                 numpy.index_tricks:CClass                quaxed
_src.numpy.index_tricks.RClass                 numpy.index_tricks:RClass                quaxed
_src.numpy.vectorize._apply_excluded           .signatures:apply_excluded               desc quaxed
_src.numpy.vectorize._check_output_dims        .signatures:check_output_dims            desc quaxed
_src.numpy.vectorize._parse_gufunc_signature   .signatures:parse_gufunc_signature       desc quaxed
_src.numpy.vectorize._parse_input_dimensions   .signatures:parse_input_dimensions       desc quaxed
_src.numpy.vectorize                           numpy                                    desc quaxed
_src.numpy.array_methods._IndexUpdateHelper    numpy.index_update:_IndexUpdateHelper    unxt
_src.numpy.array_methods._IndexUpdateRef       numpy.index_update:_IndexUpdateRef       unxt
_src.lax.linalg                                lax.linalg                               unxt
# ---- the rest
_src.numpy.lax_numpy                           numpy                                    haliax
_src.numpy.util                                .operands.promoted+numpy                 s2fft
_src.numpy.util.promote_dtypes                 .values:promote_dtypes                   jax
_src.numpy.util.promote_dtypes_inexact         .values:promote_dtypes_inexact           jax
_src.numpy.util.promote_dtypes_complex         .values:promote_dtypes_complex           s2fft
_src.sharding_impls                            sharding+.shardings                      brainstate jaxns
_src.mesh                                      sharding+.programs.values+interpreters.pxla vmex
_src.mesh.abstract_mesh_context_manager        .shardings:abstract_mesh_context_manager vmex
_src.mesh.config_ext.unset                     .shardings:unset                         vmex
_src.source_info_util                          extend.source_info_util+.programs.values brainstate pennylane
_src.interpreters.batching                     interpreters.batching                    brainstate
_src.interpreters.batching.make_iota           .values:make_iota                        brainstate
_src.interpreters.batching.to_elt              .values:to_elt                           brainstate
_src.interpreters.partial_eval                 interpreters.partial_eval+.programs.jaxprs pennylane
_src.typing                                    typing                                   haliax jaxctx
_src.api_util                                  api_util+.arguments                      brainstate desc e3nn
_src.api_util._ensure_index                    .arguments:ensure_index                  desc
_src.api._infer_argnums_and_argnames           .arguments:infer_argnums_and_argnames    e3nn
_src.api._check_input_dtype_jacfwd             .derivatives:check_input_dtype_jacfwd    desc
_src.api._check_input_dtype_jacrev             .derivatives:check_input_dtype_jacrev    desc
_src.api._check_output_dtype_jacfwd            .derivatives:check_output_dtype_jacfwd   desc
_src.api._check_output_dtype_jacrev            .derivatives:check_output_dtype_jacrev   desc
_src.api._jacfwd_unravel                       .derivatives:jacfwd_unravel              desc
_src.api._jacrev_unravel                       .derivatives:jacrev_unravel              desc
_src.api._jvp                                  .derivatives:jvp_of                      desc
_src.api._vjp                                  .derivatives:vjp_of                      desc
_src.api._std_basis                            transforms.derivatives.jacobian:standard_basis desc
_src.api._dtype                                .derivatives:dtype_of                    pennylane
_src.lax.control_flow.loops                    lax                                      desc
_src.lax.control_flow.loops._batch_and_remainder .values:batch_and_remainder              desc
_src.util                                      .arguments                               desc optree
_src.image.scale                               image                                    jax
_src.image.scale._resize                       image:resize                             jax2onnx
_src.lax.lax                                   lax+.operands.constants                  pennylane
_src.random                                    random                                   jax2onnx quax
_src.test_util                                 .testing                                 jax
# ---- modules of JAX whose names are public, with the public modules that have them
_src.abstract_arrays                           core+extend.core                         jax
_src.ad_checkpoint                             jax+ad_checkpoint                        jax
_src.ad_checkpoint.everything_saveable         jax:checkpoint_policies.everything_saveable jax
_src.ad_checkpoint.nothing_saveable            jax:checkpoint_policies.nothing_saveable jax
_src.ad_checkpoint.dots_saveable               jax:checkpoint_policies.dots_saveable    jax
_src.ad_checkpoint.checkpoint_dots             jax:checkpoint_policies.checkpoint_dots  jax
_src.ad_checkpoint.dots_with_no_batch_dims_saveable jax:checkpoint_policies.dots_with_no_batch_dims_saveable jax
_src.ad_checkpoint.save_any_names_but_these    jax:checkpoint_policies.save_any_names_but_these jax
_src.ad_checkpoint.save_only_these_names       jax:checkpoint_policies.save_only_these_names jax
_src.ad_checkpoint.save_from_both_policies     jax:checkpoint_policies.save_from_both_policies jax
_src.ad_checkpoint.save_anything_except_these_names jax:checkpoint_policies.save_anything_except_these_names jax
_src.ad_checkpoint.name_p                      transforms.custom.remat:name_p           jax
_src.ad_checkpoint.saved_residuals             transforms.derivatives.residuals:saved_residuals jax
_src.ad_util                                   .programs.zeros+interpreters.ad+custom_derivatives+lax+jax jax
_src.api                                       jax+extend.backend                       jax
_src.array                                     jax+sharding                             jax
_src.array.ArrayImpl                           array.array:ArrayImpl                    jax
_src.basearray                                 jax+typing                               jax
_src.buffer_callback                           experimental.buffer_callback             jax
_src.callback                                  jax+experimental                         jax
_src.callback.io_callback                      experimental:io_callback                 jax
_src.compute_on                                experimental.compute_on                  jax
_src.custom_batching                           custom_batching                          jax
_src.custom_derivatives                        custom_derivatives                       jax
_src.custom_partitioning                       experimental.custom_partitioning         jax
_src.debugging                                 debug+core.effects                       jax
_src.debugging.debug_callback                  debug:callback                           jax
_src.debugging.debug_print                     debug:print                              jax
_src.debugger                                  debug                                    jax
_src.debugger.cli_debugger                     debug.prompt                             jax
_src.debugger.cli_debugger.CliDebugger         debug.prompt:Prompt                      jax
_src.debugger.core                             debug+debug.prompt                       jax
_src.debugger.core.DebuggerFrame               debug.prompt:Frame                       jax
_src.debugger.core.get_debugger                debug.prompt:debugger                    jax
_src.deprecations                              .python.deprecations                     jax
_src.dlpack                                    dlpack                                   jax
_src.effects                                   extend.core+experimental.hijax           jax
_src.environment_info                          jax                                      jax
_src.errors                                    errors                                   jax
_src.export._export                            export                                   jax
_src.export.shape_poly                         export                                   jax
_src.extend.random                             extend.random                            jax
_src.ffi                                       ffi                                      jax
_src.frozen_dict                               .programs.values                         jax
_src.hashable_array                            .programs.values                         jax
_src.hijax                                     experimental.hijax                       jax
_src.indexing                                  jax                                      jax
_src.indexing.dslice                           jax:ds                                   jax
_src.interpreters.ad                           interpreters.ad                          jax
_src.interpreters.mlir                         interpreters.mlir                        jax
_src.interpreters.pxla                         interpreters.pxla                        jax
_src.interpreters.xla                          interpreters.xla                         jax
_src.jaxpr_util                                .programs.counted                        jax
_src.lax.ann                                   lax                                      jax
_src.lax.control_flow.common                   lax                                      jax
_src.lax.control_flow.conditionals             lax                                      jax
_src.lax.control_flow.solves                   lax                                      jax
_src.lax.convolution                           lax                                      jax
_src.lax.fft                                   lax                                      jax
_src.lax.other                                 lax                                      jax
_src.lax.parallel                              lax                                      jax
_src.lax.slicing                               lax                                      jax
_src.lax.special                               lax                                      jax
_src.lax.utils                                 .operands.constants                      jax
_src.lax.windowed_reductions                   lax                                      jax
_src.layout                                    experimental.layout                      jax
_src.lax_reference                             .references                              jax
_src.linear_util                               extend.linear_util+transforms.wrapped    jax
_src.mesh_utils                                experimental.mesh_utils                  jax
_src.monitoring                                monitoring                               jax
_src.named_sharding                            sharding+.shardings                      jax
_src.nn.functions                              nn                                       jax
_src.nn.initializers                           nn.initializers                          jax
_src.numpy.array_constructors                  numpy                                    jax
_src.numpy.array_creation                      numpy                                    jax
_src.numpy.einsum                              numpy                                    jax
_src.numpy.error                               numpy                                    jax
_src.numpy.fft                                 numpy.fft                                jax
_src.numpy.indexing                            numpy                                    jax
_src.numpy.linalg                              numpy.linalg                             jax
_src.numpy.polynomial                          numpy                                    jax
_src.numpy.reductions                          numpy                                    jax
_src.numpy.scalar_types                        numpy                                    jax
_src.numpy.setops                              numpy                                    jax
_src.numpy.sorting                             numpy                                    jax
_src.numpy.tensor_contractions                 numpy                                    jax
_src.numpy.ufunc_api                           numpy                                    jax
_src.numpy.ufuncs                              numpy                                    jax
_src.numpy.window_functions                    numpy                                    jax
_src.ops.scatter                               ops                                      jax
_src.ops.special                               nn+scipy.special                         jax
_src.partition_spec                            sharding                                 jax
_src.pmap                                      jax                                      jax
_src.profiler                                  profiler                                 jax
_src.public_test_util                          test_util+.testing.tolerances            jax
_src.random.core                               random                                   jax
_src.random.prng                               extend.random+.generators                jax
_src.random.threefry2x32                       .generators+extend.random                quax
_src.ref                                       jax                                      jax
_src.scipy.*                                   scipy.*                                  jax
_src.shard_alike                               experimental.shard_alike                 jax
_src.shard_map                                 jax+sharding                             jax
_src.sharding                                  sharding                                 jax
_src.stages                                    stages                                   jax
_src.state.primitives                          ref                                      jax
_src.state.primitives.ref_addupdate            ref:addupdate                            jax
_src.state.primitives.ref_get                  ref:get                                  jax
_src.state.primitives.ref_set                  ref:set                                  jax
_src.state.primitives.ref_swap                 ref:swap                                 jax
_src.test_warning_util                         .python.warned                           jax
_src.tree                                      tree                                     jax
_src.xla_metadata                              experimental.xla_metadata                jax
_src.op_shardings                              .lowered.tiles                           jax
_src.sharding                                  .lowered.tiles                           jax
_src.numpy                                     numpy                                    jax
_src.lax                                       lax                                      jax
_src.export.shape_poly_decision                -                                        jax
_src.lazy_loader                               .python.packages                         jax
_src.lax.windowed_reductions._reduce_window_max .rules.windows:of_maximum               jax
_src.lax.windowed_reductions._reduce_window_min .rules.windows:of_minimum               jax
_src.lax.windowed_reductions._reduce_window_sum .rules.windows:of_sum                   jax
_src.lax.windowed_reductions._select_and_gather_add .rules.windows:winners              jax
_src.lax.windowed_reductions._select_and_scatter_add .rules.windows:winners_transposed  jax
_src.sharding_impls                            .lowered.tiles                           jax
_src.internal_test_util                        installed                                jax
_src.path                                      .lowered.machine                         jax
_src.path.Path                                 .lowered.machine:pathlib.Path            jax
_src.hardware_utils                            .lowered.machine                         jax
_src.cloud_tpu_init                            .lowered.machine                         jax
_src.pickle_util                               .lowered.machine                         jax
# ---- more of modules that stand above
_src.traceback_util                            .programs.events                         jax
_src.dispatch                                  .programs.events                         jax
_src.xla_bridge                                .processes                               jax
_src.core                                      .programs.printed+core.values.refs+.programs.effect_sets jax
_src.checkify                                  experimental.checkify.errors+experimental.checkify.exceptions jax
_src.state.types                               .state.types                             jax
_src.lax.linalg                                .rules.functions                         jax
_src.sharding_impls                            .programs.meshes                         jax
_src.mesh                                      .programs.meshes+_src.sharding_impls     jax
_src.source_info_util                          .programs.events                         jax
_src.interpreters.batching                     .rules.batches                           jax
_src.interpreters.partial_eval                 .rules.partial                           jax
_src.api_util                                  .python.argnums                          jax
_src.lax.lax                                   .rules.primitives                        jax
_src.ad_checkpoint                             transforms.custom.remat+.rules.derivatives+.rules.partial jax
_src.ad_util                                   .rules.derivatives                       jax
_src.api                                       transforms.derivatives.pullback+.programs.zeros jax
_src.array                                     .programs.meshes                         jax
_src.callback                                  control_flow.callbacks+core.effects      jax
_src.custom_batching                           .rules.batches+transforms.custom.custom_vmap jax
_src.custom_derivatives                        transforms.custom.custom_vjp             jax
_src.custom_derivatives                        transforms.custom.linear_call+transforms.custom.custom_jvp jax
_src.effects                                   .programs.effect_sets+core.values.refs   jax
_src.ffi                                       control_flow.foreign                     jax
_src.interpreters.ad                           compat.extension+.rules.derivatives      jax
_src.interpreters.ad                           transforms.linearize+.programs.zeros+transforms.custom.custom_jvp jax
_src.interpreters.pxla                         extend.backend+.programs.events+.programs.meshes+.programs.jaxprs jax
_src.lax.special                               .rules.functions                         jax
_src.lax.utils                                 .rules.primitives                        jax
_src.layout                                    sharding.layout+.programs.meshes         jax
_src.named_sharding                            .programs.meshes                         jax
_src.cudnn                                     -                                        keras
_src.cudnn.fused_attention_stablehlo           .lowered.attention                       keras
_src.cudnn.fused_attention_stablehlo._normalize_layout .lowered.attention:normalize_layout keras
_src.pallas                                    experimental.pallas                      jax
_src.pallas.core                               experimental.pallas+experimental.pallas.specs jax
_src.pallas.cost_estimate                      experimental.pallas                      jax
_src.pallas.helpers                            experimental.pallas                      jax
_src.pallas.pallas_call                        experimental.pallas                      jax
_src.pallas.primitives                         experimental.pallas+core.values.refs     jax
_src.pallas.utils                              experimental.pallas+experimental.pallas.grid jax
_src.partition_spec                            .programs.meshes                         jax
_src.shard_map                                 .programs.meshes                         jax
_src.sharding                                  .programs.meshes+sharding.named_sharding jax
_src.state.primitives                          .state.discharge+prims.references        jax
_src.core                                      .programs.contexts+sharding.device       jax
_src.core                                      prims.references+core.messages.errors+experimental.hijax.types jax
_src.shard_map                                 parallel.shard_map+parallel.manual       jax
_src.numpy.linalg                              numpy.decompositions+numpy.systems       jax
_src.lax.other                                 numpy.floats                             jax
_src.lax.windowed_reductions                   numpy.floats                             jax
_src.scipy.linalg                              scipy.linalg+scipy.special                            jax
_src.scipy.special                             scipy.special+numpy+nn                                 jax
_src.pjit                                      .programs.contexts+.shardings            jax
_src.hijax                                     experimental.hijax.derived+.python.argnums jax
_src.monitoring                                .programs.events                         jax
_src.random                                    random.arguments                         jax
_src.layout                                    dtypes                                   jax
_src.interpreters.pxla                         sharding.named_sharding                  jax
_src.lax.utils                                 sharding.named_sharding                  jax
_src.named_sharding                            sharding.named_sharding                  jax
_src.nn.functions                              nn.scaled                                jax
_src.source_info_util                          core.messages.places+core.messages.frames jax
_src.tree_util                                 core.tree.paths                          jax
_src.dispatch                                  prims.transfer+core.messages.places      jax
_src.stages                                    core.messages.places+transforms.jit.stages jax
_src.ad_checkpoint                             transforms.custom.remat                  jax
_src.traceback_util                            core.messages.frames                     jax
_src.core.ref_p                                prims.references:new_ref_p               jax
_src.pjit.pjit                                 experimental.pjit:pjit                   jax
_src.random.resolve_prng_impl                  random.arguments:generator               jax
_src.numpy.array_methods.ArrayImpl             array.array:ArrayImpl                    jax
_src.ad_checkpoint.offload_dot_with_no_batch_dims jax:checkpoint_policies.offload_dot_with_no_batch_dims jax
_src.ad_checkpoint.save_and_offload_only_these_names jax:checkpoint_policies.save_and_offload_only_these_names jax
_src.checkify.next_code                        experimental.checkify.errors:new_code    jax
_src.shard_map.Infer                           parallel.shard_map:Infer                 jax
_src.scipy.special.nn_softmax                  nn:softmax                               jax
_src.scipy.special.nn_log_softmax              nn:log_softmax                           jax
_src.state.indexing                            core.values.slices                       jax
_src.state.indexing.dslice                     jax:ds                                   jax
_src.numpy.indexing.dslice                     jax:ds                                   jax
# ---- modules that stand in for JAX's own ones without public names
_src.pretty_printer                            .programs.documents                      haliax
_src.error_check                               .state.checks                            jax
_src.compilation_cache                         .state.compiled                       vmex
_src.compilation_cache                         experimental.compilation_cache.compilation_cache vmex
_src.compilation_cache_interface               .state.compiled                       jax
_src.cache_key                                 .state.compiled                       jax
_src.lru_cache                                 .state.compiled                       jax
_src.state.discharge                           .state.discharge+.state.types+prims.references jax
_src.state.utils                               .state.discharge+_src.state.primitives   jax
_src.lib                                       .operands.protocols+sharding             jax
_src.lib.xla_client                            jaxlib.xla_client                        jax
_src.lib.mlir.*                                jaxlib.mlir.*                            jax
_src.lib.mlir.dialects.hlo                     jaxlib.mlir.dialects.stablehlo           jax
_src.lib._jax                                  jaxlib._jax                              jax
_src.lib._profiler                             jaxlib._profiler                         jax
_src.lib.utils                                 jaxlib.utils                             jax
_src.lib.guard_lib                             jaxlib._jax:guard_lib                    jax
_src.lib.jax_jit                               jaxlib._jax:jax_jit                      jax
_src.lib.pytree                                jaxlib._jax:pytree                       jax
_src.lib.Device                                sharding.device:Device                   jax
# ---- what tests in JAX's style read
_src.dtypes._jax_types                         .operands.kinds:jax_types                jax
_src.dtypes._int_types                         .operands.kinds:int_types                jax
_src.dtypes._float_types                       .operands.kinds:float_types              jax
_src.dtypes._complex_types                     .operands.kinds:complex_types            jax
_src.dtypes._weak_types                        .operands.kinds:weak_types               jax
_src.dtypes.InvalidInputException              .literals:InvalidInputException          jax
_src.dtypes.canonicalize_value                 .literals:canonicalize_value             jax
_src.core.DimSize                              .operands.kinds:DimSize                  jax
_src.core.Shape                                .operands.kinds:Shape                    jax
_src.test_util._default_tolerance              .testing.tolerances:_default             jax
_src.tree_util.generate_key_paths              tree_util:tree_leaves_with_path          jax
_src.lax.parallel                              .rules.collectives                       jax
_src.interpreters.partial_eval.RematCases      .rules.partial:RematCases_               jax
_src.util.distributed_debug_log                .python.logged:distributed_debug_log     jax
_src.logging_config                            .python.logged                           jax
_src.logging_config._enable_debug_logging      .python.logged:enable_debug_logging      jax
_src.logging_config._disable_all_debug_logging .python.logged:disable_all_debug_logging jax
_src.sourcemap                                 .lowered.source_maps                     jax
# ---- modules that modules of JAX's inside import, under the names by which these know them
_src.*.ad                                      _src.interpreters.ad                     jax
_src.*.ad_util                                 _src.ad_util                             jax
_src.*.api                                     _src.api                                 jax
_src.*.api_util                                _src.api_util                            jax
_src.*.array                                   _src.array                               jax
_src.*.basearray                               _src.basearray                           jax
_src.*.batching                                _src.interpreters.batching               jax
_src.*.checkify                                _src.checkify                            jax
_src.*.config                                  _src.config                              jax
_src.*.core                                    _src.core                                jax
_src.*.custom_derivatives                      _src.custom_derivatives                  jax
_src.*.debugging                               _src.debugging                           jax
_src.*.deprecations                            _src.deprecations                        jax
_src.*.dispatch                                _src.dispatch                            jax
_src.*.dtypes                                  _src.dtypes                              jax
_src.*.effects                                 _src.effects                             jax
_src.*.effects_lib                             _src.effects                             jax
_src.*.errors                                  _src.errors                              jax
_src.*.lax                                     _src.lax                                 jax
_src.*.literals                                _src.literals                            jax
_src.*.lu                                      _src.linear_util                         jax
_src.*.linear_util                             _src.linear_util                         jax
_src.*.mesh_lib                                _src.mesh                                jax
_src.*.mlir                                    _src.interpreters.mlir                   jax
_src.*.monitoring                              _src.monitoring                          jax
_src.*.op_shardings                            _src.op_shardings                        jax
_src.*.pe                                      _src.interpreters.partial_eval           jax
_src.*.partial_eval                            _src.interpreters.partial_eval           jax
_src.*.pjit                                    _src.pjit                                jax
_src.*.pp                                      _src.pretty_printer                      jax
_src.*.pxla                                    _src.interpreters.pxla                   jax
_src.*.random                                  _src.random                              jax
_src.*.sharding_impls                          _src.sharding_impls                      jax
_src.*.source_info_util                        _src.source_info_util                    jax
_src.*.stages                                  _src.stages                              jax
_src.*.state                                   _src.state                               jax
_src.*.traceback_util                          _src.traceback_util                      jax
_src.*.tree_util                               _src.tree_util                           jax
_src.*.typing                                  _src.typing                              jax
_src.*.util                                    _src.util                                jax
_src.*.xb                                      _src.xla_bridge                          jax
_src.*.xla                                     _src.interpreters.xla                    jax
_src.*.xla_bridge                              _src.xla_bridge                          jax
_src.*.xc                                      _src.lib.xla_client                      jax
_src.*.xla_client                              _src.lib.xla_client                      jax
# ---- what they import from one another under names that mean something else elsewhere
_src.dtypes.export                             .python.classes:export_dtypes            jax
_src.errors.export                             .python.classes:export_errors            jax
_src.nn.initializers.export                    .python.classes:export_initializers      jax
_src.lax.lax.export                            .python.classes:export_lax               jax
_src.numpy.linalg.export                       .python.classes:export_linalg            jax
_src.tree_util.export                          .python.classes:export_tree              jax
_src.numpy.util.export                         .python.classes:export_numpy             jax
_src.numpy.lax_numpy.export                    .python.classes:export_numpy             jax
_src.numpy.ufuncs.export                       .python.classes:export_numpy             jax
_src.numpy.reductions.export                   .python.classes:export_numpy             jax
_src.numpy.indexing.export                     .python.classes:export_numpy             jax
_src.numpy.setops.export                       .python.classes:export_numpy             jax
_src.numpy.polynomial.export                   .python.classes:export_numpy             jax
_src.numpy.tensor_contractions.export          .python.classes:export_numpy             jax
# ---- private names of lax, numpy and core that tests use
_src.core.nonempty_axis_env                    extend.core:nonempty_axis_env_DO_NOT_USE jax
_src.core.unsafe_am_i_under_a_jit              extend.core:unsafe_am_i_under_a_jit_DO_NOT_USE jax
_src.core.unsafe_am_i_under_a_vmap             extend.core:unsafe_am_i_under_a_vmap_DO_NOT_USE jax
_src.core.unsafe_get_axis_names                extend.core:unsafe_get_axis_names_DO_NOT_USE jax
_src.lax.lax._check_shapelike                  .operands.constants:check_shapelike      jax
_src.lax.lax._const                            .operands.constants:constant_like        jax
_src.lax.lax._convert_element_type             .operands.constants:converted            jax
_src.lax.lax._delta                            .operands.constants:delta                jax
_src.lax.lax._dilate_shape                     .operands.constants:dilated_shape        jax
_src.lax.lax._eye                              .operands.constants:eye                  jax
_src.lax.lax._isnan                            .operands.constants:isnan                jax
_src.lax.lax._iter                             .operands.constants:rows                 jax
_src.lax.lax._one                              .operands.constants:one                  jax
_src.lax.lax._ones                             .operands.constants:ones                 jax
_src.lax.lax._tri                              .operands.constants:triangle             jax
_src.lax.lax._try_broadcast_shapes             .operands.constants:try_broadcast_shapes jax
_src.lax.lax._zero                             .operands.constants:zero                 jax
_src.lax.lax._zeros                            .operands.constants:zeros                jax
_src.lax.lax.canonicalize_precision            prims.precision:canonicalize_precision   jax
_src.numpy.util._arraylike                     .operands.promoted:is_arraylike          jax
_src.numpy.util._rank_promotion_warning_or_error .operands.promoted:warn_of_rank_promotion jax
_src.numpy.util._where                         numpy:where                              jax
# ---- jaxlib, where it is not installed
jaxlib.__version__                             version:jax_version                      desc
jaxlib.version.__version__                     version:jax_version                      vmex
jaxlib._jax.ArrayImpl                          array.array:ArrayImpl                    jax
jaxlib._jax.DeviceList                         sharding.device:DeviceList               orbax
jaxlib._jax.PjitFunction                       transforms.jit.jit:Jitted                gpjax
jaxlib.xla_extension.PjitFunction              transforms.jit.jit:Jitted                gpjax
jaxlib.xla_client                              -                                        bartz
"""

# Types that take the place of jaxlib's where it is installed: programs ask of our objects whether they are of them.
OUR_TYPES = ("jaxlib._jax.ArrayImpl", "jaxlib._jax.PjitFunction")

# What classes of values say they are, run as JAX: libraries choose by `type(x).__module__` (autoray, opt_einsum), and
# programs print it. Pickles of their objects do not name them.
CLASSES = """
jax.Array                                                core.types:Array
jax.core.Tracer                                          core.trace:Tracer
jax._src.interpreters.partial_eval.DynamicJaxprTracer    core.trace:DynamicJaxprTracer
jax._src.interpreters.ad.JVPTracer                       transforms.jvp:JVPTracer
jax._src.interpreters.ad.LinearizeTracer                 transforms.linearize:LinearizeTracer
jax._src.interpreters.batching.BatchTracer               transforms.vmap:BatchTracer
jaxlib._jax.ArrayImpl                                    array.array:ArrayImpl
jaxlib._jax.ArrayImpl                                    array.array:Pending
jaxlib._jax.ArrayImpl                                    array.sharded_array:ShardedArray
jaxlib._jax.Device                                       sharding.device:Device
jaxlib._jax.PjitFunction                                 transforms.jit.jit:Jitted
"""
