"""Compiled code as operations: register a function of a shared library, then call it inside programs.

    register_ffi_target("my_op", pycapsule(library.MyOp), platform="cpu")
    ffi_call("my_op", ShapeDtypeStruct((3,), "float32"))(x, axis=0)

The code is written against the headers in `include_dir()`. All of it needs jaxlib.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .control_flow.foreign import ffi_call
from .core.messages.boundaries import public
from .core.messages.errors import JaxRuntimeError as _JaxRuntimeError
from .core.types import aval_of as _aval_of
from .engines.xla import runtime as _runtime

__all__ = [
    "build_ffi_lowering_function", "ffi_call", "ffi_lowering", "include_dir", "pycapsule", "register_ffi_target",
    "register_ffi_target_as_batch_partitionable", "register_ffi_type", "register_ffi_type_id",
]


def include_dir() -> str:
    """Return the folder with the header files for functions to be registered.

    Returns:
      A path, a text.
    Raises:
      ImportError: jaxlib is not installed.

    >>> import os
    >>> os.path.exists(os.path.join(ffi.include_dir(), "xla", "ffi", "api", "ffi.h"))
    True
    """
    (package,) = _runtime.extension("version")
    return os.path.join(os.path.dirname(package.__file__), "include")


def pycapsule(funcptr: Any) -> Any:
    """Return a capsule of a function of a shared library, as `ctypes` finds it.

    Args:
      funcptr: the function, or its address.
    Returns:
      A capsule, for `register_ffi_target`.
    Raises:
      ValueError: the address is 0 or None.
      ctypes.ArgumentError: `funcptr` is neither a function nor an address.

    >>> type(pycapsule(1)).__name__
    'PyCapsule'
    """
    make = ctypes.pythonapi.PyCapsule_New
    make.restype = ctypes.py_object
    make.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return make(funcptr, None, None)


def register_ffi_target(name: str, fn: Any, platform: str = "cpu", api_version: int = 1, **kwargs: Any) -> None:
    """Register compiled code, to be called by its name.

    Args:
      name: by which it is called.
      fn: a capsule of the handler, or a dict of capsules by stage ("execute", "prepare", ...).
      platform: "cpu", "CUDA", ...
      api_version: 1, the typed interface; 0 for the older one.
      kwargs: further options of the runtime.
    Raises:
      ImportError: jaxlib is not installed.
      JaxRuntimeError: `fn` is no capsule.

    >>> from adjoint import ffi
    >>> ffi.register_ffi_target("sum", ffi.pycapsule(library.Sum))  # doctest: +SKIP
    """
    (client,) = _runtime.extension("xla_client")
    if platform.lower() == "cpu" and fn is not None:
        _check_target(name, fn, api_version)
    try:
        client.register_custom_call_target(name, fn, platform, api_version, **kwargs)
    except RuntimeError as error:
        _runtime.raise_cause(error)


# What is registered before the runtime starts is looked at when it starts, and would fail a call that has nothing to do
# with it: so it is looked at here, on the CPU, whose rules are these.
def _is_capsule(value: Any) -> bool:
    return type(value).__name__ == "PyCapsule"


def _check_target(name: str, fn: Any, api_version: int) -> None:
    if api_version not in (0, 1) or _is_capsule(fn):
        why = None
    elif api_version == 0:
        why = "Custom call target registration with api_version=0 requires a PyCapsule fn object"
    elif not isinstance(fn, dict):
        why = "Unsupported custom call target type for api_version=1"
    elif not all(map(_is_capsule, fn.values())):
        why = "Custom call target registration with api_version=1 requires a PyCapsule fn object for all dict keys"
    else:
        why = None if "execute" in fn else \
            f"FFI handler for {name} on a platform Host must provide an execute implementation"
    if why is not None:
        raise _JaxRuntimeError(f"INVALID_ARGUMENT: {why}")


def _check_type(registration: Any) -> None:
    if not isinstance(registration, dict) or "type_id" not in registration:
        raise _JaxRuntimeError(
            "INVALID_ARGUMENT: The type_id argument to register_custom_call_type must be a dictionary holding a "
            "pointer to a XLA_FFI_TypeId in `type_id` and optional pointer to a XLA_FFI_TypeInfo in `type_info` fields."
        )
    if not all(_is_capsule(registration[key]) for key in ("type_id", "type_info") if key in registration):
        raise _JaxRuntimeError("INVALID_ARGUMENT: Custom type registration requires handlers as PyCapsules")


def register_ffi_target_as_batch_partitionable(name: str) -> None:
    """Say that the first axes of a function's operands are a batch, which devices can divide.

    Args:
      name: the name under which the function is registered.
    Returns:
      None.

    >>> from adjoint import ffi
    >>> ffi.register_ffi_target_as_batch_partitionable("sum_of_rows")
    """
    (extension,) = _runtime.extension("_jax")
    extension.register_custom_call_as_batch_partitionable(name)


def register_ffi_type(name: str, type_registration: Mapping[str, Any], platform: str = "cpu") -> None:
    """Register a type of values that a function keeps between calls.

    Args:
      name: of the type.
      type_registration: capsules `type_id` and `type_info`.
      platform: "cpu", "CUDA", ...
    Returns:
      None.
    Raises:
      ImportError: jaxlib is not installed.
      JaxRuntimeError: `type_registration` holds no `type_id`.

    >>> from adjoint import ffi
    >>> ffi.register_ffi_type("counter", {"type_id": ffi.pycapsule(library.counter_id)})  # doctest: +SKIP
    """
    (client,) = _runtime.extension("xla_client")
    if platform.lower() == "cpu":
        _check_type(type_registration)
    try:
        client.register_custom_type(name, type_registration, platform=platform)
    except RuntimeError as error:
        _runtime.raise_cause(error)


def register_ffi_type_id(name: str, obj: Any, platform: str = "cpu") -> None:
    """Raise ValueError: this is the older form of `register_ffi_type`, which jaxlib no longer has.

    Args:
      name, obj, platform: those of `register_ffi_type`.
    Returns:
      Nothing.
    Raises:
      ValueError: always.

    >>> ffi.register_ffi_type_id("state", None)
    Traceback (most recent call last):
    ValueError: ...
    """
    raise ValueError(
        "register_ffi_type_id is not supported after jaxlib version 381.\n"
        f"  Try: register_ffi_type({name!r}, dict(type_id=capsule), platform={platform!r})"
    )


class _ForeignLowering:
    """The lowering of a primitive to a call of a registered function. See `interpreters.mlir.register_lowering`."""

    def __init__(self, target: str, operand_layouts, result_layouts, config, extra: dict):
        self.target = target
        self.layouts = operand_layouts, result_layouts
        self.config = config
        self.extra = extra

    def expansion(self, prim) -> Callable:
        """The primitive as an operation on arrays."""
        def expand(*args, **params):
            outs = prim.infer(tuple([_aval_of(x) for x in args]), params)
            ins, results = ([None if x is None else tuple(x)[::-1] for x in side] if side else None
                            for side in self.layouts)
            several = prim.multiple_results
            call = ffi_call(
                self.target, outs if several else [outs], input_layouts=ins, output_layouts=results,
                has_side_effect=bool(self.extra.get("has_side_effect", False)),
            )
            found = call(*args, **{**(self.config or {}), **params})
            return found if several else found[0]

        return expand

    def __call__(self, ctx, *operands, **params):
        raise TypeError(
            "A lowering made by ffi_lowering has no MLIR values to work on here.\n"
            "  Try: interpreters.mlir.register_lowering(primitive, ffi_lowering(name)), or ffi_call on arrays"
        )


def ffi_lowering(
    call_target_name: str, *, operand_layouts: Sequence | None = None, result_layouts: Sequence | None = None,
    backend_config: Any = None, skip_ffi_layout_processing: bool = False, **lowering_args: Any,
) -> Any:
    """Return a lowering rule for `mlir.register_lowering`: the primitive is a call of a registered function.

    Args:
      call_target_name: the name under which the function is registered.
      operand_layouts, result_layouts: for each array None or its axes from the one that varies fastest.
      backend_config: attributes of every call; the primitive's parameters are further ones.
      skip_ffi_layout_processing: accepted.
      **lowering_args: accepted as in JAX.
    Returns:
      A rule.
    Raises:
      JaxRuntimeError: when a program is compiled that calls a function which is not registered.

    >>> rule = ffi.ffi_lowering("my_function")
    >>> callable(rule)
    True
    """
    return _ForeignLowering(call_target_name, operand_layouts, result_layouts, backend_config, lowering_args)


build_ffi_lowering_function = ffi_lowering

public(globals())
