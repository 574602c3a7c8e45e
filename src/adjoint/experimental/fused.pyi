# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from typing import Any
def fused(*, out_spaces: Any) -> Callable[..., Any]:
    """Return a decorator: what a function computes is to be one kernel.

    Args:
      out_spaces: the memory where each result is to be.

    >>> from adjoint.experimental.fused import fused
    >>> f = fused(out_spaces=(memory.Space.Device,))(lambda x: jnp.sin(x) * 2)
    >>> f(0.)
    Array(0., dtype=float32, weak_type=True)
    """
