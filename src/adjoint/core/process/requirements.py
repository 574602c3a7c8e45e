"""A check that NumPy is not too old, made when the package is imported.

Tests: `tests/compat/test_command_line.py`.
"""

from __future__ import annotations

import numpy as np

__all__ = ["check_numpy"]

_OLDEST_NUMPY = 2   # the major version: with an earlier one the import succeeds, and operations fail in odd ways


def check_numpy(version: str = np.__version__) -> None:
    """Raise ImportError for a NumPy that is too old.

    >>> check_numpy("1.26.4")
    Traceback (most recent call last):
    ImportError: adjoint needs NumPy 2.0 or newer; 1.26.4 is installed.
      Try: python -m pip install --upgrade numpy
    """
    if int(version.partition(".")[0]) < _OLDEST_NUMPY:
        raise ImportError(
            f"adjoint needs NumPy {_OLDEST_NUMPY}.0 or newer; {version} is installed.\n"
            "  Try: python -m pip install --upgrade numpy")
