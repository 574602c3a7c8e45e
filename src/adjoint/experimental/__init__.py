"""The names that JAX keeps under `jax.experimental`. Modules are imported when they are first used."""

from __future__ import annotations

import pkgutil as _pkgutil

from ..core.names.exports import offered as _offered

_NAMES = {"..control_flow.callbacks": "io_callback", ".hijax.types": "cur_qdd"}

__getattr__, __dir__ = _offered(
    globals(), _NAMES, " ".join([module.name for module in _pkgutil.iter_modules(__path__)])
)
