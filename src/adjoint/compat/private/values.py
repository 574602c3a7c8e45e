"""Small questions about values, types and shapes that libraries ask of JAX's inside.

Tests: `tests/compat/test_private.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np

from ...core import dtypes
from ...core.trace import Tracer, state
from ...core.tree.tree import tree_map
from ...core.types import Array, ShapedArray, aval_of
from ...lax.shape import reshape
from ...numpy.conversion import asarray
from ...numpy.promotion import convert
from ...numpy.ranges import arange
from ...random.keys import key_data
from ...transforms.jit.staging import ShapeDtypeStruct, eval_shape
from ...transforms.vmap import BatchTrace
from ...transforms.vmappable import vmappables

__all__ = [
    "DType", "Out", "batch_and_remainder", "definitely_equal_shape", "full_lower", "get_referent",
    "make_iota", "physical_aval", "promote_dtypes", "promote_dtypes_complex", "promote_dtypes_inexact",
    "supports_inf", "to_complex_dtype", "to_elt", "trace_state_clean",
]
DType = np.dtype
Out = TypeVar("Out")  # what a function returns


def trace_state_clean() -> bool:
    """Return whether no transformation is active."""
    return state.trace is state.bottom and not state.axis_env


def full_lower(val: Any) -> Any:
    """Return the simplest value that stands for the same; a tracer of a library says which that is."""
    return val.full_lower() if isinstance(val, Tracer) else val


def get_referent(x: Any) -> Any:
    """Return the value itself."""
    return x


def definitely_equal_shape(s1: Sequence, s2: Sequence) -> bool:
    """Return whether two shapes are known to be equal.

    >>> definitely_equal_shape((2, 3), (2, 3))
    True
    """
    return len(s1) == len(s2) and all([a is b or bool(a == b) for a, b in zip(s1, s2)])


def physical_aval(aval: ShapedArray) -> ShapedArray:
    """Return the type of what is stored: for keys that of their words."""
    if not dtypes.issubdtype(aval.dtype, dtypes.extended):
        return aval
    words = eval_shape(key_data, ShapeDtypeStruct(aval.shape, aval.dtype))
    return ShapedArray(words.shape, words.dtype)


def to_complex_dtype(dtype: Any) -> np.dtype:
    """Return the complex dtype of the numbers of a dtype.

    >>> to_complex_dtype("float64")
    dtype('complex128')
    """
    return np.dtype("complex128" if np.dtype(dtype).name in ("float64", "complex128") else "complex64")


def supports_inf(dtype: Any) -> bool:
    """Return whether infinity is among the numbers of a dtype."""
    if not dtypes.issubdtype(dtype, np.inexact):
        return False
    with np.errstate(all="ignore"):
        return bool(np.isinf(np.asarray(np.inf).astype(dtype).astype(np.complex128).real))


def promote_dtypes(*args: Any) -> list[Array]:
    """Return the operands as arrays of one dtype."""
    arrays = [asarray(x) for x in args]
    common, weak = dtypes.lattice_result_type(*args)
    return [convert(x, common, weak) for x in arrays]


def promote_dtypes_inexact(*args: Any) -> list[Array]:
    """Return the operands as arrays of one floating-point or complex dtype."""
    arrays = [asarray(x) for x in args]
    common, weak = dtypes.lattice_result_type(*args)
    return [convert(x, dtypes.to_inexact_dtype(common), weak) for x in arrays]


def promote_dtypes_complex(*args: Any) -> list[Array]:
    """Return the operands as arrays of one complex dtype."""
    arrays = [asarray(x) for x in args]
    common, weak = dtypes.lattice_result_type(*arrays)
    dtype = to_complex_dtype(common)
    return [convert(x, dtype, weak) for x in arrays]


def make_iota(axis_size: Any) -> Array:
    """Return the numbers of the calls of a mapped function."""
    for known in vmappables.values():
        if isinstance(axis_size, known.axis_size_type) and known.make_iota is not None:
            return known.make_iota(axis_size)
    return arange(int(axis_size))


def to_elt(trace: BatchTrace, get_idx: Callable, x: Any, spec: Any) -> Any:
    """Return what one call of a mapped function sees of a value."""
    known = vmappables.get(type(x))
    if known is not None:
        return known.to_elt(partial(to_elt, trace, get_idx), get_idx, x, spec)
    return x if spec is None else trace.tracer(x, spec % aval_of(x).ndim)


def batch_and_remainder(x: Any, batch_size: int) -> tuple[Any, Any]:
    """Return arrays cut into batches of rows, with one more axis in front, and the rows that are left; None if there
    are none.
    """
    lengths = set()
    tree_map(lambda a: lengths.add(aval_of(a).shape[0]), x)
    if len(lengths) != 1:
        raise ValueError(f"The arrays differ in length along their first axis: {sorted(lengths)}")
    n = lengths.pop()
    whole = n // batch_size * batch_size
    batches = tree_map(lambda a: reshape(a[:whole], (n // batch_size, batch_size, *a.shape[1:])), x)
    return batches, None if whole == n else tree_map(lambda a: a[whole:], x)
