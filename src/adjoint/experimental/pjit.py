"""`pjit`, as `jit` was called when it did not know of shardings.

Tests: `tests/parallel/test_other_names.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from ..core.messages.boundaries import guarded, public
from ..core.options.config import Unset
from ..core.tree.tree import tree_map
from ..sharding.mesh import entered_mesh, placing_mesh
from ..transforms.flat import own_kind
from ..transforms.jit.jit import Jitted
from ..transforms.jit.places import WHOLE, check_device

__all__ = ["pjit"]


_UNSET: Any = Unset()


@own_kind
@guarded
class _OnEnteredMesh(Jitted):
    """A function that runs on the mesh of a `with mesh:` block around its call."""

    def __call__(self, *args, **kwargs):
        with _on_entered_mesh():
            return super().__call__(*args, **kwargs)

    def trace(self, *args, **kwargs):
        """Trace for these arguments, on that mesh: a `stages.Traced`."""
        with _on_entered_mesh():
            return super().trace(*args, **kwargs)


_OnEnteredMesh.__name__ = _OnEnteredMesh.__qualname__ = Jitted.__name__


def _on_entered_mesh():
    return nullcontext() if (mesh := entered_mesh()) is None else placing_mesh(mesh)


def _whole_for_none(shardings):
    """Return what `pjit` is given, with what None means."""
    if shardings is _UNSET:
        return None
    is_none = lambda x: x is None
    return tree_map(lambda x: WHOLE if x is None else x, shardings, is_leaf=is_none)


def pjit(
    fun: Callable, in_shardings: Any = _UNSET, out_shardings: Any = _UNSET, static_argnums: Any = None,
    static_argnames: Any = None, donate_argnums: Any = None, donate_argnames: Any = None, keep_unused: bool = False,
    device: Any = None, backend: Any = None, inline: bool = False, compiler_options: Any = None,
) -> Any:
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
    in_shardings, out_shardings = _whole_for_none(in_shardings), _whole_for_none(out_shardings)
    check_device(device, backend, in_shardings, out_shardings)
    return _OnEnteredMesh(
        fun, static_argnums, static_argnames, donate_argnums, donate_argnames, keep_unused, device, backend, inline,
        in_shardings=in_shardings, out_shardings=out_shardings, compiler_options=compiler_options, is_pjit=True,
    )

public(globals())
