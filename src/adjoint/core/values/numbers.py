"""Python's and NumPy's numbers and arrays as operands: their types, and numbers that a program remembers.

Tests: `tests/transforms/test_jaxprs.py`.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from .. import dtypes
from ..messages.errors import message, shorten
from ..options.config import local
from ..types import ShapedArray, register_aval

__all__ = ["as_typed", "refuse_masked", "register_arrays"]

_make_array: Any = None


def register_arrays(make_array) -> None:
    """Let `make_array(buffer, aval)` make the arrays of NumPy arrays."""
    global _make_array
    _make_array = make_array


def as_typed(x, aval: ShapedArray):
    """Return the scalar `x` of a program, as an operand of type `aval` whatever 64-bit mode it is read in."""
    dtype = aval.dtype
    known = dtypes.of_python(type(x))
    if dtype == known if known is not None else dtype not in dtypes.WIDE or local.enable_x64:
        return x
    return _make_array(np.asarray(x, dtype), aval)


def refuse_masked(x) -> None:
    """ValueError for an array of NumPy with a mask, which computations would leave out."""
    masked = sys.modules.get("numpy.ma")
    if masked is not None and isinstance(x, masked.MaskedArray):
        what = "numpy masked arrays are not supported as direct inputs to JAX functions."
        raise ValueError(message(what, fix="x.filled(value), jnp.where(x.mask, value, x.data), or x.compressed()"))


def _numpy_aval(x):
    if type(x) is not np.ndarray:
        refuse_masked(x)
    dtype = dtypes.canonicalize_dtype(x.dtype)
    if not dtypes.is_supported(dtype):
        what = f"Value '{shorten(x)}' with dtype {dtype} is not a valid JAX array type. Only arrays of numeric types "
        raise TypeError(message(what + "are supported by JAX.", fix="x.astype(float), where it holds numbers"))
    return ShapedArray(x.shape, dtype)


_SCALARS = {
    mode: {python: ShapedArray((), dtype, python is not bool) for python, (dtype, _) in table.items()}
    for mode, table in dtypes.SCALARS.items()
}
_BITS = {mode: 8 * table[int].dtype.itemsize for mode, table in _SCALARS.items()}


def _int_aval(x):
    mode = local.enable_x64
    if x.bit_length() < _BITS[mode] or x == -1 << _BITS[mode] - 1:
        return _SCALARS[mode][int]
    what = f"Python int {x} too large to convert to {_SCALARS[mode][int].dtype.name}"
    fix = "" if mode else 'jax.config.update("jax_enable_x64", True) for 64 bits, or '
    raise OverflowError(message(what, fix=f"{fix}float({x}) where digits may be lost"))


register_aval(np.ndarray, _numpy_aval)
register_aval(np.generic, _numpy_aval)
register_aval(bool, lambda x: _SCALARS[False][bool])
register_aval(int, _int_aval)
register_aval(float, lambda x: _SCALARS[local.enable_x64][float])
register_aval(complex, lambda x: _SCALARS[local.enable_x64][complex])
