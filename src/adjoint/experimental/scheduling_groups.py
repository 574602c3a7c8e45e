"""Parts of a program that are to be scheduled together, as `jax.experimental.scheduling_groups`.

A part is a call with notes, `xla_metadata_call`, which schedulers of accelerators read.

Tests: `tests/experimental/test_small_modules.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from ..core.messages.boundaries import public
from ..transforms.custom.labelled import labelled, labelled_call

__all__ = ["scheduling_group", "xla_metadata_call", "xla_metadata_call_p"]

xla_metadata_call_p = labelled_call("xla_metadata_call")


def xla_metadata_call(f: Callable | None = None, **meta) -> Callable:
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
    if f is None:
        return lambda f: xla_metadata_call(f, **meta)
    return labelled(xla_metadata_call_p, f, lambda program, out_tree: meta, "xla_metadata_call")


def scheduling_group(name) -> Callable:
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
    return xla_metadata_call(scheduling_group=name)


public(globals())
