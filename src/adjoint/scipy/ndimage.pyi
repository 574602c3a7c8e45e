# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
from collections.abc import Sequence
from typing import Any
def map_coordinates(input: ArrayLike, coordinates: Sequence[Any], order: int, mode: str = 'constant', cval: ArrayLike = 0.0) -> Array: ...
