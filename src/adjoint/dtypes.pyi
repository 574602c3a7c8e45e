# Written by stubs/generate.py; do not edit.
from typing import Any
import numpy as np
from adjoint.typing import DTypeLike
from typing import Any
class TypePromotionError(ValueError):
    ...
bfloat16: Any
def canonicalize_dtype(dtype: Any, allow_extended_dtype: bool = False) -> Any: ...
class extended:
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
def issubdtype(a: Any, b: Any) -> bool: ...
def itemsize_bits(dtype: Any) -> int: ...
class prng_key(extended):
    ...
def result_type(*args: Any, return_weak_type_flag: bool = False) -> Any: ...
def scalar_type_of(x: Any) -> type[Any]: ...
