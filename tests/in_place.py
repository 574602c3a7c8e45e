"""A test with JAX in the place of adjoint: does it fail as here, and only in the mode of this run?

The modules of the tests are imported once more while the name `adjoint` means JAX, and the test is run from these: in
the mode, and without it. A test that compares with JAX then compares JAX with itself, so that no difference between
the two is ever excused. What needs a part of adjoint that JAX has not fails in both and says
nothing.
"""

from __future__ import annotations

import contextlib
import importlib
import re
import sys
import traceback
from collections.abc import Iterator
from importlib.abc import Loader, MetaPathFinder
from importlib.util import spec_from_loader
from pathlib import Path

import pytest
from tests.recorded import jax
from tests.recorded.session import HOME

__all__ = ["fails_alike"]

_TESTS = str(Path(__file__).parent)
_OURS = (__file__, str(Path(_TESTS, "conftest.py")))
_COPIES: dict[str, object] = {}
_NAMES = re.compile(r"(?:[A-Za-z_]\w*\.)+(?=[A-Za-z_])|0x[0-9a-f]+")     # of modules and of places in memory
_PLAIN = (
    lambda: jax.numpy_rank_promotion("allow"), lambda: jax.numpy_dtype_promotion("standard"),
    lambda: jax.debug_nans(False), lambda: jax.disable_jit(False), lambda: jax.check_tracer_leaks(False),
    lambda: jax.enable_x64(False),
)


def fails_alike(error: BaseException, item: pytest.Function) -> bool:
    """Whether JAX in our place fails as a test did, and does not so without the mode."""
    with _jax_for_adjoint():
        within = _outcome(item)
        if within is None or within != _told(error):
            return False
        with contextlib.ExitStack() as stack:
            for plain in _PLAIN:
                stack.enter_context(plain())
            return _outcome(item) != within


def _outcome(item):
    """How the test fails, if it does, or None."""
    try:
        function, arguments = _counterpart(item)
        importlib.import_module("tests.streams").begin_anew(item.name)
        function(**arguments)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        return _told(error)
    return None


def _told(error: BaseException) -> tuple:
    """The class of an error, the lines of the tests that it left and, of what a test asserts, the words."""
    rows = traceback.extract_tb(error.__traceback__)
    lines = [(r.filename, r.lineno) for r in rows if r.filename.startswith(_TESTS)
             and r.filename not in _OURS and not r.filename.startswith(str(HOME))]
    asserted = isinstance(error, (AssertionError, pytest.fail.Exception))
    return type(error).__name__, lines, _NAMES.sub("", str(error)) if asserted else ""


def _counterpart(item):
    """The function of a test and its arguments, from the modules that know JAX alone."""
    path = item.path.relative_to(Path(_TESTS).parent).with_suffix("")
    function = getattr(importlib.import_module(".".join(path.parts)), item.originalname)
    arguments = {name: item.funcargs[name] for name in item._fixtureinfo.argnames}
    positions = item.callspec.indices if hasattr(item, "callspec") else {}
    for mark in getattr(function, "pytestmark", []):
        if mark.name != "parametrize":
            continue
        names, rows = mark.args[:2]
        names = [n.strip() for n in names.split(",")] if isinstance(names, str) else list(names)
        row = list(rows)[positions[names[0]]]
        row = row.values if isinstance(row, type(pytest.param())) else (row,) if len(names) == 1 else row
        arguments |= zip(names, row, strict=True)
    return function, arguments


class _Finder(MetaPathFinder, Loader):
    """Finds JAX's modules by the names of ours."""

    def find_spec(self, name, path=None, target=None):
        return spec_from_loader(name, self) if name.split(".")[0] == "adjoint" else None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        try:
            sys.modules[module.__name__] = importlib.import_module("jax" + module.__name__.removeprefix("adjoint"))
        except ImportError:
            module.__path__ = []
            module.__getattr__ = _absent


def _absent(name: str):
    """What stands for a name of a module that JAX lacks."""
    if name.startswith("__"):
        raise AttributeError(name)

    def fail(*args, **kwargs):
        raise NotImplementedError(name)

    return fail


def _is_replaced(name: str) -> bool:
    return name.split(".")[0] in ("adjoint", "tests") and name not in ("tests", "tests.modes", __name__)


@contextlib.contextmanager
def _jax_for_adjoint() -> Iterator[None]:
    ours = {name: module for name, module in sys.modules.items() if _is_replaced(name)}
    finder = _Finder()
    for name in ours:
        del sys.modules[name]
    sys.modules.update(_COPIES)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in list(filter(_is_replaced, sys.modules)):
            _COPIES[name] = sys.modules.pop(name)
        sys.modules.update(ours)
