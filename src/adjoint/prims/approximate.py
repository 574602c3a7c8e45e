"""`approx_top_k`: the few greatest or least, of which an accelerator may miss some to be faster.

Here none is missed. What is left to the caller without `aggregate_to_topk` is as long as on an accelerator that keeps
the best of each of many parts: F. Chern et al., "TPU-KNN" (2022), section 6.
"""

from __future__ import annotations

from math import ceil, log

import numpy as np

from ..core import dtypes
from ..core.primitive import Primitive
from ..core.types import ShapedArray, aval_of
from ..core.values.zeros import Zero
from .arithmetic import neg
from .shape import reshape
from .sorting import along, top_k

__all__ = ["approx_top_k"]

_RESULTS_PER_TILE = 1024  # results are made so many at a time

approx_top_k = Primitive("approx_top_k", multiple_results=True)


def _length(n: int, k: int, recall: float, whole: int) -> int:
    """Return the number of results before the k best are taken; `whole` is the size of all parts together."""
    n_all = n if whole < 0 else whole
    if k == 1:
        return min(n, _RESULTS_PER_TILE)
    least = min(max(ceil((1 - k) / log(recall)), _RESULTS_PER_TILE), n_all) if recall < 1 else n_all
    halvings = (n_all // least).bit_length() - 1
    if not halvings:
        return n
    return min(n, ceil(ceil(n / _RESULTS_PER_TILE) / 2**halvings) * _RESULTS_PER_TILE)


def _axis(x, reduction_dimension) -> int:
    return reduction_dimension + (len(x.shape) if reduction_dimension < 0 else 0)


@approx_top_k.type
def _(x, *, k, reduction_dimension, recall_target, is_max_k, reduction_input_size_override, aggregate_to_topk):
    if not x.shape:
        raise TypeError(f"approx_top_k operand must have >= 1 dimension, got {x.shape}")
    if k <= 0:
        raise ValueError(f"k must be positive, got {k}")
    if not dtypes.issubdtype(x.dtype, np.floating):
        raise ValueError(f"operand must be a floating type, got {x.dtype.name}")
    axis = _axis(x, reduction_dimension)
    if not 0 <= axis < x.ndim:
        raise IndexError(f"axis {reduction_dimension} is out of range for approx_top_k of {x.str_short()}")
    n = x.shape[axis]
    if n < k:
        raise ValueError(f"k must be smaller than the size of reduction_dim {n}, got {k}")
    if not aggregate_to_topk:
        k = _length(n, k, recall_target, reduction_input_size_override)
    shape = (*x.shape[:axis], k, *x.shape[axis + 1 :])
    return [ShapedArray(shape, x.dtype, x.weak_type), ShapedArray(shape, dtypes.int32, x.weak_type)]


def _best(top_k, neg, x, params) -> list:
    """Return the results, by this way to find the greatest."""
    axis = _axis(x, params["reduction_dimension"])
    k = params["k"]
    if not params["aggregate_to_topk"]:
        k = _length(x.shape[axis], k, params["recall_target"], params["reduction_input_size_override"])
    if params["is_max_k"]:
        return top_k(x, k=k, axis=axis)
    values, places = top_k(neg(x), k=k, axis=axis)
    return [neg(values), places]


approx_top_k.evaluate(lambda x, **params: _best(top_k.evaluate_rule, np.negative, x, params))
approx_top_k.expand_rule = lambda x, **params: _best(top_k, neg, x, params)


@approx_top_k.jvp
def _(primals, tangents, **params):
    (x,), (t,) = primals, tangents
    values, places = approx_top_k(x, **params)
    no_tangent = Zero(places.aval.to_tangent_aval())
    if type(t) is Zero:
        return [values, places], [Zero(values.aval.to_tangent_aval()), no_tangent]
    columns = reshape(places, new_sizes=(*places.shape, 1), dimensions=None, sharding=None)
    return [values, places], [along(t, columns, _axis(x, params["reduction_dimension"])), no_tangent]


@approx_top_k.batch
def _(args, dims, **params):
    (x,), (d,) = args, dims
    aval = aval_of(x)
    approx_top_k.infer((aval.update(shape=aval.shape[:d] + aval.shape[d + 1 :]),), params)
    axis = params["reduction_dimension"] + (x.ndim - 1 if params["reduction_dimension"] < 0 else 0)
    axis += axis >= d
    return approx_top_k(x, **{**params, "reduction_dimension": axis}), d


_params = dict(
    k=2, reduction_dimension=-1, recall_target=0.95, is_max_k=True, reduction_input_size_override=-1,
    aggregate_to_topk=True,
)
approx_top_k.examples(
    (ShapedArray((5,), dtypes.float32), _params),
    (ShapedArray((3, 4), dtypes.float32), {**_params, "is_max_k": False, "reduction_dimension": 0}),
)
