"""The meaning of operations on each element, and of those that only move elements.

Tests: `tests/export/test_export.py`.
"""

from __future__ import annotations

import numpy as np

from ... import lax
from ...core import dtypes
from ...lax import RoundingMethod
from ..mlir.elements import array_of, dtype_of
from ..mlir.ir import ArtifactError
from .attributes import choice, integer, integers
from .program import aval_of_type, dtype_of_type, dtype_of_value, fold, rule

__all__: list[str] = []

# Operations that have a function here, whose operands are of one type.
_SAME = dict(
    row.split()
    for row in """
    abs abs|add add|atan2 atan2|cbrt cbrt|ceil ceil|complex complex|cosine cos|count_leading_zeros clz|divide div|
    exponential exp|exponential_minus_one expm1|floor floor|imag imag|is_finite is_finite|log log|
    log_plus_one log1p|logistic logistic|maximum max|minimum min|multiply mul|negate neg|popcnt population_count|
    power pow|real real|remainder rem|rsqrt rsqrt|shift_left shift_left|
    shift_right_arithmetic shift_right_arithmetic|shift_right_logical shift_right_logical|sign sign|sine sin|
    sqrt sqrt|subtract sub|tan tan|tanh tanh|and bitwise_and|or bitwise_or|xor bitwise_xor|not bitwise_not"""
    .replace("\n", "").split("|")
)


def _same(name):
    return lambda frame, op, *xs: getattr(lax, name)(*xs)


for _op, _name in _SAME.items():
    rule(_op)(_same(_name))

rule("round_nearest_afz")(lambda frame, op, x: lax.round(x, RoundingMethod.AWAY_FROM_ZERO))
rule("round_nearest_even")(lambda frame, op, x: lax.round(x, RoundingMethod.TO_NEAREST_EVEN))
rule("clamp")(lambda frame, op, low, x, high: lax.clamp(low, x, high))


@rule("add")
def _(frame, op, x, y):
    return lax.bitwise_or(x, y) if _is_bool(x) else lax.add(x, y)


@rule("multiply", "minimum")
def _(frame, op, x, y):
    if _is_bool(x):
        return lax.bitwise_and(x, y)
    return (lax.mul if op.name == "multiply" else lax.min)(x, y)


@rule("maximum")
def _(frame, op, x, y):
    return lax.bitwise_or(x, y) if _is_bool(x) else lax.max(x, y)


def _is_bool(x) -> bool:
    return dtype_of_value(x).kind == "b"


_DIRECTIONS = dict(EQ="eq", NE="ne", GE="ge", GT="gt", LE="le", LT="lt")
_TOTAL = dict(EQ="eq_to", LT="lt_to", LE="le_to")


@rule("compare")
def _(frame, op, x, y):
    direction = choice(op, "comparison_direction")
    if choice(op, "compare_type") == "TOTALORDER" and dtypes.issubdtype(dtype_of_value(x), np.floating):
        if direction in ("GT", "GE"):
            x, y, direction = y, x, {"GT": "LT", "GE": "LE"}[direction]
        if direction == "NE":
            return lax.bitwise_not(lax.eq_to_p.bind(x, y))
        return getattr(lax, f"{_TOTAL[direction]}_p").bind(x, y)
    return getattr(lax, _DIRECTIONS[direction])(x, y)


@rule("select")
def _(frame, op, which, x, y):
    return lax.select_n(which, y, x)


@rule("convert")
def _(frame, op, x):
    dtype, own = dtype_of_type(op.results[0].type), dtype_of_value(x)
    if dtypes.issubdtype(own, np.complexfloating) and not dtypes.issubdtype(dtype, np.complexfloating):
        x = lax.real(x)
    return lax.convert_element_type_p.bind(x, new_dtype=dtype, weak_type=False, sharding=None)


@rule("bitcast_convert")
def _(frame, op, x):
    return lax.bitcast_convert_type(x, dtype_of_type(op.results[0].type))


@rule("reduce_precision")
def _(frame, op, x):
    return lax.reduce_precision(x, integer(op, "exponent_bits"), integer(op, "mantissa_bits"))


@rule("optimization_barrier")
def _(frame, op, *xs):
    return list(lax.optimization_barrier(list(xs)))


@rule("sdy.sharding_constraint")
def _(frame, op, x):
    return x


@rule("constant")
def _(frame, op):
    value = op.attributes.get("value")
    found = array_of(value) if value is not None else None
    if found is None:
        raise ArtifactError("A constant of the program has no value.")
    return found


# ---- moving elements -------------------------------------------------------------------------------


