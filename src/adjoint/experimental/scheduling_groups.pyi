# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from typing import Any
def scheduling_group(name: Any) -> Callable[..., Any]:
    """Return a decorator: what a function computes is to be scheduled with all else in the group of that name.

    Args:
      name: the name of the group.
    Returns:
      A decorator.

    >>> from adjoint.experimental.scheduling_groups import scheduling_group
    >>> f = jit(scheduling_group("first")(jnp.sin))
    >>> f(0.)
    Array(0., dtype=float32, weak_type=True)
    """
def xla_metadata_call(f: Callable[..., Any] | None = None, **meta: Any) -> Callable[..., Any]:
    """Return a function whose program is one call with these notes; without `f`, a decorator.

    Args:
      f: a function of arrays.
      **meta: the notes, whose values are hashable.
    Returns:
      A function of the same arguments and results.

    >>> from adjoint.experimental.scheduling_groups import xla_metadata_call
    >>> make_jaxpr(xla_metadata_call(jnp.sin, note="a"))(1.).eqns[0].primitive
    xla_metadata_call
    """
from adjoint.lax import xla_metadata_call_p as xla_metadata_call_p
