"""`Layout`: over which devices a program runs, and how its operands and results are divided over them.

Tests: `tests/parallel/test_sharding.py`.
"""

from __future__ import annotations

import threading
from typing import Any

from ...core.process.records import NamedTuple

__all__ = ["Layout", "this_thread"]


class _Thread(threading.local):
    """A thread, which may be running a function of the host that a program has called.

    The devices are busy with that program: what the function computes, it computes on wholes.
    """

    is_called = False


this_thread = _Thread()


class Layout(NamedTuple):
    """Over which mesh a program runs, how its operands and results are divided, and which operands it may overwrite.

    None for an operand or a result leaves it to the compiler. `typed` says of which results the types speak of the
    mesh, where it has explicit axes; all by default.
    """

    mesh: Any
    ins: tuple
    outs: tuple
    donated: tuple = ()
    typed: tuple = ()
