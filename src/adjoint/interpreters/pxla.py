"""The names that libraries use of JAX's `interpreters.pxla`: the mesh of a `with mesh:` block.

>>> thread_resources.env.physical_mesh.empty     # outside of such a block
True

Tests: `tests/extend/test_libraries.py`.
"""

from __future__ import annotations

from ..core.messages.boundaries import explain_missing as _explain_missing
from ..sharding.mesh import EMPTY, Mesh, entered_mesh

__all__ = ["Mesh", "thread_resources"]


class _Environment:
    """The environment of the program."""

    @property
    def physical_mesh(self) -> Mesh:
        """The mesh of the innermost `with mesh:` block, or one without axes."""
        return entered_mesh() or EMPTY


class _ThreadResources:
    """The resources of the thread for programs to run on."""

    env = _Environment()


thread_resources = _ThreadResources()

_explain_missing(globals())
