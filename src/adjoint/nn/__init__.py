"""Functions for neural networks: activations, normalisation, attention, and `initializers`."""

from __future__ import annotations

from ..core.names.exports import offered as _offered

__getattr__, __dir__ = _offered(
    globals(), modules="initializers", listed=("activations", "functions", "scaled")
)
