"""JAX's inside, `jax._src` and `jaxlib`, as a tree of modules whose names are found when they are asked for.

The tree is made from `table.py`: a row is a private name and what it is here. A name without a row is an ImportError
or AttributeError that names the caller. Where jaxlib itself is installed its modules are the real ones, for the
engine that needs them, with those of our types that programs compare with. Modules with data of tests are those of an
installed JAX.

Tests: `tests/compat/test_private.py`.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from opcode import opmap
from types import FrameType, ModuleType
from typing import Any

from ... import version
from ...core.messages.errors import message
from ...core.messages.frames import is_ours
from ...core.names.elsewhere import found_in
from ...core.process.records import NamedTuple

__all__ = ["PrivateModule", "attach", "completed", "detach", "find", "is_installed", "of_installed", "tree"]

_PACKAGE = __package__.partition(".")[0]
_BESIDE = __name__.partition(".")[2]
_TOP = "jax"  # the package itself, in the table
_INSIDE = "jaxlib"
_INSTALLED = "installed"  # a module of an installed JAX, in the table
_MISSING: Any = object()


class Tree(NamedTuple):
    """The table, by full names: where each name is, and the modules whose names each private module has."""

    names: dict[str, str]
    modules: dict[str, tuple[str, ...]]
    families: dict[str, str]  # beginnings of names of modules whose rests are those of public ones
    everywhere: tuple[str, ...]  # modules whose names all modules of `jax._src` have
    imports: dict[str, str]  # private modules that all of them import, by the names that these have there


@cache
def tree() -> Tree:
    """Return the table, read once."""
    from .table import ROWS

    names: dict[str, str] = {}
    modules: dict[str, tuple[str, ...]] = {}
    families: dict[str, str] = {}
    everywhere: tuple[str, ...] = ()
    imports: dict[str, str] = {}
    for row in ROWS.splitlines():
        if row and row[0] not in "# ":
            private, ours, *_ = row.split()
            private = "jax." + private if private.startswith("_src") else private
            ours = "+".join([_expanded(m) for m in ours.split("+")])
            if private == "jax._src.*":
                everywhere += tuple(ours.split("+"))
                continue
            if private.startswith("jax._src.*."):
                imports[private.rpartition(".")[2]] = ours
                continue
            if ":" in ours:
                names[private] = ours
                private = private.rpartition(".")[0]
                modules.setdefault(private, ())
            elif private.endswith("*"):
                families[private[:-1]], private = ours[:-1], private[:-2]
                modules.setdefault(private, (ours[:-2],))
            else:
                modules[private] = modules.get(private, ()) + (tuple(ours.split("+")) if ours != "-" else ())
            while "." in private:
                private = private.rpartition(".")[0]
                modules.setdefault(private, ())
    return Tree(names, modules, families, everywhere, imports)


def _expanded(source: str) -> str:
    """Return the full name of what a row names: a module beside the table, a private one, or one of the package."""
    return f"jax.{source}" if source.startswith("_src.") else _BESIDE + source if source[0] == "." else source


def sources(module: str) -> tuple[str, ...] | None:
    """Return the modules of ours whose names a private module has; None if there is no such module."""
    rows = tree()
    if module in rows.modules:
        return rows.modules[module]
    for start, ours in rows.families.items():
        public = ours + module.removeprefix(start)
        if module.startswith(start) and _is_module(public if ours.startswith("jaxlib.") else f"{_PACKAGE}.{public}"):
            return (public,)
    return None


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:     # what it would be in is no package
        return False


def imported(source: str) -> ModuleType:
    """Return a module of ours, a private one, or one of jaxlib, by its name in the table."""
    if source.startswith(("jax._src.", "jaxlib.")):
        return import_module(source)
    return import_module(_PACKAGE if source == _TOP else f"{_PACKAGE}.{source}")


class PrivateModule(ModuleType):
    """A module of JAX's inside; its names are those of rows, then those of modules of ours."""

    def __getattr__(self, name: str):
        if name.startswith("__") and name != "__version__":
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name, obj=self)
        value = _found(self.__name__, name)
        if value is _MISSING:
            raise _refused(self, name, sys._getframe(1))
        setattr(self, name, value)
        return value

    def __dir__(self):
        inside = self.__name__ + "."
        rows = [n.removeprefix(inside) for part in (tree().names, tree().modules) for n in part if n.startswith(inside)]
        listed = [n for m in sources(self.__name__) or () for n in dir(imported(m))]
        return sorted({*object.__dir__(self), *(n.partition(".")[0] for n in rows),
                       *(n for n in listed if not n.startswith("_"))})


