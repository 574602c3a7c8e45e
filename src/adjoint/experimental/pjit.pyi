# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from typing import Any
def pjit(fun: Callable[..., Any], in_shardings: Any = ..., out_shardings: Any = ..., static_argnums: Any = None, static_argnames: Any = None, donate_argnums: Any = None, donate_argnames: Any = None, keep_unused: bool = False, device: Any = None, backend: Any = None, inline: bool = False, compiler_options: Any = None) -> Any:
    """Return `jax.jit` of the same arguments, except that it knows the mesh of a `with mesh:` block around a call.

    Specs are over that mesh, None is for what is whole on each of its devices, and what was not placed goes there.

    Returns:
      A function of the same arguments and results, as `jax.jit` returns it.
    """
