# Written by stubs/generate.py; do not edit.
from typing import Any
from adjoint.lax import abs_p as abs_p
from adjoint.lax import acos_p as acos_p
from adjoint.lax import acosh_p as acosh_p
from adjoint.lax import add_any_p as _add_jaxvals_p
add_jaxvals_p = _add_jaxvals_p
from adjoint.lax import add_p as add_p
from adjoint.lax import addupdate_p as addupdate_p
from adjoint.lax import after_all_p as after_all_p
from adjoint.lax import all_gather_invariant_p as all_gather_invariant_p
from adjoint.lax import all_gather_p as all_gather_p
from adjoint.lax import all_to_all_p as all_to_all_p
from adjoint.lax import and_p as and_p
from adjoint.lax import approx_top_k_p as approx_top_k_p
from adjoint.lax import argmax_p as argmax_p
from adjoint.lax import argmin_p as argmin_p
from adjoint.lax import asin_p as asin_p
from adjoint.lax import asinh_p as asinh_p
from adjoint.lax import atan2_p as atan2_p
from adjoint.lax import atan_p as atan_p
from adjoint.lax import atanh_p as atanh_p
from adjoint.lax import axis_index_p as axis_index_p
from adjoint.lax import bcoo_dot_general_p as bcoo_dot_general_p
from adjoint.lax import bcoo_dot_general_sampled_p as bcoo_dot_general_sampled_p
from adjoint.lax import bcoo_extract_p as bcoo_extract_p
from adjoint.lax import bcoo_fromdense_p as bcoo_fromdense_p
from adjoint.lax import bcoo_sort_indices_p as bcoo_sort_indices_p
from adjoint.lax import bcoo_spdot_general_p as bcoo_spdot_general_p
from adjoint.lax import bcoo_sum_duplicates_p as bcoo_sum_duplicates_p
from adjoint.lax import bcoo_todense_p as bcoo_todense_p
from adjoint.lax import bcoo_transpose_p as bcoo_transpose_p
from adjoint.lax import bcsr_dot_general_p as bcsr_dot_general_p
from adjoint.lax import bcsr_extract_p as bcsr_extract_p
from adjoint.lax import bcsr_fromdense_p as bcsr_fromdense_p
from adjoint.lax import bcsr_todense_p as bcsr_todense_p
from adjoint.lax import bessel_i0e_p as bessel_i0e_p
from adjoint.lax import bessel_i1e_p as bessel_i1e_p
from adjoint.lax import bessel_j_p as bessel_j_p
from adjoint.lax import bitcast_convert_type_p as bitcast_convert_type_p
from adjoint.lax import broadcast_in_dim_p as broadcast_in_dim_p
def call_p(*args: Any, **params: Any) -> Any:
    """Bind `call`: a primitive, which programs hold as an equation.
    It calls a function, and leaves no mark in the program.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: none.

    >>> from adjoint.extend import linear_util
    >>> jax.extend.core.primitives.call_p.bind(linear_util.wrap_init(lambda x: [2 * x]), 3.0)
    [6.0]
    """
from adjoint.lax import cbrt_p as cbrt_p
from adjoint.lax import ceil_p as ceil_p
from adjoint.lax import check_p as check_p
from adjoint.lax import cholesky_p as cholesky_p
from adjoint.lax import cholesky_update_p as cholesky_update_p
from adjoint.lax import clamp_p as clamp_p
def closed_call_p(*args: Any, **params: Any) -> Any:
    """Bind `closed_call`: a primitive, which programs hold as an equation.
    It calls a function, and leaves no mark in the program.

    Args:
      args: its operands.
      params: its parameters.
    Returns:
      A list of results.
    Raises:
      TypeError: an operand is of a type that the operation is not defined for.
    Rules: none.

    >>> from adjoint.extend import linear_util
    >>> jax.extend.core.primitives.closed_call_p.bind(linear_util.wrap_init(lambda x: [2 * x]), 3.0)
    [6.0]
    """
