"""`Layout`: over which devices a program runs, and how its operands and results lie on them.

Tests: `tests/parallel/test_sharding.py`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["Layout"]


class Layout(NamedTuple):
    """Over which mesh a program runs, how its operands and results lie, and which operands it may overwrite.

    None for an operand or a result leaves it to the compiler. `typed` says of which results the types speak of the
    mesh, where it has explicit axes; all by default.
    """

    mesh: Any
    ins: tuple
    outs: tuple
    donated: tuple = ()
    typed: tuple = ()
