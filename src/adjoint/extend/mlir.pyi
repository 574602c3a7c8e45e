# Written by stubs/generate.py; do not edit.
from typing import Any
deserialize_portable_artifact: Any
"""deserialize_portable_artifact(mlir_module: bytes, context: typing.Any = None) -> typing.Any"""
hlo_to_stablehlo: Any
"""hlo_to_stablehlo(computation: bytes) -> bytes"""
refine_polymorphic_shapes: Any
"""refine_polymorphic_shapes(mlir_module: bytes, enable_shape_assertions: bool = True, validate_static_shapes: bool = True, enable_shardy: bool = False) -> bytes

Refines the dynamic shapes for a module.
        The "main" function must have static shapes and all the
        intermediate dynamic shapes depend only on the input static
        shapes. Optionally, also validates that the resulting module has
        only static shapes.

"""
serialize_portable_artifact: Any
"""serialize_portable_artifact(mlir_module: typing.Any, target: str, use_mixed_serialization: bool = False) -> bytes"""
