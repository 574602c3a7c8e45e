from typing import Literal, NamedTuple, overload

from adjoint import Array
from adjoint.typing import ArrayLike


class _SVD(NamedTuple):
    U: Array
    S: Array
    Vh: Array


class _QR(NamedTuple):
    Q: Array
    R: Array


_Part = tuple[int, int] | None


@overload
def svd(a: ArrayLike, full_matrices: bool = True, compute_uv: Literal[True] = True, hermitian: bool = False, subset_by_index: _Part = None) -> _SVD: ...
@overload
def svd(a: ArrayLike, full_matrices: bool = True, *, compute_uv: Literal[False], hermitian: bool = False, subset_by_index: _Part = None) -> Array: ...
@overload
def svd(a: ArrayLike, full_matrices: bool, compute_uv: Literal[False], hermitian: bool = False, subset_by_index: _Part = None) -> Array: ...
@overload
def qr(a: ArrayLike, mode: Literal["reduced", "complete"] = "reduced") -> _QR: ...
@overload
def qr(a: ArrayLike, mode: Literal["r"]) -> Array: ...
