"""First-order primitives, each with all of its rules in one block: a file for each family; README.md has the order.

Tests: `tests/prims/test_rules.py`.
"""
