# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
from typing import Any
class RegularGridInterpolator:
    def __init__(self, points: Any, values: ArrayLike, method: str | None = 'linear', bounds_error: bool = False, fill_value: ArrayLike = ...) -> None: ...
    def __call__(self, xi: ArrayLike, method: str | None = None) -> Array: ...
