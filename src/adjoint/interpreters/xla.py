"""The names that libraries use of JAX's `interpreters.xla`.

Tests: `tests/extend/test_interpreters.py`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..compat.extension import pytype_aval_mappings
from ..core.messages.boundaries import explain_missing as _explain_missing
from ..core.primitive import Primitive
from ..core.types import aval_of
from ..parallel.devices import Device as Backend
from ..transforms.jit.jit import jit

__all__ = ["Backend", "apply_primitive", "canonicalize_dtype_handlers"]


def _canonical(x) -> np.ndarray:
    """Return a value as an array of a dtype that programs have."""
    return np.asarray(x, aval_of(x).dtype)


# For each type of values: how they become arrays.
canonicalize_dtype_handlers: dict[type, Callable] = dict.fromkeys(pytype_aval_mappings, _canonical)


def apply_primitive(prim: Primitive, *args, **params):
    """Run a primitive now; a ready argument for `def_impl`, where a lowering says what it does.

    Args:
      prim: the primitive.
      *args: its operands.
      **params: its parameters.
    Returns:
      An array, or a list of them if the primitive has several results.

    >>> from adjoint.lax import sin_p
    >>> apply_primitive(sin_p, 0.)
    Array(0., dtype=float32, weak_type=True)
    """
    if prim.evaluate_rule is None and prim.expand_rule is None:
        raise NotImplementedError(f"MLIR translation rule for primitive '{prim}' not found for platform cpu")
    return jit(lambda *xs: prim.bind(*xs, **params))(*args)

_explain_missing(globals())
