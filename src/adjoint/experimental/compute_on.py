"""Places where parts of a program are computed, as `jax.experimental.compute_on`.

A CPU has one place to compute, so a part is computed there in any case; the names of places are checked as in JAX.

Tests: `tests/experimental/test_small_modules.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..core.messages.boundaries import public
from ..core.tree.tree import broadcast_prefix, tree_unflatten
from ..transforms.custom.labelled import labelled, labelled_call

__all__ = ["compute_on", "compute_on2"]


def _check(compute_type) -> None:
    if not isinstance(compute_type, str):
        raise TypeError("`compute_on`'s compute_type argument must be a string.")
    if compute_type not in ("device_host", "device", "tpu_sparsecore") and not compute_type.startswith("gpu_stream:"):
        raise ValueError(
            f"Invalid compute type {compute_type}. Current supported values are `device_host`, `device`, "
            "`tpu_sparsecore`, and `gpu_stream:#`."
        )


@contextmanager
def compute_on(compute_type: str) -> Iterator[None]:
    """Compute what is inside in a place: "device_host", "device", "tpu_sparsecore", or "gpu_stream:" and a number.

    A context, and a decorator of functions. A CPU has one place, where all is computed.

    Args:
      compute_type: the place.
    Returns:
      A context manager, and a decorator.
    Raises:
      TypeError: the place is no string.
      ValueError: it is none of these.


    >>> from adjoint.experimental.compute_on import compute_on
    >>> @jit
    ... def f(x):
    ...     with compute_on("device_host"):
    ...         y = jnp.sin(x)
    ...     return y * 2
    >>> f(0.)
    Array(0., dtype=float32, weak_type=True)
    """
    _check(compute_type)
    yield


def _spaces(params: dict, program) -> dict:
    """Return the parameters of a call of another program: what a derivative adds is where the first result is."""
    first = params["out_memory_spaces"][:1] or (None,)
    n = len(program.out_avals)
    return {**params, "out_memory_spaces": (*params["out_memory_spaces"], *first * n)[:n]}


compute_on_p = labelled_call("compute_on", _spaces)


def compute_on2(f: Callable | None = None, *, compute_type: str, out_memory_spaces, compiler_options=None) -> Callable:
    """Return a function whose program is one call, to be computed in a place; see `compute_on`.

    Args:
      f: the function; left out, a decorator is returned.
      compute_type: the place.
      out_memory_spaces: a tree prefix of the result, of the memory where each array is to be.
      compiler_options: options for the compiler of that place.
    Returns:
      A function of the same arguments and results.

    >>> from adjoint.experimental.compute_on import compute_on2
    >>> f = compute_on2(jnp.sin, compute_type="device_host", out_memory_spaces=memory.Space.Device)
    >>> f(0.)
    Array(0., dtype=float32, weak_type=True)
    """
    if f is None:
        return lambda f: compute_on2(
            f, compute_type=compute_type, out_memory_spaces=out_memory_spaces, compiler_options=compiler_options
        )
    _check(compute_type)
    options = None if compiler_options is None else json.dumps(compiler_options, sort_keys=True)

    def label(program, out_tree) -> dict:
        result = tree_unflatten(out_tree, [0] * out_tree.num_leaves)
        spaces = tuple(broadcast_prefix(out_memory_spaces, result))
        return dict(compute_type=compute_type, out_memory_spaces=spaces, compiler_options_json=options)

    return labelled(compute_on_p, f, label, "compute_on2")


public(globals())
