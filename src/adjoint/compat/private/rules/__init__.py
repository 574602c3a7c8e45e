"""Parts of transformations on jaxprs, with the names of `jax._src.interpreters`; the README names the modules.

Tests: `tests/compat/test_private_rules.py`.
"""
