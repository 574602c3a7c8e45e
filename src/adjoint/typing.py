"""Types for annotations: what functions take for arrays and for dtypes."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from .core.messages.boundaries import explain_missing as _explain_missing
from .core.types import Array

__all__ = ["ArrayLike", "DTypeLike"]


class SupportsDType(Protocol):
    """Anything with a dtype."""

    @property
    def dtype(self) -> np.dtype: ...


ArrayLike = Array | np.ndarray | np.bool_ | np.number | bool | int | float | complex
DTypeLike = str | type[Any] | np.dtype | SupportsDType

_explain_missing(globals())
