"""References as programs on values, and what goes with them: names of `jax._src.state` and `error_check`.

Tests: `tests/compat/test_private_state.py`.
"""
