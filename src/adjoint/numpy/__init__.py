"""`adjoint.numpy`: NumPy's functions on arrays that can be transformed.

A name is found when it is first used, in the first of the modules below that lists it, so that the import costs
little more than NumPy's.
"""

from __future__ import annotations

from ..core.names.exports import offered as _offered

_MODULES = (
    "scalars", "creation", "ufuncs", "shapes", "reductions", "moments", "running", "missing",
    "products", "contractions", "joining", "indexing", "rotations", "repetition", "diagonals",
    "sorting", "searching", "sets", "differences", "histograms", "quantiles", "padding",
    "insertion", "integers", "convolutions", "vectorization", "windows", "covariances", "index_tricks", "placement",
    "polynomials", "files", "universal",
)
__array_api_version__ = "2024.12"


__getattr__, __dir__ = _offered(
    globals(), {".standard": "__array_namespace_info__"}, modules="fft linalg", listed=_MODULES
)
