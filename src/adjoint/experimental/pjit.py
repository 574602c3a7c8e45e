"""`pjit`, as `jit` was called when it did not know of shardings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.boundaries import public
from ..transforms.jit import jit

__all__ = ["pjit"]


def pjit(fun: Callable, in_shardings: Any = None, out_shardings: Any = None, **options: Any) -> Any:
    """`jax.jit(fun, in_shardings=in_shardings, out_shardings=out_shardings, **options)`."""
    return jit(fun, in_shardings=in_shardings, out_shardings=out_shardings, **options)

public(globals())
