# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from typing import Any
def ravel_pytree(pytree: Any) -> tuple[Any, Callable[..., Any]]: ...
