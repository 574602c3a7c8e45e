"""Names of JAX's inside that are about programs: jaxprs, zeros, trees, options.

Tests: `tests/compat/test_private_programs.py`.
"""
