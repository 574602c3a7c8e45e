# Written by stubs/generate.py; do not edit.
from adjoint.extend.core import Primitive
from typing import Any
from adjoint import Device as _Backend
Backend = _Backend
def apply_primitive(prim: Primitive, *args: Any, **params: Any) -> Any:
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
canonicalize_dtype_handlers: dict[Any, Any]
