"""Primitives of arrays from rules of shapes and dtypes: names of `jax._src.lax.lax` and `jax._src.lax.utils`.

Tests: `tests/compat/test_private_rules.py`.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ....core import dtypes
from ....core.dtypes import itemsize_bits
from ....core.primitive import Primitive
from ....core.types import AbstractValue, Array, ShapedArray
from ....interpreters.batching import defbroadcasting, defvectorized
from ....lax.operators import logistic
from ....prims.precision import DotAlgorithm, DotAlgorithmPreset
from ....prims.shape import full
from ..operands.constants import check_same_dtypes, try_broadcast_shapes

__all__ = [
    "PaddingType", "broadcasting_shape_rule", "empty_like_shaped_array", "ensure_shaped", "get_algorithm_compute_types",
    "index_dtype_for_axis_size",
    "logistic_impl", "naryop", "naryop_dtype_rule", "standard_abstract_eval", "standard_multi_result_abstract_eval",
    "standard_primitive", "standard_unop", "strip_trailing_nones", "unop", "unop_dtype_rule",
]


class PaddingType(enum.Enum):
    """A way to pad windows."""

    VALID = 1
    SAME = 2
    SAME_LOWER = 3


def ensure_shaped(*avals: AbstractValue) -> tuple[AbstractValue, ...]:
    """Return types that have shapes; AssertionError if one has none."""
    if not all([hasattr(a, "shape") for a in avals]):
        raise AssertionError(f"these have no shapes: {avals}")
    return avals


def standard_abstract_eval(
    prim: Primitive, shape_rule: Callable, dtype_rule: Callable, weak_type_rule: Callable | None, sharding_rule: Any,
    vma_rule: Any, ur_rule: Any, memory_space_rule: Any, *avals: Any, **kwargs: Any
) -> Any:
    """Return the type of a result by rules of its parts; weak where all operands are."""
    weak = all([a.weak_type for a in avals]) if weak_type_rule is None else weak_type_rule(*avals, **kwargs)
    return ShapedArray(shape_rule(*avals, **kwargs), dtype_rule(*avals, **kwargs), bool(weak and avals))


def standard_multi_result_abstract_eval(
    prim: Primitive, shape_rule: Callable, dtype_rule: Callable, weak_type_rule: Callable, sharding_rule: Any,
    vma_rule: Any, ur_rule: Any, *avals: Any, **kwargs: Any
) -> list:
    """Return the types of results by rules of their parts."""
    parts = zip(shape_rule(*avals, **kwargs), dtype_rule(*avals, **kwargs), weak_type_rule(*avals, **kwargs))
    return [ShapedArray(shape, dtype, weak) for shape, dtype, weak in parts]


def standard_primitive(
    shape_rule: Callable, dtype_rule: Callable, name: str, weak_type_rule: Callable | None = None,
    sharding_rule: Any = None, vma_rule: Any = None, ur_rule: Any = None, memory_space_rule: Any = None,
) -> Primitive:
    """Return a primitive of arrays whose result has the shape and the dtype of two rules.

    Args:
      shape_rule, dtype_rule: functions of the types of the operands and the parameters.
      name: the name of the primitive.
      weak_type_rule: whether the result is weakly typed; default, where all operands are.
      sharding_rule, vma_rule, ur_rule, memory_space_rule: are not read.
    """
    prim = Primitive(name, is_listed=False)
    prim.def_abstract_eval(partial(standard_abstract_eval, prim, shape_rule, dtype_rule, weak_type_rule, sharding_rule,
                                   vma_rule, ur_rule, memory_space_rule))
    return prim


def _words(kinds: Any) -> str:
    return ", ".join([kind.__name__ for kind in kinds])


def unop_dtype_rule(
    result_dtype: Callable, accepted_dtypes: Any, name: str, aval: Any, supports_narrow_ints: bool = True, **kwargs: Any
) -> Any:
    """Return the dtype of a result; TypeError if the operand has none of the dtypes that are accepted."""
    if aval.dtype == dtypes.float0:
        raise TypeError(f"Called {name} with a float0 array. float0s do not support any operations by design, because "
                        "they are not compatible with non-trivial vector spaces. No implicit dtype conversion is done.")
    if not any([dtypes.issubdtype(aval.dtype, kind) for kind in accepted_dtypes]):
        raise TypeError(f"{name} does not accept dtype {aval.dtype}. Accepted dtypes are subtypes of "
                        f"{_words(accepted_dtypes)}.")
    if not supports_narrow_ints and aval.dtype in dtypes.small_ints:
        raise TypeError(f"{name} does not accept dtype {aval.dtype}. Support for narrow-width integers is "
                        "platform-dependent and limited to a few specific operations, e.g. basic arithmetic and type "
                        "casting.")
    return result_dtype(aval.dtype, **kwargs)


def unop(result_dtype: Callable, accepted_dtypes: Any, name: str, supports_narrow_ints: bool = True) -> Primitive:
    """Return a primitive that acts on each element of one operand."""
    rule = partial(
        unop_dtype_rule, result_dtype, accepted_dtypes, name, supports_narrow_ints=supports_narrow_ints)
    prim = standard_primitive(lambda aval, **_: aval.shape, rule, name)
    defvectorized(prim)
    return prim


def standard_unop(accepted_dtypes: Any, name: str, supports_narrow_ints: bool = True) -> Primitive:
    """Return a primitive that acts on each element of one operand, and keeps its dtype.

    Args:
      accepted_dtypes: kinds of numbers, `{np.floating}`.
      name: of the primitive.
      supports_narrow_ints: whether integers of four bits and less are accepted.
    """
    return unop(_kept, accepted_dtypes, name, supports_narrow_ints)


def _kept(dtype: Any, **_: Any) -> Any:
    return dtype


def get_algorithm_compute_types(
    algorithm: DotAlgorithm | DotAlgorithmPreset, lhs_dtype: Any, rhs_dtype: Any, out_dtype: Any
) -> tuple[Any, Any, Any]:
    """Return the dtypes in which an algorithm multiplies, and of the result that it gives.

    Args:
      algorithm: how products are computed.
      lhs_dtype: of the left operand.
      rhs_dtype: of the right operand.
      out_dtype: that is asked for.
    """
    if isinstance(algorithm, DotAlgorithm):
        return algorithm.lhs_precision_type, algorithm.rhs_precision_type, algorithm.accumulation_type
    lhs, rhs = _allowed(lhs_dtype, algorithm.supported_lhs_types), _allowed(rhs_dtype, algorithm.supported_rhs_types)
    return lhs, rhs, _allowed(out_dtype, algorithm.supported_output_types(lhs, rhs))


def _allowed(dtype: Any, types: tuple | None) -> Any:
    return dtype if types is None or np.dtype(dtype) in map(np.dtype, types) else types[0]


def naryop_dtype_rule(
    result_dtype: Callable, accepted_dtypes: Sequence, name: str, *avals: Any, require_same: bool = True,
    allow_extended_dtype: bool = False, **kwargs: Any
) -> Any:
    """Return the dtype of a result of several operands; TypeError if one is not accepted, or they differ."""
    assert len(avals) == len(accepted_dtypes), (avals, accepted_dtypes)
    for i, (aval, kinds) in enumerate(zip(avals, accepted_dtypes)):
        if not any([dtypes.issubdtype(aval.dtype, kind) for kind in kinds]):
            raise TypeError(f"{name} does not accept dtype {aval.dtype} at position {i}. Accepted dtypes at position "
                            f"{i} are subtypes of {_words(kinds)}.")
    if require_same:
        check_same_dtypes(name, *avals)
    return result_dtype(*avals, **kwargs)


def broadcasting_shape_rule(name: str, *avals: Any, **kwargs: Any) -> tuple[int, ...]:
    """Return the shape that operands stretch to; TypeError if there is none."""
    return try_broadcast_shapes(*[a.shape for a in avals], name=name)


def naryop(
    result_dtype: Callable, accepted_dtypes: Sequence, name: str, allow_extended_dtype: bool = False,
    require_same_dtypes: bool = True, ur_rule: Any = None,
) -> Primitive:
    """Return a primitive that acts on the elements of several operands."""
    rule = partial(naryop_dtype_rule, result_dtype, accepted_dtypes, name, require_same=require_same_dtypes)
    prim = standard_primitive(partial(broadcasting_shape_rule, name), rule, name)
    defbroadcasting(prim)
    return prim


# ---- small ones ----------------------------------------------------------------------------------


def strip_trailing_nones(lst: Sequence) -> tuple:
    """Return a list without what is None at its end."""
    n = len(lst)
    while n and lst[n - 1] is None:
        n -= 1
    return tuple(lst[:n])


def logistic_impl(x: Any, accuracy: Any) -> Array:
    """Return 1 / (1 + exp(-x))."""
    return logistic(x)


def empty_like_shaped_array(aval: ShapedArray) -> Array:
    """Return an array of a type."""
    return full(aval.shape, 0, aval.dtype, aval.weak_type)


def index_dtype_for_axis_size(indices_dtype: Any, axis_size: int, wrap_negative_indices: bool) -> np.dtype:
    """Return a dtype of indices that holds all positions of an axis."""
    is_kept = not wrap_negative_indices or itemsize_bits(indices_dtype) >= 32
    return np.dtype(indices_dtype) if is_kept else np.dtype("int32")
