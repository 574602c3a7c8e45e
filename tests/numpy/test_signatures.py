"""The functions of `jax.numpy`, `.linalg` and `.fft` are all there and take the same arguments.

What differs, and why, is in docs/differences.md.
"""

from __future__ import annotations

import inspect
from importlib import import_module

import pytest

MODULES = ("numpy", "numpy.linalg", "numpy.fft")
# Of what these are in JAX there is nothing to call: categories of dtypes, and a private hook.
EXCEPTIONS = {
    "numpy": {
        "einsum": "_dot_general is None by default, which stands for lax.dot_general",
        "array": "no *args, which only collect positional arguments that JAX then refuses",
        "result_type": "return_weak_type_flag is there as in jax.dtypes.result_type, and off",
    },
}


def public(name: str) -> dict:
    module = import_module(f"jax.{name}")
    return {n: getattr(module, n) for n in dir(module) if not n.startswith("_")}


def parameters(function):
    """Name, kind and default of each parameter; None for what has no signature."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    return [(p.name, p.kind.name, repr(p.default)) for p in found]


@pytest.mark.parametrize("name", MODULES)
def test_names(name):
    ours = import_module(f"adjoint.{name}")
    assert [n for n in public(name) if not hasattr(ours, n)] == []
    assert set(public(name)) <= set(dir(ours)) or name != "numpy"


@pytest.mark.parametrize("name", MODULES)
def test_parameters(name):
    ours = import_module(f"adjoint.{name}")
    different = {
        n for n, value in public(name).items()
        if callable(value) and parameters(value) is not None and parameters(value) != parameters(getattr(ours, n))
    }
    assert different == set(EXCEPTIONS.get(name, ()))
