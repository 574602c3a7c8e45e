# Written by stubs/generate.py; do not edit.
from adjoint.core import Primitive
from typing import Any
from adjoint import Device as _Backend
Backend = _Backend
def apply_primitive(prim: Primitive, *args: Any, **params: Any) -> Any: ...
canonicalize_dtype_handlers: dict[Any, Any]
