# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any
from adjoint.ffi import ffi_lowering as _build_ffi_lowering_function
build_ffi_lowering_function = _build_ffi_lowering_function
def ffi_call(target_name: str, result_shape_dtypes: Any, *, has_side_effect: bool = False, vmap_method: str | None = None, input_layouts: Sequence[Any] | None = None, output_layouts: Any = None, input_output_aliases: dict[int, int] | None = None, custom_call_api_version: int = 4, legacy_backend_config: str | None = None) -> Callable[..., Any]:
    """Return a function that calls compiled code, which was registered by `register_ffi_target`.

    Args:
      target_name: the name by which it was registered.
      result_shape_dtypes: a `ShapeDtypeStruct` of the result, or a sequence of them.
      has_side_effect: call it also if the results are not needed.
      vmap_method: what `vmap` does, as for `pure_callback`.
      input_layouts, output_layouts: for each array None, or its axes from the one that varies slowest.
      input_output_aliases: which result takes the memory of which operand.
      custom_call_api_version: 4 is the typed interface; earlier ones take `legacy_backend_config`.
      legacy_backend_config: a text, for functions of the older interfaces.
    Returns:
      A function of arrays; its keyword arguments are attributes of the call: numbers, strings, booleans, NumPy
      arrays, dicts.
    Raises:
      ImportError: jaxlib is not installed.
      JaxRuntimeError: no function of that name is registered.
      ValueError: layouts or aliases do not fit; the call is differentiated.

    >>> double = ffi_call("my_double", ShapeDtypeStruct((3,), "float32"))
    >>> make_jaxpr(lambda x: double(x, times=2))(jnp.ones(3)).eqns[0].params["attributes"]
    (('times', 2),)
    """
def ffi_lowering(call_target_name: str, *, operand_layouts: Sequence[Any] | None = None, result_layouts: Sequence[Any] | None = None, backend_config: Any = None, skip_ffi_layout_processing: bool = False, **lowering_args: Any) -> Any:
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
def register_ffi_target(name: str, fn: Any, platform: str = 'cpu', api_version: int = 1, **kwargs: Any) -> None:
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
def register_ffi_target_as_batch_partitionable(name: str) -> None:
    """Say that the first axes of a function's operands are a batch, which devices can divide.

    Args:
      name: the name under which the function is registered.
    Returns:
      None.

    >>> from adjoint import ffi
    >>> ffi.register_ffi_target_as_batch_partitionable("sum_of_rows")
    """
def register_ffi_type(name: str, type_registration: Mapping[str, Any], platform: str = 'cpu') -> None:
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
def register_ffi_type_id(name: str, obj: Any, platform: str = 'cpu') -> None:
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
