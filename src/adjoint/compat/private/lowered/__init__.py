"""Names that are about compiled programs: shardings as XLA writes them, the machine.

Tests: `tests/compat/test_lowered.py`.
"""
