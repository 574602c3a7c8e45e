"""Lets every Python of an environment run programs of JAX on adjoint, where the variable ADJOINT_AS_JAX is set.

`adjoint_as_jax.pth`, beside this file, imports it when an interpreter starts. It imports nothing of adjoint until the
program imports `jax`, so that other programs start as fast as before. ADJOINT_AS_JAX=quiet leaves out the line on an
installed JAX that is not used.

Tests: `tests/compat/test_as_jax.py`.
"""

from __future__ import annotations

import os
import sys


class _Finder:
    """Gives its place to the finder of `adjoint.compat` when `jax` is first looked for."""

    presents_adjoint = True

    def _replaced(self):
        sys.meta_path.remove(self)
        from adjoint.compat import install_for_children

        install_for_children()
        return sys.meta_path[0]

    def find_spec(self, fullname, path=None, target=None):
        """Find `jax` and `jaxlib`."""
        if fullname in ("jax", "jaxlib"):
            return self._replaced().find_spec(fullname, path, target)
        return None

    def find_distributions(self, context=None):
        """Find the packages `jax` and `jaxlib`, for `importlib.metadata`."""
        if context is not None and ("path" in vars(context) or context.name not in (None, "jax", "jaxlib")):
            return iter(())
        return self._replaced().find_distributions(context)


def _start() -> None:
    if not any(getattr(finder, "presents_adjoint", False) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
    plugins = os.environ.get("PYTEST_PLUGINS", "").split(",")
    if "adjoint.pytest" not in plugins:
        os.environ["PYTEST_PLUGINS"] = ",".join(filter(None, (*plugins, "adjoint.pytest")))


if os.environ.get("ADJOINT_AS_JAX", "0") not in ("", "0"):
    _start()
