from typing import Any

import numpy as np
from adjoint.typing import DTypeLike


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


class iinfo:
    """The limits of an integer type."""

    def __init__(self, int_type: DTypeLike) -> None: ...
    dtype: np.dtype[Any]
    bits: int
    kind: str
    max: int
    min: int
