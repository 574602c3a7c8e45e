"""Texts about primitives that hold programs, or run inside of others: a sentence, and a program as it is printed.

Those that are bound by one call with arrays have their example from `descriptions.py`, which is imported with the
package; this module is read when a docstring is.

Tests: `tests/extend/test_primitives.py`.
"""

from __future__ import annotations

__all__ = ["WRITTEN"]

# A primitive, by its name: a sentence, and an example.
WRITTEN: dict[str, tuple[str, str]] = {
    "addupdate": ("It adds to a part of a reference.", """\
>>> jax.make_jaxpr(lambda r, x: r.addupdate(x, 0))(jax.new_ref(jnp.ones(2)), jnp.float32(1))
{ lambda ; a:Ref{f32[2]} b:f32[]. let a[0] += b in () }
"""),
    "after_all": ("It makes one token of several, which is there when all of them are.", """\
>>> jax.make_jaxpr(lambda: lax.after_all(lax.create_token()))()
{ lambda ; . let a:Tok = create_token ; b:Tok = after_all a in (b,) }
"""),
    "all_gather": ("It gathers what all devices of an axis have.", """\
>>> jax.make_jaxpr(lambda x: lax.all_gather(x, "i"), axis_env=[("i", 2)])(jnp.ones(3))
{ lambda ; a:f32[3]. let
    b:f32[2,3] = all_gather[
      all_gather_dimension=0
      axis_index_groups=None
      axis_name=('i',)
      axis_size=2
      tiled=False
    ] a
  in (b,) }
"""),
    "all_gather_invariant": ("It gathers what all devices of an axis have, and gives each the same.", """\
>>> f = lambda x: lax.all_gather_invariant_p.bind(x, all_gather_dimension=0, axis_name=("i",), axis_size=2, tiled=False)
>>> jax.make_jaxpr(f, axis_env=[("i", 2)])(jnp.ones(3))
{ lambda ; a:f32[3]. let
    b:f32[2,3] = all_gather_invariant[
      all_gather_dimension=0
      axis_name=('i',)
      axis_size=2
      tiled=False
    ] a
  in (b,) }
"""),
    "all_to_all": ("It divides an axis over devices and joins another one.", """\
>>> f = lambda x: lax.all_to_all(x, "i", 0, 1, tiled=True)
>>> jax.make_jaxpr(f, axis_env=[("i", 2)])(jnp.ones((4, 3)))
{ lambda ; a:f32[4,3]. let
    b:f32[2,6] = all_to_all[
      axis_index_groups=None
      axis_name=i
      concat_axis=1
      split_axis=0
      tiled=True
    ] a
  in (b,) }
"""),
    "axis_index": ("It gives the position along a mapped axis.", """\
>>> jax.make_jaxpr(lambda: lax.axis_index("i"), axis_env=[("i", 2)])()
{ lambda ; . let a:i32[] = axis_index[axis_name=i]  in (a,) }
"""),
    "bcoo_dot_general": ("It multiplies a BCOO matrix by an array.", """\
>>> from adjoint.experimental import sparse
>>> m = sparse.BCOO.fromdense(jnp.eye(3))
>>> print(jax.make_jaxpr(lambda m, x: m @ x)(m, jnp.ones(3)).eqns[-1])
a:f32[3] = bcoo_dot_general[
  dimension_numbers=(((1,), (0,)), ((), ()))
  lhs_spinfo=SparseInfo(shape=(3, 3), indices_sorted=True, unique_indices=True)
  preferred_element_type=float32
] b c d
"""),
    "bcoo_dot_general_sampled": ("It computes those elements of a product of arrays that indices select.", """\
>>> from adjoint.experimental import sparse
>>> m = sparse.BCOO.fromdense(jnp.eye(3))
>>> f = lambda m, a: sparse.bcoo_dot_general_sampled(a, a, m.indices, dimension_numbers=(((1,), (0,)), ((), ())))
>>> print(jax.make_jaxpr(f)(m, jnp.ones((3, 3))).eqns[-1])
a:f32[3] = bcoo_dot_general_sampled[dimension_numbers=(((1,), (0,)), ((), ()))] b
  b c
"""),
    "bcoo_extract": ("It takes those elements of an array that the indices of a BCOO matrix select.", ""),
    "bcoo_fromdense": ("It makes a BCOO matrix of an array.", ""),
    "bcoo_sort_indices": ("It sorts the elements of a BCOO matrix by their indices.", """\
>>> from adjoint.experimental import sparse
>>> m = sparse.BCOO((jnp.ones(3), jnp.array([[2, 2], [1, 1], [0, 0]])), shape=(3, 3))
>>> print(jax.make_jaxpr(lambda m: m.sort_indices().data)(m).eqns[-1])
a:f32[3] _:i32[3,2] = bcoo_sort_indices[
  spinfo=SparseInfo(shape=(3, 3), indices_sorted=False, unique_indices=False)
] b c
"""),
    "bcoo_spdot_general": ("It multiplies two BCOO matrices.", """\
>>> from adjoint.experimental import sparse
>>> m = sparse.BCOO.fromdense(jnp.eye(3))
>>> f = lambda m: sparse.bcoo_dot_general(m, m, dimension_numbers=(((1,), (0,)), ((), ()))).data
>>> print(jax.make_jaxpr(f)(m).eqns[-1])
a:f32[9] _:i32[9,2] = bcoo_spdot_general[
  dimension_numbers=(((1,), (0,)), ((), ()))
  lhs_spinfo=SparseInfo(shape=(3, 3), indices_sorted=True, unique_indices=True)
  preferred_element_type=None
  rhs_spinfo=SparseInfo(shape=(3, 3), indices_sorted=True, unique_indices=True)
] b c b c
"""),
    "bcoo_sum_duplicates": ("It adds the elements of a BCOO matrix that have the same indices.", """\
>>> from adjoint.experimental import sparse
>>> m = sparse.BCOO((jnp.ones(3), jnp.array([[2, 2], [1, 1], [0, 0]])), shape=(3, 3))
>>> print(jax.make_jaxpr(lambda m: m.sum_duplicates(nse=3).data)(m).eqns[-1])
a:f32[3] _:i32[3,2] = bcoo_sum_duplicates[
  nse=3
  spinfo=SparseInfo(shape=(3, 3), indices_sorted=False, unique_indices=False)
] b c
"""),
    "bcoo_todense": ("It makes an array of a BCOO matrix.", """\
>>> from adjoint.experimental import sparse
>>> m = sparse.BCOO.fromdense(jnp.eye(3))
>>> print(jax.make_jaxpr(lambda m: m.todense())(m).eqns[-1])
a:f32[3,3] = bcoo_todense[
  spinfo=SparseInfo(shape=(3, 3), indices_sorted=True, unique_indices=True)
] b c
"""),
    "bcoo_transpose": ("It transposes a BCOO matrix.", """\
>>> from adjoint.experimental import sparse
>>> m = sparse.BCOO.fromdense(jnp.eye(3))
>>> print(jax.make_jaxpr(lambda m: m.T.data)(m).eqns[-1])
a:f32[3] _:i32[3,2] = bcoo_transpose[
  permutation=(1, 0)
  spinfo=SparseInfo(shape=(3, 3), indices_sorted=True, unique_indices=True)
] b c
"""),
    "bcsr_dot_general": ("It multiplies a BCSR matrix by an array.", """\
>>> from adjoint.experimental import sparse
>>> m = sparse.BCSR.fromdense(jnp.eye(3))
>>> print(jax.make_jaxpr(lambda m, x: m @ x)(m, jnp.ones(3)).eqns[-1])
a:f32[3] = bcsr_dot_general[
  dimension_numbers=(((1,), (0,)), ((), ()))
  lhs_spinfo=SparseInfo(shape=(3, 3), indices_sorted=False, unique_indices=False)
  preferred_element_type=float32
] b c d e
"""),
    "bcsr_extract": ("It takes those elements of an array that the indices of a BCSR matrix select.", ""),
    "bcsr_fromdense": ("It makes a BCSR matrix of an array.", ""),
    "bcsr_todense": ("It makes an array of a BCSR matrix.", """\
>>> from adjoint.experimental import sparse
>>> m = sparse.BCSR.fromdense(jnp.eye(3))
>>> print(jax.make_jaxpr(lambda m: m.todense())(m).eqns[-1])
a:f32[3,3] = bcsr_todense[
  spinfo=SparseInfo(shape=(3, 3), indices_sorted=False, unique_indices=False)
] b c d
"""),
    "call": ("It calls a function, and leaves no mark in the program.", """\
>>> from adjoint.extend import linear_util
>>> jax.extend.core.primitives.call_p.bind(linear_util.wrap_init(lambda x: [2 * x]), 3.0)
[6.0]
"""),
    "check": ("It checks a predicate, for `checkify`.", """\
>>> from adjoint.experimental import checkify
>>> jax.make_jaxpr(lambda x: checkify.debug_check(x > 0, "not positive"))(1.0)
{ lambda ; a:f32[]. let
    b:bool[] = gt a 0.0:f32[]
    c:bool[] = not b
    d:bool[] = convert_element_type[new_dtype=bool weak_type=False] c
    check[debug=True] d ...:i32[]
  in () }
"""),
    "closed_call": ("It calls a function, and leaves no mark in the program.", """\
>>> from adjoint.extend import linear_util
>>> jax.extend.core.primitives.closed_call_p.bind(linear_util.wrap_init(lambda x: [2 * x]), 3.0)
[6.0]
"""),
    "composite": ("It calls a program under a name that compilers may know.", """\
>>> jax.make_jaxpr(lax.composite(jnp.tanh, "my.tanh"))(1.0)
{ lambda ; a:f32[]. let
    b:f32[] = composite[
      attributes=()
      jaxpr={ lambda ; c:f32[]. let d:f32[] = tanh c in (d,) }
      name=my.tanh
      version=0
    ] a
  in (b,) }
"""),
    "compute_on": ("It runs a program where a string says.", """\
>>> from adjoint.experimental.compute_on import compute_on2
>>> f = compute_on2(jnp.sin, compute_type="device_host", out_memory_spaces=jax.memory.Space.Device)
>>> jax.make_jaxpr(f)(1.0)
{ lambda ; a:f32[]. let
    b:f32[] = compute_on[
      compiler_options_json=None
      compute_type=device_host
      jaxpr={ lambda ; c:f32[]. let d:f32[] = sin c in (d,) }
      out_memory_spaces=(MemorySpace.Device,)
    ] a
  in (b,) }
"""),
    "cond": ("It runs the one of its branches that the first operand selects.", """\
>>> jax.make_jaxpr(lambda x: lax.cond(x > 0, jnp.sin, jnp.cos, x))(1.0)
{ lambda ; a:f32[]. let
    b:bool[] = gt a 0.0:f32[]
    c:i32[] = convert_element_type[new_dtype=int32 weak_type=False] b
    d:f32[] = cond[
      branches=(
        { lambda ; e:f32[]. let f:f32[] = cos e in (f,) }
        { lambda ; g:f32[]. let h:f32[] = sin g in (h,) }
      )
    ] c a
  in (d,) }
"""),
    "coo_fromdense": ("It makes a COO matrix of an array.", ""),
    "coo_matmat": ("It multiplies a COO matrix by a matrix.", """\
>>> from adjoint.experimental import sparse
>>> m = sparse.COO.fromdense(jnp.eye(3))
>>> print(jax.make_jaxpr(lambda m, x: m @ x)(m, jnp.ones((3, 2))).eqns[-1])
a:f32[3,2] = coo_matmat[
  spinfo=COOInfo(shape=(3, 3), rows_sorted=True, cols_sorted=False)
  transpose=False
] b c d e
"""),
    "coo_matvec": ("It multiplies a COO matrix by a vector.", """\
>>> from adjoint.experimental import sparse
>>> m = sparse.COO.fromdense(jnp.eye(3))
>>> print(jax.make_jaxpr(lambda m, x: m @ x)(m, jnp.ones(3)).eqns[-1])
a:f32[3] = coo_matvec[
  spinfo=COOInfo(shape=(3, 3), rows_sorted=True, cols_sorted=False)
  transpose=False
] b c d e
"""),
    "coo_todense": ("It makes an array of a COO matrix.", """\
>>> from adjoint.experimental import sparse
>>> m = sparse.COO.fromdense(jnp.eye(3))
>>> print(jax.make_jaxpr(lambda m: m.todense())(m).eqns[-1])
a:f32[3,3] = coo_todense[
  spinfo=COOInfo(shape=(3, 3), rows_sorted=True, cols_sorted=False)
] b c d
"""),
    "create_token": ("It makes a token, which orders what has effects.", """\
>>> jax.make_jaxpr(lambda: lax.create_token())()
{ lambda ; . let a:Tok = create_token  in (a,) }
"""),
    "csr_fromdense": ("It makes a CSR matrix of an array.", ""),
    "csr_matmat": ("It multiplies a CSR matrix by a matrix.", ""),
    "csr_matvec": ("It multiplies a CSR matrix by a vector.", ""),
    "csr_todense": ("It makes an array of a CSR matrix.", ""),
    "custom_jvp_call": ("It calls a function that has its own rule for forward mode.", """\
>>> jax.make_jaxpr(jax.nn.relu)(1.0)
{ lambda ; a:f32[]. let
    b:f32[] = custom_jvp_call[
      name=relu
      call_jaxpr={ lambda ; c:f32[]. let
          d:f32[] = jit[
            name=relu
            jaxpr={ lambda ; c:f32[]. let d:f32[] = max c 0.0:f32[] in (d,) }
          ] c
        in (d,) }
      jvp=jvp
      symbolic_zeros=False
    ] a
  in (b,) }
"""),
    "custom_lin": ("It stands for the tangents of a `custom_vjp` function until these are transposed.", """\
>>> f = jax.custom_gradient(lambda x: (x, lambda g: 2 * g))
>>> jax.make_jaxpr(lambda x: jax.linearize(f, x)[1](1.0))(1.0).eqns[-1].primitive
custom_lin
"""),
    "custom_linear_solve": ("It solves a linear system by a function, whose derivatives are solutions too.", """\
>>> f = lambda b: lax.custom_linear_solve(lambda x: 2 * x, b, lambda f, b: b / 2, symmetric=True)
>>> print(jax.make_jaxpr(f)(1.0).eqns[-1])
a:f32[] = custom_linear_solve[
  const_lengths=_LinearSolveTuple(matvec=0, vecmat=0, solve=0, transpose_solve=0)
  jaxprs=_LinearSolveTuple(matvec={ lambda ; a:f32[]. let b:f32[] = mul...
] b
"""),
    "custom_partitioning": ("It calls a function that has its own rule for division over devices.", """\
>>> from adjoint.experimental.custom_partitioning import custom_partitioning
>>> f = custom_partitioning(jnp.sin)
>>> _ = f.def_partition(lambda mesh, operands, results: None, sharding_rule="i -> i")
>>> jax.make_jaxpr(f)(jnp.ones(2)).eqns[-1].primitive
custom_partitioning
"""),
    "custom_vjp_call": ("It calls a function that has its own rule for reverse mode.", """\
>>> jax.make_jaxpr(jax.custom_gradient(lambda x: (x, lambda g: 2 * g)))(1.0)
{ lambda ; a:f32[]. let
    b:f32[] = custom_vjp_call[
      name=<lambda>
      bwd=_backward
      call_jaxpr={ lambda ; c:f32[]. let  in (c,) }
      fwd=<lambda>
      symbolic_zeros=False
    ] a
  in (b,) }
"""),
    "custom_vmap_call": ("It calls a function that has its own rule for batches.", """\
>>> jax.make_jaxpr(jax.custom_batching.sequential_vmap(jnp.sin))(1.0)
{ lambda ; a:f32[]. let
    b:f32[] = custom_vmap_call[
      call={ lambda ; c:f32[]. let d:f32[] = sin c in (d,) }
      in_tree=PyTreeDef(([], (*,)))
      out_tree=PyTreeDef(*)
      rule=<function sequential_vmap.<locals>.rule at 0x...>
    ] a
  in (b,) }
"""),
    "dce_sink": ("It uses its operands, so that what computes them is kept.", """\
>>> jax.make_jaxpr(lambda x: lax.dce_sink(x))(1.0)
{ lambda ; a:f32[]. let dce_sink[prevent_mlir_dce=False] a in () }
"""),
    "debug_callback": ("It calls a Python function when the program runs.", """\
>>> print(jax.make_jaxpr(lambda x: jax.debug.callback(print, x))(1.0).eqns[-1])
debug_callback[
  callback=<function debug_callback.<locals>._debug_callback.<locals>._flat_callback at 0x...>
  effect=Debug
  partitioned=False
] a
"""),
    "debug_print": ("It prints when the program runs.", """\
>>> print(jax.make_jaxpr(lambda x: jax.debug.print("x = {}", x))(1.0).eqns[-1])
debug_print[
  fmt=x = {}
  has_placeholders=True
  in_tree=PyTreeDef(((*,), {}))
  logging_record=None
  np_printoptions=(('edgeitems', 3), ('threshold', 1000), ('floatmode',...
  ordered=False
  partitioned=False
  static_args=()
] a
"""),
    "device_put": ("It puts arrays on devices.", """\
>>> jax.make_jaxpr(lambda x: jax.device_put(x))(1.0)
{ lambda ; a:f32[]. let
    b:f32[] = device_put[
      copy_semantics=(ArrayCopySemantics.REUSE_INPUT,)
      devices=(None,)
      srcs=(None,)
    ] a
  in (b,) }
"""),
    "dim_as_value": ("It gives the number that a dimension of a symbolic shape is.", """\
>>> f = lambda x: x.shape[0] * x
>>> jax.make_jaxpr(f)(jax.ShapeDtypeStruct(jax.export.symbolic_shape("n"), "float32"))
{ lambda ; a:f32[n]. let
    b:i32[] = dim_as_value[dim=n]
    c:f32[] = convert_element_type[new_dtype=float32 weak_type=False] b
    d:f32[n] = mul c a
  in (d,) }
"""),
    "dynamic_slice": ("It takes a block from where its indices, which are operands, begin.", ""),
    "dynamic_update_slice": ("It replaces a block from where its indices, which are operands, begin.", ""),
    "empty2": ("It makes an array whose elements are not set, in a kind of memory.", """\
>>> lax.empty2_p.bind(dtype=np.dtype("float32"), memory_space=jax.memory.Space.Device).shape
()
"""),
    "empty_ref": ("It makes a reference whose elements are not set.", """\
>>> jax.make_jaxpr(lambda: jax.empty_ref(jax.ShapeDtypeStruct((2,), "float32"))[...])()
{ lambda ; . let
    a:Ref{f32[2]} = empty_ref[memory_space=None ty=float32[2]]
    b:f32[2] <- a[...]
  in (b,) }
"""),
    "ffi_call": ("It calls a foreign function that is registered under a name.", """\
>>> jax.make_jaxpr(lambda x: jax.ffi.ffi_call("target", x)(x, eps=1e-3))(jnp.ones(2))
{ lambda ; a:f32[2]. let
    b:f32[2] = ffi_call[
      attributes=(('eps', 0.001),)
      custom_call_api_version=4
      has_side_effect=False
      input_layouts=((0,),)
      input_output_aliases=()
      legacy_backend_config=None
      output_layouts=((0,),)
      result_avals=(ShapedArray(float32[2]),)
      target_name=target
      vmap_method=None
    ] a
  in (b,) }
"""),
    "freeze": ("It reads a reference for the last time.", """\
>>> jax.make_jaxpr(lambda r: jax.freeze(r))(jax.new_ref(jnp.ones(2)))
{ lambda ; a:Ref{f32[2]}. let b:f32[2] = freeze a in (b,) }
"""),
    "fused_call": ("It calls a program that XLA compiles to one kernel.", """\
>>> from adjoint.experimental.fused import fused
>>> jax.make_jaxpr(fused(out_spaces=(jax.memory.Space.Device,))(lambda x: jnp.sin(x) * 2))(1.0)
{ lambda ; a:f32[]. let
    b:f32[] = fused_call[
      jaxpr={ lambda ; c:f32[]. let
          d:f32[] = sin c
          e:f32[] = mul d 2.0:f32[]
        in (e,) }
      out_spaces=(MemorySpace.Device,)
    ] a
  in (b,) }
"""),
    "get": ("It reads a part of a reference.", """\
>>> jax.make_jaxpr(lambda r: r[...])(jax.new_ref(jnp.ones(2)))
{ lambda ; a:Ref{f32[2]}. let b:f32[2] <- a[...] in (b,) }
"""),
    "inspect_sharding": ("It tells a function how an array is divided when the program is compiled.", """\
>>> jax.make_jaxpr(lambda x: jax.debug.inspect_array_sharding(x, callback=print))(jnp.ones(2))
{ lambda ; a:f32[2]. let inspect_sharding[callback=print] a in () }
"""),
    "io_callback": ("It calls a Python function that has effects.", """\
>>> print(jax.make_jaxpr(lambda x: jax.experimental.io_callback(np.sin, x, x))(jnp.ones(2)).eqns[-1])
a:f32[2] = io_callback[
  callback=_FlatCallback(callback_func=<ufunc 'sin'>, in_tree=PyTreeDef(((*,), {})))
  ordered=False
  result_avals=(ShapedArray(float32[2]),)
  sharding=None
] b
"""),
    "jit": ("It calls a function that is compiled.", """\
>>> jax.make_jaxpr(lambda x: jax.jit(jnp.sin)(x))(1.0)
{ lambda ; a:f32[]. let
    b:f32[] = jit[
      name=sin
      jaxpr={ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }
    ] a
  in (b,) }
"""),
    "layout_constraint": ("It states the layout of an array in memory.", """\
>>> from adjoint.experimental.layout import Layout, with_layout_constraint
>>> print(jax.make_jaxpr(lambda x: with_layout_constraint(x, Layout((1, 0))))(jnp.ones((2, 3))).eqns[-1])
a:f32[2,3] = layout_constraint[
  layout=Layout(major_to_minor=(1, 0), tiling=None, sub_byte_element_size_in_bits=0)
] b
"""),
    "linear_call": ("It calls a function that is linear in some operands, and has its transpose beside it.", """\
>>> f = lambda x: jax.custom_derivatives.linear_call(lambda r, x: r * x, lambda r, y: r * y, 2.0, x)
>>> print(jax.make_jaxpr(f)(1.0).eqns[-1])
a:f32[] = linear_call[
  callee={ lambda ; b:f32[] c:f32[]. let d:f32[] = mul b c in (d,) }
  num_callee_consts=0
  num_res=1
  transpose_thunk=<function linear_call.<locals>.transpose_thunk at 0x...>
] 2.0:f32[] e
"""),
    "new_ref": ("It makes a reference.", """\
>>> jax.make_jaxpr(lambda x: jax.new_ref(x)[...])(jnp.ones(2))
{ lambda ; a:f32[2]. let
    b:Ref{f32[2]} = new_ref[kind=None memory_space=None] a
    c:f32[2] <- b[...]
  in (c,) }
"""),
    "pcast": ("It says of a value that it varies, or does not, over axes of a mesh.", """\
>>> mesh = jax.make_mesh((1,), ("i",), (jax.sharding.AxisType.Auto,))
>>> f = jax.shard_map(lambda x: lax.pcast_p.bind(x, axes=("i",), to="varying"),
...                   mesh=mesh, in_specs=jax.P(), out_specs=jax.P("i"))
>>> jax.make_jaxpr(f)(jnp.ones(2))
{ lambda ; a:f32[2]. let
    b:f32[2] = shard_map[
      check_vma=True
      in_specs=(P(),)
      jaxpr={ lambda ; c:f32[2]. let
          d:f32[2]{V:i} = pcast[axes=('i',) to=varying] c
        in (d,) }
      mesh=Mesh('i': 1, axis_types=(Auto,))
      newly_manual_axes=frozenset({'i'})
      out_specs=(P('i',),)
    ] a
  in (b,) }
"""),
    "pmax": ("It takes the maximum over the devices of an axis.", """\
>>> jax.make_jaxpr(lambda x: lax.pmax(x, "i"), axis_env=[("i", 2)])(jnp.ones(3))
{ lambda ; a:f32[3]. let
    b:f32[3] = pmax[axes=('i',) axis_index_groups=None] a
  in (b,) }
"""),
    "pmin": ("It takes the minimum over the devices of an axis.", """\
>>> jax.make_jaxpr(lambda x: lax.pmin(x, "i"), axis_env=[("i", 2)])(jnp.ones(3))
{ lambda ; a:f32[3]. let
    b:f32[3] = pmin[axes=('i',) axis_index_groups=None] a
  in (b,) }
"""),
    "ppermute": ("It sends the value of each device to another one.", """\
>>> jax.make_jaxpr(lambda x: lax.ppermute(x, "i", [(0, 1), (1, 0)]), axis_env=[("i", 2)])(jnp.ones(3))
{ lambda ; a:f32[3]. let
    b:f32[3] = ppermute[axis_name=('i',) perm=((0, 1), (1, 0))] a
  in (b,) }
"""),
    "precv": ("It receives the array that another device sends by `psend`.", """\
>>> f = lambda t: lax.precv(t, jax.ShapeDtypeStruct((3,), "float32"), "i", perm=[(0, 1)])
>>> jax.make_jaxpr(f, axis_env=[("i", 2)])(lax.create_token())
{ lambda ; a:Tok. let
    b:f32[3] = precv[axis_name=('i',) out_shape=float32[3] perm=((0, 1),)] a
  in (b,) }
"""),
    "psend": ("It sends an array to another device, which receives it by `precv`.", """\
>>> jax.make_jaxpr(lambda x: lax.psend(x, "i", perm=[(0, 1)]), axis_env=[("i", 2)])(jnp.ones(3))
{ lambda ; a:f32[3]. let
    b:Tok = psend[axis_name=('i',) perm=((0, 1),)] a
  in (b,) }
"""),
    "psum": ("It sums over the devices of an axis.", """\
>>> jax.make_jaxpr(lambda x: lax.psum(x, "i"), axis_env=[("i", 2)])(jnp.ones(3))
{ lambda ; a:f32[3]. let
    b:f32[3] = psum[axes=('i',) axis_index_groups=None] a
  in (b,) }
"""),
    "psum_invariant": ("It sums over axes of a mesh, and its result varies over none of them.", """\
>>> mesh = jax.make_mesh((1,), ("i",), (jax.sharding.AxisType.Auto,))
>>> f = jax.shard_map(lambda x: lax.psum(x, "i"), mesh=mesh, in_specs=jax.P("i"), out_specs=jax.P())
>>> jax.make_jaxpr(f)(jnp.ones(2)).eqns[0].params["jaxpr"]
{ lambda ; a:f32[2]{V:i}. let b:f32[2] = psum_invariant[axes=('i',)] a in (b,) }
"""),
    "pure_callback": ("It calls a Python function that has no effects.", """\
>>> print(jax.make_jaxpr(lambda x: jax.pure_callback(np.sin, x, x))(jnp.ones(2)).eqns[-1])
a:f32[2] = pure_callback[
  callback=_FlatCallback(callback_func=<ufunc 'sin'>, in_tree=PyTreeDef(((*,), {})))
  result_avals=(ShapedArray(float32[2]),)
  sharding=None
  vmap_method=None
] b
"""),
    "pvary": ("It says of a value that it varies over axes of a mesh.", """\
>>> mesh = jax.make_mesh((1,), ("i",), (jax.sharding.AxisType.Auto,))
>>> f = jax.shard_map(lambda x: lax.pvary_p.bind(x, axes=("i",)),
...                   mesh=mesh, in_specs=jax.P(), out_specs=jax.P("i"))
>>> jax.make_jaxpr(f)(jnp.ones(2)).eqns[0].params["jaxpr"]
{ lambda ; a:f32[2]. let b:f32[2]{V:i} = pvary[axes=('i',)] a in (b,) }
"""),
    "ragged_all_to_all": ("It sends slices of different lengths to the devices of an axis.", """\
>>> f = lambda x, out, n: lax.ragged_all_to_all(x, out, n, n, n, n, axis_name="i")
>>> jax.make_jaxpr(f, axis_env=[("i", 2)])(jnp.ones(4), jnp.zeros(4), jnp.ones(2, int))
{ lambda ; a:f32[4] b:f32[4] c:i32[2]. let
    d:f32[4] = ragged_all_to_all[axis_index_groups=None axis_name=('i',)] a b c c
      c c
  in (d,) }
"""),
    "ragged_dot_general": ("It multiplies rows by one of several matrices, group by group.", """\
>>> print(jax.make_jaxpr(lax.ragged_dot)(jnp.ones((4, 3)), jnp.ones((2, 3, 5)), jnp.array([1, 3])).eqns[-1])
a:f32[4,5] = ragged_dot_general[
  group_offset=None
  out_sharding=None
  precision=None
  preferred_element_type=None
  ragged_dot_dimension_numbers=RaggedDotDimensionNumbers(dot_dimension_numbers=(((1,),...
] b c d
"""),
    "random_bits": ("It draws random bits from a key.", """\
>>> jax.make_jaxpr(lambda key: jax.random.bits(key, (2,)))(jax.random.key(0))
{ lambda ; a:key<fry>[]. let
    b:u32[2] = random_bits[bit_width=32 shape=(2,)] a
  in (b,) }
"""),
    "random_clone": ("It copies a key, which may then be used once more.", """\
>>> jax.make_jaxpr(jax.random.clone)(jax.random.key(0))
{ lambda ; a:key<fry>[]. let b:key<fry>[] = random_clone a in (b,) }
"""),
    "random_fold_in": ("It makes a key of a key and a number.", """\
>>> jax.make_jaxpr(lambda key: jax.random.fold_in(key, 1))(jax.random.key(0))
{ lambda ; a:key<fry>[]. let b:key<fry>[] = random_fold_in a 1:u32[] in (b,) }
"""),
    "random_gamma": ("It draws from the gamma distribution.", """\
>>> jax.make_jaxpr(lambda key: lax.random_gamma_p.bind(key, 2.0, log_space=False))(jax.random.key(0))
{ lambda ; a:key<fry>[]. let
    b:f32[] = random_gamma[log_space=False] a 2.0:f32[]
  in (b,) }
"""),
    "random_seed": ("It makes a key of an integer.", """\
>>> jax.make_jaxpr(jax.random.key)(0)
{ lambda ; a:i32[]. let b:key<fry>[] = random_seed[impl=fry] a in (b,) }
"""),
    "random_split": ("It makes new keys of a key.", """\
>>> jax.make_jaxpr(jax.random.split)(jax.random.key(0))
{ lambda ; a:key<fry>[]. let
    b:key<fry>[2] = random_split[shape=(2,)] a
  in (b,) }
"""),
    "random_unwrap": ("It gives the numbers that a key consists of.", """\
>>> jax.make_jaxpr(jax.random.key_data)(jax.random.key(0))
{ lambda ; a:key<fry>[]. let b:u32[2] = random_unwrap a in (b,) }
"""),
    "random_wrap": ("It makes a key of the numbers that it consists of.", """\
>>> jax.make_jaxpr(jax.random.wrap_key_data)(jnp.zeros(2, "uint32"))
{ lambda ; a:u32[2]. let b:key<fry>[] = random_wrap[impl=fry] a in (b,) }
"""),
    "reduce": ("It combines the elements along axes by a program.", """\
>>> print(jax.make_jaxpr(lambda x: lax.reduce(x, 1.0, lambda a, b: a * b + 1, (0,)))(jnp.ones(3)).eqns[-1])
a:f32[] = reduce[
  computation=<function <lambda>.<locals>.<lambda> at 0x...>
  dimensions=(0,)
  jaxpr={ lambda ; b:f32[] c:f32[]. let
      d:f32[] = mul b c
      e:f32[] = add d 1.0:f32[]
    in (e,) }
] f 1.0:f32[]
"""),
    "reduce_scatter": ("It sums over the devices of an axis, each of which gets a part of the sum.", """\
>>> jax.make_jaxpr(lambda x: lax.psum_scatter(x, "i"), axis_env=[("i", 2)])(jnp.ones(2))
{ lambda ; a:f32[2]. let
    b:f32[] = reduce_scatter[
      axis_index_groups=None
      axis_name=('i',)
      axis_size=2
      scatter_dimension=0
      tiled=False
    ] a
  in (b,) }
"""),
    "reduce_window": ("It combines the elements of each window by a program.", """\
>>> f = lambda x: lax.reduce_window(x, 1.0, lambda a, b: a * b + 1, (2,), (1,), "VALID")
>>> jax.make_jaxpr(f)(jnp.ones(3))
{ lambda ; a:f32[3]. let
    b:f32[2] = reduce_window[
      base_dilation=(1,)
      consts=()
      jaxpr={ lambda ; c:f32[] d:f32[]. let
          e:f32[] = mul c d
          f:f32[] = add e 1.0:f32[]
        in (f,) }
      padding=((0, 0),)
      window_dilation=(1,)
      window_dimensions=(2,)
      window_strides=(1,)
    ] a 1.0:f32[]
  in (b,) }
"""),
    "remat2": ("It runs a program, which derivatives run again rather than keep its values.", """\
>>> jax.make_jaxpr(jax.checkpoint(jnp.sin))(1.0)
{ lambda ; a:f32[]. let
    b:f32[] = remat2[
      differentiated=False
      jaxpr={ lambda ; c:f32[]. let d:f32[] = sin c in (d,) }
      policy=None
      prevent_cse=True
    ] a
  in (b,) }
"""),
    "remat_opt": ("It runs a forward rule, and keeps those of its residuals that are used.", """\
>>> f = jax.custom_vjp(lambda x: jnp.sin(x))
>>> f.defvjp(lambda x: (jnp.sin(x), x), lambda x, g: (g * jnp.cos(x),), optimize_remat=True)
>>> [eqn.primitive for eqn in jax.make_jaxpr(jax.grad(f))(1.0).eqns]
[remat_opt, cos, mul]
"""),
    "reshard": ("It changes how an array is divided over the explicit axes of a mesh.", """\
>>> mesh = jax.make_mesh((1,), ("i",))
>>> f = lambda x: jax.sharding.reshard(x, jax.NamedSharding(mesh, jax.P("i")))
>>> print(jax.make_jaxpr(f)(jnp.ones(2)).eqns[-1])
a:f32[2@i] = reshard b
"""),
    "scaled_dot": ("It multiplies blocks of narrow numbers, each of which has a scale.", """\
>>> a, b = jnp.ones((2, 4), "float8_e4m3fn"), jnp.ones((4, 3), "float8_e4m3fn")
>>> f = lambda a, b: lax.scaled_dot(a, b, lhs_scale=jnp.ones((2, 2), "float8_e8m0fnu"))
>>> jax.make_jaxpr(f)(a, b).eqns[-1].primitive
scaled_dot
"""),
    "scan": ("It runs a program once for each element of an axis, and carries values from each turn to the next.", """\
>>> jax.make_jaxpr(lambda x: lax.scan(lambda c, _: (2 * c, c), x, None, length=3))(1.0)
{ lambda ; a:f32[]. let
    b:f32[] c:f32[3] = scan[
      jaxpr={ lambda ; d:f32[]. let e:f32[] = mul 2.0:f32[] d in (e, d) }
      length=3
      num_carry=1
      num_consts=0
      reverse=False
      unroll=1
    ] a
  in (b, c) }
"""),
    "scatter": ("It sets the elements, or blocks, that indices select.", """\
>>> print(jax.make_jaxpr(lambda x, i: x.at[i].set(1.0, mode="clip"))(jnp.ones(3), 1).eqns[-1])
a:f32[3] = scatter[
  dimension_numbers=ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,),...
  indices_are_sorted=True
  mode=GatherScatterMode.CLIP
  unique_indices=True
  update_consts=()
  update_jaxpr=None
] b c 1.0:f32[]
"""),
    "scatter-add": ("It adds to the elements, or blocks, that indices select.", """\
>>> print(jax.make_jaxpr(lambda x, i: x.at[i].add(1.0, mode="clip"))(jnp.ones(3), 1).eqns[-1])
a:f32[3] = scatter-add[
  dimension_numbers=ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,),...
  indices_are_sorted=True
  mode=GatherScatterMode.CLIP
  unique_indices=True
  update_consts=()
  update_jaxpr={ lambda ; b:f32[] c:f32[]. let d:f32[] = add b c in (d,) }
] e f 1.0:f32[]
"""),
    "scatter-max": ("It takes the maximum with the elements, or blocks, that indices select.", """\
>>> print(jax.make_jaxpr(lambda x, i: x.at[i].max(1.0, mode="clip"))(jnp.ones(3), 1).eqns[-1])
a:f32[3] = scatter-max[
  dimension_numbers=ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,),...
  indices_are_sorted=True
  mode=GatherScatterMode.CLIP
  unique_indices=True
  update_consts=()
  update_jaxpr={ lambda ; b:f32[] c:f32[]. let d:f32[] = max b c in (d,) }
] e f 1.0:f32[]
"""),
    "scatter-min": ("It takes the minimum with the elements, or blocks, that indices select.", """\
>>> print(jax.make_jaxpr(lambda x, i: x.at[i].min(1.0, mode="clip"))(jnp.ones(3), 1).eqns[-1])
a:f32[3] = scatter-min[
  dimension_numbers=ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,),...
  indices_are_sorted=True
  mode=GatherScatterMode.CLIP
  unique_indices=True
  update_consts=()
  update_jaxpr={ lambda ; b:f32[] c:f32[]. let d:f32[] = min b c in (d,) }
] e f 1.0:f32[]
"""),
    "scatter-mul": ("It multiplies the elements, or blocks, that indices select.", """\
>>> print(jax.make_jaxpr(lambda x, i: x.at[i].multiply(2.0, mode="clip"))(jnp.ones(3), 1).eqns[-1])
a:f32[3] = scatter-mul[
  dimension_numbers=ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,),...
  indices_are_sorted=True
  mode=GatherScatterMode.CLIP
  unique_indices=True
  update_consts=()
  update_jaxpr={ lambda ; b:f32[] c:f32[]. let d:f32[] = mul b c in (d,) }
] e f 2.0:f32[]
"""),
    "scatter-sub": ("It subtracts from the elements, or blocks, that indices select.", """\
>>> print(jax.make_jaxpr(lambda x, i: x.at[i].subtract(1.0, mode="clip"))(jnp.ones(3), 1).eqns[-1])
a:f32[3] = scatter-sub[
  dimension_numbers=ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,),...
  indices_are_sorted=True
  mode=GatherScatterMode.CLIP
  unique_indices=True
  update_consts=()
  update_jaxpr={ lambda ; b:f32[] c:f32[]. let d:f32[] = sub b c in (d,) }
] e f 1.0:f32[]
"""),
    "select_and_scatter": ("It adds the elements of an array where a program selects one of each window.", """\
>>> x = jnp.array([1.0, 3.0, 2.0, 5.0])
>>> lax.select_and_scatter_p.bind(
...     x, jnp.ones(2), 0.0, select_jaxpr=jax.make_jaxpr(lax.ge)(1.0, 1.0), select_consts=(),
...     scatter_jaxpr=jax.make_jaxpr(lax.add)(1.0, 1.0), scatter_consts=(), window_dimensions=(2,),
...     window_strides=(2,), padding=((0, 0),))
Array([0., 1., 0., 1.], dtype=float32)
"""),
    "shard_map": ("It runs a program on each device, on its part of the operands.", """\
>>> mesh = jax.make_mesh((1,), ("i",), (jax.sharding.AxisType.Auto,))
>>> f = jax.shard_map(jnp.sin, mesh=mesh, in_specs=jax.P("i"), out_specs=jax.P("i"))
>>> jax.make_jaxpr(f)(jnp.ones(2))
{ lambda ; a:f32[2]. let
    b:f32[2] = shard_map[
      check_vma=True
      in_specs=(P('i',),)
      jaxpr={ lambda ; c:f32[2]{V:i}. let d:f32[2]{V:i} = sin c in (d,) }
      mesh=Mesh('i': 1, axis_types=(Auto,))
      newly_manual_axes=frozenset({'i'})
      out_specs=(P('i',),)
    ] a
  in (b,) }
"""),
    "sharding_constraint": ("It states how an array is divided over devices.", """\
>>> mesh = jax.make_mesh((1,), ("i",), (jax.sharding.AxisType.Auto,))
>>> f = lambda x: lax.with_sharding_constraint(x, jax.NamedSharding(mesh, jax.P("i")))
>>> print(jax.make_jaxpr(f)(jnp.ones(2)).eqns[-1])
a:f32[2] = sharding_constraint[
  context_mesh=Mesh()
  layout=None
  sharding=NamedSharding(mesh=Mesh('i': 1, axis_types=(Auto,)), spec=P('i',), memory_kind=device)
  unconstrained_dims=frozenset({})
] b
"""),
    "spsolve": ("It solves a linear system with a sparse matrix, given as in CSR.", """\
>>> from adjoint.experimental import sparse
>>> f = sparse.linalg.spsolve
>>> print(jax.make_jaxpr(f)(jnp.ones(3), jnp.arange(3), jnp.arange(4), jnp.ones(3)).eqns[-1])
a:f32[3] = spsolve[reorder=1 tol=1e-06] b c d e
"""),
    "swap": ("It writes to a part of a reference, and gives what was there.", """\
>>> jax.make_jaxpr(lambda r: r.swap(2.0, 0))(jax.new_ref(jnp.ones(2)))
{ lambda ; a:Ref{f32[2]}. let b:f32[] <- a[0]; a[0] <- 2.0:f32[] in (b,) }
"""),
    "todense": ("It makes an array of what is sparse, of any format.", """\
>>> from adjoint.experimental import sparse
>>> m = sparse.BCOO.fromdense(jnp.eye(3))
>>> print(jax.make_jaxpr(sparse.todense)(m).eqns[-1])
a:f32[3,3] = todense[
  tree=PyTreeDef(CustomNode(BCOO[{'shape': (3, 3), 'indices_sorted': True, 'unique_indices': True}], [*, *]))
] b c
"""),
    "while": ("It runs a program as long as another one gives True.", """\
>>> jax.make_jaxpr(lambda x: lax.while_loop(lambda c: c < 9.0, lambda c: 2 * c, x))(1.0)
{ lambda ; a:f32[]. let
    b:f32[] = while[
      body_jaxpr={ lambda ; c:f32[]. let d:f32[] = mul 2.0:f32[] c in (d,) }
      body_nconsts=0
      cond_jaxpr={ lambda ; e:f32[]. let f:bool[] = lt e 9.0:f32[] in (f,) }
      cond_nconsts=0
    ] a
  in (b,) }
"""),
    "xla_metadata_call": ("It calls a program with notes, which schedulers of accelerators read.", """\
>>> f = jax.experimental.scheduling_groups.scheduling_group("first")(jnp.sin)
>>> jax.make_jaxpr(f)(1.0).eqns[-1].primitive
xla_metadata_call
"""),
}
