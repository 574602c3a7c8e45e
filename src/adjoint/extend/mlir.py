"""jaxlib's functions of modules as bytes: StableHLO that other versions can read, and what older forms become.

>>> text = jit(jnp.sin).lower(1.).as_text()
>>> extend.mlir.serialize_portable_artifact(text, "1.0.0")[:2]
b'ML'

Tests: `tests/extend/test_inventory.py`.
"""

from __future__ import annotations

from ..core.messages.errors import no_attribute as _no_attribute
from ..engines.xla.runtime import extension as _extension

_NAMES = (
    "deserialize_portable_artifact", "hlo_to_stablehlo", "refine_polymorphic_shapes", "serialize_portable_artifact",
)


def __getattr__(name: str):
    if name in _NAMES:
        return getattr(_extension("_jax")[0].mlir, name)
    raise _no_attribute(__name__, name, _NAMES)


def __dir__() -> list[str]:
    return list(_NAMES)
