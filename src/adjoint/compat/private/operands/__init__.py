"""Names of JAX's inside that are about dtypes and operands.

Tests: `tests/compat/test_private_operands.py`.
"""
