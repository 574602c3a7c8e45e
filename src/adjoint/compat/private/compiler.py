"""The function that compiles: libraries put another one in its place, which refuses some backends.

Every program is told to what stands there before it is compiled.

Tests: `tests/compat/test_private.py`.
"""

from __future__ import annotations

import sys
from typing import Any

from ...engines.choice import before_compiling
from ...sharding.device import default_device
from . import PrivateModule

__all__ = ["backend_compile_and_load"]


def backend_compile_and_load(backend: Any, *args: Any, **kwargs: Any) -> None:
    """Allow a program to be compiled for a backend."""


def _ask() -> None:
    module = sys.modules.get("jax._src.compiler")
    if not isinstance(module, PrivateModule):
        return
    function = vars(module).get("backend_compile_and_load")
    if function is not None and function is not backend_compile_and_load:
        function(default_device().client)


before_compiling.append(_ask)
