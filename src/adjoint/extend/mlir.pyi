# Written by stubs/generate.py; do not edit.
from typing import Any
deserialize_portable_artifact: Any
hlo_to_stablehlo: Any
refine_polymorphic_shapes: Any
serialize_portable_artifact: Any
