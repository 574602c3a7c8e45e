"""The table of private names: a row says what a name of JAX's inside is here, and which libraries use it.

A row is a name, where it is in this package, and the libraries, which may go on in an indented line:

    _src.x.name    module:attribute    a value, a function, a type
    _src.x         module+module       a module with the names of these modules; `-`: with its rows alone

A name begins with `_src`, which is `jax._src`, or with `jaxlib`; a module of ours that begins with a dot stands beside
this file.

A name is a working equivalent: a registration registers, a type is the type of our objects. Names that stand in a
public module of JAX are found through the row of their private module and need none of their own.
Tests: `tests/compat/test_private.py`.
"""

from __future__ import annotations

__all__ = ["OUR_TYPES", "ROWS"]

ROWS = """
# ---- equinox, lineax and what is built on them
_src.dispatch.wait_for_tokens                  control_flow.callbacks:effects_barrier   equinox
_src.dtypes                                    dtypes+core.dtypes                       equinox flax optree tinygp
_src.dtypes.DType                              .values:DType                            flax
_src.dtypes.supports_inf                       .values:supports_inf                     flax
_src.dtypes.to_complex_dtype                   .values:to_complex_dtype                 tinygp
_src.traceback_util                            .tracebacks                              brainstate equinox flax
    jaxtyping
_src.traceback_util._exclude_paths             .tracebacks:exclude_paths                flax
_src.ad_util.stop_gradient_p                   prims.conversion:stop_gradient           lineax
# ---- blackjax, pytensor, chex, orbax
_src.flatten_util                              flatten_util                             blackjax
_src.lax.control_flow                          lax                                      pytensor
_src.compiler                                  .compiler                                chex
_src.xla_bridge                                extend.backend                           chex
_src.xla_bridge._backends                      .processes:backends                      chex
_src.distributed                               distributed                              orbax
_src.distributed.global_state                  .processes:global_state                  orbax
# ---- flax
_src.core                                      core+compat.extension+core.effects       brainstate flax
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
_src.tree_util                                 tree_util                                flax haliax jaxlie orbax
_src.tree_util._registry                       .registry:registry                       flax jaxlie
_src.tree_util.BuiltInKeyEntry                 core.tree.paths:BuiltInKeyEntry          haliax
# ---- quax, quaxed, unxt
_src.literals                                  .literals                                quax
_src.pjit                                      parallel.arrays                          jaxns
_src.pjit.jit_p                                transforms.jit.primitive:jit_p           quax pennylane
_src.config                                    core.options.config                      pennylane quaxed
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
_src.numpy.util                                numpy                                    s2fft
_src.numpy.util.promote_dtypes                 .values:promote_dtypes                   jax
_src.numpy.util.promote_dtypes_inexact         .values:promote_dtypes_inexact           jax
_src.numpy.util.promote_dtypes_complex         .values:promote_dtypes_complex           s2fft
_src.scipy.special                             scipy.special                            jaxctx jaxns
_src.sharding_impls                            sharding+.shardings                      brainstate jaxns
_src.mesh                                      sharding                                 vmex
_src.mesh.abstract_mesh_context_manager        .shardings:abstract_mesh_context_manager vmex
_src.mesh.config_ext.unset                     .shardings:unset                         vmex
_src.source_info_util                          extend.source_info_util                  brainstate pennylane
_src.interpreters.batching                     interpreters.batching                    brainstate
_src.interpreters.batching.make_iota           .values:make_iota                        brainstate
_src.interpreters.batching.to_elt              .values:to_elt                           brainstate
_src.interpreters.partial_eval                 interpreters.partial_eval                pennylane
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
_src.image.scale._resize                       image:resize                             jax2onnx
_src.lax.lax                                   lax                                      pennylane
_src.random                                    random                                   jax2onnx quax
_src.test_util                                 .testing                                 jax
# ---- jaxlib, where it is not installed
jaxlib.__version__                             version:jax_version                      desc
jaxlib.version.__version__                     version:jax_version                      vmex
jaxlib._jax.DeviceList                         sharding.device:DeviceList               orbax
jaxlib._jax.PjitFunction                       transforms.jit.jit:Jitted                gpjax
jaxlib.xla_extension.PjitFunction              transforms.jit.jit:Jitted                gpjax
jaxlib.xla_client                              -                                        bartz
"""

# Types that take the place of jaxlib's where it is installed: programs ask of our objects whether they are of them.
OUR_TYPES = ("jaxlib._jax.PjitFunction",)
