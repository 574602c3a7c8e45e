# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from typing import Any
def pjit(fun: Callable[..., Any], in_shardings: Any = ..., out_shardings: Any = ..., static_argnums: Any = None, static_argnames: Any = None, donate_argnums: Any = None, donate_argnames: Any = None, keep_unused: bool = False, device: Any = None, backend: Any = None, inline: bool = False, compiler_options: Any = None) -> Any:
    """Return `jax.jit` of the same arguments, except that it knows the mesh of a `with mesh:` block around a call.

    Specs are over that mesh, None is for what is whole on each of its devices, and what was not placed goes there.

    Args:
      fun: a function of arrays, or of trees of them.
      in_shardings, out_shardings: how arguments and results are divided, trees of shardings and specs.
      static_argnums, static_argnames, donate_argnums, donate_argnames: as of `jax.jit`.
      keep_unused, device, backend, inline, compiler_options: as of `jax.jit`.
    Returns:
      A function of the same arguments and results, as `jax.jit` returns it.
    Raises:
      RuntimeError: there are specs, and no mesh that they are over.
      ValueError: a spec names an axis that the mesh has not.
      TypeError: an argument is no array, and not static.

    >>> from adjoint.experimental.pjit import pjit
    >>> mesh = sharding.Mesh(np.array(devices()), ("x",))
    >>> pjit(lambda x: x * 2, out_shardings=sharding.NamedSharding(mesh, P("x")))(jnp.ones(2))
    Array([2., 2.], dtype=float32)
    """
