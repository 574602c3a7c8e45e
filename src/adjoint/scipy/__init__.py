"""`adjoint.scipy`: functions of SciPy on arrays that can be transformed.

Submodules are imported when they are first used.
"""

from __future__ import annotations

from ..core.names.exports import offered as _offered

__getattr__, __dir__ = _offered(
    globals(),
    modules="cluster fft integrate interpolate linalg ndimage optimize signal sparse spatial special stats",
)
