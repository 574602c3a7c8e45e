"""Parts of a program that are to be one kernel, as `jax.experimental.fused`.

Tests: `tests/experimental/test_small_modules.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from ..core.messages.boundaries import public
from ..transforms.custom.labelled import labelled, labelled_call

__all__ = ["fused"]


def _spaces(params: dict, program) -> dict:
    n = len(program.out_avals)
    return {**params, "out_spaces": (*params["out_spaces"], *[None] * n)[:n]}


fused_p = labelled_call("fused_call", _spaces)


def fused(*, out_spaces) -> Callable:
    """Return a decorator: what a function computes is to be one kernel.

    Args:
      out_spaces: the memory where each result is to be.

    >>> from adjoint.experimental.fused import fused
    >>> f = fused(out_spaces=(memory.Space.Device,))(lambda x: jnp.sin(x) * 2)
    >>> f(0.)
    Array(0., dtype=float32, weak_type=True)
    """
    spaces = tuple(out_spaces)
    return lambda f: labelled(fused_p, f, lambda program, out_tree: {"out_spaces": spaces}, "fused")


public(globals())
