"""The place of `jax.lib`, which has no names: what it had is in `extend` and `interpreters`.

Tests: `tests/experimental/test_small_modules.py`.
"""
