"""Modules of `experimental` and `extend` that are small: each name does what JAX's does."""

from __future__ import annotations

from importlib import import_module

import pytest


@pytest.mark.parametrize("name", ["lib", "experimental.key_reuse"])
def test_modules_without_names_are_there(name):
    module = import_module(f"adjoint.{name}")
    assert [n for n in dir(module) if not n.startswith("__")] == []
