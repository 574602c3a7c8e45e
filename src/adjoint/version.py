"""The version of the library, and that of JAX whose interface it has: so it calls itself where it stands in for JAX.

Tests: `tests/compat/test_running.py`.
"""

own_version = "0.1.0"
jax_version = "0.10.2"

__version__ = own_version
__version_info__ = tuple(map(int, own_version.split(".")))


def say(version: str) -> None:
    """Let the package have this version."""
    import sys

    for name in (__name__, __package__):
        module = sys.modules[name]
        module.__version__, module.__version_info__ = version, tuple(map(int, version.split(".")))
