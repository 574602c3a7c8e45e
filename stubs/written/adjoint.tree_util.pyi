from collections.abc import Callable
from typing import Any, Generic, overload

from typing_extensions import ParamSpec, TypeVar

_T = TypeVar("_T")
_R = TypeVar("_R", default=Any)
_P = ParamSpec("_P", default=...)


@overload
def tree_reduce(function: Callable[[_T, Any], _T], tree: Any, initializer: _T, is_leaf: Callable[[Any], bool] | None = None) -> _T: ...
@overload
def tree_reduce(function: Callable[[_T, Any], _T], tree: Any, *, is_leaf: Callable[[Any], bool] | None = None) -> _T: ...


class Partial(Generic[_R]):
    """A function with some arguments, which is a pytree of these."""

    func: Callable[..., _R]
    args: tuple[Any, ...]
    keywords: dict[str, Any]
    def __init__(self, func: Callable[..., _R], *args: Any, **kw: Any) -> None: ...
    def __call__(self, *args: Any, **kw: Any) -> _R: ...
