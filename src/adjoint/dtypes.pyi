# Written by stubs/generate.py; do not edit.
from typing import Any
import numpy as np
from adjoint.typing import DTypeLike
from typing import Any
class TypePromotionError(ValueError):
    """The dtypes have no common dtype in the promotion mode that is set.

    Causes:
      `jax_numpy_dtype_promotion="strict"`      `x.astype(y.dtype)` where they differ
      a `float8` or `int4` beside another       `x.astype(jnp.float32)`, which is never implicit

    >>> with numpy_dtype_promotion("strict"):
    ...     jnp.ones(2) + jnp.ones(2, jnp.int32)
    Traceback (most recent call last):
    adjoint.dtypes.TypePromotionError: Input dtypes ('float32', 'int32') have no available implicit dtype promotion...
    """
    ...
bfloat16: Any
"""bfloat16 floating-point values"""
def canonicalize_dtype(dtype: Any, allow_extended_dtype: bool = False) -> Any:
    """Return the dtype that is used for a dtype-like: 64-bit ones are narrowed unless they are on.

    Args:
      dtype: a dtype, a scalar type, a Python type or a name.
      allow_extended_dtype: return extended dtypes unchanged; otherwise they raise ValueError.
    Returns:
      A NumPy dtype, or the extended one.
    Raises:
      TypeError: there is no such dtype.

    >>> canonicalize_dtype("float64")
    dtype('float32')
    """
class extended:
    """Scalar class of the dtypes that NumPy does not know; only for `issubdtype`.

    >>> issubdtype(float32, extended)
    False
    """
    ...
class finfo:
    """The limits of a float type."""

    def __init__(self, dtype: DTypeLike) -> None: ...
    dtype: np.dtype[Any]
    bits: int
    eps: Any
    epsneg: Any
    max: Any
    min: Any
    tiny: Any
    """Return the value for tiny, alias of smallest_normal.

    Returns
    -------
    tiny : float
        Value for the smallest normal, alias of smallest_normal.

    Warns
    -----
    UserWarning
        If the calculated value for the smallest normal is requested for
        double-double.
    """
    smallest_normal: Any
    smallest_subnormal: Any
    resolution: Any
    precision: int
    nmant: int
    nexp: int
    iexp: int
    machep: int
    negep: int
    minexp: int
    maxexp: int
float0: Any
class iinfo:
    """The limits of an integer type."""

    def __init__(self, int_type: DTypeLike) -> None: ...
    dtype: np.dtype[Any]
    bits: int
    kind: str
    max: int
    min: int
def issubdtype(a: Any, b: Any) -> bool:
    """Return whether a dtype is `b`, or belongs to the category `b` of scalars.

    Args:
      a, b: dtypes, scalar types, names, or categories such as `np.floating` and `prng_key`.
    Raises:
      TypeError: one of them names no dtype and no category.

    >>> issubdtype(bfloat16, np.floating), issubdtype(np.int8, np.floating)
    (True, False)
    """
def itemsize_bits(dtype: Any) -> int:
    """Return the number of bits of an element, though NumPy gives a whole byte to an int4.

    Args:
      dtype: a dtype or what names one.
    Returns:
      An int.
    Raises:
      TypeError: `dtype` is none that NumPy or `ml_dtypes` knows.
      ValueError: `dtype` is None.

    >>> itemsize_bits("int4"), itemsize_bits(np.complex64)
    (4, 64)
    """
class prng_key(extended):
    """Scalar class of the dtypes of random keys; only for `issubdtype`.

    >>> issubdtype(float32, prng_key)
    False
    """
    ...
def result_type(*args: Any, return_weak_type_flag: bool = False) -> Any:
    """Return the dtype of an operation on values.

    Args:
      args: arrays, scalars, dtypes or what names them; None stands for the default float.
      return_weak_type_flag: return the pair of the dtype and whether it is weak.
    Returns:
      A NumPy dtype, or the pair.
    Raises:
      TypePromotionError: they have no dtype in common.
      TypeError: one has no dtype, or one without arithmetic.

    >>> result_type(np.int8(1), 2.0), result_type("int16", np.uint16)
    (dtype('float32'), dtype('int32'))
    """
def scalar_type_of(x: Any) -> type[Any]:
    """Return the Python type of an element of `x`: bool, int, float or complex.

    Args:
      x: an array or a scalar.
    Returns:
      The type.
    Raises:
      TypeError: `x` is no number.

    >>> scalar_type_of(np.zeros(3, "int8"))
    <class 'int'>
    """
