"""The loggers of the library, under the names that a program which imports it as `jax` knows.

Tests: `tests/core/test_logs.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..messages.errors import presented

if TYPE_CHECKING:
    from logging import Logger

__all__ = ["logger"]


def logger(name: str, name_in_jax: str) -> Logger:
    """Return a logger of the library.

    Where the library is imported as `jax`, it is the logger that JAX writes the same to, so that handlers and levels of
    `logging.getLogger("jax")` hold. `logging` is imported by the first call: most programs log nothing.

    Args:
      name: of the module that writes.
      name_in_jax: of the module of JAX that writes the same.
    """
    from logging import getLogger

    return getLogger(name if presented(name) == name else name_in_jax)
