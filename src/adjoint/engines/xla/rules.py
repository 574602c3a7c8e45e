"""The table of `lower` rules. A rule is `(writer, equation, operands) -> result, or list of results`.

Tests: `tests/engines/xla/lowerings/test_lowerings.py`.
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["KEY_RULES", "RULES", "lower", "on_keys"]

RULES: dict[str, Callable] = {}  # by the name of the primitive; a rule on the primitive itself comes first
KEY_RULES: dict[str, Callable] = {}  # for operations on random keys, whose words are further axes


def lower(*names: str):
    """Register the rule of the primitives of these names."""

    def register(rule):
        RULES.update(dict.fromkeys(names, rule))
        return rule

    return register


def on_keys(*names: str):
    """Register the rule of the primitives of these names on random keys."""

    def register(rule):
        KEY_RULES.update(dict.fromkeys(names, rule))
        return rule

    return register
