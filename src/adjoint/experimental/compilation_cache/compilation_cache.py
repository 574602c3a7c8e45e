"""The folder where compiled programs are kept between processes.

They are kept by default (see `engines/cache.py`); these functions choose the folder. One to which others may write is
not used.

Tests: `tests/engines/xla/test_programs.py`.
"""

from __future__ import annotations

import os
from typing import Any

from ...core.messages.boundaries import explain_missing as _explain_missing
from ...core.options.config import config

__all__ = ["reset_cache", "set_cache_dir"]


def set_cache_dir(path: Any) -> None:
    """Keep compiled programs in a folder; None: in the one of the environment.

    Args:
      path: the folder, which is made when a program is kept in it.

    >>> set_cache_dir(None)
    """
    config.update("jax_compilation_cache_dir", None if path is None else os.fspath(path))


def reset_cache() -> None:
    """Forget the folder that was set; what is in it stays.

    >>> reset_cache()
    """
    config.update("jax_compilation_cache_dir", None)


_explain_missing(globals())
