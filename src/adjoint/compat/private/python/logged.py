"""Loggers that write to standard error: names of `jax._src.logging_config` and `jax._src.util`.

Tests: `tests/compat/test_private_small.py`.
"""

from __future__ import annotations

import logging
import sys
from typing import Any

from ....core.options.config import config

__all__ = ["distributed_debug_log", "update_debug_log_modules", "update_logging_level_global"]

_LEVELS = ("CRITICAL", "FATAL", "ERROR", "WARN", "WARNING", "INFO", "DEBUG")
_FORMAT = "{levelname}:{asctime}:{name}:{lineno}: {message}"
_log = logging.getLogger("jax._src.util")

_handler = logging.StreamHandler(sys.stderr)
_handler.setFormatter(logging.Formatter(_FORMAT, style="{"))
_debugged: dict[str, int] = {}  # loggers that write everything, and their levels before


def enable_debug_logging(logger_name: str) -> None:
    """Let a logger write everything to standard error.

    Args:
      logger_name: its name; once is enough.
    """
    logger = logging.getLogger(logger_name)
    if logger_name not in _debugged:
        _debugged[logger_name] = logger.level
        logger.addHandler(_handler)
    logger.setLevel(logging.DEBUG)


def disable_all_debug_logging() -> None:
    """Let the loggers that write everything write no more; they keep their level."""
    for name in _debugged:
        logging.getLogger(name).removeHandler(_handler)
    _debugged.clear()


def update_debug_log_modules(module_names_str: str | None) -> None:
    """Let these loggers, and no others, write everything to standard error.

    Args:
      module_names_str: names that commas divide.
    """
    for name, level in _debugged.items():
        logging.getLogger(name).setLevel(level)
    disable_all_debug_logging()
    for name in module_names_str.split(",") if module_names_str else ():
        enable_debug_logging(name)


_of_all = logging.StreamHandler(sys.stderr)
_of_all.setFormatter(_handler.formatter)


def update_logging_level_global(logging_level: str | None) -> None:
    """Write what the library logs to standard error, from a level on; nothing for None.

    Args:
      logging_level: "DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL".
    Raises:
      ValueError: there is no such level.
    """
    if logging_level is not None and logging_level not in _LEVELS:
        raise ValueError(
            f'Attempting to set log level "{logging_level}" which isn\'t one of the supported: {list(_LEVELS)}.'
        )
    for name in ("jax", __name__.partition(".")[0]):
        logger = logging.getLogger(name)
        logger.removeHandler(_of_all)
        if logging_level is not None:
            logger.addHandler(_of_all)
            logger.setLevel(logging_level)


def distributed_debug_log(*pairs: tuple[Any, Any]) -> None:
    """Log labels and values under `jax_distributed_debug`, the first pair as a heading.

    Args:
      pairs: labels and values.
    """
    if config.jax_distributed_debug:
        rows = [f"{'  ' if i else ''}{label}: {value}" for i, (label, value) in enumerate(pairs)]
        _log.warning("\n".join(["", "DISTRIBUTED_DEBUG_BEGIN", *rows, "DISTRIBUTED_DEBUG_END"]))
