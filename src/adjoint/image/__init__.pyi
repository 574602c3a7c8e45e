# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
from collections.abc import Sequence
from enum import Enum
from typing import Any
class ResizeMethod(Enum):
    NEAREST = 0
    LINEAR = 1
    LANCZOS3 = 2
    LANCZOS5 = 3
    CUBIC = 4
    CUBIC_PYTORCH = 5
    AREA = 6
def resize(image: ArrayLike, shape: Sequence[int], method: str | ResizeMethod, antialias: bool = True, precision: Any = ...) -> Array: ...
def scale_and_translate(image: ArrayLike, shape: Sequence[int], spatial_dims: Sequence[int], scale: ArrayLike, translation: Any, method: str | ResizeMethod, antialias: bool = True, precision: Any = ...) -> Array: ...
