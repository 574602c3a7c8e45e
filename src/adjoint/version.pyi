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
    """
