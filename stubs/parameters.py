"""Types of parameters by their names, where the source says none or only `Any`: a name has one meaning in a module.

`ARRAYS` are what functions convert to arrays. `TYPES` are the other names, `OF` those that a function means in its
own way. What is in none of them has the type of its default, or `Any`.
"""

from __future__ import annotations

# Packages whose functions take and return arrays.
OF_ARRAYS = ("numpy", "lax", "nn", "random", "scipy", "image", "ops")

ARRAYS = frozenset(
    """A B M T a a1 a2 alpha ar1 ar2 arr array ary b beta bias c concentration cov data df element f fill_value fp
    fill_values image in1 in2 indices init initial_guess k key kappa l lam left lhs loc logits lower_bound m mat matrix
    mean mu n new_vals obj on_false on_true operand p padding_value period pred probs q query r ref_img rhs right rho s
    sample_weights scale segment_ids shift sigma start_index start_indices scatter_indices test_elements u update
    updates v val vals value values w weights x x0 x1 x2 xp xx y z zl zm zp to_begin to_end prepend append discont
    condition fweights aweights mask nan neginf posinf which init_value min max lo hi maxval minval stddev group_sizes
    lhs_scale rhs_scale group_offset input_offsets send_sizes output_offsets recv_sizes pivots taus like_arr idxs src
    index ind prototype p_mat num_trials total_count nu df1 df2 shape_param rate h d e dl du start stop step base
    filt signs arrays_like image_data coords low high upper_bound""".split()
)

AXES = "int | Sequence[int] | None"
PRECISION = "Any"
SHAPE = "int | Sequence[int | Array]"
ARRAY_LIST = "Sequence[ArrayLike] | ArrayLike"

TYPES = {
    "axis": AXES, "axes": AXES, "keepdims": "bool", "where": "ArrayLike | None", "out": "None",
    "dtype": "DTypeLike | None", "initial": "ArrayLike | None", "shape": SHAPE, "out_sharding": "Any",
    "precision": PRECISION, "device": "Any", "sharding": "Any", "preferred_element_type": "DTypeLike | None",
    "new_dtype": "DTypeLike", "order": "str | None", "kind": "str | None", "accuracy": "Any",
    "num_segments": "int | None", "mode": "str | None", "sizes": "Sequence[int]", "slice_sizes": "Sequence[int]",
    "permutation": "Sequence[int]", "dimensions": "Sequence[int]", "new_sizes": "Sequence[int]", "arrays": ARRAY_LIST,
    "tup": ARRAY_LIST, "operands": ARRAY_LIST, "axis_name": "Any", "axis_index_groups": "Any",
    "sorter": "ArrayLike | None", "rtol": "ArrayLike", "atol": "ArrayLike", "tol": "Any", "norm": "str | None",
    "reps": "int | Sequence[int]", "pad_width": "Any", "repeats": "ArrayLike",
    "indices_or_sections": "int | Sequence[int] | ArrayLike", "bins": "ArrayLike | Sequence[ArrayLike]",
    "range": "Any", "source": "int | Sequence[int]", "destination": "int | Sequence[int]", "new_shape": SHAPE,
    "choices": ARRAY_LIST, "condlist": ARRAY_LIST, "choicelist": ARRAY_LIST, "funclist": "Sequence[Any]",
    "default": "ArrayLike", "dims": "Sequence[int]", "dimension": "int", "keys": ARRAY_LIST, "impl": "Any",
    "seed": "int | ArrayLike", "index_dtype": "DTypeLike", "correction": "float | None", "ddof": "float",
    "subscripts": "Any", "func": "Any", "fun": "Callable[..., Any]", "args": "Any", "kwargs": "Any", "params": "Any",
    "method": "str | None", "padding": "str | Sequence[tuple[int, int]]", "window_dimensions": "Sequence[int]",
    "strides": "Sequence[int]", "window_strides": "Sequence[int]", "excluded": "Any", "bucket_size": "int | None",
    "num_classes": "int", "include_initial": "bool", "axis_size": "int | None",
    "broadcast_dimensions": "Sequence[int]", "N": "int", "spatial_dims": "Sequence[int]", "num": "int",
    "is_causal": "bool", "implementation": "Any", "in_axis": "int | Sequence[int]", "out_axis": "int | Sequence[int]",
    "batch_axis": "int | Sequence[int]", "casting": "str", "implicit": "bool", "event_dim": "int",
    "return_index": "bool", "size": "int | None", "from_": "Any", "arg1": "Any", "arg2": "Any",
    "function": "Callable[..., Any]", "edge_order": "int | None", "exponents": "ArrayLike",
    "shapes": "int | Sequence[int]", "arys": "ArrayLike", "xi": "ArrayLike", "lhs_shape": "Sequence[int]",
    "rhs_shape": "Sequence[int]", "in_shape": "Sequence[int]", "pads": "Any", "window_shape": "Sequence[int]",
    "operand_shape": "Sequence[int]", "filter_shape": "Sequence[int]", "base_dilation": "Sequence[int] | None",
    "window_dilation": "Sequence[int] | None", "dimension_numbers": "Any",
}

