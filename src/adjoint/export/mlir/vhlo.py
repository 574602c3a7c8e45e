"""The tables of VHLO, the form in which StableHLO is stored: names of operations, properties, types, attributes.

An operation is stored as its name and a version (`vhlo.add_v1`), and its attributes in the order of their names. The
numbers of types and attributes are those of version 1.15 of StableHLO, which later versions only add to.

Tests: `tests/export/mlir/test_bytecode.py`.
"""

from __future__ import annotations

__all__ = ["ATTRIBUTES", "ELEMENTS", "ENUMS", "OLDER", "PRODUCER", "PROPERTIES", "TYPES", "VERSIONS", "properties_of"]

PRODUCER = "StableHLO_v1.15.0"

_COLLECTIVE = "channel_id replica_groups"
_WINDOW = "window_dilations window_dimensions window_strides"
_CONVOLUTION = (
    "batch_group_count feature_group_count input_batch_dimension input_feature_dimension input_spatial_dimensions "
    "kernel_input_feature_dimension kernel_output_feature_dimension kernel_spatial_dimensions lhs_dilation "
    "output_batch_dimension output_feature_dimension output_spatial_dimensions {}precision_config rhs_dilation "
    "window_reversal window_strides"
)
_GATHER = (
    "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims operand_batching_dims {}start_index_map "
    "start_indices_batching_dims"
)

# The attributes of each operation, in the order in which they are stored.
PROPERTIES: dict[str, tuple[str, ...]] = {
    name: tuple(text.split())
    for name, text in {
        "func": "arg_attrs function_type res_attrs sym_name sym_visibility",
        "call": "callee",
        "composite": "composite_attributes decomposition name version",
        "constant": "value",
        "custom_call": "api_version backend_config call_target_name called_computations has_side_effect "
                       "operand_layouts output_operand_aliases result_layouts",
        "convolution": _CONVOLUTION.format("padding "),
        "dynamic_conv": _CONVOLUTION.format(""),
        "dot_general": "accumulation_type allow_imprecise_accumulation lhs_batching_dimensions lhs_component_count "
                       "lhs_contracting_dimensions lhs_precision_type num_primitive_operations precision_config "
                       "rhs_batching_dimensions rhs_component_count rhs_contracting_dimensions rhs_precision_type",
        "dot": "precision_config",
        "gather": _GATHER.format("slice_sizes "),
        "dynamic_gather": _GATHER.format(""),
        "scatter": "index_vector_dim indices_are_sorted input_batching_dims inserted_window_dims "
                   "scatter_dims_to_operand_dims scatter_indices_batching_dims unique_indices update_window_dims",
        "reduce": "dimensions",
        "map": "dimensions",
        "reduce_window": "base_dilations padding " + _WINDOW,
        "select_and_scatter": "padding window_dimensions window_strides",
        "sort": "dimension is_stable",
        "iota": "iota_dimension",
        "dynamic_iota": "iota_dimension",
        "compare": "compare_type comparison_direction",
        "pad": "edge_padding_high edge_padding_low interior_padding",
        "slice": "limit_indices start_indices strides",
        "dynamic_slice": "slice_sizes",
        "fft": "fft_length fft_type",
        "reverse": "dimensions",
        "concatenate": "dimension",
        "transpose": "permutation",
        "broadcast_in_dim": "broadcast_dimensions",
        "broadcast": "broadcast_sizes",
        "dynamic_broadcast_in_dim": "broadcast_dimensions known_expanding_dimensions known_nonexpanding_dimensions",
        "get_dimension_size": "dimension",
        "set_dimension_size": "dimension",
        "get_tuple_element": "index",
        "reduce_precision": "exponent_bits mantissa_bits",
        "rng_bit_generator": "rng_algorithm",
        "rng": "rng_distribution",
        "triangular_solve": "left_side lower transpose_a unit_diagonal",
        "cholesky": "lower",
        "all_reduce": _COLLECTIVE + " use_global_device_ids",
        "all_gather": "all_gather_dim " + _COLLECTIVE + " use_global_device_ids",
        "all_to_all": "channel_id concat_dimension replica_groups split_count split_dimension",
        "reduce_scatter": _COLLECTIVE + " scatter_dimension use_global_device_ids",
        "collective_permute": "channel_id source_target_pairs",
        "collective_broadcast": _COLLECTIVE,
        "batch_norm_inference": "epsilon feature_index",
        "batch_norm_training": "epsilon feature_index",
        "batch_norm_grad": "epsilon feature_index",
        **dict.fromkeys(
            "exponential exponential_minus_one log log_plus_one logistic cosine sine tan tanh sqrt rsqrt cbrt".split(),
            "result_accuracy"),
    }.items()
}

