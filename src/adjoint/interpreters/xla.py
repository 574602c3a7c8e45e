"""The names that libraries use of JAX's `interpreters.xla`.

Tests: `tests/extend/test_interpreters.py`.
"""

from __future__ import annotations

from ..core.primitive import Primitive
from ..parallel.devices import Device as Backend
from ..transforms.jit.jit import jit

__all__ = ["Backend", "apply_primitive", "canonicalize_dtype_handlers"]

canonicalize_dtype_handlers: dict = {}


def apply_primitive(prim: Primitive, *args, **params):
    """Run a primitive now; a ready argument for `def_impl`, where a lowering says what it does.

    >>> from adjoint.lax import sin_p
    >>> apply_primitive(sin_p, 0.)
    Array(0., dtype=float32, weak_type=True)
    """
    if prim.evaluate_rule is None and prim.expand_rule is None:
        raise NotImplementedError(f"MLIR translation rule for primitive '{prim}' not found for platform cpu")
    return jit(lambda *xs: prim.bind(*xs, **params))(*args)
