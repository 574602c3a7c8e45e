# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from collections.abc import Iterator
from typing import Any
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
def compute_on2(f: Callable[..., Any] | None = None, *, compute_type: str, out_memory_spaces: Any, compiler_options: Any = None) -> Callable[..., Any]:
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