_EXACT = "exponential exponential_minus_one log log_plus_one logistic cosine sine tan tanh sqrt rsqrt cbrt".split()

# What was stored by earlier versions of an operation.
OLDER: dict[str, tuple[str, ...]] = {
    "dot_general_v1": ("lhs_batching_dimensions", "lhs_contracting_dimensions", "precision_config",
                       "rhs_batching_dimensions", "rhs_contracting_dimensions"),
    "gather_v1": ("collapsed_slice_dims", "index_vector_dim", "indices_are_sorted", "offset_dims", "slice_sizes",
                  "start_index_map"),
    "dynamic_gather_v1": ("collapsed_slice_dims", "index_vector_dim", "indices_are_sorted", "offset_dims",
                          "start_index_map"),
    "scatter_v1": ("index_vector_dim", "indices_are_sorted", "inserted_window_dims", "scatter_dims_to_operand_dims",
                   "unique_indices", "update_window_dims"),
    "dynamic_conv_v1": tuple(_CONVOLUTION.format("padding ").split()),
    **{f"{name}_v1": () for name in _EXACT},
}

# The version in which an operation is written, where it is not the first.
VERSIONS = {
    "dot_general": 2, "gather": 2, "dynamic_gather": 2, "scatter": 2, "composite": 2, "all_reduce": 2,
    "all_gather": 2, "all_to_all": 2, "dynamic_conv": 2, **dict.fromkeys(_EXACT, 2),
}


def properties_of(stored: str) -> tuple[str, ...]:
    """Return the names of the attributes of an operation that is stored by this name."""
    if stored in OLDER:
        return OLDER[stored]
    return PROPERTIES.get(stored.rpartition("_v")[0], ())


# Types without parameters, by number.
ELEMENTS = {
    0: "i1", 2: "bf16", 3: "f16", 4: "f32", 5: "f64", 6: "f8E4M3FN", 7: "f8E5M2", 9: "index", 10: "i4", 11: "i8",
    12: "i16", 13: "i32", 14: "i64", 15: "ui4", 16: "ui8", 17: "ui16", 18: "ui32", 19: "ui64", 27: "f8E4M3FNUZ",
    28: "f8E5M2FNUZ", 29: "f8E4M3B11FNUZ", 31: "i2", 32: "ui2", 35: "f8E4M3", 36: "f8E3M4", 37: "f4E2M1FN",
    38: "f6E2M3FN", 39: "f6E3M2FN", 40: "f8E8M0FNU",
}
TYPES = dict(complex=1, function=8, tensor=20, encoded=21, token=22, tuple=23, none=33)

# Attributes with a form of their own, by number.
ATTRIBUTES = dict(array=1, boolean=2, dictionary=6, float=8, integer=9, alias=10, string=14, tensor=15, type=17,
                  bounds=18, accuracy=20)
# Attributes that are one of some names, by number.
ENUMS = {
    3: ("direction", ("EQ", "NE", "GE", "GT", "LE", "LT")),
    4: ("comparison", ("NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED")),
    5: ("api", ("ORIGINAL", "ORIGINAL", "STATUS_RETURNING", "STATUS_RETURNING_UNIFIED", "TYPED_FFI")),
    7: ("fft", ("FFT", "IFFT", "RFFT", "IRFFT")),
    11: ("precision", ("DEFAULT", "HIGH", "HIGHEST")),
    12: ("algorithm", ("DEFAULT", "THREE_FRY", "PHILOX")),
    13: ("distribution", ("INVALID", "UNIFORM", "NORMAL")),
    16: ("transpose", ("INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")),
    19: ("mode", ("DEFAULT", "HIGHEST", "TOLERANCE")),
}