def _found(module: str, name: str) -> Any:
    """Return what stands for a name of a private module."""
    rows = tree()
    full = f"{module}.{name}"
    if full in rows.names:
        return located(rows.names[full])
    if sources(full) is not None:
        return import_module(full)
    is_inside = module.startswith("jax._src.")
    shared = rows.imports.get(name) if is_inside else None
    own = sources(module) or ()
    for source in () if name.startswith("_") else (*own, *(rows.everywhere if is_inside else ())):
        value = _there(source, name)
        if value is _MISSING or isinstance(value, ModuleType) and source == _TOP:
            continue
        if shared is None or callable(value) or source in own and not isinstance(value, ModuleType):
            return value
    return _MISSING if shared is None else import_module(shared)


def _there(source: str, name: str) -> Any:
    """Return what a module of ours, or another private one, has under a name."""
    if not source.startswith("jax._src."):
        try:
            return found_in(imported(source), name, _MISSING)
        except ModuleNotFoundError:  # of a package that is not installed
            raise
        except ImportError:  # what our modules say to `from module import name`, which is not how this asks
            return _MISSING
    full = f"{source}.{name}"
    if full in tree().names:
        return located(tree().names[full])
    for inner in sources(source) or ():
        value = _there(inner, name)
        if value is not _MISSING and not (inner == _TOP and isinstance(value, ModuleType)):
            return value
    return _MISSING


def located(ours: str) -> Any:
    """Return what a row names as `module:attribute`."""
    module, _, attributes = ours.partition(":")
    value: Any = imported(module)
    for name in attributes.split("."):
        value = getattr(value, name)
    return value


# ---- what has no row -----------------------------------------------------------------------------


def _refused(module: PrivateModule, name: str, frame: FrameType) -> Exception:
    """Return the error for a name without a row: ImportError for `from module import name`, else AttributeError."""
    text = _text(f"{module.__name__}.{name}", frame)
    code = frame.f_code.co_code
    if 0 <= frame.f_lasti < len(code) and code[frame.f_lasti] == opmap["IMPORT_FROM"]:
        return ImportError(text, name=module.__name__)
    return AttributeError(text, name=name, obj=module)


def _text(private: str, frame: FrameType | None) -> str:
    while frame is not None and (
        is_ours(frame.f_code.co_filename) or frame.f_code.co_filename.startswith("<frozen importlib")
    ):
        frame = frame.f_back
    return message(
        f"adjoint has nothing for the private name {private!r}.",
        where=frame,
        why="It belongs to JAX's inside. adjoint has those of its names that libraries are known to use: the table in "
        "adjoint/compat/private/table.py.",
        fix="the public name for it; or report it as an issue of adjoint, with the name, the library and its version: "
        "it becomes a row of the table",
    )


# ---- modules -------------------------------------------------------------------------------------


class _Made(Loader):
    """Makes a private module."""

    def create_module(self, spec):
        return PrivateModule(spec.name, f"Names of JAX's inside, `{spec.name}`, as adjoint has them.")

    def exec_module(self, module):
        """Its names come when they are asked for."""


_made = _Made()


