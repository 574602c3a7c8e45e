from collections.abc import Sequence
from typing import Any, Protocol

from adjoint import Array
from adjoint.typing import ArrayLike, DTypeLike


class Initializer(Protocol):
    """A function that makes the first values of parameters."""

    def __call__(self, key: ArrayLike, shape: Sequence[int], dtype: DTypeLike | None = None, out_sharding: Any = None) -> Array: ...


def ones(key: ArrayLike, shape: Sequence[int], dtype: DTypeLike | None = None, out_sharding: Any = None) -> Array: ...
def zeros(key: ArrayLike, shape: Sequence[int], dtype: DTypeLike | None = None, out_sharding: Any = None) -> Array: ...
