# Written by stubs/generate.py; do not edit.
from typing import Any, Protocol, TypeAlias
import numpy as np
from adjoint import Array
class _SupportsDType(Protocol):
    """Anything with a dtype."""

    @property
    def dtype(self) -> np.dtype[Any]: ...
ArrayLike: TypeAlias = Array | np.ndarray[Any, Any] | np.bool_ | np.number[Any] | bool | int | float | complex
DTypeLike: TypeAlias = str | type[Any] | np.dtype[Any] | _SupportsDType
