"""`pjit`, as `jit` was called when it did not know of shardings.

Tests: `tests/parallel/test_other_names.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.messages.boundaries import public
from ..transforms.jit.jit import Jitted
from ..transforms.jit.places import check_device

__all__ = ["pjit"]


def pjit(
    fun: Callable, in_shardings: Any = None, out_shardings: Any = None, static_argnums: Any = None,
    static_argnames: Any = None, donate_argnums: Any = None, donate_argnames: Any = None, keep_unused: bool = False,
    device: Any = None, backend: Any = None, inline: bool = False, compiler_options: Any = None,
) -> Any:
    """`jax.jit` of the same arguments, except that specs are over the mesh of a `with mesh:` block."""
    check_device(device, backend, in_shardings, out_shardings)
    return Jitted(
        fun, static_argnums, static_argnames, donate_argnums, donate_argnames, keep_unused, device, backend, inline,
        in_shardings=in_shardings, out_shardings=out_shardings, compiler_options=compiler_options, is_pjit=True,
    )

public(globals())
