"""Conversions: of dtypes by value or by bits, of precision, of variables into constants.

Tests: `tests/lax/test_operators.py`.
"""

from __future__ import annotations

import operator

import numpy as np

from ..core import dtypes
from ..core.messages.errors import message
from ..core.trace import state
from ..core.tree.tree import tree_flatten, tree_map, tree_unflatten
from ..core.types import Array, aval_of
from ..prims import barrier, conversion

__all__ = [
    "bitcast_convert_type", "convert_element_type", "optimization_barrier", "reduce_precision",
    "stop_gradient",
]


def convert_element_type(operand, new_dtype) -> Array:
    """Return `operand` with its elements converted to another dtype.

    Floats become integers towards zero, complex numbers lose their imaginary part (with a warning).

    Args:
      operand: array or scalar.
      new_dtype: a dtype or what names one; a 64-bit one is narrowed with a warning if they are off.
    Returns:
      The values in that dtype, in an array of the operand's shape. Floats beyond its range become infinite, or the
      greatest or least integer; integers lose their upper bits.
    Raises:
      TypeError: there is no such dtype, or `operand` is not an array.
      ValueError: `new_dtype` is None.

    >>> lax.convert_element_type(1.5, "int32")
    Array(1, dtype=int32)
    """
    if new_dtype is None:
        raise ValueError("dtype must be specified. Try: convert_element_type(x, x.dtype)")
    dtype = dtypes.check_user_dtype_supported(new_dtype, "convert_element_type")
    if hasattr(operand, "__jax_array__"):
        operand = operand.__jax_array__()
    if type(operand) is int:
        operand = _wrapping(operand, dtype)
    elif isinstance(operand, np.generic) or type(operand) is complex:
        operand = _cast_by_numpy(operand, dtype)
    aval = operand.aval if isinstance(operand, Array) else aval_of(operand)
    if dtype == aval.dtype and not aval.weak_type and isinstance(operand, Array):
        return operand
    dtypes.warn_of_lost_parts(aval.dtype, dtype)
    return conversion.convert_element_type(operand, new_dtype=dtype, weak_type=False, sharding=None)


def _wrapping(number: int, dtype):
    """Return a Python integer that no default integer holds, in a dtype: integers keep their lowest bits."""
    narrow = np.iinfo(dtypes.of_python(int))
    if narrow.min <= number <= narrow.max or dtype.kind not in "iufc":
        return number
    return np.asarray(number).astype(dtype)[()]


def _cast_by_numpy(number, dtype):
    """Return a scalar in a dtype as NumPy, which converts scalars in JAX, does it: it wraps where arrays saturate."""
    if isinstance(number, np.generic):
        return number if number.dtype.kind == "V" or dtype.kind == "V" else number.astype(dtype)
    if dtype == np.bool_:
        return bool(number)  # either part counts; that of an array is the real one
    if dtype.kind != "c":
        raise TypeError(message(
            f"{dtype.name}() argument must be a real number, not 'complex', got {number}.", fix="x.real, or abs(x)"
        ))
    return number


def bitcast_convert_type(operand, new_dtype) -> Array:
    """Return the bits of `operand`, read as another dtype.

    A narrower dtype adds a last axis of the parts of each element, lowest bits first; a wider one
    takes the last axis away.

    Args:
      operand: array or scalar.
      new_dtype: the dtype, or what names one.
    Returns:
      An array of the new dtype with the same bits; of the operand's shape, if elements are as wide as before.
    Raises:
      TypeError: a boolean or complex dtype, unless both are the same.
      ValueError: the last axis does not make up one element of a wider dtype.

    >>> lax.bitcast_convert_type(1.0, "uint32")
    Array(1065353216, dtype=uint32)
    """
    dtype = dtypes.check_user_dtype_supported(new_dtype, "bitcast_convert_type")
    return conversion.bitcast_convert_type(operand, new_dtype=dtype)


def reduce_precision(operand, exponent_bits: int, mantissa_bits: int) -> Array:
    """Return floats rounded to fewer bits; the dtype stays.

    Args:
      operand: array or scalar (floating).
      exponent_bits, mantissa_bits: the bits that are kept; float16 has 5 and 10, bfloat16 8 and 7.
    Returns:
      An array of the operand's shape and dtype: the nearest numbers that have so few bits, infinite where the exponent
      is too great.
    Raises:
      TypeError: `operand` is not floating, or a number of bits is no integer.
      ValueError: `exponent_bits` is not positive, or `mantissa_bits` is negative.

    >>> lax.reduce_precision(1.001, 8, 7)
    Array(1., dtype=float32, weak_type=True)
    """
    return conversion.reduce_precision(
        operand, exponent_bits=operator.index(exponent_bits), mantissa_bits=operator.index(mantissa_bits)
    )


def stop_gradient(x):
    """Return `x` as a constant for derivatives: its tangent is zero.

    Args:
      x: a tree of arrays; leaves of integers are as they are.
    Returns:
      The tree, with the same values.
    Raises:
      TypeError: a leaf is no array or number.

    >>> grad(lambda x: x * lax.stop_gradient(x))(3.0)
    Array(3., dtype=float32, weak_type=True)
    """
    return tree_map(_constant, x)


def _constant(x):
    """Cut an array off; a value of Python or NumPy is a constant already, and keeps its type."""
    if isinstance(x, Array) or state.trace.stages:
        return conversion.stop_gradient(x)
    dtype = aval_of(x).dtype
    is_number = isinstance(x, (bool, int, float, complex)) and not isinstance(x, np.generic)
    return x if is_number else np.asarray(x, dtype)


def optimization_barrier(operand, /):
    """Return `operand` as a value that no optimization may look behind: nothing is moved across, merged or left out.

    Args:
      operand: a tree of arrays.
    Returns:
      The tree, with the same values.
    Raises:
      TypeError: `operand` is not an array, a number, or a list of them.

    >>> lax.optimization_barrier((jnp.ones(2), 1))
    (Array([1., 1.], dtype=float32), Array(1, dtype=int32, weak_type=True))
    """
    leaves, tree = tree_flatten(operand)
    return tree_unflatten(tree, barrier.optimization_barrier(*leaves) if leaves else [])
