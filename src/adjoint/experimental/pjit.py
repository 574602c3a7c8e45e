"""`pjit`, as `jit` was called when it did not know of shardings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.messages.boundaries import public
from ..transforms.jit.jit import jit
from ..transforms.jit.places import on_mesh

__all__ = ["pjit"]


def pjit(fun: Callable, in_shardings: Any = None, out_shardings: Any = None, **options: Any) -> Any:
    """`jax.jit(fun, in_shardings=in_shardings, out_shardings=out_shardings, **options)`."""
    places = dict(in_shardings=in_shardings, out_shardings=out_shardings)
    return jit(fun, **{what: on_mesh(given, what, in_block=True) for what, given in places.items()}, **options)

public(globals())
