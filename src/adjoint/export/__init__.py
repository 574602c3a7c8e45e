"""Functions as programs that are stored, and run elsewhere: `adjoint.export`, as `jax.export`.

>>> from adjoint import export, jit
>>> exported = export.export(jit(lambda x: 2 * x))(1.)
>>> export.deserialize(exported.serialize()).call(3.)
Array(6., dtype=float32)
"""

from __future__ import annotations

from ..core.messages.boundaries import public
from .checks import DisabledSafetyCheck
from .exported import (
    Exported,
    default_export_platform,
    deserialize,
    export,
    maximum_supported_calling_convention_version,
    minimum_supported_calling_convention_version,
)
from .symbolic import SymbolicScope, is_symbolic_dim, symbolic_args_specs, symbolic_shape
from .trees import register_namedtuple_serialization, register_pytree_node_serialization

__all__ = [
    "DisabledSafetyCheck", "Exported", "SymbolicScope", "default_export_platform", "deserialize", "export",
    "is_symbolic_dim", "maximum_supported_calling_convention_version", "minimum_supported_calling_convention_version",
    "register_namedtuple_serialization", "register_pytree_node_serialization",
    "symbolic_args_specs", "symbolic_shape",
]

public(globals())