@rule("broadcast_in_dim")
def _(frame, op, x):
    shape, dims = aval_of_type(op.results[0].type).shape, integers(op, "broadcast_dimensions")
    return lax.broadcast_in_dim(x, shape, dims)


@rule("broadcast")
def _(frame, op, x):
    return lax.broadcast(x, integers(op, "broadcast_sizes"))


@rule("reshape")
def _(frame, op, x):
    return lax.reshape(x, aval_of_type(op.results[0].type).shape)


@rule("transpose")
def _(frame, op, x):
    return lax.transpose(x, integers(op, "permutation"))


@rule("reverse")
def _(frame, op, x):
    return lax.rev(x, integers(op, "dimensions"))


@rule("concatenate")
def _(frame, op, *xs):
    return lax.concatenate(xs, integer(op, "dimension"))


@rule("iota")
def _(frame, op):
    aval = aval_of_type(op.results[0].type)
    return lax.broadcasted_iota(aval.dtype, aval.shape, integer(op, "iota_dimension"))


@rule("slice")
def _(frame, op, x):
    return lax.slice(x, integers(op, "start_indices"), integers(op, "limit_indices"), integers(op, "strides"))


@rule("pad")
def _(frame, op, x, value):
    config = list(zip(*[integers(op, name) for name in ("edge_padding_low", "edge_padding_high", "interior_padding")]))
    return lax.pad(x, value, config)


@rule("dynamic_slice")
def _(frame, op, x, *starts):
    return lax.dynamic_slice(x, starts, integers(op, "slice_sizes"), allow_negative_indices=False)


@rule("dynamic_update_slice")
def _(frame, op, x, update, *starts):
    return lax.dynamic_update_slice(x, update, starts, allow_negative_indices=False)


# ---- what is known ---------------------------------------------------------------------------------


def _folded(fun):
    return lambda op, *xs: _typed(op, fun(*xs))


def _typed(op, found) -> np.ndarray:
    found = np.asarray(found)
    return found if found.dtype == object else found.astype(dtype_of(op.results[0].type.element))


for _op, _fun in {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "maximum": np.maximum, "minimum": np.minimum,
    "negate": np.negative, "abs": np.absolute, "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
    "not": np.invert,
}.items():
    fold(_op)(_folded(_fun))


def _is_integer(*xs) -> bool:
    return all([x.dtype.kind in "iuO" for x in xs])


@fold("divide")
def _(op, x, y):
    if not _is_integer(x, y) or (y.dtype != object and (y == 0).any()):
        return None
    if object in (x.dtype, y.dtype):
        return np.asarray(x // y)
    return _typed(op, np.trunc(x / y) if x.dtype.itemsize < 8 else (np.sign(x) * np.sign(y)) * (abs(x) // abs(y)))


@fold("remainder")
def _(op, x, y):
    if not _is_integer(x, y) or (y.dtype != object and (y == 0).any()):
        return None
    return np.asarray(x % y) if object in (x.dtype, y.dtype) else _typed(op, np.fmod(x, y))


@fold("sign")
def _(op, x):
    return None if x.dtype == object else _typed(op, np.sign(x))


@fold("compare")
def _(op, x, y):
    fun = {"EQ": np.equal, "NE": np.not_equal, "GE": np.greater_equal, "GT": np.greater, "LE": np.less_equal,
           "LT": np.less}[choice(op, "comparison_direction")]
    return np.asarray(fun(x, y)).astype(bool)


@fold("select")
def _(op, which, x, y):
    return np.where(which, x, y)


@fold("convert")
def _(op, x):
    dtype = dtype_of(op.results[0].type.element)
    if x.dtype == object or dtype.kind not in "iub":
        return x if dtype.kind in "iu" else None
    return x.astype(dtype)


@fold("reshape")
def _(op, x):
    return x.reshape(aval_of_type(op.results[0].type).shape)


@fold("broadcast_in_dim")
def _(op, x):
    aval = aval_of_type(op.results[0].type)
    if aval.size > 64:
        return None
    wide = [1] * aval.ndim
    for d, n in zip(integers(op, "broadcast_dimensions"), x.shape):
        wide[d] = n
    return np.broadcast_to(x.reshape(wide), aval.shape)


@fold("concatenate")
def _(op, *xs):
    return np.concatenate(xs, integer(op, "dimension"))


@fold("slice")
def _(op, x):
    ranges = zip(*[integers(op, name) for name in ("start_indices", "limit_indices", "strides")])
    return x[tuple([slice(*r) for r in ranges])]


@fold("clamp")
def _(op, low, x, high):
    return _typed(op, np.minimum(np.maximum(x, low), high))


