"""What is checked of which primitive: NaN among results, division by zero, positions outside of arrays.

A rule is `(enabled, error, args, params) -> error, results`; it binds the primitive and adds to the error what it
finds. `rules` has them by primitive, those of primitives that hold programs too (`programs.py`).

Tests: `tests/experimental/test_checkify.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np

from ...core.dtypes import issubdtype
from ...core.primitive import Primitive, primitives
from ...core.trace import state
from ...core.types import aval_of
from ...prims.conversion import convert_element_type
from ...prims.indexing import gather, scatter, scatter_add, scatter_max, scatter_min, scatter_mul, scatter_sub
from ...prims.logic import eq, gt, lt, ne, or_
from ...prims.reduction import argmax, reduce_or
from ...prims.shape import broadcast_in_dim, concatenate, reshape, squeeze
from ...prims.slicing import dynamic_slice, dynamic_update_slice
from .errors import Error, check_p, error_of
from .exceptions import DivisionByZeroError, NaNError, OOBError

__all__ = ["bind", "rule_of", "rules"]

rules: dict[Primitive, Callable] = {}


def bind(p: Primitive, args, params) -> list:
    """The results of a primitive, as a list."""
    out = p.bind(*args, **params)
    return list(out) if p.multiple_results else [out]


def any_of(x):
    """Return whether one of the elements is true."""
    axes = tuple(range(aval_of(x).ndim))
    return reduce_or(x, axes=axes) if axes else x


# ---- NaN -----------------------------------------------------------------------------------------


def with_nan_checked(error: Error, p: Primitive, outs: list) -> Error:
    """The error after a look at the results of `p`."""
    pred = False
    for x in outs:
        if issubdtype(aval_of(x).dtype, np.inexact):
            one = any_of(ne(x, x))
            pred = one if pred is False else or_(pred, one)
    return error.found(pred, NaNError(state.source, p.name))


def _nan_rule(p: Primitive) -> Callable:
    def rule(enabled, error, args, params):
        outs = bind(p, args, params)
        return (with_nan_checked(error, p, outs) if NaNError in enabled else error), outs

    return rule


# JAX parity: those that move, compare or round are not looked at, nor are factorizations.
_MAY_GIVE_NAN = frozenset(
    """
    acos acosh add asin asinh atan atan2 atanh bessel_i0e bessel_i1e cbrt conv_general_dilated cos cosh
    cumlogsumexp cummax cummin cumprod cumsum custom_linear_solve digamma div dot_general erf erf_inv erfc exp
    expm1 fft igamma igamma_grad_a igammac integer_pow lgamma log log1p logistic mul pad pow psum
    psum_invariant random_gamma_grad reduce reduce_prod reduce_sum reduce_window reduce_window_sum
    regularized_incomplete_beta rem rsqrt sin sinh sqrt sub tan tanh
    """.split()
)


def rule_of(p: Primitive) -> Callable | None:
    """The rule of a primitive; None if nothing is checked of it."""
    rule = rules.get(p)
    if rule is None and p.name in _MAY_GIVE_NAN and primitives.get(p.name) is p:
        rule = rules[p] = _nan_rule(p)
    return rule


# ---- division ------------------------------------------------------------------------------------


def _div_rule(enabled, error, args, params):
    _, y = args
    if DivisionByZeroError in enabled:
        dtype = aval_of(y).dtype
        error = error.found(any_of(eq(y, np.zeros((), dtype)[()])), DivisionByZeroError(state.source))
    return _nan_rule(primitives["div"])(enabled, error, args, params)


rules[primitives["div"]] = _div_rule


# ---- positions -----------------------------------------------------------------------------------


def _outside(error: Error, p: Primitive, shape, positions, last, axes) -> Error:
    """The error after a look at positions.

    Args:
      shape: that of the array.
      positions: integers, whose last axis has one for each of `axes`.
      last: the greatest position that is inside, for each of `axes`.
    """
    own = aval_of(positions)
    if not prod(own.shape):
        return error
    if own.dtype.itemsize < 4 or own.dtype.kind == "u":
        positions = convert_element_type(positions, new_dtype=np.dtype(np.int32), weak_type=False)
    dtype, k = aval_of(positions).dtype, len(axes)
    wide = lambda values: _spread(np.array(values, dtype), own.shape)
    bad = or_(lt(positions, dtype.type(0)), gt(positions, wide(last)))
    flat = lambda x: reshape(x, new_sizes=(prod(own.shape),), dimensions=None, sharding=None)
    first = argmax(flat(bad), axes=(0,), index_dtype=np.dtype(np.int32))
    at = lambda table, i: squeeze(dynamic_slice(table, i, slice_sizes=(1,)), dimensions=(0,))
    int32 = lambda x: convert_element_type(x, new_dtype=np.dtype(np.int32), weak_type=False)
    value = int32(at(flat(positions), first))
    if k == 1:
        axis, size = np.int32(axes[0]), np.int32(shape[axes[0]])
    else:
        of = primitives["rem"](first, np.int32(k))
        axis = at(np.array(axes, np.int32), of)
        size = at(np.array([shape[a] for a in axes], np.int32), of)
    lined = [broadcast_in_dim(x, shape=(1,), broadcast_dimensions=(), sharding=None) for x in (value, axis, size)]
    payload = concatenate(*lined, dimension=0)
    return error.found(any_of(bad), OOBError(state.source, p.name, shape, payload))


def _spread(values: np.ndarray, shape):
    if len(shape) == 1:
        return values
    return broadcast_in_dim(values, shape=shape, broadcast_dimensions=(len(shape) - 1,), sharding=None)


def _gather_rule(enabled, error, args, params):
    operand, indices = args
    if OOBError in enabled:
        numbers, shape = params["dimension_numbers"], aval_of(operand).shape
        axes = numbers.start_index_map
        last = [shape[a] - params["slice_sizes"][a] for a in axes]
        error = _outside(error, gather, shape, indices, last, axes)
    return error, bind(gather, args, params)


rules[gather] = _gather_rule


def _scatter_rule(p: Primitive) -> Callable:
    def rule(enabled, error, args, params):
        operand, indices, updates = args
        if OOBError in enabled:
            numbers, shape = params["dimension_numbers"], aval_of(operand).shape
            left_out = {*numbers.inserted_window_dims, *numbers.operand_batching_dims}
            windows = iter(numbers.update_window_dims)
            sizes = [1 if a in left_out else aval_of(updates).shape[next(windows)] for a in range(len(shape))]
            axes = numbers.scatter_dims_to_operand_dims
            error = _outside(error, p, shape, indices, [shape[a] - sizes[a] for a in axes], axes)
        return error, bind(p, args, params)

    return rule


for _p in (scatter, scatter_add, scatter_max, scatter_min, scatter_mul, scatter_sub):
    rules[_p] = _scatter_rule(_p)


def _slice_checked(error, p: Primitive, operand, starts, sizes) -> Error:
    shape = aval_of(operand).shape
    if not starts:
        return error
    dtype = np.result_type(*[aval_of(s).dtype for s in starts])
    lined = [
        broadcast_in_dim(
            convert_element_type(s, new_dtype=dtype, weak_type=False), shape=(1,),
            broadcast_dimensions=(), sharding=None,
        )
        for s in starts
    ]
    positions = concatenate(*lined, dimension=0) if len(lined) > 1 else lined[0]
    return _outside(error, p, shape, positions, [n - k for n, k in zip(shape, sizes)], tuple(range(len(shape))))


def _dynamic_slice_rule(enabled, error, args, params):
    operand, *starts = args
    if OOBError in enabled:
        error = _slice_checked(error, dynamic_slice, operand, starts, params["slice_sizes"])
    return error, bind(dynamic_slice, args, params)


def _dynamic_update_slice_rule(enabled, error, args, params):
    operand, update, *starts = args
    if OOBError in enabled:
        error = _slice_checked(error, dynamic_update_slice, operand, starts, aval_of(update).shape)
    return error, bind(dynamic_update_slice, args, params)


rules[dynamic_slice] = _dynamic_slice_rule
rules[dynamic_update_slice] = _dynamic_update_slice_rule


# ---- what users check ----------------------------------------------------------------------------


def _check_rule(enabled, error, args, params):
    given = params["err_tree"].unflatten(args)
    for e in given.effects:
        if e.error_type in enabled:
            values = [given._pred[e], given._code[e], *given._payload[e]]
            error = error.merged(error_of([e], values, given._metadata))
    return error, []


rules[check_p] = _check_rule
