# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from typing import Any
def fused(*, out_spaces: Any) -> Callable[..., Any]: ...
