"""`import adjoint.as_jax` as a program's first line: `import jax` means this package, here and in what it starts.

Tests: `tests/compat/test_as_jax.py`.
"""

from .compat import install_for_children

__all__ = []

install_for_children()