# Parameters that a function means in its own way, as "module.function.parameter" or "function.parameter".
OF = {
    "array.object": "Any", "asarray.a": "Any", "astype.x": "ArrayLike", "block.arrays": "Any", "ndim.a": "Any",
    "shape.a": "Any", "size.a": "Any", "size.axis": AXES, "where.x": "ArrayLike | None",
    "where.y": "ArrayLike | None", "arange.stop": "ArrayLike | None", "arange.step": "ArrayLike | None",
    "einsum.operands": "Any", "einsum_path.operands": "Any", "gradient.f": "ArrayLike", "gradient.varargs": "Any",
    "ix_.args": "ArrayLike | Sequence[Any]", "broadcast_arrays.args": "ArrayLike",
    "broadcast_shapes.shapes": "int | Sequence[int]", "isscalar.element": "Any", "iscomplexobj.x": "Any",
    "isrealobj.x": "Any", "delete.obj": "Any", "insert.obj": "Any", "pad.kwargs": "Any", "linspace.num": "int",
    "cond.pred": "ArrayLike", "identity.n": "int", "eye.N": "int", "eye.M": "int | None", "eye.k": "int",
    "tri.N": "int", "iterable.y": "Any", "choose.a": "ArrayLike", "lexsort.keys": ARRAY_LIST,
    "unravel_index.shape": "int | Sequence[int]", "fromfunction.function": "Callable[..., Any]",
    "apply_along_axis.func1d": "Callable[..., Any]", "apply_over_axes.func": "Callable[..., Any]",
    "vectorize.pyfunc": "Callable[..., Any]", "indices.dimensions": "Sequence[int]", "tensordot.axes": "Any",
    "multi_dot.arrays": "Sequence[ArrayLike]", "norm.ord": "Any", "random.multivariate_normal.method": "str",
    "frombuffer.buffer": "Any", "load.file": "Any", "trapezoid.x": "ArrayLike | None", "interp.left": "Any",
    "interp.right": "Any", "random.split.num": "int | tuple[int, ...]", "random.choice.a": "int | ArrayLike",
    "random.permutation.x": "int | ArrayLike", "lax.sort.operand": "Any", "lax.stop_gradient.x": "_T",
    "lax.optimization_barrier.operand": "_T", "lax.shape_as_value.shape": "Sequence[int]", "lax.dtype.x": "Any",
    "lax.create_token._": "Any", "lax.psum.x": "Any", "lax.pmean.x": "Any", "lax.pmax.x": "Any", "lax.pmin.x": "Any",
    "lax.ppermute.x": "Any", "lax.all_gather.x": "Any", "lax.all_to_all.x": "Any", "lax.psum_scatter.x": "Any",
    "lax.pswapaxes.x": "Any", "lax.pshuffle.x": "Any", "lax.pbroadcast.x": "Any", "lax.pcast.x": "Any",
    "lax.psend.x": "Any", "lax.dce_sink.val": "Any", "lax.stage.x": "Any", "lax.reduce_and.axes": "Sequence[int]",
    "lax.argmax.axis": "int", "lax.argmin.axis": "int", "concatenate.arrays": ARRAY_LIST,
    "lax.concatenate.dimension": "int", "histogramdd.sample": "Any", "piecewise.funclist": "Sequence[Any]",
    "average.weights": "ArrayLike | None", "ravel_multi_index.multi_index": "Sequence[ArrayLike]",
    "select_n.cases": "ArrayLike", "lax.dynamic_slice.start_indices": ARRAY_LIST,
    "lax.dynamic_update_slice.start_indices": ARRAY_LIST, "fft.fftshift.axes": AXES, "poly.seq_of_zeros": "ArrayLike",
    "promote_types.a": "Any", "promote_types.b": "Any", "result_type.args": "Any", "can_cast.from_": "Any",
    "block_diag.arrs": "ArrayLike", "logsumexp.b": "ArrayLike | None", "ensure_compile_time_eval.x": "Any",
    "lax.custom_linear_solve.b": "Any", "lax.custom_root.initial_guess": "Any",
    "map_coordinates.coordinates": "Sequence[ArrayLike]", "map_coordinates.input": "ArrayLike",
    "optimize.minimize.x0": "ArrayLike", "array_repr.arr": "Any", "array_str.a": "Any",
    "lax.full.fill_value": "ArrayLike", "fromiter.args": "Any", "save.file": "Any", "savez.file": "Any",
    "savez.args": "Any", "percentile.method": "str", "unwrap.discont": "ArrayLike | None", "trim_zeros.axis": AXES,
    "issubdtype.arg1": "Any", "linalg.cg.A": "Any", "linalg.cg.b": "Any", "linalg.cg.x0": "Any", "linalg.cg.M": "Any",
    "linalg.gmres.A": "Any", "linalg.gmres.b": "Any", "linalg.gmres.x0": "Any", "linalg.gmres.M": "Any",
    "linalg.bicgstab.A": "Any", "linalg.bicgstab.b": "Any", "linalg.bicgstab.x0": "Any", "linalg.bicgstab.M": "Any",
    "where.condition": "ArrayLike", "polyfit.w": "ArrayLike | None", "spsolve.data": "ArrayLike",
    "nn.one_hot.x": "ArrayLike", "einsum.optimize": "Any", "einsum_path.optimize": "Any",
    "lax.composite.decomposition": "Callable[..., Any]", "lax.polynomial.coeffs": "Sequence[ArrayLike]",
    "lax.broadcast_shapes.shapes": "Sequence[int]",
}

