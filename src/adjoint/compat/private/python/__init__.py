"""Names of JAX's inside that are about Python alone: lists, functions, caches, deprecations, warnings.

Tests: `tests/compat/test_private_python.py`.
"""
