"""The version of the library, and that of JAX whose interface it has: so it calls itself where it stands in for JAX.

Another version of JAX is called by `ADJOINT_JAX_VERSION`, for libraries that ask for one; the interface is the same.

Tests: `tests/compat/test_running.py`.
"""

import os
import re
import sys

own_version = "0.1.0"
jax_version = os.environ.get("ADJOINT_JAX_VERSION") or "0.10.2"
if not re.fullmatch(r"\d+(\.\d+)+", jax_version):
    raise ValueError(f"ADJOINT_JAX_VERSION is {jax_version!r}.\n  Try: ADJOINT_JAX_VERSION=0.11.2, or leave it out")

__version__ = own_version
__version_info__ = tuple(map(int, own_version.split(".")))


def say(version: str) -> None:
    """Let the package have this version.

    Args:
      version: as numbers with points between them.

    >>> from adjoint import version
    >>> before = version.__version__
    >>> version.say("1.2.3")
    >>> adjoint.__version_info__
    (1, 2, 3)
    >>> version.say(before)
    """
    for name in (__name__, __package__):
        module = sys.modules[name]
        module.__version__, module.__version_info__ = version, tuple(map(int, version.split(".")))