# Results of functions that say none, where they are not arrays.
RETURNS = {
    "allclose": "Array", "array_repr": "str", "array_str": "str", "average": "Any",
    "einsum_path": "tuple[list[Any], str]", "fromfile": "Array", "get_printoptions": "dict[str, Any]",
    "gradient": "Any", "histogram": "tuple[Array, Array]", "histogram2d": "tuple[Array, Array, Array]",
    "histogramdd": "tuple[Array, list[Array]]", "iterable": "bool", "indices": "Any", "linspace": "Any",
    "polyfit": "Any", "printoptions": "AbstractContextManager[Any]", "save": "None", "savez": "None",
    "set_printoptions": "None", "where": "Any", "lax.broadcast_shapes": "tuple[int, ...]",
    "lax.conv_general_permutations": "Any", "lax.conv_general_shape_tuple": "tuple[int, ...]",
    "lax.conv_shape_tuple": "tuple[int, ...]", "lax.conv_transpose_shape_tuple": "tuple[int, ...]",
    "lax.reduce_window_shape_tuple": "tuple[int, ...]", "lax.create_token": "Any", "lax.optimization_barrier": "_T",
    "lax.stop_gradient": "_T", "lax.psum": "Any", "lax.pmean": "Any", "lax.pmax": "Any", "lax.pmin": "Any",
    "lax.ppermute": "Any", "lax.all_gather": "Any", "lax.all_to_all": "Any", "lax.psum_scatter": "Any",
    "lax.pswapaxes": "Any", "lax.pshuffle": "Any", "lax.pbroadcast": "Any", "lax.pcast": "Any", "lax.psend": "Any",
    "lax.precv": "Any", "lax.sort": "Any", "lax.shape_as_value": "Any", "lax.after_all": "Any", "atleast_1d": "Any",
    "atleast_2d": "Any", "atleast_3d": "Any", "nn.logsumexp": "Any", "special.logsumexp": "Any",
    "cg": "tuple[Any, Any]", "gmres": "tuple[Any, Any]", "bicgstab": "tuple[Any, Any]", "random.key_dtype": "Any",
    "isscalar": "bool", "array_equal": "Array", "fromfunction": "Any", "lax.reduce_precision": "Array",
}