def find(fullname: str) -> ModuleSpec:
    """Return how a private module is made; ModuleNotFoundError if the table has none of this name."""
    if sources(fullname) is None:
        raise ModuleNotFoundError(_text(fullname, sys._getframe(1)), name=fullname)
    return ModuleSpec(fullname, _made, is_package=True)


def is_installed(module: str) -> bool:
    """Return whether a private module is that of an installed JAX: it, or a package that it is in, has such a row."""
    rows = tree().modules
    while module and module not in rows:
        module = module.rpartition(".")[0]
    return rows.get(module) == (_INSTALLED,)


def of_installed(module: str, folder: str | None) -> ModuleSpec:
    """Return how a module of an installed JAX is loaded, to run on this package.

    Args:
      module: its full name.
      folder: where that JAX is; None if there is none.
    """
    inside = None if folder is None else [os.path.join(folder, *module.split(".")[1:-1])]
    spec = None if inside is None else PathFinder.find_spec(module, inside)
    if spec is None:
        raise ModuleNotFoundError(message(
            f"adjoint has no module {module!r}" + (", and no JAX is installed." if folder is None else "."),
            why="It holds data of JAX's tests, which are read from an installed JAX.",
            fix=f"pip install jax=={version.jax_version}, which is then used for this alone",
        ), name=module)
    return spec


class _Completed(Loader):
    """Loads a module of an installed jaxlib, then gives it our types in place of its own."""

    def __init__(self, loader: Any, names: dict[str, str]):
        self.loader, self.names = loader, names

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self.loader
        self.loader.exec_module(module)
        for name, ours in self.names.items():
            _replace(module, name, located(ours))
        if module.__name__ == _INSIDE:
            _replace(module, "__getattr__", _submodule)


def _replace(owner: ModuleType | type, name: str, value: Any) -> None:
    replaced.setdefault(owner, {})[name] = getattr(owner, name, _MISSING)
    setattr(owner, name, value)


def _submodule(name: str) -> ModuleType:
    """Return a module of jaxlib as an attribute of it: `import jax` loads them, where JAX is imported."""
    full = f"{_INSIDE}.{name}"
    try:
        return import_module(full)
    except ModuleNotFoundError as error:
        if error.name != full:
            raise
        raise AttributeError(f"module {_INSIDE!r} has no attribute {name!r}", name=name) from None


replaced: dict[ModuleType | type, dict[str, Any]] = {}  # by module of jaxlib or class of ours, what was there before


def completed(spec: ModuleSpec) -> ModuleSpec:
    """Return a module of an installed jaxlib, with our types; jaxlib itself with its modules, as after `import jax`."""
    from .table import OUR_TYPES

    names = {n.rpartition(".")[2]: tree().names[n] for n in OUR_TYPES if n.rpartition(".")[0] == spec.name}
    if names or spec.name == _INSIDE:
        spec.loader = _Completed(spec.loader, names)
    return spec


def attach(package: ModuleType) -> None:
    """Let `jax._src` be an attribute of the package, as it is of JAX, and classes say where JAX has them."""
    from .table import CLASSES

    root = sys.modules["jax._src"] = _made.create_module(ModuleSpec("jax._src", _made))
    root.__spec__, root.__path__ = ModuleSpec("jax._src", _made, is_package=True), []
    package._src = root
    for row in CLASSES.split("\n")[1:-1]:
        private, ours = row.split()
        kind, (module, _, name) = located(ours), private.rpartition(".")
        for attribute, value in (("__module__", module), ("__name__", name), ("__qualname__", name)):
            _replace(kind, attribute, value)


def detach(package: ModuleType) -> None:
    """Forget all private modules, and let classes say where they are."""
    vars(package).pop("_src", None)
    for name in [n for n, m in sys.modules.items() if n.startswith("jax._src.") or isinstance(m, PrivateModule)]:
        del sys.modules[name]
    for owner, names in replaced.items():
        for name, value in names.items():
            delattr(owner, name) if value is _MISSING else setattr(owner, name, value)
    replaced.clear()
