from collections.abc import Sequence
from typing import Literal, overload

from adjoint import Array
from adjoint.typing import ArrayLike

_Axis = int | Sequence[int] | None


@overload
def logsumexp(a: ArrayLike, axis: _Axis = None, b: ArrayLike | None = None, keepdims: bool = False, return_sign: Literal[False] = False, where: ArrayLike | None = None) -> Array: ...
@overload
def logsumexp(a: ArrayLike, axis: _Axis = None, b: ArrayLike | None = None, keepdims: bool = False, *, return_sign: Literal[True], where: ArrayLike | None = None) -> tuple[Array, Array]: ...