from adjoint.lax import clz_p as clz_p
from adjoint.lax import complex_p as complex_p
from adjoint.lax import composite_p as composite_p
from adjoint.lax import compute_on_p as compute_on_p
from adjoint.lax import concatenate_p as concatenate_p
from adjoint.lax import cond_p as cond_p
from adjoint.lax import conj_p as conj_p
from adjoint.lax import conv_general_dilated_p as conv_general_dilated_p
from adjoint.lax import convert_element_type_p as convert_element_type_p
from adjoint.lax import coo_fromdense_p as coo_fromdense_p
from adjoint.lax import coo_matmat_p as coo_matmat_p
from adjoint.lax import coo_matvec_p as coo_matvec_p
from adjoint.lax import coo_todense_p as coo_todense_p
from adjoint.lax import copy_p as copy_p
from adjoint.lax import cos_p as cos_p
from adjoint.lax import cosh_p as cosh_p
from adjoint.lax import cosine_integral_p as cosine_integral_p
from adjoint.lax import create_token_p as create_token_p
from adjoint.lax import csr_fromdense_p as csr_fromdense_p
from adjoint.lax import csr_matmat_p as csr_matmat_p
from adjoint.lax import csr_matvec_p as csr_matvec_p
from adjoint.lax import csr_todense_p as csr_todense_p
from adjoint.lax import cumlogsumexp_p as cumlogsumexp_p
from adjoint.lax import cummax_p as cummax_p
from adjoint.lax import cummin_p as cummin_p
from adjoint.lax import cumprod_p as cumprod_p
from adjoint.lax import cumsum_p as cumsum_p
from adjoint.custom_derivatives import custom_jvp_call_p as custom_jvp_call_p
from adjoint.lax import custom_lin_p as custom_lin_p
from adjoint.lax import custom_partitioning_p as custom_partitioning_p
from adjoint.custom_derivatives import custom_vjp_call_p as custom_vjp_call_p
from adjoint.lax import custom_vmap_call_p as custom_vmap_call_p
from adjoint.lax import dawsn_p as dawsn_p
from adjoint.lax import dce_sink_p as dce_sink_p
from adjoint.lax import debug_callback_p as debug_callback_p
from adjoint.lax import debug_print_p as debug_print_p
from adjoint.lax import device_put_p as device_put_p
from adjoint.lax import digamma_p as digamma_p
from adjoint.lax import dim_as_value_p as dim_as_value_p
from adjoint.lax import div_p as div_p
from adjoint.lax import dot_general_p as dot_general_p
from adjoint.lax import dynamic_slice_p as dynamic_slice_p
from adjoint.lax import dynamic_update_slice_p as dynamic_update_slice_p
from adjoint.lax import eig_p as eig_p
from adjoint.lax import eigh_p as eigh_p
from adjoint.lax import empty2_p as empty2_p
from adjoint.lax import empty_p as empty_p
from adjoint.lax import empty_ref_p as empty_ref_p
from adjoint.lax import eq_p as eq_p
from adjoint.lax import eq_to_p as eq_to_p
from adjoint.lax import erf_inv_p as erf_inv_p
from adjoint.lax import erf_p as erf_p
from adjoint.lax import erfc_p as erfc_p
from adjoint.lax import erfcx_p as erfcx_p
from adjoint.lax import exp1_p as exp1_p
from adjoint.lax import exp2_p as exp2_p
from adjoint.lax import exp_p as exp_p
from adjoint.lax import expi_p as expi_p
from adjoint.lax import expm1_p as expm1_p
from adjoint.lax import expn_p as expn_p
from adjoint.lax import ffi_call_p as ffi_call_p
from adjoint.lax import fft_p as fft_p
from adjoint.lax import floor_p as floor_p
from adjoint.lax import freeze_p as freeze_p
from adjoint.lax import fresnel_c_p as fresnel_c_p
from adjoint.lax import fresnel_s_p as fresnel_s_p
from adjoint.lax import fused_call_p as fused_call_p
from adjoint.lax import gamma_bend_p as gamma_bend_p
from adjoint.lax import gather_p as gather_p
from adjoint.lax import ge_p as ge_p
from adjoint.lax import geqrf_p as geqrf_p
from adjoint.lax import get_p as get_p
from adjoint.lax import gt_p as gt_p
from adjoint.lax import hessenberg_p as hessenberg_p
from adjoint.lax import householder_product_p as householder_product_p
from adjoint.lax import hyp1f1_of_a_p as hyp1f1_of_a_p
from adjoint.lax import hyp1f1_of_b_p as hyp1f1_of_b_p
from adjoint.lax import hyp1f1_p as hyp1f1_p
from adjoint.lax import hyp2f1_of_a_p as hyp2f1_of_a_p
from adjoint.lax import hyp2f1_of_b_p as hyp2f1_of_b_p
from adjoint.lax import hyp2f1_of_c_p as hyp2f1_of_c_p
from adjoint.lax import hyp2f1_p as hyp2f1_p
from adjoint.lax import igamma_grad_a_p as igamma_grad_a_p
from adjoint.lax import igamma_p as igamma_p
from adjoint.lax import igammac_p as igammac_p
from adjoint.lax import imag_p as imag_p
from adjoint.lax import inspect_sharding_p as inspect_sharding_p
from adjoint.lax import integer_pow_p as integer_pow_p
from adjoint.lax import io_callback_p as io_callback_p
from adjoint.lax import iota_p as iota_p
from adjoint.lax import is_finite_p as is_finite_p
from adjoint.lax import jit_p as jit_p
from adjoint.lax import layout_constraint_p as layout_constraint_p
from adjoint.lax import le_p as le_p
from adjoint.lax import le_to_p as le_to_p
from adjoint.lax import lgamma_p as lgamma_p
from adjoint.lax import linear_call_p as linear_call_p
from adjoint.lax import linear_solve_p as linear_solve_p
from adjoint.lax import log1p_p as log1p_p
from adjoint.lax import log_ndtr_p as log_ndtr_p
from adjoint.lax import log_p as log_p
from adjoint.lax import logistic_p as logistic_p
from adjoint.lax import lt_p as lt_p
from adjoint.lax import lt_to_p as lt_to_p
from adjoint.lax import lu_p as lu_p
from adjoint.lax import lu_pivots_to_permutation_p as lu_pivots_to_permutation_p
from adjoint.lax import max_p as max_p
from adjoint.lax import min_p as min_p
from adjoint.lax import mul_p as mul_p
from adjoint.lax import mulhi_p as mulhi_p
from adjoint.lax import name_p as name_p
from adjoint.lax import ndtri_p as ndtri_p
from adjoint.lax import ne_p as ne_p
from adjoint.lax import neg_p as neg_p
from adjoint.lax import new_ref_p as new_ref_p
from adjoint.lax import nextafter_p as nextafter_p
from adjoint.lax import not_p as not_p
from adjoint.lax import optimization_barrier_p as optimization_barrier_p
from adjoint.lax import or_p as or_p
from adjoint.lax import ormqr_p as ormqr_p
from adjoint.lax import owens_t_p as owens_t_p
from adjoint.lax import pad_p as pad_p
from adjoint.lax import pcast_p as pcast_p
from adjoint.lax import philox2x32_p as philox2x32_p
from adjoint.lax import philox4x32_p as philox4x32_p
from adjoint.lax import platform_index_p as platform_index_p
from adjoint.lax import pmax_p as pmax_p
from adjoint.lax import pmin_p as pmin_p
from adjoint.lax import polygamma_p as polygamma_p
from adjoint.lax import population_count_p as population_count_p
from adjoint.lax import pow_p as pow_p
from adjoint.lax import ppermute_p as ppermute_p
from adjoint.lax import precv_p as precv_p
from adjoint.lax import psend_p as psend_p
from adjoint.lax import psum_invariant_p as psum_invariant_p
from adjoint.lax import psum_p as psum_p
from adjoint.lax import pure_callback_p as pure_callback_p
from adjoint.lax import pvary_p as pvary_p
from adjoint.lax import qr_p as qr_p
from adjoint.lax import ragged_all_to_all_p as ragged_all_to_all_p
from adjoint.lax import ragged_dot_general_p as ragged_dot_general_p
from adjoint.lax import random_bits_p as random_bits_p
from adjoint.lax import random_clone_p as random_clone_p
from adjoint.lax import random_fold_in_p as random_fold_in_p
from adjoint.lax import random_gamma_grad_p as random_gamma_grad_p
from adjoint.lax import random_gamma_p as random_gamma_p
from adjoint.lax import random_seed_p as random_seed_p
from adjoint.lax import random_split_p as random_split_p
from adjoint.lax import random_unwrap_p as random_unwrap_p
from adjoint.lax import random_wrap_p as random_wrap_p
from adjoint.lax import real_p as real_p
from adjoint.lax import reduce_and_p as reduce_and_p
from adjoint.lax import reduce_max_p as reduce_max_p
from adjoint.lax import reduce_min_p as reduce_min_p
from adjoint.lax import reduce_or_p as reduce_or_p
from adjoint.lax import reduce_p as reduce_p
from adjoint.lax import reduce_precision_p as reduce_precision_p
from adjoint.lax import reduce_prod_p as reduce_prod_p
from adjoint.lax import reduce_scatter_p as reduce_scatter_p
from adjoint.lax import reduce_sum_p as reduce_sum_p
from adjoint.lax import reduce_window_max_p as reduce_window_max_p
from adjoint.lax import reduce_window_min_p as reduce_window_min_p
from adjoint.lax import reduce_window_p as reduce_window_p
from adjoint.lax import reduce_window_sum_p as reduce_window_sum_p
from adjoint.lax import reduce_xor_p as reduce_xor_p
from adjoint.lax import regularized_incomplete_beta_p as regularized_incomplete_beta_p
from adjoint.lax import rem_p as rem_p
from adjoint.custom_derivatives import remat_opt_p as remat_opt_p
from adjoint.lax import remat2_p as _remat_p
remat_p = _remat_p
from adjoint.lax import reshape_p as reshape_p
from adjoint.lax import reshard_p as reshard_p
from adjoint.lax import rev_p as rev_p
from adjoint.lax import rng_bit_generator_p as rng_bit_generator_p
from adjoint.lax import rng_uniform_p as rng_uniform_p
from adjoint.lax import round_p as round_p
from adjoint.lax import row_product_p as row_product_p
from adjoint.lax import rsqrt_p as rsqrt_p
from adjoint.lax import scaled_dot_p as scaled_dot_p
from adjoint.lax import scan_p as scan_p
from adjoint.lax import scatter_add_p as scatter_add_p
from adjoint.lax import scatter_max_p as scatter_max_p
from adjoint.lax import scatter_min_p as scatter_min_p
from adjoint.lax import scatter_mul_p as scatter_mul_p
from adjoint.lax import scatter_p as scatter_p
from adjoint.lax import scatter_sub_p as scatter_sub_p
from adjoint.lax import schur_p as schur_p
from adjoint.lax import select_and_gather_add_p as select_and_gather_add_p
from adjoint.lax import select_and_scatter_add_p as select_and_scatter_add_p
from adjoint.lax import select_and_scatter_p as select_and_scatter_p
from adjoint.lax import select_n_p as select_n_p
from adjoint.lax import shard_alike_p as shard_alike_p
from adjoint.lax import shard_map_p as shard_map_p
from adjoint.lax import sharding_constraint_p as sharding_constraint_p
from adjoint.lax import shift_left_p as shift_left_p
from adjoint.lax import shift_right_arithmetic_p as shift_right_arithmetic_p
from adjoint.lax import shift_right_logical_p as shift_right_logical_p
from adjoint.lax import sign_p as sign_p
from adjoint.lax import sin_p as sin_p
from adjoint.lax import sine_integral_p as sine_integral_p
from adjoint.lax import sinh_p as sinh_p
from adjoint.lax import slice_p as slice_p
from adjoint.lax import sort_p as sort_p
from adjoint.lax import sparse_product_p as sparse_product_p
from adjoint.lax import spence_p as spence_p
from adjoint.lax import split_p as split_p
from adjoint.lax import spsolve_p as spsolve_p
from adjoint.lax import sqrt_p as sqrt_p
from adjoint.lax import square_p as square_p
from adjoint.lax import squeeze_p as squeeze_p
from adjoint.lax import stack_p as stack_p
from adjoint.lax import stage_p as stage_p
from adjoint.lax import stop_gradient_p as stop_gradient_p
from adjoint.lax import sub_p as sub_p
from adjoint.lax import svd_p as svd_p
from adjoint.lax import swap_p as swap_p
from adjoint.lax import symmetric_product_p as symmetric_product_p
from adjoint.lax import tan_p as tan_p
from adjoint.lax import tanh_p as tanh_p
from adjoint.lax import threefry2x32_p as threefry2x32_p
from adjoint.lax import threefry4x32_p as threefry4x32_p
from adjoint.lax import tile_p as tile_p
from adjoint.lax import todense_p as todense_p
from adjoint.lax import top_k_p as top_k_p
from adjoint.lax import transpose_p as transpose_p
from adjoint.lax import triangular_solve_p as triangular_solve_p
from adjoint.lax import tridiagonal_p as tridiagonal_p
from adjoint.lax import tridiagonal_solve_p as tridiagonal_solve_p
from adjoint.lax import unstack_p as unstack_p
from adjoint.lax import while_p as while_p
from adjoint.lax import wofz_p as wofz_p
from adjoint.lax import xla_metadata_call_p as xla_metadata_call_p
from adjoint.lax import xla_metadata_value_p as xla_metadata_value_p
from adjoint.lax import xor_p as xor_p
from adjoint.lax import zeta_p as zeta_p
