# Written by stubs/generate.py; do not edit.
from typing import Any
def set_xla_metadata(x: Any = None, **kwargs: Any) -> Any: ...
from adjoint.lax import xla_metadata_value_p as xla_metadata_value_p
