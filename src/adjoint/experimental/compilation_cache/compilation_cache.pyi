# Written by stubs/generate.py; do not edit.
from typing import Any
def reset_cache() -> None:
    """Forget the folder that was set; what is in it stays.

    >>> reset_cache()
    """
def set_cache_dir(path: Any) -> None:
    """Keep compiled programs in a folder; None: in the one of the environment.

    Args:
      path: the folder, which is made when a program is kept in it.

    >>> set_cache_dir(None)
    """
