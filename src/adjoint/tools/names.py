"""The public names: the modules that users call, and what each of them offers with a docstring.

The reference has a page for each module, in this order, and `adjoint.help` looks for a name in this order.

Tests: `tests/tools/test_pages.py`.
"""

from __future__ import annotations

import inspect
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any, get_origin

__all__ = ["MODULES", "error_classes", "full_name", "public"]

PACKAGE = __name__.partition(".")[0]
# `scipy.stats` has a module a distribution.
MODULES = """
    adjoint numpy numpy.linalg numpy.fft lax lax.linalg random nn nn.initializers scipy.special scipy.linalg
    scipy.stats scipy.signal scipy.optimize scipy.interpolate scipy.integrate scipy.ndimage scipy.sparse.linalg
    scipy.cluster.vq scipy.fft scipy.spatial.transform tree tree_util flatten_util debug sharding distributed export
    stages custom_derivatives custom_batching ad_checkpoint image ops dtypes dlpack ffi memory monitoring profiler
    test_util experimental.checkify experimental.jet experimental.ode experimental.sparse experimental.pallas
    experimental.multihost_utils extend.core extend.linear_util
""".split()


def full_name(module: str) -> str:
    """Return the dotted name of a module of the list.

    >>> full_name("numpy.fft"), full_name("adjoint")
    ('adjoint.numpy.fft', 'adjoint')
    """
    return PACKAGE if module == PACKAGE else f"{PACKAGE}.{module}"


@cache
def public(module: str) -> dict[str, Any]:
    """Return functions and classes with docstrings of a module, by name; those of modules inside by dotted name.

    Names for annotations, such as `tuple[Any, ...]`, have none: their docstring would be that of `tuple`.
    """
    found = import_module(full_name(module))
    listed = getattr(found, "__all__", None) or dir(found)
    values = {}
    for name in listed:
        with suppress(ImportError):  # jaxlib's classes of profiles, where there is no jaxlib
            if not name.startswith("_"):
                values[name] = getattr(found, name)
    for name, value in list(values.items()):
        if inspect.ismodule(value) and module == "scipy.stats" and value.__name__.startswith(found.__name__):
            values |= {f"{name}.{inner}": getattr(value, inner) for inner in value.__all__}
    return {name: values[name] for name in sorted(values, key=str.lower)
            if callable(values[name]) and not name.endswith("_p") and values[name].__doc__
            and not inspect.ismodule(values[name]) and get_origin(values[name]) is None}


@cache
def error_classes() -> dict[str, type[Exception]]:
    """Return the classes of errors that modules offer, those of `adjoint.errors` first, by name."""
    found = {}
    for module in ("errors", *MODULES):
        for name, value in public(module).items():
            is_own = inspect.isclass(value) and value.__module__.partition(".")[0] == PACKAGE
            if is_own and issubclass(value, Exception) and not issubclass(value, Warning):
                found.setdefault(name, value)
    return found
