"""Rules of what is checked of which primitive: NaN among results, division by zero, positions outside of arrays.

A rule is `(enabled, error, args, params) -> error, results`; it binds the primitive and adds to the error what it
finds. `rules` has them by primitive, those of primitives that hold programs too (`programs.py`).

Tests: `tests/experimental/test_checkify.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from math import prod
from typing import Any

import numpy as np

from ...core.dtypes import issubdtype
from ...core.primitive import Primitive, primitives
from ...core.trace import state
from ...core.tree.tree import tree_flatten
from ...core.types import Array, aval_of
from ...prims.arithmetic import rem
from ...prims.conversion import bitcast_convert_type, convert_element_type
from ...prims.indexing import gather, scatter, scatter_add, scatter_max, scatter_min, scatter_mul, scatter_sub
from ...prims.logic import eq, gt, ne, or_
from ...prims.reduction import argmax
from ...prims.shape import broadcast_in_dim, concatenate, reshape, squeeze
from ...prims.slicing import dynamic_slice, dynamic_update_slice, slice_
from .errors import Error, any_of, check_p, error_of, new_code
from .exceptions import DivisionByZeroError, NaNError, OOBError, effect_of

__all__ = ["bind", "is_nan_checked", "rule_of", "rules"]

rules: dict[Primitive, Callable] = {}


def bind(p: Primitive, args, params) -> list:
    """Return the results of a primitive, as a list."""
    out = p.bind(*args, **params)
    return list(out) if p.multiple_results else [out]


# ---- NaN -----------------------------------------------------------------------------------------


def shown_part(p: Primitive, params: dict, x):
    """Return a result of `p`, or the part of it in which a NaN in the rest is seen: where sums that run on end."""
    if p.name not in _RUNNING:
        return x
    shape, axis = aval_of(x).shape, params["axis"]
    end = 0 if params["reverse"] else shape[axis] - 1
    starts = tuple([end if a == axis else 0 for a in range(len(shape))])
    limits = tuple([end + 1 if a == axis else n for a, n in enumerate(shape)])
    return slice_(x, start_indices=starts, limit_indices=limits, strides=None) if shape[axis] else x


_RUNNING = frozenset(("cumlogsumexp", "cummax", "cummin", "cumprod", "cumsum"))


def with_nan_checked(error: Error, p: Primitive, params: dict, outs: list) -> Error:
    """Return the error after a look at the results of `p`."""
    pred = False
    for x in outs:
        if issubdtype(aval_of(x).dtype, np.inexact):
            part = shown_part(p, params, x)
            one = any_of(ne(part, part))
            pred = one if pred is False else or_(pred, one)
    return error.found(pred, NaNError(state.source, p.name))


def _nan_rule(p: Primitive) -> Callable:
    def rule(enabled, error, args, params):
        outs = bind(p, args, params)
        return (with_nan_checked(error, p, params, outs) if NaNError in enabled else error), outs

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


def is_nan_checked(p: Primitive) -> bool:
    """Return whether the results of a primitive are looked at for NaN."""
    return p.name in _MAY_GIVE_NAN and primitives.get(p.name) is p


def rule_of(p: Primitive) -> Callable | None:
    """Return the rule of a primitive; None if nothing is checked of it."""
    rule = rules.get(p)
    if rule is None and is_nan_checked(p):
        rule = rules[p] = _nan_rule(p)
    return rule


# ---- division ------------------------------------------------------------------------------------


def _div_rule(enabled, error, args, params):
    _, y = args
    if DivisionByZeroError in enabled:
        known = None if isinstance(y, Array) else np.asarray(y)
        if known is not None and known.all():
            pred = False
        else:
            pred = any_of(eq(y, np.zeros((), aval_of(y).dtype)[()]))
        error = error.found(pred, DivisionByZeroError(state.source))
    return _nan_rule(primitives["div"])(enabled, error, args, params)


rules[primitives["div"]] = _div_rule


# ---- positions -----------------------------------------------------------------------------------


def _outside(error: Error, p: Primitive, shape, positions, last, axes, parts=None) -> Error:
    """Return the error after a look at positions.

    Args:
      shape: that of the array.
      positions: integers, whose last axis has one for each of `axes`.
      last: the greatest position that is inside, for each of `axes`.
      parts: the same for each of `axes`, in any shape, how positions are put together, and of what.
    """
    own = aval_of(positions)
    if not prod(own.shape):
        return error
    if own.dtype.itemsize < 4 or own.dtype.kind == "u":
        positions, parts = convert_element_type(positions, new_dtype=_INT32, weak_type=False), None
    flat = lambda x: reshape(x, new_sizes=(prod(own.shape),), dimensions=None, sharding=None)
    at = lambda table, i: squeeze(dynamic_slice(table, i, slice_sizes=(1,)), dimensions=(0,))
    int32 = lambda x: convert_element_type(x, new_dtype=_INT32, weak_type=False)

    def over(positions, last):  # negative ones are great as unsigned ones
        unsigned = np.dtype(f"uint{8 * positions.dtype.itemsize}")
        limits = np.array(last, unsigned)
        return gt(bitcast_convert_type(positions, new_dtype=unsigned), _spread(limits, aval_of(positions).shape))

    def bad(positions):
        return over(positions, last)

    def first(positions):
        place = argmax(flat(bad(positions)), axes=(0,), index_dtype=_INT32)
        value = int32(at(flat(positions), place))
        if len(axes) == 1:
            axis, size = np.int32(axes[0]), np.int32(shape[axes[0]])
        else:
            of = rem(place, np.int32(len(axes)))
            axis, size = at(np.array(axes, np.int32), of), at(np.array([shape[a] for a in axes], np.int32), of)
        return [concatenate(
            *[broadcast_in_dim(x, shape=(1,), broadcast_dimensions=(), sharding=None) for x in (value, axis, size)],
            dimension=0,
        )]

    each, whole, operands = parts or (None, lambda x: [x], [positions])
    preds = [any_of(over(x, n)) for x, n in zip(each, last)] if each else [any_of(bad(positions))]
    pred, ones = reduce(or_, preds), np.ones(3, np.int32)
    if not state.trace.stages:
        return error.found(pred, OOBError(state.source, p.name, shape, *first(positions)))
    code, (_, tree) = np.int32(new_code()), tree_flatten(exception := OOBError(state.source, p.name, shape, ones))
    return error.found_by(
        effect_of(exception), pred, {int(code): tree}, [code, ones], lambda *xs: [code, *first(*whole(*xs))], operands
    )


_INT32 = np.dtype(np.int32)


def _spread(values: np.ndarray, shape):
    if len(shape) == values.ndim:
        return values
    if not values.ndim:
        return values[()]
    return broadcast_in_dim(values, shape=shape, broadcast_dimensions=(len(shape) - 1,), sharding=None)


def positions_of(p: Primitive, operands: Sequence) -> Any:
    """Return the operand of a primitive that has positions, for each of some axes one; None of others."""
    return operands[1] if p is gather or p in _SCATTERS else None


def _gather_rule(enabled, error, args, params, parts=None):
    operand, indices = args
    if OOBError in enabled:
        numbers, shape = params["dimension_numbers"], aval_of(operand).shape
        axes = numbers.start_index_map
        last = [shape[a] - params["slice_sizes"][a] for a in axes]
        error = _outside(error, gather, shape, indices, last, axes, parts)
    return error, bind(gather, args, params)


rules[gather] = _gather_rule


def _scatter_rule(p: Primitive) -> Callable:
    def rule(enabled, error, args, params, parts=None):
        operand, indices, updates = args
        if OOBError in enabled:
            numbers, shape = params["dimension_numbers"], aval_of(operand).shape
            left_out = {*numbers.inserted_window_dims, *numbers.operand_batching_dims}
            windows = iter(numbers.update_window_dims)
            sizes = [1 if a in left_out else aval_of(updates).shape[next(windows)] for a in range(len(shape))]
            axes = numbers.scatter_dims_to_operand_dims
            error = _outside(error, p, shape, indices, [shape[a] - sizes[a] for a in axes], axes, parts)
        return error, bind(p, args, params)

    return rule


_SCATTERS = (scatter, scatter_add, scatter_max, scatter_min, scatter_mul, scatter_sub)
for _p in _SCATTERS:
    rules[_p] = _scatter_rule(_p)


def _slice_checked(error, p: Primitive, operand, starts, sizes) -> Error:
    shape = aval_of(operand).shape
    if not starts:
        return error
    dtype = np.result_type(*[aval_of(s).dtype for s in starts])
    starts = [convert_element_type(s, new_dtype=dtype, weak_type=False) for s in starts]
    whole = lambda *xs: [concatenate(
        *[broadcast_in_dim(x, shape=(1,), broadcast_dimensions=(), sharding=None) for x in xs], dimension=0
    )]
    last = [n - k for n, k in zip(shape, sizes)]
    return _outside(error, p, shape, *whole(*starts), last, tuple(range(len(shape))), (starts, whole, starts))


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
