"""The package as `jax`: programs written for JAX run unchanged.

`install()` puts a finder in front of Python's: `import jax.numpy` then gives a module with the names of
`adjoint.numpy`, for the very same objects (`presented.py`). Names of JAX's inside, `jax._src` and `jaxlib`, are found
in the table of `private/`. `python -m adjoint script.py`, `import adjoint.as_jax`, `pytest -p adjoint.pytest` and the
variable ADJOINT_AS_JAX (`_adjoint_as_jax.py`, beside the package) install it.

Tests: `tests/compat/test_running.py`, `tests/compat/test_as_jax.py`.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from typing import Any

from .. import version
from ..core.messages.boundaries import explain_missing as _explain_missing
from ..core.names.elsewhere import moved
from ..core.options.config import config
from . import private
from .presented import PresentedModule

__all__ = ["VARIABLE", "install", "install_for_children", "installed_jax", "uninstall"]

VARIABLE = "ADJOINT_AS_JAX"  # `quiet` where an installed JAX has been spoken of
_PACKAGE = __package__.partition(".")[0]
_ARRAY_API = "numpy"  # the module that libraries know by its name: `xp.__name__ == "jax.numpy"`


# Modules that stand in `sys.modules` after `import jax`, where libraries look for them, and that cost next to nothing.
_LOADED_WITH_JAX = (
    "core", "dtypes", "errors", "lax", "nn", "numpy", "random", "scipy", "sharding", "tree", "tree_util", "typing",
)


class _Presented(Loader):
    """Loads `jax.x` as a module with the names of `adjoint.x`."""

    def __init__(self, name: str):
        self.name = name

    def create_module(self, spec):
        module = PresentedModule(import_module(self.name))
        self.spec = module.__spec__
        return module

    def exec_module(self, module):
        module.__spec__ = self.spec  # the import system has put the spec of `jax.x` there
        if self.name == _PACKAGE:
            for name in _LOADED_WITH_JAX:
                import_module(f"jax.{name}")


class _Finder(MetaPathFinder):
    """Finds `jax` and its submodules in this package, JAX's inside and `jaxlib` in the table."""

    def find_spec(self, fullname, path=None, target=None):
        root, _, rest = fullname.partition(".")
        if root == "jaxlib":
            real = _found_elsewhere(fullname, path)
            return private.find(fullname) if real is None else private.completed(real)
        if root != "jax":
            return None
        if not rest:
            config.read_environment()  # what the program has set since this package was imported
        if rest.partition(".")[0] == "_src":
            is_installed = private.is_installed(fullname)
            return private.of_installed(fullname, installed_jax()) if is_installed else private.find(fullname)
        name = f"{_PACKAGE}.{rest}" if rest else _PACKAGE
        try:
            found = find_spec(name)
        except ModuleNotFoundError:
            found = None
        if found is None:
            what = f"No module named {fullname!r}: adjoint runs this program as jax and has no {name!r} (yet)."
            place = moved(name)
            raise ModuleNotFoundError(f"{what}\n  Try: {place}" if place else what, name=fullname)
        is_package = found.submodule_search_locations is not None
        return ModuleSpec(fullname, _Presented(name), is_package=is_package)

    def find_distributions(self, context: Any = None):
        """Return what `importlib.metadata` is told of the packages `jax` and `jaxlib`."""
        from .distributions import distributions

        return distributions(context)


_finder = _Finder()


def install() -> None:
    """Make `import jax` mean this package, in this process.

    `jax.__version__`, by which libraries decide what to call, is then that of the JAX whose interface this is, and
    `importlib.metadata.version("jax")` too. If JAX is installed, a line on standard error says that it is not used.

    Raises:
      RuntimeError: real JAX is imported already.

    >>> install()
    >>> import jax
    >>> jax.grad(lambda x: x ** 2)(3.)
    Array(6., dtype=float32, weak_type=True)
    """
    if _finder in sys.meta_path:
        return
    if getattr(sys.modules.get("jax"), "__name__", _PACKAGE) != _PACKAGE:
        raise RuntimeError(
            "Real jax is imported already in this process.\n"
            "  Try: call adjoint.compat.install() before anything imports jax."
        )
    real = installed_jax()
    sys.meta_path.insert(0, _finder)
    version.say(version.jax_version)
    private.attach(sys.modules[_PACKAGE])
    _call_array_api("jax")
    if real is not None and os.environ.get(VARIABLE) != "quiet":
        ours = f"adjoint {version.own_version} runs this program as jax {version.jax_version}"
        print(f"{ours}; the JAX in {real} is not used", file=sys.stderr)


def install_for_children() -> None:
    """`install`, here and in the Pythons that this process starts, as far as this package is installed in theirs.

    A pool of processes that the program starts, and notebooks, then have the same `jax` as it. `uninstall` does not
    undo the part about processes that are started later: `del os.environ["ADJOINT_AS_JAX"]` does.

    Returns:
      None.

    >>> from adjoint import compat
    >>> compat.install_for_children()  # doctest: +SKIP
    """
    install()
    os.environ[VARIABLE] = "quiet"


def _call_array_api(package: str) -> None:
    """Let the name space of arrays have the name that it has in this package."""
    import_module(f"{_PACKAGE}.{_ARRAY_API}").__name__ = f"{package}.{_ARRAY_API}"


def installed_jax() -> str | None:
    """Return the folder of the JAX that is installed; None if there is none.

    >>> from adjoint import compat
    >>> folder = compat.installed_jax()
    >>> folder is None or folder.endswith("jax")
    True
    """
    found = _found_elsewhere("jax", None)
    return os.path.dirname(found.origin) if found is not None and found.origin else None


def _found_elsewhere(fullname: str, path: Any) -> ModuleSpec | None:
    """Return what the other finders have."""
    for finder in sys.meta_path:
        found = None
        if not getattr(finder, "presents_adjoint", finder is _finder):
            found = finder.find_spec(fullname, path)
        if found is not None and (path or found.loader is not None):  # not a folder that is left of a package
            return found
    return None


def uninstall() -> None:
    """Undo `install`: `import jax` means what is installed under that name.

    Returns:
      None.

    >>> from adjoint import compat
    >>> compat.uninstall()  # doctest: +SKIP
    """
    if _finder in sys.meta_path:
        sys.meta_path.remove(_finder)
        version.say(version.own_version)
        private.detach(sys.modules[_PACKAGE])
        _call_array_api(_PACKAGE)
    for name in [n for n, m in sys.modules.items() if isinstance(m, PresentedModule)]:
        del sys.modules[name]


_explain_missing(globals())
