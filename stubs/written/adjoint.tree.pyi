from collections.abc import Callable
from typing import Any, overload

from typing_extensions import TypeVar

_T = TypeVar("_T")


@overload
def reduce(function: Callable[[_T, Any], _T], tree: Any, initializer: _T, is_leaf: Callable[[Any], bool] | None = None) -> _T: ...
@overload
def reduce(function: Callable[[_T, Any], _T], tree: Any, *, is_leaf: Callable[[Any], bool] | None = None) -> _T: ...
