"""A check that NumPy is not too old, made when the package is imported.

Tests: `tests/compat/test_command_line.py`.
"""

from __future__ import annotations

import numpy as np

__all__ = ["check_numpy"]

_OLDEST_NUMPY = 2, 1  # with an earlier one the import succeeds, and operations fail in odd ways


def check_numpy(version: str = np.__version__) -> None:
    """Raise ImportError for a NumPy that is too old.

    >>> check_numpy("1.26.4")
    Traceback (most recent call last):
    ImportError: adjoint needs NumPy 2.1 or newer; 1.26.4 is installed.
      Try: python -m pip install --upgrade numpy
    """
    if tuple(map(int, version.split(".")[:2])) < _OLDEST_NUMPY:
        raise ImportError(
            f"adjoint needs NumPy {'.'.join(map(str, _OLDEST_NUMPY))} or newer; {version} is installed.\n"
            "  Try: python -m pip install --upgrade numpy")
