# Written by stubs/generate.py; do not edit.
from typing import Any
__version__: str
__version_info__: tuple[Any, ...]
jax_version: str
own_version: str
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
