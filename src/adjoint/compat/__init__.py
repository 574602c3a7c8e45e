"""The package as `jax`: programs written for JAX run unchanged.

`install()` puts a finder in front of Python's: `import jax.numpy` then gives `adjoint.numpy`, the very same
module. `python -m adjoint script.py` installs it and runs the script.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec

from .. import version

__all__ = ["install", "uninstall"]

_PACKAGE = __package__.partition(".")[0]


class _SameModule(Loader):
    """Loads `jax.x` as the module `adjoint.x`."""

    def __init__(self, name: str):
        self.name = name

    def create_module(self, spec):
        module = import_module(self.name)
        self.spec = module.__spec__
        return module

    def exec_module(self, module):
        module.__spec__ = self.spec  # the import system has put the spec of `jax.x` there


class _Finder(MetaPathFinder):
    """Finds `jax` and its submodules in this package."""

    def find_spec(self, fullname, path=None, target=None):
        root, _, rest = fullname.partition(".")
        if root != "jax":
            return None
        name = f"{_PACKAGE}.{rest}" if rest else _PACKAGE
        try:
            found = find_spec(name)
        except ModuleNotFoundError:
            found = None
        if found is None:
            raise ModuleNotFoundError(
                f"No module named {fullname!r}: adjoint runs this program as jax and has no "
                f"{name!r} (yet).",
                name=fullname,
            )
        is_package = found.submodule_search_locations is not None
        return ModuleSpec(fullname, _SameModule(name), is_package=is_package)


_finder = _Finder()


def install() -> None:
    """Make `import jax` mean this package, in this process.

    `jax.__version__`, by which libraries decide what to call, is then that of the JAX whose interface this is.

    Raises:
      RuntimeError: real JAX is imported already.

    >>> install()
    >>> import jax
    >>> jax.grad(lambda x: x ** 2)(3.)
    Array(6., dtype=float32, weak_type=True)
    """
    if _finder in sys.meta_path:
        return
    loaded = sys.modules.get("jax")
    if loaded is not None and loaded is not sys.modules[_PACKAGE]:
        raise RuntimeError(
            "Real jax is imported already in this process.\n"
            "  Try: call adjoint.compat.install() before anything imports jax."
        )
    sys.meta_path.insert(0, _finder)
    version.say(version.jax_version)


def uninstall() -> None:
    """Undo `install`: `import jax` means what is installed under that name."""
    if _finder in sys.meta_path:
        sys.meta_path.remove(_finder)
        version.say(version.own_version)
    for name in [n for n in sys.modules if n == "jax" or n.startswith("jax.")]:
        module = sys.modules[name]
        if getattr(module, "__name__", "").partition(".")[0] == _PACKAGE:
            del sys.modules[name]
