from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

import numpy as np

from adjoint import Array
from adjoint.dtypes import finfo as _finfo
from adjoint.dtypes import iinfo as _iinfo
from adjoint.typing import ArrayLike, DTypeLike

_Axis = int | Sequence[int] | None


class _Scalar:
    """A scalar type: a dtype, and a function that makes arrays of it."""

    @property
    def dtype(self) -> np.dtype[Any]: ...
    def __call__(self, x: Any = 0) -> Array: ...


class ufunc:
    """An element-wise function that reduces, accumulates and updates."""

    nin: int
    nout: int
    nargs: int
    identity: Any
    @property
    def __name__(self) -> str: ...
    def __init__(self, func: Callable[..., Any], /, nin: int, nout: int, *, name: str | None = None, nargs: int | None = None, identity: Any = None, call: Callable[..., Any] | None = None, reduce: Callable[..., Any] | None = None, accumulate: Callable[..., Any] | None = None, at: Callable[..., Any] | None = None, reduceat: Callable[..., Any] | None = None) -> None: ...
    def __call__(self, *args: ArrayLike, out: None = None, where: None = None) -> Array: ...
    def reduce(self, a: ArrayLike, axis: int | None = 0, dtype: DTypeLike | None = None, out: None = None, keepdims: bool = False, initial: ArrayLike | None = None, where: ArrayLike | None = None) -> Array: ...
    def accumulate(self, a: ArrayLike, axis: int = 0, dtype: DTypeLike | None = None, out: None = None) -> Array: ...
    def at(self, a: ArrayLike, indices: Any, b: ArrayLike | None = None, *, inplace: bool = True) -> Array: ...
    def reduceat(self, a: ArrayLike, indices: Any, axis: int = 0, dtype: DTypeLike | None = None, out: None = None) -> Array: ...
    def outer(self, A: ArrayLike, B: ArrayLike, /) -> Array: ...


class _Index:
    def __getitem__(self, index: Any, /) -> Any: ...


class _Grid:
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __getitem__(self, index: Any, /) -> Any: ...


class _Join:
    def __getitem__(self, index: Any, /) -> Array: ...


s_: _Index
index_exp: _Index
mgrid: _Grid
ogrid: _Grid
c_: _Join
r_: _Join
newaxis: None
finfo = _finfo
iinfo = _iinfo


@overload
def where(condition: ArrayLike, x: ArrayLike, y: ArrayLike, /, *, size: int | None = None, fill_value: Any = None) -> Array: ...
@overload
def where(condition: ArrayLike, x: None = None, y: None = None, /, *, size: int | None = None, fill_value: Any = None) -> tuple[Array, ...]: ...
@overload
def linspace(start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: bool = True, retstep: Literal[False] = False, dtype: DTypeLike | None = None, axis: int = 0, *, device: Any = None) -> Array: ...
@overload
def linspace(start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: bool = True, *, retstep: Literal[True], dtype: DTypeLike | None = None, axis: int = 0, device: Any = None) -> tuple[Array, Array]: ...
@overload
def average(a: ArrayLike, axis: _Axis = None, weights: ArrayLike | None = None, returned: Literal[False] = False, keepdims: bool = False) -> Array: ...
@overload
def average(a: ArrayLike, axis: _Axis = None, weights: ArrayLike | None = None, *, returned: Literal[True], keepdims: bool = False) -> tuple[Array, Array]: ...
@overload
def atleast_1d(x: ArrayLike, /) -> Array: ...
@overload
def atleast_1d(*arys: ArrayLike) -> list[Array]: ...
@overload
def atleast_2d(x: ArrayLike, /) -> Array: ...
@overload
def atleast_2d(*arys: ArrayLike) -> list[Array]: ...
@overload
def atleast_3d(x: ArrayLike, /) -> Array: ...
@overload
def atleast_3d(*arys: ArrayLike) -> list[Array]: ...
